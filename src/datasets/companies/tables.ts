/** Companies and other filers from EDGAR's JSON files, and the SEC's lists of tickers. */
import { accession, address, boolean, cik, count, date, prefixed, table, text, texts } from '../../declare/table.ts'

export const company = table(
  'companies.company',
  'One row per filer whose JSON file was read',
  [],
  {
    cik: cik('CIK of the filer, ten digits'),
    name: text('Name of the filer today').nullable(),
    entity_type: text('operating, investment or other, as the SEC has it').nullable(),
    sic: text('Standard industrial classification, four digits').nullable(),
    sic_description: text('Name of the industry in the words of the SEC').nullable(),
    owner_org: text('Office of the SEC that reviews its filings: 06 Technology').nullable(),
    ein: text('Employer identification number, nine digits').nullable(),
    lei: text('Legal entity identifier', { entity: 'lei' }).nullable(),
    state_of_incorporation: text('State or country of incorporation as an EDGAR code').nullable(),
    fiscal_year_end: text('Last day of the fiscal year, MMDD').nullable(),
    categories: texts('Categories of filer: Large accelerated filer, Smaller reporting company …, as the SEC has them'),
    flags: text('Flags of the SEC, as given').nullable(),
    description: text('Description of the company in the file').nullable(),
    website: text('Address of its website').nullable(),
    investor_website: text('Address of its website for investors').nullable(),
    phone: text('Telephone, as filed').nullable(),
    is_insider: boolean('Whether it reports transactions as an insider of other companies').nullable(),
    has_insiders: boolean('Whether insiders report transactions in its securities').nullable(),
    ...prefixed('business_', { ...address({ of: 'the business address' }), country: text('Country of it').nullable() }),
    ...prefixed('mailing_', { ...address({ of: 'the mailing address' }), country: text('Country of it').nullable() }),
    filings: count('Number of filings that its JSON files list; for continued files, the number that they state'),
  },
  { record: 'cik' },
)

export const former_name = table(
  'companies.former_name',
  'One row per name that a filer had',
  [],
  {
    cik: cik('CIK of the filer, ten digits'),
    name: text('The name'),
    from_day: date('First day on which the name is known').nullable(),
    to_day: date('Last day on which the name is known').nullable(),
  },
  { record: 'cik', numbered: true },
)

export const ticker = table(
  'companies.ticker',
  'One row per ticker of a filer, in the order of its file: the first is its main one',
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
  'One row per file in which the filings of a filer go on',
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
  'One row per filing that a file lists, with facts about it that the index lacks',
  ['accession'],
  {
    file: text('The file: CIK, or CIK and the number of a continued file'),
    accession: accession('SEC accession number'),
    period_of_report: date('End of the period that the filing reports').nullable(),
    accepted_at: text(
      'Time at which EDGAR accepted the filing, UTC: 2025-01-03T21:30:56Z. Null if the file does not show which clock it uses',
    ).nullable(),
  },
  { record: 'file', indexes: ['(accession)'] },
)

export const listed_ticker = table(
  'companies.listed_ticker',
  'One row per ticker of one of the SEC’s lists of tickers',
  ['source'],
  {
    id: text('CIK and ticker'),
    source: text('The list', { values: ['company_tickers', 'company_tickers_exchange', 'company_tickers_mf'] }),
    cik: cik('CIK of the company, or of the registrant of the fund'),
    ticker: text('Ticker symbol'),
    name: text('Name of the company there; null in the list of funds').nullable(),
    exchange: text('Exchange; null in lists that do not name exchanges').nullable(),
    series_id: text('Series of the fund').nullable(),
    class_id: text('Class of the fund').nullable(),
  },
  { record: 'id', indexes: ['(ticker)', '(cik)'] },
)
