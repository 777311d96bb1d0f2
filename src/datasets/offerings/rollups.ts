/** Rollups of offerings from a company's filings: src/datasets/offerings/pipeline.ts. */
import { accession, boolean, cik, date, integer, nameWords, rollup, text, texts, usd } from '../../declare/table.ts'
import { BASES, STAGES } from './pipeline.ts'
import { KINDS, MOVES, PLACES } from './tables-words.ts'

const own = accession('The offering: its first registration statement, or its first prospectus if none was read')
const stage = text('Stage', { values: STAGES })
const IPOS = 'where listed_basis is null'

export const offering = rollup(
  'offerings.offering',
  'One row per offering of securities that is registered with the SEC',
  ['accession'],
  {
    accession: own,
    cik: cik('CIK of the issuer'),
    form: text('Form code of that filing'),
    filed_date: date('Date the SEC gives as its filing date'),
    company_name: text('Name of the issuer in it'),
    name_key: text('Name as it is compared: accents stripped, lower case'),
    name_words: nameWords('The words by which that name is found: names.ts'),
    file_numbers: texts('File numbers under the Securities Act', { entity: 'file_number' }),
    sic: text('Standard industrial classification of the issuer in it, four digits').nullable(),
    sic_description: text('That industry in the words of the SEC').nullable(),
    is_spac: boolean('A blank check company, by its SIC code 6770 or by a sentence of a cover'),
    stage,
    stage_date: date('Day on which it reached that stage'),
    terms_accession: accession(
      'The filing whose cover states the terms: the prospectus that priced it, else the newest that states any',
    ).nullable(),
    price_low: usd(
      'Lower end of the range of the newest cover of the registration statement that states one',
    ).nullable(),
    price_high: usd('Upper end of it').nullable(),
    range_moved: text('Change from the range before it: up, down; null if no other was stated', {
      values: MOVES,
    }).nullable(),
    price_to_range: text('Price compared with that range: above, within, below; null before pricing', {
      values: PLACES,
    }).nullable(),
    tickers: texts('Ticker symbols on that cover'),
    exchanges: texts('Exchanges on that cover'),
    says_initial: boolean('A cover of it says that this is the initial public offering: nothing else counts then'),
    seeks_listing: boolean(
      'A cover says where its securities are to be listed, and no cover that they are listed: earlier reports do not count then',
    ),
    listed_basis: text(
      'Why this is not an initial public offering: the issuer had registered a class for an exchange, had a ticker on one, its cover says that it is listed, or it filed annual or quarterly reports in the two years before and seeks no listing. Null where nothing that is loaded says so',
      { values: BASES },
    ).nullable(),
    listed_source: text('The filing, or the ticker, that tells it').nullable(),
  },
  {
    indexes: [
      // An index for each order of the list, read in both directions; the order by filing date also within a stage.
      `(filed_date, accession) ${IPOS}`,
      `(name_key, accession) ${IPOS}`,
      `(stage_date, accession) ${IPOS}`,
      `(stage, filed_date, accession) ${IPOS}`,
      // One in ten issuers is a blank check company. Without this index, a query for a deep page reads ten times as
      // many rows.
      `(is_spac, filed_date, accession) ${IPOS}`,
      // Most offerings are not in this index: they state no range, or state a range but no price.
      `(price_to_range, filed_date, accession) ${IPOS} and price_to_range is not null`,
      '(cik)',
    ],
  },
)

export const step = rollup(
  'offerings.step',
  'One row per stage that an offering came to',
  ['offering_accession', 'n'],
  {
    offering_accession: own,
    n: integer('Number of the step, from 1, in the order of days'),
    stage,
    date: date('Day of effectiveness, else the filing date of the filing'),
    accession: accession('The filing that states it'),
    form: text('Form code of that filing'),
  },
)

export const member = rollup(
  'offerings.member',
  'One row per filing that belongs to an offering',
  ['accession', 'offering_accession'],
  {
    accession: accession('The filing'),
    offering_accession: own,
    kind: text('What the filing does', { values: KINDS }),
    form: text('Form code of the filing'),
    filed_date: date('Date the SEC gives as its filing date'),
  },
  { indexes: ['(offering_accession)'] },
)
