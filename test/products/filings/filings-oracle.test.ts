/**
 * /filings against a naive search: 20,000 generated filings, hundreds of random questions, each answered once by SQL
 * and once by a test of every filing. The choice of the index must never change the answer.
 *
 * @server it compares the order of texts with our own
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { generateSpine } from '../../../bench/spine.ts'
import { fewNames } from '../../../src/products/filings/queries-names.ts'
import { type FilingRow, type Search, search } from '../../../src/products/filings/queries-search.ts'
import type { Condition, Leaf } from '../../../src/serve/filters.ts'
import { freshDatabase } from '../../support/database.ts'
import { isMet } from '../../support/names/oracle.ts'

interface Filing extends FilingRow {
  name_key: string
  filers: { cik: string; name: string; name_key: string }[]
  items: string[]
  /** One CIK for each filer of the filing. */
  ciks: string[]
  names: string[]
}

const { sql } = await freshDatabase({ after })
await generateSpine(sql, 20_000, 7)
const filings = await sql<Filing[]>`
  select f.accession, f.cik, f.company_name, f.form_type, f.filed_date, f.period_of_report, f.accepted_at, f.has_text,
    f.family, f.name_key, array(select item from edgar.filing_item i where i.accession = f.accession) as items,
    (
      select jsonb_agg(jsonb_build_object('cik', r.cik, 'name', n.name, 'name_key', n.name_key) order by r.cik <> f.cik, r.cik)
      from edgar.filer r join edgar.filer_name n using (name_id) where r.accession = f.accession
    ) as filers
  from edgar.filing f`
for (const filing of filings) Object.assign(filing, ofFilers(filing.filers))

function ofFilers(filers: Filing['filers']): Pick<Filing, 'filers' | 'ciks' | 'names'> {
  return { filers, ciks: filers.map(({ cik }) => cik), names: filers.map((filer) => filer.name_key) }
}

/** The values that a leaf compares, in the order in which a row shows them. */
const values: Record<string, (filing: Filing) => (string | boolean | null)[]> = {
  family: (f) => [f.family],
  form_type: (f) => [f.form_type],
  filed_date: (f) => [f.filed_date],
  period_of_report: (f) => [f.period_of_report],
  has_text: (f) => [f.has_text],
  cik: (f) => f.ciks,
  company_name: (f) => f.names,
  item: (f) => f.items,
}

const tests: Record<string, (value: string, wanted: readonly string[]) => boolean> = {
  eq: (value, [wanted]) => value === wanted,
  in: (value, wanted) => wanted.includes(value),
  gte: (value, [wanted]) => value >= wanted!,
  lte: (value, [wanted]) => value <= wanted!,
  contains: (value, [wanted]) => value.includes(wanted!),
  starts_with: (value, [wanted]) => value.startsWith(wanted!),
  named: (value, [wanted]) => isMet(wanted!, value),
}

function holds(condition: Condition, filing: Filing): boolean {
  if ('and' in condition) return condition.and.every((part) => holds(part, filing))
  if ('or' in condition) return condition.or.some((part) => holds(part, filing))
  if ('not' in condition) return !holds(condition.not, filing)
  const own = values[condition.field]!(filing)
  const { op, values: wanted } = condition
  if (op === 'is_null') return own.every((value) => value === null) === wanted[0]
  const texts = typeof wanted[0] === 'string' ? (wanted as string[]) : wanted.map(String)
  return own.some((value) => value !== null && tests[op]!(String(value), texts))
}

/** The filer that a row shows. */
function shown(filing: Filing, conditions: readonly Condition[]): Filing['filers'][number] {
  const by = (field: string) => conditions.find((c) => 'field' in c && c.field === field)
  const condition = by('cik') ?? by('company_name')
  return (
    filing.filers.find((filer) => condition && holds(condition, { ...filing, ...ofFilers([filer]) })) ??
    filing.filers[0]!
  )
}

