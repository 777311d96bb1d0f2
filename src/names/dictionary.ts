/** The dictionary of the words of names: how many names have each word, and which words are near a mistyped word. */

import { LAST } from '../read/fold.ts'
import { copy } from '../store/copy.ts'
import type { Fragment, Sql, Transaction } from '../store/db.ts'
import type { Named } from './named.ts'
import { nearKeys, WRONG_MIN, wrongAtBeginning, wrongLetters, wrongMax } from './near.ts'
import type { Beginnings, Counts } from './query.ts'
import type { Near } from './score.ts'
import { IGNORED, LONG_FORMS } from './spelling.ts'
import { SIGNS } from './stored.ts'
import type { TypedWord } from './typed.ts'

/**
 * Maximum number of words with a prefix that are read to count the names with this prefix. The index has a list for
 * each word, so looking up a prefix of many words is expensive. So if this many words or more have the prefix, the
 * count is multiplied by BEGINNINGS_MORE, and another word is looked up instead.
 */
const BEGINNINGS_MAX = 300
const BEGINNINGS_MORE = 100
/** Minimum length of a prefix that is counted: thousands of words begin with each shorter prefix. */
const BEGINNING_MIN = 2
/** If this many words or fewer begin with a prefix, the words themselves are returned. */
const BEGINNINGS_NAMED = 12

/** A word that is in this many names or more is not treated as mistyped or cut short. */
export const KNOWN_MIN = 100

/**
 * Maximum number of words that a mistyped word may stand for. The first number applies if only one word was typed. The
 * second number is larger, since other typed words narrow down the names.
 */
const NEAR_MAX = 8
const NEAR_MAX_OF_SEVERAL = 24

/** A length that no word reaches. */
const WORD_MAX = 10_000

/**
 * A word of SPLIT_MIN to SPLIT_MAX letters may be several words written as one. It is split into at most PARTS_MAX
 * parts, in at most SPLITS_MAX ways.
 */
const SPLIT_MIN = 4
const SPLIT_MAX = 24
const PARTS_MAX = 4
const SPLITS_MAX = 3

/**
 * Counts the names that have each word. The last word may be unfinished, and other words may be cut short. For such a
 * word, the result also has, under the key `beginningOf`, an estimate of how many names have a word that begins with
 * it.
 */
export async function countsOf(
  sql: Sql,
  named: Named,
  words: readonly TypedWord[],
  more: readonly string[] = [],
): Promise<{ counts: Counts; beginnings: Beginnings }> {
  const texts = words.flatMap(({ text, spelled }) => [text, spelled])
  const lookedUp = [
    ...new Set([...texts, ...more, ...(named.hasPlaces ? texts.map((text) => SIGNS.place + text) : [])]),
  ]
  const begun = [
    ...new Set(words.filter(({ spelled }) => spelled.length >= BEGINNING_MIN).map(({ spelled }) => spelled)),
  ]
  const open = words.filter(({ isOpen }) => isOpen).map(({ spelled }) => spelled)
  const dictionary = sql(named.dictionary)
  const rows = await sql<{ word: string; names: number; few: string | null }[]>`
    select word, names, null as few from ${dictionary} where word = any(${lookedUp})
    union all
    select begun || '*', counted.names, counted.few
    from unnest(${begun}::text[]) as begun
    cross join lateral (
      select (coalesce(sum(names) filter (where word > begun), 0) * case when count(*) < ${BEGINNINGS_MAX} then 1 else ${BEGINNINGS_MORE} end)::int as names,
        case when count(*) between 1 and ${BEGINNINGS_NAMED} then string_agg(word, ' ') end as few
      from (
        select word, names from ${dictionary} where word >= begun and word < begun || ${LAST} limit ${BEGINNINGS_MAX}
      ) beginning
    ) counted
    where begun = any(${open}) or not exists (select from ${dictionary} d where d.word = begun and d.names >= ${KNOWN_MIN})`
  const beginnings = rows.flatMap(({ word, few }) =>
    few === null ? [] : [[word.slice(0, -1), few.split(' ')] as const],
  )
  return { counts: new Map(rows.map(({ word, names }) => [word, names])), beginnings: new Map(beginnings) }
}

