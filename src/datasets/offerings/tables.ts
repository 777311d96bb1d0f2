/** Offerings to the public: the role of each filing in its offering, and the facts of prospectus covers. */
import { boolean, cik, fileNumber, integer, shares, table, text, texts, usd } from '../../declare/table.ts'
import { FACTS, KINDS } from './tables-words.ts'

const perShare = 'for one share, unit or ADS'

export const filing = table(
  'offerings.filing',
  'One row per filing about an offering to the public',
  [],
  {
    form: text('Form code in the index'),
    kind: text(
      'What it does: registration, amendment of one, more of the same (Rule 462(b)), prospectus, effectiveness, withdrawal, reinstatement (a withdrawal taken back), listing (Form 8-A), class (Form 10)',
      { values: KINDS },
    ),
    cik: cik('First filer of the header', { named: 'company_name' }).nullable(),
    company_name: text('Name of that filer').nullable(),
    security: text('Cover: what is offered: shares, units, ordinary shares').nullable(),
    shares: shares('Cover: number of securities offered').nullable(),
    price: usd(`Cover: price to the public ${perShare}`).nullable(),
    price_low: usd(`Cover: lower end of the range in which the price is expected, ${perShare}`).nullable(),
    price_high: usd(`Cover: upper end of that range, ${perShare}`).nullable(),
    gross: usd('Cover: total price to the public').nullable(),
    proceeds: usd('Cover: total proceeds to the company, before its expenses').nullable(),
    underwriters: texts('Cover: underwriters and placement agents, as they sign'),
    exchanges: texts('Cover: exchanges on which the securities are, or are to be, listed'),
    tickers: texts('Cover: symbols under which they are, or are to be, traded'),
    says_initial: boolean('The cover says that this is the initial public offering'),
    says_no_market: boolean('The cover says that there is no public market for what is offered'),
    says_listed: boolean('The cover says that the securities are listed on an exchange already'),
    says_spac: boolean('The cover says that the company is a blank check company'),
    registration_file_number: fileNumber(
      'Form 8-A: file number of the registration statement that it names',
    ).nullable(),
    effective_of: text('Notice of effectiveness: form of what it declares effective').nullable(),
    left_out: texts('Facts about which the cover says something that was not certain', { values: FACTS }),
  },
  { indexes: ['(cik, filed_date, accession)'] },
)

export const fact = table('offerings.fact', 'One row per fact that a filing says, with its evidence', ['n'], {
  n: integer('Number of the fact in the filing, from 1'),
  name: text('Which fact: the column of offerings.filing that has it, in the singular', { values: FACTS }),
  value: text('Its value; true for a fact that is stated without a value'),
  sequence: integer('Sequence of the document in the submission'),
  start: integer(
    'Where the sentence, or the line of a table, begins in the Markdown of the document, in UTF-16 units from 0',
  ),
  stop: integer('Where it ends, exclusive'),
  sentence: text('The sentence or line, as written'),
})
