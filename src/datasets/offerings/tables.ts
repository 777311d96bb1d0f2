/** Offerings to the public: the role of each filing in its offering, and the facts of prospectus covers. */
import { boolean, cik, fileNumber, integer, shares, table, text, texts, usd } from '../../declare/table.ts'
import { FACTS, KINDS } from './tables-words.ts'

const perShare = 'for one share, unit or ADS'

export const filing = table(
  'offerings.filing',
  'One row per filing about an offering to the public',
  [],
  {
    form: text('Form type in EDGAR’s index'),
    kind: text(
      'Role of the filing: registration, amendment, more (additional securities, Rule 462(b)), prospectus, effectiveness (notice of the SEC), withdrawal, reinstatement (a withdrawal is cancelled), listing (Form 8-A), class (Form 10)',
      { values: KINDS },
    ),
    cik: cik('CIK of the first filer in EDGAR’s header', { named: 'company_name' }).nullable(),
    company_name: text('Name of the first filer in EDGAR’s header').nullable(),
    security: text('Cover: kind of security offered: shares, units, ordinary shares …').nullable(),
    shares: shares('Cover: number of securities offered').nullable(),
    price: usd(`Cover: price to the public ${perShare}`).nullable(),
    price_low: usd(`Cover: lower end of the expected price range, ${perShare}`).nullable(),
    price_high: usd(`Cover: upper end of the expected price range, ${perShare}`).nullable(),
    gross: usd('Cover: total price to the public').nullable(),
    proceeds: usd('Cover: total proceeds to the company, before its expenses').nullable(),
    underwriters: texts('Cover: names of underwriters and placement agents'),
    exchanges: texts('Cover: exchanges on which the securities are, or are to be, listed'),
    tickers: texts('Cover: ticker symbols under which the securities are, or are to be, traded'),
    says_initial: boolean('True if the cover states that this is the initial public offering'),
    says_no_market: boolean('True if the cover states that there is no public market for the securities offered'),
    says_listed: boolean('True if the cover states that the securities are already listed on an exchange'),
    says_spac: boolean('True if the cover states that the company is a blank check company'),
    registration_file_number: fileNumber(
      'Form 8-A: file number of the registration statement that the form names',
    ).nullable(),
    effective_of: text('Notice of effectiveness: form type of the filing that it declares effective').nullable(),
    left_out: texts('Facts that the cover states but that were left out, because their text is ambiguous', {
      values: FACTS,
    }),
  },
  { indexes: ['(cik, filed_date, accession)'] },
)

export const filer = table(
  'offerings.filer',
  'One row per filer of a filing: companies that register securities together are its filers together',
  ['cik'],
  {
    cik: cik('CIK of the filer', { named: 'company_name' }),
    company_name: text('Name of the filer in EDGAR’s header').nullable(),
  },
  { indexes: ['(cik)'] },
)

export const fact = table(
  'offerings.fact',
  'One row per fact that was read from a filing, with the sentence that states it',
  ['n'],
  {
    n: integer('Number of the fact in the filing, from 1'),
    name: text(
      'Name of the fact: price is the fact of the column `price` of offerings.filing, ticker of its column `tickers`, and initial of its column `says_initial`',
      { values: FACTS },
    ),
    value: text('Value of the fact, as text; the word true for a fact without a value of its own, such as initial'),
    sequence: integer('Sequence of the document in the submission'),
    start: integer(
      'Offset of the first character of the sentence or table row in the Markdown of the document, in UTF-16 units from 0',
    ),
    stop: integer('Offset of the end of the sentence or table row (exclusive), in UTF-16 units'),
    sentence: text('Text of the sentence or table row that states the fact, as written'),
  },
)
