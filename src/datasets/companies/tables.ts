/** Companies and other filers from EDGAR's JSON files, and the SEC's lists of tickers. */
import { accession, address, boolean, cik, count, date, prefixed, table, text, texts } from '../../declare/table.ts'

export const company = table(
  'companies.company',
  'One row per filer whose JSON file was read',
  [],
  {
    cik: cik('CIK of the filer, ten digits'),
    name: text('Name of the filer today').nullable(),
    entity_type: text('Type of entity, as the SEC classifies it: operating, investment or other').nullable(),
    sic: text('Standard industrial classification, four digits').nullable(),
    sic_description: text('Name of the industry in the words of the SEC').nullable(),
    owner_org: text('Office of the SEC that reviews the filer’s filings: 06 Technology').nullable(),
    ein: text('Employer identification number, nine digits').nullable(),
    lei: text('Legal entity identifier', { entity: 'lei' }).nullable(),
    state_of_incorporation: text('State or country of incorporation as an EDGAR code').nullable(),
    fiscal_year_end: text('Last day of the fiscal year, MMDD').nullable(),
    categories: texts(
      'Categories of filer, in the words of the SEC: Large accelerated filer, Smaller reporting company …',
    ),
    flags: text('Field flags of the JSON file, as given').nullable(),
    description: text('Description of the company, from the JSON file').nullable(),
    website: text('Address of the filer’s website').nullable(),
    investor_website: text('Address of the filer’s website for investors').nullable(),
    phone: text('Telephone, as filed').nullable(),
    is_insider: boolean('Whether the filer reports transactions as an insider of other companies').nullable(),
    has_insiders: boolean('Whether insiders report transactions in the filer’s securities').nullable(),
    ...prefixed('business_', {
      ...address({ of: 'the business address' }),
      country: text('Country of the business address, in words').nullable(),
    }),
    ...prefixed('mailing_', {
      ...address({ of: 'the mailing address' }),
      country: text('Country of the mailing address, in words').nullable(),
    }),
    filings: count(
      'Number of the filer’s filings: those that its JSON file lists, and the stated number of those in continuation files',
    ),
  },
  { record: 'cik' },
)

export const former_name = table(
  'companies.former_name',
  'One row per former name of a filer',
  [],
  {
    cik: cik('CIK of the filer, ten digits'),
    name: text('The former name'),
    from_day: date('First day on which the name is known').nullable(),
    to_day: date('Last day on which the name is known').nullable(),
  },
  { record: 'cik', numbered: true },
)

export const ticker = table(
  'companies.ticker',
  'One row per ticker of a filer, in the order of its JSON file, where the main ticker is the first',
  [],
  {
    cik: cik('CIK of the filer, ten digits'),
    ticker: text('Ticker symbol: BRK-B').nullable(),
    exchange: text('Exchange of the ticker: Nasdaq, NYSE, OTC').nullable(),
  },
  { record: 'cik', numbered: true, indexes: ['(ticker)'] },
)

export const part = table(
  'companies.part',
  'One row per continuation file of a filer’s JSON file, which lists more of the filer’s filings',
  [],
  {
    cik: cik('CIK of the filer, ten digits'),
    name: text('Name of the file: CIK0000320193-submissions-001.json'),
    filings: count('Number of filings in the file').nullable(),
    from_day: date('First filing date in the file').nullable(),
    to_day: date('Last filing date in the file').nullable(),
  },
  { record: 'cik', numbered: true },
)

export const listing = table(
  'companies.listing',
  'One row per filing that a JSON file of a filer lists, with facts that EDGAR’s index lacks',
  ['accession'],
  {
    file: text('Key of the JSON file: the CIK, or the CIK and the number of a continuation file'),
    accession: accession('SEC accession number'),
    period_of_report: date('End of the period that the filing reports').nullable(),
    accepted_at: text(
      'Time at which EDGAR accepted the filing, UTC: 2025-01-03T21:30:56Z. Null if the file has no time of day, or does not show whether its times are UTC or New York time',
    ).nullable(),
  },
  { record: 'file', indexes: ['(accession)'] },
)

export const listed_ticker = table(
  'companies.listed_ticker',
  'One row per ticker of one of the SEC’s lists of tickers',
  ['source'],
  {
    id: text('Key of the row: CIK and ticker'),
    source: text('List that has the ticker', {
      values: ['company_tickers', 'company_tickers_exchange', 'company_tickers_mf'],
    }),
    cik: cik('CIK of the company, or of the registrant of the fund'),
    ticker: text('Ticker symbol'),
    name: text('Name of the company in the list; null in the list of funds').nullable(),
    exchange: text('Exchange; null in lists that do not name exchanges').nullable(),
    series_id: text('Series identifier of the fund; null except in the list of funds').nullable(),
    class_id: text('Class identifier of the fund; null except in the list of funds').nullable(),
  },
  { record: 'id', indexes: ['(ticker)', '(cik)'] },
)
