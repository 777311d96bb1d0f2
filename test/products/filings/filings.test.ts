/** /filings: conditions, orders and pages over a spine made by hand, and against a naive search of a generated one. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HttpError } from '../../../src/declare/api-errors.ts'
import type { Route } from '../../../src/declare/route.ts'
import { columnType } from '../../../src/declare/table.ts'
import { coverage, families, search } from '../../../src/products/filings/routes.ts'
import registry from '../../../src/registry.ts'
import { testContext } from '../../support/context.ts'
import { freshDatabase } from '../../support/database.ts'
import { loadNotices } from '../../support/formd-rows.ts'
import { loadFilings } from '../../support/spine-rows.ts'

interface Row {
  accession: string
  cik: string
  company_name: string
  form_type: string
  filed_date: string
  family: string | null
  fam_rows?: Record<string, unknown>[]
}

const { sql } = await freshDatabase({ after })
const at = (n: number) => `0000000001-24-${String(n).padStart(6, '0')}`

await loadFilings(sql, [
  {
    accession: at(1),
    form: '10-K',
    filed: '2024-03-01',
    filers: [['1', 'Zeta 100% Corp']],
    period: '2023-12-31',
    text: true,
  },
  { accession: at(2), form: '8-K', filed: '2024-03-05', filers: [['1', 'Zeta 100% Corp']], items: ['2.02', '9.01'] },
  {
    accession: at(3),
    form: '4',
    filed: '2024-03-05',
    filers: [
      ['1', 'Zeta 100% Corp'],
      ['7', 'Ångström Åsa'],
    ],
  },
  { accession: at(4), form: 'D', filed: '2024-03-04', filers: [['3', 'Beta Fund LP']] },
  { accession: at(5), form: 'D/A', filed: '2024-03-06', filers: [['3', 'Beta Fund LP']] },
  {
    accession: at(6),
    form: 'X-NEW',
    filed: '2024-03-02',
    filers: [
      ['9', 'Alpha_Corp'],
      ['1', 'Zeta Holdings Corp'],
    ],
  },
])
await loadNotices(sql, [
  { accession: at(4), filedDate: '2024-03-04', name: 'Beta Fund LP', industry: 'Oil and Gas', offered: '500' },
  { accession: at(5), filedDate: '2024-03-06', name: 'Beta Fund LP', industry: 'Other', offered: null, amends: at(4) },
])

const run = <T>(route: Route, input: Record<string, string> = {}) =>
  route.run(route.input.parse(input), testContext(sql, { catalog: registry })) as Promise<T>

async function ask(input: Record<string, string>): Promise<Row[]> {
  const answer = await run<{ rows: Row[] }>(search, input)
  assert.deepEqual(search.output!.safeParse(answer).error?.issues ?? [], [])
  return answer.rows
}

/** Last digits of the accessions, in order. */
const order = async (input: Record<string, string>) => (await ask(input)).map((row) => row.accession.slice(-1)).join('')
const tree = (node: unknown) => ({ filters: JSON.stringify(node) })
const leaf = (field: string, op: string, value: unknown) => ({ field, op, value })

async function refused(input: Record<string, string>, message: RegExp): Promise<void> {
  await assert.rejects(
    () => run(search, input),
    (error: unknown) => error instanceof HttpError && error.status === 400 && message.test(error.message),
  )
}

test('filings come newest first, and equal dates are sorted by accession; asc is the exact reverse', async () => {
  assert.equal(await order({}), '532461')
  assert.equal(await order({ dir: 'asc' }), '164235')
})

test('pages follow each other without gap or repetition', async () => {
  const pages = []
  for (let offset = 0; offset < 6; offset += 2) pages.push(await order({ limit: '2', offset: String(offset) }))
  assert.deepEqual(pages, ['53', '24', '61'])
  assert.equal(await order({ offset: '100000' }), '')
})

test('parameters outside of the contract are refused, and `limit` and `offset` are echoed', async () => {
  for (const input of [
    { limit: '51' },
    { limit: '0' },
    { offset: '100001' },
    { offset: '-1' },
    { sort: 'size' },
    { cik: 'x' },
    { from: '2024-02-30' },
    { to: '0000-01-01' },
  ]) {
    assert.equal(search.input.safeParse(input).success, false, JSON.stringify(input))
  }
  const { limit, offset } = await run<{ limit: number; offset: number }>(search, { limit: '50', offset: '3' })
  assert.deepEqual({ limit, offset }, { limit: 50, offset: 3 })
  assert.equal((await run<{ limit: number }>(search)).limit, 50)
})

