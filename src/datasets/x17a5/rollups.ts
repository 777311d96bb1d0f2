/** Brokers, from their reports. */
import { accession, boolean, cik, date, fileNumber, nameWords, rollup, text } from '../../declare/table.ts'

export const broker = rollup(
  'x17a5.broker',
  'One row a filer that reported, with what lists are filtered and ordered by; the rest stands in its newest report',
  ['cik'],
  {
    cik: cik('CIK of the filer'),
    accession: accession('Its newest report: of the latest fiscal year, there the last filed'),
    filed_date: date('Date the SEC gives as the filing date of that report'),
    name_key: text('Name in that report as it is compared'),
    name_words: nameWords('The words by which that name is found: names.ts'),
    state: text('State, province or country in that report as an EDGAR code').nullable(),
    auditor_key: text('Accountant in that report as it is compared').nullable(),
    auditor_words: nameWords('The words by which that name is found: names.ts').nullable(),
    material_weakness: boolean('That report discloses a material weakness').nullable(),
    file_number: fileNumber('SEC file number: of the header of that report, else of its cover').nullable(),
  },
  {
    indexes: [
      // The two orders of the list, each read in both directions.
      '(filed_date, cik)',
      '(name_key, cik)',
    ],
  },
)
