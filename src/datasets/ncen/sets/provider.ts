/** Maps service providers from the data sets: columns of a member to elements of a role. */
import type { CsvRow } from '../../../read/csv.ts'
import type { Branch, Lines, Plan } from '../../../read/made.ts'
import { ADVISERS, type AdviserElements, PROVIDERS, type ProviderElements } from '../parse/provider.ts'

/** Columns of a member for the form's questions about a role. All members use the same names for state and country. */
interface Columns {
  name: string
  file?: string
  crd?: string
  lei?: string
  /** Kind of the number given in place of the LEI. */
  otherType?: string
  affiliated?: string
  sub?: string
  amount?: string
  note?: string
}

const PLACE = { state: 'STATE', country: 'COUNTRY' }

function planOf(asked: ProviderElements, columns: Columns): Plan {
  const { stem, numbers = stem, place = stem, other } = asked
  const plan: Record<string, string> = {}
  const put = (path: string | undefined, column: string | undefined) => {
    if (path !== undefined && column !== undefined) plan[path] = column
  }
  put(`${stem}Name`, columns.name)
  put(asked.file ?? `${numbers}FileNo`, columns.file)
  put(asked.crd ?? `${numbers}CrdNo`, columns.crd)
  put(`${numbers}Lei`, columns.lei)
  put(other?.[1], columns.otherType)
  put(asked.affiliated, columns.affiliated)
  put(asked.sub, columns.sub)
  put(asked.amount, columns.amount)
  put(asked.note, columns.note)
  // Roles in attributes have no place.
  if (!place.startsWith('@')) {
    put(`${place}StateCountry/@${place}State`, PLACE.state)
    put(`${place}StateCountry/@${place}Country`, PLACE.country)
  }
  return plan
}

/** @param more elements that only this role has */
export const providerBranch = (member: string, asked: ProviderElements, columns: Columns, more: Plan = {}): Branch => ({
  member,
  at: asked.at,
  texts: { ...planOf(asked, columns), ...more },
  ignored: ['ACCESSION_NUMBER', 'FUND_ID'],
})

/** Values of SOURCE, by which a line names its part of the form. */
export const PARTS = { 'PART C': 'C', 'PART D': 'D' } as const
export type FormPart = (typeof PARTS)[keyof typeof PARTS]

/**
 * ADVISER_TYPE: the SEC's description of the sets writes Adviser, its lines have Advisor (2026 Q2). The number is the
 * role's index among those of the form.
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
 * Names the lines of a member that belong to one part of the form, and in ADVISER to one role, as a member of their
 * own.
 */
export const kindOf = (member: string, part: FormPart, role?: number): string =>
  role === undefined ? `${member} ${part}` : `${member} ${part} ${role}`

const ADVISER = { name: 'ADVISER_NAME', file: 'FILE_NUM', crd: 'CRD_NUM', lei: 'ADVISER_LEI' }
const IGNORED = ['FUND_ID', 'SOURCE']

function adviserBranches(part: FormPart): Branch[] {
  const roles: readonly (ProviderElements & AdviserElements)[] = ADVISERS[part === 'C' ? 'fund' : 'small']
  return roles.map((asked, role) => {
    const { hired, started, ended } = asked
    const own = { affiliated: 'IS_AFFILIATED', hired: 'IS_ADVISOR_HIRED', started: 'ADVISOR_START_DATE', ended: 'ADVISOR_TERMINATED_DATE' } // biome-ignore format: a table
    const days = { ...(started && { [started]: own.started }), ...(ended && { [ended]: own.ended }) }
    const asks = [asked.affiliated && own.affiliated, hired && own.hired, started && own.started, ended && own.ended]
    const not = Object.values(own).filter((column) => !asks.includes(column))
    return {
      member: kindOf('ADVISER', part, role),
      at: asked.at,
      texts: { ...planOf(asked, { ...ADVISER, affiliated: own.affiliated }), ...(hired && { [hired]: own.hired }) },
      days,
      ignored: [...IGNORED, 'ADVISER_TYPE'],
      more(_, row) {
        for (const column of not) {
          const text = row.text(column)
          if (text !== null) row.problem(column, text, `is not asked of ${row.text('ADVISER_TYPE')}`)
        }
      },
    }
  })
}

/**
 * Branches that both parts have: advisers, transfer agents and custodians of a fund, and of a small business investment
 * company.
 */
export function partBranches(part: FormPart): Branch[] {
  const { transfer_agent, custodian }: Record<'transfer_agent' | 'custodian', ProviderElements> =
    PROVIDERS[part === 'C' ? 'fund' : 'small']
  const transferAgent = providerBranch(kindOf('TRANSFER_AGENT', part), transfer_agent, {
    ...{ name: 'TRANSFERAGENT_NAME', file: 'FILE_NUM', lei: 'TRANSFERAGENT_LEI' },
    ...{ affiliated: 'IS_AFFILIATED', sub: 'IS_SUBTRANSFER_AGENT' },
  })
  const keeper = providerBranch(
    kindOf('CUSTODIAN', part),
    custodian,
    {
      ...{ name: 'CUSTODIAN_NAME', lei: 'CUSTODIAN_LEI', affiliated: 'IS_AFFILIATED', sub: 'IS_SUB_CUSTODIAN' },
      note: 'OTHER_CUSTODIAN_DESC',
    },
    { custodyType: 'CUSTODY_TYPE' },
  )
  return [...adviserBranches(part), ...[transferAgent, keeper].map((branch) => ({ ...branch, ignored: IGNORED }))]
}

