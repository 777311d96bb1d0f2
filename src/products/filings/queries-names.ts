/** Names of filers: which match, and which of a filing's filers a row shows. */
import type { Sql } from '../../core/db.ts'
import { type Condition, type Fragment, filterSql, type Leaf } from '../../core/filters.ts'
import { unnamed } from '../../core/page.ts'
import { universalFields } from './queries-fields.ts'

export interface Name {
  cik: string
  name_id: number
}

/** Names whose filings are looked up name by name; with more, walking filings by date fills a page sooner. */
const NAMES_MAX = 2000
/** Names read to estimate how many match: half a millisecond, however many there are. */
const NAMES_SAMPLE = 3000
/** A shorter word has too few trigrams to be looked up by. */
const WORD_MIN = 4
const WORDS_MAX = 6
/** Letters at each side of a gap: two leave ten times the candidates, four read more trigrams than they save. */
const GAP_SIDE = 3

const drives: readonly Leaf['op'][] = ['contains', 'starts_with', 'eq', 'in']

/** The condition on `field` with one of the operators that must hold for all conditions to hold. */
export function leafOf(conditions: readonly Condition[], field: string, ops: readonly Leaf['op'][]): Leaf | undefined {
  return conditions.find((c): c is Leaf => 'field' in c && c.field === field && ops.includes(c.op))
}

/** The condition on the name by which filings can be looked up. */
export const nameLeaf = (conditions: readonly Condition[]) => leafOf(conditions, 'company_name', drives)

/**
 * The names that match, or null when they are more than can be looked up one by one. Whether they are many is estimated
 * from a sample first: collecting 46,000 names that hold `capital` from the trigram index takes 60 ms.
 */
export async function fewNames(sql: Sql, leaf: Leaf): Promise<Name[] | null> {
  const words = leaf.op === 'in' ? [] : wordsOf(leaf.values[0] as string)
  const counts = words.length
    ? sql`array[${words.map((word, i) => sql`${i ? sql`,` : sql``} count(*) filter (where ${hasWord(sql, word)})`)}]::int[]`
    : sql`'{}'::int[]`
  const [sample] = await unnamed(sql<{ share: number; matching: number; words: number[] }[]>`
    with size as materialized (
      select least(1, ${NAMES_SAMPLE}::float8 / greatest(reltuples, 1)) as share
      from pg_class where oid = 'edgar.filer_name'::regclass
    )
    select (select share from size) as share, count(*) filter (where ${nameTest(sql, leaf)})::int as matching,
      ${counts} as words
    from edgar.filer_name n tablesample system ((select 100 * share from size)) repeatable (1)`)
  if (sample!.matching / sample!.share > NAMES_MAX) return null
  const narrow = narrowest(words, sample!.words, leaf)
  const test = narrow
    ? sql`n.name_key like ${`%${narrow}%`} and ${nameTest(sql, leaf, sql`(n.name_key || '')`)}`
    : nameTest(sql, leaf)
  const names = await unnamed(sql<Name[]>`
    select n.cik, n.name_id from edgar.filer_name n where ${test} limit ${NAMES_MAX + 1}`)
  return names.length > NAMES_MAX ? null : names
}

/** Words of folded text that can be looked up by, longest first. */
function wordsOf(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= WORD_MIN)
  return [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, WORDS_MAX)
}

/**
 * A part of the text that is quicker to look up than all its trigrams: a word that the sample lacks (0.6 instead of 5 ms
 * at 675,000 names), else the letters at both sides of a gap between two words, of those the two least common (names made
 * of common words alone: 5 to 10 instead of 13 to 27 ms). Null where the text has neither.
 *
 * @param counts how often each of the words stands in the sample
 */
function narrowest(words: readonly string[], counts: readonly number[], leaf: Leaf): string | null {
  if (words.length < 2) return null
  const countOf = new Map(words.map((word, i) => [word, counts[i]!]))
  const absent = words.find((word) => countOf.get(word) === 0)
  if (absent) return absent
  const parts = (leaf.values[0] as string).split(' ')
  const gaps = parts.slice(1).flatMap((after, i) => {
    const before = parts[i]!
    const [first, second] = [countOf.get(before), countOf.get(after)]
    // A word beside itself has no other trigrams than the word.
    if (first === undefined || second === undefined || before === after) return []
    return [{ text: `${before.slice(-GAP_SIDE)} ${after.slice(0, GAP_SIDE)}`, common: first * second }]
  })
  return gaps.sort((a, b) => a.common - b.common)[0]?.text ?? null
}

/** `word`, as a gap, has letters, digits and a blank alone: nothing to escape for LIKE. */
const hasWord = (sql: Sql, word: string) => sql`n.name_key like ${`%${word}%`}`

/** The leaf's test of one name, over `n.name_key` or what stands for it. */
export function nameTest(sql: Sql, leaf: Leaf, expression = sql`n.name_key`): Fragment {
  const { within: _, ...name } = universalFields().company_name!
  return filterSql(sql, leaf, { company_name: { ...name, expression: () => expression } })
}

/**
 * Which filer of `f` a row shows, as the columns `cik` and `company_name` and the join that they need: the one that a
 * condition on `cik` asks for, else on `company_name`, else the first.
 */
export function shownFiler(sql: Sql, conditions: readonly Condition[]): { columns: Fragment; join: Fragment } {
  const leaf = leafOf(conditions, 'cik', ['eq', 'in']) ?? nameLeaf(conditions)
  if (!leaf) return { columns: sql`f.cik, f.company_name`, join: sql`` }
  return {
    columns: sql`coalesce(shown.cik, f.cik) as cik, coalesce(shown.name, f.company_name) as company_name`,
    join: sql`left join lateral (${matchingFiler(sql, leaf, sql`, n.name`)}) shown on true`,
  }
}

/** `select r.cik` of the filer of `f` that a leaf on `cik` or `company_name` asks for: the first filer if it matches. */
export function matchingFiler(sql: Sql, leaf: Leaf, more: Fragment = sql``): Fragment {
  const { within: _, ...cik } = universalFields().cik!
  const test = leaf.field === 'cik' ? filterSql(sql, leaf, { cik }) : nameTest(sql, leaf)
  return sql`
    select r.cik${more} from edgar.filer r join edgar.filer_name n using (name_id)
    where r.accession = f.accession and ${test} order by r.cik = f.cik desc, r.cik limit 1`
}
