/** Rules for the declarations of columns, checked for all declared columns. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relationsOf } from '../../src/declare/dataset.ts'
import {
  bigint,
  columnType,
  decimal,
  ENTITIES,
  integer,
  labelOf,
  meaningOf,
  rollup,
  storedColumns,
  text,
  UNITS,
} from '../../src/declare/table.ts'
import registry from '../../src/registry.ts'
import { freshDatabase } from '../support/database.ts'

const relations = registry.slices.flatMap(relationsOf)
const columns = relations.flatMap((relation) =>
  Object.entries(storedColumns(relation)).map(([name, type]) => ({
    id: `${relation.id}.${name}`,
    name,
    meaning: meaningOf(type)!,
    ...columnType(type)!,
  })),
)
const idsOf = (some: typeof columns) => some.map(({ id }) => id)

test('every decimal column says its unit', () => {
  const decimals = columns.filter(({ postgres }) => postgres === 'numeric')
  assert.ok(decimals.length > 80)
  assert.deepEqual(idsOf(decimals.filter(({ unit }) => unit === undefined)), [])
})

test('a number whose description mentions dollars, shares or per cent has that unit', () => {
  const spoken = {
    USD: /US dollars|amount|\bvalue\b/i,
    shares: /^(Shares|.*number of securities)/i,
    percent: /per cent/i,
  }
  const wrong = Object.entries(spoken).flatMap(([kind, pattern]) =>
    columns.filter(
      ({ id, kind: of, meaning, unit = '' }) =>
        of === 'number' && pattern.test(meaning) && !unit.startsWith(kind) && !OTHERWISE.has(id),
    ),
  )
  assert.deepEqual(idsOf(wrong), [])
})

/**
 * Numbers that are not amounts in dollars although their description names amounts. They are counts of lines, a scale,
 * and values whose currency or unit is in the next column.
 */
const OTHERWISE = new Set([
  'thirteenf.report.scale',
  'thirteenf.quality.scale_compared',
  'nport.quality.values_missing',
  'nport.leg.amount',
  'nport.reference.value',
  'nport.repurchase_collateral.value',
  'proxies.pay.measure',
  'securities.price.written_off',
])

/** Endings of column names, with the kind of thing that such a column names. */
const NAMED: Record<string, keyof typeof ENTITIES> = {
  accession: 'accession',
  cik: 'cik',
  crd: 'crd',
  org_pk: 'crd',
  from_pk: 'crd',
  indvl_pk: 'person',
  cusip: 'cusip',
  sec_id: 'cusip',
  company_id: 'cusip',
  figi: 'figi',
  lei: 'lei',
  fund_id: 'private_fund',
  filing_id: 'adv_filing',
  file_number: 'file_number',
  file_numbers: 'file_number',
  sec_number: 'file_number',
}

/** Wider kinds that a column may declare instead of the kind that its name says: a firm need not be an adviser. */
const WIDER: Partial<Record<string, keyof typeof ENTITIES>> = { firm: 'crd', individual: 'person' }

test('every column whose name ends with a kind of thing declares that kind, and no other column does', () => {
  const expected = (name: string) =>
    // `accession_before` is the accession of the quarter before.
    Object.entries(NAMED).find(([ending]) => `_${name.replace(/_before$/, '')}`.endsWith(`_${ending}`))?.[1]
  const wrong = columns.filter(
    ({ name, kind, entity }) => kind !== 'boolean' && expected(name) !== (WIDER[String(entity)] ?? entity),
  )
  assert.deepEqual(idsOf(wrong), [])
})

test('every declared unit and kind of thing is used by some column', () => {
  assert.deepEqual(
    Object.keys(UNITS).filter((unit) => !columns.some((column) => column.unit === unit)),
    [],
  )
  assert.deepEqual(
    Object.keys(ENTITIES).filter((entity) => !columns.some((column) => column.entity === entity)),
    [],
  )
})

test('the link for each kind of thing leads to a route of the service, and the route has the parameter that the link uses', () => {
  for (const { link } of Object.values(ENTITIES)) {
    if (link === null) continue
    const [path, query] = (link as string).split('?')
    const route = registry.routes.find((one) => one.path === path)
    assert.ok(route, link)
    if (query) assert.ok(query.split('=')[0]! in route.input.shape, link)
  }
})

test('a table without a description of its rows, and a decimal without a unit, are refused', () => {
  assert.throws(() => rollup('scratch.place', ' ', ['name'], { name: text('Name') }), /does not say what a row is/)
  // @ts-expect-error a decimal needs its unit
  assert.equal(columnType(decimal('Weight', {}))?.unit, undefined)
})

test('display names are derived from column names, unless a column has its own', () => {
  const of = (name: string, type = text('Meaning')) => labelOf(name, type)
  assert.deepEqual(
    ['cik', 'street1', 'sec_file_number', 'legal_name', 'pct_owned_funds', 'over_100_issuers', 'org_pk'].map((name) =>
      of(name),
    ),
    [
      ...[
        'CIK',
        'Street 1',
        'SEC file number',
        'Legal name',
        'Per cent owned funds',
        'Over 100 issuers',
        'Firm number',
      ],
    ],
  )
  assert.equal(of('comp_pct_aum'), 'Compensation: per cent assets under management')
  assert.equal(of('non_discretionary_aum'), 'Non-discretionary assets under management')
  assert.equal(of('has_co_issuers'), 'Has co-issuers')
  assert.equal(of('d'), 'Day')
  assert.equal(of('exclusion_3c1'), 'Exclusion 3(c)(1)')
  assert.equal(of('is_40_act', text('Meaning', { label: 'Own' })), 'Own')
  assert.equal(of('indvl_pk', text('Meaning', { label: 'CRD number' })), 'CRD number')
  // A nullable text is a column as well, of another type.
  assert.equal(of('indvl_pk', text('Meaning', { label: 'CRD number' }).nullable() as never), 'CRD number')
})

test('a column keeps its unit if its description is replaced and null is allowed', () => {
  assert.equal(columnType(integer('Days', { unit: 'days' }).describe('Days in force').nullable())?.unit, 'days')
  assert.equal(columnType(bigint('Key'))?.unit, undefined)
})

test('database comments state tables, units and kinds of things', async (t) => {
  const { sql } = await freshDatabase(t)
  const bare = await sql`
    select k.oid::regclass::text as name from pg_class k
    where k.relkind in ('r', 'p') and not k.relispartition and k.relnamespace::regnamespace::text = any(${registry.slices.map(({ slug }) => slug)})
      and obj_description(k.oid, 'pg_class') is null`
  assert.deepEqual([...bare], [])
  const [described] = await sql`
    select obj_description('formd.issuer'::regclass, 'pg_class') as rows,
      (select col_description(attrelid, attnum) from pg_attribute
        where attrelid = 'formd.offering'::regclass and attname = 'sales_commissions') as money,
      (select col_description(attrelid, attnum) from pg_attribute
        where attrelid = 'formd.recipient'::regclass and attname = 'crd') as firm`
  assert.deepEqual(described, {
    rows: 'One row per issuer of a notice, the primary issuer first',
    money: 'Item 15: sales commissions, US dollars [USD]',
    firm: 'Item 12: CRD number of the recipient [firm]',
  })
})
