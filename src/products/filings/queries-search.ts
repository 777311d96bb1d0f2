/**
 * SQL of /filings. A search is a page of accessions from the one index that has its order, then the rows of that page:
 * nothing is counted and, but for the filings of a few names, nothing is sorted. Which index is decided here, not by the
 * planner, wherever its guess can be wrong by seconds.
 */
import type { Family } from '../../declare/catalog.ts'
import { badRequest } from '../../declare/errors.ts'
import { type Condition, fieldsIn, filterSql, type Leaf } from '../../serve/filters.ts'
import { unnamed } from '../../serve/page.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import { type Driver, facetFields, nameIds, SPINE_ONLY, universalFields } from './queries-fields.ts'
import {
  fewNames,
  hasMoreNames,
  leafOf,
  matchingFiler,
  type Name,
  nameLeaf,
  nameTest,
  shownFiler,
  withNameIds,
} from './queries-names.ts'

export interface Search {
  /** All must hold. Parameters such as `cik` are conditions like those of the tree. */
  conditions: readonly Condition[]
  /** Whose facets the conditions may name. */
  family: Family | undefined
  sort: 'date' | 'name'
  dir: 'asc' | 'desc'
  limit: number
  offset: number
}

export interface FilingRow {
  accession: string
  cik: string
  company_name: string
  form_type: string
  filed_date: string
  period_of_report: string | null
  accepted_at: string | null
  has_text: boolean
  family: string | null
}

/** Names tried beyond one for each row wanted. */
const NAMES_SPARE = 200
/**
 * Filings, and names, that are in reach in the order of the names that match: there is no index of that order, so a page costs
 * what lies before it. 10,000 of either take 60 to 90 ms at 5 million filings, 100,000 took seconds.
 */
export const NAMED_ORDER_MAX = 10_000
/** Forms merged from an index range each; a statement of more branches takes longer to plan than to run. */
const FORMS_MAX = 64
/** Share of all filings from which forms are found often enough by walking all filings. */
const COMMON_SHARE = 0.2

/**
 * A page of filings in order, each filing once. A row shows the filer that a condition on `cik` or `company_name` asks
 * for, else the first filer.
 *
 * @throws HttpError 400 where the order of names reaches too far
 */
export async function search(sql: Sql, given: Search): Promise<FilingRow[]> {
  const asked = { ...given, conditions: await withNameIds(sql, given.conditions) }
  let rows: FilingRow[] = []
  for (const source of await sourcesOf(sql, asked)) {
    rows = await page(sql, asked, source)
    if (rows.length === asked.limit) break
    await source.check?.()
  }
  return rows
}

function page(sql: Sql, asked: Search, source: Source): Promise<FilingRow[]> {
  const shown = shownFiler(sql, asked.conditions)
  return unnamed(sql<FilingRow[]>`
    with page as materialized (
      ${source.rows()} order by ${orderOf(sql, asked, source)} limit ${asked.limit} offset ${asked.offset}
    )
    select f.accession, ${shown.columns}, f.form_type, f.filed_date, f.period_of_report, f.accepted_at, f.has_text, f.family
    from page join edgar.filing f using (accession) ${shown.join}
    order by ${orderOf(sql, asked, source, sql`page.`)}`)
}

/** By date, or by name; the filings of one name that was asked for come newest first, as its index has them. */
function orderOf(sql: Sql, asked: Search, { isNamed }: Source, of = sql``): Fragment {
  const direction = directionOf(sql, asked)
  if (isNamed) return sql`${of}name_key ${direction}, ${of}filed_date desc, ${of}accession desc`
  const key = asked.sort === 'name' ? sql`name_key` : sql`filed_date`
  return sql`${of}${key} ${direction}, ${of}accession ${direction}`
}

interface Source {
  /** `select accession, <sort key> from …`: a function, because a fragment is itself a promise, which an async function would run. */
  rows: () => Fragment
  /** In the order of names that match. */
  isNamed?: boolean
  /** Called where the page was not filled: throws if it may not be all. */
  check?: () => Promise<void>
}

/** The filings asked for: none when there can be none, several sources when a cheaper one may not fill the page. */
async function sourcesOf(sql: Sql, asked: Search): Promise<Source[]> {
  const { conditions, sort } = asked
  if (leafOf(conditions, 'accession', ['eq', 'in'])) return [{ rows: () => walk(sql, asked, 'f', conditions) }]
  const cik = leafOf(conditions, 'cik', ['eq'])
  if (cik) return [{ rows: () => ofFiler(sql, asked, cik) }]
  const ciks = leafOf(conditions, 'cik', ['in'])
  const name = nameLeaf(conditions)
  if (sort === 'name' && name) return inOrderOfNames(sql, asked, name)
  const few = name && (await fewNames(sql, name))
  if (sort === 'date' && ciks) {
    const filers = ciks.values.map((value) => ({ cik: value as string, name_id: null }))
    return [{ rows: () => ofFilers(sql, asked, filers, without(conditions, ciks)) }]
  }
  if (sort === 'date' && few) return [{ rows: () => ofFilers(sql, asked, few, without(conditions, name)) }]
  if (usesFacets(asked, conditions)) {
    const rest = without(conditions, leafOf(conditions, 'family', ['eq']))
    return [{ rows: () => walk(sql, asked, 't', rest) }]
  }
  const item = leafOf(conditions, 'item', ['eq'])
  if (item) return [{ rows: () => ofItem(sql, asked, item) }]
  return ofForms(sql, asked)
}

