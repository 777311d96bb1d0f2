/**
 * SQL of the search for firms. Kinds of match come one after the other until the page is full, each read from an index:
 * numbers; names that start so; names with a word that starts so; names that hold the text; names that hold all its words;
 * and where nothing matches, names that hold words it may have been meant for. Within a kind the firm with the largest
 * regulatory assets comes first.
 */
import type { Sql } from '../../core/db.ts'
import type { Fragment } from '../../core/filters.ts'
import { fold, likeLiteral } from '../../core/fold.ts'
import { unnamed } from '../../core/page.ts'
import type { Found } from './routes.ts'

/**
 * Names of the largest firms that are tried first. What more than a few of them match is found there at once; of what
 * they do not, there is so little that the trigrams of all names are quick: each is slow where the other is not.
 */
const LARGEST = 3000

/** Words looked at. */
const WORDS_MAX = 6
/** Letters of a word that may be mistyped; from the second number on, two of them. */
const TYPO_MIN = 4
const TWO_TYPOS_MIN = 7
/** Words near a mistyped one by their trigrams, and how many of them are taken once letters have decided. */
const NEAR_MAX = 50
const CORRECTIONS_MAX = 3

/** Comes after every letter: what starts with a text is between it and it with this. */
const LAST = '\u{10ffff}'

/** A word and others that stand for it: a name must hold one of them. */
type Choice = readonly string[]

/** Names of one kind of match. */
interface Match {
  /** LIKE patterns, of which the name meets one of each list. */
  patterns: readonly Choice[]
  /** Which of the lists the index is asked for; the others are tested on what it finds. */
  indexed: readonly number[]
}

/**
 * Firms that a person who types this may mean, by name or number, best first. Former and other business names find a firm
 * as well as its own, without capitals and accents. Beside the firm of a number stand only names that start with it.
 */
export async function search(sql: Sql, q: string, limit: number): Promise<Found[]> {
  const key = fold(q)
  const words = wordsOf(key)
  if ([...key].length < 2 || words.length === 0) return []
  const found = new Set<string>()
  const add = (crds: readonly string[]) => {
    for (const crd of crds) found.add(crd)
    return found.size >= limit
  }
  add(await byNumber(sql, key))
  const isNumber = found.size > 0
  const isFull = add(await startingWith(sql, key, limit + found.size))
  if (!isNumber && !isFull && !add(await matching(sql, kindsOf(key, words), limit, found)) && found.size === 0) {
    const corrected = await corrections(sql, words)
    if (corrected) add(await matching(sql, [corrected], limit, found))
  }
  return shown(sql, [...found].slice(0, limit))
}

/** Kinds of match after the start of a name, each of which includes the one before. */
function kindsOf(key: string, words: readonly string[]): Match[] {
  const longest = Math.max(...words.map((word) => word.length))
  const kinds: Match[] = []
  // Without three letters, or two at the start of a word, there is no trigram to look for.
  if (longest >= 2) kinds.push(held([`% ${likeLiteral(key)}%`]))
  if (longest >= 3) kinds.push(held([`%${likeLiteral(key)}%`]))
  if (longest >= 3 && words.length > 1) {
    const patterns = words.map((word) => [`%${word}%`])
    kinds.push({ patterns, indexed: [...words.keys()].filter((at) => words[at]!.length >= 3) })
  }
  return kinds
}

const held = (choice: Choice): Match => ({ patterns: [choice], indexed: [0] })

/**
 * The firm with that CRD number, those with that SEC file number; and of digits alone the firm with the file number
 * 801- or 802- of these digits, if there is only one.
 */
async function byNumber(sql: Sql, key: string): Promise<string[]> {
  const [, file, digits] = /^(?:(80[12]) ?- ?)?0*(\d{1,10})$/.exec(key) ?? []
  if (digits === undefined) return []
  const files = (file ? [file] : ['801', '802']).map((prefix) => `${prefix}-${digits}`)
  const rows = await sql<{ crd: string; kind: string }[]>`
    select distinct crd, kind from adv.adviser_name
    where name_key = any(${file ? files : [digits, ...files]}) and kind in ('crd', 'sec_number')
    order by kind, crd`
  const of = (kind: string) => rows.filter((row) => row.kind === kind).map(({ crd }) => crd)
  const byFile = of('sec_number')
  return [...of('crd'), ...(file || byFile.length === 1 ? byFile : [])]
}

/** Of names that start so there are at most a few thousand, and the index has all that is needed of them. */
async function startingWith(sql: Sql, key: string, limit: number): Promise<string[]> {
  const rows = await sql<{ crd: string }[]>`
    select distinct crd, latest_raum from adv.search_name
    where name_key >= ${key} and name_key < ${key + LAST}
    order by latest_raum desc nulls last, crd limit ${limit}`
  return rows.map(({ crd }) => crd)
}

/**
 * Firms whose names match, besides those already found.
 *
 * @param kinds each includes the one before
 */
