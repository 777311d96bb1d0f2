/**
 * The maps of the SEC's data sets of Form N-CEN (since 2019 Q3). `*.tsv` next to this file say which element of the
 * form each column becomes. This file has the code for what a map cannot express.
 *
 * Columns follow the SEC's own description of the sets (ncen_metadata.json), which is unchanged since 2021 Q3 except
 * for REDEEMED_SHARES_PER_CREATION_UNIT of ETF, added in 2024 Q1. The sets lack the following, so rows from them have
 * null or nothing: the series and classes that the header of the form names, the telephone of a compliance officer, and
 * RSSD IDs.
 */
import { readFileSync } from 'node:fs'
import type { CsvRow } from '../../../read/csv.ts'
import type { Branch, Lines, Made } from '../../../read/made.ts'
import { type Boxes, type MappedMember, type More, once, SetMap } from '../../../read/set-map.ts'

const FILES = [
  new URL('registrant.tsv', import.meta.url),
  new URL('fund.tsv', import.meta.url),
  new URL('rest.tsv', import.meta.url),
  new URL('provider.tsv', import.meta.url),
]

/** Values of the column SOURCE, which names the part of the form that a line is from. */
export const PARTS = { 'PART C': 'C', 'PART D': 'D' } as const
type FormPart = (typeof PARTS)[keyof typeof PARTS]

/**
 * Values of ADVISER_TYPE: the SEC's description of the sets has Adviser, the lines of the sets have Advisor (2026 Q2).
 * The number is the index of the role in the form's list of roles.
 */
export const ADVISER_TYPES: Readonly<Record<string, number>> = {
  ADVISER: 0,
  ADVISOR: 0,
  'TERMINATED ADVISER': 1,
  'TERMINATED ADVISOR': 1,
  SUBADVISER: 2,
  SUBADVISOR: 2,
  'TERMINATED SUBADVISER': 3,
  'TERMINATED SUBADVISOR': 3,
}

/**
 * Returns the name for a group of a member's lines: the lines of one part of the form, and in ADVISER also of one role.
 * Each group is treated as a separate member.
 */
export const kindOf = (member: string, part: FormPart, role?: number): string =>
  role === undefined ? `${member} ${part}` : `${member} ${part} ${role}`

const CREDIT_TYPES: Readonly<Record<string, string>> = { SOLE: 'Sole', SHARED: 'Shared' }

/** Members that every quarter has. Each quarter lacks some of the others: 2026 Q1 has 45 of the 53. */
const NEEDED = [
  ...['SUBMISSION', 'REGISTRANT', 'FUND_REPORTED_INFO', 'ADVISER', 'CUSTODIAN', 'TRANSFER_AGENT', 'DIRECTOR'],
  ...['CHIEF_COMPLIANCE_OFFICER', 'PUBLIC_ACCOUNTANT', 'SHARES_OUTSTANDING'],
]

export const ACCESSION = 'ACCESSION_NUMBER'
export const FUND_ID = 'FUND_ID'

const INFO = 'FUND_REPORTED_INFO'
const [PART_C, PART_D, TRUST] = [
  'managementInvestmentQuestion',
  'closedEndManagementInvestment',
  'unitInvestmentTrust',
] as const

/** The maps by part of the form. The maps are read when a set is first needed. */
export const plan = once(() => {
  const map = new SetMap(FILES.map((file) => [fileName(file), readFileSync(file, 'utf8')] as const))
  const rights = map.member(PART_D, 'RIGHTS_OFFERING_FUND').boxes
  const more = moreOf(map, rights)
  const members = map.members()
  const trust = map.branches(TRUST, more)
  /** Members that have the accession number in FUND_ID, `0000035402-26-002197_0000225322_S000080314`. */
  const keys: Readonly<Record<string, string>> = Object.fromEntries(map.keyedBy(FUND_ID).map((each) => [each, FUND_ID]))
  return {
    header: map.branches('headerData'),
    general: map.branches('generalInfo'),
    registrant: map.branches('registrantInfo', more),
    attachments: map.branches('attachmentsTab'),
    signature: map.branches('signature'),
    /** Part C: answers in a line of FUND_REPORTED_INFO, and members that name a fund by FUND_ID. */
    answers: map.member(PART_C, INFO),
    fund: map.branches(PART_C, more),
    /** Part D. A filing has only one Part D, so all its lines belong to it, whatever fund they name. */
    closedAnswers: map.member(PART_D, INFO),
    closedEnd: map.branches(PART_D, more),
    rights,
    /** Part E: a line of ETF, and members that name an exchange-traded fund by FUND_ID. */
    etf: map.member('exchangeTradedFund', 'ETF').texts,
    ofEtf: map.branches('exchangeTradedFund', more),
    /** Part F. A filing has only one Part F. */
    trust,
    members,
    keys,
    optional: Object.keys(members).filter((member) => !NEEDED.includes(member)),
    /** Members about a fund or a trust, besides FUND_REPORTED_INFO. */
    telling: [...Object.keys(keys), ...trust.map(({ member }) => member)],
  }
})

