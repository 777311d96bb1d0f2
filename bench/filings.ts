/**
 * /filings on a generated spine of 500,000 filings and on one ten times as large: no answer is kept, every request asks
 * for something else. What grows with the spine shows in the ratio; the target is 1.5, but for the deep offset.
 */
import type { Sql } from '../src/store/db.ts'
import { freshDatabase } from '../test/database.ts'
import { type Standing, start } from './apart.ts'
import { load } from './load.ts'
import { alternate, median, quantile } from './measure.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { type Served, UNCACHED } from './servers.ts'
import { generateSpine } from './spine.ts'

const SMALL = 500_000
const LARGE = 5_000_000
/** Requests of a kind at each size, in turns of small and large. */
const REQUESTS = 900
const ROUNDS = 3
/** Answered first and not counted: pages come into memory, code is compiled. */
const WARMING = 100

export async function rows(scope: Scope): Promise<Row[]> {
  const small = await spineOf(scope, SMALL)
  const large = await spineOf(scope, LARGE)
  const found: Row[] = []
  for (const kind of Object.keys(small.paths) as Kind[]) {
    await ask(small, kind, 0, WARMING)
    await ask(large, kind, 0, WARMING)
    let turn = 0
    const next = () => WARMING + (Math.floor(turn++ / 2) * REQUESTS) / ROUNDS
    const latencies = await alternate(ROUNDS, {
      small: () => ask(small, kind, next(), REQUESTS / ROUNDS),
      large: () => ask(large, kind, next(), REQUESTS / ROUNDS),
    })
    for (const [name, q] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const) {
      // Of each round, and then the median of the rounds: a stall of the machine is in one of them.
      const at = (size: 'small' | 'large') => median(latencies[size].map((round) => quantile(round, q)))
      found.push(row(`${kind}, ${name}`, at('large'), at('small'), 'ms', DESCRIBED[kind]))
    }
  }
  const memory = { large: await large.server.stop(), small: await small.server.stop() }
  return [...found, row('memory of the server', memory.large, memory.small, 'MB', 'most that the process had')]
}

const DESCRIBED = {
  'family and form': 'target 1.5',
  cik: 'target 1.5',
  'rare name': 'the whole name of a filer; target 1.5',
  'common name': 'a word that stands in thousands of names; target 1.5',
  'common name in its order': 'offset 9,000 to 9,900 of the 10,000 in reach; no target',
  'filters tree': 'or, not, in, between over four fields; target 1.5',
  'offset 100,000': 'no target',
}
type Kind = keyof typeof DESCRIBED

const row = (what: string, large: number, small: number, unit: string, note: string): Row => ({
  section: 'filings',
  what: `5 million against 500,000: ${what}`,
  ours: large,
  peer: small,
  unit,
  note,
})

interface Spine {
  server: Standing<Served>
  paths: Record<Kind, string[]>
}

async function spineOf(scope: Scope, filings: number): Promise<Spine> {
  const { sql, target } = await freshDatabase(scope)
  await generateSpine(sql, filings, 1)
  const paths = await pathsOf(sql)
  const server = await start<Served>(scope, 'servers.ts', 'service', target, UNCACHED)
  return { server, paths }
}

/** One request at a time, so that a latency is that of the answer and not of a queue. */
async function ask({ server, paths }: Spine, kind: Kind, from: number, count: number): Promise<number[]> {
  const asked = paths[kind].slice(from, from + count)
  const bounds = { connections: 1, requestsMax: asked.length, secondsMax: 60 }
  return (await load({ ...server.value, ...bounds, paths: asked })).latenciesMs
}

/** Different requests of each kind, the same for the same spine. */
async function pathsOf(sql: Sql): Promise<Record<Kind, string[]>> {
  const random = new Random(3)
  const forms = await sql<{ family: string; form: string }[]>`
    select family, form_type as form from edgar.coverage where family is not null order by form_type`
  // By filing and not by filer, so that busy filers come as often as people will ask for them.
  const filers = await sql<{ cik: string; name: string }[]>`
    select cik, company_name as name from edgar.filing order by hashtext(accession) limit ${REQUESTS + WARMING}`
  return many(() => {
    const { family, form } = random.pick(forms)
    const year = 2000 + random.below(25)
    const { cik, name } = random.pick(filers)
    return {
      'family and form': { family, form, to: `${year}-12-31` },
      cik: { cik },
      'rare name': { q: name },
      'common name': { q: random.pick(COMMON), to: `${year}-0${1 + random.below(9)}-15` },
      'common name in its order': { q: random.pick(COMMON), sort: 'name', offset: String(9000 + random.below(900)) },
      'filters tree': { filters: JSON.stringify(tree(random, year)) },
      'offset 100,000': { offset: String(100_000 - random.below(5000)) },
    }
  })
}

const COMMON = [
  'capital',
  'global',
  'energy',
  'holding',
  'financial',
  'international',
  'technolog',
  'real',
  'trust',
  'fund',
]

function tree(random: Random, year: number) {
  const forms = random.pick([
    ['10-K', '10-K/A'],
    ['8-K', '6-K', '10-Q'],
    ['S-1', 'S-3', 'S-8'],
    ['4', '3', '5'],
  ])
  const field = (name: string, op: string, value: unknown) => ({ field: name, op, value })
  return {
    and: [
      {
        or: [field('form_type', 'in', forms), field('family', 'eq', random.pick(['formd', 'thirteenf', 'nport']))],
      },
      { not: field('form_type', 'eq', random.pick(['D/A', '10-K/A', '3'])) },
      field('filed_date', 'between', [`${year - 1}-01-01`, `${year}-06-30`]),
    ],
  }
}

function many(make: () => Record<Kind, Record<string, string>>): Record<Kind, string[]> {
  const paths = Object.fromEntries(Object.keys(DESCRIBED).map((kind) => [kind, [] as string[]])) as Record<
    Kind,
    string[]
  >
  for (let i = 0; i < REQUESTS + WARMING; i++) {
    for (const [kind, input] of Object.entries(make())) {
      paths[kind as Kind].push(`/v1/filings?${new URLSearchParams(input)}`)
    }
  }
  return paths
}
