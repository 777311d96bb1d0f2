/**
 * Makes the adviser part of the bundled sample from the tables in this folder:
 *
 *     node test/support/adv/sample.ts
 * writes `sample/reports`. A test fails if the committed files differ from this output.
 */
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { BROCHURES } from './sample-brochures.ts'
import { INVENTED_FILINGS, inventedOn } from './sample-invented.ts'
import { KLEIN_BROCHURES, KLEIN_FILINGS, KLEIN_MONTH, kleinOn, kleinPeopleOn } from './sample-klein.ts'
import { peopleOn } from './sample-people.ts'
import { realOn } from './sample-real.ts'
import { publishBrochures, publishMonth, publishWithdrawals, writeFeeds } from './site.ts'
import type { World } from './world.ts'

/** Days of the feeds; the two differ, so that changes are visible. */
export const DAYS = ['2023-12-29', '2026-07-23'] as const
const LEVEL = 9

/**
 * Months of the sample with their last days; the file of the second month is in cp1252, and only the last month has a
 * real adviser.
 */
const MONTHS = [
  { from: '2018-03-01', to: '2018-03-31', encoding: 'utf8' },
  { from: '2019-03-01', to: '2019-03-31', encoding: 'cp1252' },
  { from: '2019-06-01', to: '2019-06-30', encoding: 'utf8' },
  { ...KLEIN_MONTH, encoding: 'utf8' },
] as const

/**
 * Returns the world as of the feeds of a day. Real firms are in a monthly file only if their schedules are available.
 */
export function sampleOn(day: string): World {
  const people = [...peopleOn(day), ...kleinPeopleOn(day)]
  return {
    day,
    seed: 0,
    firms: [...realOn(day), ...kleinOn(day), ...inventedOn(day)],
    filings: [...INVENTED_FILINGS, ...KLEIN_FILINGS],
    people: { count: people.length, at: (index) => people[index] ?? null, mergers: [], renames: [] },
  }
}

/** Writes the sample's `reports` folder below `root`. */
export async function writeSample(root: string): Promise<void> {
  for (const day of DAYS) await writeFeeds(root, sampleOn(day), { level: LEVEL })
  const { filings, firms } = sampleOn(DAYS.at(-1)!)
  for (const month of MONTHS) {
    const within = (day: string | null) => day !== null && day >= month.from && day <= month.to
    await publishMonth(root, { ...month, filings: filings.filter(({ day }) => within(day)) }, { level: LEVEL })
    const left = firms.filter(({ withdrawn }) => within(withdrawn))
    if (left.length > 0) {
      const withdrawals = left.map((firm) => ({ id: 991_000_001, firm, day: firm.withdrawn! }))
      await publishWithdrawals(root, month, withdrawals)
    }
  }
  for (const { from, brochures } of BROCHURES) await publishBrochures(root, from, brochures)
  await publishBrochures(root, KLEIN_MONTH.from, KLEIN_BROCHURES)
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, '../../../sample')
  await rm(path.join(root, 'reports'), { recursive: true, force: true })
  await writeSample(root)
}
