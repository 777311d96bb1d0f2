/**
 * The ranked search: finds the names that a person may mean, best first. It reads streams of names, each from one index
 * and in the order of importance. It reads only as many names as can be among the best. names/score.ts judges how well
 * each name matches. Corrections of mistyped words, and of several words written as one, are looked up only on one
 * condition: the names found without them are weaker than a corrected match could be.
 */
import type { Sql } from '../store/db.ts'
import { countsOf, KNOWN_MIN, nearWords, splitsOf } from './dictionary.ts'
import { bandsOf, type Named, type NameKind, weightOf } from './named.ts'
import { type Beginnings, type Counts, mayBeMet, TESTED_MAX, type WordsQuery, wholeQuery, wordsQuery } from './query.ts'
import { candidateOf, INITIALS_MIN, type Near, quality } from './score.ts'
import { BEGINS_MIN, WAYS, WHOLE_MIN, WRONG_MAX } from './signals.ts'
import { lexeme, SIGNS } from './stored.ts'
import {
  cutReading,
  isFormAlone,
  joinings,
  plainReading,
  type Reading,
  readingsOf,
  requiredOf,
  shorterReadings,
  splitReading,
  type TypedWord,
  withoutHalfAnd,
} from './typed.ts'

/**
 * How many names of a stream are read at first: READ_EACH for each wanted name, and READ_LEAST more. If these names may
 * not be enough, READ_MORE times as many are read, until more than READ_MAX names have been read.
 */
const READ_EACH = 4
const READ_LEAST = 40
const READ_MORE = 3
const READ_MAX = 500

/** If names need no test, this many names are read for each wanted name. */
const UNTESTED_EACH = 4

/**
 * Minimum number of letters in each part of a mistyped word that was typed as two words. If one part had fewer letters,
 * the other part alone would already be close to the word.
 */
const JOINED_MIN = 3

/** Names to be read, and the best quality that an unread name of the stream can reach. */
interface Stream {
  query: WordsQuery
  best: number
}

interface Row {
  stream: number
  id: string
  key: string
  kind: NameKind
  place: string | null
  importance: number
}

type Matches = Map<string, Ranked>

interface Ranked {
  /** How well the name matches; `score` adds the weight of the name's owner. */
  quality: number
  score: number
  importance: number
  kind: NameKind
}

/**
 * Finds the names that a person who types this text may mean, and returns the keys of their owners, best first. Finds
 * nothing for text that is neither a name nor close to a name.
 */
export async function searchNames(sql: Sql, named: Named, typed: string, limit: number): Promise<string[]> {
  return (await scoredNames(sql, named, typed, limit)).map(({ id }) => id)
}

/**
 * Does the same as `searchNames`, and also returns scores, so that results of several tables can be sorted together.
 *
 * @param how `asTyped` leaves out the corrections, which take longer than the rest of the search. It is meant for
 *   callers that search other tables too
 */
export async function scoredNames(
  sql: Sql,
  named: Named,
  typed: string,
  limit: number,
  how: { asTyped?: boolean } = {},
): Promise<Scored[]> {
  const plain = plainReading(typed)
  if (plain.length === 0) return []
  return ranked(sql, named, plain, limit, how.asTyped ?? false)
}

export interface Scored extends Ranked {
  id: string
}

async function ranked(sql: Sql, named: Named, plain: Reading, limit: number, asTyped = false): Promise<Scored[]> {
  const found: Matches = new Map()
  const { readings, counts, beginnings } = await known(sql, named, readingsOf(plain))
  const { hasPlaces } = named
  const exact = { query: { indexed: wholeQuery(readings, { exact: true }), tested: null }, best: WAYS.full.weight }
  const begins = { query: { indexed: wholeQuery(readings, { exact: false }), tested: null }, best: WAYS.begins.weight }
  const isAnyMet = (word: TypedWord, at: number) => mayBeMet(word, { counts, isFirst: at === 0, hasPlaces })
  const words = readings
    .filter((reading) => !isFormAlone(reading) && (counts.size === 0 || requiredOf(reading).every(isAnyMet)))
    .map((reading) => ({
      query: wordsQuery(reading, { counts, beginnings, hasPlaces }),
      best: bestOf(reading, counts),
    }))
  await read(sql, named, { streams: [exact, begins, ...words], readings, limit, found })
  if (asTyped) return scoresOf(found, limit)
  const heaviest = weightOf(named, Number.POSITIVE_INFINITY)
  if (!isFormAlone(plain) && worst(found, limit) < WRONG_MAX + heaviest) {
    // If a single word was typed, no names have been counted yet.
    const counted = counts.size > 0 ? { counts, beginnings } : await countsOf(sql, named, plain)
    for (const doubtful of doubtfulOf(plain, counted.counts, found)) {
      if (found.size > 0 && doubtful.isLast) break
      const other = await corrected(sql, named, plain, doubtful.words, counted)
      if (other.streams.length > 0) await read(sql, named, { ...other, limit, found })
    }
  }
  const before = found.size === 0 ? withoutHalfAnd(plain) : null
  if (before) return ranked(sql, named, before, limit)
  if (found.size === 0) await withoutOneWord(sql, named, plain, counts, limit, found)
  return scoresOf(found, limit)
}

