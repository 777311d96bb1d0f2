/**
 * An invented world of advisers: firms, their filings of the last months, and their people. A seed determines the whole
 * world.
 */
import { answersOf, type Character } from './answers.ts'
import { type Answers, type Firm, withTotal } from './firm.ts'
import { firmName } from './names.ts'
import { type People, peopleOf } from './people.ts'
import { FOREIGN, HOME, type Place, STATES } from './places.ts'
import { dayName, dayNumber, Random } from './random.ts'
import { schedulesOf } from './schedules.ts'

export interface AdvOptions {
  firms: number
  people: number
  /** Number of complete months of filings before `day` for which data files are written. */
  months?: number
  /** Day of the feeds. */
  day?: string
  seed?: number
  /** Number of private funds of the first firm. Default: 3,000 in a world of 1,000 firms or more, else 30. */
  largest?: number
}

export interface Filing {
  id: number
  firm: Firm
  day: string
  /** Null if unknown. */
  type: 'initial' | 'annual' | 'other' | 'final' | null
  /** Number of later filings of the firm; 0 for the newest filing, whose answers are in the feed. */
  age: number
}

export interface World {
  day: string
  seed: number
  firms: Firm[]
  /** Filings in date order. */
  filings: Filing[]
  people: People
}

const STREAM = { firm: 101, answers: 102, filings: 103 }

/** CRD numbers of invented firms are above those in real use. */
export const FIRST_CRD = 900_001
const FIRST_FILING = 3_000_000
const MONTHS_MIN = 13

export function makeWorld(options: AdvOptions): World {
  const { firms: count, people, months = MONTHS_MIN, day = '2026-07-23', seed = 1 } = options
  const largest = options.largest ?? (count >= 1_000 ? 3_000 : 30)
  const since = dayNumber(monthBefore(day, Math.max(months, MONTHS_MIN)))
  const filings: Filing[] = []
  const recent = { index: -1, answers: {} }
  const firms = Array.from({ length: count }, (_, index) => {
    const firm = firmAt(index, { seed, people, today: dayNumber(day), largest, recent })
    filings.push(...filingsOf(firm, index, { seed, since, today: dayNumber(day) }))
    return firm
  })
  const order = new Map(firms.map((firm, index) => [firm, index]))
  filings.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : order.get(a.firm)! - order.get(b.firm)!))
  for (const [at, filing] of filings.entries()) filing.id = FIRST_FILING + at
  return { day, seed, firms, filings, people: peopleOf({ seed, count: people, day, firms }) }
}