function naive({ conditions, sort, dir, limit, offset }: Search): string[] {
  const found = filings.filter((filing) => conditions.every((condition) => holds(condition, filing)))
  const asks = (field: string, ops: readonly string[]) =>
    conditions.some((c) => 'field' in c && c.field === field && ops.includes(c.op))
  const ofFiler = asks('cik', ['eq'])
  const ofName = !ofFiler && asks('company_name', ['named', 'contains', 'starts_with', 'eq', 'in'])
  const byFiler = ofFiler || ofName
  const rows = found.map((filing) => {
    const name = () => (byFiler ? shown(filing, conditions).name_key : filing.name_key)
    return { filing, key: sort === 'date' ? filing.filed_date : name() }
  })
  const sign = dir === 'asc' ? 1 : -1
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  const newest = (a: Filing, b: Filing) => compare(b.filed_date, a.filed_date) || compare(b.accession, a.accession)
  rows.sort(
    (a, b) =>
      sign * compare(a.key, b.key) ||
      (sort === 'name' && ofName ? newest(a.filing, b.filing) : sign * compare(a.filing.accession, b.filing.accession)),
  )
  return rows.slice(offset, offset + limit).map(({ filing }) => {
    const { cik, name } = shown(filing, conditions)
    return `${filing.accession} ${cik} ${name}`
  })
}

// Random questions, the same in each run.

let state = 20_261_121
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 2 ** 32
}
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
const one = () => pick(filings)
const filer = () => pick(one().filers)
const some = (make: () => string) => Array.from({ length: 1 + Math.floor(random() * 4) }, make)
const part = (text: string, length: number) =>
  text.slice(Math.floor(random() * (text.length - length))).slice(0, length)

/**
 * Returns a text that a person might type for a name. It is some of the words of the name, or the name without blanks,
 * with an unfinished last word, or with a wrong letter.
 */
function typed(name: string): string {
  const words = name.split(' ')
  const chosen = words.slice(Math.floor(random() * words.length)).slice(0, 1 + Math.floor(random() * 3))
  const text = pick([chosen, chosen.toReversed(), words]).join(pick([' ', ' ', '', ' & ']))
  return pick([text, text.slice(0, Math.max(2, text.length - 2)), `the ${text} inc`, text.replace('e', 'x')])
}

const leaves: (() => Condition)[] = [
  () => ({ field: 'company_name', op: 'named', values: [typed(filer().name_key)] }),
  () => ({
    field: 'company_name',
    op: 'named',
    values: [typed(pick(['capital', 'global energy', 'fund lp', 'trust']))],
  }),
  () => ({ field: 'company_name', op: 'contains', values: [part(filer().name_key, 1 + Math.floor(random() * 8))] }),
  () => ({
    field: 'company_name',
    op: 'contains',
    values: [pick(['inc', 'capital', 'a', 'e ', 'trust', filer().name_key])],
  }),
  () => ({ field: 'company_name', op: 'starts_with', values: [filer().name_key.slice(0, 3)] }),
  () => ({ field: 'company_name', op: 'eq', values: [filer().name_key] }),
  () => ({ field: 'cik', op: 'eq', values: [filer().cik] }),
  () => ({ field: 'cik', op: 'in', values: some(() => filer().cik) }),
  () => ({ field: 'family', op: 'eq', values: [one().family!] }),
  () => ({ field: 'form_type', op: 'eq', values: [one().form_type] }),
  () => ({ field: 'form_type', op: 'in', values: some(() => one().form_type) }),
  () => ({ not: { field: 'form_type', op: 'in', values: some(() => one().form_type) } }),
  () => ({ field: 'filed_date', op: 'gte', values: [one().filed_date] }),
  () => ({ field: 'filed_date', op: 'lte', values: [one().filed_date] }),
  () => ({ field: 'period_of_report', op: 'gte', values: [one().filed_date] }),
  () => ({ field: 'has_text', op: 'eq', values: [true] }),
  () => ({ field: 'item', op: 'eq', values: [pick(['2.02', '9.01', '1.03'])] }),
  () => ({ or: [pick(leaves)(), pick(leaves)()] }),
  () => ({ not: pick(leaves.slice(0, 16))() }),
  () => ({ field: pick(['item', 'period_of_report', 'family']), op: 'is_null', values: [pick([true, false])] }),
  () => ({ not: { field: 'item', op: 'is_null', values: [pick([true, false])] } }),
]

