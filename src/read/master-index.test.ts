import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type IndexEntry, parseLine, readIndex } from './master-index.ts'

const QUARTERLY = `Description:           Master Index of EDGAR Dissemination Feed
Last Data Received:    March 31, 2024
Comments:              webmaster@sec.gov
Cloud HTTP:            https://www.sec.gov/Archives/




CIK|Company Name|Form Type|Date Filed|Filename
--------------------------------------------------------------------------------
320193|Apple Inc.|8-K|2024-02-01|edgar/data/320193/0000320193-24-000005.txt
1000275|ROYAL BANK OF CANADA|424B2|2024-01-02|edgar/data/1000275/0001140361-24-000195.txt
`
const DAILY = `Description:           Daily Index of EDGAR Dissemination Feed
Last Data Received:    Jan  2, 2024
Comments:              webmaster@sec.gov
Anonymous FTP:         ftp://ftp.sec.gov/edgar/

CIK|Company Name|Form Type|Date Filed|File Name
--------------------------------------------------------------------------------
1000275|ROYAL BANK OF CANADA|424B2|20240102|edgar/data/1000275/0001140361-24-000195.txt\r
`

async function* chunks(text: string, size = text.length) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function readAll(text: string, size?: number) {
  const reader = readIndex(chunks(text, size))
  const entries: IndexEntry[] = []
  for await (const batch of reader.entries) entries.push(...batch)
  return { ...reader, entries }
}

test('a quarterly index with a long header and ISO dates is read', async () => {
  const { entries, problems, lastReceived } = await readAll(QUARTERLY)
  assert.deepEqual(problems, [])
  assert.equal(lastReceived, '2024-03-31')
  assert.equal(entries.length, 2)
  assert.deepEqual(entries[0], {
    cik: '0000320193',
    companyName: 'Apple Inc.',
    formType: '8-K',
    filedDate: '2024-02-01',
    accession: '0000320193-24-000005',
    path: 'edgar/data/320193/0000320193-24-000005.txt',
  })
})

test('a daily index with a short header, compact dates, a column "File Name" and CRLF is read', async () => {
  const { entries, problems, lastReceived } = await readAll(DAILY)
  assert.deepEqual(problems, [])
  assert.equal(lastReceived, '2024-01-02')
  assert.equal(entries[0]?.filedDate, '2024-01-02')
})

test('a blank value of "Last Data Received" is null, not an error', async () => {
  const { lastReceived, problems } = await readAll(QUARTERLY.replace('March 31, 2024', ''))
  assert.equal(lastReceived, null)
  assert.deepEqual(problems, [])
})

test('the result does not depend on where chunks end', async () => {
  const whole = await readAll(QUARTERLY)
  for (const size of [1, 7, 64]) assert.deepEqual((await readAll(QUARTERLY, size)).entries, whole.entries)
})

test('a line that does not parse is reported with its number and reason, and the other lines are read', async () => {
  const broken = QUARTERLY.replace(
    '1000275|ROYAL BANK OF CANADA|424B2|2024-01-02',
    '1000275|ROYAL BANK OF CANADA|424B2|2024-13-02',
  )
  const { entries, problems } = await readAll(broken)
  assert.equal(entries.length, 1)
  assert.equal(problems.length, 1)
  assert.equal(problems[0]?.line, 12)
  assert.match(problems[0]!.reason, /date "2024-13-02" is not a day/)
})

test('reports that a file without the header rule is not an index', async () => {
  const { problems } = await readAll('<html>maintenance</html>')
  assert.match(problems[0]!.reason, /not a master index/)
})

test('every kind of error in a line has its own reason', () => {
  const good = ['320193', 'Apple Inc.', '8-K', '2024-02-01', 'edgar/data/320193/0000320193-24-000005.txt']
  const wrong: [number, string, RegExp][] = [
    [0, 'x', /CIK "x"/],
    [0, '12345678901', /CIK/],
    [2, '', /form type is blank/],
    [3, '2024-02-30', /date/],
    [4, 'edgar/data/320193/../../etc/passwd', /path/],
    [4, '/etc/0000320193-24-000005.txt', /path/],
  ]
  assert.equal(typeof parseLine(good.join('|')), 'object')
  for (const [field, value, reason] of wrong) {
    assert.match(parseLine(good.with(field, value).join('|')) as string, reason)
  }
  assert.match(parseLine(good.slice(0, 4).join('|')) as string, /4 fields instead of 5/)
})

test('a name may contain bars, since the name is the text between the first field and the last three', () => {
  const line = (name: string) => `320193|${name}|8-K|2024-02-01|edgar/data/320193/0000320193-24-000005.txt`
  for (const name of ['Apple|Pear', 'A | B', '|', 'a||b', '8-K|2024-02-01|x', '']) {
    const entry = parseLine(line(name)) as IndexEntry
    assert.deepEqual([entry.companyName, entry.formType, entry.filedDate], [name, '8-K', '2024-02-01'])
  }
})

test('reads each line of a file in its own encoding (UTF-8, Latin-1, windows-1252), wherever chunks end', async () => {
  const line = (name: Buffer, n: number) =>
    Buffer.concat([
      Buffer.from('320193|'),
      name,
      Buffer.from(`|8-K|2024-02-01|edgar/data/320193/0000320193-24-00000${n}.txt\n`),
    ])
  const bytes = Buffer.concat([
    Buffer.from(QUARTERLY),
    line(Buffer.from('Crème Brûlée – Łódź', 'utf8'), 1),
    line(Buffer.from('CR\xc8ME BR\xdbL\xc9E', 'latin1'), 2),
    line(Buffer.from('O\x92Neill \x96 Fils \x80', 'latin1'), 3),
  ])
  for (const size of [bytes.length, 1, 3, 50]) {
    const reader = readIndex(
      (async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
      })(),
    )
    const names: string[] = []
    for await (const batch of reader.entries) names.push(...batch.map(({ companyName }) => companyName))
    assert.deepEqual(names.slice(2), ['Crème Brûlée – Łódź', 'CRÈME BRÛLÉE', 'O’Neill – Fils €'], `${size}`)
  }
})

test('keeps the accessions of lines that cannot be read, and counts unreadable lines without an accession', async () => {
  const bad = '1|A|8-K|never|edgar/data/1/0000000001-24-000009.txt\n1|A|8-K|2024-02-01|edgar/da'
  const { mentioned, unplaced } = await readAll(QUARTERLY + bad)
  assert.deepEqual([[...mentioned], unplaced], [['0000000001-24-000009'], 1])
})

test('an endless line does not fill memory: it is cut and reported', async () => {
  const { problems } = await readAll(`${QUARTERLY}${'x'.repeat(100_000)}`, 1000)
  assert.ok(problems.length > 0)
})
