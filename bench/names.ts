/**
 * Measures the ranked search for names, names.ts, on its largest tables and on a tenth of each: 45,000 advisers, and a
 * million names of filers. The search is called directly, with one query at a time, and all queries differ. Other
 * sections measure the rest of a request.
 */

import { ADVISERS } from '../src/datasets/adv/named.ts'
import { FILERS } from '../src/ingest/filer-names.ts'
import { searchNames, storeNames } from '../src/names.ts'
import type { Sql } from '../src/store/db.ts'
import { freshDatabase } from '../test/support/database.ts'
import { shortOf, WAYS } from '../test/support/names/kinds.ts'
import { quantile, seconds } from './measure.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { part } from './share.ts'
import { generateFilers } from './spine.ts'

const LARGE = { advisers: 45_000, filers: 1_000_000 }
const SMALL = { advisers: 4_500, filers: 100_000 }
/** Number of queries of a kind at each size. */
const QUESTIONS = 60
/** Number of uncounted first queries, which bring pages into memory and compile code. */
const WARMING = 10
const WANTED = 10
const TURNS = 5

const LISTS = { advisers: ADVISERS, filers: FILERS }
type List = keyof typeof LISTS

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const small = await worldOf(scope, SMALL, share)
  const large = await worldOf(scope, LARGE, share)
  const named = (list: List) => `${part(LARGE[list], share).toLocaleString('en-US')} ${list} against a tenth`
  const found = [row('names of filers split into words', large.filling, small.filling, 's', 'ten times as many')]
  for (const list of Object.keys(LISTS) as List[]) {
    const all: NameQueries = { small: [], large: [], smallProcessor: 0, largeProcessor: 0 }
    const ofKinds: Row[] = []
    for (const kind of KINDS) {
      const taken = await ask({ small, large }, list, kind, share)
      all.small.push(...taken.small)
      all.large.push(...taken.large)
      all.smallProcessor += taken.smallProcessor / KINDS.length
      all.largeProcessor += taken.largeProcessor / KINDS.length
      ofKinds.push(
        row(`${named(list)}: ${kind}, p90`, quantile(taken.large, 0.9), quantile(taken.small, 0.9), 'ms', ''),
      )
    }
    const [half, most] = [0.5, 0.99].map((q) => [quantile(all.large, q), quantile(all.small, q)] as const) as [
      Pair,
      Pair,
    ]
    found.push(
      row(`${named(list)}: all kinds, p50`, ...half, 'ms', 'target 1.3'),
      row(`${named(list)}: all kinds, p99`, ...most, 'ms', 'target 25 ms, 1.3'),
      row(
        `${named(list)}: processor time`,
        all.largeProcessor,
        all.smallProcessor,
        'ms',
        'for a question, of the service alone',
      ),
      ...ofKinds,
    )
  }
  return found
}

type Pair = readonly [large: number, small: number]

interface NameQueries {
  /**
   * Milliseconds of each query, the best of its turns: otherwise the 99th percentile would measure other work of the
   * machine.
   */
  small: number[]
  large: number[]
  /** Milliseconds of this process's processor time for each query. */
  smallProcessor: number
  largeProcessor: number
}

/**
 * Sends the queries of a kind to both sizes, alternating query by query, so that other work of the machine affects
 * both.
 */
async function ask(
  worlds: Record<'small' | 'large', World>,
  list: List,
  kind: string,
  share: number,
): Promise<NameQueries> {
  const [questions, warming, turns] = [QUESTIONS, WARMING, TURNS].map((whole) => part(whole, share)) as [
    number,
    number,
    number,
  ]
  const best: Record<'small' | 'large', number[]> = { small: [], large: [] }
  const processor = { small: 0, large: 0 }
  for (let question = 0; question < warming + questions; question++)
    for (let turn = 0; turn < turns; turn++)
      for (const size of ['small', 'large'] as const) {
        const { sql, questions: typed } = worlds[size]
        const before = process.cpuUsage()
        const took = 1000 * (await seconds(() => searchNames(sql, LISTS[list], typed[list][kind]![question]!, WANTED)))
        if (question < warming) continue
        const { user, system } = process.cpuUsage(before)
        processor[size] += (user + system) / 1000 / (questions * turns)
        const at = question - warming
        best[size][at] = Math.min(best[size][at] ?? Number.POSITIVE_INFINITY, took)
      }
  return { ...best, smallProcessor: processor.small, largeProcessor: processor.large }
}

