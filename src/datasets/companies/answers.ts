/** Shapes of answers about companies. */
import { z } from 'zod'
import { countedTotal, nextCursor } from '../../declare/paging.ts'
import { cik, date } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { named } from '../../serve/named-in.ts'

const text = (meaning: string) => z.string().nullable().describe(meaning)

const SOURCE =
  'Where it is from. submissions: the company’s JSON file. tickers: the SEC’s lists of tickers. header: the newest header that was read of its filings. index: the index of filings alone'
const source = z.enum(['submissions', 'tickers', 'header', 'index'])

const tickers = z.array(z.string()).describe('Ticker symbols, the main one first')
const exchanges = z
  .array(z.string().nullable())
  .describe('Exchanges of the tickers, in their order; null where none is told')

export const found = z
  .object({
    cik: cik('CIK, ten digits'),
    name: text('Name of now; null where nothing but a list of funds’ tickers has the filer'),
    tickers,
    exchanges,
    sic: text('Standard industrial classification, four digits'),
    sic_description: text('That industry in words'),
    filing_count: z.int().describe('Filings in the index here'),
    source: source.describe(SOURCE),
    found_by: z
      .enum(['ticker', 'filed_ticker', 'former_ticker', 'cik', 'name'])
      .describe(
        'How q finds it. ticker: the SEC’s lists or its file have that ticker now. filed_ticker: only Forms 3, 4 and 5 about it, or funds, name it. former_ticker: it had that ticker before. cik: its CIK, or a series or class of its funds. name: a name of now or before',
      ),
    found_ticker: z
      .object({
        ticker: z.string().describe('Ticker symbol, as its source spells it'),
        source: z.string().describe('submissions, the list of tickers that has or had it, insiders or funds'),
        last_seen: date('Day on which the source last named it').nullable(),
      })
      .nullable()
      .meta({
        id: 'CompanyFoundTicker',
        description: 'The ticker by which it is found; null where it is found otherwise',
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
    from: date('First day known under it').nullable(),
    to: date('Last day known under it, or the day on which it was given up').nullable(),
  })
  .meta({ id: 'CompanyFormerName' })

const listedIn = z
  .object({
    source: z.string().describe('List of tickers: company_tickers_exchange'),
    ticker: z.string().describe('Ticker symbol'),
    exchange: text('Exchange, where the list tells one'),
    series_id: text('Series of the fund'),
    class_id: text('Class of the fund'),
    first_seen: date('Day of the first list that is known to have it'),
    gone_on: date('Day of the first list without it; null while it is there').nullable(),
  })
  .meta({ id: 'CompanyTicker' })

export const profile = z
  .object({
    cik: cik('CIK, ten digits'),
    name: text('Name of now, or as it was last reported; null where nothing that is loaded says it'),
    source: z
      .enum([...source.options, 'rows'])
      .describe(`${SOURCE}. rows: only rows that name it, see named_in: no loaded index lists a filing of it`),
    as_of: date('Day of the file; else the day of the filing that tells the name').nullable(),
    entity_type: text('operating, investment or other'),
    sic: text('Standard industrial classification, four digits'),
    sic_description: text('That industry in words'),
    ein: text('Employer identification number'),
    lei: text('Legal entity identifier'),
    state_of_incorporation: text('State or country of incorporation as an EDGAR code'),
    fiscal_year_end: text('Last day of the fiscal year, MMDD'),
    categories: z.array(z.string()).describe('Large accelerated filer, Smaller reporting company …'),
    owner_org: text('Office of the SEC that reviews its filings'),
    edgar_flags: text('Flags of the SEC, as given'),
    description: text('What the file says of the company'),
    website: text('Address of its website'),
    investor_website: text('Address of its website for investors'),
    phone: text('Telephone, as filed'),
    is_insider: z.boolean().nullable().describe('Reports transactions as an insider of companies'),
    has_insiders: z.boolean().nullable().describe('Insiders report transactions in it'),
    tickers,
    exchanges,
    listed_tickers: z.array(listedIn).describe('Its tickers in the SEC’s lists, now and before'),
    business_address: address,
    mailing_address: address,
    former_names: z.array(formerName).describe('Names of before, the last one first'),
    filing_count: z.int().describe('Filings in the index here'),
    filings_listed: z.int().nullable().describe('Filings that its JSON file lists at the SEC'),
    first_filed: date('Day of its first filing in the index here').nullable(),
    last_filed: date('Day of its newest filing in the index here').nullable(),
    filings_url: z.string().meta({ format: 'uri-reference', description: 'Its filings, newest first, on this server' }),
    named_in: z
      .array(named)
      .optional()
      .describe('With source rows: what names it, the newest first, one row each kind of mention'),
    securities_url: z
      .string()
      .nullable()
      .meta({ format: 'uri-reference', description: 'Its securities on this server; null where none is known' }),
    ...notLoaded,
  })
  .meta({ id: 'CompanyProfile' })

export type Profile = z.infer<typeof profile>
