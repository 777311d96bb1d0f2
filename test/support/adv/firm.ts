/** The data of an adviser in the monthly files, and the feed's names for the answers of its form. */
import { COLUMNS } from './columns.ts'

export type Value = string | number | null | undefined

/** Answers to Part 1A by their column names in the monthly data files, base A and B: `{ '5F2c': 1000000 }`. */
export type Answers = Record<string, string | number>

/** A line of a file, by column. */
export type Line = Record<string, Value>

export interface Address {
  street1: string | null
  street2?: string | null
  city: string | null
  state: string | null
  country: string | null
  postal: string | null
}

/** Data of a firm's filings beyond base A and B. */
export interface Schedules {
  /** Lines by file, as in `COLUMNS`, without FilingID. */
  lines: Record<string, Line[]>
  /** Section 7.B.(1): lines of a fund, without FilingID and ReferenceID. */
  funds: { fund: Line; of: Record<string, Line[]> }[]
}

export interface Firm {
  crd: number
  /** The kinds are: registered with the SEC; exempt and reporting to the SEC; registered with states. */
  kind: 'SEC' | 'ERA' | 'STATE'
  /** Marks an exempt adviser that also reports to a state and so is in the states' feed too. */
  inStates?: boolean
  secNumber: string | null
  region: string | null
  business: string
  legal: string
  /** Umbrella registration of several advisers under one management; null if unknown. */
  umbrella: boolean | null
  office: Address
  mailing: Address | null
  phone: string | null
  fax: string | null
  registration: { status: string; day: string | null } | null
  /** Notice filings; in the states' feed, registrations. */
  states: { code: string; status: string; day: string }[]
  webs: string[]
  /** Date of the newest filing, as in the feed. */
  filed: string
  formVersion: string
  /** Date of a full withdrawal, from which on the firm is in no feed. */
  withdrawn: string | null
  answers: () => Answers
  schedules: () => Schedules
}

/** Letters of the client types in Item 5.D. */
export const CLIENTS = [...'abcdefghijklmn']

/**
 * Returns the answers that change if regulatory assets become `total`, with the same shares of clients and accounts.
 */
export function withTotal(answers: Answers, total: number): Answers {
  const old = Number(answers['5F2c'] ?? 0)
  if (old === 0) return { '5F2a': total, '5F2b': 0, '5F2c': total }
  const next: Answers = {}
  let left = total
  let largest = ''
  for (const letter of CLIENTS) {
    const column = `5D3${letter}`
    if (!answers[column]) continue
    const assets = Math.floor((Number(answers[column]) / old) * total)
    next[column] = assets
    left -= assets
    if (largest === '' || assets > Number(next[largest])) largest = column
  }
  if (largest !== '') next[largest] = Number(next[largest]) + left
  const discretionary = Math.min(total, Math.floor((Number(answers['5F2a'] ?? 0) / old) * total))
  return Object.assign(next, { '5F2a': discretionary, '5F2b': total - discretionary, '5F2c': total })
}

interface Attribute {
  name: string
  column: string
  shown?: (value: string | number) => string | null
}

const OWN_ASSETS: Record<string, string> = {
  '1-10B': '$1 billion - $10 billion',
  '10-50B': '$10 billion - $50 billion',
  '>=50B': 'More than $50 billion',
}

/**
 * Columns whose attribute in the feed is not named `Q` plus the column name, or whose value is written differently
 * there.
 */
const SPECIAL: Record<string, readonly [item: string, Attribute] | null> = {
  '1OAmount': ['1', { name: 'Q1ODesc', column: '1OAmount', shown: (value) => OWN_ASSETS[value] ?? null }],
  '3A': ['3A', { name: 'OrgFormNm', column: '3A' }],
  '3A-Other': ['3A', { name: 'OrgFormOthNm', column: '3A-Other' }],
  '3C-State': ['3C', { name: 'StateCD', column: '3C-State' }],
  '3C-Country': ['3C', { name: 'CntryNm', column: '3C-Country' }],
  '5A': ['5A', { name: 'TtlEmp', column: '5A' }],
  '5D1n Other': ['5D', { name: 'Q5DN3Oth', column: '5D1n Other' }],
  '5E7-Other': ['5E', { name: 'Q5E7Oth', column: '5E7-Other' }],
  '5G12-Other': ['5G', { name: 'Q5G12Oth', column: '5G12-Other' }],
  '5H-Other': ['5H', { name: 'Q5HMT500', column: '5H-Other' }],
  '6A14-Other': ['6A', { name: 'Q6A14Oth', column: '6A14-Other' }],
  '9E': ['9E', { name: 'Q9E', column: '9E', shown: (value) => String(value).replace(/^(\d\d)\/(\d{4})$/, '$2-$1') }],
}

function attributeOf(column: string): readonly [item: string, Attribute] | null {
  const special = SPECIAL[column]
  if (special) return special
  const client = /^5D([123])([a-n])$/.exec(column)
  if (client) {
    const name = `Q5D${client[2]!.toUpperCase()}${client[1]}`
    const shown = (value: string | number) => (value === 'Y' ? 'Fewer than 5 clients' : null)
    return ['5D', client[1] === '2' ? { name, column, shown } : { name, column }]
  }
  const plain = /^(1)(?:F5|[IMNOP])$|^(?!1[A-P]|4|12)(\d+[A-L]?)\d*[abcdef]?$/.exec(column)
  return plain && [plain[1] ?? plain[2]!, { name: `Q${column.toUpperCase()}`, column }]
}

const TWO_A = COLUMNS.IA_ADV_Base_B!.filter((name) => /^[23][A-C]/.test(name))
const QUESTIONS = [...COLUMNS.IA_ADV_Base_A!.filter((name) => !name.startsWith('2')), '2B1', '2B2', '2B3', ...TWO_A]

/** Elements of Part1A in the feed's order, with their attributes. */
export const ITEMS: ReadonlyMap<string, readonly Attribute[]> = (() => {
  const items = new Map<string, Attribute[]>()
  for (const column of QUESTIONS) {
    const found = attributeOf(column)
    if (found) items.set(found[0], [...(items.get(found[0]) ?? []), found[1]])
  }
  items.get('5D')!.sort((a, b) => (a.name < b.name ? -1 : 1))
  const number = (item: string) => Number.parseInt(item, 10)
  return new Map([...items].sort(([a], [b]) => number(a) - number(b) || (a < b ? -1 : 1)))
})()
