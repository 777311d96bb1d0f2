/**
 * Rollups of managers, of the parts of their reports that count, and of scales that were decided by other managers'
 * prices.
 */
import {
  accession,
  boolean,
  cik,
  count,
  cusip,
  date,
  integer,
  nameWords,
  rollup,
  text,
  usd,
} from '../../declare/table.ts'

export const filer = rollup(
  'thirteenf.filer',
  'One row per manager that reported holdings, with the totals of the newest quarter that it reported',
  ['cik'],
  {
    cik: cik('CIK of the manager'),
    accession: accession(
      'Last filing of any kind that states the manager’s name; the name, the address and the numbers of the manager come from it',
    ),
    filed_date: date('Date the SEC gives as the filing date of the filing `accession`'),
    name_key: text(
      'Name in that filing for comparisons: lower case, without accents; empty if no filing states a name',
    ),
    name_words: nameWords('Search words of the name of the manager (names.ts)'),
    period: date('Last day of the newest quarter for which the manager reported holdings'),
    value: usd(
      'Value of the holdings at the end of the quarter `period`, with amendments applied and options included',
    ),
    position_count: count('Number of lines of the quarter `period`, with amendments applied'),
  },
  {
    indexes: [
      // The list of managers is sorted by one of these columns. Each index is read in both directions.
      '(value, cik)',
      '(period, cik)',
      '(name_key, cik)',
    ],
  },
)

export const rescaled = rollup(
  'thirteenf.rescaled',
  'One row per filing whose unit (dollars or thousands) was decided by prices of other managers: its own prices leave a doubt, or contradict the filing date',
  ['accession'],
  {
    accession: accession('The filing'),
    cik: cik('CIK of the manager'),
    scale: integer('Decided scale: 1 if the filing is in dollars, 1000 if it is in thousands of dollars'),
    stored: integer('Scale by which the values in report and position are stored'),
    compared: count('Number of CUSIPs whose price was compared with prices of at least three other managers'),
    agreed: count(
      'Number of these CUSIPs that support the scale; 0 if they contradict both units, so that the filing date decided',
    ),
  },
  { indexes: ['(cik)'] },
)

/**
 * Stores the decisions of compose.ts for queries that cannot call it: queries about a security that thousands of
 * managers hold. The part that a filing plays depends only on the filings before it. So the state on a day consists of
 * the filings that had been filed by that day and had not been replaced yet.
 */
export const counted = rollup(
  'thirteenf.counted',
  'One row per filing whose lines are, or were until a later filing replaced them, part of the composed holdings of a manager at the end of a quarter',
  ['accession'],
  {
    accession: accession('The filing'),
    cik: cik('CIK of the manager'),
    period: date('Last day of the reported quarter, as filed'),
    quarter: date('Last day of the quarter by which the filing’s positions are stored'),
    part: text(
      'Part of the filing in the composed holdings. whole: it replaces all earlier filings; adds: its lines are added to earlier lines; replaces_named: its lines replace earlier lines with the same CUSIP',
      { values: ['whole', 'adds', 'replaces_named'] },
    ),
    seq: integer('Order of the filing among the filings of the manager about that quarter, from 1'),
    until: date('Filing date of the later filing that replaced this filing; null if none did').nullable(),
    is_newest: boolean(
      'True if no later filing replaced this filing, and if its quarter is the newest quarter of the manager. A quarter that ends after the filing date does not count as the newest',
    ),
    filed_date: date('Date the SEC gives as the filing date'),
    manager_name: text('Name of the manager in the filing').nullable(),
    scale: integer(
      'Correct scale of the filing: 1 if filed values are in dollars, 1000 if they are in thousands; corrected if prices of other managers required it',
    ),
    stored: integer(
      'Scale by which the positions are stored. Correct values are the stored values, divided by stored and multiplied by scale',
    ),
  },
  { indexes: ['(cik, quarter, seq)', '(quarter, filed_date)', '(period) where is_newest'] },
)

export const superseded = rollup(
  'thirteenf.superseded',
  'One row per security of a filing whose lines a later partial restatement of the same CUSIP replaced',
  ['accession', 'cusip'],
  {
    accession: accession('The filing whose lines are replaced'),
    cusip: cusip('CUSIP in capitals'),
    cik: cik('CIK of the manager'),
    until: date('Filing date of the partial restatement'),
  },
  { indexes: ['(cik)'] },
)

export const repeated = rollup(
  'thirteenf.repeated',
  'One row per line of a filing that a later amendment of new holdings repeats or corrects. The holdings use the line of the amendment',
  ['accession', 'n'],
  {
    accession: accession('The filing whose line is repeated'),
    n: integer('Number of the line in the information table, from 1'),
    cik: cik('CIK of the manager'),
    by_accession: accession('The amendment that repeats or corrects the line'),
    until: date('Filing date of that amendment'),
  },
  { indexes: ['(cik)', '(by_accession)'] },
)
