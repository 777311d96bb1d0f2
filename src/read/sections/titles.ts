/** Items and headings that forms have, in their order, with the words by which a title of them is known. */

export interface FormItem {
  /** As a section has it. */
  id: string
  /** Number and letter as they stand after "Item". */
  number: string
  /** Of a form in parts. */
  part?: 'I' | 'II'
  title: RegExp
}

const item = (number: string, title: RegExp): FormItem => ({ id: number, number, title })
const inPart = (part: 'I' | 'II', number: string, title: RegExp): FormItem => ({
  id: `${part}-${number}`,
  number,
  part,
  title,
})

/** Form 10-K, and 10-KSB where its items have other numbers. */
export const ANNUAL: readonly FormItem[] = [
  item('1', /business|general|description of/i),
  item('1A', /risk factors|executive officers/i),
  item('1B', /unresolved staff/i),
  item('1C', /cybersecurity/i),
  item('2', /propert/i),
  item('3', /legal proceedings/i),
  item('4', /submission of matters|mine safety|reserved|removed|executive officers/i),
  item('5', /market (?:for|price)|common (?:equity|stock)|stockholder matters/i),
  item('6', /selected|reserved|management.s discussion|plan of operation/i),
  item('7', /management.s discussion|financial statements/i),
  item('7A', /quantitative|market risk/i),
  item('8', /financial statements|supplementary|changes in and disagreements/i),
  item('8A', /controls and procedures/i),
  item('8B', /other information/i),
  item('9', /changes in|disagreements|directors/i),
  item('9A', /controls and procedures/i),
  item('9B', /other information/i),
  item('9C', /foreign jurisdictions/i),
  item('10', /directors|executive compensation/i),
  item('11', /executive compensation|security ownership/i),
  item('12', /security ownership|beneficial owners|certain relationships/i),
  item('13', /certain relationships|exhibits/i),
  item('14', /principal account|exhibits|fees and services/i),
  item('15', /exhibits/i),
  item('16', /summary/i),
]

/** Form 10-Q. */
export const QUARTERLY: readonly FormItem[] = [
  inPart('I', '1', /financial statements|interim|condensed|consolidated/i),
  inPart('I', '2', /management.s discussion|plan of operation/i),
  inPart('I', '3', /quantitative|market risk|controls/i),
  inPart('I', '4', /controls and procedures/i),
  inPart('II', '1', /legal proceedings/i),
  inPart('II', '1A', /risk factors/i),
  inPart('II', '2', /changes in securities|unregistered|repurchase|purchases of equity|issuer purchases/i),
  inPart('II', '3', /defaults/i),
  inPart('II', '4', /submission of matters|mine safety|reserved|removed/i),
  inPart('II', '5', /other (?:information|events)/i),
  inPart('II', '6', /exhibits/i),
]

/** Form N-CSR, whose items were numbered anew several times. */
export const SHAREHOLDER: readonly FormItem[] = [
  ['1', /reports? to (?:stock|share)holders/i],
  ['2', /code of ethics/i],
  ['3', /audit committee financial expert/i],
  ['4', /principal account/i],
  ['5', /audit committee of listed/i],
  ['6', /schedule of investments|investments/i],
  ['7', /proxy voting|financial statements/i],
  ['8', /portfolio managers|changes in and disagreements/i],
  ['9', /purchases of equity|proxy disclosures/i],
  ['10', /submission of matters|remuneration/i],
  ['11', /controls and procedures|statement regarding basis/i],
  ['12', /securities lending|exhibits|proxy voting/i],
  ['13', /exhibits|portfolio managers|recovery/i],
  ['14', /purchases of equity|recovery/i],
  ['15', /submission of matters/i],
  ['16', /controls and procedures/i],
  ['17', /securities lending/i],
  ['18', /recovery/i],
  ['19', /exhibits/i],
].map(([number, title]) => item(number as string, title as RegExp))

export interface Titled {
  id: string
  /** The whole heading, without number or sign at its end. */
  title: RegExp
}

const titled = (id: string, title: RegExp): Titled => ({ id, title })

/** Registration statements of companies, and prospectuses by them. */
export const PROSPECTUS: readonly Titled[] = [
  titled('summary', /^(?:prospectus )?summary$/i),
  titled('offering', /^(?:summary of )?the offering$/i),
  titled('risk-factors', /^risk factors$/i),
  titled(
    'forward-looking',
    /^(?:cautionary (?:note|statement)s?|special note|statement)?.{0,30}forward[- ]looking statements?$/i,
  ),
  titled('use-of-proceeds', /^use of proceeds$/i),
  titled('dividend-policy', /^dividend(?:s| policy)$/i),
  titled('capitalization', /^capitalization$/i),
  titled('dilution', /^dilution$/i),
  titled('selected-data', /^selected (?:consolidated |historical |combined )*financial (?:data|information)$/i),
  titled('mda', /^management.s discussion and analysis.*$/i),
  titled('business', /^(?:our )?business$/i),
  titled('management', /^(?:directors and )?management$/i),
  titled('compensation', /^executive (?:and director )?compensation$/i),
  titled('related-parties', /^certain relationships and related.*$/i),
  titled('owners', /^(?:principal|security ownership of).*(?:stockholders|shareholders|owners).*$/i),
  titled('selling-holders', /^selling (?:stock|share|security)holders?$/i),
  titled('capital-stock', /^description of (?:our )?(?:capital stock|share capital|securities)$/i),
  titled('tax', /^(?:material|certain).*tax (?:consequences|considerations).*$/i),
  titled('underwriting', /^underwriting$/i),
  titled('plan-of-distribution', /^plan of distribution$/i),
  titled('legal-matters', /^legal matters$/i),
  titled('experts', /^experts$/i),
  titled('more-information', /^where you can find (?:more|additional) information$/i),
]

/** Prospectuses of funds, each series of which has the same headings. */
export const FUND: readonly Titled[] = [
  titled('objective', /^investment (?:objectives?|goals?)$/i),
  titled(
    'fees',
    /^(?:annual |shareholder )?fees(?: and expenses)?(?: (?:of|table).*)?$|^annual (?:fund )?operating expenses.*$/i,
  ),
  titled('example', /^(?:expense )?examples?$/i),
  titled('turnover', /^portfolio turnover$/i),
  titled('strategies', /^(?:principal|main)(?: investment)? (?:investment )?strateg(?:y|ies).*$/i),
  titled('risks', /^(?:summary of )?(?:principal|main)(?: investment)? risks.*$/i),
  titled('performance', /^(?:past |fund |the fund.s )?performance(?: information)?$/i),
  titled('management', /^(?:fund |portfolio )?management(?: of the fund)?$/i),
  titled('purchase-and-sale', /^purchase and sale of (?:fund |portfolio )?shares$|^buying and selling.*shares$/i),
  titled('tax', /^tax(?:es| information| consequences)$/i),
  titled('intermediaries', /^payments? to (?:broker|financial).*$/i),
]
