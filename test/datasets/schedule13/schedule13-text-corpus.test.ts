/** Real texts of Schedules 13D and 13G, from 1994 to 2024, compared with a person's reading. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { readText, textRows } from '../../../src/datasets/schedule13/filing-text.ts'
import { markdownOfHtml } from '../../../src/read/html.ts'
import { corpus } from '../../support/corpus.ts'
import { COVER, filedText, PERSON, stated } from '../../support/schedule13-text.ts'
import { sample } from '../../support/world.ts'

type Row = Record<string, unknown>

interface Truth {
  file: string
  form: string
  /**
   * Facts of the cover and, if the cover does not name the issuer, of EDGAR's header; all other values are null or
   * empty.
   */
  report: Row & { securities?: [string, string | null][] }
  persons: Row[]
  left_out: string[]
}

const truths = JSON.parse(readFileSync(new URL('schedule13-text-truth.json', import.meta.url), 'utf8')) as Truth[]

const filingOf = (file: string, form: string, folder = corpus.folder) => filedText(folder, file, form)

function rowsOf(file: string, form: string) {
  const filing = filingOf(file, form)
  const read = readText(filing)
  const rows: (readonly [string, Row])[] = [...textRows(filing, read)]
  const of = (table: string) => rows.flatMap(([name, row]) => (name === table ? [row] : []))
  return { filing, read, report: of('report')[0]!, of }
}

for (const { file, form, report: cover, persons, left_out } of truths) {
  test(`reads from ${path.basename(file)} (${form}) all that its covers state, and nothing else`, {
    skip: corpus.skip,
  }, () => {
    const { report, of } = rowsOf(file, form)
    const { securities = cover.cusip ? [[cover.cusip, null]] : [], ...own } = cover
    assert.deepEqual(stated(report, COVER), own)
    assert.deepEqual(
      of('security').map(({ cusip, cusip_flag }) => [cusip, cusip_flag]),
      securities,
    )
    assert.deepEqual(
      of('person').map((row) => stated(row, PERSON)),
      persons.map((row) => stated(row, PERSON)),
    )
    assert.deepEqual(report.left_out, left_out)
  })
}

