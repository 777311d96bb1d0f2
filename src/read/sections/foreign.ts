/** Lists the items of Form 20-F, and the headings of Forms 40-F and 6-K. */
import { type FormItem, type ItemPart, item, known, MORE, type Titled, titled } from './titles.ts'

const isRequired = true

/**
 * The lettered parts of an item, from A on. A missing letter in the list means a part whose title filers write in too
 * many ways.
 */
const parts = (...titles: string[]): readonly ItemPart[] =>
  titles.map((title, n) => ({ letter: 'ABCDEFGHIJK'[n]!, title: new RegExp(`^(?:${title})`, 'i') }))

/**
 * The title of an item without the word "Item": "18. Financial Statements". It counts only after the number, since
 * other headings have the same words. An item that depends on itself is never found by its title alone.
 */
const afterNumber = (number: string, title: string): Pick<FormItem, 'name' | 'squeezed' | 'with'> => ({
  name: new RegExp(`^(?:${title})[\\s.:]{0,3}$`, 'i'),
  squeezed: new RegExp(`^(?:${title.replaceAll(' ', '')})$`, 'i'),
  with: number,
})
const STATEMENTS = '(?:consolidated )?financial statements'

/** Items of Form 20-F, in the numbering since 2000. */
export const FOREIGN: readonly FormItem[] = [
  item('1', /identity of directors/i, {
    ...known('identity of directors', MORE),
    usual: 8_000,
    parts: parts('directors and senior management', 'advis[eo]rs', 'auditors'),
  }),
  item('2', /offer statistics/i, {
    ...known('offer statistics and expected time ?table'),
    usual: 8_000,
    parts: parts('offer statistics', 'method and expected time ?table'),
  }),
  item('3', /key information/i, {
    ...known('key information'),
    isRequired,
    parts: parts(
      'selected (?:consolidated )?financial (?:data|information)|\\[?reserved\\]?',
      'capitali[sz]ation and indebtedness',
      'reasons? for the offer',
      'risk factors',
    ),
  }),
  item('4', /information on the (?:company|group|registrant|bank)/i, {
    ...known('information on (?:the )?(?:company|group|registrant|bank)'),
    isRequired,
    parts: parts(
      'history and development of',
      'business overview',
      'organi[sz]ational structure',
      'propert(?:y|ies),? plants?,?(?: and|,)? equipment',
    ),
  }),
  item('4A', /unresolved staff/i, { ...known('unresolved staff comments?'), usual: 3_000 }),
  item('5', /operating and financial review/i, {
    ...known('operating and financial review(?: and prospects)?'),
    isRequired,
    parts: parts(
      'operating results',
      'liquidity and capital resources',
      'research and development',
      'trend information',
      'off[- ]balance[- ]sheet arrangements|critical accounting (?:estimates|policies)',
      'tabular disclosure of contractual obligations|contractual obligations',
      'safe harbou?r',
    ),
  }),
  item('6', /directors,? senior management/i, {
    ...known('directors,? senior management,? and employees'),
    isRequired,
    parts: parts(
      'directors and senior management',
      'compensation',
      'board practices',
      'employees',
      'share ownership',
      'disclosure of (?:a|the) (?:registrant|company).s action to recover',
    ),
  }),
  item('7', /major (?:share|stock)holders/i, {
    ...known('major (?:share|stock)holders and related[- ]party transactions'),
    isRequired,
    parts: parts('major (?:share|stock)holders', 'related[- ]party transactions', 'interests? of experts'),
  }),
  item('8', /financial information/i, {
    ...known('financial information'),
    isRequired,
    parts: parts(
      '(?:consolidated|financial) statements and other financial information|consolidated financial (?:statements|information)',
      'significant changes',
    ),
  }),
  item('9', /(?:the )?offer and listing/i, {
    ...known('(?:the )?offer and listing'),
    isRequired,
    parts: parts(
      '(?:offer(?:ing)? and )?listing details',
      'plan of distribution',
      'markets',
      'selling (?:share|stock)holders?',
      'dilution',
      'expenses of the (?:issue|offering)',
    ),
  }),
  item('10', /additional information/i, {
    ...known('additional information'),
    isRequired,
    parts: parts(
      'share capital',
      '(?:memorandum|articles)',
      'material contracts',
      'exchange controls',
      'taxation|.{0,40}\\btax considerations',
      'dividends and paying agents',
      'statements? by experts',
      'documents on display',
      'subsidiary information',
      'annual reports? to security ?holders',
    ),
  }),
  item('11', /quantitative|market risk/i, {
    ...known('quantitative and qualitative disclosures? (?:about|of|on|regarding) market risks?'),
  }),
  item('12', /descriptions? of securities/i, {
    ...known('descriptions? of securities other than equity securities'),
    usual: 30_000,
    parts: parts('debt securities', 'warrants and rights', 'other securities', 'american depositary'),
  }),
  item('13', /defaults/i, { ...known('defaults,? dividend arrearages'), usual: 5_000 }),
  item('14', /material modifications/i, { ...known('material modifications to the rights', MORE), usual: 15_000 }),
  item('15', /controls and procedures/i, { ...known('controls and procedures'), usual: 25_000 }),
  item('16', /reserved/i, { usual: 500 }),
  item('16A', /financial expert/i, { ...known('audit committee financial experts?'), usual: 8_000 }),
  item('16B', /code of (?:business conduct and )?ethics|codes? of conduct/i, {
    ...known('code of ethics'),
    usual: 8_000,
  }),
  item('16C', /principal account/i, { ...known('principal account(?:ants?|ing) fees and services'), usual: 12_000 }),
  item('16D', /exemptions? from/i, { ...known('exemptions? from the listing standards', MORE), usual: 8_000 }),
  item('16E', /purchases? of equity/i, { ...known('purchases? of equity securities', MORE), usual: 12_000 }),
  item('16F', /changes? in .{0,20}certifying accountants?/i, {
    ...known("changes? in (?:the )?(?:registrant|company)(?:'s)? certifying accountants?"),
    usual: 8_000,
  }),
  item('16G', /corporate governance/i, { ...afterNumber('16G', 'corporate governance'), usual: 30_000 }),
  item('16H', /mine safety/i, { ...known('mine safety disclosures?'), usual: 3_000 }),
  item('16I', /foreign jurisdictions/i, {
    ...known('disclosures? regarding foreign jurisdictions', MORE),
    usual: 5_000,
  }),
  item('16J', /insider trading/i, { ...known('insider trading policies'), usual: 6_000 }),
  item('16K', /cyber ?security/i, { ...known('cyber ?security'), usual: 25_000 }),
  item('17', /financial statements/i, { ...afterNumber('17', STATEMENTS), usual: 3_000 }),
  item('18', /financial statements/i, afterNumber('18', STATEMENTS)),
  item('19', /exhibits/i, { ...known('exhibits') }),
]

