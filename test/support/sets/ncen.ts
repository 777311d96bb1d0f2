/** Writes Forms N-CEN as lines of the SEC's data sets, for tests. */

import { plan } from '../../../src/datasets/ncen/sets/map.ts'
import type { Boxes, MappedMember } from '../../../src/read/set-map.ts'
import type { Element } from '../../../src/read/xml.ts'
import { type Line, setDay, Written, write } from './written.ts'

const FORM = plan()

/**
 * Questions whose answer Yes is an attribute of another element of the form, with the name of this element. A set has
 * one column for both kinds of answers.
 */
const YES: Readonly<Record<string, string>> = {
  isRegistrantFamilyInvComp: 'registrantFamilyInvComp',
  isRegistrantSubmittedMatter: 'securityMatterSeriesInfo',
  isPreviousLegalProceeding: 'legalProceedingSeriesInfo',
  isPreviousProceedingTerminated: 'previousProceedingTerminated',
  isClaimFiled: 'claimFiled',
  isCoveredByInsurancePolicy: 'coveredByInsurancePolicy',
  isFinancialSupportDuringPeriod: 'financialSupportSeriesInfo',
  isExemptionFromAct: 'releaseNumbers',
  isOpinionOffered: 'auditOpinionSeries',
  isMaterialChange: 'valuationMethodsChanges',
  isPaymentErrorInNetAssetValue: 'paymentErrorSeries',
  isPaymentDividend: 'paymentDividendSeries',
  isForeignSubsidiary: 'foreignInvestments',
  didFundLendSecurities: 'fundLendSecurities',
  hasLineOfCredit: 'lineOfCredit',
  isInterfundLending: 'interfundLendingDetails',
  isInterfundBorrowing: 'interfundBorrowingDetails',
  isSwingPricing: 'swingPricingDetail',
  isRightsOffering: 'rightsOfferingFunds',
  isSecondaryOffering: 'secondaryOfferings',
  isRepurchaseSecurity: 'repurchaseSecurities',
  isDefaultLongTermDebt: 'longTermDebtDefault',
  isDividendsInArrears: 'divdInArrears',
  isCreditLineUsed: 'creditLineUsed',
  isSecurityAgentIdemnity: 'securityAgentIdemnity',
}
const HIRED = ['investmentAdviser', 'subAdviser', 'smallInvestmentAdviser', 'smallSubAdviser']

const textOf = (of: Element, path: string): string | null => {
  const [text] = of.texts(...(path in YES ? [`${YES[path]}/@${path}`, path] : [path]))
  return text?.replace(/[\t\r\n]+ */g, ' ') ?? null
}

function set(line: Line, column: string, text: string | null | undefined): void {
  if (text !== null && text !== undefined) line[column] = text
}

function answersOf(of: Element, { texts, boxes, later }: MappedMember): Line {
  const line: Line = {}
  for (const [path, column] of Object.entries(texts)) set(line, column, textOf(of, path))
  tickOf(of, { ...boxes, ...later }, line)
  return line
}

function tickOf(of: Element, boxes: Boxes, line: Line): void {
  for (const [column, [path, word]] of Object.entries(boxes)) if (of.texts(path).includes(word)) line[column] = 'Y'
}

const TYPES = ['Advisor', 'Terminated Advisor', 'Subadvisor', 'Terminated Subadvisor']
const countries = (element: Element, line: Line, stem: string) =>
  set(line, 'COUNTRY', line.COUNTRY ?? textOf(element, `${stem}Country`))

/**
 * Adds elements that the plan of a member lacks: the form has separate elements for foreign countries and for
 * identifiers that are not LEIs.
 */
function more(of: Element, line: Line): void {
  const [name] = of.childNames().filter((child) => /Country$/.test(child) && !/StateCountry$/.test(child))
  if (name) countries(of, line, name.replace(/Country$/, ''))
  for (const stem of HIRED) {
    const own = `is${stem[0]!.toUpperCase()}${stem.slice(1)}Hired`
    const yes = textOf(of, `${stem}Hired/@${own}`)
    if (yes !== null) line.IS_ADVISOR_HIRED = yes
  }
  for (const [other, column] of [
    ['pricingServiceOther', 'PRICING_SERVICE_LEI'],
    ['shareholderServiceAgentOther', 'AGENT_LEI'],
    ['adminOther', 'ADMIN_LEI'],
    ['uitAdminOther', 'UIT_ADMIN_LEI'],
  ] as const) {
    const number = textOf(of, other)
    // A set uses the same column for the LEI and for the other number.
    if (number !== null && /^(0*|N\/A)$/.test(line[column] ?? '')) line[column] = number
  }
}

/** Members whose lines `more` reads. */
const EVERYBODY = [FORM.fund, FORM.closedEnd, FORM.ofEtf, FORM.trust, FORM.registrant]
  .flat()
  .map(({ member }) => member)
const HOOKS = Object.fromEntries(EVERYBODY.map((member) => [member, more]))