test('a filing of several filers is listed once and shows the requested filer, else the first filer', async () => {
  const third = async (input: Record<string, string>) => {
    const [row] = (await ask(input)).filter(({ accession }) => accession === at(3))
    return row && `${row.cik} ${row.company_name}`
  }
  assert.equal(await third({}), '0000000001 Zeta 100% Corp')
  assert.equal(await third({ cik: '7' }), '0000000007 Ångström Åsa')
  assert.equal(await third({ q: 'angstrom' }), '0000000007 Ångström Åsa')
  assert.equal(await third({ q: 'r' }), '0000000001 Zeta 100% Corp')
  assert.equal(await third({ cik: '1', q: 'angstrom' }), '0000000001 Zeta 100% Corp')
})

test('`cik` finds every filing that names the filer, each under the name that the filing states', async () => {
  const rows = await ask({ cik: '0000000001' })
  assert.deepEqual(
    rows.map((row) => [row.accession.slice(-1), row.cik, row.company_name]),
    [
      ['3', '0000000001', 'Zeta 100% Corp'],
      ['2', '0000000001', 'Zeta 100% Corp'],
      ['6', '0000000001', 'Zeta Holdings Corp'],
      ['1', '0000000001', 'Zeta 100% Corp'],
    ],
  )
  assert.equal(await order({ cik: '2' }), '')
})

test('q finds any part of a name, even a single letter, ignoring case and accents; signs are matched literally', async () => {
  assert.equal(await order({ q: 'ETA' }), '53246' + '1')
  assert.equal(await order({ q: 'Å' }), '532461')
  assert.equal(await order({ q: 'und l' }), '54')
  assert.equal(await order({ q: '100%' }), '321')
  assert.equal(await order({ q: '_' }), '6')
  assert.equal(await order({ q: 'a_c' }), '6')
  assert.equal(await order({ q: 'zz' }), '')
  await refused({ q: '\u0301' }, /^q: /)
})

test('family, form, item and dates narrow the list, each alone and together', async () => {
  assert.equal(await order({ family: 'formd' }), '54')
  assert.equal(await order({ form: 'D' }), '4')
  assert.equal(await order({ family: 'formd', form: 'D/A' }), '5')
  await refused({ family: 'formd', form: '8-K' }, /^form: 8-K is a form of the family eightk, not of formd/)
  assert.equal(await order({ item: '2.02' }), '2')
  assert.equal(await order({ item: '2.02', q: 'zeta', from: '2024-03-05' }), '2')
  assert.equal(await order({ item: '2.02', to: '2024-03-04' }), '')
  assert.equal(await order({ from: '2024-03-04', to: '2024-03-05' }), '324')
  assert.equal(await order({ cik: '1', form: '4', from: '2024-03-05' }), '3')
  assert.equal(await order({ q: 'beta', form: 'D' }), '4')
})

test('names are sorted by the first filer, or by the requested filer', async () => {
  assert.equal(await order({ sort: 'name' }), '645123')
  assert.equal(await order({ sort: 'name', dir: 'desc' }), '321546')
  assert.equal(await order({ sort: 'name', q: 'zeta' }), '3216', 'filings of one name come newest first')
  assert.equal(await order({ sort: 'name', cik: '1' }), '1236')
  assert.equal(await order({ sort: 'name', form: 'D' }), '4')
})

test('an unknown family and an unknown facet are 400 with the reason', async () => {
  await refused({ form: 'd' }, /^form: "d" is not a known form type; did you mean D\?/)
  await refused({ family: 'nope' }, /^family: "nope" is not a known family/)
  await refused(
    tree(leaf('industry', 'eq', 'x')),
    /^filters\.field: "industry" is a facet of formd, rega: give family=formd/,
  )
  await refused({ family: 'eightk', ...tree(leaf('industry', 'eq', 'x')) }, /industry/)
  await refused({ filters: '{' }, /^filters: not JSON/)
})

