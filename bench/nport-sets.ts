/**
 * Quarterly sets of Form N-PORT of any size, with the members in which most holdings have lines. Holdings of twenty
 * filings are mixed at a time, as in the real sets, and other members name them only by number.
 */
import { Random } from './random.ts'

const OPEN = 20
const SECURITIES = 60_000
const COLUMNS = {
  SUBMISSION: 'ACCESSION_NUMBER FILING_DATE FILE_NUM SUB_TYPE REPORT_ENDING_PERIOD REPORT_DATE IS_LAST_FILING',
  REGISTRANT: 'ACCESSION_NUMBER CIK REGISTRANT_NAME FILE_NUM LEI ADDRESS1 ADDRESS2 CITY STATE COUNTRY ZIP PHONE',
  FUND_REPORTED_INFO: 'ACCESSION_NUMBER SERIES_NAME SERIES_ID SERIES_LEI TOTAL_ASSETS TOTAL_LIABILITIES NET_ASSETS',
  FUND_REPORTED_HOLDING:
    'ACCESSION_NUMBER HOLDING_ID ISSUER_NAME ISSUER_LEI ISSUER_TITLE ISSUER_CUSIP BALANCE UNIT OTHER_UNIT_DESC CURRENCY_CODE CURRENCY_VALUE EXCHANGE_RATE PERCENTAGE PAYOFF_PROFILE ASSET_CAT OTHER_ASSET ISSUER_TYPE OTHER_ISSUER INVESTMENT_COUNTRY IS_RESTRICTED_SECURITY FAIR_VALUE_LEVEL DERIVATIVE_CAT',
  IDENTIFIERS: 'HOLDING_ID IDENTIFIERS_ID IDENTIFIER_ISIN IDENTIFIER_TICKER OTHER_IDENTIFIER OTHER_IDENTIFIER_DESC',
  DEBT_SECURITY:
    'HOLDING_ID MATURITY_DATE COUPON_TYPE ANNUALIZED_RATE IS_DEFAULT ARE_ANY_INTEREST_PAYMENT IS_ANY_PORTION_INTEREST_PAID IS_CONVTIBLE_MANDATORY IS_CONVTIBLE_CONTINGENT',
  SECURITIES_LENDING: 'HOLDING_ID IS_CASH_COLLATERAL IS_NON_CASH_COLLATERAL IS_LOAN_BY_FUND',
} as const

type Member = keyof typeof COLUMNS

const line = (...values: (string | number)[]) => `${values.join('\t')}\n`
const accessionOf = (n: number) => `0009999999-26-${String(n).padStart(6, '0')}`

/** Returns the members of a set, each as a text that is made while it is read, the header first. */
export function nportSet(
  filings: number,
  lines: number,
): (readonly [member: Member, pieces: () => Generator<string>])[] {
  const each = (make: (n: number) => string) =>
    function* () {
      for (let n = 1; n <= filings; n++) yield make(n)
    }
  const members: Record<Member, () => Generator<string>> = {
    SUBMISSION: each((n) => line(accessionOf(n), '25-FEB-2026', '', 'NPORT-P', '31-DEC-2025', '31-DEC-2025', 'N')),
    REGISTRANT: each((n) =>
      line(
        accessionOf(n),
        String(1_000_000 + (n >> 3)).padStart(10, '0'),
        `Generated Trust ${n >> 3}`,
        '811-00001',
        '',
        '1 Main Street',
        '',
        'Boston',
        'US-MA',
        'US',
        '02110',
        '617-555-0100',
      ),
    ),
    FUND_REPORTED_INFO: each((n) =>
      line(
        accessionOf(n),
        `Generated Fund ${n}`,
        `S${String(n).padStart(9, '0')}`,
        '',
        '1000000000.00',
        '1000000.00',
        '999000000.00',
      ),
    ),
    FUND_REPORTED_HOLDING: () => holdings((of) => of.holding),
    IDENTIFIERS: () => holdings((of) => of.identifier),
    DEBT_SECURITY: () => holdings((of) => of.debt),
    SECURITIES_LENDING: () => holdings((of) => of.lending),
  }
  return (Object.keys(COLUMNS) as Member[]).map((member) => [
    member,
    function* () {
      yield line(...COLUMNS[member].split(' '))
      yield* members[member]()
    },
  ])

  function* holdings(text: (of: ReturnType<typeof holdingOf>) => string): Generator<string> {
    const random = new Random(11)
    let id = 100_000_000
    for (let first = 1; first <= filings; first += OPEN) {
      const open = Math.min(OPEN, filings - first + 1)
      for (let n = 0; n < lines; n++) {
        let some = ''
        for (let at = 0; at < open; at++) some += text(holdingOf(++id, accessionOf(first + at), random))
        yield some
      }
    }
  }
}

function holdingOf(id: number, accession: string, random: Random) {
  const security = Math.floor(SECURITIES * random.next() ** 2)
  const isDebt = security % 5 < 2
  const balance = random.below(1_000_000)
  const cusip = cusipOf(security)
  const known = [
    `Generated Issuer ${security >> 1}`,
    '5493001KJTIIGC8Y1R12',
    isDebt ? '4.5% 06/30/2031' : 'Common Stock',
    cusip,
  ]
  const kind = isDebt
    ? ['Long', 'DBT', '', 'CORP', '', 'US', 'N', '2', '']
    : ['Long', 'EC', '', 'CORP', '', 'US', 'N', '1', '']
  return {
    holding: line(
      accession,
      id,
      ...known,
      `${balance}.00`,
      isDebt ? 'PA' : 'NS',
      '',
      'USD',
      `${balance * 3}.25`,
      '',
      `${random.next()}`,
      ...kind,
    ),
    identifier: line(id, id, `US${cusip}0`, isDebt ? '' : `T${security}`, '', ''),
    debt: isDebt ? line(id, '30-JUN-2031', 'Fixed', '4.5', 'N', 'N', 'N', '', '') : '',
    lending: line(id, 'N', 'N', 'N'),
  }
}

/** Nine characters with the right check digit. */
function cusipOf(security: number): string {
  const eight = String(10_000_000 + security)
  let sum = 0
  for (let at = 0; at < 8; at++) {
    const digit = Number(eight[at]) * (at % 2 === 0 ? 1 : 2)
    sum += Math.floor(digit / 10) + (digit % 10)
  }
  return `${eight}${(10 - (sum % 10)) % 10}`
}
