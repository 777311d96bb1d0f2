/**
 * Reads service providers of a fund or a registrant. The form asks the same questions about each role, in elements of
 * different names. So the path of the elements and the beginnings of their names identify the role.
 */
import { foldedKey } from '../../../read/fold.ts'
import { fileNumberKey } from '../../../read/values.ts'
import type { Element } from '../../../read/xml.ts'
import type { ROLES } from '../tables/columns.ts'
import {
  amount,
  answer,
  day,
  fileNumber,
  leiAndRssd,
  numberForLei,
  type Part,
  place,
  textAt,
  textsAt,
} from './values.ts'

type Role = (typeof ROLES)[number]

/** Path and names of a role's elements. */
export interface ProviderElements {
  at: string
  /** Beginning of most names, such as transferAgent in transferAgentName. */
  stem: string
  /** Beginning of the names of the elements that hold numbers, if it differs from `stem`. */
  numbers?: string
  /** Names of elements that do not consist of `stem` (or `numbers`) and the usual ending. */
  file?: string
  crd?: string
  place?: string
  other?: readonly [id: string, type: string]
  affiliated?: string
  sub?: string
  amount?: string
  note?: string
}

export const ADVISERS = {
  fund: [
    {
      ...{ role: 'adviser', at: 'investmentAdvisers/investmentAdviser', stem: 'investmentAdviser' },
      ...{ hired: 'isInvestmentAdviserHired', details: 'investmentAdviserHired' },
      started: 'investmentAdviserHired/investmentAdviserStartDate',
    },
    {
      ...{ role: 'adviser', at: 'investmentAdvisersTerminated/investmentAdviserTerminated' },
      ...{ stem: 'investmentAdviserTerminated', numbers: 'investAdviserTerminated' },
      ended: 'investAdviserTerminationDate',
    },
    {
      ...{ role: 'subadviser', at: 'subAdvisers/subAdviser', stem: 'subAdviser', affiliated: 'isSubAdviserAffiliated' },
      ...{ hired: 'isSubAdviserHired', details: 'subAdviserHired', started: 'subAdviserHired/@subAdviserStartDate' },
    },
    {
      ...{ role: 'subadviser', at: 'subAdvisersTerminated/subAdviserTerminated', stem: 'subAdviserTerminated' },
      ended: 'subAdviserTerminationDate',
    },
  ],
  // Part D, small business investment companies.
  small: [
    {
      ...{ role: 'adviser', at: 'smallInvestmentAdvisers/smallInvestmentAdviser', stem: 'smallInvestmentAdviser' },
      ...{ hired: 'isSmallInvestmentAdviserHired', details: 'smallInvestmentAdviserHired' },
      started: 'smallInvestmentAdviserHired/@smallInvestmentAdviserStartDate',
    },
    {
      ...{ role: 'adviser', at: 'terminatedSmallInvAdvisers/terminatedSmallInvAdviser' },
      ...{ stem: 'smallInvestmentAdviserTerminated', ended: 'smallInvestmentAdviserTerminatedDate' },
    },
    {
      ...{ role: 'subadviser', at: 'smallSubAdvisers/smallSubAdviser', stem: 'smallSubAdviser' },
      ...{
        affiliated: 'isSmallSubAdviserAffiliated',
        hired: 'isSmallSubAdviserHired',
        details: 'smallSubAdviserHired',
      },
      started: 'smallSubAdviserHired/@smallSubAdviserStartDate',
    },
    {
      ...{ role: 'subadviser', at: 'terminatedSmallSubAdvisers/terminatedSmallSubAdviser' },
      ...{ stem: 'smallSubAdviserTerminated', ended: 'smallSubAdviserTerminatedDate' },
    },
  ],
} as const satisfies Record<string, readonly (ProviderElements & AdviserElements)[]>

export interface AdviserElements {
  role: 'adviser' | 'subadviser'
  /**
   * The answer to the question whether the provider was hired, and the element with the details if the answer is Yes.
   */
  hired?: string
  details?: string
  started?: string
  /** Element that only dismissed advisers have. */
  ended?: string
}

