/**
 * Writes a small or big copy of reports.adviserinfo.sec.gov into a folder: invented advisers, their filings and their
 * people in the publisher's formats. The same seed gives the same bytes.
 *
 *     node test/support/adv/host.ts --root FOLDER --firms 25000 --people 440000 --months 13 --seed 1 --day 2026-07-23
 */
import { parseArgs } from 'node:util'
import type { MonthFacts, Withdrawal } from './month.ts'
import type { Merger, Rename } from './people.ts'
import { type FeedFacts, monthsOf, publishMonth, publishWithdrawals, writeFeeds } from './site.ts'
import { type AdvOptions, makeWorld, type World } from './world.ts'

export * from './changes.ts'
export type { Answers, Firm } from './firm.ts'
export type { Month, MonthFacts, MonthOptions } from './month.ts'
export type { Person } from './people.ts'
export * from './site.ts'
export { type AdvOptions, answersThen, type Filing, makeWorld, type World } from './world.ts'

export interface GenerateOptions extends AdvOptions {
  /** Folder to write into, which becomes the root of the site. */
  root: string
}

/** The facts that were written, for comparison with answers. */
export interface AdvFacts extends FeedFacts {
  months: MonthFacts[]
  withdrawals: { file: string; from: string; to: string; lines: number; bytes: number }[]
  /** The firm with the most private funds, and the newest filing of this firm in the written months. */
  largest: { crd: number; funds: number; filing: number | null }
  mergers: readonly Merger[]
  renames: readonly Rename[]
}

/** Writes feeds, months and withdrawals of a world that is generated from the seed. */
export async function generateAdv({
  root,
  months = 13,
  ...options
}: GenerateOptions): Promise<AdvFacts & { world: World }> {
  const world = makeWorld({ months, ...options })
  const feeds = await writeFeeds(root, world)
  const facts: AdvFacts = {
    ...feeds,
    months: [],
    withdrawals: [],
    largest: { crd: world.firms[0]!.crd, funds: world.firms[0]!.schedules().funds.length, filing: null },
    mergers: world.people.mergers,
    renames: world.people.renames,
  }
  for (const month of monthsOf(world, months)) {
    facts.months.push(await publishMonth(root, month))
    facts.largest.filing = month.filings.findLast(({ firm }) => firm === world.firms[0])?.id ?? facts.largest.filing
    const left = withdrawalsOf(world).filter(({ day }) => day >= month.from && day <= month.to)
    if (left.length > 0) facts.withdrawals.push(await publishWithdrawals(root, month, left))
  }
  return { ...facts, world }
}

/** Generates withdrawals of registered advisers; exempt advisers file a final report instead. */
function withdrawalsOf({ firms }: World): Withdrawal[] {
  return firms
    .filter(({ withdrawn, kind }) => withdrawn !== null && kind === 'SEC')
    .map((firm) => ({ id: 4_000_000 + firm.crd, firm, day: firm.withdrawn! }))
}

async function main(): Promise<void> {
  const string = { type: 'string' } as const
  const options = { root: string, firms: string, people: string, months: string, seed: string, day: string } as const
  const { root, day, ...numbers } = parseArgs({ options }).values
  if (root === undefined) throw new Error('--root is needed')
  const [firms = 25_000, people = 440_000, months = 13, seed = 1] = (
    ['firms', 'people', 'months', 'seed'] as const
  ).map((name) => (numbers[name] === undefined ? undefined : Number(numbers[name])))
  const { world: _, ...facts } = await generateAdv({ root, firms, people, months, seed, ...(day ? { day } : {}) })
  process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`)
}

if (import.meta.main) await main()
