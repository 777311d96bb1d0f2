/** The members of the SEC's data sets of Form N-CEN, and their required columns. */
import type { Branch } from '../../../read/made.ts'
import { columnsOfAnswers } from './boxes.ts'
import * as fund from './fund.ts'
import { INDEMNITY } from './provider.ts'
import * as filer from './registrant.ts'
import { CLOSED_ANSWERS, CLOSED_END, ETF, OF_ETF, RIGHTS, UNIT_TRUST } from './rest.ts'

/** Columns that sets from 2021 Q3 to 2023 Q4 lack. */
const LATER = ['REDEEMED_SHARES_PER_CREATION_UNIT']

/** Returns members by name, with the columns that branches read. */
function columnsOf(branches: readonly Branch[], key: string, by: readonly string[] = []): [string, string[]][] {
  return branches.flatMap(({ member, at, texts = {}, days = {}, by: number, branches: own = [] }) => {
    const said = [...Object.values(texts), ...Object.values(days), ...(number === undefined ? [] : [number])]
    const place = typeof at === 'string' ? [] : [at.column]
    const [name, kind] = member.split(' ')
    const of = [...(kind === undefined ? [] : ['SOURCE']), ...(name === 'ADVISER' ? ['ADVISER_TYPE'] : [])]
    const below = columnsOf(own, key, number === undefined ? [] : [number])
    return [[name!, [key, ...by, ...of, ...place, ...said]], ...below]
  })
}

export const ACCESSION = 'ACCESSION_NUMBER'
export const FUND_ID = 'FUND_ID'

const OF_FILING = columnsOf(
  [...filer.HEADER, ...filer.GENERAL, ...filer.ATTACHMENTS, ...filer.SIGNATURE, ...filer.REGISTRANT, ...UNIT_TRUST],
  ACCESSION,
)
const OF_FUNDS: [string, string[]][] = [
  ...columnsOf([...fund.FUND, ...CLOSED_END, ...OF_ETF], FUND_ID),
  ['ETF', [FUND_ID, ...Object.values(ETF)]],
  ['RIGHTS_OFFERING_FUND', Object.keys(RIGHTS)],
  ['SECURITY_LENDING', ['SECURITY_LENDING_SEQNUM']],
  ['SEC_LENDING_IDEMNITY_PROVIDER', [FUND_ID, 'SECURITY_LENDING_SEQNUM', ...Object.values(INDEMNITY)]],
  ['LINE_OF_CREDIT_DETAIL', ['LINE_OF_CREDIT_SEQNUM', 'CREDIT_TYPE']],
  ['LINE_OF_CREDIT_INSTITUTION', [FUND_ID, 'LINE_OF_CREDIT_SEQNUM', ...Object.values(fund.INSTITUTION)]],
  ['CREDIT_USER', [FUND_ID, 'LINE_OF_CREDIT_SEQNUM', ...Object.values(fund.CREDIT_USER)]],
]
const OTHERS: [string, string[]][] = [
  ['SUBMISSION', ['FILING_DATE']],
  ['DIRECTOR_FILE_NUMBER', ['FILE_NUMBER']],
  ['UIT', ['IS_SEPERATE_ACCT']],
  ['FUND_REPORTED_INFO', [ACCESSION, FUND_ID, ...columnsOfAnswers(fund.ANSWERS), ...columnsOfAnswers(CLOSED_ANSWERS)]],
]

/**
 * All members with their required columns. Every column that is read is required, so that a renamed one is not lost.
 */
export const MEMBERS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...Map.groupBy([...OF_FILING, ...OF_FUNDS, ...OTHERS], ([member]) => member)].map(([member, all]) => {
    const columns = new Set(all.flatMap(([, own]) => own))
    return [member, [...columns].filter((column) => !LATER.includes(column))]
  }),
)

/** Members that have the accession number in FUND_ID, `0000035402-26-002197_0000225322_S000080314`. */
export const KEYS: Readonly<Record<string, string>> = Object.fromEntries(OF_FUNDS.map(([member]) => [member, FUND_ID]))

/** Members that every quarter has. Each quarter lacks some of the others: 2026 Q1 has 45 of the 53. */
const NEEDED = [
  ...['SUBMISSION', 'REGISTRANT', 'FUND_REPORTED_INFO', 'ADVISER', 'CUSTODIAN', 'TRANSFER_AGENT', 'DIRECTOR'],
  ...['CHIEF_COMPLIANCE_OFFICER', 'PUBLIC_ACCOUNTANT', 'SHARES_OUTSTANDING'],
]
export const OPTIONAL = Object.keys(MEMBERS).filter((member) => !NEEDED.includes(member))

/** Members about a fund or a trust, besides FUND_REPORTED_INFO. */
export const TELLING = [...Object.keys(KEYS), ...UNIT_TRUST.map(({ member }) => member)]
