/** Real and malformed pages of EDGAR's feed of current filings. */
import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { readCurrent } from '../../src/read/current-feed.ts'
import { parseLine } from '../../src/read/master-index.ts'
import { corpus } from '../support/corpus.ts'
import { assertQuick } from '../support/effort.ts'
import { accession, daysAgo, entry, page } from '../support/follow/made.ts'

const read = (text: string) => readCurrent(Readable.from([Buffer.from(text, 'latin1')]))

test('every entry of the real pages is read, with the moment at which EDGAR accepted it', {
  skip: corpus.skip,
}, async () => {
  const folder = path.join(corpus.folder, 'index/atom-getcurrent')
  const names = (await readdir(folder)).sort()
  assert.equal(names.length, 12)
  for (const name of names) {
    const { entries, problems, listed } = await readCurrent(createReadStream(path.join(folder, name)))
    assert.deepEqual([problems, listed, entries.length], [[], 100, 100], name)
    assert.ok(
      entries.every(({ acceptedAt }) => acceptedAt !== null),
      name,
    )
  }
  const first = await readCurrent(
    createReadStream(path.join(folder, 'getcurrent_type-4_count100_start00000_0ddd.atom')),
  )
  assert.deepEqual(first.entries.slice(0, 2), [
    {
      cik: '0002063236',
      companyName: 'Perez Daniel Antonio',
      formType: '4',
      filedDate: '2025-12-12',
      accession: '0002063236-25-000004',
      path: 'edgar/data/2063236/0002063236-25-000004.txt',
      acceptedAt: '2025-12-12T23:02:43.000Z',
    },
    {
      cik: '0001673743',
      companyName: 'Hinge Health, Inc.',
      formType: '4',
      filedDate: '2025-12-12',
      accession: '0002063236-25-000004',
      path: 'edgar/data/1673743/0002063236-25-000004.txt',
      acceptedAt: '2025-12-12T23:02:43.000Z',
    },
  ])
})

const broken: Record<string, [change: (whole: string) => string, reason: RegExp]> = {
  'no accession': [(whole) => whole.replace(/accession-number=.*</, 'accession-number=1<'), /names no accession/],
  'another title': [(whole) => whole.replace('D - Model', 'Model'), /not form, name, CIK and role/],
  'a form that is not that of its title': [(whole) => whole.replace('term="D"', 'term="S-1"'), /not form, name/],
  'no day': [(whole) => whole.replace('Filed:', 'Fixed:'), /no filing date/],
  'a day that is none': [(whole) => whole.replace(/\d{4}-\d{2}-\d{2} &lt/, '2026-02-30 &lt'), /is not a day/],
  'a day long after its acceptance': [
    (whole) => whole.replace(/\d{4}-\d{2}-\d{2} &lt/, '2099-01-02 &lt'),
    /2099-01-02, is long after its acceptance, 20/,
  ],
  'a form with a bar': [
    (whole) => whole.replaceAll(/"D"|D - /g, (one) => one.replace('D', 'D|A')),
    /its form contains/,
  ],
  'a name without end': [(whole) => whole.replace('Model', 'M'.repeat(1_000)), /the name has/],
}

for (const [what, [change, reason]] of Object.entries(broken)) {
  test(`an entry with ${what} is reported, and the other entries of the page are read`, async () => {
    const { entries, problems } = await read(page([entry({ n: 1 }), change(entry({ n: 2 })), entry({ n: 3 })]))
    assert.deepEqual(
      entries.map((one) => one.accession),
      [accession(1), accession(3)],
    )
    assert.equal(problems.length, 1)
    assert.equal(problems[0]!.line, 2)
    assert.match(problems[0]!.reason, reason)
  })
}

test('a name with a vertical bar is read unchanged, and equals the name that an index writes with "{-}"', async () => {
  const { entries, problems } = await read(page([entry({ n: 1, name: 'Forty|Eight| Advisors' })]))
  assert.deepEqual(problems, [])
  const listed = parseLine(`1968399|Forty{-}Eight{-} Advisors|D|${daysAgo(0)}|edgar/data/1968399/${accession(1)}.txt`)
  assert.deepEqual({ ...(listed as object), acceptedAt: entries[0]!.acceptedAt }, entries[0])
  assert.equal(entries[0]!.companyName, 'Forty|Eight| Advisors')
})

test('an invalid acceptance time is read as unknown, and the filing is stored', async () => {
  const { entries } = await read(
    page([entry({ n: 1, updated: 'yesterday' }), entry({ n: 2, updated: '2026-13-45T99:00:00Z' })]),
  )
  assert.deepEqual(
    entries.map(({ acceptedAt }) => acceptedAt),
    [null, null],
  )
})

test('a page that is not a feed is refused, and the error names its root element', async () => {
  await assert.rejects(read('<html><body/></html>'), { name: 'XmlError', message: '<html> is not a feed' })
})

const hostile: Record<string, () => string> = {
  'cut off': () => page([entry({ n: 1 })]).slice(0, -40),
  'of entities that name each other': () => `<!DOCTYPE feed [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><feed>&b;</feed>`,
  'of elements without end': () => `<feed>${'<entry/>'.repeat(30_000)}</feed>`,
  'three megabytes long': () => page([entry({ n: 1, name: 'M'.repeat(3_000_000) })]),
  'nested a hundred thousand deep': () => '<feed>'.repeat(100_000),
}

for (const [what, make] of Object.entries(hostile)) {
  test(`a page ${what} is refused at once`, async () => {
    await assertQuick(what, () => assert.rejects(read(make()), { name: 'XmlError' }))
  })
}

test('a title that has only brackets is refused in linear time', async () => {
  await assertQuick('a title', async () => {
    const { problems } = await read(page([entry({ n: 1, name: ' (0000000001) ('.repeat(100_000) })]))
    assert.equal(problems.length, 1)
  })
})
