/** Words for the codes of forms. A page shows the code next to them in small letters. */

type Words = Readonly<Record<string, string>>

const SHARE_OF_OWNER: Words = {
  NA: 'below 5 %',
  A: '5 to 10 %',
  B: '10 to 25 %',
  C: '25 to 50 %',
  D: '50 to 75 %',
  E: '75 % or more',
  F: 'other',
}

const FEEDS = { IA_FIRM_SEC: 'Feed of the SEC', IA_FIRM_STATE: 'Feed of the states', IA_INDVL: 'Feed of persons' }

/** Words for the series of bulk files. */
export const SERIES: Words = {
  ...FEEDS,
  ADV_FILING_DATA: 'Filings of Form ADV',
  ADV_W: 'Withdrawals',
  BROCHURES: 'Brochures',
  COMPANY_FACTS: 'Figures of companies',
  SUBMISSIONS: 'Profiles of companies',
  TICKERS: 'Tickers',
  TICKERS_EXCHANGE: 'Tickers with exchanges',
  TICKERS_FUND: 'Tickers of funds',
}

/** A value that names a series, alone or before a key or a day: `IA_FIRM_SEC/361`, `IA_FIRM_SEC 2026-07-23`. */
export function seriesWords(text: string): string | null {
  const [, series = '', rest = ''] = /^([A-Z][A-Z_]+)(?:[ /](\d\S*))?$/.exec(text) ?? []
  const words = wordIn(SERIES, series)
  return words === null ? null : `${words}${rest && ` ${rest}`}`
}

/** Words for the sources of rows and of entries of the log. */
export const SOURCES: Words = {
  adv: 'Advisers',
  both: 'Header and text',
  brochures: 'Brochures',
  companies: 'Companies',
  documents: 'Text of filings',
  edgar: 'Filings',
  f13: 'Managers',
  facts: 'Figures of companies',
  filings: 'Filings',
  header: 'Header',
  nmfp: 'Money market funds',
  nport: 'Funds',
  reps: 'Representatives',
  set: 'Quarterly data set',
  text: 'Text',
  xml: 'XML',
}

/** Words by member and code. A value that is not listed is shown unchanged. */
const CODES: Readonly<Record<string, Words>> = {
  acquired_disposed: { A: 'Acquired', D: 'Disposed of' },
  adviser_type: { IA: 'Registered adviser', ERA: 'Exempt reporting adviser' },
  asset_cat: {
    'ABS-APCP': 'Asset-backed commercial paper',
    'ABS-CBDO': 'Collateralized bonds or debt',
    'ABS-MBS': 'Mortgage-backed securities',
    'ABS-O': 'Other asset-backed securities',
    COMM: 'Commodity',
    DBT: 'Debt',
    DCO: 'Commodity derivative',
    DCR: 'Credit derivative',
    DE: 'Equity derivative',
    DFE: 'Currency derivative',
    DIR: 'Interest rate derivative',
    DO: 'Other derivative',
    EC: 'Common shares',
    EP: 'Preferred shares',
    LON: 'Loan',
    OTHER: 'Other',
    RA: 'Repurchase agreement',
    RE: 'Real estate',
    SN: 'Structured note',
    STIV: 'Short-term investment vehicle',
  },
  bucket: { CEF: 'Closed-end fund', 'ETF/OEF': 'Open-end fund or ETF' },
  dataset: { documents: 'Text of filings', header: 'Headers of filings' },
  discretion: { DFND: 'Shared-defined', OTR: 'Shared-other', SOLE: 'Sole' },
  entity_type: { DE: 'Firm in the United States', FE: 'Firm abroad', I: 'Person' },
  feed: { IA_FIRM_SEC: FEEDS.IA_FIRM_SEC, IA_FIRM_STATE: FEEDS.IA_FIRM_STATE },
  issuer_cat: {
    CORP: 'Company',
    MUN: 'State or municipality',
    NUSS: 'Foreign government',
    OTHER: 'Other',
    PF: 'Private fund',
    RF: 'Registered fund',
    USGA: 'Agency of the United States',
    USGSE: 'Enterprise sponsored by the United States',
    UST: 'United States Treasury',
  },
  keeper_type: { BO: 'Branch office or affiliate', O: 'Other', TP: 'Another firm' },
  kind: { PRN: 'Principal amount', SH: 'Shares' },
  ownership_code: SHARE_OF_OWNER,
  part: { '5K1': 'Types of assets', '5K2': 'Borrowings and derivatives', '5K3': 'Custodians' },
  source: SOURCES,
  timeliness: { E: 'Early', L: 'Late' },
  units: { NC: 'Contracts', NS: 'Shares', OU: 'Other units', PA: 'Principal amount' },
}

/** The words for a source of the log, which is a family of forms or a dataset. @param familyOf the name of a family */
export const sourceWords = (source: string, familyOf: (slug: string) => string | null): string =>
  wordIn(SOURCES, source) ?? familyOf(source) ?? source

/** Codes of Forms 3, 4 and 5 for how shares are held. */
const HELD: Words = { D: 'Held directly', I: 'Held indirectly' }

/** Form Funding Portal uses Form ADV's codes for ownership shares, except the letter for other owners. */
const SHARE_OF_PORTAL: Words = {
  ...Object.fromEntries(Object.entries(SHARE_OF_OWNER).filter(([code]) => code !== 'F')),
  G: 'other',
}

