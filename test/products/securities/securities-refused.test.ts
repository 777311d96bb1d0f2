/** A security whose rows the database refuses stops neither the other securities nor the holdings of its holders. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Refused } from '../../../src/ingest/making.ts'
import { marked } from '../../../src/ingest/marks.ts'
import { refreshing } from '../../../src/ingest/refresh.ts'
import registry from '../../../src/registry.ts'
import type { Sql } from '../../../src/store/db.ts'
import { openSampledWorld } from '../../support/sampled.ts'
import { everyRow } from '../../support/world.ts'

const { slices } = registry

/**
 * In `summed`, a report whose refresh was divided has no list of filings, since it is unknown which of its lines the
 * sums include. So this rollup differs from the first refresh.
 */
const withoutSummed = async (sql: Sql) => ({ ...(await everyRow(sql)), 'securities.summed': null })

test('if one security is refused, all other securities and all holdings are made, in a full refresh and for single reports', async (t) => {
  const { sql } = await openSampledWorld(t)
  const before = await withoutSummed(sql)
  // Other slices would be made again after each refresh.
  const some = slices.filter(({ slug }) => slug === 'securities')
  const refreshMarks = async (keys: readonly (string | null)[]) => {
    const refused: Refused[] = []
    for (const key of keys) await sql`insert into core.mark ${sql({ slug: 'securities', key })}`
    await refreshing({ sql, slices: some, onRefused: (each) => refused.push(each) }, async () => {})
    return refused
  }
  const [several] = await sql<{ id: string; holder: string; quarter: string }[]>`
    select sec_id as id, min(holder_id) as holder, max(h.quarter)::text as quarter
    from securities.holding h join securities.held using (source, sec_id)
    where source = 'f13' and accession is not null
    group by sec_id having count(distinct holder_id) > 1
    order by count(distinct held.quarter), sec_id limit 1`
  const { id, holder, quarter } = several!
  const managers = await sql<{ key: string }[]>`
    select distinct 'f13 of ' || cik || ' ' || quarter as key from pub.thirteenf_counted`
  const funds = await sql<{ key: string }[]>`
    select distinct 'nport of ' || fund || ' ' || quarter as key from pub.nport_standing
    union select distinct 'nmfp of ' || fund || ' ' || quarter from pub.nmfp_standing`
  const every = [...managers, ...funds].map(({ key }) => key)
  const others = () =>
    sql`select * from securities.security where sec_id <> ${id} order by sec_id`.then((rows) => [...rows])
  const all = await others()
  for (const { table, keys, isFirst } of [
    { table: 'held', keys: [null], isFirst: false },
    { table: 'security', keys: [`f13 of ${holder} ${quarter}`], isFirst: false },
    { table: 'held', keys: every, isFirst: true },
  ]) {
    if (isFirst) for (const each of Object.values(some[0]!.rollups)) await sql`truncate ${sql(each.id)}`
    const constraint = `add constraint refused_by_test check (sec_id <> '${id}') not valid`
    await sql.unsafe(`alter table securities.${table} ${constraint}`)
    const refused = await refreshMarks(keys)
    assert.ok(refused.length > 0)
    for (const each of refused) assert.match(each.key!, new RegExp(`^(f13|nport|nmfp) security ${id} [\\d-]+$`))
    if (isFirst) assert.deepEqual(await others(), all)
    else assert.deepEqual(await withoutSummed(sql), before)
    await sql.unsafe(`alter table securities.${table} drop constraint refused_by_test`)
    await refreshing({ sql, slices: some }, async () => {})
    assert.deepEqual(
      (await marked(sql)).filter((state) => state.slug === 'securities'),
      [],
    )
    assert.deepEqual(await withoutSummed(sql), before)
  }
})
