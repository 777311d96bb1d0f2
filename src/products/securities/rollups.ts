/** Rollups of securities with their holdings, by quarter and as of the newest reports. */
import { boolean, cik, count, cusip, date, nameWords, rollup, shares, text, texts, usd } from '../../declare/table.ts'
import { SOURCES } from './sources.ts'

const source = text('f13: managers. nport: funds. nmfp: money market funds', { values: SOURCES })
const sec_id = text('Id of the security: its CUSIP, isin~ with its ISIN, or name~ with the name of its issuer', {
  entity: 'cusip',
})

export const security = rollup(
  'securities.security',
  'One row a security, with who holds it by the newest report of each manager and fund',
  ['sec_id'],
  {
    sec_id,
    cusip: cusip('CUSIP; null where it has none').nullable(),
    is_private: boolean(
      'A share in, or a claim on, a company that is not listed, as funds hold it. It has no number that anybody could look up, so its id is name~ and the name',
    ),
    issuer_name: text('Name of the issuer, as most reports of the newest quarter say it'),
    title_of_class: text('Title of the class, in the same reports').nullable(),
    asset_cat: text(
      'Category of the asset by most funds: EC equity, DBT debt … (N-PORT); of what only money market funds have reported the one of Form N-MFP, in its words',
    ).nullable(),
    isin: text('ISIN, as most funds say it').nullable(),
    lei: text('LEI of the issuer, as most funds say it', { entity: 'lei' }).nullable(),
    ticker: text('Ticker; of a CUSIP the one that product identifiers believes').nullable(),
    ticker_key: text('Ticker as it is compared, by its structure: BRK.B, JPM.PR.C').nullable(),
    cik: cik('CIK of the issuer, as product identifiers believes').nullable(),
    f13_holders: count('Managers that hold it, options left out'),
    f13_value: usd('What they hold is worth, options left out'),
    fund_count: count('Funds that hold it (N-PORT); who sold it short is none'),
    nport_value: usd('What they hold is worth'),
    mmf_count: count('Money market funds that hold it'),
    nmfp_value: usd('What they hold is worth'),
    combined_value: usd('All three together; what a fund holds may be in the report of its manager too'),
    name_key: text('Name and title as they are compared: accents stripped, lower case'),
    name_words: nameWords('The words by which it is found: names.ts'),
  },
  {
    indexes: [
      // The orders of the list, each read in both directions; private ones, a few in a hundred, have separate indexes.
      ...['combined_value', 'f13_holders', 'fund_count', 'name_key'].flatMap((column) => [
        `(${column}, sec_id)`,
        `(${column}, sec_id) where is_private`,
      ]),
      '(ticker_key) where ticker_key is not null',
      '(lei) where lei is not null',
      '(cik) where cik is not null',
      // An incomplete CUSIP is a range of the key, which is in "C".
      'using gin (name_words)',
      'using gin (name_key public.gin_trgm_ops)',
    ],
  },
)

export const held = rollup(
  'securities.held',
  'One row a security, a source and a quarter: how many held it at its end, and how many of these have reported nothing newer',
  ['sec_id', 'source', 'quarter'],
  {
    sec_id,
    source,
    quarter: date('Last day of the quarter'),
    holders: count('Managers or funds that held it; options, derivatives and what was sold short are left out'),
    value: usd('What they held was worth'),
    shares: shares('Shares, principal left out; null where nobody says shares').nullable(),
    newest_holders: count('Of the holders, those whose newest report is of this quarter'),
    newest_value: usd('What these held was worth'),
    option_value: usd('What options on it were worth (13F)').nullable(),
    issuer_name: text('Name of the issuer, as most lines say it').nullable(),
    title_of_class: text('Title of the class in the same lines').nullable(),
    asset_cat: text('Category of the asset, as most lines say it').nullable(),
    is_private: boolean('A line says what makes it private'),
    isin: text('ISIN, as most lines say it').nullable(),
    lei: text('LEI of the issuer, as most lines say it', { entity: 'lei' }).nullable(),
    ticker: text('Ticker, as most lines say it').nullable(),
    filed_as: texts('Its CUSIP in each case of letters in which lines of Form 13F have it'),
  },
  { indexes: ['(source, quarter)'] },
)

export const flow = rollup(
  'securities.flow',
  'One row a security and a quarter: what managers bought and sold of it, of those who reported it and the quarter before as a whole (13F)',
  ['sec_id', 'quarter'],
  {
    sec_id,
    quarter: date('Last day of the quarter'),
    buyer_count: count('Managers that hold more than in the quarter before'),
    seller_count: count('Managers that hold less'),
    opened_count: count('Of the buyers, those that held none'),
    closed_count: count('Of the sellers, those that hold none'),
    bought: shares('Shares by which the buyers hold more'),
    sold: shares('Shares by which the sellers hold less'),
    bought_value: usd('The same at the price that all managers imply at the end of the quarter'),
    sold_value: usd('The same for the sellers'),
    net_value: usd('bought_value less sold_value'),
  },
  {
    indexes: [
      // The orders of the list; net_value is read in both directions.
      ...['bought_value', 'sold_value', 'net_value'].map((column) => `(quarter, ${column}, sec_id)`),
    ],
  },
)

/**
 * The newest quarter of a holder when `held` was made: if it moves, the sums of the former newest quarter must be made
 * again.
 */
export const holder = rollup(
  'securities.holder',
  'One row a manager or fund, with the newest quarter of which its report counts',
  ['source', 'holder'],
  {
    source,
    holder: text('CIK of a manager, key of a fund'),
    quarter: date('Last day of its newest quarter'),
  },
  { inner: true, indexes: ['(source, quarter)'] },
)

export const span = rollup(
  'securities.span',
  'One row a source: the newest quarter that is loaded of it, and the oldest whose reports still count as newest ones',
  ['source'],
  {
    source,
    newest: date('Last day of the newest quarter'),
    since: date('Last day of the oldest quarter that counts'),
  },
)
