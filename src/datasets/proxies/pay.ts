/** Reads pay versus performance (Item 402(v) of Regulation S-K) from the tags of inline XBRL (taxonomy ecd). */
import { type InlineFact, inlineFacts } from '../../read/ixbrl.ts'

/** A row for one fiscal year and one principal executive officer; a year with two officers has two rows. */
export interface Pay {
  fiscal_year_start: string | null
  fiscal_year_end: string
  /** Name in the tags; null if the tags do not name exactly one person for the year. */
  peo_name: string | null
  peo_total: string | null
  peo_actually_paid: string | null
  others_average_total: string | null
  others_average_actually_paid: string | null
  shareholder_return: string | null
  peer_shareholder_return: string | null
  net_income: string | null
  measure_name: string | null
  measure: string | null
  measure_unit: string | null
}

const OF_PEO = { 'ecd:PeoTotalCompAmt': 'peo_total', 'ecd:PeoActuallyPaidCompAmt': 'peo_actually_paid' } as const
const OF_YEAR = {
  'ecd:NonPeoNeoAvgTotalCompAmt': 'others_average_total',
  'ecd:NonPeoNeoAvgCompActuallyPaidAmt': 'others_average_actually_paid',
  'ecd:TotalShareholderRtnAmt': 'shareholder_return',
  'ecd:PeerGroupTotalShareholderRtnAmt': 'peer_shareholder_return',
  'us-gaap:NetIncomeLoss': 'net_income',
  'us-gaap:ProfitLoss': 'net_income',
  'ecd:CoSelectedMeasureAmt': 'measure',
} as const
const NAMES = ['ecd:PeoName', 'ecd:CoSelectedMeasureName']

const WANTED = new Set([...Object.keys(OF_PEO), ...Object.keys(OF_YEAR), ...NAMES])
const [INDIVIDUAL, CATEGORY] = ['ecd:IndividualAxis', 'ecd:ExecutiveCategoryAxis']

export interface PayRead {
  rows: Pay[]
  problems: { path: string; value: string; reason: string }[]
}

/** Returns the rows of the table, newest year first; none if nothing is tagged. */
export function payOf(html: string): PayRead {
  if (!html.includes('ecd:Peo')) return { rows: [], problems: [] }
  const { facts, problems } = inlineFacts(html, (name) => WANTED.has(name))
  const own = facts.filter(isOfTable)
  const years = new Set(
    own.flatMap(({ name, context }) => (name in OF_PEO || name in OF_YEAR ? [yearOf(context)] : [])),
  )
  const rows = [...years]
    .sort()
    .reverse()
    .flatMap((year) => rowsOf(own, year, problems))
  return { rows, problems }
}

type Context = InlineFact['context']

const yearOf = ({ start, end }: Context) => `${end} ${start ?? ''}`

/**
 * Tests whether a fact belongs to the table. Facts with other axes are adjustments to compensation, or measures of the
 * tabular list.
 */
const isOfTable = ({ context: { members } }: InlineFact) =>
  Object.keys(members).every((axis) => axis === INDIVIDUAL || axis === CATEGORY) &&
  members[CATEGORY] !== 'ecd:NonPeoNeoMember'

function rowsOf(facts: readonly InlineFact[], year: string, problems: PayRead['problems']): Pay[] {
  const of = facts.filter(({ context }) => yearOf(context) === year)
  const amountOf = (wanted: string, individual: string | null) => {
    const found = of.filter(
      ({ name, value, context }) =>
        name === wanted && value !== null && (context.members[INDIVIDUAL] ?? null) === individual,
    )
    const [first] = found
    if (!found.some(({ value }) => value !== first!.value)) return first ?? null
    problems.push({ path: wanted, value: found.map(({ value }) => value).join(', '), reason: `differs for ${year}` })
    return null
  }
  const value = (name: string, individual: string | null = null) => amountOf(name, individual)?.value ?? null
  // If a column has two possible tags, the first tag that is present counts. The second tag of net income includes
  // minority interests.
  const shared = Object.fromEntries(
    [...new Set(Object.values(OF_YEAR))].map((column) => {
      const names = Object.keys(OF_YEAR).filter((name) => OF_YEAR[name as keyof typeof OF_YEAR] === column)
      const tagged = names.find((name) => of.some((fact) => fact.name === name))
      return [column, tagged === undefined ? null : value(tagged)]
    }),
  ) as Pick<Pay, (typeof OF_YEAR)[keyof typeof OF_YEAR]>
  const peos = [
    ...new Set(of.flatMap(({ name, context }) => (name in OF_PEO ? [context.members[INDIVIDUAL] ?? null] : []))),
  ]
  const [end = '', start = ''] = year.split(' ')
  const measureName = facts.find(({ name }) => name === 'ecd:CoSelectedMeasureName')?.value ?? null
  return (peos.length > 0 ? peos : [null]).map((individual) => ({
    fiscal_year_start: start || null,
    fiscal_year_end: end,
    peo_name: nameOf(of, facts, individual),
    peo_total: value('ecd:PeoTotalCompAmt', individual),
    peo_actually_paid: value('ecd:PeoActuallyPaidCompAmt', individual),
    ...shared,
    measure_name: shared.measure === null ? null : measureName,
    measure_unit: amountOf('ecd:CoSelectedMeasureAmt', null)?.unit ?? null,
  }))
}

/**
 * Returns the name for the year and person. If no amount of the statement is split by person, there was one officer,
 * and a single name applies to every year.
 */
function nameOf(of: readonly InlineFact[], all: readonly InlineFact[], individual: string | null): string | null {
  const names = (facts: readonly InlineFact[]) => {
    const own = facts.filter(
      ({ name, context }) =>
        name === 'ecd:PeoName' && (individual === null || context.members[INDIVIDUAL] === individual),
    )
    return [...new Set(own.flatMap(({ value }) => value ?? []))]
  }
  const [first, second] = names(of)
  if (first !== undefined) return second === undefined ? first : null
  const isApart = all.some(({ name, context }) => name in OF_PEO && INDIVIDUAL in context.members)
  const [only, other] = individual === null && isApart ? [] : names(all)
  return other === undefined ? (only ?? null) : null
}
