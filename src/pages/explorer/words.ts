/** Labels for readers who do not know the forms. The reference shows the names of the members instead. */
import type { z } from 'zod'
import { capital } from '../../declare/capital.ts'
import { labelOf } from '../../declare/table.ts'
import { accountAssets, codeWords, formItem, SERIES } from './codes.ts'

/** Words for members whose names are understood only by readers of the form or by programmers. */
const WORDS: Readonly<Record<string, string>> = {
  accession: 'Filing',
  acquired_disposed: 'Acquired or disposed',
  amended_by: 'Replaced by',
  bdcs: 'Business development companies',
  code_meaning: 'What was done',
  drp: 'Disclosures',
  edgar_flags: 'Flags of EDGAR',
  ein: 'Employer number (EIN)',
  entity_in_which: 'Owns a part of',
  categories: 'Kind of filer',
  exercise_date: 'Exercisable from',
  extracted: 'Read into rows',
  f13: 'Managers (Form 13F)',
  fam_rows: 'What the filing says',
  failed_count: 'Failed',
  failures: 'Why filings were not read',
  feed_spec: 'Columns of the feed',
  family_data: 'What was read',
  filed_date: 'Filed',
  filer_selection: 'Filers',
  filing_date: 'Filed',
  followed_day_count: 'Days on which the feed was read',
  form_type: 'Form',
  funds_rest: 'Other funds',
  gross: 'Raised',
  has_insiders: 'Insiders report trades in it',
  hnw: 'Wealthy individuals',
  in_sets: 'In quarterly sets',
  is_insider: 'Insider of other companies',
  is_spac: 'Blank check company',
  lat: 'Latitude',
  latest_raum: 'Assets under management',
  lng: 'Longitude',
  newest_filed_date: 'Newest filed',
  nmfp: 'Money market funds (N-MFP)',
  nport: 'Funds (N-PORT)',
  of_sets: 'Only from quarterly sets',
  of_sets_count: 'Only from quarterly sets',
  open_gap_count: 'Open gaps of the feed',
  other_org_nm: 'Other firm',
  owner_id: 'CRD number',
  owner_org: 'Office of the SEC',
  part1a: 'Part 1A as filed',
  part1a_schedules: 'Schedules of Part 1A',
  period_of_report: 'Period',
  price_high: 'Range to',
  price_low: 'Range from',
  price_to_range: 'Price and range',
  pooled: 'Private funds and other pools',
  raum: 'Assets under management',
  sec_id: 'CUSIP or id',
  seven_day_gross_yield: 'Seven-day gross yield',
  sic: 'Industry code (SIC)',
  sic_description: 'Industry',
  sim_comp: 'Similar compensation',
  sim_fund: 'Similar funds',
  sim_serves: 'Similar clients',
  sim_size: 'Similar size',
  slug: 'Code',
  sma: 'Separately managed accounts',
  sovereign: 'Foreign governments',
  stage_date: 'Stage since',
  state_municipal: 'States and municipalities',
  submission_type: 'Form',
  total_raum: 'Assets under management',
  transaction_date: 'Traded',
  url: 'Page',
  under_seconds: 'Below, seconds',
  waiting_count: 'Waiting',
  work: 'Filings that wait or failed',
  unlisted_count: 'Filings that the index lacks',
  unread_entry_count: 'Unread entries of the feed',
}

/**
 * Words for parameters that need other words than a member of the same name. `any` has the words for all lists; each
 * other key is an operation.
 */
const PARAMETERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  any: {
    q: 'Search',
    dir: 'Direction',
    order: 'Direction',
    sort: 'Order by',
    from: 'From',
    to: 'To',
    amended: 'Amended filings',
    as_of: 'As known on',
    min_amount: 'Amount at least',
    min_raum: 'Assets at least',
    has_disciplinary: 'Disclosures',
    changes: 'With changes',
    corpora: 'Kind of document',
    weakness: 'Material weakness',
  },
  npx_votes: { how: 'Vote', management: 'With or against management', series: 'Fund (series)', cik: 'Filer (CIK)' },
  fund_launches: { bucket: 'Kind of fund' },
  adv_list: { adviser_type: 'Kind of adviser', fund_type: 'With private funds of type' },
  ipos: { spac: 'Blank check companies' },
}