/** Reads Items C.9 and D.12. */
export function* advisersOf(element: Element, where: keyof typeof ADVISERS, fund: string | null): Generator<Part> {
  for (const elements of ADVISERS[where] as readonly (ProviderElements & AdviserElements)[]) {
    for (const one of element.filled(elements.at)) {
      const who = identity(one, elements)
      yield [
        'adviser',
        {
          fund,
          role: elements.role,
          ...who,
          name_key: who.name === null ? null : foldedKey(who.name),
          number_key: fileNumberKey(who.file_number),
          ...placeOf(one, elements),
          is_current: elements.ended === undefined,
          is_affiliated: elements.affiliated === undefined ? null : one.flag(elements.affiliated),
          is_hired: elements.hired && elements.details ? answer(one, elements.hired, elements.details) : null,
          started: elements.started === undefined ? null : day(one, elements.started),
          ended: elements.ended === undefined ? null : day(one, elements.ended),
        },
      ]
    }
  }
}

export const PROVIDERS = {
  registrant: {
    principal_underwriter: {
      ...{
        at: 'principalUnderwriters/principalUnderwriter',
        stem: 'principalUnderwriter',
        place: 'principalUnderWriter',
      },
      ...{ file: 'principalUnderwriterFileNumber', crd: 'principalUnderwriterCrdNumber' },
      affiliated: 'isPrincipalUnderwriterAffiliatedWithRegistrant',
    },
    accountant: { at: 'publicAccountants/publicAccountant', stem: 'publicAccountant' },
  },
  fund: {
    transfer_agent: {
      ...{ at: 'transferAgents/transferAgent', stem: 'transferAgent' },
      ...{ affiliated: 'isTransferAgentAffiliated', sub: 'isTransferAgentSubAgent' },
    },
    pricing_service: {
      ...{ at: 'pricingServices/pricingService', stem: 'pricingService', affiliated: 'isPricingServiceAffiliated' },
      other: ['pricingServiceOther', 'pricingServiceIdNumberDesc'],
    },
    custodian: {
      ...{ at: 'custodians/custodian', stem: 'custodian', note: 'otherCustodianDesc' },
      ...{ affiliated: 'isCustodianAffiliated', sub: 'isSubCustodian' },
    },
    shareholder_agent: {
      ...{ at: 'shareholderServicingAgents/shareholderServicingAgent', stem: 'shareholderServiceAgent' },
      ...{ affiliated: 'isShareholderServiceAgentAffiliated', sub: 'isShareholderServiceAgentSubshare' },
      other: ['shareholderServiceAgentOther', 'shareholderServiceIdNumberDesc'],
    },
    administrator: {
      ...{ at: 'admins/admin', stem: 'admin', other: ['adminOther', 'idNumberDesc'] },
      ...{ affiliated: 'isAdminAffiliated', sub: 'isAdminSubAdmin' },
    },
    affiliated_broker: {
      ...{ at: 'brokerDealers/brokerDealer', stem: 'brokerDealer', amount: 'brokerDealerCommission' },
    },
    broker: { at: 'brokers/broker', stem: 'broker', amount: 'grossCommission' },
    principal_dealer: {
      ...{ at: 'principalTransactions/principalTransaction', stem: 'principal', amount: 'principalTotalPurchaseSale' },
    },
    lending_agent: {
      ...{ at: 'securityLendings/securityLending', stem: 'securitiesAgent', affiliated: 'isSecuritiesAgentAffiliated' },
    },
    collateral_manager: {
      ...{ at: 'collateralManagers/collateralManager', stem: '@collateralManager' },
      affiliated: '@isCollateralManagerAffliliatedWithFund',
    },
    liquidity_service: {
      ...{ at: 'liquidityClassifications/liquidityClassificationService', stem: 'liquidity' },
      ...{ affiliated: 'isAffiliatedPerson', other: ['liquidityOther', 'otherDesc'], note: 'otherAssetDesc' },
    },
  },
  small: {
    transfer_agent: {
      ...{ at: 'smallTransferAgents/smallTransferAgent', stem: 'smallTransferAgent' },
      ...{ affiliated: 'isSmallTransferAgentAffiliated', sub: 'isSmallTransferAgentSubAdmin' },
    },
    custodian: {
      ...{ at: 'smallCustodians/smallCustodian', stem: 'smallCustodian', note: 'otherSmallCustodianDesc' },
      ...{ affiliated: 'isSmallCustodianAffiliated', sub: 'isSmallCustodianSub' },
    },
  },
  etf: {
    authorized_participant: {
      ...{ at: 'authorizedParticipants/authorizedParticipant', stem: '@authorizedParticipant' },
      amount: '@authorizedParticipantPurchaseValue',
    },
  },
  unit: {
    depositor: { at: 'depositors/depositor', stem: 'depositor' },
    administrator: {
      ...{ at: 'uitAdmins/uitAdmin', stem: 'uitAdmin', other: ['uitAdminOther', 'uitAdminDescOtherNumber'] },
      ...{ affiliated: 'isUitAdminAffiliated', sub: 'isUitAdminSubAdmin' },
    },
    sponsor: { at: 'notRegistrantSeparateInsuranceAccount/sponsors/sponsor', stem: 'sponsor' },
    trustee: { at: 'notRegistrantSeparateInsuranceAccount/trustees/trustee', stem: 'trustee' },
  },
} as const satisfies Record<string, Partial<Record<Role, ProviderElements>>>