const fileName = (file: URL) => `ncen/sets/${file.pathname.split('/').at(-1)}`

function moreOf(map: SetMap, rights: Boxes): More {
  const institution = map.member('lineOfCreditInstitution', 'LINE_OF_CREDIT_INSTITUTION').texts
  const user = map.member('creditUser', 'CREDIT_USER').texts
  const indemnity = map.member('idemnityProvider', 'SEC_LENDING_IDEMNITY_PROVIDER').texts
  return {
    ...Object.fromEntries(
      Object.values(PARTS).flatMap((part) =>
        [0, 1, 2, 3].map((role) => {
          const member = kindOf('ADVISER', part, role)
          return [member, refusing(map.member(part === 'C' ? PART_C : PART_D, member).unasked)]
        }),
      ),
    ),
    DIRECTOR_FILE_NUMBER: fileNumbers,
    RIGHTS_OFFERING_FUND: (made, row) => tick(made, row, rights),
    UIT(made, row) {
      const is = row.text('IS_SEPERATE_ACCT')
      const account = `${is === 'N' ? 'notRegistrant' : 'registrant'}SeparateInsuranceAccount`
      made.put(`${account}/@isRegistrantSeparateInsuranceAccount`, is)
    },
    LINE_OF_CREDIT_DETAIL(made, row, lines) {
      const read = (text: string) => CREDIT_TYPES[text.toUpperCase()] ?? null
      const type = row.value('CREDIT_TYPE', read, 'is neither Sole nor Shared')
      if (type !== null) made.put(`${type.toLowerCase()}CreditType/@creditType`, type)
      const own = (member: string) => linesOf(row, 'LINE_OF_CREDIT_SEQNUM', member, lines)
      for (const one of own('LINE_OF_CREDIT_INSTITUTION')) {
        made.child('lineOfCreditInstitutions/lineOfCreditInstitution').fill(one, institution)
      }
      for (const one of own('CREDIT_USER')) made.child('sharedCreditType/creditUser').fill(one, user)
    },
    SECURITY_LENDING(made, row, lines) {
      for (const one of linesOf(row, 'SECURITY_LENDING_SEQNUM', 'SEC_LENDING_IDEMNITY_PROVIDER', lines)) {
        made.child('securityAgentIdemnity/idemnityProviders/idemnityProvider').fill(one, indemnity)
      }
    },
  }
}

const refusing =
  (unasked: readonly string[]): NonNullable<Branch['more']> =>
  (_, row) => {
    for (const column of unasked) {
      const text = row.text(column)
      if (text !== null) row.problem(column, text, `is not asked of ${row.text('ADVISER_TYPE')}`)
    }
  }

/** Splits the file numbers of a director, which are in one line with spaces between them. */
function fileNumbers(made: Made, row: CsvRow): void {
  for (const number of row.text('FILE_NUMBER')?.split(/\s+/) ?? []) {
    made.add('fileNumberInfo/@fileNumber', number)
  }
}

/**
 * Returns lines of a member that belong to a line of a fund. Numbers restart with each fund, so both fund and number
 * must match.
 */
function linesOf(row: CsvRow, number: string, member: string, lines: Lines): CsvRow[] {
  const own = row.text(number)
  const found = lines.where(member, FUND_ID, row.text(FUND_ID)).filter((one) => one.text(number) === own)
  for (const one of found) lines.placed.add(one)
  return found
}

/** Adds the words of ticked boxes. */
function tick(made: Made, row: CsvRow, boxes: Boxes): void {
  for (const column in boxes) {
    const [path, word] = boxes[column]!
    if (row.flag(column)) {
      if (path.includes('@')) made.put(path, word)
      else made.child(path).setText(word)
    }
  }
}

/** Adds the answers of a line to an element. @returns whether the line has any answer */
export function answered(made: Made, row: CsvRow, { texts, boxes, later }: MappedMember): boolean {
  made.fill(row, texts)
  tick(made, row, { ...boxes, ...later })
  return [...Object.values(texts), ...Object.keys(boxes)].some((column) => row.text(column) !== null)
}
