/**
 * Regulation A beyond its fixtures: every real document of the corpus, and answers about the sample.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import rega from '../../../src/datasets/rega/index.ts'
import { parse } from '../../../src/datasets/rega/parse.ts'
import * as queries from '../../../src/datasets/rega/queries.ts'
import { search } from '../../../src/products/feed/queries.ts'
import { parse as parseXml } from '../../../src/read/xml.ts'
import { corpus } from '../../support/corpus.ts'
import { filingOf } from '../../support/filing-made.ts'
import { openIndexedWorld } from '../../support/sampled.ts'
import { openWorld } from '../../support/world.ts'

/** Returns rows of one document after two checks: they fit their tables, and nothing is unread. */
function readWhole(name: string, text: string) {
  const doc = parseXml(text)
  const rows = [...parse(filingOf(doc))]
  for (const [table, row] of rows) rega.tables[table]!.parsed.strict().parse(row)
  assert.deepEqual(doc.unread(), [], name)
  const [, submission] = rows.find(([table]) => table === 'submission')!
  return { submission: submission as Record<string, string | null>, problems: doc.problems() }
}

test('every 1-A, 1-K and 1-Z of the corpus is read completely; the one unreadable value is a sum that contradicts its sales', {
  skip: corpus.skip,
}, () => {
  const [, ...lines] = readFileSync(path.join(corpus.folder!, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n')
  const counts: Record<string, number> = {}
  const problems: string[] = []
  for (const [file, form, , accession] of lines.map((line) => line.split('\t'))) {
    if (!rega.source.forms.includes(form!)) continue
    const text = readFileSync(path.join(corpus.folder!, file!), 'utf8')
    const found = readWhole(accession!, /<XML>\s*([\s\S]*?)<\/XML>/.exec(text)![1]!)
    assert.equal(found.submission.submission_type, form)
    counts[form!] = (counts[form!] ?? 0) + 1
    problems.push(...found.problems.map(({ reason }) => `${accession} ${reason}`))
  }
  assert.deepEqual(counts, { '1-A': 17, '1-K': 15, '1-Z': 18 })
  assert.deepEqual(problems, ['0001493152-23-014090 contradicts 1783250 securities sold at 250'])
})

test("the SEC's own sample documents are read whole", { skip: corpus.skip }, () => {
  const folder = path.join(corpus.folder!, 'schemas/sec_specs/edgar-reg-tech-specs-111/EDGAR_Reg_A_XML_Samples')
  const read = readdirSync(folder).map((name) => readWhole(name, readFileSync(path.join(folder, name), 'utf8')))
  assert.deepEqual(
    read.map(({ submission }) => [submission.submission_type, submission.total_offered, submission.raised]).sort(),
    [
      ['1-A', '5000000', null],
      ['1-K', null, '72.68'],
      ['1-Z', null, '200'],
    ],
  )
})

test('the feed and the detail show the facts of the sample’s filings', async (t) => {
  const { sql, drain } = await openIndexedWorld(t)
  const result = await drain({ datasets: ['rega'] })
  assert.deepEqual([result.failed, result.unread], [0, 0])
  const page = { sources: ['rega'], sort: 'date', dir: 'desc', limit: 50, offset: 0 } as const
  const rows = new Map((await search(sql, page)).rows.map((row) => [row.accession, row]))

  await t.test(
    'an offering statement gives the amount offered and the industry, but no amount raised and no website',
    () => {
      const { amount, raised, industry, website, submission_type } = rows.get('0001213900-24-013448')!
      assert.deepEqual(
        [submission_type, amount, raised, industry, website],
        ['1-A', '20000000', null, 'Miscellaneous retail', null],
      )
    },
  )

  await t.test('a report gives the amount raised, never an amount offered', () => {
    const { amount, raised, industry } = rows.get('0001104659-23-098411')!
    assert.deepEqual([amount, raised, industry], [null, '1087040', null])
  })

  await t.test('an amendment restates the offering, and the detail names the statement that it amends', async () => {
    assert.equal(rows.get('9000000101-16-000002')!.amount, '16250000')
    const found = await queries.detail(sql, '9000000101-16-000002')
    assert.deepEqual(
      found!.other_filings.map(({ accession, total_offered }) => [accession, total_offered]),
      [['9000000101-16-000001', '11250000']],
    )
  })

  await t.test('a contradicted sum is unknown in the feed, and the filing states the reason', async () => {
    const accession = '0001493152-23-014090'
    assert.equal(rows.get(accession)!.raised, null)
    const [task] = await sql`select problems from edgar.task where accession = ${accession}`
    assert.match(JSON.stringify(task!.problems), /contradicts 1783250 securities sold/)
  })

  await t.test('co-issuers are listed after the primary issuer', async () => {
    const found = await queries.detail(sql, '0001493152-23-014090')
    assert.deepEqual(
      found!.issuer.co_issuers.map(({ cik, file_number }) => [cik, file_number]),
      [['0001879249', '24R-00592-01']],
    )
  })

  await t.test('filters by industry and state ignore case', async () => {
    const { rows } = await search(sql, { ...page, industry: ['real estate', 'BANKS AND SAVINGS INSTITUTIONS'] })
    assert.deepEqual(new Set(rows.map((row) => row.industry)), new Set(['Banks and savings institutions']))
    const washington = await search(sql, { ...page, state: ['WA'] })
    assert.deepEqual(
      washington.rows.map((row) => row.accession),
      ['0001213900-24-003870'],
    )
  })
})

test('an accession that is not a Regulation A filing is not found', async (t) => {
  const { sql } = await openWorld(t)
  assert.equal(await queries.detail(sql, '0000000000-00-000000'), null)
})
