/** Finds names of filers that match the search, and the filer that a row shows. */

import { FILERS } from '../../ingest/filer-names.ts'
import { filterOf } from '../../names.ts'
import { type Condition, filterSql, type Leaf } from '../../serve/filters.ts'
import { unnamed } from '../../serve/page.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import { isNamed, NAME_IDS, universalFields } from './queries-fields.ts'

export interface Name {
  cik: string
  name_id: number
}

/**
 * Maximum number of names whose filings are looked up name by name; if there are more names, reading filings by date
 * fills a page sooner.
 */
const NAMES_MAX = 2000
/**
 * Number of names that are read to estimate how many names match: this takes half a millisecond for any number of
 * names.
 */
const NAMES_SAMPLE = 3000

const drives: readonly Leaf['op'][] = ['named', 'contains', 'starts_with', 'eq', 'in']

/**
 * Returns the condition on `field` with one of these operators, if it is a condition of the list itself and not below
 * an OR or a NOT. Every match must meet such a condition.
 */
export function leafOf(conditions: readonly Condition[], field: string, ops: readonly Leaf['op'][]): Leaf | undefined {
  return conditions.find((c): c is Leaf => 'field' in c && c.field === field && ops.includes(c.op))
}

/** Returns the condition on the name that can be used to look up filings. */
export const nameLeaf = (conditions: readonly Condition[]) => leafOf(conditions, 'company_name', drives)

/** Returns the matching names, or null if there are too many to look up one by one. */
export async function fewNames(sql: Sql, leaf: Leaf): Promise<Name[] | null> {
  if (leaf.op !== 'named' && leaf.op !== 'contains') return fewHolding(sql, leaf, nameTest(sql, leaf))
  const typed = leaf.values[0] as string
  const { words, holds, least } = await filterOf(sql, FILERS, typed)
  // For a common word, the index would collect all matching names before the first of them could be read: 10 ms for
  // 7,000 names.
  if (leaf.op === 'named' && least > NAMES_MAX) return null
  const named = leaf.op === 'named' && words ? await first(sql, words(sql)) : []
  // Most names with matching words also contain the typed text. If the text begins or ends within a word of a name, the
  // name contains the text without matching its words.
  const holding =
    named.length > NAMES_MAX ? null : await fewHolding(sql, { ...leaf, op: 'contains' }, holds(sql, sql`n.name_key`))
  if (!holding || leaf.op === 'contains') return holding
  const numbered = /^\d{1,10}$/.test(typed) ? await first(sql, sql`n.cik = ${typed.padStart(10, '0')}`) : []
  const all = new Map([...named, ...holding, ...numbered].map((name) => [name.name_id, name]))
  return all.size > NAMES_MAX ? null : [...all.values()]
}

/**
 * Replaces each condition on a name that few names match with a condition on these names. One condition on a name is
 * left as it is, even if few names match it: the condition by which the filings are looked up. Without the replacement,
 * the other conditions on names would be tested on one filing after the other; for a rare name, this could mean all
 * filings. In 500,000 filings {"or": [rare, rare]} takes 90 ms and 3,500 pages; before, it took 6 to 10 s and 8,900,000
 * pages. A common name and a rare one take 10 ms instead of 13 s. The worst case is {"not": …} of 1,900 names with
 * 24,000 filings: it takes 35 ms instead of 7 ms.
 */
export async function withNameIds(sql: Sql, conditions: readonly Condition[]): Promise<Condition[]> {
  const driver = nameLeaf(conditions)
  const all = async (parts: readonly Condition[]) => {
    const known: Condition[] = []
    // Runs the queries one after the other. Otherwise a tree of a hundred names could take all connections.
    for (const part of parts) known.push(await one(part))
    return known
  }
  const one = async (condition: Condition): Promise<Condition> => {
    if ('not' in condition) return { not: await one(condition.not) }
    if ('and' in condition) return { and: await all(condition.and) }
    if ('or' in condition) return { or: await all(condition.or) }
    if (condition === driver || !leafOf([condition], 'company_name', drives)) return condition
    const few = await fewNames(sql, condition)
    return few ? { field: NAME_IDS, op: 'in', values: few.map(({ name_id }) => String(name_id)) } : condition
  }
  return all(conditions)
}

const first = (sql: Sql, test: Fragment) =>
  unnamed(sql<Name[]>`
  select n.cik, n.name_id from edgar.filer_search n where ${test} limit ${NAMES_MAX + 1}`)

/**
 * Returns the names that meet the condition of the leaf; null if there are more than `NAMES_MAX`. First estimates from
 * a sample how many names match: collecting the 46,000 names that contain `capital` from the trigram index takes 60 ms.
 *
 * @param test the condition on rows `n`, in a form that an index can answer
 */
async function fewHolding(sql: Sql, leaf: Leaf, test: Fragment): Promise<Name[] | null> {
  const [sample] = await unnamed(sql<{ share: number; matching: number }[]>`
    with size as materialized (
      select least(1, ${NAMES_SAMPLE}::float8 / greatest(reltuples, 1)) as share
      from pg_class where oid = 'edgar.filer_search'::regclass
    )
    select (select share from size) as share, count(*) filter (where ${nameTest(sql, leaf)})::int as matching
    from edgar.filer_search n tablesample system ((select 100 * share from size)) repeatable (1)`)
  if (sample!.matching / sample!.share > NAMES_MAX) return null
  const names = await first(sql, test)
  return names.length > NAMES_MAX ? null : names
}

/** Returns a leaf of the filter as a condition on one name, a row `n` of the names of filers. */
export function nameTest(sql: Sql, leaf: Leaf): Fragment {
  if (leaf.op === 'named') return isNamed(sql, leaf.values[0] as string)
  const { within: _, ...name } = universalFields().company_name!
  return filterSql(sql, leaf, { company_name: { ...name, expression: () => sql`n.name_key` } })
}

/**
 * Chooses the filer of `f` that a row shows, as the columns `cik` and `company_name` and their join. This is the filer
 * that a condition on `cik` selects, else the filer that a condition on `company_name` selects, else the first filer.
 */
export function shownFiler(sql: Sql, conditions: readonly Condition[]): { columns: Fragment; join: Fragment } {
  const leaf = leafOf(conditions, 'cik', ['eq', 'in']) ?? nameLeaf(conditions)
  if (!leaf) return { columns: sql`f.cik, f.company_name`, join: sql`` }
  return {
    columns: sql`coalesce(shown.cik, f.cik) as cik, coalesce(shown.name, f.company_name) as company_name`,
    join: sql`
      left join lateral (
        select own.cik, o.name from (${matchingFiler(sql, leaf, sql`, r.name_id`)}) own join edgar.filer_name o using (name_id)
      ) shown on true`,
  }
}

/**
 * Selects the CIK of the filer of `f` that matches a leaf on `cik` or `company_name`. If several filers match and the
 * first filer is one of them, selects the first filer.
 */
export function matchingFiler(sql: Sql, leaf: Leaf, more: Fragment = sql``): Fragment {
  const { within: _, ...cik } = universalFields().cik!
  const test = leaf.field === 'cik' ? filterSql(sql, leaf, { cik }) : nameTest(sql, leaf)
  const names = leaf.field === 'cik' ? sql`` : sql`join edgar.filer_search n using (name_id)`
  return sql`
    select r.cik${more} from edgar.filer r ${names}
    where r.accession = f.accession and ${test} order by r.cik = f.cik desc, r.cik limit 1`
}
