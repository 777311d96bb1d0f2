/**
 * Rollups of managers, of the parts of their reports that count, and of the scales that other managers' prices decide.
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
  'One row per manager that reported holdings of its own, as they were at the end of the newest quarter it reported',
  ['cik'],
  {
    cik: cik('CIK of the manager'),
    accession: accession('Its last filing of any kind that names it; name, place and numbers come from that filing'),
    filed_date: date('Date the SEC gives as the filing date of that filing'),
    name_key: text('Name in that filing as it is compared; empty where none names it'),
    name_words: nameWords('The words by which that name is found: names.ts'),
    period: date('Last day of the newest quarter of which it reported holdings'),
    value: usd('Value of its holdings of that quarter, amendments applied, options included, US dollars'),
    position_count: count('Lines of its tables of that quarter, amendments applied'),
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
  'One row per filing whose own prices do not tell dollars from thousands, or speak against its day, where those of other managers decide',
  ['accession'],
  {
    accession: accession('The filing'),
    cik: cik('CIK of its manager'),
    scale: integer('1 if the filing is in dollars, 1000 if it is in thousands of dollars'),
    stored: integer('The scale by which report and position have it'),
    compared: count('Securities whose price was compared with that of at least three other managers'),
    agreed: count(
      'Securities among those that support the scale; none if they contradict both units, and the filing date decides',
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
  'One row per filing that has, or had, a part in what a manager held at the end of a quarter',
  ['accession'],
  {
    accession: accession('The filing'),
    cik: cik('CIK of its manager'),
    period: date('Last day of the quarter that it reports, as filed'),
    quarter: date('Last day of the quarter by which its positions are stored'),
    part: text(
      'whole: nothing before it counts. adds: its lines come to those before. replaces_named: its lines replace those before that have the same CUSIP',
      { values: ['whole', 'adds', 'replaces_named'] },
    ),
    seq: integer('Its place among the filings about that quarter, from 1'),
    until: date('Day on which a later filing replaced it; null while it counts').nullable(),
    is_newest: boolean('It counts, and is about the newest quarter that the manager reported after its end'),
    filed_date: date('Date the SEC gives as the filing date'),
    manager_name: text('Name of the manager in it').nullable(),
    scale: integer(
      'By what its filed values are multiplied, 1 or 1000, as prices of other managers decided where they did',
    ),
    stored: integer(
      'The scale by which its positions are stored: its values are divided by it and multiplied by scale',
    ),
  },
  { indexes: ['(cik, quarter, seq)', '(quarter, filed_date)', '(period) where is_newest'] },
)

export const superseded = rollup(
  'thirteenf.superseded',
  'One row per security of a filing that a later partial restatement names, and which counts no longer there',
  ['accession', 'cusip'],
  {
    accession: accession('The filing whose lines are replaced'),
    cusip: cusip('CUSIP in capitals'),
    cik: cik('CIK of the manager'),
    until: date('Day on which the partial restatement was filed'),
  },
  { indexes: ['(cik)'] },
)

export const repeated = rollup(
  'thirteenf.repeated',
  'One row per line of a filing that an amendment of new holdings repeats or corrects, and which counts no longer there',
  ['accession', 'n'],
  {
    accession: accession('The filing whose line is repeated'),
    n: integer('Place of the line in its table, from 1'),
    cik: cik('CIK of the manager'),
    by_accession: accession('The amendment that repeats it'),
    until: date('Day on which that was filed'),
  },
  { indexes: ['(cik)', '(by_accession)'] },
)
