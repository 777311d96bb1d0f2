/** Rollups of offerings. `pipeline.ts` derives them from a company's filings. */
import {
  accession,
  boolean,
  cik,
  count,
  date,
  integer,
  nameWords,
  rollup,
  text,
  texts,
  usd,
} from '../../declare/table.ts'
import { BASES, STAGES } from './pipeline.ts'
import { KINDS, MOVES, PLACES } from './tables-words.ts'

const own = accession(
  'Key of the offering: accession of its first registration statement, or of its first prospectus if no registration statement was read',
)
const stage = text('Stage of the offering', { values: STAGES })
const IPOS = 'where listed_basis is null'

export const offering = rollup(
  'offerings.offering',
  'One row per offering of securities that is registered with the SEC',
  ['accession'],
  {
    accession: own,
    cik: cik('CIK of the issuer'),
    form: text('Form type of the filing whose accession is the key of the offering'),
    filed_date: date('Date the SEC gives as the filing date'),
    company_name: text(
      'Name of the issuer in the header of the filing whose accession is the key of the offering; null if it has none',
    ).nullable(),
    name_key: text('Name of the issuer for comparisons: lower case, without accents'),
    name_words: nameWords('Search words of the names of the registrants (names.ts)'),
    registrant_count: count(
      'Number of companies that register the securities: the issuer, and co-registrants such as guarantors',
    ),
    file_numbers: texts('Securities Act file numbers of the offering', { entity: 'file_number' }),
    sic: text(
      'SIC code of the issuer in the header of the filing whose accession is the key of the offering, four digits',
    ).nullable(),
    sic_description: text('Name of the industry of the SIC code, in the words of the SEC').nullable(),
    is_spac: boolean('True for a blank check company, by its SIC code 6770 or by a sentence of a cover'),
    stage,
    stage_date: date('Day on which the offering reached its stage'),
    terms_accession: accession(
      'The filing whose cover states the terms: the prospectus with the price, else the newest registration statement or amendment with terms, else the newest prospectus with terms',
    ).nullable(),
    price_low: usd(
      'Lower end of the expected price range, from the newest cover of the registration statement that states a range',
    ).nullable(),
    price_high: usd(
      'Upper end of the expected price range, from the newest cover of the registration statement that states a range',
    ).nullable(),
    range_moved: text(
      'Direction in which the middle of the expected price range moved since the preceding range: up or down; null if it did not move, or if no preceding range was stated',
      {
        values: MOVES,
      },
    ).nullable(),
    price_to_range: text(
      'Price compared with the expected price range: above, within, below; null before pricing or without a range',
      {
        values: PLACES,
      },
    ).nullable(),
    tickers: texts('Ticker symbols on the cover that states the terms'),
    exchanges: texts('Exchanges on the cover that states the terms'),
    says_initial: boolean(
      'True if a cover states that this is the initial public offering. Evidence of an earlier listing is then ignored',
    ),
    seeks_listing: boolean(
      'True if a cover states where the securities are to be listed, and no cover states that they are listed. Earlier annual and quarterly reports are then ignored',
    ),
    listed_basis: text(
      'Evidence that this is not an initial public offering. registered: the issuer had registered a class for an exchange; tickers: it had a ticker on an exchange; cover: a cover states that its securities are listed; reports: it filed annual or quarterly reports in the two years before the offering, and seeks no listing. Null if no loaded data shows any of these',
      { values: BASES },
    ).nullable(),
    listed_source: text('Accession of the filing, or the ticker, that is this evidence').nullable(),
  },
  {
    indexes: [
      // One index for each order of the list; queries read an index in both directions. The order by filing date also
      // has an index within a stage.
      `(filed_date, accession) ${IPOS}`,
      `(name_key, accession) ${IPOS}`,
      `(stage_date, accession) ${IPOS}`,
      `(stage, filed_date, accession) ${IPOS}`,
      // One in ten issuers is a blank check company. Without this index, a query for a deep page reads ten times as
      // many rows.
      `(is_spac, filed_date, accession) ${IPOS}`,
      // Most offerings are not in this index: they state no range, or no price.
      `(price_to_range, filed_date, accession) ${IPOS} and price_to_range is not null`,
      '(cik)',
    ],
  },
)

export const registrant = rollup(
  'offerings.registrant',
  'One row per company that registers the securities of an offering: the issuer and its co-registrants',
  ['offering_accession', 'cik'],
  {
    offering_accession: own,
    cik: cik('CIK of the company', { named: 'company_name' }),
    company_name: text('Name of the company in the newest header that has one').nullable(),
  },
  { indexes: ['(cik)'] },
)

export const step = rollup(
  'offerings.step',
  'One row per stage that an offering reached',
  ['offering_accession', 'n'],
  {
    offering_accession: own,
    n: integer('Number of the stage, from 1, in the order of days'),
    stage,
    date: date('Day of the stage: day of effectiveness, for other stages the filing date'),
    accession: accession('The filing that brought the offering to this stage'),
    form: text('Form type of the filing'),
  },
)

export const member = rollup(
  'offerings.member',
  'One row per filing that belongs to an offering',
  ['accession', 'offering_accession'],
  {
    accession: accession('Accession number of the filing; joins edgar.filing'),
    offering_accession: own,
    kind: text('Role of the filing in the offering', { values: KINDS }),
    form: text('Form type of the filing'),
    filed_date: date('Date the SEC gives as the filing date'),
  },
  { indexes: ['(offering_accession)'] },
)