/** Returns lines of a member that belong to a line of a fund: numbers restart with each fund, so both must match. */
export function linesOf(row: CsvRow, number: string, member: string, lines: Lines): CsvRow[] {
  const own = row.text(number)
  const found = lines.where(member, 'FUND_ID', row.text('FUND_ID')).filter((one) => one.text(number) === own)
  for (const one of found) lines.placed.add(one)
  return found
}

const number = { file: 'FILE_NUM', crd: 'CRD_NUM' }

/** Branches that only funds have. */
export const OF_FUND: readonly Branch[] = [
  providerBranch('PRICING_SERVICE', PROVIDERS.fund.pricing_service, {
    ...{ name: 'PRICING_SERVICE_NAME', lei: 'PRICING_SERVICE_LEI', otherType: 'OTHER_IDENTIFYING_NUM_DESC' },
    affiliated: 'IS_AFFILIATED',
  }),
  providerBranch('SHAREHOLDER_SERVICING_AGENT', PROVIDERS.fund.shareholder_agent, {
    ...{ name: 'AGENT_NAME', lei: 'AGENT_LEI', otherType: 'OTHER_IDENTIFYING_NUM_DESC' },
    ...{ affiliated: 'IS_AFFILIATED', sub: 'IS_SUBSHARE' },
  }),
  providerBranch('ADMIN', PROVIDERS.fund.administrator, {
    ...{ name: 'ADMIN_NAME', lei: 'ADMIN_LEI', otherType: 'OTHER_IDENTIFYING_NUM' },
    ...{ affiliated: 'IS_AFFILIATED', sub: 'IS_SUB_ADMIN' },
  }),
  providerBranch('BROKER_DEALER', PROVIDERS.fund.affiliated_broker, {
    ...{ name: 'BROKER_DEALER_NAME', ...number, lei: 'BROKER_DEALER_LEI', amount: 'COMMISSION' },
  }),
  providerBranch('BROKER', PROVIDERS.fund.broker, {
    ...{ name: 'BROKER_NAME', ...number, lei: 'BROKER_LEI', amount: 'GROSS_COMMISSION' },
  }),
  providerBranch('PRINCIPAL_TRANSACTION', PROVIDERS.fund.principal_dealer, {
    ...{ name: 'PRINCIPAL_NAME', ...number, lei: 'PRINCIPAL_LEI', amount: 'PRINCIPAL_TOTAL_PURCHASE_SALE' },
  }),
  {
    ...providerBranch(
      'SECURITY_LENDING',
      PROVIDERS.fund.lending_agent,
      { name: 'SECURITIES_AGENT_NAME', lei: 'SECURITIES_AGENT_LEI', affiliated: 'IS_AFFILIATED' },
      {
        isSecurityAgentIdemnity: 'SECURITY_AGENT_IDEMNITY',
        'securityAgentIdemnity/didIndemnificationRights': 'DID_INDEMNIFICATION_RIGHTS',
      },
    ),
    more(made, row, lines) {
      for (const one of linesOf(row, 'SECURITY_LENDING_SEQNUM', 'SEC_LENDING_IDEMNITY_PROVIDER', lines)) {
        made.child('securityAgentIdemnity/idemnityProviders/idemnityProvider').fill(one, INDEMNITY)
      }
    },
  },
  providerBranch(
    'COLLATERAL_MANAGER',
    PROVIDERS.fund.collateral_manager,
    { name: 'COLLATERAL_MANAGER_NAME', lei: 'COLLATERAL_MANAGER_LEI', affiliated: 'IS_AFFILIATED_WITH_FUND' },
    { '@isCollateralManagerAffliliated': 'IS_AFFILIATED' },
  ),
]

export const INDEMNITY: Plan = {
  '@idemnityProviderName': 'INDEMNITY_PROVIDER_NAME',
  '@idemnityProviderLei': 'INDEMNITY_PROVIDER_LEI',
}

/** Participants of an exchange-traded fund. */
export const PARTICIPANT = providerBranch(
  'AUTHORIZED_PARTICIPANT',
  PROVIDERS.etf.authorized_participant,
  { name: 'PARTICIPANT_NAME', ...number, lei: 'PARTICIPANT_LEI', amount: 'PURCHASE_VALUE' },
  { '@authorizedParticipantRedeemValue': 'REDEEM_VALUE' },
)

/** Branches of a unit investment trust. */
export const OF_TRUST: readonly Branch[] = [
  providerBranch(
    'DEPOSITOR',
    PROVIDERS.unit.depositor,
    { name: 'DEPOSITOR_NAME', crd: 'CRD_NUM', lei: 'DEPOSITOR_LEI' },
    { depositorUltimateParentname: 'ULTIMATE_PARENT_NAME' },
  ),
  providerBranch('UIT_ADMIN', PROVIDERS.unit.administrator, {
    ...{ name: 'UIT_ADMIN_NAME', lei: 'UIT_ADMIN_LEI', otherType: 'OTHER_IDENTIFYING_NUM' },
    ...{ affiliated: 'IS_AFFILIATED', sub: 'IS_SUB_ADMIN' },
  }),
  providerBranch('SPONSOR', PROVIDERS.unit.sponsor, { name: 'SPONSOR_NAME', crd: 'CRD_NUM', lei: 'SPONSOR_LEI' }),
  providerBranch('TRUSTEE', PROVIDERS.unit.trustee, { name: 'TRUSTEE_NAME' }),
]
