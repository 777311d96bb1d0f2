/**
 * Measures answers about securities over one quarter of two million positions and over ten such quarters, and the cost
 * of maintaining their rollups. The ratio shows growth with the years; the target is 1.3.
 */
import thirteenf from '../src/datasets/thirteenf/index.ts'
import type { Slice } from '../src/declare/dataset.ts'
import { quarterBefore } from '../src/declare/quarter.ts'
import securities from '../src/products/securities/index.ts'
import type { Sql } from '../src/store/db.ts'
import { within } from '../src/store/path.ts'
import { remake } from '../test/support/refreshed.ts'
import { cikOf, LARGE, LINES, NEWEST, QUARTER, SMALL, type Volume, volume } from './holdings.ts'
import { pageAgainstJson, load as request } from './load.ts'
import { quantile, seconds } from './measure.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { part } from './share.ts'
import { bothSizes, partOf, type Turns } from './turns.ts'

const TURNS: Turns = { requests: 300, rounds: 3, warming: 30 }
/** Number of reports on a day in the season; the last day of the season has ten times as many. */
export const DAY = 200

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const managers = part(QUARTER / LINES, share)
  const day = part(DAY, share)
  const small = await made(await volume(scope, SMALL, managers))
  const large = await made(await volume(scope, LARGE, managers))
  const millions = ({ positions }: Volume) => `${(positions / 1e6).toPrecision(2)} million`
  const row = (what: string, ours: number, peer: number | null, unit: string, note: string): Row => ({
    section: 'securities',
    what: `${millions(large)} positions against ${millions(small)}: ${what}`,
    ours,
    peer,
    unit,
    note,
  })
  const found: Row[] = [
    row(
      'which filings count, of all',
      large.counting,
      small.counting,
      's',
      'all of thirteenf is made; grows with the filings',
    ),
    row(
      'sums of all securities',
      large.summing,
      small.summing,
      's',
      'all of securities is made; grows with the positions',
    ),
  ]
  for (const [what, reports] of [
    [`sums after ${day} new reports`, day],
    ['sums after a whole new quarter', managers],
  ] as const) {
    const at = async ({ sql }: Volume) => refreshed(sql, reports)
    found.push(
      row(what, await at(large), await at(small), 's', 'from the marked keys; must not grow with older quarters'),
    )
  }
  for (const { what, note, pathsOf } of KINDS) {
    const ask = (of: Made, from: number, count: number) => askPaths(of, pathsOf, from, count)
    const latencies = await bothSizes(partOf(TURNS, share), (size, ...some) => ask({ small, large }[size], ...some))
    for (const [name, ours, peer] of latencies) found.push(row(`${what}, ${name}`, ours, peer, 'ms', note))
  }
  const firstBytes: number[] = []
  for (const [what, page, json] of PAGES) {
    const paths = { page: page(large), json: json(large) }
    const { ours, peer, firstBytesMs } = await pageAgainstJson(large.server.value, paths, pageBounds(share))
    firstBytes.push(...firstBytesMs)
    const name = `${millions(large)} positions: page of ${what}, p50`
    found.push({ ...row('', ours, peer, 'ms', 'its JSON; target 3'), what: name })
  }
  for (const [name, q, note] of FIRST_BYTES) {
    const what = `${millions(large)} positions: first byte of these pages, ${name}`
    found.push({ ...row('', quantile(firstBytes, q), null, 'ms', note), what })
  }
  await large.server.stop()
  await small.server.stop()
  return found
}

const FIRST_BYTES = [
  ['p50', 0.5, 'target 50 ms'],
  ['p99', 0.99, 'target 250 ms'],
] as const

const pageBounds = (share: number) => ({
  rounds: part(TURNS.rounds, share),
  requestsMax: part(20, share),
  secondsMax: 120,
})

/** Pages, each with the address of its JSON. */
const PAGES: readonly (readonly [what: string, page: (of: Made) => string, json: (of: Made) => string])[] = [
  ['the most-held security', ({ most }) => `/security/${most}`, ({ most }) => `/v1/adv/securities/${most}`],
  ['a manager', () => `/manager/${cikOf(7)}`, () => `/v1/thirteenf/managers/by-cik/${cikOf(7)}/holdings`],
]