for (const sort of ['date', 'name'] as const) {
  test(`150 random questions, sorted by ${sort}, with an offset or as two pages by cursor, get the same rows as a search that tests every filing`, async () => {
    let found = 0
    for (let i = 0; i < 150; i++) {
      const conditions = Array.from({ length: Math.floor(random() * 4) }, () => pick(leaves)())
      // Another test covers which of two conditions on filers decides the shown filer; here the two sides might choose
      // differently.
      const fields = conditions.map((c) => ('field' in c ? c.field : ''))
      if (fields.filter((name) => name === 'cik' || name === 'company_name').length > 1) continue
      const params: Search = {
        conditions,
        family: undefined,
        sort,
        dir: pick(['asc', 'desc']),
        limit: pick([1, 7, 50]),
        offset: pick([0, 0, 3, 400]),
      }
      // Every second question continues by cursor with one more page, whose size is larger by one row.
      const paginate = i % 2 === 0 ? 'cursor' : undefined
      const { rows, next_cursor } = await search(sql, { ...params, paginate })
      const more = paginate ? params.limit + 1 : 0
      const after = { offset: 0, limit: more, cursor: next_cursor ?? '' }
      if (next_cursor) rows.push(...(await search(sql, { ...params, ...after })).rows)
      const expected = naive({ ...params, limit: params.limit + more })
      assert.deepEqual(
        rows.map((row) => `${row.accession} ${row.cik} ${row.company_name}`),
        expected,
        JSON.stringify(params),
      )
      if (rows.length > 0) found++
    }
    assert.ok(found > 40, `only ${found} questions had an answer`)
  })
}

test('conditions on names, nested, rare or common, and next to the name that is looked up, give the same answers as a search of every filing', async () => {
  const named = (typed: string, op: Leaf['op'] = 'named'): Leaf => ({ field: 'company_name', op, values: [typed] })
  let [found, rare] = [0, 0]
  for (let i = 0; i < 4; i++) {
    const a = named(typed(filer().name_key), pick(['named', 'contains']))
    const b = named(filer().name_key, pick(['named', 'eq', 'starts_with']))
    const common = named(pick(['a', 'e']))
    assert.equal(await fewNames(sql, common), null)
    if (await fewNames(sql, b)) rare++
    const form: Leaf = { field: 'form_type', op: 'eq', values: [one().form_type] }
    const trees: Condition[][] = [
      [{ or: [a, b] }],
      [{ or: [common, b] }],
      [{ not: b }],
      [{ not: common }],
      [{ or: [{ and: [common, form] }, { not: { or: [a, { not: b }] } }] }],
      [form, { or: [a, b, { field: 'cik', op: 'eq', values: [filer().cik] }] }],
      [common, b],
      [b, a],
      [b, { not: a }],
      [{ field: 'cik', op: 'eq', values: [filer().cik] }, { or: [a, common] }],
      [{ field: 'item', op: 'eq', values: ['2.02'] }, { or: [a, b] }],
    ]
    for (const conditions of trees) {
      const params: Search = {
        conditions,
        family: undefined,
        sort: pick(['date', 'name']),
        dir: pick(['asc', 'desc']),
        limit: 50,
        offset: 0,
      }
      const { rows } = await search(sql, params)
      assert.deepEqual(
        rows.map((row) => `${row.accession} ${row.cik} ${row.company_name}`),
        naive(params),
        JSON.stringify(params),
      )
      found += rows.length
    }
  }
  assert.ok(found > 800 && rare > 2, `${found} rows, ${rare} rare names`)
})
