/**
 * The adviser part of the bundled sample, out of the tables beside this file:
 *
 *     node test/adv/sample.ts
 *
 * writes `sample/reports`. A test fails while the committed files differ from what this writes.
 */
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { INVENTED, INVENTED_FILINGS } from './sample-invented.ts'
import { PEOPLE } from './sample-people.ts'
import { REAL, REAL_FILINGS } from './sample-real.ts'
import { publishMonth, publishWithdrawals, writeFeeds } from './site.ts'
import type { Filing, World } from './world.ts'

const DAY = '2026-07-23'
const LEVEL = 9

/**
 * Numbers of real firms' filings are ours: those they have are not at hand. They leave 1 when divided by three, so that
 * their days come without a time, which is not at hand either.
 */
const filingOf = (crd: number): Filing => {
  const firm = REAL.find((known) => known.crd === crd)!
  return { id: 900_000_001 + 3 * crd, firm, day: firm.filed, type: null, age: 0 }
}

/** Months of the sample with their last days; the second is in cp1252. */
const MONTHS = [
  { from: '2025-03-01', to: '2025-03-31', encoding: 'utf8' },
  { from: '2025-06-01', to: '2025-06-30', encoding: 'cp1252' },
  { from: '2026-03-01', to: '2026-03-31', encoding: 'utf8' },
  { from: '2026-06-01', to: '2026-06-30', encoding: 'utf8' },
] as const

export const SAMPLE: World = {
  day: DAY,
  seed: 0,
  firms: [...REAL, ...INVENTED],
  filings: [...REAL_FILINGS.map(filingOf), ...INVENTED_FILINGS],
  people: { count: PEOPLE.length, at: (index) => PEOPLE[index] ?? null, mergers: [], renames: [] },
}

/** Writes the sample's `reports` folder below `root`. */
export async function writeSample(root: string): Promise<void> {
  await writeFeeds(root, SAMPLE, { level: LEVEL })
  for (const month of MONTHS) {
    const filings = SAMPLE.filings.filter(({ day }) => day >= month.from && day <= month.to)
    await publishMonth(root, { ...month, filings }, { level: LEVEL })
    const left = SAMPLE.firms.flatMap((firm) => {
      const { withdrawn: day } = firm
      return day !== null && day >= month.from && day <= month.to ? [{ id: 991_000_001, firm, day }] : []
    })
    if (left.length > 0) await publishWithdrawals(root, month, left)
  }
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, '../../sample')
  await rm(path.join(root, 'reports'), { recursive: true, force: true })
  await writeSample(root)
}