/** Items of Form 20-F, in the numbering before 2000. */
export const FOREIGN_BEFORE: readonly FormItem[] = [
  item('1', /description of (?:the )?business/i, { ...known('description of (?:the )?business'), isRequired }),
  item('2', /description of propert/i, { ...known('description of propert(?:y|ies)'), isRequired }),
  item('3', /legal proceedings/i, { ...known('legal proceedings'), isRequired }),
  item('4', /control of (?:the )?(?:registrant|company)/i, {
    ...known('control of (?:the )?(?:registrant|company)'),
    isRequired,
  }),
  item('5', /nature of (?:the )?trading market/i, { ...known('nature of (?:the )?trading market'), isRequired }),
  item('6', /exchange controls/i, { ...known('exchange controls', MORE), isRequired }),
  item('7', /taxation/i, { ...known('taxation'), isRequired }),
  item('8', /selected/i, { ...known('selected (?:consolidated )?financial data'), isRequired }),
  item('9', /management.{0,2} discussion/i, {
    ...known("management(?:'?s)?'? discussion and analysis", MORE),
    isRequired,
  }),
  item('9A', /quantitative|market risk/i),
  item('10', /directors and (?:executive )?officers/i, {
    ...known('directors and (?:executive )?officers', MORE),
    isRequired,
  }),
  item('11', /compensation of directors/i, { ...known('compensation of directors and officers'), isRequired }),
  item('12', /options to purchase/i, { ...known('options to purchase securities', MORE), isRequired }),
  item('13', /interest of management/i, { ...known('interest of management in certain transactions'), isRequired }),
  item('14', /description of securities/i, { ...known('description of securities to be registered') }),
  item('15', /defaults/i, { ...known('defaults upon senior securities') }),
  item('16', /changes in securities/i, { ...known('changes in securities', MORE) }),
  item('17', /financial statements/i, { ...afterNumber('17', STATEMENTS), usual: 3_000 }),
  item('18', /financial statements/i, afterNumber('18', STATEMENTS)),
  item('19', /financial statements and exhibits/i, { ...known('financial statements and exhibits') }),
]