async function matching(
  sql: Sql,
  kinds: readonly Match[],
  limit: number,
  found: ReadonlySet<string>,
): Promise<string[]> {
  if (kinds.length === 0) return []
  const kind = sql`case ${kinds.map((match, at) => sql`when ${tested(sql, match)} then ${at}::int `)} end`
  const largest = await unnamed(sql<{ crd: string; kind: number }[]>`
    select n.crd, ${kind} as kind from (
      select crd, name_key from adv.search_name order by latest_raum desc nulls last, crd limit ${LARGEST}
    ) n where ${tested(sql, kinds.at(-1)!)}`)
  const wanted = limit - found.size
  const isNew = ({ crd }: { crd: string }) => !found.has(crd)
  const upTo = (at: number) => new Set(largest.filter((row) => row.kind <= at && isNew(row)).map(({ crd }) => crd))
  const enough = [...kinds.keys()].find((at) => upTo(at).size >= wanted) ?? kinds.length
  const ofKind = (at: number) => largest.filter((row) => row.kind === at && isNew(row)).map(({ crd }) => crd)
  if (enough === 0) return ofKind(0)
  const rare = kinds[enough - 1]!
  // A sum is in no index: the order by assets, which would be walked to its end, cannot be chosen.
  const rows = await unnamed(sql<{ crd: string }[]>`
    select n.crd from adv.search_name n
    where ${indexed(sql, rare)} and n.crd <> all(${[...found]})
    group by n.crd, n.latest_raum order by min(${kind}), n.latest_raum + 0 desc nulls last, n.crd limit ${wanted}`)
  return [...rows.map(({ crd }) => crd), ...(enough < kinds.length ? ofKind(enough) : [])]
}

const tested = (sql: Sql, { patterns }: Match): Fragment =>
  sql`(true ${patterns.map((choice) => sql`and (false ${choice.map((like) => sql`or n.name_key like ${like}`)})`)})`

/** What the index on trigrams is asked for; the rest is an expression that no index has. */
const indexed = (sql: Sql, { patterns, indexed: asked }: Match): Fragment =>
  sql`true ${patterns.map((choice, at) => {
    const name = asked.includes(at) ? sql`n.name_key` : sql`(n.name_key || '')`
    return sql`and (false ${choice.map((like) => sql`or ${name} like ${like}`)})`
  })}`

interface Near {
  word: string
  near: string
  names: number
}

/**
 * Names that hold for each word itself or a word that it may have been meant for: near by trigrams or, of short words, in
 * which two letters that changed places leave no trigram, by the first letter; then by the letters that differ. Null when there is no such word. The index is asked for the word that stands in the fewest names.
 */
async function corrections(sql: Sql, words: readonly string[]): Promise<Match | null> {
  const long = words.filter((word) => word.length >= TYPO_MIN)
  if (long.length === 0) return null
  const rows = await sql<Near[]>`
    select typed as word, n.near, n.names from unnest(${long}::text[]) as typed
    cross join lateral (
      (select word as near, names from adv.search_word where word % typed
      order by similarity(word, typed) desc, names desc, word limit ${NEAR_MAX})
      union
      select word, names from adv.search_word
      where length(typed) < ${TWO_TYPOS_MIN} and word >= left(typed, 1) and word < left(typed, 1) || ${LAST}
        and length(word) between length(typed) - 1 and length(typed) + 1
    ) n`
  const choices = words.map((word) =>
    rows
      .filter((row) => row.word === word && row.near !== word && isNear(word, row.near))
      .sort((a, b) => distance(word, a.near) - distance(word, b.near) || b.names - a.names)
      .slice(0, CORRECTIONS_MAX),
  )
  if (choices.every((choice) => choice.length === 0)) return null
  const namesOf = (word: string, near: readonly Near[]) =>
    [...near, ...rows.filter((row) => row.word === word && row.near === word)].reduce(
      (sum, { names }) => sum + names,
      0,
    )
  const names = words.map((word, at) =>
    word.length >= TYPO_MIN ? namesOf(word, choices[at]!) : Number.POSITIVE_INFINITY,
  )
  return {
    patterns: words.map((word, at) => [word, ...choices[at]!.map(({ near }) => near)].map((part) => `%${part}%`)),
    indexed: [names.indexOf(Math.min(...names))],
  }
}

const isNear = (typed: string, word: string) => distance(typed, word) <= (typed.length >= TWO_TYPOS_MIN ? 2 : 1)

/** Letters that were left out, put in, changed, or changed places with the next. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, changed)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) row[j] = Math.min(row[j]!, before[j - 2]! + 1)
    }
    before = last
    last = row
  }
  return last[b.length]!
}

const wordsOf = (key: string) => [...new Set(key.split(/[^\p{L}\p{N}]+/u).filter(Boolean))].slice(0, WORDS_MAX)

async function shown(sql: Sql, crds: readonly string[]): Promise<Found[]> {
  if (crds.length === 0) return []
  return sql<Found[]>`
    select crd as id, firm_name, city, state, lat::float8 as lat, lng::float8 as lng
    from unnest(${crds as string[]}::text[]) with ordinality as wanted (crd, place) join adv.adviser using (crd)
    order by place`
}
