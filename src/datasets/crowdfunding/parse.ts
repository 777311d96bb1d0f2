/**
 * Turns Form C's `primary_doc.xml` into rows. All variants share one schema, and a document has only some of its parts.
 * Offering statements, amendments and updates have terms and figures; annual reports have only figures. Dates are
 * MM-DD-YYYY.
 */

import type { Filing } from '../../declare/documents.ts'
import type { Rows } from '../../declare/table.ts'
import { foldedKey } from '../../read/fold.ts'
import { address, decimal, flag, stated } from '../../read/values.ts'
import type { Element } from '../../read/xml.ts'
import { wordsOfNames } from '../../stored-names.ts'
import type * as tables from './tables.ts'

/**
 * Yields the rows of a submission.
 *
 * @throws Error whenever `documentRows` does
 */
export function parse({ documents }: Pick<Filing<{ form: Element }>, 'documents'>): Rows<typeof tables> {
  return documentRows(documents.form, 'xml')
}

/**
 * Yields the rows of one filing of the Form C family.
 *
 * @param source whether the document was filed, or made from lines of a quarterly set
 * @throws Error if the document is not a Form C, or does not name its issuer
 */
export function* documentRows(doc: Element, source: 'xml' | 'set'): Rows<typeof tables> {
  const submissionType = doc.text('headerData/submissionType')
  if (doc.name !== 'edgarSubmission' || !/^C(-(U|AR|TR))?(\/A)?(-W)?$/.test(submissionType ?? '')) {
    throw new Error(`not a Form C: <${doc.name}> with submissionType ${submissionType}`)
  }
  // These elements only serve the submission to EDGAR. EDGAR strips contacts and passwords before it disseminates;
  // `documents` are attachments.
  doc.ignore('schemaVersion', 'documents')
  const header = doc.one('headerData/filerInfo')
  header.ignore('filer/filerCredentials/filerCcc', 'liveTestFlag', 'flags', 'contact', 'notifications')
  const form = doc.one('formData')
  const information = form.one('issuerInformation')
  const issuer = information.one('issuerInfo')
  const entityName = issuer.text('nameOfIssuer')
  if (entityName === null) throw new Error('issuerInfo/nameOfIssuer is missing')
  const figures = form.maybe('annualReportDisclosureRequirements')

  yield [
    'submission',
    {
      submission_type: submissionType as string,
      source,
      entity_name: entityName,
      name_key: foldedKey(entityName),
      name_words: wordsOfNames([entityName]),
      ...filer(header),
      period: header.date('period', 'mdy'),
      material_amendment: information.flag('isAmendment'),
      amendment_note: information.text('natureOfAmendment'),
      progress: information.text('progressUpdate'),
      raised: amountRaised(information.text('progressUpdate')),
      ...legalStatus(issuer.maybe('legalStatus')),
      ...place(issuer.maybe('issuerAddress')),
      website: stated(issuer.text('issuerWebsite')),
      has_co_issuers: information.flag('isCoIssuer'),
      ...intermediary(information),
      ...terms(form.maybe('offeringInformation')),
      jurisdictions: figures?.texts('issueJurisdictionSecuritiesOffering') ?? [],
    },
  ]
  if (figures) yield ['financial', financial(figures)]
  for (const [position, element] of information.filled('coIssuers/coIssuerInfo').entries()) {
    yield ['co_issuer', { ...coIssuer(element), position }]
  }
  for (const [position, signed] of signatures(form).entries()) {
    yield ['signature', { ...signed, position }]
  }
}

/** Returns the issuer. Reports and skips a second filer with another CIK, which the schema forbids. */
function filer(header: Element) {
  const [first, ...others] = header.all('filer')
  const own = first ? first.cik('filerCredentials/filerCik') : null
  for (const other of others) {
    const cik = other.cik('filerCredentials/filerCik')
    if (cik !== null && cik !== own) other.problem(cik, 'is a second filer, but the form has only one')
  }
  const numbers = header.filled('filer/fileNumber')
  const number = numbers[0]?.text() ?? null
  for (const other of numbers) {
    const text = other.text()
    if (text !== null && text !== number) other.problem(text, 'is a second file number, but the filing has only one')
  }
  return { cik: own, file_number: number }
}

function intermediary(information: Element) {
  return {
    intermediary_name: stated(information.text('companyName')),
    intermediary_cik: information.cik('commissionCik'),
    intermediary_file_number: stated(information.text('commissionFileNumber')),
    intermediary_crd: information.crd('crdNumber'),
  }
}

function terms(offering: Element | null) {
  return {
    compensation: offering?.text('compensationAmount') ?? null,
    financial_interest: offering?.text('financialInterest') ?? null,
    security_type: offering?.text('securityOfferedType') ?? null,
    security_other: offering?.text('securityOfferedOtherDesc') ?? null,
    security_count: offering?.bigint('noOfSecurityOffered', UNKNOWN) ?? null,
    price: offering?.money('price', UNKNOWN) ?? null,
    price_method: offering?.text('priceDeterminationMethod') ?? null,
    target_amount: offering?.money('offeringAmount', UNKNOWN) ?? null,
    over_subscription_accepted: offering?.flag('overSubscriptionAccepted') ?? null,
    over_subscription_allocation: offering?.text('overSubscriptionAllocationType') ?? null,
    over_subscription_note: offering?.text('descOverSubscription') ?? null,
    maximum_amount: offering?.money('maximumOfferingAmount', UNKNOWN) ?? null,
    deadline: offering?.date('deadlineDate', 'mdy') ?? null,
  }
}