/**
 * Returns for each typed word the words that may have been meant. Each has its number of wrong letters and the number
 * of names that have it.
 */
export async function nearWords(
  sql: Sql,
  named: Named,
  words: readonly TypedWord[],
  isOnly: boolean,
): Promise<{ near: Near; counts: Counts }> {
  const mistyped = words.map((word) => ({ word, keys: nearKeys(word.spelled) })).filter(({ keys }) => keys.length > 0)
  if (mistyped.length === 0) return { near: new Map(), counts: new Map() }
  const max = mistyped.map(({ word }) => wrongMax(word.spelled.length + 1))
  const least = mistyped.map(({ word }, at) => word.spelled.length - max[at]!)
  const most = mistyped.map(({ word }, at) => (word.isOpen ? WORD_MAX : word.spelled.length + max[at]!))
  const rows = await sql<{ at: number; words: string | null }[]>`
    select typed.at::int - 1 as at, n.words
    from unnest(${mistyped.map(({ keys }) => keys.join(' '))}::text[], ${least}::int[], ${most}::int[])
      with ordinality as typed (keys, least, most, at)
    cross join lateral (
      select string_agg(word || ' ' || names, ' ') as words from ${sql(named.dictionary)}
      where near && string_to_array(typed.keys, ' ') and length(word) between typed.least and typed.most
    ) n`
  const found = rows.map(({ at, words }) => {
    const { word } = mistyped[at]!
    return [word.text, nearest(word, words?.split(' ') ?? [], isOnly ? NEAR_MAX : NEAR_MAX_OF_SEVERAL)] as const
  })
  const isMistyped = ([, near]: (typeof found)[number]) => near.length > 0
  return {
    near: new Map(
      found.filter(isMistyped).map(([text, near]) => [text, new Map(near.map(({ word, wrong }) => [word, wrong]))]),
    ),
    counts: new Map(found.flatMap(([, near]) => near.map(({ word, names }) => [word, names] as const))),
  }
}

function nearest({ text, spelled, isOpen }: TypedWord, pairs: readonly string[], most: number) {
  const found: { word: string; wrong: number; names: number }[] = []
  for (let i = 0; i < pairs.length; i += 2) {
    const word = pairs[i]!
    // While a word is still being typed, only the letters typed so far count: "invesco" is not a mistyped "investment".
    const max = wrongMax(isOpen ? spelled.length : Math.max(spelled.length, word.length))
    const wrong = isOpen ? wrongAtBeginning(spelled, word, max) : wrongLetters(spelled, word, max)
    if (wrong > 0 && wrong <= max && word !== text)
      found.push({ word: LONG_FORMS.get(word) ?? word, wrong, names: Number(pairs[i + 1]) })
  }
  found.sort((a, b) => a.wrong - b.wrong || b.names - a.names)
  return found.slice(0, most)
}

/**
 * Returns ways to read each word as several words next to each other, the likeliest way first. Also returns the number
 * of names that have each part.
 */
export async function splitsOf(
  sql: Sql,
  named: Named,
  words: readonly TypedWord[],
): Promise<{ ways: { word: TypedWord; parts: string[] }[]; counts: Counts }> {
  const several = words
    .map((word) => ({ word, letters: [...word.spelled] }))
    .filter(({ letters }) => letters.length >= SPLIT_MIN && letters.length <= SPLIT_MAX)
  if (several.length === 0) return { ways: [], counts: new Map() }
  const parts = several.flatMap(({ letters }) =>
    letters.flatMap((_, from) => letters.slice(from).map((_, i) => letters.slice(from, from + i + 1).join(''))),
  )
  const rows = await sql<{ word: string; names: number }[]>`
    select word, names from ${sql(named.dictionary)} where word = any(${[...new Set(parts)]})`
  const counts = new Map(rows.map((row) => [row.word, row.names]))
  const ways = several.flatMap(({ word, letters }) => waysOf(letters, counts).map((parts) => ({ word, parts })))
  return { ways, counts }
}

