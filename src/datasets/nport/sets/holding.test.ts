/**
 * The usual holdings of a set are read from their columns, and all others through an element. Both ways must give the
 * same rows, so every holding here is read in both ways.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFor } from '../../../../test/support/random.ts'
import type { SetRecord } from '../../../declare/sets.ts'
import { CsvHeader, CsvRow } from '../../../read/csv.ts'
import { problemsOf } from '../../../read/made.ts'
import type { Problem } from '../../../read/xml.ts'
import { parseLine } from '../parse/line.ts'
import type { Line } from '../parse/types.ts'
import { elementOf, holdingRead, isUsual } from './holding.ts'

const NUMBERS = ['1000.00', '-5', '.5', '1,000', 'N/A', 'XXXX', '1e5', 'abc', '12345678901234']
const CODES = ['US', 'us', 'N/A', 'None', 'Other', 'OTHER']
const FLAGS = ['Y', 'N', 'y', 'N/A', 'maybe']
const NAMES = ['Specimen Issuer', 'N/A', 'not applicable', ' blanks ']
const DAYS = ['30-JUN-2031', '31-FEB-2031', '2031-06-30', 'N/A']
const IDS = ['037833100', 'US0378331005', '000000000', 'N/A', 'X'.repeat(70)]

/** Columns by member, each with the texts that its lines may have. */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  FUND_REPORTED_HOLDING: {
    ACCESSION_NUMBER: ['0009999999-26-000001'],
    HOLDING_ID: ['1'],
    ...{ ISSUER_NAME: NAMES, ISSUER_LEI: IDS, ISSUER_TITLE: NAMES, ISSUER_CUSIP: IDS },
    ...{ BALANCE: NUMBERS, UNIT: ['NS', 'PA', 'ns', 'N/A'], OTHER_UNIT_DESC: NAMES },
    ...{ CURRENCY_CODE: CODES, CURRENCY_VALUE: NUMBERS, EXCHANGE_RATE: NUMBERS, PERCENTAGE: NUMBERS },
    ...{ PAYOFF_PROFILE: ['Long', 'SHORT', 'N/A'], ASSET_CAT: CODES, OTHER_ASSET: NAMES, ISSUER_TYPE: CODES },
    ...{ OTHER_ISSUER: NAMES, INVESTMENT_COUNTRY: CODES, IS_RESTRICTED_SECURITY: FLAGS },
    ...{ FAIR_VALUE_LEVEL: ['1', '2', '3', 'n/a', '4'], DERIVATIVE_CAT: ['FUT'] },
  },
  IDENTIFIERS: {
    ...{ HOLDING_ID: ['1'], IDENTIFIERS_ID: ['7'], IDENTIFIER_ISIN: IDS, IDENTIFIER_TICKER: IDS },
    ...{ OTHER_IDENTIFIER: IDS, OTHER_IDENTIFIER_DESC: NAMES },
  },
  DEBT_SECURITY: {
    ...{ HOLDING_ID: ['1'], MATURITY_DATE: DAYS, COUPON_TYPE: ['Fixed', 'None', 'N/A'], ANNUALIZED_RATE: NUMBERS },
    ...{ IS_DEFAULT: FLAGS, ARE_ANY_INTEREST_PAYMENT: FLAGS, IS_ANY_PORTION_INTEREST_PAID: FLAGS },
    ...{ IS_CONVTIBLE_MANDATORY: FLAGS, IS_CONVTIBLE_CONTINGENT: FLAGS, DELTA: NUMBERS },
  },
  SECURITIES_LENDING: {
    ...{ HOLDING_ID: ['1'], IS_CASH_COLLATERAL: FLAGS, CASH_COLLATERAL_AMOUNT: NUMBERS },
    ...{ IS_NON_CASH_COLLATERAL: FLAGS, NON_CASH_COLLATERAL_VALUE: NUMBERS },
    ...{ IS_LOAN_BY_FUND: FLAGS, LOAN_VALUE: NUMBERS },
  },
  CONVERTIBLE_SECURITY_CURRENCY: { HOLDING_ID: ['1'], CONVERSION_RATIO: NUMBERS, CURRENCY_CODE: CODES },
}

