/** Covers of real prospectuses, compared with a person's reading. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { columnsOf } from '../../../src/datasets/offerings/filing.ts'
import { effectiveOf, relatesTo, termsOf } from '../../../src/datasets/offerings/terms.ts'
import { markdownOfHtml } from '../../../src/read/html.ts'
import { markdownOfText } from '../../../src/read/plain.ts'
import { sniff } from '../../../src/read/sniff.ts'
import { markdownOfXml } from '../../../src/read/xml-text.ts'
import { corpus } from '../../support/corpus.ts'

interface Truth {
  file: string
  form: string
  /** Facts of the cover; all other facts must be null, empty or false. */
  terms: Record<string, unknown>
}

const truths = JSON.parse(readFileSync(new URL('offerings-truth.json', import.meta.url), 'utf8')) as Truth[]

/** Markdown of the main document. */
function markdownOf(file: string): string {
  const bytes = readFileSync(path.join(corpus.folder, file))
  const whole = bytes.toString('utf8')
  const text = file.startsWith('sec/') ? whole.slice(whole.indexOf('<TEXT>') + 6, whole.indexOf('</TEXT>')) : whole
  return (sniff(Buffer.from(text)) === 'html' ? markdownOfHtml(text) : markdownOfText(text)).text
}

const NOTHING = columnsOf([])

for (const { file, form, terms } of truths) {
  test(`reads from ${path.basename(file)} (${form}) all facts that its cover states, and nothing else`, {
    skip: corpus.skip,
  }, () => {
    const markdown = markdownOf(file)
    const read = termsOf(markdown, form)
    assert.ok(read)
    assert.deepEqual(columnsOf(read.facts), { ...NOTHING, ...terms })
    assert.deepEqual(read.leftOut, [])
    for (const { name, value, start, end } of read.facts) {
      const sentence = markdown.slice(start, end)
      if (value !== 'true' && name !== 'exchange' && name !== 'listed') {
        assert.ok(plain(sentence).includes(plain(value)), `${name} ${value}: ${sentence}`)
      }
      assert.equal(sentence.trim(), sentence)
    }
  })
}

/** Removes the punctuation of numbers and names. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[,*\\\s]/g, '')
    .replace('ordinaryshare', 'share')

test('a Form 8-A names its registration statement, and a notice of effectiveness names the form that became effective', {
  skip: corpus.skip,
}, () => {
  const listing = relatesTo(markdownOf('sec/Archives/edgar/data/320193/0001193125-19-292825.txt'))
  assert.deepEqual(
    listing.map(({ name, value }) => [name, value]),
    [['registration_file_number', '333-228159']],
  )
  const notices = ['38723_effect/effect.xml', '1848948_effect2/effect2.xml'].map((file) =>
    effectiveOf(markdownOfXml(readFileSync(path.join(corpus.folder, 'documents/effect', file), 'utf8')).text),
  )
  assert.deepEqual(
    notices.flat().map(({ value }) => value),
    ['POS AM', 'S-1'],
  )
})
