/** Answers about single filings name the filing's amendments, in the same way as lists and files do. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { z } from 'zod'
import { amendedOf } from '../../src/declare/amended.ts'
import type { Route } from '../../src/declare/route.ts'
import registry from '../../src/registry.ts'
import { testContext } from '../support/context.ts'
import { freshDatabase } from '../support/database.ts'
import { putRows } from '../support/list-walks.ts'

const { sql } = await freshDatabase({ after })
const context = testContext(sql)
const routeOf = (name: string): Route => registry.routes.find((route) => route.name === name)!
const answerOf = async (name: string, query: Record<string, string | boolean>) =>
  (await routeOf(name).run({ limit: 50, ...query }, context)) as Record<string, Record<string, unknown>>

/** Rows that name a filing but never its amendments, each with the reason. */
const WITHOUT: Readonly<Record<string, string>> = {
  'brokers brokers': 'the last filed report of the newest year',
  'broker broker': 'the same',
  'cfportal rows first_filing': 'a reference, of which nothing is shown',
  'cfportal rows latest_filing': 'the same',
  'cfportal_detail portal first_filing': 'the same; the filing is among those of the portal',
  'cfportal_detail portal latest_filing': 'the same',
  ncen_registrant: 'the last filed report of the newest period',
  'ncen_registrant funds': 'the report that counts',
  'adv_money_market_funds funds': 'the report that counts',
  'nmfp_funds rows': 'the report that counts',
  'funds rows': 'the report that counts',
  'fund_holdings rows': 'the filing is the value of report, which has its amendments',
  'fund_holdings closed': 'the filing is the value of before, which has its amendments',
  'thirteenf_managers rows': 'composed of all filings of the quarter',
  'insider companies': 'the last filing about the company',
}

/** Returns the objects in an answer's schema that have the accession of a filing, by their path. */
function filingsIn(type: z.ZodType, path: string): [string, z.ZodObject][] {
  if (type instanceof z.ZodArray) return filingsIn(type.element as z.ZodType, path)
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable) return filingsIn(type.unwrap() as z.ZodType, path)
  if (!(type instanceof z.ZodObject)) return []
  const own: [string, z.ZodObject][] = 'accession' in type.shape ? [[path, type]] : []
  return [...own, ...Object.entries(type.shape).flatMap(([name, of]) => filingsIn(of as z.ZodType, `${path} ${name}`))]
}

test('each row about a filing of a family with published amendments has `amended_by`, or a listed reason for its absence', () => {
  const missing = registry.slices
    .filter(({ slug, views }) => amendedOf(slug, views))
    .flatMap(({ routes }) => routes)
    .flatMap((route) => (route.output ? filingsIn(route.output, route.name) : []))
    .flatMap(([path, { shape }]) => ('amended_by' in shape ? [] : path))
  assert.deepEqual([...new Set(missing)].sort(), Object.keys(WITHOUT).sort())
})

const CIK = '0000000030'
/**
 * Families, each with its form, further columns of its reports, and the column whose value distinguishes the reports.
 */
const FAMILIES = [
  ['x17a5', 'X-17A-5', {}, 'period_end'],
  ['ncen', 'N-CEN', { source: 'xml' }, 'period'],
  ['nmfp', 'N-MFP3', { fund: `${CIK}-S000000030` }, 'period'],
  ['nport', 'NPORT-P', { fund: `${CIK}-S000000030`, series_id: 'S000000030' }, 'period'],
  ['thirteenf', '13F-HR', { amendment_type: 'restatement' }, 'period'],
] as const
const ACCESSIONS = ['r-1', 'r-2', 'r-3']

for (const [family, form, same, period] of FAMILIES) {
  test(`${family}: the answer about a filing names its amendments, and so do the rows of a list`, async () => {
    const filings = ACCESSIONS.map((one, n) => ({
      ...{ accession: `${family} ${one}`, filed_date: `2026-0${n + 1}-02`, cik: CIK, [period]: '2025-12-31', ...same },
      ...{ submission_type: n === 0 ? form : `${form}/A`, is_amendment: n > 0 },
      ...(n === 0 && family === 'thirteenf' ? { amendment_type: null } : {}),
    }))
    const listed = filings.map(({ accession, filed_date, submission_type }) => ({
      accession,
      filed_date,
      cik: CIK,
      form_type: submission_type,
      family,
    }))
    await putRows(sql, 'edgar.filing', listed)
    await putRows(sql, `${family}.report`, filings)
    if (['nport', 'thirteenf'].includes(family)) await putRows(sql, `${family}.quality`, filings)
    if (family === 'x17a5') {
      await putRows(sql, 'x17a5.broker', [{ ...filings[2]!, accession: 'x17a5 r-3' }])
      const sentences = filings.map((one) => ({ ...one, sentence: 'A weakness.', reading: 'disclosed' }))
      await putRows(sql, 'x17a5.weakness', sentences)
    }
    const expected: Record<string, string[]> = { 'r-1': ['r-3', 'r-2'], 'r-2': ['r-3'], 'r-3': [] }
    const named = (one: string) => expected[one.split(' ')[1]!]!.map((by) => `${family} ${by}`)
    const marks = (answer: unknown) =>
      (answer as { accession: string; amended_by: string[] }[]).map(({ accession, amended_by }) => [
        accession,
        amended_by,
      ])
    const right = (accessions: readonly string[]) => accessions.map((one) => [one, named(one)])
    const all = filings.map(({ accession }) => accession).reverse()
    if (family === 'x17a5') {
      const { filings: own, material_weakness_sentences: sentences } = await answerOf('broker', { cik: CIK })
      assert.deepEqual([marks(own), marks(sentences)], [right(all), right(all)])
      return
    }
    for (const accession of all) {
      const { filing, other_filings, chain } = await answerOf(`${family}_detail`, { accession })
      assert.deepEqual(marks([filing]), right([accession]))
      assert.deepEqual(marks(other_filings), right(all.filter((one) => one !== accession)))
      if (family === 'thirteenf') assert.deepEqual(marks(chain).reverse(), right(all))
    }
  })
}

test('service providers from an amended report on Form N-CEN name the amendment', async () => {
  const { amended_by } = await answerOf('ncen_providers', { accession: 'ncen r-1' })
  assert.deepEqual(amended_by, ['ncen r-3', 'ncen r-2'])
})

test('holdings of a fund as of a date before an amendment name the amendments of their report', async () => {
  const params = { series: 'S000000030', as_of: '2026-01-15' }
  const then = await answerOf('fund_holdings', params)
  assert.deepEqual(then.report?.amended_by, ['nport r-3', 'nport r-2'])
  await putRows(sql, 'nport.report', [
    {
      accession: 'nport r-4',
      filed_date: '2026-01-10',
      cik: CIK,
      fund: `${CIK}-S000000030`,
      series_id: 'S000000030',
      period: '2026-01-31',
      submission_type: 'NPORT-P',
      is_amendment: false,
    },
  ])
  const next = await answerOf('fund_holdings', { ...params, period: '2026-01-31', changes: true })
  assert.deepEqual([next.report?.amended_by, next.before?.amended_by], [[], ['nport r-3', 'nport r-2']])
})