/** The label of a parameter of an operation. */
export const parameterWords = (operation: string, name: string): string =>
  PARAMETERS[operation]?.[name] ?? PARAMETERS.any![name] ?? wordsFor(name)

/** Words for the choices in the fields of an HTML form. */
export const CHOICES: Readonly<Record<string, string>> = {
  true: 'Yes',
  false: 'No',
  asc: 'Ascending',
  desc: 'Descending',
  // Orders of lists.
  date: 'date',
  raum: 'assets under management',
  stage_date: 'date of the stage',
}

/**
 * Words for a value that a reader chooses. The code of a form follows its words, since readers of the forms know it.
 *
 * @param meaning the description of the parameter
 * @param families names of families of forms, by code
 */
export function choiceWords(
  name: string,
  value: string,
  meaning: string | null,
  families: ReadonlyMap<string, string> = NO_FAMILIES,
): string {
  const family = name === 'family' ? families.get(value) : undefined
  if (family !== undefined) return family
  const words = codeWords(name, value, meaning)
  if (words !== null) return `${words} (${value})`
  return CHOICES[value] ?? (OF_WORDS.test(value) ? value.replaceAll('_', ' ') : value)
}

const NO_FAMILIES: ReadonlyMap<string, string> = new Map()

/** A code that consists of words, or the name of a member with several words: `company_tickers`. */
const OF_WORDS = /^[a-z][a-z\d]*(?:_[a-z\d]+)+$/
/** The name of a member, or the path to it. A value such as `true`, or a single letter, is not such a name. */
const OF_MEMBERS = /^(?!(?:true|false|null)$)[a-z][a-z\d]+(?:[_.][a-z\d]+)*$/
const ALL_OF_WORDS = /(?<![\w./?&={-])[a-z][a-z\d]*(?:_[a-z\d]+)+(?![\w/=}-]|\.\w)/g
const ALL_SERIES = new RegExp(`(?<![\\w/])(?:${Object.keys(SERIES).join('|')})(?!\\w)`, 'g')

/** The words of a code that consists of words; such a code may be the name of a member. Null for any other text. */
export const codeOfWords = (text: string): string | null => (OF_WORDS.test(text) ? wordsFor(text) : null)

/**
 * A description for readers of pages. Names of members, codes that consist of words, and series of bulk files are
 * replaced by the words that the page shows for them.
 *
 * @param labelOf the words for a name
 */
export function forReaders(description: string, labelOf: (name: string) => string = wordsFor): string {
  const quoted = (name: string) => `“${labelOf(name)}”`
  return description
    .replace(/: \{"[^{}]*(?:\{[^{}]*\}[^{}]*)?\}/, '')
    .replace(/`([^`]*)`/g, (_, name: string) => (OF_MEMBERS.test(name) ? quoted(name.split('.').at(-1)!) : name))
    .replace(ALL_OF_WORDS, quoted)
    .replace(ALL_SERIES, (series) => `“${SERIES[series]}”`)
}

/** The label of a member: `is_director` is Director, `holder_count` Holders, `min_value` Value at least. */
export function wordsFor(name: string, type?: z.ZodType): string {
  const words = WORDS[name] ?? formItem(name)
  if (words !== undefined && words !== null) return words
  const assets = accountAssets(name)
  if (assets) return `${assets.assets}, ${assets.isMidYear ? 'middle' : 'end'} of the year, %`
  const label = labelOf(name, type)
  // A label from the declaration stays unchanged.
  if (label !== labelOf(name)) return label
  if (/^(is|has)_/.test(name)) return capital(label.replace(/^(Is|Has) (an? |the )?/, ''))
  if (/^(min|max)_/.test(name)) return `${capital(label.slice(4))} at ${name.startsWith('min') ? 'least' : 'most'}`
  return /_count$/.test(name) ? plural(label.replace(/ count$/, '')) : label
}

/** Last words of labels that have no plural: "Left out", "New series", "Not compared". */
const WITHOUT_PLURAL = /(?:[^e]ed|\b(?:out|held|sold|new|current|series|collateral|managers|\d+))$/i

function plural(word: string): string {
  if (WITHOUT_PLURAL.test(word)) return word
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return /(s|x|ch)$/.test(word) ? `${word}es` : `${word}s`
}
