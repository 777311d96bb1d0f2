/**
 * Every real Form N-PX of the corpus, and the SEC's own sample documents; some are compared with a person's reading.
 */
import assert from 'node:assert/strict'
import { createReadStream, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from '../../../src/datasets/npx/filing.ts'
import type { ParsedRow } from '../../../src/declare/dataset.ts'
import { parse as parseXml } from '../../../src/read/xml.ts'
import { corpus } from '../../support/corpus.ts'
import { headerWith } from '../../support/filing-made.ts'

const inCorpus = (file: string) => path.join(corpus.folder, file)

async function read(cover: string, form: string, table: string | null = null) {
  const doc = parseXml(cover)
  const [problems, unread]: [unknown[], string[]] = [[], []]
  const rows: ParsedRow[] = []
  const parts = {
    cover: doc,
    table: table === null ? null : (createReadStream(inCorpus(table)) as AsyncIterable<Uint8Array>),
  }
  const tell: Parameters<typeof parse>[0]['tell'] = (notes) => {
    problems.push(...(notes.problems ?? []))
    unread.push(...(notes.unread ?? []))
  }
  const header = headerWith({ form, filedDate: '2026-01-30' })
  for await (const row of parse({ documents: parts, header, tell })) rows.push(row)
  tell({ problems: doc.problems(), unread: doc.unread() })
  const of = (name: string) => rows.filter(([one]) => one === name).map(([, row]) => row as Record<string, unknown>)
  return { of, problems, unread }
}

const filings = () => {
  const [, ...lines] = readFileSync(inCorpus('MANIFEST.tsv'), 'utf8').trimEnd().split('\n')
  return lines
    .map((line) => line.split('\t'))
    .flatMap(([file, form, , accession]) =>
      /^N-PX/.test(form!) ? [{ file: file!, form: form!, accession: accession! }] : [],
    )
}
const readFiling = ({ file, form }: { file: string; form: string }) =>
  read(/<XML>\s*([\s\S]*?)<\/XML>/.exec(readFileSync(inCorpus(file), 'utf8'))![1]!, form)

/** Values that a person read in the documents. */
const TRUTH: Record<string, Record<string, unknown>> = {
  '0000905148-26-000130': {
    person_name: 'Qalhat Capital Ltd',
    is_year: false,
    report_year: 2025,
    period: '2025-09-30',
    report_type: 'INSTITUTIONAL MANAGER NOTICE REPORT',
    notice_explanation: 'REPORTING PERSON DID NOT EXERCISE VOTING',
    file_number: '028-22013',
    lei: '5493000CWZSIHDIFED78',
    state: 'Y9',
    signed_name: 'Matthew Carter',
    signed: '2026-01-12',
    vote_count: null,
  },
  '0001398344-26-000742': {
    person_name: 'Texas Capital Bank Wealth Management Services Inc',
    is_year: true,
    report_type: 'INSTITUTIONAL MANAGER VOTING REPORT',
    crd: '298422',
    sec_file_number: '801-114364',
    included_managers: 0,
    signed_title: 'Risk and Compliance Group Manager',
  },
}

test('all corpus filings of Form N-PX are read completely, and no value is left out', {
  skip: corpus.skip,
}, async () => {
  const found = filings()
  assert.equal(found.length, 15)
  for (const filing of found) {
    const { of, problems, unread } = await readFiling(filing)
    assert.deepEqual([problems, unread], [[], []], filing.file)
    const truth = TRUTH[filing.accession] ?? {}
    const [report] = of('report')
    for (const [column, value] of Object.entries(truth))
      assert.equal(report![column], value, `${filing.file} ${column}`)
  }
  const amended = await readFiling(found.find(({ form }) => form === 'N-PX/A')!)
  assert.deepEqual(
    ['amendment_number', 'amendment_type', 'confidential_denied'].map((column) => amended.of('report')[0]![column]),
    [1, 'RESTATEMENT', false],
  )
})

test("the SEC's sample covers and tables of votes are read whole", { skip: corpus.skip }, async () => {
  const root = 'schemas/npx_sec_samples'
  const samples = globSync(`${root}/*/*.xml`, { cwd: corpus.folder }).sort()
  const tables = samples.filter((file) => /votes|VoteTable/.test(file))
  assert.deepEqual([samples.length, tables.length], [5, 2])
  const [cover] = samples.filter((file) => /KIM_LLC_sample\.xml/.test(file))
  for (const file of samples.filter((file) => !tables.includes(file))) {
    const document = readFileSync(inCorpus(file), 'utf8')
    const { problems, unread } = await read(document, /<submissionType>(.*?)</.exec(document)![1]!)
    assert.deepEqual([problems, unread], [[], []], file)
  }
  const kim = await read(readFileSync(inCorpus(cover!), 'utf8'), 'N-PX', tables.find((file) => /KIM/.test(file))!)
  assert.deepEqual([kim.problems, kim.unread, kim.of('report')[0]!.vote_count], [[], [], 7])
  const [first, second] = kim.of('vote')
  // A name may continue on a second line.
  assert.equal(first!.issuer_name, 'BIGCOMMERCE HOLDINGS, INC.')
  assert.deepEqual(
    [second!.cusip, second!.meeting_date, second!.shares_voted, second!.votes, second!.managers],
    ['928298108', '2024-05-21', '3159384', [{ how: 'FOR', shares: '3159384', management: 'FOR' }], ['1']],
  )
  assert.equal(kim.of('manager')[0]!.name, 'Koch Industries, LLC')
})