/** Returns the first day of the month `back` months before that of `day`. */
export function monthBefore(day: string, back: number): string {
  const month = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - back
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`
}

/**
 * Returns the answers of a filing in layers; the first layer that has a column counts. An older filing states 3 % fewer
 * assets than the next newer one.
 */
export function answersThen({ firm, age }: Filing): readonly Answers[] {
  const answers = firm.answers()
  const total = Number(answers['5F2c'] ?? 0)
  return age === 0 || total === 0 ? [answers] : [withTotal(answers, Math.floor(total * 0.97 ** age)), answers]
}

interface Setting {
  seed: number
  people: number
  today: number
  largest: number
  /**
   * The last computed answers: a firm's answers are often requested several times in a row, and answers of 25,000 firms
   * would fill 250 MB.
   */
  recent: { index: number; answers: Answers }
}

/** Shares of the kinds of firms; the remaining firms are registered with states. */
const SEC_SHARE = 0.65
const ERA_SHARE = 0.25

function firmAt(index: number, { seed, people, today, largest, recent }: Setting): Firm {
  const random = new Random(seed, STREAM.firm, index)
  const roll = index === 0 ? 0 : random.next()
  const kind = roll < SEC_SHARE ? 'SEC' : roll < SEC_SHARE + ERA_SHARE ? 'ERA' : 'STATE'
  const place: Place = random.chance(kind === 'STATE' ? 0 : 0.04) ? random.pick(FOREIGN) : random.pick(HOME)
  const crd = FIRST_CRD + index
  const legal = firmName(random)
  const hasFunds = index === 0 || random.chance(kind === 'ERA' ? 0.85 : kind === 'SEC' ? 0.4 : 0.02)
  const funds = index === 0 ? largest : hasFunds ? Math.min(400, Math.ceil(random.skewed(3, 1.1))) : 0
  const fundAssets = Math.round(random.skewed(6e7, 1.2)) * funds
  const character: Character = {
    kind,
    funds,
    fundAssets,
    raum: raumOf(random, kind, fundAssets),
    fundsOnly: index !== 0 && funds > 0 && random.chance(0.6),
    disciplinary: random.chance(0.12),
    webs: random.chance(0.9) ? random.int(1, 3) : 0,
  }
  const answers = () => {
    if (recent.index !== index) {
      recent.index = index
      recent.answers = answersOf(new Random(seed, STREAM.answers, index), character)
    }
    return recent.answers
  }
  const young = random.chance(0.02)
  const registered = young ? today - random.int(5, 120) : random.int(dayNumber('1985-01-02'), today - 400)
  const size = {
    owners: random.int(1, 9),
    branches: index === 0 ? 200 : random.chance(0.25) ? Math.min(800, Math.round(random.skewed(2, 1.2))) : 0,
    disclosures: character.disciplinary ? Math.min(40, Math.ceil(random.skewed(1.5, 1))) : 0,
  }
  const codes = kind === 'ERA' ? [] : [...new Set([place.state ?? 'NY', random.pick(STATES), random.pick(STATES)])]
  const website = `HTTPS://WWW.SAMPLE-${crd}.EXAMPLE`
  const social = `https://www.linkedin.com/company/sample-${crd}`
  return {
    crd,
    kind,
    inStates: kind === 'ERA' && random.chance(0.02),
    secNumber: kind === 'STATE' ? null : `${kind === 'SEC' ? 801 : 802}-${900_001 + index}`,
    region: kind === 'STATE' ? null : random.pick(['NYRO', 'BRO', 'CHRO', 'DRO', 'LARO', 'ARO', 'FWRO', 'MIRO']),
    business: random.chance(0.1) ? legal.replace(/,? (?:LLC|L\.P\.|INC\.|LTD\.)$/, '') : legal,
    legal,
    umbrella: false,
    office: {
      street1: `${random.int(1, 999)} ${random.pick(['MAIN STREET', 'PARK AVENUE', 'STATE STREET', 'MARKET STREET'])}`,
      street2: random.chance(0.5) ? `SUITE ${random.int(100, 4_000)}` : null,
      ...place,
    },
    mailing: null,
    phone: `${random.int(201, 989)}-555-0${random.int(100, 199)}`,
    fax: random.chance(0.2) ? `${random.int(201, 989)}-555-0${random.int(100, 199)}` : null,
    registration: { status: kind === 'ERA' ? 'ACTIVE' : 'APPROVED', day: dayName(registered) },
    states: codes.map((code) => ({ code, status: kind === 'STATE' ? 'APPROVED' : 'FILED', day: dayName(registered) })),
    webs: character.webs > 0 ? [social, website, `${website}/ABOUT`].slice(3 - character.webs) : [],
    filed: dayName(Math.max(registered, dayNumber('2026-01-15'))),
    formVersion: '10/2021',
    withdrawn: null,
    answers,
    schedules: () =>
      schedulesOf({
        seed,
        crd,
        index,
        name: legal,
        place,
        funds,
        fundAssets,
        ...size,
        answers: answers(),
        person: (of) => firstPerson + of.int(0, Math.max(0, people - 1)),
        lastName: (pk) => `PERSON ${String(pk - firstPerson).padStart(6, '0')}`,
      }),
  }
}

const firstPerson = 5_000_000

function raumOf(random: Random, kind: Firm['kind'], fundAssets: number): number | null {
  if (kind === 'ERA') return null
  if (kind === 'STATE') return Math.min(110_000_000, Math.round(random.skewed(2.5e7, 1)))
  if (random.chance(0.015)) return null
  return fundAssets + Math.max(25_000_000, Math.round(random.skewed(3.5e8, 1.8)))
}

interface Span {
  seed: number
  since: number
  today: number
}

/** Makes the firm's filings within the period; sets the date of the newest filing, and of a withdrawal after it. */
function filingsOf(firm: Firm, index: number, { seed, since, today }: Span): Filing[] {
  const random = new Random(seed, STREAM.filings, index)
  const born = dayNumber(firm.registration!.day!)
  const days = new Map<number, NonNullable<Filing['type']>>()
  const year = Number(dayName(today).slice(0, 4))
  for (let of = year - 3; of <= year; of++) {
    const due = dayNumber(`${of}-03-31`)
    // Six of ten firms file in the last two weeks before the due date.
    days.set(due - (random.chance(0.6) ? random.int(0, 14) : random.int(15, 80)), 'annual')
  }
  for (let n = random.int(0, 2); n > 0; n--) days.set(random.int(since, today), 'other')
  for (const day of days.keys()) if (day <= born || day < since || day > today) days.delete(day)
  if (born >= since) days.set(born, 'initial')
  const known = [...days].sort(([a], [b]) => a - b)
  const newest = known.at(-1)
  if (newest) firm.filed = dayName(newest[0])
  if (firm.kind === 'STATE') return []
  if (index % 150 === 149 && newest && newest[0] + 20 < today) {
    firm.withdrawn = dayName(newest[0] + 20)
    if (firm.kind === 'ERA') newest[1] = 'final'
  }
  return known.map(([day, type], at) => ({ id: 0, firm, day: dayName(day), type, age: known.length - 1 - at }))
}
