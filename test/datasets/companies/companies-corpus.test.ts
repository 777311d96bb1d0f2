/** Real JSON files of EDGAR: every key of each file is read. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { series } from '../../../src/datasets/companies/parse.ts'
import { parseJson } from '../../../src/read/json.ts'
import { corpus } from '../../support/corpus.ts'

type RowsByTable = Map<string, Record<string, unknown>[]>

async function read(file: string): Promise<{ key: string; rows: RowsByTable; unread: string[]; problems: string[] }> {
  const document = parseJson(await readFile(file))
  const [, key = ''] = /CIK(\d{10}(?:-submissions-\d{3})?)/.exec(path.basename(file)) ?? []
  const rows: RowsByTable = new Map()
  for (const [table, row] of series.SUBMISSIONS.rows(document, key)) rows.set(table, [...(rows.get(table) ?? []), row])
  const problems = document.problems().map(({ path: at, value, reason }) => `${at} ${value} ${reason}`)
  return { key, rows, unread: document.unread(), problems }
}

const filesIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.endsWith('.json')).map((name) => path.join(folder, name))

test('every real file of a company is read to its last key, and each of its filings is read once', corpus, async () => {
  const folders = ['data.sec/submissions', 'answers/submissions', 'answers/submissions_reindented']
  const files = (await Promise.all(folders.map((folder) => filesIn(path.join(corpus.folder, folder))))).flat()
  let filings = 0
  let clockless = 0
  for (const file of files) {
    const { rows, unread, problems } = await read(file)
    assert.deepEqual({ file, unread, problems }, { file, unread: [], problems: [] })
    const listed = rows.get('listing') ?? []
    filings += listed.length
    clockless += listed.length > 0 && listed.every(({ accepted_at }) => accepted_at === null) ? 1 : 0
  }
  assert.ok(files.length >= 70)
  assert.ok(filings > 57_000, `${filings} filings`)
  // 0000310522 lists 1,154 filings, none of them early or late; five others list five at most.
  assert.ok(clockless <= 6, `${clockless} files do not show their clock`)
})

test('all times of a file have one time zone: two downloads of one company give the same moments', corpus, async () => {
  const [utc, local] = await Promise.all(
    ['CIK0000320193__4.json', 'CIK0000320193__5.json'].map((name) =>
      read(path.join(corpus.folder, 'answers/submissions', name)),
    ),
  )
  const momentsOf = ({ rows }: { rows: RowsByTable }) =>
    new Map(rows.get('listing')!.map(({ accession, accepted_at }) => [accession as string, accepted_at]))
  const [one, other] = [momentsOf(utc!), momentsOf(local!)]
  const both = [...one].filter(([accession]) => other.has(accession))
  assert.ok(both.length > 700)
  assert.deepEqual(
    both.filter(([accession, at]) => other.get(accession) !== at),
    [],
  )
  // The headers say 20250103163056 and 20220506183057, New York time.
  assert.equal(one.get('0001140361-25-000228'), '2025-01-03T21:30:56Z')
  assert.equal(other.get('0000320193-22-000061'), '2022-05-06T22:30:57Z')
})

test(
  'the real lists of tickers are read to their last key, and Berkshire’s second class is BRK-B',
  corpus,
  async () => {
    for (const [name, { at, records, rows }] of Object.entries(series).flatMap(([name, of]) =>
      of.kind === 'snapshot' ? [[name, of] as const] : [],
    )) {
      const document = parseJson(await readFile(path.join(corpus.folder, 'sec', at)))
      const made = [...records(document)].flatMap(([key, line]) => [...rows(line, key!)].map(([, row]) => row))
      assert.deepEqual(
        { name, unread: document.unread(), problems: document.problems() },
        { name, unread: [], problems: [] },
      )
      assert.equal(new Set(made.map(({ id }) => id)).size, made.length)
      if (name === 'TICKERS') {
        const found = made.filter(({ ticker }) => ticker === 'BRK-B').map(({ cik }) => cik)
        assert.deepEqual(found, ['0001067983'])
      }
    }
  },
)
