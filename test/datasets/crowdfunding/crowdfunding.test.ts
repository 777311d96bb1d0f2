/** The detail of a Form C filing and its row of the feed, over rows as the loader stores them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as queries from '../../../src/datasets/crowdfunding/queries.ts'
import { detail } from '../../../src/datasets/crowdfunding/routes.ts'
import { testContext } from '../../support/context.ts'
import { loadOffers } from '../../support/crowdfunding-rows.ts'
import { freshDatabase } from '../../support/database.ts'

const { sql } = await freshDatabase({ after })

/** The number of the last filer. Each test takes a new filer, so no two tests share an accession. */
let filer = 0
function accessions(): (n: number) => string {
  const prefix = String(++filer).padStart(10, '0')
  return (n) => `${prefix}-24-00000${n}`
}

test('`other_filings` has the other filings of the issuer, newest first, each with its offering', async () => {
  const at = accessions()
  const cik = '0000000007'
  await loadOffers(sql, [
    { accession: at(1), filedDate: '2024-01-05', cik },
    { accession: at(2), filedDate: '2024-02-05', cik, form: 'C/A', fileNumber: '020-00007', maximum: '300000' },
    { accession: at(3), filedDate: '2024-02-05', cik, form: 'C-U', fileNumber: '020-00007', raised: '1200.5' },
    { accession: at(4), filedDate: '2024-03-05', cik: '0000000008' },
  ])
  const { submission } = (await queries.detail(sql, { accession: at(1) }))!
  assert.deepEqual(
    submission.other_filings.map(({ accession, submission_type, file_number, maximum_amount, raised }) => ({
      at: accession.slice(-1),
      submission_type,
      file_number,
      maximum_amount,
      raised,
    })),
    [
      { at: '3', submission_type: 'C-U', file_number: '020-00007', maximum_amount: '250000', raised: '1200.5' },
      { at: '2', submission_type: 'C/A', file_number: '020-00007', maximum_amount: '300000', raised: null },
    ],
  )
})

test('an accession is found with and without dashes; an unknown one is null', async () => {
  const at = accessions()
  await loadOffers(sql, [{ accession: at(1), filedDate: '2024-01-05' }])
  const ask = (accession: string) => detail.run(detail.input.parse({ accession }), testContext(sql))
  assert.deepEqual(await ask(at(1).replaceAll('-', '')), await ask(at(1)))
  assert.notEqual(await ask(at(1)), null)
  assert.equal(await ask(at(9)), null)
})

test('the amount in the feed is the maximum, else the target, else null; an unknown raised amount is never 0', async () => {
  const at = accessions()
  await loadOffers(sql, [
    { accession: at(1), filedDate: '2024-01-05', target: '10', maximum: '50' },
    { accession: at(2), filedDate: '2024-01-05', target: '10', maximum: null },
    { accession: at(3), filedDate: '2024-01-05', target: null, maximum: null, form: 'C-TR' },
    { accession: at(4), filedDate: '2024-01-05', target: '10', maximum: '50', form: 'C-U', raised: '42' },
  ])
  const rows = await sql`
    select amount, raised, website, industry from pub.crowdfunding_feed
    where accession like ${`${at(1).slice(0, 10)}%`} order by accession`
  const website = 'https://bakery.example'
  assert.deepEqual(
    [...rows],
    [
      { amount: '50', raised: null, website, industry: null },
      { amount: '10', raised: null, website, industry: null },
      { amount: null, raised: null, website, industry: null },
      { amount: '50', raised: '42', website, industry: null },
    ],
  )
})

test('loading a filing twice gives the same rows as loading it once', async () => {
  const at = accessions()
  const offer = { accession: at(1), filedDate: '2024-01-05', cik: '0000000009' }
  await loadOffers(sql, [offer])
  const once = await queries.detail(sql, { accession: at(1) })
  await loadOffers(sql, [offer])
  assert.deepEqual(await queries.detail(sql, { accession: at(1) }), once)
})
