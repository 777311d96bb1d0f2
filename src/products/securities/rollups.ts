/** Rollups of securities with their holdings, by quarter and according to the newest reports. */
import {
  accession,
  bigint,
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

const source = text(
  'Source of the holdings. f13: managers (Form 13F). nport: funds (N-PORT). nmfp: money market funds (N-MFP)',
  { values: SOURCES },
)
const sec_id = text(
  'Id of the security: CUSIP, else isin~ and the ISIN, else name~ and the encoded name of the issuer',
  {
    entity: 'cusip',
  },
)

const amount = (meaning: string) => decimal(meaning, { unit: 'shares_or_principal' })

export const security = rollup(
  'securities.security',
  'One row per security, with the number and value of its holdings in the newest report of each manager and fund',
  ['sec_id'],
  {
    sec_id,
    cusip: cusip('CUSIP; null if the security has none').nullable(),
    is_private: boolean(
      'True for equity or debt of a private company that funds hold. Such a security has no public number, so its id is made from its name (name~…)',
    ),
    issuer_name: text('Name of the issuer that most reports of the newest quarter state'),
    title_of_class: text('Title of the class that most reports of the newest quarter state').nullable(),
    asset_cat: text(
      'Asset category that most funds state (N-PORT): EC equity, DBT debt …; if only money market funds report the security, the category of Form N-MFP in its words',
    ).nullable(),
    isin: text('ISIN that most funds state').nullable(),
    lei: text('LEI of the issuer that most funds state', { entity: 'lei' }).nullable(),
    ticker: text(
      'Ticker: for a CUSIP, the best ticker of /adv/securities/{cusip}/identifiers, else the ticker that most funds state',
    ).nullable(),
    ticker_key: text('Ticker in the form used for comparisons: BRK.B, JPM.PR.C').nullable(),
    cik: cik('CIK of the issuer: the best CIK of /adv/securities/{cusip}/identifiers').nullable(),
    f13_holders: count('Number of managers that hold the security (13F), without options'),
    f13_value: usd('Value that managers hold (13F), without options'),
    fund_count: count('Number of funds that hold the security (N-PORT), without short positions'),
    nport_value: usd('Value that funds hold (N-PORT), without short positions'),
    mmf_count: count('Number of money market funds that hold the security (N-MFP)'),
    nmfp_value: usd('Value that money market funds hold (N-MFP)'),
    combined_value: usd(
      'Sum of f13_value, nport_value and nmfp_value. It may include a holding twice: in the report of a fund and in that of the fund’s manager',
    ),
    name_key: text('Issuer name and title for comparisons: lower case, without accents'),
    name_words: nameWords('Search words of the names of the security (names.ts)'),
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
      // An incomplete CUSIP needs no index of its own: it is a range of the key, since the key has the collation "C".
      'using gin (name_words)',
      'using gin (name_key public.gin_trgm_ops)',
    ],
  },
)

export const held = rollup(
  'securities.held',
  'One row per security, source and quarter: number and value of the holdings at the end of the quarter, and the same figures for only the holders that have not reported a later quarter',
  ['sec_id', 'source', 'quarter'],
  {
    sec_id,
    source,
    quarter: date('Last day of the quarter'),
    holders: count(
      'Number of managers or funds that held the security, without options, derivatives and short positions',
    ),
    value: usd('Value that these holders held'),
    shares: shares(
      'Number of shares that these holders held, without principal; null if no line is in shares',
    ).nullable(),
    newest_holders: count('Number of these holders whose newest report is about this quarter'),
    newest_value: usd('Value held by the holders whose newest report is about this quarter'),
    option_value: usd('Value of options on the security, as reported on Form 13F').nullable(),
    issuer_name: text('Name of the issuer that most lines state').nullable(),
    title_of_class: text('Title of the class that these lines state').nullable(),
    asset_cat: text('Asset category that most lines state').nullable(),
    is_private: boolean(
      'True if a line has the marks of a private security: no public number, and restricted or Level 3',
    ),
    isin: text('ISIN that most lines state').nullable(),
    lei: text('LEI of the issuer that most lines state', { entity: 'lei' }).nullable(),
    ticker: text('Ticker that most lines state').nullable(),
    filed_as: texts('Different spellings of the CUSIP in lines of Form 13F, in upper or lower case'),
  },
  { indexes: ['(source, quarter)'] },
)