function financial(figures: Element) {
  const amount = (item: string) => figures.money(item, UNKNOWN)
  return {
    current_employees: amount('currentEmployees'),
    total_assets: amount('totalAssetMostRecentFiscalYear'),
    total_assets_prior: amount('totalAssetPriorFiscalYear'),
    cash: amount('cashEquiMostRecentFiscalYear'),
    cash_prior: amount('cashEquiPriorFiscalYear'),
    accounts_receivable: amount('actReceivedMostRecentFiscalYear'),
    accounts_receivable_prior: amount('actReceivedPriorFiscalYear'),
    short_term_debt: amount('shortTermDebtMostRecentFiscalYear'),
    short_term_debt_prior: amount('shortTermDebtPriorFiscalYear'),
    long_term_debt: amount('longTermDebtMostRecentFiscalYear'),
    long_term_debt_prior: amount('longTermDebtPriorFiscalYear'),
    revenue: amount('revenueMostRecentFiscalYear'),
    revenue_prior: amount('revenuePriorFiscalYear'),
    cost_of_goods_sold: amount('costGoodsSoldMostRecentFiscalYear'),
    cost_of_goods_sold_prior: amount('costGoodsSoldPriorFiscalYear'),
    taxes_paid: amount('taxPaidMostRecentFiscalYear'),
    taxes_paid_prior: amount('taxPaidPriorFiscalYear'),
    net_income: amount('netIncomeMostRecentFiscalYear'),
    net_income_prior: amount('netIncomePriorFiscalYear'),
  }
}

function coIssuer(element: Element) {
  return {
    cik: element.cik('coIssuerCik'),
    is_edgar_filer:
      element.text('isEdgarFiler') === null
        ? false
        : element.value('isEdgarFiler', edgarFiler, 'does not say whether it is an EdgarFiler'),
    entity_name: stated(element.text('nameOfCoIssuer')),
    ...legalStatus(element.maybe('coIssuerLegalStatus')),
    ...place(element.maybe('coIssuerAddress')),
    website: stated(element.text('coIssuerWebsite')),
  }
}

const edgarFiler = (text: string) => (/^(?:non[- ]?)?edgar ?filer$/i.test(text) ? !/^non/i.test(text) : flag(text))

function signatures(form: Element) {
  const issuers = form.filled('signatureInfo/issuerSignature').map((element) => ({
    issuer_name: stated(element.text('issuer')),
    signature: element.text('issuerSignature'),
    title: element.text('issuerTitle'),
    signed: null,
  }))
  const persons = form.filled('signatureInfo/signaturePersons/signaturePerson').map((element) => ({
    issuer_name: null,
    signature: element.text('personSignature'),
    title: element.text('personTitle'),
    signed: element.date('signatureDate', 'mdy'),
  }))
  return [...issuers, ...persons]
}

function legalStatus(element: Element | null) {
  return {
    legal_form: element?.text('legalStatusForm') ?? null,
    legal_form_other: stated(element?.text('legalStatusOtherDesc') ?? null),
    jurisdiction: element?.text('jurisdictionOrganization') ?? null,
    incorporated: element?.date('dateIncorporation', 'mdy') ?? null,
  }
}

const place = (element: Element | null) => address((part) => element?.text(part) ?? null)

/**
 * Words for an unknown amount, which becomes null and never 0. Free text keeps these words: `No` or `None` is an answer
 * there.
 */
const UNKNOWN = ['N/A', 'NA', 'None', 'Indefinite']

/**
 * Maximum length of a text that is searched. The form's field takes 256 characters, and a much longer text would be
 * slow to search.
 */
const PROGRESS_MAX = 1024
const DOLLARS = String.raw`\$ ?((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)(?![\d,.]*\d)(?! ?(?:k|m|mm|b|thousand|million|billion|per|each|a share)\b)`
const DONE = '(?:raised|sold|received)'
const RAISED = [
  // Matches "has raised a total of $107,000", "raised: $107,000"
  String.raw`(?<!\bnot (?:yet )?)\b${DONE}:? (?:(?:a|an|the|in|total|aggregate|gross|amount|sum|proceeds|of) )*${DOLLARS}`,
  // Matches "$107,000 was raised", "$107,000 of securities sold"
  String.raw`${DOLLARS} (?:(?:has|have|had|was|were|been|is|in|of|total|gross|proceeds|securities) )*${DONE}\b`,
].map((pattern) => new RegExp(pattern, 'gi'))

/**
 * Returns the amount that a progress update reports as raised; null if it reports none or several. Targets,
 * percentages, rounded amounts and prices do not count: "50% and 100% of Target Reached" states no amount.
 */
function amountRaised(progress: string | null): string | null {
  if (progress === null || progress.length > PROGRESS_MAX) return null
  const text = progress.replace(/\s+/g, ' ')
  const amounts = RAISED.flatMap((pattern) => [...text.matchAll(pattern)].map(([, amount]) => decimal(amount!)))
  return new Set(amounts).size === 1 ? amounts[0]! : null
}