function waysOf(letters: readonly string[], counts: Counts): string[][] {
  const part = (from: number, to: number) => letters.slice(from, to).join('')
  const names = new Map(counts)
  names.delete(letters.join(''))
  // Stored names leave these words out, so the dictionary has no counts of them. Here they count as words of very many
  // names.
  for (const word of IGNORED) names.set(word, Number.MAX_SAFE_INTEGER)
  const end = letters.length
  /** How many names have a part of the word. Only the first part may be a single letter: "trowe". */
  const namesOf = (from: number, to: number) => (to - from > 1 || from === 0 ? (names.get(part(from, to)) ?? 0) : 0)
  const inTwo = letters
    .slice(1)
    .map((_, at) => ({ cuts: [at + 1], names: Math.min(namesOf(0, at + 1), namesOf(at + 1, end)) }))
    .filter((split) => split.names > 0)
  const inMore = inTwo.length === 0 ? fewest(end, namesOf) : null
  return [...inTwo, ...(inMore ? [inMore] : [])]
    .sort((a, b) => b.names - a.names)
    .slice(0, SPLITS_MAX)
    .map(({ cuts }) => [0, ...cuts].map((from, i) => part(from, cuts[i] ?? end)))
}

interface Split {
  /** Where the parts begin, without the first part. */
  cuts: readonly number[]
  /** How many names have the rarest part of the split. */
  names: number
}

/**
 * Returns the split into the fewest parts. If several splits have equally few parts, returns the split whose rarest
 * part is in the most names.
 */
function fewest(end: number, namesOf: (from: number, to: number) => number): Split | null {
  const best: (Split | null)[] = [{ cuts: [], names: Number.POSITIVE_INFINITY }]
  for (let to = 1; to <= end; to++) {
    best[to] = null
    for (let from = 0; from < to; from++) {
      const before = best[from]
      const names = Math.min(before?.names ?? 0, namesOf(from, to))
      if (!before || names === 0) continue
      const split = { cuts: from === 0 ? [] : [...before.cuts, from], names }
      if (split.cuts.length >= PARTS_MAX) continue
      const known = best[to]
      if (
        !known ||
        split.cuts.length < known.cuts.length ||
        (split.cuts.length === known.cuts.length && names > known.names)
      )
        best[to] = split
    }
  }
  return best[end]!
}

/**
 * Counts the words of names that were added.
 *
 * @param counts the number of added names that have each word
 */
export async function addWords(tx: Transaction, { dictionary }: Named, counts: Counts): Promise<void> {
  if (counts.size === 0) return
  await tx`create temporary table if not exists counted_word (word text collate "C", names integer, near text[]) on commit drop`
  await tx`truncate counted_word`
  const records = [...counts].map(([word, names]) => [word, names, keysOf(word)])
  await copy(tx, 'counted_word', ['word', 'names', 'near'], [records])
  await tx`
    with known as (
      update ${tx(dictionary)} d set names = d.names + c.names from counted_word c where c.word = d.word returning d.word
    )
    insert into ${tx(dictionary)} (word, names, near)
    select word, names, near from counted_word c where not exists (select from known k where k.word = c.word)`
}

/** Places get no keys: a typed place is never taken for a misspelling of another place. */
const keysOf = (word: string) => (word.length >= WRONG_MIN && !word.startsWith(SIGNS.place) ? nearKeys(word) : null)

/**
 * Subtracts the words of names from the counts; called before these names are removed.
 *
 * @param names `select words from …`
 */
export async function removeWords(tx: Transaction, { dictionary }: Named, names: Fragment): Promise<void> {
  await tx`
    update ${tx(dictionary)} d set names = d.names - c.names
    from (
      select word, count(*)::int as names from (${names}) n, unnest(tsvector_to_array(n.words)) as word
      where left(word, 1) not in (${SIGNS.initials}, ${SIGNS.whole}) group by word
    ) c where c.word = d.word`
  await tx`delete from ${tx(dictionary)} where names <= 0`
}
