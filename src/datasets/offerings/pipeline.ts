/**
 * Derives offerings with their dated stages from the filings of one company. The result depends only on the set of
 * filings, and not on the order in which the program read them.
 */
import { KIND_OF, type Kind } from './forms.ts'

export const STAGES = ['filed', 'amended', 'effective', 'priced', 'listed', 'withdrawn'] as const
/** Evidence that an issuer was a public company before an offering. */
export const BASES = ['reports', 'registered', 'tickers', 'cover'] as const

export type Stage = (typeof STAGES)[number]

export interface OfferingFiling {
  accession: string
  form: string
  kind: Kind
  /** `YYYY-MM-DD` */
  filed_date: string
  /** File numbers under the Securities Act, from the header: 333-282241. */
  file_numbers: readonly string[]
  /** Date in the header of a notice of effectiveness. */
  effective_date: string | null
  /** Form that a notice of effectiveness declares effective; null if the notice names none. */
  effective_of: string | null
  /** File number of the registration statement that a Form 8-A names. */
  registration_file_number: string | null
  price: string | null
  /** Whether the cover states that this is the initial public offering, or that the securities have no market. */
  says_first: boolean
}

/**
 * The effect of one filing on the offering. A cancelled withdrawal adds a step with the stage before the withdrawal.
 */
export interface Step {
  stage: Stage
  /** Day of effectiveness; for other stages, the filing date. */
  date: string
  accession: string
  form: string
}

export interface Offering<F extends OfferingFiling = OfferingFiling> {
  /** The first registration statement; if none was read, the first filing of the offering. */
  accession: string
  file_numbers: string[]
  filings: F[]
  steps: Step[]
  stage: Stage
  /** Day on which the offering reached `stage`. */
  stage_date: string
}

/**
 * Maximum number of days between the first filing of an offering and the Form 8-A that registers its class of
 * securities. A Form 8-A is filed some days before trading begins. In real cases, the two are up to some weeks apart.
 */
const LISTING_DAYS = 365

