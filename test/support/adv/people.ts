/**
 * Invented people of the individual feed, each generated from its number on request, so that 440,000 people need no
 * memory.
 */
import type { Address, Firm } from './firm.ts'
import { dayName, dayNumber, Random } from './random.ts'

export interface Person {
  pk: number
  first: string
  middle: string | null
  last: string
  suffix: string | null
  /** A state action that is still in force. */
  agency: boolean
  otherNames: { first: string; last: string }[]
  current: Employment[]
  previous: Registration[]
  /** Employment as the person reported it, without CRD numbers. */
  history: { from: string; to: string | null; name: string; city: string | null; state: string | null }[]
  exams: { code: string; name: string; day: string }[]
  designations: string[]
  business: string | null
  /** Kinds of disclosures, as the feed names them: `CustComp`. */
  disclosures: string[]
}

export interface Employment {
  crd: number
  name: string
  office: Address
  /** The date is null if unknown. */
  registrations: { regulator: string; category: string; status: string; day: string | null }[]
}

/** A registration that ended. */
export interface Registration {
  crd: number
  name: string
  begin: string
  end: string
  city: string | null
  state: string | null
}

/** A merger: many people who moved from one firm to another on one day. */
export interface Merger {
  from: { crd: number; name: string }
  to: { crd: number; name: string }
  day: string
  people: number
}

/** A rename: a firm whose people were registered again when the firm took another name. */
export interface Rename {
  crd: number
  from: string
  to: string
  day: string
  people: number
}

export interface People {
  count: number
  /**
   * Null if the person was removed; the other people keep their positions, and so stay in the same parts of the feed.
   */
  at: (index: number) => Person | null
  mergers: readonly Merger[]
  renames: readonly Rename[]
}

const STREAM = { person: 301, events: 302, weight: 303 }
const FIRST_PK = 5_000_000
/** CRD numbers of firms that are no longer in any feed. */
const FIRST_GONE = 880_001

interface Setting {
  seed: number
  count: number
  day: string
  firms: readonly Firm[]
}

/**
 * An event that concerns consecutive people from `first` on: they moved from `from` to `to`, which may be one firm
 * under two names.
 */
interface Event {
  kind: 'merger' | 'rename'
  first: number
  people: number
  day: number
  from: { crd: number; name: string }
  to: Firm
}

export function peopleOf({ seed, count, day, firms }: Setting): People {
  const pick = employers(seed, firms)
  const today = dayNumber(day)
  const events = eventsOf(new Random(seed, STREAM.events), count, today, pick)
  const affected = events.reduce((sum, { people }) => sum + people, 0)
  const changed = (kind: Event['kind']) =>
    events
      .filter((event) => event.kind === kind)
      .map(({ from, to, people, day: on }) => ({
        from,
        to: { crd: to.crd, name: to.business },
        people,
        day: dayName(on),
      }))
  return {
    count,
    at(index) {
      const random = new Random(seed, STREAM.person, index)
      const event = index < affected ? events.findLast(({ first }) => first <= index) : undefined
      return personAt(random, index, today, pick, event)
    },
    mergers: changed('merger'),
    renames: changed('rename').map(({ from, to, ...rest }) => ({ crd: to.crd, from: from.name, to: to.name, ...rest })),
  }
}

type Pick = (random: Random) => Firm

/** Picks firms in proportion to their number of people: half of all employments are at a fiftieth of the firms. */
function employers(seed: number, firms: readonly Firm[]): Pick {
  const staffed = firms.filter(({ kind, withdrawn }) => kind !== 'ERA' && withdrawn === null)
  const upTo = new Float64Array(staffed.length)
  let sum = 0
  for (const [at, { crd }] of staffed.entries()) {
    sum += Math.min(800, new Random(seed, STREAM.weight, crd).skewed(1, 1.9))
    upTo[at] = sum
  }
  return (random) => {
    const wanted = random.next() * sum
    let [low, high] = [0, upTo.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (upTo[middle]! <= wanted) low = middle + 1
      else high = middle
    }
    return staffed[low]!
  }
}

/** Makes one merger and one rename for each 20,000 people, but at least one of each; none for fewer than 40 people. */
function eventsOf(random: Random, count: number, today: number, pick: Pick): Event[] {
  if (count < 40) return []
  const events: Event[] = []
  let first = 0
  for (const kind of ['merger', 'rename'] as const) {
    for (let n = Math.ceil(count / 20_000); n > 0; n--) {
      const people = Math.max(6, Math.min(Math.floor(count / 20), Math.round(random.skewed(80, 0.8))))
      const to = pick(random)
      const other = pick(random)
      const gone = { crd: FIRST_GONE + events.length, name: `${other.business.split(' ')[0]} PREDECESSOR ADVISORS LLC` }
      const affiliate = random.chance(0.3) && other !== to ? { crd: other.crd, name: other.business } : gone
      const from = kind === 'rename' ? { crd: to.crd, name: `FORMER ${to.business}` } : affiliate
      events.push({ kind, first, people, day: today - random.int(30, 1_500), from, to })
      first += people
    }
  }
  return events
}