test('a filter tree can test every universal field', async () => {
  const cases: [unknown, string][] = [
    [leaf('accession', 'in', [at(1), '000000000124000004']), '41'],
    [leaf('cik', 'eq', 7), '3'],
    [leaf('cik', 'in', ['7', '9', '1']), '3261'],
    [leaf('cik', 'ne', '1'), '54'],
    [leaf('company_name', 'contains', 'HOLDINGS'), '6'],
    [leaf('company_name', 'starts_with', 'zeta'), '3261'],
    [leaf('company_name', 'eq', 'beta fund lp'), '54'],
    [leaf('company_name', 'named', 'Fund, the Beta'), '54'],
    [{ not: leaf('company_name', 'contains', 'zeta') }, '54'],
    [leaf('form_type', 'starts_with', 'd'), '54'],
    [leaf('form_type', 'in', ['10-K', '4', '10-KT']), '31'],
    [leaf('form_type', 'not_in', ['D', 'D/A', '4']), '261'],
    [leaf('filed_date', 'between', ['2024-03-02', '2024-03-04']), '46'],
    [leaf('period_of_report', 'eq', '2023-12-31'), '1'],
    [leaf('period_of_report', 'is_null', true), '53246'],
    [leaf('accepted_at', 'gt', '2024-01-01T00:00:00Z'), ''],
    [leaf('has_text', 'eq', true), '1'],
    [leaf('has_text', 'ne', true), '53246'],
    [leaf('family', 'is_null', true), '6'],
    [leaf('family', 'in', ['tenx', 'eightk']), '21'],
    [leaf('item', 'eq', '9.01'), '2'],
    [leaf('item', 'is_null', true), '53461'],
    [
      {
        or: [
          leaf('item', 'eq', '2.02'),
          { and: [leaf('family', 'eq', 'formd'), leaf('filed_date', 'gt', '2024-03-04')] },
        ],
      },
      '52',
    ],
  ]
  for (const [node, found] of cases) assert.equal(await order(tree(node)), found, JSON.stringify(node))
  const fields = new Set(JSON.stringify(cases).match(/(?<="field":")\w+/g))
  const { universal } = await run<{ universal: { fields: { name: string }[] } }>(families)
  assert.deepEqual([...fields].sort(), universal.fields.map(({ name }) => name).sort())
})

test('with a family the rows have the columns of its feed, and its facets can be requested', async () => {
  const rows = await ask({ family: 'formd' })
  assert.deepEqual(
    rows.map((row) => row.fam_rows?.[0]?.total_offered),
    [null, '500'],
  )
  const { feed_spec } = await entry('formd')
  assert.deepEqual(
    Object.keys(rows[0]!.fam_rows![0]!),
    feed_spec!.columns.map(({ name }) => name),
  )
  const facet = (node: unknown, more = {}) => order({ family: 'formd', ...tree(node), ...more })
  assert.equal(await facet(leaf('industry', 'eq', 'Oil and Gas')), '4')
  assert.equal(await facet(leaf('total_offered', 'is_null', true)), '5')
  assert.equal(await facet({ or: [leaf('total_offered', 'gt', 499.5), leaf('form_type', 'eq', 'D/A')] }), '54')
  assert.equal(await facet(leaf('industry', 'eq', 'Oil and Gas'), { q: 'beta' }), '4')
  assert.equal(await facet(leaf('industry', 'eq', 'Oil and Gas'), { cik: '3', sort: 'name' }), '4')
  assert.equal('fam_rows' in (await ask({}))[0]!, false)
  assert.equal('fam_rows' in (await ask({ family: 'tenx' }))[0]!, false)
})

test('every operator of every universal field and of every facet in the registry runs', async () => {
  const sample: Record<string, unknown> = { text: '2', number: 2, date: '2024-01-01', boolean: true, list: '06b' }
  const { families: all, universal } = await run<{ families: Entry[]; universal: { fields: Facet[] } }>(families)
  const requests = [
    ...universal.fields.map((facet) => ({ facet, more: {} })),
    ...all.flatMap(({ slug, feed_spec }) =>
      (feed_spec?.facets ?? []).map((facet) => ({ facet, more: { family: slug } })),
    ),
  ]
  assert.ok(requests.length > 14)
  for (const { facet, more } of requests) {
    const column =
      'family' in more ? registry.family(more.family as string)!.feed!.table.columns[facet.name] : undefined
    const [known] = (column && columnType(column)?.values) ?? []
    const own = { accession: at(1), accepted_at: '2024-01-01T00:00:00Z', form_type: 'D', family: 'formd', item: '06b' }
    const value = known ?? (own as Record<string, string>)[facet.name] ?? sample[facet.type]
    for (const op of facet.operators) {
      const given = op === 'is_null' ? true : /^(in|not_in|between|overlaps)$/.test(op) ? [value, value] : value
      const node = leaf(facet.name, op, given)
      await order({ ...more, ...tree(node) })
      await order({ ...more, sort: 'name', q: 'a', ...tree({ not: { or: [node, leaf('has_text', 'eq', true)] } }) })
    }
  }
})

test('a filing not yet extracted has an empty `fam_rows`', async () => {
  await loadFilings(sql, [{ accession: at(8), form: 'D', filed: '2020-01-01', filers: [['8', 'Late LLC']] }])
  const rows = await ask({ cik: '8', family: 'formd' })
  assert.deepEqual(
    rows.map((row) => row.fam_rows),
    [[]],
  )
  // Nothing is known about its facets, so a condition on a facet does not find it, as the description says.
  for (const node of [leaf('state', 'ne', 'NY'), { not: leaf('state', 'eq', 'NY') }, leaf('state', 'is_null', true)]) {
    assert.deepEqual(await ask({ cik: '8', family: 'formd', ...tree(node) }), [])
  }
})

interface Facet {
  name: string
  type: string
  operators: string[]
}

interface Entry {
  slug: string
  status: string
  form_types: string[]
  bespoke_route: string | null
  feed_spec: {
    table: string
    columns: { name: string }[]
    facets: Facet[]
  } | null
}

async function entry(slug: string): Promise<Entry> {
  const answer = await run<{ families: Entry[] }>(families)
  assert.deepEqual(families.output!.safeParse(answer).error?.issues ?? [], [])
  return answer.families.find((family) => family.slug === slug)!
}

test('the registry lists forms, status, the richer route, columns, facets and their operators', async () => {
  const formd = await entry('formd')
  assert.deepEqual([formd.status, formd.form_types], ['live', ['D', 'D/A']])
  assert.equal(formd.bespoke_route, '/v1/formd/filings/by-accession/{accession}')
  const offered = formd.feed_spec!.facets.find(({ name }) => name === 'total_offered')!
  assert.deepEqual([offered.type, offered.operators.includes('between')], ['number', true])
  const nsar = await entry('nsar')
  assert.deepEqual([nsar.status, nsar.feed_spec, nsar.bespoke_route], ['empty', null, null])
})

test('coverage counts each family, all forms without a family in the row `ledger`, and the filings of loaded sets separately', async () => {
  await sql`update edgar.coverage set extracted = 2 where form_type = 'D'`
  const set = { dataset: 'nport', from_day: '2024-01-01', to_day: '2024-03-31', source_url: 'x' }
  await sql`
    insert into bulk.filing_set ${sql([
      { ...set, name: '2024q1_nport.zip', state: 'done', filings: 7 },
      { ...set, name: '2023q4_nport.zip', state: 'done', filings: 5 },
      { ...set, name: '2023q3_nport.zip', state: 'begun', filings: 3 },
    ])}`
  const answer = await run<{
    families: {
      slug: string
      filings: number
      extracted: number
      in_sets: number
      pct: number
      newest_filed_date: string | null
      tier: string
    }[]
  }>(coverage)
  assert.deepEqual(
    answer.families
      .filter(({ in_sets }) => in_sets > 0)
      .map(({ slug, extracted, in_sets }) => [slug, extracted, in_sets]),
    [['nport', 0, 12]],
  )
  assert.deepEqual(coverage.output!.safeParse(answer).error?.issues ?? [], [])
  const of = (slug: string) => answer.families.find((family) => family.slug === slug)
  const numbers = (slug: string) => [of(slug)?.filings, of(slug)?.extracted, of(slug)?.pct, of(slug)?.tier]
  assert.deepEqual(numbers('formd'), [3, 2, 66.66, 'structured'])
  const [{ newest } = assert.fail('no Form D')] = await sql<{ newest: string }[]>`
    select max(filed_date) as newest from edgar.filing where family = 'formd'`
  assert.equal(of('formd')?.newest_filed_date, newest)
  assert.equal(of('nport')?.newest_filed_date, null)
  assert.deepEqual(numbers('eightk'), [1, 0, 0, 'structured'])
  assert.deepEqual(numbers('nsar'), [0, 0, 0, 'listed'])
  assert.deepEqual(numbers('ledger'), [1, 0, 0, 'ledger'])
})