/** The lines of one document. @param filed as the index has it */
export function linesOf(document: Element, accession: string, filed: string): Written {
  const written = new Written()
  const of = { ACCESSION_NUMBER: accession }
  const form = document.one('formData')
  const body = form.one('registrantInfo')
  const header = document.one('headerData')
  const cik = header.text('filerInfo/filer/issuerCredentials/cik') ?? ''
  write(written, header, FORM.header, of)
  write(written, form.one('generalInfo'), FORM.general, of)
  for (const [name, branches] of [
    ['attachmentsTab', FORM.attachments],
    ['signature', FORM.signature],
  ] as const) {
    const part = form.maybe(name)
    if (part) write(written, part, branches, of)
  }
  write(written, body, FORM.registrant, of, {
    ...HOOKS,
    REGISTRANT(_, line) {
      for (const [path, column] of Object.entries(FORM.registrant[0]!.texts!)) set(line, column, textOf(body, path))
    },
    DIRECTOR_FILE_NUMBER: (at, line) => set(line, 'FILE_NUMBER', at.texts('fileNumberInfo/@fileNumber').join(' ')),
  })
  written.members.set('SUBMISSION', [
    Object.assign({ FILING_DATE: setDay(filed) }, ...written.members.get('SUBMISSION')!),
  ])
  const closed = form.maybe('closedEndManagementInvestment')
  const partD = closed ? answersOf(closed, FORM.closedAnswers) : {}
  const infos = form.all('managementInvestmentQuestionSeriesInfo/managementInvestmentQuestion')
  const idOf = (series: string | null) => [accession, cik, ...(/^S\d{9}$/.test(series ?? '') ? [series] : [])].join('_')
  for (const [at, fund] of infos.entries()) {
    const id = { FUND_ID: idOf(fund.text('mgmtInvSeriesId')) }
    written.add('FUND_REPORTED_INFO', { ...of, ...id, ...answersOf(fund, FORM.answers), ...(at === 0 ? partD : {}) })
    ofFund(fund, id)
  }
  if (closed) {
    const id = { FUND_ID: idOf(null) }
    if (infos.length === 0) written.add('FUND_REPORTED_INFO', { ...of, ...id, ...partD })
    write(written, closed, FORM.closedEnd, id, {
      ...HOOKS,
      RIGHTS_OFFERING_FUND: (offering, line) => tickOf(offering, FORM.rights, line),
      // A set has a line for each listing of a security.
      SECURITY_RELATED_ITEM(item, line) {
        const stocks = item.all('commonStocks/commonStock')
        for (const [at, stock] of stocks.entries()) {
          set(line, 'EXCHANGE', stock.text('@commonStockExchange'))
          set(line, 'TICKER_SYMBOL', stock.text('@commonStockTickerSymbol'))
          if (at < stocks.length - 1) written.add('SECURITY_RELATED_ITEM', { ...line })
        }
      },
    })
  }
  for (const etf of form.all('exchangeSeriesInfo/exchangeTradedFund')) {
    const id = { FUND_ID: idOf(etf.text('etfSeriesId')) }
    const line: Line = { ...id }
    for (const [path, column] of Object.entries(FORM.etf)) set(line, column, textOf(etf, path))
    written.add('ETF', line)
    write(written, etf, FORM.ofEtf, id, HOOKS)
  }
  const trust = form.maybe('unitInvestmentTrust')
  if (trust) {
    write(written, trust, FORM.trust, of, {
      ...HOOKS,
      UIT(at, line) {
        const answer = '@isRegistrantSeparateInsuranceAccount'
        const [is] = at.texts(
          `registrantSeparateInsuranceAccount/${answer}`,
          `notRegistrantSeparateInsuranceAccount/${answer}`,
        )
        set(line, 'IS_SEPERATE_ACCT', is)
      },
    })
  }
  for (const [kind, lines] of [...written.members]) {
    const [member, part, role] = kind.split(' ')
    if (part === undefined) continue
    written.members.delete(kind)
    for (const line of lines) {
      const type: Line = role === undefined ? {} : { ADVISER_TYPE: TYPES[Number(role)]! }
      written.add(member!, { ...line, SOURCE: `Part ${part}`, ...type })
    }
  }
  return written

  function ofFund(fund: Element, id: Line): void {
    let [agents, lines] = [0, 0]
    write(written, fund, FORM.fund, id, {
      ...HOOKS,
      SECURITY_LENDING(agent, line) {
        more(agent, line)
        set(line, 'SECURITY_AGENT_IDEMNITY', textOf(agent, 'isSecurityAgentIdemnity'))
        line.SECURITY_LENDING_SEQNUM = String(++agents)
        for (const one of agent.all('securityAgentIdemnity/idemnityProviders/idemnityProvider')) {
          const [name, lei] = ['@idemnityProviderName', '@idemnityProviderLei'].map((path) => one.text(path) ?? '')
          written.add('SEC_LENDING_IDEMNITY_PROVIDER', {
            ...id,
            SECURITY_LENDING_SEQNUM: String(agents),
            INDEMNITY_PROVIDER_NAME: name!,
            INDEMNITY_PROVIDER_LEI: lei!,
          })
        }
      },
      LINE_OF_CREDIT_DETAIL(credit, line) {
        const number = { ...id, LINE_OF_CREDIT_SEQNUM: String(++lines) }
        Object.assign(line, number)
        set(line, 'IS_CREDIT_LINE_USED', textOf(credit, 'isCreditLineUsed'))
        set(line, 'CREDIT_TYPE', credit.texts('sharedCreditType/@creditType', 'soleCreditType/@creditType')[0])
        for (const name of credit.texts('lineOfCreditInstitutions/lineOfCreditInstitution/@creditInstitutionName')) {
          written.add('LINE_OF_CREDIT_INSTITUTION', { ...number, CREDIT_INSTITUTION_NAME: name })
        }
        for (const user of credit.all('sharedCreditType/creditUser')) {
          written.add('CREDIT_USER', {
            ...number,
            FUND_NAME: user.text('@fundName') ?? '',
            SEC_FILE_NUM: user.text('@secFileNo') ?? '',
          })
        }
      },
    })
  }
}

/** Adds all lines of one collection to another collection. */
export function addAll(to: Written, { members }: Written): void {
  for (const [member, lines] of members) for (const line of lines) to.add(member, line)
}
