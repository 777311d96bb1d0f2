/**
 * The list of Schedules 13D and 13G over thousands of filings: complete in each order, and deep pages as fast as the
 * first.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { search } from '../../../src/datasets/schedule13/routes.ts'
import { connect } from '../../../src/store/db.ts'
import { testContext } from '../../support/context.ts'
import { freshDatabase } from '../../support/database.ts'
import { byCursor, byOffset, type Listed, pageOf, type Query, readOf } from '../../support/list-walks.ts'

const { sql, target } = await freshDatabase({ after })
const list: Listed = {
  route: search,
  context: testContext(sql),
  idOf: ({ accession }) => String(accession),
}

/**
 * Twelve filings a day, so that the accession decides the order within a day. An issuer has a thousand filings, a filer
 * has a thousand too, and one filing in five reports a large share.
 */
const FILINGS = 6_000
const accession = `concat('9000000400-10-', lpad(n::text, 6, '0'))`
const day = `date '2004-01-01' + n / 12`
await sql.unsafe(`
  insert into schedule13.report (accession, filed_date, submission_type, source, schedule, is_amendment, cik, issuer_cik, rules, person_count, percent, is_malformed, repairs, left_out)
  select ${accession}, ${day}, 'SC 13G', 'text', '13G', false, lpad((n % 6)::text, 10, '0'), lpad((100 + n % 6)::text, 10, '0'), '{}', 1, case when n % 5 = 0 then 40 else 6 end, false, '{}', '{}'
  from generate_series(1, ${FILINGS}) n;
  insert into schedule13.filer (accession, cik, filed_date)
  select ${accession}, lpad((n % 6)::text, 10, '0'), ${day} from generate_series(1, ${FILINGS}) n;
  insert into schedule13.security (accession, position, cusip)
  select ${accession}, 0, '037833100' from generate_series(1, ${FILINGS}) n where n % 100 = 0;
  analyze schedule13.report, schedule13.filer, schedule13.security`)

const QUESTIONS: readonly Query[] = [{}, { cik: '3' }, { issuer_cik: '104' }, { min_percent: '40' }]

test('cursor pages give the same rows as offset pages', async () => {
  for (const query of [{ cusip: '037833100' }, { cik: '3', min_percent: '40', from: '2004-06-01', to: '2004-12-31' }]) {
    const rows = await byOffset(list, query)
    assert.ok(rows.length >= 10, JSON.stringify(query))
    assert.deepEqual(await byCursor(list, query, { limit: 7 }), rows, JSON.stringify(query))
  }
})

test('a deep page reads no more of tables and indexes than the second page, in each order', async (t) => {
  // A separate connection, whose statistics cover only its own work.
  const one = connect({ target, max: 1 })
  t.after(() => one.end())
  const own = { ...list, context: testContext(one) }
  for (const query of QUESTIONS) {
    const at = async (pages: number) => {
      let page = await pageOf(own, { ...query, paginate: 'cursor', limit: '5' })
      for (let i = 1; i < pages; i++) page = await pageOf(own, { ...query, cursor: page.next!, limit: '5' })
      return readOf(one, ['schedule13.report', 'schedule13.filer'], () =>
        pageOf(own, { ...query, cursor: page.next!, limit: '5' }),
      )
    }
    const [second, deep] = [await at(1), await at(60)]
    assert.ok(second <= 200, `${JSON.stringify(query)}: ${second} rows and entries of the second page`)
    assert.ok(deep <= second * 2 + 20, `${JSON.stringify(query)}: ${second} rows and entries, deep ${deep}`)
  }
})