/**
 * Headings of Form 40-F. The annual information form is often an exhibit, and exhibits are not divided into sections.
 * If Form 40-F itself contains the annual information form, the headings are those that the Canadian form prescribes.
 */
export const CANADIAN: readonly Titled[] = [
  titled('annual-information-form', /^(?:principal documents|annual information form)$/i),
  titled('statements', /^(?:audited )?(?:annual )?(?:consolidated )?(?:annual )?financial statements$/i),
  titled('mda', /^management.s discussion (?:and|&) analysis.*$/i),
  titled(
    'controls',
    /^(?:evaluation of )?(?:disclosure )?controls and procedures$|^disclosure controls and procedures$/i,
  ),
  titled('internal-control', /^management.s (?:annual )?report on internal control.*$/i),
  titled('control-changes', /^changes in internal controls?(?: over financial reporting)?$/i),
  titled('btr-notices', /^notices? (?:pursuant to|under|required by).{0,20}regulation btr$/i),
  titled('financial-expert', /^audit committee financial experts?$/i),
  titled('audit-committee', /^identification of (?:the )?audit committee$|^audit committee(?: information)?$/i),
  titled('ethics', /^code of (?:business conduct and )?(?:ethics|conduct)(?: and .*)?$/i),
  titled('audit-fees', /^principal account(?:ant|ing) fees and services$|^external auditors? service fees.*$/i),
  titled('off-balance-sheet', /^off[- ]balance[- ]sheet arrangements$/i),
  titled('obligations', /^(?:tabular )?disclosure of contractual obligations$|^contractual obligations$/i),
  titled('governance', /^(?:comparison of )?(?:nyse |nasdaq )?corporate governance(?: .{0,60})?$/i),
  titled('mine-safety', /^mine safety(?: disclosures?)?$/i),
  titled('foreign-jurisdictions', /^disclosures? regarding foreign jurisdictions.*$/i),
  titled('recovery', /^(?:recovery of erroneously|disclosure of .{0,40}recover(?:y of)? erroneously).*$/i),
  titled('undertaking', /^undertakings?(?: and consent to service of process)?$/i),
  titled('consent', /^consent to service of process$/i),
  titled('exhibits', /^(?:exhibits?(?: index)?|index to exhibits)$/i),
  titled('structure', /^corporate structure$/i),
  titled('development', /^general development of (?:the|our) business$/i),
  titled('business', /^(?:narrative )?description of (?:the|our) business$/i),
  titled('risk-factors', /^risk factors$/i),
  titled('dividends', /^dividends?(?: and distributions| policy)?$/i),
  titled('capital-structure', /^description of (?:the |our )?capital structure$/i),
  titled('market', /^market for (?:the |our )?securities$/i),
  titled('escrow', /^escrowed securities.*$/i),
  titled('directors', /^directors and (?:executive )?officers$/i),
  titled('legal-proceedings', /^legal proceedings(?: and regulatory actions)?$/i),
  titled('interests', /^interests? of management and others in material transactions$/i),
  titled('transfer-agent', /^transfer agents?(?:,? and registrars?|\(s\).*)?$/i),
  titled('material-contracts', /^material contracts$/i),
  titled('experts', /^(?:names and )?interests? of experts$/i),
  titled('additional-information', /^additional information$/i),
]

/** Headings of Form 6-K. The form has no items; these are headings that filers always use with the same meaning. */
export const FURNISHED: readonly Titled[] = [
  titled('explanatory-note', /^explanatory note$/i),
  titled('contents', /^information contained in this (?:report on )?form 6-k(?: report)?$/i),
  titled('incorporation', /^incorporation by reference$/i),
  titled(
    'forward-looking',
    /^(?:cautionary (?:note|statement)s?|special note|statement)?.{0,30}forward[- ]looking statements?$/i,
  ),
  titled('mda', /^management.s discussion (?:and|&) analysis.*$|^operating and financial review(?: and prospects)?$/i),
  titled('risk-factors', /^risk factors$/i),
  titled('exhibits', /^(?:list of )?exhibits$|^exhibits? index$|^index (?:to|of) exhibits$/i),
]