/**
 * Reads all providers except advisers. Skips a provider without name and number, since filers who have no such provider
 * write N/A.
 */
export function* providersOf(element: Element, where: keyof typeof PROVIDERS, fund: string | null): Generator<Part> {
  for (const [role, elements] of Object.entries(PROVIDERS[where]) as [Role, ProviderElements][]) {
    for (const one of element.filled(elements.at)) {
      const row = provider(one, role, elements, fund)
      if (isSomebody(row)) yield ['provider', row]
      if (role === 'lending_agent') yield* indemnityProviders(one, row.name, fund)
    }
  }
}

/**
 * Tests whether a row names a provider or has an amount. An amount without a name counts too, because its trades have a
 * counterparty, although the filer does not name it.
 */
const isSomebody = (row: Record<string, unknown>) =>
  [row.name, row.crd, row.file_number, row.lei, row.rssd_id, row.other_id].some((value) => value !== null) ||
  [row.amount, row.redeemed].some((value) => value !== null && value !== '0')

function provider(one: Element, role: Role, elements: ProviderElements, fund: string | null) {
  const [id, type] = elements.other ?? []
  return {
    fund,
    role,
    ...identity(one, elements),
    other_id: id === undefined ? null : (textAt(one, id) ?? numberForLei(one, `${elements.stem}Lei`)),
    other_id_type: type === undefined ? null : textAt(one, type),
    pcaob: textAt(one, 'pcaobNumber'),
    ...placeOf(one, elements),
    is_affiliated: elements.affiliated === undefined ? null : one.flag(elements.affiliated),
    is_agent_affiliated: one.flag('@isCollateralManagerAffliliated'),
    is_sub: elements.sub === undefined ? null : one.flag(elements.sub),
    amount: elements.amount === undefined ? null : amount(one, elements.amount),
    redeemed: amount(one, '@authorizedParticipantRedeemValue'),
    custody_type: textAt(one, 'custodyType'),
    asset_classes: textsAt(one, 'assetClassType'),
    is_indemnified: answer(one, 'isSecurityAgentIdemnity', 'securityAgentIdemnity'),
    used_indemnity: one.flag('securityAgentIdemnity/didIndemnificationRights'),
    agent: null as string | null,
    parent_name: textAt(one, 'depositorUltimateParentname'),
    note: elements.note === undefined ? null : textAt(one, elements.note),
  }
}

function* indemnityProviders(agent: Element, name: string | null, fund: string | null): Generator<Part> {
  for (const one of agent.filled('securityAgentIdemnity/idemnityProviders/idemnityProvider')) {
    const row = provider(one, 'indemnity_provider', { at: '', stem: '@idemnityProvider' }, fund)
    if (isSomebody(row)) yield ['provider', { ...row, agent: name }]
  }
}

function identity(one: Element, elements: ProviderElements) {
  const { stem, numbers = stem, file = `${numbers}FileNo`, crd: number = `${numbers}CrdNo`, other } = elements
  return {
    name: textAt(one, `${stem}Name`),
    crd: one.crd(number),
    file_number: fileNumber(one, file),
    ...leiAndRssd(one, numbers, { orNumber: other !== undefined }),
  }
}

function placeOf(one: Element, { stem, place: at = stem }: ProviderElements) {
  // The form has no state and country for roles whose data are attributes.
  if (at.startsWith('@')) return { state: null, country: null }
  return place(one, {
    state: `${at}StateCountry/@${at}State`,
    country: [`${at}StateCountry/@${at}Country`, `${at}Country`],
  })
}
