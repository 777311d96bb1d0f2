/**
 * Reads Item 5 of Form Funding Portal: the questions on disciplinary history, and the pages that explain an answer of
 * yes.
 */
import type { Element } from '../../read/xml.ts'
import { statedAt, street, word, words } from './parse-fields.ts'

/**
 * Each question: its item, its element, and a short wording. Each question concerns the portal and its associated
 * persons.
 */
const QUESTIONS = Object.entries({
  criminalDisclosure: [
    ['5-A(1)', 'isConvictedOfFelony', 'Felony: convicted, or pleaded guilty or no contest, in the past ten years'],
    ['5-A(2)', 'isChargedWithFelony', 'Felony: charged in the past ten years'],
    ['5-B(1)', 'isConvictedMisdemeanor', 'Misdemeanor of investment or fraud: convicted or pleaded guilty, ten years'],
    ['5-B(2)', 'isChargedMisdemeanor', 'Misdemeanor of investment or fraud: charged in the past ten years'],
  ],
  regulatoryActionDisclosure: [
    ['5-C(1)', 'isMadeFalseStatement', 'SEC or CFTC: found a false statement or omission'],
    ['5-C(2)', 'isViolatedRegulation', 'SEC or CFTC: found a violation of its regulations or statutes'],
    ['5-C(3)', 'isCauseOfDenial', 'SEC or CFTC: found a cause of a denied, suspended or revoked authorization'],
    ['5-C(4)', 'isOrderAgainst', 'SEC or CFTC: entered an order in connection with investment activity'],
    ['5-C(5)', 'isImposedPenalty', 'SEC or CFTC: imposed a civil penalty, or ordered to cease and desist'],
    ['5-D(1)', 'isUnEthical', 'Other regulators: found a false statement, or dishonest or unethical conduct'],
    ['5-D(2)', 'isFoundInViolationOfRegulation', 'Other regulators: found a violation of investment regulations'],
    ['5-D(3)', 'isFoundInCauseOfDenial', 'Other regulators: found a cause of a denied or revoked authorization'],
    ['5-D(4)', 'isOrderAgainstActivity', 'Other regulators: entered an order in connection with investment activity'],
    ['5-D(5)', 'isDeniedLicense', 'Other regulators: denied, suspended or revoked a registration or license'],
    ['5-E(1)', 'isFoundMadeFalseStatement', 'Self-regulatory organizations: found a false statement or omission'],
    ['5-E(2)', 'isFoundInViolationOfRules', 'Self-regulatory organizations: found a violation of their rules'],
    ['5-E(3)', 'isFoundInCauseOfSuspension', 'Self-regulatory organizations: found a cause of a lost authorization'],
    ['5-E(4)', 'isDisciplined', 'Self-regulatory organizations: expelled, suspended, barred or restricted'],
    ['5-F', 'isAuthorizedToActAttorney', 'Authorization as attorney, accountant or federal contractor revoked'],
    ['5-G', 'isRegulatoryComplaint', 'Subject of a regulatory proceeding that could lead to a yes in C, D or E'],
  ],
  civilJudicialActionDisclosure: [
    ['5-H(1)', 'isEnjoined', 'Court: enjoined in connection with investment activity in the past ten years'],
    ['5-H(2)', 'isFoundInViolationOfRegulation', 'Court: found a violation of investment statutes or regulations'],
    ['5-H(3)', 'isDismissed', 'Court: dismissed an investment action of a state or foreign regulator by settlement'],
    ['5-I', 'isNamedInCivilProceeding', 'Subject of a civil proceeding that could lead to a yes in H'],
  ],
  financialDisclosure: [
    ['5-J(1)', 'hasSubjectOfBankruptcy', 'Subject of a bankruptcy petition in the past ten years'],
    ['5-J(2)', 'hasTrusteeAppointed', 'Securities Investor Protection Act: trustee appointed or direct payment begun'],
    ['5-K', 'hasBondDenied', 'A bonding company denied, paid out on or revoked a bond'],
    ['5-L', 'doesAppHaveLiens', 'Unsatisfied judgments or liens'],
  ],
} as const).map(([part, questions]) => ({
  part: `disclosureAnswers/${part}`,
  questions: questions.map(([item, element, question]) => ({ item, element, question })),
}))

/**
 * Returns every question with its answer, in the order of the form. An answer is null if the filing does not give one.
 */
export function answers(form: Element) {
  return QUESTIONS.flatMap(({ part, questions }) => {
    const given = form.maybe(part)
    return questions.map(({ item, element, question }) => ({ item, question, yes: given?.flag(element) ?? null }))
  })
}

