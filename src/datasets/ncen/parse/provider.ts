/**
 * Reads service providers of a fund or a registrant. The form asks the same about each role under different names, so
 * the place and the beginnings of the names identify the role.
 */
import { foldedKey } from '../../../read/fold.ts'
import { fileNumberKey } from '../../../read/values.ts'
import type { Element } from '../../../read/xml.ts'
import type { ROLES } from '../tables/columns.ts'
import { amount, answer, day, fileNumber, leiAndRssd, numberForLei, type Part, place, said, saidAll } from './values.ts'

type Role = (typeof ROLES)[number]

/** Place and names of a role's elements. */
export interface ProviderElements {
  at: string
  /** Beginning of most names: transferAgent of transferAgentName. */
  stem: string
  /** Beginning of the names of its numbers, if it differs. */
  numbers?: string
  /** Names that deviate from the rule. */
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
  /** The answer whether it was hired, and the element with the details of Yes. */
  hired?: string
  details?: string
  started?: string
  /** Element that only dismissed advisers have. */
  ended?: string
}

/** Reads Items C.9 and D.12. */
export function* advisersOf(element: Element, where: keyof typeof ADVISERS, fund: string | null): Generator<Part> {
  for (const asked of ADVISERS[where] as readonly (ProviderElements & AdviserElements)[]) {
    for (const one of element.all(asked.at)) {
      const who = identity(one, asked)
      yield [
        'adviser',
        {
          fund,
          role: asked.role,
          ...who,
          name_key: who.name === null ? null : foldedKey(who.name),
          number_key: fileNumberKey(who.file_number),
          ...placeOf(one, asked),
          is_current: asked.ended === undefined,
          is_affiliated: asked.affiliated === undefined ? null : one.flag(asked.affiliated),
          is_hired: asked.hired && asked.details ? answer(one, asked.hired, asked.details) : null,
          started: asked.started === undefined ? null : day(one, asked.started),
          ended: asked.ended === undefined ? null : day(one, asked.ended),
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

/** Reads all providers except advisers. Skips one without name and number: filers write N/A for none. */
export function* providersOf(element: Element, where: keyof typeof PROVIDERS, fund: string | null): Generator<Part> {
  for (const [role, asked] of Object.entries(PROVIDERS[where]) as [Role, ProviderElements][]) {
    for (const one of element.all(asked.at)) {
      const row = provider(one, role, asked, fund)
      if (isSomebody(row)) yield ['provider', row]
      if (role === 'lending_agent') yield* indemnityProviders(one, row.name, fund)
    }
  }
}

/** Keeps an amount without a name: trades for an amount have a counterparty. */
const isSomebody = (row: Record<string, unknown>) =>
  [row.name, row.crd, row.file_number, row.lei, row.rssd_id, row.other_id].some((value) => value !== null) ||
  [row.amount, row.redeemed].some((value) => value !== null && value !== '0')

function provider(one: Element, role: Role, asked: ProviderElements, fund: string | null) {
  const [id, type] = asked.other ?? []
  return {
    fund,
    role,
    ...identity(one, asked),
    other_id: id === undefined ? null : (said(one, id) ?? numberForLei(one, `${asked.stem}Lei`)),
    other_id_type: type === undefined ? null : said(one, type),
    pcaob: said(one, 'pcaobNumber'),
    ...placeOf(one, asked),
    is_affiliated: asked.affiliated === undefined ? null : one.flag(asked.affiliated),
    is_agent_affiliated: one.flag('@isCollateralManagerAffliliated'),
    is_sub: asked.sub === undefined ? null : one.flag(asked.sub),
    amount: asked.amount === undefined ? null : amount(one, asked.amount),
    redeemed: amount(one, '@authorizedParticipantRedeemValue'),
    custody_type: said(one, 'custodyType'),
    asset_classes: saidAll(one, 'assetClassType'),
    is_indemnified: answer(one, 'isSecurityAgentIdemnity', 'securityAgentIdemnity'),
    used_indemnity: one.flag('securityAgentIdemnity/didIndemnificationRights'),
    agent: null as string | null,
    parent_name: said(one, 'depositorUltimateParentname'),
    note: asked.note === undefined ? null : said(one, asked.note),
  }
}

function* indemnityProviders(agent: Element, name: string | null, fund: string | null): Generator<Part> {
  for (const one of agent.all('securityAgentIdemnity/idemnityProviders/idemnityProvider')) {
    const row = provider(one, 'indemnity_provider', { at: '', stem: '@idemnityProvider' }, fund)
    if (isSomebody(row)) yield ['provider', { ...row, agent: name }]
  }
}

function identity(one: Element, asked: ProviderElements) {
  const { stem, numbers = stem, file = `${numbers}FileNo`, crd: number = `${numbers}CrdNo`, other } = asked
  return {
    name: said(one, `${stem}Name`),
    crd: one.crd(number),
    file_number: fileNumber(one, file),
    ...leiAndRssd(one, numbers, { orNumber: other !== undefined }),
  }
}

function placeOf(one: Element, { stem, place: at = stem }: ProviderElements) {
  // Roles that are stated in attributes have no state and country.
  if (at.startsWith('@')) return { state: null, country: null }
  return place(one, {
    state: `${at}StateCountry/@${at}State`,
    country: [`${at}StateCountry/@${at}Country`, `${at}Country`],
  })
}
