/** Rollups of securities with their holdings, by quarter and according to the newest reports. */
import {
  accession,
  boolean,
  cik,
  count,
  cusip,
  date,
  decimal,
  nameWords,
  percent,
  rollup,
  shares,
  text,
  texts,
  usd,
} from '../../declare/table.ts'
import { CHANGES, SOURCES } from './sources.ts'

const source = text('f13: managers. nport: funds. nmfp: money market funds', { values: SOURCES })
const sec_id = text('Id of the security: its CUSIP, isin~ with its ISIN, or name~ with the name of its issuer', {
  entity: 'cusip',
})

const amount = (meaning: string) => decimal(meaning, { unit: 'shares_or_principal' })

export const security = rollup(
  'securities.security',
  'One row per security, with who holds it by the newest report of each manager and fund',
  ['sec_id'],
  {
    sec_id,
    cusip: cusip('CUSIP; null if it has none').nullable(),
    is_private: boolean(
      'A share in, or a claim on, a company that is not listed, as funds hold it. It has no public number, so its id is made from its name: name~…',
    ),
    issuer_name: text('Name of the issuer, as most reports of the newest quarter state it'),
    title_of_class: text('Title of the class, in the same reports').nullable(),
    asset_cat: text(
      'Category of the asset by most funds: EC equity, DBT debt … (N-PORT); if only money market funds report it, the category of Form N-MFP in its words',
    ).nullable(),
    isin: text('ISIN, as most funds state it').nullable(),
    lei: text('LEI of the issuer, as most funds state it', { entity: 'lei' }).nullable(),
    ticker: text('Ticker; for a CUSIP, the one that /adv/securities/{cusip}/identifiers believes').nullable(),
    ticker_key: text('Ticker as it is compared, by its structure: BRK.B, JPM.PR.C').nullable(),
    cik: cik('CIK of the issuer, as /adv/securities/{cusip}/identifiers believes').nullable(),
    f13_holders: count('Managers that hold it, options left out'),
    f13_value: usd('Value of what they hold, options left out'),
    fund_count: count('Funds that hold it (N-PORT), without short sellers'),
    nport_value: usd('Value of what they hold'),
    mmf_count: count('Money market funds that hold it'),
    nmfp_value: usd('Value of what they hold'),
    combined_value: usd(
      'Value held by all three together; a holding of a fund may be in the report of its manager too',
    ),
    name_key: text('Name and title as they are compared: accents stripped, lower case'),
    name_words: nameWords('The words by which it is found: names.ts'),
  },
  {
    indexes: [
      // The orders of the list, each read in both directions. Private securities, which are a few in a hundred, have
      // separate indexes.
      ...['combined_value', 'f13_holders', 'fund_count', 'name_key'].flatMap((column) => [
        `(${column}, sec_id)`,
        `(${column}, sec_id) where is_private`,
      ]),
      '(ticker_key) where ticker_key is not null',
      '(lei) where lei is not null',
      '(cik) where cik is not null',
      // An incomplete CUSIP is a range of the key, since the key has the collation "C".
      'using gin (name_words)',
      'using gin (name_key public.gin_trgm_ops)',
    ],
  },
)

export const held = rollup(
  'securities.held',
  'One row per security, source and quarter: how many held it at its end, and how many of these have reported nothing newer',
  ['sec_id', 'source', 'quarter'],
  {
    sec_id,
    source,
    quarter: date('Last day of the quarter'),
    holders: count('Managers or funds that held it; options, derivatives and what was sold short are left out'),
    value: usd('Value of what they held'),
    shares: shares('Shares, principal left out; null where nobody says shares').nullable(),
    newest_holders: count('Holders whose newest report is of this quarter'),
    newest_value: usd('Value of what these holders held'),
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
  'One row per security and a quarter: what managers with complete reports of it and the quarter before bought and sold (13F)',
  ['sec_id', 'quarter'],
  {
    sec_id,
    quarter: date('Last day of the quarter'),
    buyer_count: count('Number of managers that increased their position'),
    seller_count: count('Number of managers that reduced their position'),
    opened_count: count('Buyers that held none before'),
    closed_count: count('Sellers that hold none now'),
    bought: shares('Shares by which the buyers hold more'),
    sold: shares('Shares by which the sellers hold less'),
    bought_value: usd('Value of the shares bought, at the price that all managers imply at the end of the quarter'),
    sold_value: usd('Value of the shares sold, at that price'),
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
 * The holdings of each holder at the end of its newest quarter, so that a page of holders is read from an index in its
 * order. Older quarters are compared from the lines (queries/holders.ts).
 */
export const holding = rollup(
  'securities.holding',
  'One row per manager or fund, and security that it held at the end of its newest quarter or closed in it',
  ['source', 'holder_id', 'sec_id'],
  {
    source,
    holder_id: text('CIK of a manager, key of a fund'),
    quarter: date('Last day of the newest quarter of which a report of the holder counts'),
    sec_id,
    value: usd('Value at the end of the quarter; 0 if it was closed, null if the report does not state it').nullable(),
    shares: amount('Shares, or other units').nullable(),
    principal: amount('Principal of debt (not shares)').nullable(),
    option_value: usd('Value of puts and calls on it (13F)').nullable(),
    percent: percent('Percentage of the net assets of the fund (N-PORT)').nullable(),
    period: date('The day that the report is about; null if it was closed').nullable(),
    accession: accession('The report; null if it was closed').nullable(),
    change: text('Change since the quarter before; null if it cannot be compared', { values: CHANGES }).nullable(),
    amount_change: amount('Change of shares, or of principal, since the quarter before').nullable(),
    amount_before: amount('Shares, or principal, at the end of the quarter before').nullable(),
    value_before: usd('Value at the end of the quarter before').nullable(),
    accession_before: accession('The report of the quarter before').nullable(),
  },
  {
    inner: true,
    indexes: [
      // The holders of a security in a quarter, the largest first. The index includes the change, so that holders can
      // be sorted by change without reading the table.
      '(sec_id, source, quarter, value desc nulls last, holder_id desc) include (amount_change)',
    ],
  },
)

export const change_count = rollup(
  'securities.change_count',
  'One row per security, source and quarter that holding has: how many held it, and how their holdings changed',
  ['sec_id', 'source', 'quarter'],
  {
    sec_id,
    source,
    quarter: date('Last day of the quarter'),
    holder_count: count('Holders at the end of the quarter'),
    new_count: count('Holders that did not hold it the quarter before'),
    added_count: count('Holders that increased their position'),
    reduced_count: count('Holders that reduced their position'),
    unchanged_count: count('Holders whose position did not change'),
    closed_count: count('Former holders whose reports no longer have it'),
    not_compared_count: count('Holders that cannot be compared'),
  },
  { inner: true },
)

/**
 * The newest quarter of a holder when `held` was computed: if this quarter changes, the sums of the former newest
 * quarter must be computed again.
 */
export const holder = rollup(
  'securities.holder',
  'One row per manager or fund, with the newest quarter of which its report counts',
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
  'One row per source: the newest quarter that is loaded of it, and the oldest whose reports still count as newest ones',
  ['source'],
  {
    source,
    newest: date('Last day of the newest quarter'),
    since: date('Last day of the oldest quarter that counts'),
  },
)
