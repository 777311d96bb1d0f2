/** Lists the items and headings of forms, in order, with the words that identify their titles. */

export interface FormItem {
  /** The id of the section. */
  id: string
  /** Number and letter as they follow "Item". */
  number: string
  /** The part, for a form that has parts. */
  part?: 'I' | 'II'
  title: RegExp
  /** Matches the beginning of the title, for a heading that has the number but not the word "Item". */
  name?: RegExp
  /** Matches the whole title, for a heading that has neither the number nor the word "Item". */
  alone?: RegExp
  /**
   * Matches the title without blanks and signs, for a line that is set as a heading: a stray blank may split any word.
   */
  squeezed?: RegExp
  /**
   * The number of another item that the document must have too. Without that item, the title without a number does not
   * count: until 2005 risk factors were a part of item 1. In a form with parts, that item needs a heading of its own.
   */
  with?: string
  /**
   * Whether notes to the financial statements have such titles too: "1. Interim Financial Statements". Then a number
   * counts only after the word "Item".
   */
  isNoted?: boolean
  /** Whether every report has the item. If such an item is not found, its heading was not recognised. */
  isRequired?: boolean
  /** Whether "None." and the like is the whole text of the item. A heading below such an answer ends the item. */
  isAnswered?: boolean
  /**
   * Longest usual text of the item: the longest in real reports (52 annual and 25 quarterly ones), with a margin. For
   * other forms, this length is set only for items that are short by their nature, such as names of auditors.
   */
  usual?: number
  /** Parts of the item that have their own letter and title: 5.A of Form 20-F. */
  parts?: readonly ItemPart[]
}

export interface ItemPart {
  letter: string
  title: RegExp
}

export const item = (number: string, title: RegExp, more: Partial<FormItem> = {}): FormItem => ({
  id: number,
  number,
  title,
  ...more,
})
const inPart = (part: 'I' | 'II', number: string, title: RegExp, more: Partial<FormItem> = {}): FormItem => ({
  id: `${part}-${number}`,
  number,
  part,
  title,
  ...more,
})
/** A title whose whole text is known: how it begins, and how it may continue. */
export const known = (begins: string, ending = ''): Pick<FormItem, 'name' | 'alone' | 'squeezed'> => ({
  name: new RegExp(`^(?:${begins})`, 'i'),
  alone: new RegExp(`^(?:${begins})${ending}[\\s.:]{0,3}$`, 'i'),
  squeezed: new RegExp(
    `^(?:${begins.replace(/[ ',]\??/g, '').replaceAll('&', 'and')})${ending === '' ? '' : '[a-z]{0,140}'}$`,
    'i',
  ),
})
/** Returns the text that is compared with `squeezed`. */
export const squeeze = (line: string): string => line.replaceAll('&', 'and').replace(/[^a-z]/gi, '')
/** The rest of a title, which filers word in different ways. */
export const MORE = "(?:[\\s,;:&'()-]{1,3}[a-z]{1,20}){0,20}"
const isRequired = true
const isAnswered = true
const MDA =
  "management(?:'?s)?'? (?:discussion(?: (?:and|&) analysis)?|analysis of (?:financial|the|our))|operating and financial review|MD ?& ?A"