interface Made extends Volume {
  /** Seconds that it takes to make the rollups. */
  counting: number
  summing: number
  cusips: string[]
}

async function made(of: Volume): Promise<Made> {
  const make = (slice: Slice) =>
    seconds(() => of.sql.begin((tx) => within(tx, slice.slug, () => slice.refresh!.make(tx, null))))
  const counting = await make(thirteenf)
  await of.sql`analyze thirteenf.counted`
  const summing = await make(securities)
  await of.sql`vacuum analyze`
  return { ...of, counting, summing, cusips: await cusipsOf(of.sql) }
}

/** A thousand securities, the same each time. */
export async function cusipsOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ cusip: string }[]>`
    select cusip from securities.security where cusip is not null order by md5(cusip) limit 1000`
  return rows.map(({ cusip }) => cusip)
}

type Holdings = Pick<Made, 'server' | 'most' | 'cusips'>

/** Milliseconds of each request, one after the other. */
export async function askPaths(of: Holdings, pathsOf: Kind['pathsOf'], from: number, count: number): Promise<number[]> {
  const paths = pathsOf(of, new Random(from), count)
  const bounds = { connections: 1, requestsMax: count, secondsMax: 300 }
  return (await request({ ...of.server.value, ...bounds, paths })).latenciesMs
}

/**
 * Returns seconds of a refresh after a number of new reports of the newest quarter. The reports are first hidden, as if a
 * later filing had replaced them.
 */
export async function refreshed(sql: Sql, reports: number): Promise<number> {
  const ciks = Array.from({ length: reports }, (_, manager) => cikOf(manager))
  const before = quarterBefore(NEWEST)
  const refresh = () =>
    remake(
      sql,
      securities,
      ciks.map((cik) => `f13 of ${cik} ${NEWEST}`),
    )
  const show = async (isShown: boolean) => {
    await sql`
      update thirteenf.counted set until = case when ${isShown} then null else filed_date end, is_newest = ${isShown}
      where quarter = ${NEWEST} and cik = any(${ciks})`
    await sql`
      update thirteenf.counted set is_newest = ${!isShown} where quarter = ${before} and cik = any(${ciks})`
  }
  await show(false)
  await refresh()
  await show(true)
  return seconds(refresh)
}

const TARGET = 'target 1.3'
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
interface Kind {
  what: string
  note: string
  pathsOf: (of: Holdings, random: Random, count: number) => string[]
}

export const KINDS: readonly Kind[] = [
  {
    what: 'the most-held security',
    note: `its sums and 50 largest holders; ${TARGET}`,
    pathsOf: ({ most }, _, count) => Array.from({ length: count }, () => `/v1/adv/securities/${most}`),
  },
  {
    what: 'any security',
    note: TARGET,
    pathsOf: ({ cusips }, random, count) =>
      Array.from({ length: count }, () => `/v1/adv/securities/${random.pick(cusips)}`),
  },
  {
    what: 'holders of the most-held security with changes',
    note: 'only the larger size has the quarter before to compare with; no target',
    pathsOf: ({ most }, _, count) => Array.from({ length: count }, () => `/v1/adv/securities/${most}/holders`),
  },
  {
    what: 'search',
    note: `by value, number and name, in turns; ${TARGET}`,
    pathsOf: ({ cusips }, random, count) =>
      Array.from({ length: count }, (_, at) => {
        const q = [
          null,
          random.pick(cusips),
          `generated issuer ${random.below(9_000)}`,
          `gener ${random.below(99)}`,
          random.pick([...LETTERS]),
        ][at % 5]
        return `/v1/adv/securities${q === null ? `?offset=${random.below(100)}` : `?q=${encodeURIComponent(q!)}`}`
      }),
  },
  {
    what: 'the most bought securities',
    note: 'one page; the smaller has no quarter before, so nothing is compared; no target',
    pathsOf: (_, __, count) => Array.from({ length: count }, () => '/v1/thirteenf/movers'),
  },
]
