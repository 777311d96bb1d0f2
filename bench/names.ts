/**
 * The ranked search for names, core/names.ts, on its largest tables and on a tenth of each: 45,000 advisers, and a million names
 * of filers. Asked directly, one question at a time, no two alike: what a request costs besides is in the other sections.
 */
import type { Sql } from '../src/core/db.ts'
import { FILERS } from '../src/core/edgar/filer-names.ts'
import { searchNames, storeNames } from '../src/core/names.ts'
import { ADVISERS } from '../src/datasets/adv/named.ts'
import { freshDatabase } from '../test/database.ts'
import { shortOf, WAYS } from '../test/names/kinds.ts'
import { alternate, median, quantile, seconds } from './measure.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { generateFilers } from './spine.ts'

const LARGE = { advisers: 45_000, filers: 1_000_000 }
const SMALL = { advisers: 4_500, filers: 100_000 }
/** Questions of a kind at each size, in turns of small and large. */
const QUESTIONS = 60
const ROUNDS = 3
/** Asked first and not counted: pages come into memory, code is compiled. */
const WARMING = 10
const WANTED = 10
const TURNS = 3

const LISTS = { advisers: ADVISERS, filers: FILERS }
type List = keyof typeof LISTS

export async function rows(scope: Scope): Promise<Row[]> {
  const small = await worldOf(scope, SMALL)
  const large = await worldOf(scope, LARGE)
  const found = [row('names of filers taken apart', large.filling, small.filling, 's', 'ten times as many')]
  for (const list of Object.keys(LISTS) as List[]) {
    const sizes = { small: small.questions[list], large: large.questions[list] }
    const all = { small: [] as number[][], large: [] as number[][] }
    const processor = { small: [] as number[], large: [] as number[] }
    const ofKinds: Row[] = []
    for (const kind of KINDS) {
      const ask = (world: World, from: number, to: number) => times(world.sql, list, sizes[world === small ? 'small' : 'large'][kind]!.slice(from, to)) // biome-ignore format: one line
      for (const world of [small, large]) await ask(world, 0, WARMING)
      let turn = 0
      const next = async (world: World) => {
        const from = WARMING + (Math.floor(turn++ / 2) * QUESTIONS) / ROUNDS
        const before = process.cpuUsage()
        const taken = await ask(world, from, from + QUESTIONS / ROUNDS)
        const { user, system } = process.cpuUsage(before)
        processor[world === small ? 'small' : 'large'].push((user + system) / 1000 / (taken.length * TURNS))
        return taken
      }
      const taken = await alternate(ROUNDS, { small: () => next(small), large: () => next(large) })
      for (const size of ['small', 'large'] as const)
        for (const [at, round] of taken[size].entries()) all[size][at] = [...(all[size][at] ?? []), ...round]
      ofKinds.push(row(`${named(list)}: ${kind}, p90`, at(taken.large, 0.9), at(taken.small, 0.9), 'ms', ''))
    }
    found.push(
      row(`${named(list)}: all kinds, p50`, at(all.large, 0.5), at(all.small, 0.5), 'ms', 'target 1.3'),
      row(`${named(list)}: all kinds, p99`, at(all.large, 0.99), at(all.small, 0.99), 'ms', 'target 25 ms, 1.3'),
      row(
        `${named(list)}: processor time`,
        mean(processor.large),
        mean(processor.small),
        'ms',
        'a question, of the service alone',
      ),
      ...ofKinds,
    )
  }
  return found
}

const named = (list: List) => `${LARGE[list].toLocaleString('en-US')} ${list} against a tenth`
/** Of each round, and then the median of the rounds: a stall of the machine is in one of them. */
const at = (rounds: readonly number[][], q: number) => median(rounds.map((round) => quantile(round, q)))

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

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

async function worldOf(scope: Scope, size: typeof LARGE): Promise<World> {
  const { sql } = await freshDatabase(scope)
  const filling = await seconds(() => generateFilers(sql, size.filers, 1))
  const names = await sql<{ name: string }[]>`
    select distinct on (hashtext(name), name) name from edgar.filer_name
    where name ~ ' (INC|CORP|LLC|LTD|LP|L.P.|CO)$' order by hashtext(name), name limit ${size.advisers}`
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

/** Milliseconds that each question takes, the best of some turns: the 99th of a hundred is else what the machine did besides. */
async function times(sql: Sql, list: List, typed: readonly string[]): Promise<number[]> {
  const taken: number[] = []
  for (const text of typed) {
    let best = Number.POSITIVE_INFINITY
    for (let turn = 0; turn < TURNS; turn++) {
      const took = await seconds(() => searchNames(sql, LISTS[list], text, WANTED))
      best = Math.min(best, 1000 * took)
    }
    taken.push(best)
  }
  return taken
}

/** What is typed for a name, by kind. */
const ASKED: Record<string, (name: string, random: Random) => string> = {
  'one letter': (name) => name.slice(0, 1),
  'two letters': (name) => name.slice(0, 2),
  'as it is typed': (name, random) => shortOf(name).slice(0, 3 + random.below(10)),
  'the whole name': (name) => name,
  'its words the other way round': (name) => shortOf(name).split(' ').toReversed().join(' '),
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
const KINDS = Object.keys(ASKED)
const COMMON = 'capital global energy holdings first american financial partners fund trust john mary management'.split(
  ' ',
)
const NOWHERE = { city: null, state: null }

function questionsOf(names: readonly { name: string }[]): Record<string, string[]> {
  const random = new Random(5)
  const some = Array.from({ length: QUESTIONS + WARMING }, () => random.pick(names).name)
  return Object.fromEntries(KINDS.map((kind) => [kind, some.map((name) => ASKED[kind]!(name, random))]))
}
