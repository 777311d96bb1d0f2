/** Shapes of answers about companies. */
import { z } from 'zod'
import { countedTotal, nextCursor } from '../../declare/paging.ts'
import { cik, date } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { named } from '../../serve/named-in.ts'

const text = (meaning: string) => z.string().nullable().describe(meaning)

const SOURCE =
  'Source of this entry. submissions: the company’s JSON file. tickers: the SEC’s lists of tickers. header: the newest header of its filings that was read. index: the index of filings alone'
const source = z.enum(['submissions', 'tickers', 'header', 'index'])

const tickers = z.array(z.string()).describe('Ticker symbols, the main one first')
const exchanges = z
  .array(z.string().nullable())
  .describe('Exchange of each ticker, in the order of `tickers`; null if unknown')

export const found = z
  .object({
    cik: cik('CIK, ten digits'),
    name: text('Current name; null if only a list of fund tickers has the filer'),
    tickers,
    exchanges,
    sic: text('Standard industrial classification, four digits'),
    sic_description: text('Name of the industry'),
    filing_count: z.int().describe('Number of its filings in the loaded index'),
    source: source.describe(SOURCE),
    found_by: z
      .enum(['ticker', 'filed_ticker', 'former_ticker', 'cik', 'name'])
      .describe(
        'How q matches the company. ticker: q is a current ticker in the SEC’s lists or in the company’s JSON file. filed_ticker: only Forms 3, 4 and 5 about the company, or filings of funds, name q as a ticker. former_ticker: q is a former ticker. cik: q is the CIK, or a series or class of the company’s funds. name: q is a current or former name',
      ),
    found_ticker: z
      .object({
        ticker: z.string().describe('Ticker symbol, as its source spells it'),
        source: z
          .string()
          .describe(
            'Source of the ticker: submissions, insiders, funds, or the name of the list of tickers that has or had it',
          ),
        last_seen: date('Day on which the source last named the ticker').nullable(),
      })
      .nullable()
      .meta({
        id: 'CompanyFoundTicker',
        description: 'The ticker by which the company was found; null if it was found in another way',
      }),
  })
  .meta({ id: 'CompanyRow' })

export type CompanyMatch = z.infer<typeof found>

export const page = z
  .object({ rows: z.array(found), ...countedTotal, next_cursor: nextCursor, ...notLoaded })
  .meta({ id: 'CompanyPage' })

const address = z
  .object({
    street1: text('Street'),
    street2: text('Second line of the street'),
    city: text('City'),
    state: text('State, province or country as an EDGAR code'),
    zip: text('Postal code'),
    country: text('Country, where the file names one'),
  })
  .meta({ id: 'CompanyAddress' })
  .nullable()

const formerName = z
  .object({
    name: z.string().describe('Name that the company had'),
    from: date('First day on which the name is known').nullable(),
    to: date(
      'Last day on which the company is known to have had the name, or the day on which it gave up the name',
    ).nullable(),
  })
  .meta({ id: 'CompanyFormerName' })

const listedIn = z
  .object({
    source: z.string().describe('Name of the list of tickers, such as company_tickers_exchange'),
    ticker: z.string().describe('Ticker symbol'),
    exchange: text('Exchange, if the list names one'),
    series_id: text('Series of the fund'),
    class_id: text('Class of the fund'),
    first_seen: date('Day of the first known list that has the ticker'),
    gone_on: date('Day of the first list without the ticker; null while a list has it').nullable(),
  })
  .meta({ id: 'CompanyTicker' })

export const profile = z
  .object({
    cik: cik('CIK, ten digits'),
    name: text('Current name, or the last one that was reported; null if no loaded data has it'),
    source: z
      .enum([...source.options, 'rows'])
      .describe(
        `${SOURCE}. rows: only rows of other filings name it (see named_in), and no loaded index lists a filing of its own`,
      ),
    as_of: date('Day of the JSON file; without a file, the day of the filing that states the name').nullable(),
    entity_type: text('operating, investment or other'),
    sic: text('Standard industrial classification, four digits'),
    sic_description: text('Name of the industry'),
    ein: text('Employer identification number (EIN)'),
    lei: text('Legal entity identifier'),
    state_of_incorporation: text('State or country of incorporation as an EDGAR code'),
    fiscal_year_end: text('Last day of the fiscal year, MMDD'),
    categories: z
      .array(z.string())
      .describe('Categories of filer: Large accelerated filer, Smaller reporting company …'),
    owner_org: text('Office of the SEC that reviews its filings'),
    edgar_flags: text('Field flags of the JSON file, as given'),
    description: text('Description of the company in the file'),
    website: text('Address of its website'),
    investor_website: text('Address of its website for investors'),
    phone: text('Telephone, as filed'),
    is_insider: z.boolean().nullable().describe('Whether it reports transactions as an insider of other companies'),
    has_insiders: z.boolean().nullable().describe('Whether insiders report transactions in its securities'),
    tickers,
    exchanges,
    listed_tickers: z.array(listedIn).describe('Current and former tickers in the SEC’s lists'),
    business_address: address,
    mailing_address: address,
    former_names: z.array(formerName).describe('Former names, the latest first'),
    filing_count: z.int().describe('Number of its filings in the loaded index'),
    filings_listed: z.int().nullable().describe('Number of filings that its JSON file at the SEC lists'),
    first_filed: date('Day of its first filing in the loaded index').nullable(),
    last_filed: date('Day of its newest filing in the loaded index').nullable(),
    filings_url: z.string().meta({
      format: 'uri-reference',
      description: 'Address of the list of its filings on this server, newest first',
    }),
    named_in: z
      .array(named)
      .optional()
      .describe(
        'If `source` is `rows`: the rows that name the company, newest first, one row for each role of the company',
      ),
    securities_url: z.string().nullable().meta({
      format: 'uri-reference',
      description: 'Address of the list of its securities on this server; null if none is known',
    }),
    ...notLoaded,
  })
  .meta({ id: 'CompanyProfile' })

export type Profile = z.infer<typeof profile>