const EXAMS = [
  ['S63', 'Uniform Securities Agent State Law Examination'],
  ['S65', 'Uniform Investment Adviser Law Examination'],
  ['S66', 'Uniform Combined State Law Examination'],
  ['S7', 'General Securities Representative Examination'],
] as const
const DISCLOSURES = ['RegAction', 'Criminal', 'Bankrupt', 'CivilJudc', 'Judgment', 'CustComp', 'Termination']
const EARLIEST = dayNumber('1985-01-02')
const month = (day: number) => `${dayName(day).slice(5, 7)}/${dayName(day).slice(0, 4)}`

function personAt(random: Random, index: number, today: number, pick: Pick, event?: Event): Person {
  const number = String(index).padStart(6, '0')
  const current: Employment[] = []
  const previous: Registration[] = []
  const history: Person['history'] = []
  const left = (firm: { crd: number; name: string }, place: Address | null, begin: number, end: number) => {
    const { city = null, state = null } = place ?? {}
    previous.push({ ...firm, begin: dayName(begin), end: dayName(end), city, state })
    history.push({ from: month(begin), to: month(end), name: firm.name, city, state })
  }
  const length = () => Math.max(60, Math.round(random.skewed(1_400, 0.9)))

  const active = event !== undefined || random.chance(0.97)
  const firm = event?.to ?? pick(random)
  const employer = { crd: firm.crd, name: firm.business }
  const end = active ? today : today - random.int(10, 900)
  let begin = event?.day ?? Math.max(EARLIEST, end - length())
  if (active) {
    current.push(employment(random, firm, begin, today))
    history.push({
      from: month(begin),
      to: null,
      name: firm.business,
      city: firm.office.city,
      state: firm.office.state,
    })
  } else left(employer, firm.office, begin, end)
  // One person in twenty-five is registered with two firms at a time.
  if (active && random.chance(0.04)) current.push(employment(random, pick(random), random.int(begin, today), today))

  for (
    let n = event ? 1 + random.int(0, 2) : Math.floor(random.skewed(1.2, 0.8));
    n > 0 && begin > EARLIEST + 400;
    n--
  ) {
    const moved = event && previous.length === 0
    // A few people begin at the next firm before they have left the last one.
    const gap = moved
      ? 0
      : random.chance(0.05)
        ? -random.int(20, 300)
        : random.chance(0.6)
          ? random.int(0, 14)
          : random.int(15, 400)
    const until = Math.min(begin - gap, today - 1)
    const from = Math.max(EARLIEST, until - length())
    const last = pick(random)
    if (moved) left(event.from, event.kind === 'rename' ? firm.office : null, from, until)
    else left({ crd: last.crd, name: last.business }, last.office, from, until)
    begin = Math.min(begin, from)
  }
  return {
    pk: FIRST_PK + index,
    first: 'SAMPLE',
    middle: random.chance(0.6) ? random.pick([...'ABCDEFGHJKLMNPRSTW']) : null,
    last: `PERSON ${number}`,
    suffix: random.chance(0.04) ? random.pick(['JR', 'SR', 'III']) : null,
    agency: random.chance(0.002),
    otherNames: random.chance(0.65) ? [{ first: 'SAMPLE', last: `ALIAS ${number}` }] : [],
    current,
    previous,
    history,
    exams: EXAMS.filter(() => random.chance(0.5)).map(([code, name]) => ({
      code,
      name,
      day: dayName(Math.max(EARLIEST, begin - random.int(10, 300))),
    })),
    designations: random.chance(0.2) ? ['Certified Financial Planner'] : [],
    business: random.chance(0.3) ? `INVENTED OTHER BUSINESS ${number}: INSURANCE AGENT, NOT INVESTMENT RELATED.` : null,
    disclosures: random.chance(0.15) ? [random.pick(DISCLOSURES)] : [],
  }
}

function employment(random: Random, { crd, business, office }: Firm, begin: number, today: number): Employment {
  const registrations = [{ regulator: office.state ?? 'NY', category: 'RA', status: 'APPROVED', day: dayName(begin) }]
  if (random.chance(0.3)) {
    registrations.push({ regulator: 'TX', category: 'RA', status: 'APPROVED', day: dayName(random.int(begin, today)) })
  }
  return { crd, name: business, office, registrations }
}