const PAGES = {
  criminal: 'criminalDrpInfo/criminalDrp',
  regulatory: 'regulatoryDrpInfo/regulatoryDrp',
  civil_judicial: 'civilJudicialDrpInfo/civilJudicialDrp',
  bankruptcy: 'bankruptcySipcDrpInfo/bankruptcyDrp',
  bond: 'bondDrpInfo/bondDrp',
  judgment: 'judgementDrpInfo/judgementDrp',
}

const PARTIES = {
  applicant: 'applicant',
  associatedPerson: 'associated_person',
  affiliatePerson: 'control_affiliate',
}

/**
 * Returns the disclosure reporting pages: one row for each page and party, or one for a page that is not split by
 * party.
 */
export function disclosures(form: Element) {
  return Object.entries(PAGES).flatMap(([kind, path]) =>
    form.all(path).flatMap((page) => {
      const head = {
        kind,
        is_amended: word(page, 'initialOrAmended', AMENDED),
        items: page.texts('respondingTo', 'respondingTo/responseQuestion'),
        filed_for: statedAt(page, 'drpFiledFor'),
      }
      const parties = Object.entries(PARTIES).flatMap(([element, party]) =>
        page.all(element).map((found) => ({ party: party as string | null, found })),
      )
      if (parties.length === 0) parties.push({ party: null, found: page })
      return parties.map(({ party, found }) => ({ ...matter(found), ...head, party }))
    }),
  )
}

/** Elements under which the six kinds of page describe one matter. */
const HOLDERS = [
  'associatedPersonDetails',
  'drpRemovalInfo',
  'criminalDrpDetails',
  'dispositionDisclosure',
  'dispositionDisclosure/duration',
  'regulatoryDrpDetails',
  'regulatoryDrpDetails/sanctionsOrderedDetails',
  'civilJudicialDrpDetails',
  'appBankruptcySipcDrpDetails',
  'affBankruptcySipcDrpDetails',
  'payoutInfo',
  'judgementLienOutstanding',
]

/**
 * Reads one matter. If the kinds of page have different element names for one value, all of these names are listed, and
 * a page has only some of them. Long: it lists the element names of all pages of the form.
 */