/**
 * Transaction codes of Forms 4 and 5. Other lists also have a member with this name, so the description of the member
 * must match too.
 */
const TRADES: Words = {
  A: 'Award',
  C: 'Conversion',
  D: 'Returned to the company',
  E: 'Expired',
  F: 'Withheld for price or tax',
  G: 'Gift',
  H: 'Expired',
  I: 'Discretionary trade',
  J: 'Other',
  K: 'Equity swap',
  L: 'Small acquisition',
  M: 'Exercise or vesting',
  O: 'Exercise',
  P: 'Purchase',
  S: 'Sale',
  U: 'Tender',
  V: 'Reported early',
  W: 'Inheritance',
  X: 'Exercise',
  Z: 'Voting trust',
}

/** Items of Form 8-K since August 2004. */
const EVENTS: Words = {
  '1.01': 'Agreement made',
  '1.02': 'Agreement ended',
  '1.03': 'Bankruptcy',
  '1.04': 'Mine safety',
  '1.05': 'Cybersecurity incident',
  '2.01': 'Acquisition or sale completed',
  '2.02': 'Results',
  '2.03': 'Debt taken on',
  '2.04': 'Debt falls due earlier',
  '2.05': 'Costs of closing operations',
  '2.06': 'Impairment',
  '3.01': 'Notice of delisting or failure to meet a listing rule',
  '3.02': 'Unregistered sale of shares',
  '3.03': 'Rights of holders changed',
  '4.01': 'Change of auditor',
  '4.02': 'Earlier statements not to be relied on',
  '5.01': 'Change of control',
  '5.02': 'Directors and officers',
  '5.03': 'Articles or fiscal year changed',
  '5.04': 'Trading of employee plans suspended',
  '5.05': 'Code of ethics',
  '5.06': 'No longer a shell company',
  '5.07': 'Votes of shareholders',
  '5.08': 'Nominations of directors',
  '7.01': 'Fair disclosure',
  '8.01': 'Other events',
  '9.01': 'Statements and exhibits',
}

/**
 * Returns the words for a code; null if it is not a known code of that member.
 *
 * @param meaning the description of the member
 */
export function codeWords(name: string, code: string, meaning: string | null): string | null {
  if (name === 'code') return /^Transaction code/.test(meaning ?? '') ? wordIn(TRADES, code) : null
  if (name === 'item' || name === 'items') return OF_8K.test(meaning ?? '') ? wordIn(EVENTS, code) : null
  if (name === 'ownership') return wordIn(ownershipWords(meaning ?? ''), code)
  return Object.hasOwn(CODES, name) ? wordIn(CODES[name]!, code) : null
}

/** Descriptions of the members that have items of Form 8-K. Items of Forms SD and ABS-15G have the same numbers. */
const OF_8K = /^(?:Number of (?:the|an) item|Items that the header or the text lists)\b/

/** Two forms have a member `ownership` with codes of their own: its description lists the codes. */
const ownershipWords = (meaning: string): Words =>
  meaning.includes('D direct') ? HELD : meaning.includes('NA below 5 percent') ? SHARE_OF_PORTAL : {}

/** Codes come from filings, so a code may be the name of a member that every object inherits, as `constructor`. */
const wordIn = (words: Words, code: string): string | null => (Object.hasOwn(words, code) ? words[code]! : null)

/** Types of assets of separately managed accounts (Form ADV, Schedule D, Section 5.K.(1)), by their Roman number. */
export const ACCOUNT_ASSETS: Words = {
  i: 'Exchange-traded shares',
  ii: 'Other shares',
  iii: 'Bonds of the United States',
  iv: 'Bonds of states and municipalities',
  v: 'Bonds of other governments',
  vi: 'Investment-grade bonds of companies',
  vii: 'Other bonds of companies',
  viii: 'Derivatives',
  ix: 'Registered funds',
  x: 'Private funds and other pools',
  xi: 'Cash',
  xii: 'Other',
}

/** The parts of a column of Section 5.K.(1): `5K(1)(a)(iii)EOY`; one column lacks a bracket, `5K(1)(a)vi)MID`. */
const ACCOUNT_COLUMN = /^5K\(1\)\([ab]\)\(?([ivx]+)\)(MID|EOY)?$/

/**
 * The type of asset that a column of Section 5.K.(1) is about, and the time of year that it refers to; null for any
 * other column.
 */
export function accountAssets(column: string): { assets: string; isMidYear: boolean } | null {
  const [, roman = '', when] = ACCOUNT_COLUMN.exec(column) ?? []
  const assets = ACCOUNT_ASSETS[roman]
  return assets === undefined ? null : { assets, isMidYear: when === 'MID' }
}

/** A column of the data files of Form ADV as an item of the form: `5F2c` is `Item 5.F(2)(c)`. Null for other names. */
export function formItem(column: string): string | null {
  const [, item, letter = '', number = '', last = ''] = /^(\d{1,2})([A-Z])(\d{1,2})?([a-z])?$/.exec(column) ?? []
  if (item === undefined) return null
  return `Item ${item}${letter && `.${letter}`}${number && `(${number})`}${last && `(${last})`}`
}