export const flow = rollup(
  'securities.flow',
  'One row per security and quarter: shares that managers bought and sold (13F). Counts only managers whose reports of this quarter and of the preceding one are complete',
  ['sec_id', 'quarter'],
  {
    sec_id,
    quarter: date('Last day of the quarter'),
    buyer_count: count('Number of managers that increased their position'),
    seller_count: count('Number of managers that reduced their position'),
    opened_count: count('Number of buyers that held none at the end of the preceding quarter'),
    closed_count: count('Number of sellers that hold none at the end of the quarter'),
    bought: shares('Number of shares by which the buyers increased their positions'),
    sold: shares('Number of shares by which the sellers reduced their positions'),
    bought_value: usd(
      'Value of the shares bought, at the price that the holdings of all managers imply at the end of the quarter',
    ),
    sold_value: usd(
      'Value of the shares sold, at the price that the holdings of all managers imply at the end of the quarter',
    ),
    net_value: usd('Value bought minus value sold'),
  },
  {
    indexes: [
      // The orders of the list; net_value is read in both directions.
      ...['bought_value', 'sold_value', 'net_value'].map((column) => `(quarter, ${column}, sec_id)`),
    ],
  },
)

/**
 * Counts that `held` and `flow` lack, and that are needed to add and subtract a changed report (queries/difference.ts).
 */
export const tally = rollup(
  'securities.tally',
  'One row per security and quarter with lines of managers (13F): counts of these lines',
  ['sec_id', 'quarter'],
  {
    sec_id,
    quarter: date('Last day of the quarter'),
    lines: count('Number of lines, options included'),
    share_lines: count('Number of lines that state shares'),
    option_lines: count('Number of lines that are in option_value'),
    share_value: usd('Value of the lines that state shares'),
    security: bigint('Key of the issuer name and title that most lines state'),
    lead: count('Lower bound of the number of lines by which this key leads the next key'),
  },
  { inner: true },
)

/** The filings that the sums include. They tell a refresh which lines of a changed report are in the sums. */
export const summed = rollup(
  'securities.summed',
  'One row per manager and quarter whose lines are in the sums (13F)',
  ['cik', 'quarter'],
  {
    cik: cik('CIK of the manager'),
    quarter: date('Last day of the quarter'),
    filings: texts(
      'The filings that are used, each with its part and scale; empty if what the sums include is unknown',
    ),
  },
  { inner: true, indexes: ['(quarter)'] },
)

/**
 * The holdings of each holder at the end of its newest quarter, so that a page of holders is read from an index in its
 * order. Older quarters are compared from the lines (queries/holders.ts).
 */
export const holding = rollup(
  'securities.holding',
  'One row per manager or fund and security: held at the end of the holder’s newest quarter, or closed in that quarter',
  ['source', 'holder_id', 'sec_id'],
  {
    source,
    holder_id: text('Holder: CIK of a manager, or key of a fund'),
    quarter: date('Last day of the newest quarter that the holder reported'),
    sec_id,
    value: usd(
      'Value at the end of the quarter; 0 if the position was closed, null if the report states no value',
    ).nullable(),
    shares: amount('Number of shares or other units').nullable(),
    principal: amount('Principal, for debt that is not reported in shares').nullable(),
    option_value: usd('Value of puts and calls on the security (13F)').nullable(),
    percent: percent('Percentage of the net assets of the fund (N-PORT)').nullable(),
    period: date('Day as of which the report states the holdings; null if the position was closed').nullable(),
    accession: accession('The report with the position; null if the position was closed').nullable(),
    change: text('Change since the preceding quarter; null if the two quarters cannot be compared', {
      values: CHANGES,
    }).nullable(),
    amount_change: amount('Change of shares, or of principal, since the preceding quarter').nullable(),
    amount_before: amount('Shares, or principal, at the end of the preceding quarter').nullable(),
    value_before: usd('Value at the end of the preceding quarter').nullable(),
    accession_before: accession('The report with the position of the preceding quarter').nullable(),
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
  'One row per security, source and quarter in the table `holding`: number of holders by the change of their position',
  ['sec_id', 'source', 'quarter'],
  {
    sec_id,
    source,
    quarter: date('Last day of the quarter'),
    holder_count: count('Number of holders at the end of the quarter'),
    new_count: count('Number of holders that held none at the end of the preceding quarter'),
    added_count: count('Number of holders that increased their position'),
    reduced_count: count('Number of holders that reduced their position'),
    unchanged_count: count('Number of holders whose position did not change'),
    closed_count: count('Number of former holders that closed their position in the quarter'),
    not_compared_count: count('Number of holders whose two quarters cannot be compared'),
  },
  { inner: true },
)

/**
 * The newest quarter of a holder when `held` was computed: if this quarter changes, the sums of the former newest
 * quarter must be computed again.
 */
export const holder = rollup(
  'securities.holder',
  'One row per manager or fund, with the newest quarter that it reported',
  ['source', 'holder'],
  {
    source,
    holder: text('Holder: CIK of a manager, or key of a fund'),
    quarter: date('Last day of the newest quarter that the holder reported'),
  },
  { inner: true, indexes: ['(source, quarter)'] },
)

export const span = rollup(
  'securities.span',
  'One row per source: the newest loaded quarter, and the oldest quarter whose reports are still used as current holdings',
  ['source'],
  {
    source,
    newest: date('Last day of the newest loaded quarter'),
    since: date('Last day of the oldest quarter whose reports are still used as current holdings'),
  },
)