/** Columns that most lines leave blank. A value there is rare in real sets too. */
const RARE = /^(DERIVATIVE_CAT|CASH_COLL|NON_CASH_COLL|LOAN_VALUE)/

interface Read {
  line: Omit<Line, 'more'> & { rows: ReturnType<Line['more']> }
  problems: Problem[]
}

const placed = { n: 3, quarter: '2026-03-31' }
const plain = ({ more, ...line }: Line) => ({ ...line, rows: more(placed) })

function asElement(record: SetRecord): Read {
  const element = elementOf(record)
  const line = plain(parseLine(element))
  return { line, problems: [...problemsOf(element, record.row)] }
}

function asUsual(record: SetRecord): Read {
  const problems: Problem[] = []
  const line = plain(holdingRead(record, parseLine, (found) => problems.push(...found)))
  return { line, problems }
}

test('the columns of a holding give the rows, problems and unread columns that its element gives', () => {
  const random = randomFor('holdings')
  const below = (max: number) => Math.floor(random() * max)
  const met = { usual: 0, others: 0, problems: 0, rows: 0 }
  for (let round = 0; round < 40; round++) {
    // In every second round all holdings are usual, so that the other way marks no column as read.
    const isPlain = round % 2 === 0
    // A set may lack columns, so each round has headers of its own, and one column that nothing reads.
    const columns = Object.entries(COLUMNS).map(([member, own]) => {
      const kept = Object.keys(own).filter((column) => column.endsWith('_ID') || below(20) > 0)
      return [member, [...kept, 'UNKNOWN']] as const
    })
    const headers = [0, 1].map(
      () => new Map(columns.map(([member, own]) => [member, new CsvHeader(`${member}.tsv`, own)])),
    )
    const filled = (member: string, of: readonly string[]) =>
      of.map((column) => {
        const texts = COLUMNS[member]![column] ?? ['something']
        if (RARE.test(column)) return isPlain || below(12) > 0 ? '' : texts[below(texts.length)]!
        return below(5) === 0 ? '' : texts[below(texts.length)]!
      })
    for (let n = 1; n <= 100; n++) {
      const lines = columns.map(([member, of]) => {
        const isFirst = member === 'FUND_REPORTED_HOLDING'
        const isThere = member !== 'CONVERTIBLE_SECURITY_CURRENCY' || (!isPlain && below(10) === 0)
        const mostly = !isPlain && below(12) === 0 ? 2 : below(2)
        const count = isFirst ? 1 : member === 'IDENTIFIERS' ? below(3) : mostly
        return [member, Array.from({ length: isThere ? count : 0 }, () => filled(member, of))] as const
      })
      const [one, other] = headers.map((own): SetRecord => {
        const rows = lines.map(
          ([member, some]) =>
            [member, some.map((values, at) => new CsvRow(own.get(member)!, values, n * 10 + at))] as const,
        )
        const [[, [row]], ...parts] = rows as [(typeof rows)[0], ...typeof rows]
        return { row: row!, lines: new Map(parts.filter(([, some]) => some.length > 0)) }
      })
      const [expected, found] = [asElement(one!), asUsual(other!)]
      assert.deepEqual(found, expected, JSON.stringify(lines))
      assert.ok(!isPlain || isUsual(other!))
      met[isUsual(other!) ? 'usual' : 'others']++
      met.problems += found.problems.length
      met.rows += found.line.rows.length
    }
    const unread = headers.map((own) => [...own.values()].map((header) => header.unread()))
    // `holdingRead` ignores the keys of a holding; in the first pass over a set, other code reads them.
    const keys = new Set(['ACCESSION_NUMBER', 'HOLDING_ID'])
    const [expected, found] = unread.map((all) => all.map((of) => of.filter((column) => !keys.has(column))))
    assert.deepEqual(found, expected)
  }
  for (const count of Object.values(met)) assert.ok(count > 300, JSON.stringify(met))
})