/** The filings of the names that match, in their order: of all if they are few, else of the first that may fill the page. */
async function inOrderOfNames(sql: Sql, asked: Search, leaf: Leaf): Promise<Source[]> {
  if (asked.offset + asked.limit > NAMED_ORDER_MAX) throw outOfReach()
  const few = await fewNames(sql, leaf)
  const source = (names: { few?: readonly Name[]; first?: number }): Source => ({
    rows: () => ofNamesInOrder(sql, asked, leaf, names),
    isNamed: true,
  })
  if (few) return [source({ few })]
  const check = async () => {
    if (await hasMoreNames(sql, leaf, NAMED_ORDER_MAX)) throw outOfReach()
  }
  return [source({ first: asked.offset + asked.limit + NAMES_SPARE }), { ...source({ first: NAMED_ORDER_MAX }), check }]
}

const outOfReach = () =>
  badRequest(
    `offset: in the order of names only the first ${NAMED_ORDER_MAX.toLocaleString('en-US')} filings, and those of as many names, are in reach: give more of the name, or sort=date`,
  )

/** Walks the driver in the order of its index, testing every row. */
function walk(sql: Sql, asked: Search, driver: Driver, conditions: readonly Condition[]): Fragment {
  return sql`select ${driverColumns(sql, asked, driver)} ${relations(sql, asked, driver, conditions)}
    where ${where(sql, asked, driver, conditions)}`
}

/** Filings of one filer, from the index on filer and date. */
function ofFiler(sql: Sql, asked: Search, leaf: Leaf): Fragment {
  const rest = without(asked.conditions, leaf)
  const key = asked.sort === 'name' ? sql`own.name_key` : sql`c.filed_date`
  const own = asked.sort === 'name' ? sql`join edgar.filer_name own on own.name_id = c.name_id` : sql``
  return sql`select c.accession, ${key} ${relations(sql, { ...asked, sort: 'date' }, 'c', rest)} ${own}
    where c.cik = ${leaf.values[0] as string} and ${where(sql, asked, 'c', rest)}`
}

/** Filings of several filers: the newest of each that could be on the page, merged. A filing of two of them stands once. */
function ofFilers(
  sql: Sql,
  asked: Search,
  filers: readonly { cik: string; name_id: number | null }[],
  rest: readonly Condition[],
): Fragment {
  const direction = directionOf(sql, asked)
  return sql`
    select distinct own.accession, own.filed_date
    from unnest(${filers.map((f) => f.cik)}::text[], ${filers.map((f) => f.name_id)}::int[]) as who (cik, name_id)
    cross join lateral (
      select c.accession, c.filed_date ${relations(sql, asked, 'c', rest)}
      where c.cik = who.cik and (who.name_id is null or c.name_id = who.name_id) and ${where(sql, asked, 'c', rest)}
      order by c.filed_date ${direction}, c.accession ${direction} limit ${asked.limit + asked.offset}
    ) own`
}

/**
 * Filings in the order of the names that match: name by name, until the page is full. A filing of two matching names
 * stands under the one it is shown with.
 *
 * @param few the names, when they are known because they are few
 * @param first how many of many names to try
 */
function ofNamesInOrder(
  sql: Sql,
  asked: Search,
  leaf: Leaf,
  { few, first }: { few?: readonly Name[]; first?: number },
): Fragment {
  const rest = without(asked.conditions, leaf)
  const matching = few ? sql`n.name_id = any(${few.map((name) => name.name_id)}::int[])` : nameTest(sql, leaf)
  return sql`
    select own.accession, who.name_key, own.filed_date
    from (
      select n.cik, n.name_id, n.name_key from edgar.filer_search n where ${matching}
      order by n.name_key ${directionOf(sql, asked)} ${first === undefined ? sql`` : sql`limit ${first}`}
    ) who
    cross join lateral (
      select c.accession, c.filed_date ${relations(sql, asked, 'c', rest)}
      where c.cik = who.cik and c.name_id = who.name_id and ${where(sql, asked, 'c', rest)}
        and (f.filer_count = 1 or c.cik = (${matchingFiler(sql, leaf)}))
      order by c.filed_date desc, c.accession desc limit ${asked.limit + asked.offset}
    ) own`
}