/** If nothing was found, finds the names that begin with all typed words except one. */
async function withoutOneWord(sql: Sql, named: Named, plain: Reading, counts: Counts, limit: number, found: Matches) {
  const isPlace = ({ text }: TypedWord) => counts.has(SIGNS.place + text)
  const isKnown = (word: TypedWord) => counts.has(word.text) || counts.has(word.spelled) || isPlace(word)
  const readings = shorterReadings(plain, isKnown, isPlace)
  if (readings.length === 0) return
  const query = { indexed: wholeQuery(readings, { exact: false }), tested: null }
  await read(sql, named, { streams: [{ query, best: WAYS.begins.weight }], readings, limit, found })
}

/** Returns the best quality that a name can have if it neither equals the typed text nor begins with this text. */
function bestOf(reading: Reading, counts: Counts): number {
  const words = requiredOf(reading)
  const [first, second] = words
  const isPlace = ({ text, spelled }: TypedWord) => counts.has(SIGNS.place + text) || counts.has(SIGNS.place + spelled)
  if (second) return words.some(isPlace) ? WAYS.exact.weight : WAYS.leads.weight
  if (first!.isInitials) return WAYS.apart.weight
  return first!.text.length > INITIALS_MIN ? WAYS.initials.weight : WAYS.ends.weight
}

/** Returns the readings that names can match, and for each word of the readings the number of names that have it. */
async function known(
  sql: Sql,
  named: Named,
  all: readonly Reading[],
): Promise<{ readings: Reading[]; counts: Counts; beginnings: Beginnings }> {
  const [plain, ...others] = all as [Reading, ...Reading[]]
  if (plain.length === 1 && others.length === 0) return { readings: [plain], counts: new Map(), beginnings: new Map() }
  const { counts, beginnings } = await countsOf(
    sql,
    named,
    [...plain, ...others.flat().filter(({ isOpen }) => isOpen)],
    others.flat().map(({ text }) => text),
  )
  const has = ({ text, spelled }: TypedWord) => (counts.get(text) ?? 0) + (counts.get(spelled) ?? 0) > 0
  const possible = others.filter((reading) => reading.every((word) => has(word) || word.isOpen))
  return { readings: [cutReading(plain, (word) => !has(word)), ...possible], counts, beginnings }
}

/**
 * Returns the words that may be mistyped. They are unknown words, which no name has, and other rare words, which few
 * names have. If there are words of both kinds, the unknown words are corrected first, and all rare words only if
 * nothing has been found by then. If several words were typed and a name consists of exactly these words, no word is
 * treated as mistyped. If one of the words is unknown, it is enough that a name begins with all of the words. Such a
 * match is not by chance: "man agement" is meant as one word.
 */
function doubtfulOf(plain: Reading, counts: Counts, found: Readonly<Matches>) {
  const words = requiredOf(plain)
  const rare = words.filter(({ text }) => (counts.get(text) ?? 0) < KNOWN_MIN)
  const unknown = words.filter(({ text, spelled }) => !counts.has(text) && !counts.has(spelled))
  const enough = unknown.length > 0 ? BEGINS_MIN : WHOLE_MIN
  if (words.length > 1 && [...found.values()].some(({ quality }) => quality >= enough)) return []
  if (unknown.length === 0 || unknown.length === rare.length) return [{ words: rare, isLast: false }]
  return [
    { words: unknown, isLast: false },
    { words: rare, isLast: true },
  ]
}

/**
 * Returns streams of names that have a correction of a mistyped word, or the parts of words that were written as one.
 */