/** Items of Form 10-K, and the items of Form 10-KSB that have other numbers in that form. */
export const ANNUAL: readonly FormItem[] = [
  item('1', /business|general|description of/i, {
    name: /^(?:description of )?(?:our |the )?business/i,
    squeezed: /^(?:descriptionof)?(?:our|the)?business$/i,
    isRequired,
  }),
  item('1A', /risk factors|executive officers/i, { ...known('risk factors'), with: '1B' }),
  item('1B', /unresolved staff/i, { ...known('unresolved staff comments?'), isAnswered, usual: 3_000 }),
  item('1C', /cybersecurity/i, { ...known('cybersecurity'), usual: 20_000 }),
  item('2', /propert/i, { ...known('(?:description of )?propert(?:y|ies)'), isRequired, usual: 25_000 }),
  item('3', /legal proceedings/i, { ...known('legal proceedings'), isRequired, usual: 45_000 }),
  item('4', /submission of matters|mine safety|reserved|removed|executive officers/i, {
    ...known('submission of matters to a vote|mine safety disclosures?', MORE),
    isRequired,
    isAnswered,
    usual: 16_000,
  }),
  item('5', /market (?:for|price)|common (?:equity|stock)|stockholder matters/i, {
    ...known("market for (?:the )?(?:registrant|company|issuer|our|common|corporation)(?:'s)?", MORE),
    isRequired,
    usual: 20_000,
  }),
  item('6', /selected|reserved|omitted|removed|management.{0,2} discussion|plan of operation/i, {
    ...known('selected (?:consolidated |historical )?financial data'),
    isAnswered,
    usual: 20_000,
  }),
  item('7', /management.{0,2} discussion|financial statements/i, {
    ...known(MDA, MORE),
    isRequired,
  }),
  item('7A', /quantitative|market risk/i, {
    ...known('quantitative and qualitative disclosures? (?:about|of|on|regarding) market risks?'),
    usual: 20_000,
  }),
  item('8', /financial statements|supplementary|changes in and disagreements/i, {
    name: /^(?:consolidated )?financial statements/i,
    alone: /^(?:consolidated )?financial statements and supplement(?:ary|al) (?:data|information)[\s.:]{0,3}$/i,
    squeezed:
      /^(?:consolidated)?financialstatements(?:andsupplement(?:ary|al)(?:financial)?(?:data|information|schedules?))?$/i,
    isRequired,
  }),
  item('8A', /controls and procedures/i),
  item('8B', /other information/i),
  item('9', /changes in|disagreements|directors/i, {
    ...known('(?:changes in and )?disagreements with (?:accountants|auditors)', MORE),
    isRequired,
    isAnswered,
    usual: 6_000,
  }),
  item('9A', /controls and procedures/i, { ...known('controls and procedures'), usual: 15_000 }),
  item('9B', /other information/i, { ...known('other information'), usual: 8_000 }),
  item('9C', /foreign jurisdictions/i, {
    ...known('disclosures? regarding foreign jurisdictions', MORE),
    isAnswered,
    usual: 2_000,
  }),
  item('10', /directors|executive compensation/i, {
    ...known('directors(?:,| and) (?:(?:and )?executive officers|officers)', MORE),
    isRequired,
    usual: 40_000,
  }),
  item('11', /executive compensation|security ownership/i, { ...known('executive compensation'), isRequired }),
  item('12', /security ownership|beneficial owners|certain relationships/i, {
    ...known('security ownership of (?:certain|management)', MORE),
    isRequired,
    usual: 30_000,
  }),
  item('13', /certain relationships|exhibits/i, {
    ...known('certain relationships and related (?:party )?transactions?', MORE),
    isRequired,
    usual: 30_000,
  }),
  item('14', /principal account|exhibits?|fees and services/i, {
    ...known('principal account(?:ants?|ing) fees and services', MORE),
  }),
  item('15', /exhibits?/i, { ...known('exhibits?(?:,| and) (?:and )?financial statements? schedules?', MORE) }),
  item('16', /summary/i, { ...known('form 10-k summary'), isAnswered }),
]