const filings = () => {
  const [, ...lines] = readFileSync(path.join(corpus.folder, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n')
  const all = lines.map((line) => line.split('\t') as [string, string])
  return all.filter(([, form]) => /^SC 13[DG]/.test(form))
}

/** Removes the punctuation of numbers, names and days. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/&amp;/g, '&')
    .replace(/[^a-z0-9&]/g, '')
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Tests whether the evidence of a fact contains its value. */
function says({ name, value }: Row, sentence: string): boolean {
  const text = plain(sentence)
  if (name === 'event_date') {
    const [year, month, day] = (value as string).split('-') as [string, string, string]
    const inWords = text.includes(MONTHS[Number(month) - 1]!) && text.includes(year)
    return (inWords || text.startsWith(`${Number(month)}${Number(day)}`)) && text.includes(String(Number(day)))
  }
  if (name === 'member_of_group' || name === 'legal_proceedings' || name === 'excludes_shares')
    return /[[(/☐☒☑❑¨x]/i.test(sentence)
  if (name === 'citizenship') return text.length > 'citizenship'.length
  if (name === 'rule') return /[1li]\s?\([bcd]\)/i.test(sentence)
  if (name === 'name') return (value as string).split(' ').every((word) => text.includes(plain(word)))
  const isNone = value === '0' && /none|nil|zero|0/i.test(sentence)
  return isNone || text.includes(plain(String(value).replace(/^0\./, '.')))
}

/** Amendments of 1994: four without pages for persons, and one with a single page for ten persons. */
const WITHOUT_PAGES = [
  ...['0000025445-94-000008', '0000950123-94-000138', '0000950149-94-000053', '0000950152-94-000206'],
  '0000891836-94-000030',
]

test('reads every text of the corpus or states why not, and the evidence of each fact contains the fact', {
  skip: corpus.skip,
}, () => {
  const all = filings()
  assert.equal(all.length, 119)
  const without: string[] = []
  const counts = { persons: 0, facts: 0, left: 0 }
  for (const [file, form] of all) {
    const { filing, read, of, report } = rowsOf(file, form)
    if (report.person_count === 0) without.push(path.basename(file, '.txt'))
    else if (of('person').every(({ shares, name }) => shares === null && name === null)) {
      assert.ok((report.left_out as string[]).length > 0, file)
    }
    for (const row of of('fact')) {
      const { start, stop, sentence } = row as { start: number; stop: number; sentence: string }
      assert.equal(sentence, filing.markdown.slice(start, stop))
      assert.equal(sentence, sentence.trim(), `${file}: ${row.name}`)
      assert.ok(says(row, sentence), `${file}: ${row.name} ${row.value}: ${sentence}`)
    }
    counts.persons += report.person_count as number
    counts.facts += read.facts.length
    counts.left += read.leftOut.length
  }
  assert.deepEqual(without.sort(), WITHOUT_PAGES.sort())
  assert.deepEqual(counts, { persons: 314, facts: 3987, left: 105 })
})

test('documents are read without their submission too', { skip: corpus.skip }, () => {
  const files = globSync('documents/SC-13*/*.{htm,html}', { cwd: corpus.folder }).sort()
  const counts = files.map((file) => {
    const text = readFileSync(path.join(corpus.folder, file), 'utf8')
    const markdown = markdownOfHtml(text).text
    const form = file.includes('13D') ? 'SC 13D' : 'SC 13G'
    const { persons, facts } = readText({ form, filedDate: '2024-01-01', filers: [], markdown, sequence: 1 })
    return [path.basename(file), persons, facts.filter(({ name }) => name === 'shares').length]
  })
  assert.deepEqual(counts, [
    ['0001193125-12-512480_d457434dsc13d.htm', 1, 1],
    ['RxDataLab_html_vtv_13d_item4.htm', 4, 4],
    ['0000919574-24-000042.html', 5, 5],
    ['RxDataLab_html_13d_2024_1.htm', 4, 4],
    ['RxDataLab_html_13d_2024_2.htm', 5, 5],
    ['0001193125-11-023336_dsc13g.htm', 1, 1],
    ['0001193125-13-059589_d487108dsc13g.htm', 1, 1],
    ['SC-13G-DOCUMENT.html', 4, 4],
    ['SG-13G-DOCUMENT-WITH-TEXT.html', 1, 1],
    ['RxDataLab_html_invitae_13g_2021.htm', 4, 4],
  ])
})

test('each fact of the sample’s text is in its document', { skip: corpus.skip }, () => {
  const files = globSync('Archives/edgar/data/*/*.txt', { cwd: sample }).sort()
  let compared = 0
  for (const file of files) {
    const [, form = ''] =
      /^CONFORMED SUBMISSION TYPE:\s*(.*)$/m.exec(readFileSync(path.join(sample, file), 'utf8')) ?? []
    const document = globSync(`sec/Archives/edgar/data/*/${path.basename(file)}`, { cwd: corpus.folder })[0]
    if (!form.startsWith('SC 13') || !document) continue
    const ours = filingOf(file, form, sample)
    // The headers of some filings were reconstructed; the header of the sample's filing is unchanged.
    const theirs = readText({ ...filingOf(document, form), filers: ours.filers })
    const lines = (facts: typeof theirs.facts) => facts.map(({ name, value, person }) => `${person} ${name} ${value}`)
    const known = lines(theirs.facts)
    const own = lines(readText(ours).facts)
    assert.ok(own.length >= 14, file)
    assert.deepEqual(
      own.filter((fact) => !known.includes(fact)),
      [],
      file,
    )
    compared++
  }
  assert.equal(compared, 5)
})
