/**
 * Real advisers of the bundled sample, with all facts of their record in the SEC's daily feed. A record applies from
 * its filing date on; records of 2022 and 2023 have only the first web address.
 */
import { readFileSync } from 'node:fs'
import type { Address, Firm } from './firm.ts'
import { facts, marks } from './given.ts'

/** A record as in sample-real.json, without values that the feed leaves blank. */
interface Recorded {
  crd: number
  sec: string
  region: string
  business: string
  legal: string
  umbrella: string
  /** Two lines of the street, city, state, country, postal code. */
  office: Place
  mailing?: Place
  phone?: string
  fax?: string
  status: string
  registered: string
  /** States with the dates of their notice filings: `AL19921028 AK19971121`. */
  notices?: string
  filed: string
  form: string
  webs?: string[]
  /** Answers to Part 1A by column; answers of consecutive questions are in `marks`, answers with blanks in `texts`. */
  facts: string
  marks: string
  texts: Record<string, string>
}

type Place = [street1: string | null, street2: string | null, ...rest: (string | null)[]]

const RECORDS: readonly Recorded[] = JSON.parse(readFileSync(new URL('sample-real.json', import.meta.url), 'utf8'))

/** CRD numbers of all real advisers here; the adviser of sample-klein.ts is not in that feed. */
export const REAL: ReadonlySet<number> = new Set(RECORDS.map(({ crd }) => crd))

/** Returns each adviser with the newest record that a feed of `day` can have. */
export function realOn(day: string): Firm[] {
  const newest = new Map<number, Recorded>()
  for (const record of RECORDS) {
    const known = newest.get(record.crd)
    if (record.filed <= day && (known === undefined || known.filed < record.filed)) newest.set(record.crd, record)
  }
  return [...newest.values()].map(firmOf)
}

const none = { lines: {}, funds: [] }

function firmOf(record: Recorded): Firm {
  const answers = { ...facts(record.facts), ...marks(record.marks), ...record.texts }
  return {
    crd: record.crd,
    kind: 'SEC',
    secNumber: record.sec,
    region: record.region,
    business: record.business,
    legal: record.legal,
    umbrella: record.umbrella === 'Y',
    office: address(record.office),
    mailing: record.mailing ? address(record.mailing) : null,
    phone: record.phone ?? null,
    fax: record.fax ?? null,
    registration: { status: record.status, day: record.registered },
    states: (record.notices ?? '').split(' ').filter(Boolean).map(notice),
    webs: record.webs ?? [],
    filed: record.filed,
    formVersion: record.form,
    withdrawn: null,
    answers: () => answers,
    schedules: () => none,
  }
}

function address([street1, street2, city = null, state = null, country = null, postal = null]: Place): Address {
  return { street1, street2, city, state, country, postal }
}

function notice(text: string): Firm['states'][number] {
  const [, code, year, month, date] = /^(..)(\d{4})(\d\d)(\d\d)$/.exec(text)!
  return { code: code!, status: 'FILED', day: `${year}-${month}-${date}` }
}