/** Form 10-Q. */
export const QUARTERLY: readonly FormItem[] = [
  inPart('I', '1', /financial statements|interim|condensed|consolidated/i, {
    name: /^(?:(?:un-?audited|condensed|consolidated|interim) ){0,4}financial statements/i,
    squeezed:
      /^(?:unaudited|condensed|consolidated|interim){0,4}financialstatements(?:andsupplementarydata)?(?:unaudited)?$/i,
    // The first statement may have the only heading.
    alone:
      /^(?:(?:unaudited|condensed|consolidated|interim) ){1,4}(?:statements? of (?:comprehensive )?(?:income|operations|earnings)|balance sheets?)(?: \(unaudited\))?$/i,
    with: '2',
    isNoted: true,
    isRequired,
  }),
  inPart('I', '2', /management.{0,2} discussion|plan of operation/i, {
    ...known(MDA, MORE),
    isRequired,
  }),
  inPart('I', '3', /quantitative|market risk|controls/i, {
    ...known('quantitative and qualitative disclosures? (?:about|of|on|regarding) market risks?'),
    usual: 12_000,
  }),
  inPart('I', '4', /controls and procedures/i, { ...known('controls and procedures'), usual: 12_000 }),
  inPart('II', '1', /legal proceedings/i, { ...known('legal proceedings'), usual: 25_000 }),
  inPart('II', '1A', /risk factors/i, { ...known('risk factors') }),
  inPart('II', '2', /changes in securities|unregistered|repurchase|purchases of equity|issuer purchases/i, {
    ...known('unregistered sales? of (?:equity )?securities|changes in securities', MORE),
    usual: 8_000,
  }),
  inPart('II', '3', /defaults/i, { ...known('defaults? (?:upon|on|in) senior securities'), usual: 3_000 }),
  inPart('II', '4', /submission of matters|mine safety|reserved|removed/i, {
    ...known('submission of matters to a vote|mine safety disclosures?', MORE),
    usual: 8_000,
  }),
  inPart('II', '5', /other (?:information|events|items|matters)/i, { ...known('other information'), usual: 8_000 }),
  inPart('II', '6', /exhibits?/i, { ...known('exhibits(?: and reports on form 8-k)?') }),
]

/** Items of Form 10, which registers a class of securities. */
export const CLASS: readonly FormItem[] = [
  item('1', /business/i, { name: /^(?:description of )?(?:our |the )?business/i, squeezed: /^business$/i, isRequired }),
  item('1A', /risk factors/i, { ...known('risk factors'), with: '1' }),
  item('2', /financial information/i, { ...known('financial information'), isRequired }),
  item('3', /propert/i, { ...known('(?:description of )?propert(?:y|ies)'), isRequired, usual: 25_000 }),
  item('4', /security ownership/i, { ...known('security ownership of', MORE), isRequired }),
  item('5', /directors/i, { ...known('directors and executive officers', MORE), isRequired }),
  item('6', /executive compensation/i, { ...known('executive compensation'), isRequired }),
  item('7', /certain relationships/i, { ...known('certain relationships and related', MORE), isRequired }),
  item('8', /legal proceedings/i, { ...known('legal proceedings'), isRequired, usual: 45_000 }),
  item('9', /market (?:price|for)/i, { ...known('market (?:price|for)', MORE), isRequired, usual: 20_000 }),
  item('10', /recent sales/i, { ...known('recent sales? of unregistered', MORE), isRequired, usual: 20_000 }),
  item('11', /description of/i, { ...known("description of (?:the )?(?:registrant's )?securities", MORE), isRequired }),
  item('12', /indemnification/i, { ...known('indemnification of', MORE), isRequired, usual: 20_000 }),
  item('13', /financial statements/i, { isRequired }),
  item('14', /changes in|disagreements/i, { ...known('changes in and disagreements', MORE), usual: 6_000 }),
  item('15', /financial statements|exhibits/i, { ...known('financial statements and exhibits') }),
]

/** Items of Form N-CSR, which were renumbered several times. */
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
  /**
   * Matches the whole heading, without a number or a sign at its end. If the pattern has a group `number`, it matches
   * only the beginning of the heading, and the number is added to the id.
   */
  title: RegExp
  /** Length of the longest usual text, like `usual` of an item. */
  usual?: number
  /** Shortest usual text: a shorter text was probably ended by a heading inside the section. */
  least?: number
  /**
   * Ids of sections that may be parts of this section: their titles do not end it if they are set as lower headings.
   */
  within?: readonly string[]
  /** Whether the title means something else if it is set lower than the headings of chapters. */
  isApart?: boolean
  /** Matches a line below a heading that names this section: "(Proposal No. 2)" below "REVERSE STOCK SPLIT". */
  below?: RegExp
  /** Matches headings of the same rank that belong to the section: "Tax Fees" after "Audit Fees". */
  continues?: RegExp
  /** Matches headings of groups within the section, which may have its level: "Structure-related Risks". */
  groups?: RegExp
}