const row = (what: string, ours: number, peer: number, unit: string, note: string): Row => ({
  section: 'names',
  what,
  ours,
  peer,
  unit,
  note,
})

interface World {
  sql: Sql
  questions: Record<List, Record<string, string[]>>
  /** Seconds that the filers' names took. */
  filling: number
}

async function worldOf(scope: Scope, size: typeof LARGE, share: number): Promise<World> {
  const { sql } = await freshDatabase(scope)
  const filling = await seconds(() => generateFilers(sql, part(size.filers, share), 1))
  const names = await sql<{ name: string }[]>`
    select distinct on (hashtext(name), name) name from edgar.filer_name
    where name ~ ' (INC|CORP|LLC|LTD|LP|L.P.|CO)$' order by hashtext(name), name limit ${part(size.advisers, share)}`
  const random = new Random(9)
  await sql.begin((tx) =>
    storeNames(
      tx,
      ADVISERS,
      names.map(({ name }, crd) => {
        const [city, state] = random.pick(PLACES)
        return {
          id: String(crd),
          name,
          kind: 'now',
          importance: String(10 ** (6 + 6 * random.next() ** 2)),
          city,
          state,
        }
      }),
    ),
  )
  await sql`vacuum (analyze) adv.search_name, adv.search_word`
  const filers = await sql<{ name: string }[]>`
    select name from edgar.filer_name order by hashtext(name || cik) limit ${QUESTIONS + WARMING}`
  return { sql, filling, questions: { advisers: questionsOf(names), filers: questionsOf(filers) } }
}

const PLACES = [['NEW YORK', 'NY'], ['CHICAGO', 'IL'], ['BOSTON', 'MA'], ['SAN FRANCISCO', 'CA'], ['FORT WORTH', 'TX'], ['ST LOUIS', 'MO']] as const // biome-ignore format: a table

/** The typed text for a name, by kind. */
const QUERIES: Record<string, (name: string, random: Random) => string> = {
  'one letter': (name) => name.slice(0, 1),
  'two letters': (name) => name.slice(0, 2),
  'as typed so far': (name, random) => shortOf(name).slice(0, 3 + random.below(10)),
  'the whole name': (name) => name,
  'its words in reverse order': (name) => shortOf(name).split(' ').toReversed().join(' '),
  'two words as one': (name, random) => WAYS['two words as one']({ name, ...NOWHERE }, random) ?? name,
  'one word as two': (name, random) => WAYS['one word as two']({ name, ...NOWHERE }, random) ?? name,
  'one letter wrong': (name, random) => WAYS['one letter wrong']({ name, ...NOWHERE }, random) ?? name,
  'two letters wrong': (name, random) => WAYS['two letters wrong']({ name, ...NOWHERE }, random) ?? name,
  'a common word': (_, random) => random.pick(COMMON),
  'two common words': (_, random) => `${random.pick(COMMON)} ${random.pick(COMMON)}`,
  'a common word and a place': (_, random) => `${random.pick(COMMON)} ${random.pick(PLACES)[0].toLowerCase()}`,
  'a legal form': (_, random) => random.pick(['llc', 'inc', 'the', 'lp', 'corp', 'and', 'limited']),
  nonsense: (_, random) => Array.from({ length: 8 }, () => random.pick([...'bcdfghjklmnpqrstvwxz'])).join(''),
}
export const KINDS = Object.keys(QUERIES)
const COMMON = 'capital global energy holdings first american financial partners fund trust john mary management'.split(
  ' ',
)
const NOWHERE = { city: null, state: null }

/** Texts that people type for some of the names, by kind. */
export function questionsOf(names: readonly { name: string }[]): Record<string, string[]> {
  const random = new Random(5)
  const some = Array.from({ length: QUESTIONS + WARMING }, () => random.pick(names).name)
  return Object.fromEntries(KINDS.map((kind) => [kind, some.map((name) => QUERIES[kind]!(name, random))]))
}