async function corrected(
  sql: Sql,
  named: Named,
  plain: Reading,
  doubtful: readonly TypedWord[],
  { counts, beginnings }: { counts: Counts; beginnings: Beginnings },
) {
  const joined = joinings(plain).flatMap((reading, at) => {
    const parts = plain.slice(at, at + 2)
    const isMeant = parts.some(({ text }) => !counts.has(text)) && parts.every(({ text }) => text.length >= JOINED_MIN)
    return isMeant ? [{ reading, word: reading[at]! }] : []
  })
  const [{ near, counts: nearCounts }, splits] = await Promise.all([
    nearWords(sql, named, [...doubtful, ...joined.map(({ word }) => word)], requiredOf(plain).length === 1),
    splitsOf(sql, named, doubtful),
  ])
  // Both parts of "theand" are ignored words, so no word is left that a name must have.
  const readings = splits.ways
    .map(({ word, parts }) => splitReading(plain, plain.indexOf(word), parts))
    .filter((reading) => requiredOf(reading).length > 0)
  const { hasPlaces } = named
  const all = new Map([...counts, ...nearCounts, ...splits.counts])
  const streams: Stream[] = readings.map((reading) => ({
    query: wordsQuery(reading, { counts: all, beginnings, hasPlaces }),
    best: bestOf(reading, all),
  }))
  const cut = doubtful.some(({ text }) => near.has(text)) ? [cutReading(plain, (word) => doubtful.includes(word))] : []
  const nearJoined = joined.flatMap(({ reading, word }) => (near.has(word.text) ? [reading] : []))
  for (const reading of [...cut, ...nearJoined]) {
    streams.push({ query: wordsQuery(reading, { counts: all, beginnings, near, hasPlaces }), best: WRONG_MAX })
    readings.push(reading)
  }
  return { streams, readings, near }
}

interface Wanted {
  streams: readonly Stream[]
  readings: readonly Reading[]
  near?: Near
  limit: number
  found: Matches
}

/** Reads the streams until no unread name of a stream can be among the `limit` best names. */
async function read(sql: Sql, named: Named, { streams, readings, near, limit, found }: Wanted): Promise<void> {
  let left = streams
  for (let most = READ_EACH * limit + READ_LEAST; left.length > 0; most *= READ_MORE) {
    const rows = await rowsOf(sql, named, left, most)
    for (const row of rows) judge(named, row, readings, near, found)
    if (most > READ_MAX) return
    const enough = worst(found, limit)
    left = left.filter(({ best }, at) => {
      const own = rows.filter(({ stream }) => stream === at)
      return own.length === most && best + weightOf(named, own.at(-1)!.importance) > enough
    })
  }
}

/**
 * Reads the most important names of each stream, in order. One statement reads all streams, so that it is planned once:
 * with a statement for each stream, planning took half of the time.
 */
async function rowsOf(sql: Sql, named: Named, streams: readonly Stream[], most: number): Promise<Row[]> {
  const columns = `${named.key} as id, key, kind, ${named.hasPlaces ? 'place' : 'null as place'}, coalesce(${named.importance}, 0)::float8 as importance`
  // `|| ''` makes PostgreSQL test the words of the row, which have positions, and keeps PostgreSQL from using the index
  // for the condition.
  const bands = bandsOf(named).map(
    (band) => `(select id, key, kind, place, importance
      from (select ${columns}, words from ${named.table} where band = ${band} and words @@ s.indexed
        limit case when s.tested is null then $3 * ${UNTESTED_EACH} else ${TESTED_MAX} end) met
      where s.tested is null or (words || '') @@ s.tested order by importance desc limit $3)`,
  )
  const text = `
    select s.stream - 1 as stream, n.* from unnest($1::text[]::tsquery[], $2::text[]::tsquery[]) with ordinality s (indexed, tested, stream)
    cross join lateral (select * from (${bands.join(' union all ')}) in_bands limit $3) n`
  const { among } = named
  const indexed = ({ query }: Stream) => (among ? `(${query.indexed}) & ${lexeme(among)}` : query.indexed)
  const values = [streams.map(indexed), streams.map(({ query }) => query.tested), most]
  return sql.unsafe<Row[]>(text, values as never[], { prepare: true })
}

function judge(named: Named, row: Row, readings: readonly Reading[], near: Near | undefined, found: Matches) {
  const name = candidateOf(row.key, row.kind, row.place ?? '')
  let most: number | null = null
  for (const reading of readings) {
    const own = quality(reading, name, near)
    if (own !== null && own > (most ?? Number.NEGATIVE_INFINITY)) most = own
  }
  if (most === null) return
  const score = most + weightOf(named, row.importance)
  if (score > (found.get(row.id)?.score ?? Number.NEGATIVE_INFINITY))
    found.set(row.id, { quality: most, score, importance: row.importance, kind: row.kind })
}

const scoresOf = (found: Readonly<Matches>, limit: number): Scored[] =>
  best(found, limit).map(([id, ranked]) => ({ id, ...ranked }))

function best(found: Readonly<Matches>, limit: number): [string, Ranked][] {
  const order = ([a, one]: [string, Ranked], [b, other]: [string, Ranked]) =>
    other.score - one.score || other.importance - one.importance || (a < b ? -1 : 1)
  return [...found].sort(order).slice(0, limit)
}

/**
 * Returns the score that a further name must exceed to be among the wanted names. While fewer names than wanted are
 * found, any score is enough.
 */
const worst = (found: Readonly<Matches>, limit: number) =>
  best(found, limit)[limit - 1]?.[1].score ?? Number.NEGATIVE_INFINITY
