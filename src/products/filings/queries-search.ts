/**
 * SQL of /filings. A search reads a page of accessions from an index that has the order of the search, then the rows of
 * that page. A search counts only if the request asks for counts. It sorts only the filings of one filer or of a few
 * names. This code chooses the index in all cases in which a wrong choice of the planner can cost seconds.
 */
import { apiError } from '../../declare/api-errors.ts'
import type { Family } from '../../declare/catalog.ts'
import { countOf, knownCount, sumOf } from '../../serve/count.ts'
import { type Condition, fieldsIn, type Leaf } from '../../serve/filters.ts'
import { type Counted, cursorAfter, cut, type Paged, startOf, type ValueCount } from '../../serve/keyset.ts'
import { unnamed } from '../../serve/page.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import { inOrderOfNames, NAMED_ORDER_MAX } from './queries-named.ts'
import { fewNames, leafOf, nameLeaf, shownFiler, withNameIds } from './queries-names.ts'
import {
  driverColumns,
  type FilingsQuery,
  follows,
  isInOrderOfNames,
  joined,
  keysOf,
  orderOf,
  relations,
  type Source,
  usesFacets,
  walk,
  where,
  without,
} from './queries-parts.ts'

export interface Search extends Paged {
  /**
   * All conditions must hold. Conditions from parameters, such as `cik`, have the same form as conditions of the filter
   * tree.
   */
  conditions: readonly Condition[]
  /** The family whose facets the conditions may use. */
  family: Family | undefined
  sort: 'date' | 'name'
  dir: 'asc' | 'desc'
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

/**
 * Maximum number of forms that are merged, with one index range for each form; a statement with more branches takes
 * longer to plan than to run.
 */
const FORMS_MAX = 64
/**
 * Forms are merged only if their filings are at most this share of all filings. If the share is larger, reading all
 * filings in order soon finds enough matches.
 */
const COMMON_SHARE = 0.2

/** A position after all filings of a name: no filing is older than this day. */
const BEFORE_ALL = ['0001-01-01', '']

/** A row with the name that determines its place in the order. */
type KeyedRow = FilingRow & { name_key?: string }

export interface FilingPage extends Counted {
  rows: FilingRow[]
  /** Present only if pages are requested by cursor. */
  next_cursor?: string | null
}

/**
 * Returns a page of filings in order, each filing once. A row shows the filer that a condition on `cik` or
 * `company_name` selects, else the first filer. With a cursor, a page in the order of matching names may have fewer
 * rows than requested, if too many names had to be tried. The next page continues after the last tried name.
 *
 * @throws HttpError 400 if an offset reaches too far in the order of names, or if a cursor comes from another search
 */
export async function search(sql: Sql, { conditions, family, sort, dir, ...paged }: Search): Promise<FilingPage> {
  const keys = keysOf({ sort, dir, conditions })
  const start = startOf({ list: 'filings', sort, dir, keys, filters: { conditions, family: family?.slug } }, paged)
  const query = { conditions: await withNameIds(sql, conditions), family, sort, dir, start }
  const isByCursor = paged.paginate === 'cursor' || paged.cursor !== undefined
  const continuesByName = isByCursor && start.offset === 0
  if (isInOrderOfNames(query) && !continuesByName && start.offset + start.limit > NAMED_ORDER_MAX) throw outOfReach()
  let found: KeyedRow[] = []
  let last: string | null = null
  for (const source of await sourcesOf(sql, query)) {
    found = await page(sql, query, source)
    if (found.length === start.rowsMax) break
    last = (await source.lastTried?.()) ?? null
  }
  const hasMore = last !== null && found.length < start.rowsMax
  if (hasMore && !continuesByName && found.length < start.limit) throw outOfReach()
  const counted = await countMatching(sql, query)
  const { rows, ...next } = cut(start, found, counted)
  return {
    // Copying fifty rows takes as long as writing them as JSON.
    rows: sort === 'name' ? rows.map(({ name_key: _, ...row }) => row) : rows,
    ...next,
    ...(hasMore && { next_cursor: cursorAfter(start.walk, [last, ...BEFORE_ALL], counted) }),
  }
}

/**
 * Counts matching filings. If all conditions depend only on the form, and the count is not by month, sums the coverage,
 * which has the number of filings of each form. Otherwise counts the filings themselves.
 */
async function countMatching(sql: Sql, query: FilingsQuery): Promise<Counted> {
  const { conditions, start } = query
  const { count } = start
  if (count === undefined) return {}
  const isKnown = conditions.every(isOfForm)
  if (!isKnown || count === 'month') {
    const from = relations(sql, { ...query, sort: 'date' }, 'f', conditions)
    return countOf(sql, start, sql`${from} where ${where(sql, query, 'f', conditions)}`, {
      form: { value: sql`f.form_type` },
      family: { value: sql`f.family` },
      month: { value: sql`f.filed_date`, kind: 'day' },
    })
  }
  const column = count === 'family' ? sql`f.family` : sql`f.form_type`
  const found = await unnamed(sql<ValueCount[]>`
    select ${column} as value, sum(filings)::float8 as count from edgar.coverage f
    where filings > 0 and ${where(sql, query, 'f', conditions)} group by 1 order by 2 desc, 1`)
  const isRequested = count !== 'exact' && count !== 'estimate' && start.after === null
  return { ...knownCount(start, sumOf(found)), ...(isRequested && { value_counts: [...found] }) }
}

const outOfReach = () =>
  apiError('invalid_parameter', {
    parameter: 'offset',
    reason: `in the order of names, offset reaches at most ${NAMED_ORDER_MAX.toLocaleString('en-US')} filings, and at most as many names are searched: type more of the name, or use paginate=cursor or sort=date`,
  })

function page(sql: Sql, query: FilingsQuery, source: Source): Promise<KeyedRow[]> {
  const shown = shownFiler(sql, query.conditions)
  const { offset, rowsMax } = query.start
  return unnamed(sql<KeyedRow[]>`
    with page as materialized (
      ${source.rows()} order by ${orderOf(sql, query)} limit ${rowsMax} offset ${offset}
    )
    select f.accession, ${shown.columns}, f.form_type, f.filed_date, f.period_of_report, f.accepted_at, f.has_text, f.family
      ${query.sort === 'name' ? sql`, page.name_key` : sql``}
    from page join edgar.filing f using (accession) ${shown.join}
    order by ${orderOf(sql, query, 'page.')}`)
}

/**
 * Returns the sources of a page: none if nothing can match, and several if the cheapest source might not fill the page.
 */
async function sourcesOf(sql: Sql, query: FilingsQuery): Promise<Source[]> {
  const { conditions, sort } = query
  if (leafOf(conditions, 'accession', ['eq', 'in'])) return [{ rows: () => walk(sql, query, 'f', conditions) }]
  const cik = leafOf(conditions, 'cik', ['eq'])
  if (cik) return [{ rows: () => ofFiler(sql, query, cik) }]
  const ciks = leafOf(conditions, 'cik', ['in'])
  const name = nameLeaf(conditions)
  if (isInOrderOfNames(query)) return inOrderOfNames(sql, query, name!)
  const few = name && (await fewNames(sql, name))
  if (sort === 'date' && ciks) {
    const filers = ciks.values.map((value) => ({ cik: value as string, name_id: null }))
    return [{ rows: () => ofFilers(sql, query, filers, without(conditions, ciks)) }]
  }
  if (sort === 'date' && few) return [{ rows: () => ofFilers(sql, query, few, without(conditions, name)) }]
  if (usesFacets(query, conditions)) {
    const rest = without(conditions, leafOf(conditions, 'family', ['eq']))
    return [{ rows: () => walk(sql, query, 't', rest) }]
  }
  const item = leafOf(conditions, 'item', ['eq'])
  if (item) return [{ rows: () => ofItem(sql, query, item) }]
  return ofForms(sql, query)
}

/**
 * Returns filings of one filer, from the index on filer and date. In an order by name, all filings of the filer are
 * sorted for each page.
 */
function ofFiler(sql: Sql, query: FilingsQuery, leaf: Leaf): Fragment {
  const rest = without(query.conditions, leaf)
  const ofCik = sql`c.cik = ${leaf.values[0] as string} and ${where(sql, query, 'c', rest)}`
  const from = relations(sql, { ...query, sort: 'date' }, 'c', rest)
  if (query.sort === 'date') {
    return sql`select c.accession, c.filed_date ${from} where ${ofCik} and ${follows(sql, query, 'c.')}`
  }
  return sql`
    select own.accession, own.name_key
    from (select c.accession, o.name_key ${from} join edgar.filer_name o on o.name_id = c.name_id where ${ofCik}) own
    where ${follows(sql, query, 'own.')}`
}

/**
 * Merges filings of several filers. For each filer, reads as many filings from the start of the order as could be on
 * the page. A filing of two of the filers occurs once.
 */
function ofFilers(
  sql: Sql,
  query: FilingsQuery,
  filers: readonly { cik: string; name_id: number | null }[],
  rest: readonly Condition[],
): Fragment {
  return sql`
    select distinct own.accession, own.filed_date
    from unnest(${filers.map((f) => f.cik)}::text[], ${filers.map((f) => f.name_id)}::int[]) as who (cik, name_id)
    cross join lateral (
      select c.accession, c.filed_date ${relations(sql, query, 'c', rest)}
      where c.cik = who.cik and (who.name_id is null or c.name_id = who.name_id) and ${where(sql, query, 'c', rest)}
        and ${follows(sql, query, 'c.')}
      order by ${orderOf(sql, query, 'c.')} limit ${query.start.offset + query.start.rowsMax}
    ) own`
}

/** Returns filings with one item, from the index on item and date. */
function ofItem(sql: Sql, query: FilingsQuery, leaf: Leaf): Fragment {
  const rest = without(query.conditions, leaf)
  return sql`select ${driverColumns(sql, query, 'i')} ${relations(sql, query, 'i', rest)}
    where i.item = ${leaf.values[0] as string} and ${where(sql, query, 'i', rest)}
      and ${follows(sql, query, query.sort === 'name' ? 'f.' : 'i.')}`
}

/**
 * Returns filings by form. First resolves conditions on form and family among the few hundred existing forms. If the
 * resulting forms are few and not too common, reads each form's index range in order and merges the ranges. Without
 * this merge, a search for two forms that ended in 2003 would read all filings from today backwards.
 */
async function ofForms(sql: Sql, query: FilingsQuery): Promise<Source[]> {
  const ofForm = query.conditions.filter(isOfForm)
  if (ofForm.length === 0 || (ofForm.length === 1 && isEqual(ofForm[0]!)))
    return [{ rows: () => walk(sql, query, 'f', query.conditions) }]
  const found = await unnamed(sql<{ form_type: string; share: number }[]>`
    select f.form_type, (filings / (select sum(filings) from edgar.coverage))::float8 as share
    from edgar.coverage f where filings > 0 and ${where(sql, query, 'f', ofForm)}`)
  if (found.length === 0) return []
  const rest = query.conditions.filter((condition) => !ofForm.includes(condition))
  const forms = found.map((form) => form.form_type)
  const share = found.reduce((sum, form) => sum + form.share, 0)
  const ofType = (form: string): Condition[] => [...rest, { field: 'form_type', op: 'eq', values: [form] }]
  if (forms.length === 1) return [{ rows: () => walk(sql, query, 'f', ofType(forms[0]!)) }]
  if (query.sort === 'name' || forms.length > FORMS_MAX || share > COMMON_SHARE) {
    return [{ rows: () => walk(sql, query, 'f', [...rest, { field: 'form_type', op: 'in', values: forms }]) }]
  }
  // Each branch is in order and no longer than the page, because only then does the planner merge the branches instead
  // of sorting all rows.
  const branch = (form: string) => sql`(
    ${walk(sql, query, 'f', ofType(form))}
    order by ${orderOf(sql, query, 'f.')} limit ${query.start.offset + query.start.rowsMax}
  )`
  return [{ rows: () => joined(sql, forms.map(branch), sql` union all `) }]
}

/** Tests whether the condition depends only on the form of a filing. */
const isOfForm = (condition: Condition) =>
  [...fieldsIn(condition)].every((name) => name === 'form_type' || name === 'family')

const isEqual = (condition: Condition) => 'field' in condition && condition.op === 'eq'