export const titled = (id: string, title: RegExp, more: Partial<Titled> = {}): Titled => ({ id, title, ...more })

/** Headings of groups of risks, which may have the level of their chapter's heading: "Risks Related to Our Notes". */
const RISKS =
  /^(?:.{3,60}[- ]related risks|(?:general |other |additional )?risks? (?:related|relating|associated|specific|inherent)\b.*|(?:general|other|additional) risks?(?: factors)?)$/i
const CONFLICTS = '(?: \\(conflicts? of interest\\))?'

/** Headings of the registration statements and prospectuses of companies. */
export const PROSPECTUS: readonly Titled[] = [
  titled('summary', /^(?:prospectus )?(?:supplement )?summary(?: information)?$/i, {
    within: ['business', 'use-of-proceeds', 'dividend-policy'],
  }),
  titled('offering', /^(?:summary of )?the offering$/i, {
    within: ['risk-factors', 'use-of-proceeds', 'dividend-policy'],
    least: 700,
  }),
  titled('risk-factors', /^risk factors$/i, { groups: RISKS }),
  titled(
    'forward-looking',
    /^(?:cautionary (?:note|statement)s?|special note|statement)?.{0,30}forward[- ]looking statements?$/i,
  ),
  titled('use-of-proceeds', /^use of proceeds$/i),
  titled('dividend-policy', /^dividend policy$/i),
  // Below "Description of Capital Stock" the heading means the rights of holders, below "Tax" the taxes on dividends.
  titled('dividend-policy', /^dividends$/i, { isApart: true }),
  titled('capitalization', /^capitalization$/i),
  titled('dilution', /^dilution$/i),
  titled('selected-data', /^selected (?:consolidated |historical |combined )*financial (?:data|information)$/i),
  titled('mda', /^management.s discussion and analysis.*$/i),
  titled('business', /^(?:our |proposed )?business$/i),
  titled('management', /^(?:directors and )?management$/i),
  titled('compensation', /^executive (?:and director )?compensation$/i),
  titled('related-parties', /^certain relationships and related.*$/i),
  titled('owners', /^(?:principal|security ownership of).*(?:stockholders|shareholders|owners).*$/i),
  titled('selling-holders', /^selling (?:stock|share|security) ?holders?$/i),
  titled(
    'capital-stock',
    /^description of (?:our |the )?(?:capital stock|share capital(?: and articles of association)?|securities(?: (?:to be|being|we|that) .{0,40})?)$/i,
    { within: ['debt-securities', 'warrants'] },
  ),
  titled(
    'debt-securities',
    /^description of (?:our |the )?(?:debt securities|(?:senior |subordinated |convertible |mortgage )*notes)(?: and guarantees| we may offer)?$/i,
  ),
  titled('warrants', /^description of (?:our |the )?warrants(?: we may offer)?$/i),
  titled('eligible-shares', /^shares eligible for future sale$/i),
  titled(
    'tax',
    /^(?:material|certain).*tax (?:consequences|considerations).*$|^taxation$|^(?:certain |material |supplemental )?(?:u\.s\.|united states) (?:federal )?(?:income )?tax(?:ation| summary| considerations| consequences)$/i,
    { within: ['tax'] },
  ),
  titled('underwriting', new RegExp(`^underwriting${CONFLICTS}$`, 'i')),
  titled(
    'plan-of-distribution',
    new RegExp(`^plan of distribution${CONFLICTS}$|^supplement(?:al|(?:al)? to the) plan of distribution\\b.*$`, 'i'),
  ),
  titled('legal-matters', /^(?:legal matters|validity of the (?:notes|securities))$/i),
  titled('experts', /^experts$/i),
  titled('more-information', /^where you can find (?:more|additional) information(?:; .*)?$/i, {
    within: ['incorporation'],
  }),
  titled(
    'incorporation',
    /^(?:incorporation (?:of (?:certain )?(?:documents|information) )?|documents incorporated )by reference$/i,
  ),
]

/** Headings of the prospectuses of funds. Each series of a fund has the same headings. */
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