/** Filings with one item, from the index on item and date. */
function ofItem(sql: Sql, asked: Search, leaf: Leaf): Fragment {
  const rest = without(asked.conditions, leaf)
  return sql`select ${driverColumns(sql, asked, 'i')} ${relations(sql, asked, 'i', rest)}
    where i.item = ${leaf.values[0] as string} and ${where(sql, asked, 'i', rest)}`
}

/**
 * Filings by form. What is asked of form and family is first answered from the few hundred forms that exist; then each
 * form's index range is read in order and the ranges are merged. Without that, two forms that ended in 2003 are looked
 * for from today backwards.
 */
async function ofForms(sql: Sql, asked: Search): Promise<Source[]> {
  const ofForm = asked.conditions.filter((c) =>
    [...fieldsIn(c)].every((name) => name === 'form_type' || name === 'family'),
  )
  if (ofForm.length === 0 || (ofForm.length === 1 && isEqual(ofForm[0]!)))
    return [{ rows: () => walk(sql, asked, 'f', asked.conditions) }]
  const found = await unnamed(sql<{ form_type: string; share: number }[]>`
    select f.form_type, (filings / (select sum(filings) from edgar.coverage))::float8 as share
    from edgar.coverage f where filings > 0 and ${where(sql, asked, 'f', ofForm)}`)
  if (found.length === 0) return []
  const rest = asked.conditions.filter((condition) => !ofForm.includes(condition))
  const forms = found.map((form) => form.form_type)
  const share = found.reduce((sum, form) => sum + form.share, 0)
  const ofType = (form: string): Condition[] => [...rest, { field: 'form_type', op: 'eq', values: [form] }]
  if (forms.length === 1) return [{ rows: () => walk(sql, asked, 'f', ofType(forms[0]!)) }]
  if (asked.sort === 'name' || forms.length > FORMS_MAX || share > COMMON_SHARE) {
    return [{ rows: () => walk(sql, asked, 'f', [...rest, { field: 'form_type', op: 'in', values: forms }]) }]
  }
  // Each branch in order and no longer than the page: only then does the planner merge instead of sorting all.
  const branch = (form: string) => sql`(
    ${walk(sql, asked, 'f', ofType(form))}
    order by f.filed_date ${directionOf(sql, asked)}, f.accession ${directionOf(sql, asked)} limit ${asked.limit + asked.offset}
  )`
  return [{ rows: () => joined(sql, forms.map(branch), sql` union all `) }]
}

const directionOf = (sql: Sql, { dir }: Search) => (dir === 'asc' ? sql`asc` : sql`desc`)

const driverColumns = (sql: Sql, { sort }: Search, driver: Driver) =>
  sql`${sql(driver)}.accession, ${sort === 'name' ? sql`f.name_key` : sql`${sql(driver)}.filed_date`}`

/** `from` the driver, joined with the spine and the family's table where the conditions or the order need them. */
function relations(sql: Sql, asked: Search, driver: Driver, conditions: readonly Condition[]): Fragment {
  const names = new Set(conditions.flatMap((condition) => [...fieldsIn(condition)]))
  const spine = driver !== 'f' && (asked.sort === 'name' || SPINE_ONLY.some((name) => names.has(name)))
  const facets = driver !== 't' && usesFacets(asked, conditions)
  return sql`from ${driverTable(sql, asked, driver)}
    ${spine ? sql`join edgar.filing f on f.accession = ${sql(driver)}.accession` : sql``}
    ${facets ? sql`join ${driverTable(sql, asked, 't')} on t.accession = ${sql(driver)}.accession` : sql``}`
}

function driverTable(sql: Sql, { family }: Search, driver: Driver): Fragment {
  if (driver === 't') return sql`${sql(family!.feed!.table.schema)}.${sql(family!.feed!.table.name)} t`
  return { f: sql`edgar.filing f`, c: sql`edgar.filer c`, i: sql`edgar.filing_item i` }[driver]
}

function usesFacets({ family }: Search, conditions: readonly Condition[]): boolean {
  const facets = family?.feed?.facets ?? []
  return conditions.some((condition) => [...fieldsIn(condition)].some((name) => facets.includes(name)))
}

function where(sql: Sql, { family }: Search, driver: Driver, conditions: readonly Condition[]): Fragment {
  const fields = { ...(family && facetFields(family)), ...universalFields(driver), ...nameIds(driver) }
  return joined(sql, [sql`true`, ...conditions.map((condition) => filterSql(sql, condition, fields))], sql` and `)
}

function joined(sql: Sql, parts: readonly Fragment[], joint: Fragment): Fragment {
  return sql`${parts.map((part, i) => (i > 0 ? sql`${joint}${part}` : part))}`
}

const isEqual = (condition: Condition) => 'field' in condition && condition.op === 'eq'

const without = (conditions: readonly Condition[], leaf: Condition | undefined) => conditions.filter((c) => c !== leaf)
