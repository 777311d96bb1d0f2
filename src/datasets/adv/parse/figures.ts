/**
 * Reads Items 5, 7.B and 11 of Part 1A. The feed and the data files have the same answers, but use different names for
 * the items.
 */
import type { Row } from './values.ts'

/** Answers by item, named as the data files name their columns: `5F2c`, `5D1a`, `11H1a`. */
export interface Answers {
  money(item: string): string | null
  /** A count that fits an `integer` column. */
  count(item: string): number | null
  flag(item: string): boolean | null
  /** The box "fewer than 5 clients" of Item 5.D(2) for a type of client, `5D2a` to `5D2n`. */
  fewerThan5(item: string): boolean | null
}

type Clients = Row<'filing'>['clients']

/** Types of client by their letters in Item 5.D. */
const CLIENT_TYPES = {
  a: 'individuals',
  b: 'hnw',
  c: 'banks',
  d: 'investment_cos',
  e: 'bdcs',
  f: 'pooled',
  g: 'pensions',
  h: 'charities',
  i: 'state_municipal',
  j: 'advisers',
  k: 'insurers',
  l: 'sovereign',
  m: 'corporations',
  n: 'other',
} as const satisfies Record<string, keyof Clients>

/**
 * The item names for each type, built once: to build them again for every firm would take 5% of the time of a row.
 */
const CLIENTS = Object.entries(CLIENT_TYPES).map(([letter, type]) => ({
  type,
  count: `5D1${letter}`,
  fewer: `5D2${letter}`,
  raum: `5D3${letter}`,
}))

const DISCIPLINARY = [
  ...['11', '11A1', '11A2', '11B1', '11B2', '11C1', '11C2', '11C3', '11C4', '11C5', '11D1', '11D2', '11D3', '11D4'],
  ...['11D5', '11E1', '11E2', '11E3', '11E4', '11F', '11G', '11H1a', '11H1b', '11H1c', '11H2'],
]

/**
 * First version of the form whose Item 5.D asks for counts and assets; earlier versions ask for percentages. Filings
 * state a version as `10/2021`.
 */
const COUNTS_SINCE = '2017-10'
const VERSION = /^(?<month>\d\d?)[-/](?<year>\d{4})$|^(?<year>\d{4})[-/](?<month>\d\d?)$/

/** Returns the columns that feed and data files share. */
export function figuresOf(answers: Answers, formVersion: string | null) {
  return {
    employees: answers.count('5A'),
    advisory_employees: answers.count('5B1'),
    gives_continuous_supervision: answers.flag('5F1'),
    raum_discretionary: answers.money('5F2a'),
    raum_non_discretionary: answers.money('5F2b'),
    raum_total: answers.money('5F2c'),
    accounts_discretionary: answers.count('5F2d'),
    accounts_non_discretionary: answers.count('5F2e'),
    accounts_total: answers.count('5F2f'),
    clients: asksForCounts(formVersion) ? clientsOf(answers) : {},
    comp_pct_aum: answers.flag('5E1'),
    comp_hourly: answers.flag('5E2'),
    comp_subscription: answers.flag('5E3'),
    comp_fixed: answers.flag('5E4'),
    comp_commissions: answers.flag('5E5'),
    comp_performance: answers.flag('5E6'),
    comp_other: answers.flag('5E7'),
    advises_private_funds: answers.flag('7B'),
    has_disciplinary: anyOf(DISCIPLINARY.map((question) => answers.flag(question))),
  }
}

function asksForCounts(formVersion: string | null): boolean {
  const { month, year } = VERSION.exec(formVersion ?? '')?.groups ?? {}
  return month === undefined || `${year}-${month.padStart(2, '0')}` >= COUNTS_SINCE
}

function clientsOf(answers: Answers): Clients {
  const found: Clients = {}
  for (const { type, ...items } of CLIENTS) {
    const count = answers.count(items.count)
    const fewer = answers.fewerThan5(items.fewer)
    const raum = answers.money(items.raum)
    if (count !== null || raum !== null || fewer) found[type] = { count, fewer_than_5: fewer, raum }
  }
  return found
}

/** Returns true if any answer is yes, false if all given answers are no, and null without answers. */
function anyOf(flags: readonly (boolean | null)[]): boolean | null {
  if (flags.includes(true)) return true
  return flags.includes(false) ? false : null
}