function matter(party: Element) {
  const holders = [party, ...HOLDERS.flatMap((path) => party.all(path))]
  // Maps a child's name to the holders that have such a child. Without this map, a fifth of the time for reading a
  // CFPORTAL-W was spent on searching every holder for each name.
  const holdersOf = new Map<string, Element[]>()
  for (const holder of holders) {
    for (const name of holder.childNames()) {
      const known = holdersOf.get(name)
      if (known === undefined) holdersOf.set(name, [holder])
      else known.push(holder)
    }
  }
  const first = <T>(names: readonly string[], read: (holder: Element, name: string) => T | null): T | null => {
    if (!names.some((name) => holdersOf.has(name))) return null
    for (const holder of holders) {
      for (const name of names) {
        const value = holdersOf.get(name)?.includes(holder) ? read(holder, name) : null
        if (value !== null) return value
      }
    }
    return null
  }
  const text = (...names: string[]) => first(names, statedAt)
  const flag = (...names: string[]) => first(names, (holder, name) => holder.flag(name))
  const count = (name: string) => first([name], (holder) => holder.count(name))
  const list = (...paths: string[]) => {
    const some = paths.filter((path) => holdersOf.has(path.split('/', 1)[0]!))
    return some.length === 0 ? [] : holders.flatMap((holder) => holder.texts(...some))
  }
  const when = (...names: string[]) => first(names, (holder, name) => day(holder.maybe(name)))
  const note = (...names: string[]) => first(names, (holder, name) => statedAt(holder, `${name}/explanationInfo`))
  const opened = [
    'dateFirstCharged',
    'dateInitiated',
    'filingDateOfCourtActionExactOrExplain',
    'actionDate',
    'dateFiled',
  ]
  const status = ['eventStatusDate', 'processingDateCourtActionExactOrExplain']
  const resolved = ['dispositionDate', 'resolutionDateExactExplain', 'resolutionDateExactOrExplain']
  const court = first(['courtAddress'], (holder, name) => holder.maybe(name))
  const address = street(court)
  return {
    person_type: text('personType', 'controlAffiliateType'),
    person_name: text('fullName', 'fullNameOfFirmOrPerson'),
    person_crd: first(['crdNumber', 'apCrdNumber'], (holder, name) => holder.crd(name)),
    person_registered:
      first(['personRegistered'], (holder, name) => word(holder, name, REGISTERED)) ?? flag('isRegistered'),
    person_in_crd: flag('isConAffRegisteredCrd'),
    is_removal: flag('isAmendmentRemoveDrp'),
    removal_reason: text('drpRemovalReason', 'drpRemoveReason'),
    removal_note: text('explanation', 'circumstancesExplanation'),
    organization: text('organizationName', 'firmName'),
    investment_related: flag('engagedInInvestmentRelatedBusiness'),
    relationship: text('descRelationshipWithApplicant'),
    employing_firm: text('apEmployingFirm', 'associatePersonEmployingFirm'),
    initiated_by: text('regulatoryActionInitiatedBy', 'courtActionInitiatorName'),
    regulator: text('regulatorName'),
    sought: text('principalSanction', 'principalReliefSought'),
    sought_other: text('otherPrincipalSanctionDesc', 'otherPrincipleReliefSought'),
    sought_more: text('otherSanctionsDesc', 'otherReliefSought'),
    action_types: list('actionType'),
    action_other: text('actionTypeOtherDesc'),
    opened_date: when(...opened),
    opened_note: note(...opened),
    court_type: text('courtType', 'civilActionCourtType'),
    court: text('nameOfCourt', 'civilActionCourtName'),
    court_street1: address.street1,
    court_street2: address.street2,
    court_city: address.city ?? text('cityOrCounty'),
    court_state: address.state ?? text('stateOrCountry'),
    court_zip: address.zip,
    docket: text('docketOrCaseNumber', 'docketOrCaseNo'),
    chapter: text('bankruptcyChapterNo'),
    product: text('principalProductType'),
    product_other: text('principalProductTypeOtherDesc', 'otherPrincipalProductType'),
    product_more: text('otherProductDesc', 'otherProductType'),
    allegations: text('descAllegations', 'describeCivilActionAllegations'),
    charges: party.all('criminalDrpDetails/criminalCharge').map(charge),
    any_felony: flag('anyChargeFelony'),
    status: text('eventCurrentStatus', 'currentStatus'),
    status_date: when(...status),
    status_note: note(...status),
    is_pending: flag('isActionPending'),
    appealed_to: text('appealedTo', 'courtNameAndDateAppeal'),
    dispositions: list(
      'dispositionTypes',
      'dispositionType',
      'matterResolvedType',
      'matterResolveType',
      'matterResolved',
    ),
    disposition_other: text('dispositionTypeOtherDesc', 'matterResolvedTypeOtherDesc', 'otherMatterResolveType'),
    appeals: list('appealTypes'),
    appeal_other: text('appealTypeOtherDesc'),
    resolved: when(...resolved),
    resolved_note: note(...resolved),
    sanctions: list('sanctionsOrdered/sanctionOrdered', 'sanctionReliefType/sanctionOrdered'),
    sanctions_other: text('otherSanctions', 'otherSanctionsOrdered'),
    sanction_note: text('sanctionDetail'),
    sentence: text('sentencePenalty'),
    sentence_days: count('days'),
    sentence_months: count('months'),
    sentence_years: count('years'),
    sentence_start: when('startDatePenalty'),
    amount: first(
      ['penaltyFineAmount', 'amountPaid', 'grantOrFineAmount', 'payoutAmount', 'judgementOrLienAmount'],
      (holder, name) => holder.money(name, NULLS),
    ),
    paid: when('datePaid'),
    trustee: text('nameOfTrustee'),
    is_open: flag('isCurrentlyOpen'),
    direct_payment: when('dateDirectPayment'),
    direct_payment_note: note('dateDirectPayment'),
    bonding_company: text('bondingCompanyName'),
    lien_holder: text('judgementOrLienHolder'),
    lien_type: text('judgementOrLienType'),
    is_outstanding: flag('isJudgementLienOutstanding'),
    outstanding_note: text('provideExplanationDesc'),
    explanation: text('summaryOfCircumstances', 'summaryOfDetails', 'summaryOfEvents', 'summarizeDetails'),
    disposition_note: text('detailsOfDisposition'),
  }
}

const NULLS = ['None', 'N/A']

const AMENDED = words({ INITIAL: false, AMENDED: true })

const REGISTERED = words({
  'The associated person is registered with the SEC': true,
  'The associated person is not registered with the SEC': false,
})

/**
 * Reads a day, which the form gives alone or together with a choice between "exact" and "explanation". The choice is
 * ignored, since the explanation is read.
 */
function day(element: Element | null): string | null {
  element?.ignore('exactOrExplanation')
  return element?.date('date', 'mdy') ?? element?.date(undefined, 'mdy') ?? null
}

function charge(element: Element) {
  return {
    charge: statedAt(element, 'chargeDesc'),
    charge_count: element.count('numberOfCounts', NULLS),
    degree: statedAt(element, 'felonyOrMisdemeanor'),
    plea: statedAt(element, 'plea'),
    product: statedAt(element, 'investmentProductType'),
  }
}
