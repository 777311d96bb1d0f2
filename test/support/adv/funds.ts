/**
 * Invented private funds (Section 7.B.(1) of Schedule D) with their auditors, custodians, administrators and marketers.
 */
import type { Line, Schedules } from './firm.ts'
import { Random } from './random.ts'

/** Kinds of private funds, with the cumulative share of this and all previous kinds. */
const FUND_TYPES = [
  ['Hedge Fund', 0.3],
  ['Private Equity Fund', 0.65],
  ['Venture Capital Fund', 0.8],
  ['Real Estate Fund', 0.9],
  ['Securitized Asset Fund', 0.94],
  ['Liquidity Fund', 0.95],
  ['Other', 1],
] as const

export interface FundScale {
  seed: number
  index: number
  name: string
  funds: number
  fundAssets: number
}

const STREAM = 202
export const number = (value: number) => String(value).padStart(2, '0')

/** Every 400th fund has a letter in place of its assets, as in some published months. */
const UNREADABLE = 400

export function fundOf(scale: FundScale, at: number): Schedules['funds'][number] {
  const random = new Random(scale.seed, STREAM, scale.index, at)
  const roll = random.next()
  const [type] = FUND_TYPES.find(([, upTo]) => roll < upTo)!
  const hedge = type === 'Hedge Fund'
  const feeder = at > 0 && random.chance(0.06)
  const id = (fund: number) => `805-8${String(scale.index).padStart(5, '0')}${String(fund).padStart(4, '0')}`
  const name = (fund: number) => `${scale.name} FUND ${String(fund + 1).padStart(4, '0')}, L.P.`
  const gross = Math.floor((scale.fundAssets / scale.funds) * (0.2 + 1.6 * random.next()))
  const abroad = random.chance(0.25)
  const fund: Line = {
    'Fund Name': name(at),
    'Fund ID': id(at),
    State: abroad ? '' : 'Delaware',
    Country: abroad ? 'Cayman Islands' : 'United States',
    '3(c)(1) Exclusion': random.yes(0.3),
    '3(c)(7) Exclusion': random.yes(0.7),
    'Master Fund': at === 0 && scale.funds > 3 ? 'Y' : 'N',
    'Feeder Fund': feeder ? 'Y' : 'N',
    'Master Fund Name': feeder ? name(0) : '',
    'Master Fund ID': feeder ? id(0) : '',
    'Fund of Funds': random.yes(0.1),
    'Fund Invested Self or Related': '',
    'Fund Invested in Securities': random.yes(0.1),
    'Fund Type': type,
    'Fund Type Other': type === 'Other' ? 'ART' : '',
    'Gross Asset Value': (scale.index * 7 + at) % UNREADABLE === UNREADABLE - 1 ? 'N' : gross,
    'Minimum Investment': random.pick([0, 100_000, 1_000_000, 5_000_000]),
    Owners: random.int(1, 300),
    '%Owned You or Related': random.int(0, 20),
    '%Owned Funds': random.int(0, 50),
    'Sales Limited': '',
    '%Owned Non-US': random.int(0, 60),
    Subadviser: 'N',
    'Other IAs Advise': 'N',
    'Clients Solicited': random.yes(0.3),
    'Percentage Invested': random.int(0, 5),
    'Exempt from Registration': random.yes(0.8),
    'Annual Audit': 'Y',
    GAAP: 'Y',
    'FS Distributed': 'Y',
    'Unqualified Opinion': random.chance(0.95) ? 'Y' : 'Report Not Yet Received',
    'Prime Brokers': hedge ? 'Y' : 'N',
    Custodians: 'Y',
    Administrator: random.yes(0.6),
    '% Assets Valued': random.int(0, 100),
    Marketing: random.yes(0.12),
  }
  return { fund, of: providers(random, fund, hedge) }
}

const home = { City: 'NEW YORK', State: 'New York', Country: 'United States' }

function providers(random: Random, fund: Line, hedge: boolean): Record<string, Line[]> {
  const which = () => number(random.int(1, 12))
  const some = (from: number, to: number, make: (n: string) => Line) =>
    Array.from({ length: random.int(from, to) }, () => make(which()))
  const found: Record<string, Line[]> = {
    Schedule_D_7B1A3a: [{ 'Name of Partner, etc.': 'SAMPLE GENERAL PARTNER LLC' }],
    Schedule_D_7B1A23: some(1, 1, (n) => ({
      'Name of Auditing Firm': `SAMPLE AUDIT ${n} LLP`,
      ...home,
      Independent: 'Y',
      'PCAOB Registered': 'Y',
      'PCAOB Number': `90${n}`,
      'PCAOB Inspected': 'Y',
    })),
    Schedule_D_7B1A25: some(1, 2, (n) => ({
      'Legal Name of Custodian': `SAMPLE CUSTODIAN ${n} N.A.`,
      'Primary Business Name': `SAMPLE CUSTODIAN ${n}`,
      ...home,
      'Related Person': 'N',
      'SEC Number': `8-9${n}`,
    })),
  }
  if (hedge)
    found.Schedule_D_7B1A24 = some(1, 2, (n) => ({
      'Name of Prime Broker': `SAMPLE PRIME BROKER ${n} LLC`,
      'SEC Number': `8-8${n}`,
      'CRD Number': `8600${n}`,
      ...home,
      Custodian: 'Y',
    }))
  if (fund.Administrator === 'Y')
    found.Schedule_D_7B1A26 = some(1, 1, (n) => ({
      'Name of Administrator': `SAMPLE ADMINISTRATION ${n} INC.`,
      ...home,
      'Related Person': 'N',
      Statements: 'All',
      'Who Sends Statements': '',
    }))
  if (fund['Master Fund'] === 'Y' && random.chance(0.2)) {
    const feeder = { 'Private Fund Name': 'SAMPLE FEEDER FUND, LTD.', 'Fund ID': '805-8999999999' }
    const place = { Country: 'Cayman Islands', '3(c)(1) Exclusion': 'N', '3(c)(7) Exclusion': 'Y' }
    found.Schedule_D_7B1A7 = [{ SubreferenceID: 1, ...feeder, ...place }]
  }
  if (fund['Exempt from Registration'] === 'Y')
    found.Schedule_D_7B1A22 = [{ 'Form D File Number': `021-${random.int(100_000, 999_999)}` }]
  if (fund.Marketing === 'Y') {
    const marketer = random.int(1, 12)
    found.Schedule_D_7B1A28 = [
      {
        SubreferenceID: marketer,
        'Related Person': 'N',
        'Name of Marketer': `SAMPLE MARKETING ${number(marketer)} LLC`,
        'CRD Number': 870_000 + marketer,
        ...home,
        Websites: 'Y',
      },
    ]
    found.Schedule_D_7B1A28_websites = [{ SubreferenceID: marketer, 'Website Address': 'HTTPS://MARKETING.EXAMPLE' }]
  }
  return found
}
