/** Managers, from their reports, and what prices of others say of a report. */
import { accession, cik, count, date, integer, nameWords, rollup, text, usd } from '../../declare/table.ts'

export const filer = rollup(
  'thirteenf.filer',
  'One row a manager that reported holdings of its own, as they were at the end of the newest quarter it reported',
  ['cik'],
  {
    cik: cik('CIK of the manager'),
    accession: accession(
      'Its last filing of any kind that names it; its name, place and numbers are those of that filing',
    ),
    filed_date: date('Date the SEC gives as the filing date of that filing'),
    name_key: text('Name in that filing as it is compared; empty where none names it'),
    name_words: nameWords('The words by which that name is found: names.ts'),
    period: date('Last day of the newest quarter of which it reported holdings'),
    value: usd('What its holdings of that quarter are worth, composed, options included, US dollars'),
    positions: count('Lines of its tables of that quarter, composed'),
  },
  {
    indexes: [
      // The orders of the list, each read in both directions.
      '(value, cik)',
      '(period, cik)',
      '(name_key, cik)',
    ],
  },
)

export const rescaled = rollup(
  'thirteenf.rescaled',
  'One row a filing whose own prices do not tell dollars from thousands, where those of other managers do',
  ['accession'],
  {
    accession: accession('The filing'),
    cik: cik('CIK of its manager'),
    scale: integer('1 where the filing is in dollars, 1000 where it is in thousands of them'),
    stored: integer('The scale by the filing date, by which report and position have it'),
    compared: count('Securities whose price was compared with that of at least three other managers'),
    agreed: count('Of those, the ones that speak for the scale'),
  },
  { indexes: ['(cik)'] },
)