/** Returns the offerings, the first filed first. Omits filings without a known offering. */
export function offeringsOf<F extends OfferingFiling>(given: readonly F[]): Offering<F>[] {
  const filings = given.toSorted(byDay)
  const groups: F[][] = []
  for (const first of filings.filter(isFirst)) {
    if (groups.some(([own]) => own!.file_numbers.some((number) => first.file_numbers.includes(number)))) continue
    groups.push([first])
  }
  for (const filing of filings) {
    const group =
      filing.kind === 'listing' ? listed(groups, filing) : groups.find(([own]) => sharesNumber(own!, filing))
    if (group && group[0] !== filing && isPart(filing)) group.push(filing)
  }
  return groups.map(offeringOf)
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/**
 * Orders filings by the day of the reported event, then by the kind of filing. A notice of effectiveness is filed one
 * day after the event, on the day of the prospectus, so the day in its header counts.
 */
const byDay = (a: OfferingFiling, b: OfferingFiling) =>
  compare(dayOf(a), dayOf(b)) || rankOf(a) - rankOf(b) || compare(a.accession, b.accession)

const dayOf = ({ kind, filed_date, effective_date }: OfferingFiling) =>
  kind === 'effectiveness' && effective_date !== null && effective_date < filed_date ? effective_date : filed_date

const RANKS: readonly Kind[] = ['registration', 'amendment', 'listing', 'effectiveness', 'prospectus']
const rankOf = ({ kind }: OfferingFiling) => {
  const rank = RANKS.indexOf(kind)
  return rank < 0 ? RANKS.length : rank
}
const isPart = ({ kind }: OfferingFiling) => kind !== 'more' && kind !== 'class'

/**
 * If the registration statement of a prospectus was not read, the prospectus begins an offering only if its cover
 * states one of two things: the offering is the first, or the securities have no market.
 */
const isFirst = ({ kind, says_first, file_numbers }: OfferingFiling) =>
  kind === 'registration' ||
  (file_numbers.length > 0 && (kind === 'amendment' || (kind === 'prospectus' && says_first)))

const sharesNumber = (a: OfferingFiling, b: OfferingFiling) =>
  a.accession === b.accession || a.file_numbers.some((number) => b.file_numbers.includes(number))

/**
 * Returns the offering whose file number a Form 8-A names. If the form names no number, returns the only offering that
 * began in the year before the form.
 */
function listed<F extends OfferingFiling>(groups: F[][], { registration_file_number, filed_date }: F): F[] | undefined {
  if (registration_file_number !== null)
    return groups.find(([own]) => own!.file_numbers.includes(registration_file_number))
  const open = groups.filter(([own]) => {
    const days = (Date.parse(filed_date) - Date.parse(own!.filed_date)) / 86_400_000
    return days >= 0 && days <= LISTING_DAYS
  })
  return open.length === 1 ? open[0] : undefined
}

function offeringOf<F extends OfferingFiling>(group: readonly F[]): Offering<F> {
  const filings = group.toSorted(byDay)
  const [first] = filings.filter(({ kind }) => kind === 'registration').concat(filings)
  const steps: Step[] = []
  for (const filing of filings) {
    const stage = stageOf(filing, first!, steps)
    const { accession, form } = filing
    if (stage) steps.push({ stage, date: dayOf(filing), accession, form })
  }
  const file_numbers = [
    ...new Set(filings.filter(({ kind }) => kind !== 'listing').flatMap((each) => each.file_numbers)),
  ]
  const stage = currentOf(steps)
  return { accession: first!.accession, file_numbers, filings, steps, stage, stage_date: sinceOf(stage, steps, first!) }
}

/**
 * Returns the stage that an offering reaches with a filing; null if the filing only repeats an earlier stage. An
 * offering becomes effective, priced and listed only once.
 */
function stageOf(filing: OfferingFiling, first: OfferingFiling, before: readonly Step[]): Stage | null {
  const once = (stage: Stage) => (before.some((step) => step.stage === stage) ? null : stage)
  switch (filing.kind) {
    case 'registration':
      return filing === first ? 'filed' : null
    case 'amendment':
      return 'amended'
    case 'effectiveness':
      return isPreEffective(filing) ? once('effective') : null
    case 'prospectus':
      return filing.form !== '424B3' || filing.price !== null ? once('priced') : null
    case 'listing':
      return once('listed')
    case 'withdrawal':
      return 'withdrawn'
    case 'reinstatement':
      return isWithdrawn(before) ? furthest(before) : null
    default:
      return null
  }
}

/**
 * Returns the furthest stage. A Form 8-A is filed before the offering is effective. After this form, an offering that
 * never became effective can still be withdrawn. So a class counts as listed once the offering was declared effective
 * or priced.
 */
function furthest(steps: readonly Step[]): Stage {
  const has = (stage: Stage) => steps.some((step) => step.stage === stage)
  if (has('listed') && (has('effective') || has('priced'))) return 'listed'
  return (['priced', 'effective', 'amended'] as const).find(has) ?? 'filed'
}

const currentOf = (steps: readonly Step[]): Stage => (isWithdrawn(steps) ? 'withdrawn' : furthest(steps))

/**
 * Returns the day since which the stage holds. A class that was registered before the offering became effective or was
 * priced counts as listed from the day of effectiveness or pricing.
 */
function sinceOf(stage: Stage, steps: readonly Step[], first: OfferingFiling): string {
  const own = steps.findLast((step) => step.stage === stage)?.date ?? first.filed_date
  if (stage !== 'listed') return own
  const open = steps.find((step) => step.stage === 'effective' || step.stage === 'priced')
  return open && open.date > own ? open.date : own
}

/** A withdrawal counts unless a request to cancel it (`RW WD`) was filed later. */
const isWithdrawn = (steps: readonly Step[]) =>
  steps.findLast(({ stage, form }) => stage === 'withdrawn' || form === REINSTATES)?.stage === 'withdrawn'
const REINSTATES = 'RW WD'

/**
 * Tests whether a notice makes the offering effective. A notice can instead concern a post-effective amendment. An old
 * notice names no form, and counts as a notice for the offering.
 */
const isPreEffective = ({ effective_of }: OfferingFiling) =>
  effective_of === null || KIND_OF[effective_of] === 'registration' || KIND_OF[effective_of] === 'amendment'
