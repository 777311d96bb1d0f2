/** Rollup of brokers, from their reports. */
import { accession, boolean, cik, date, fileNumber, integer, nameWords, rollup, text } from '../../declare/table.ts'
import { READINGS } from './weakness.ts'

export const broker = rollup(
  'x17a5.broker',
  'One row per filer that reported, with the values by which lists are filtered and ordered; its newest report has the rest',
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
    material_weakness: boolean('The cover of that report says that it discloses a material weakness').nullable(),
    material_weakness_text: boolean(
      'Its text discloses one; false where it says that there is none, null where it was not read or says neither',
    ).nullable(),
    file_number: fileNumber('SEC file number, from the header of that report, else from its cover').nullable(),
  },
  {
    indexes: [
      // The two orders of the list, each read in both directions.
      '(filed_date, cik)',
      '(name_key, cik)',
    ],
  },
)

export const weakness = rollup(
  'x17a5.weakness',
  'One row per sentence of a report’s documents that speaks of a material weakness',
  ['accession', 'sequence', 'start'],
  {
    accession: accession('The report'),
    cik: cik('CIK of the filer'),
    sequence: integer('Sequence of the document in the submission'),
    start: integer('Where the sentence begins in the Markdown of the document, in UTF-16 units from 0'),
    stop: integer('Where it ends, exclusive'),
    sentence: text('The sentence, as written'),
    reading: text(
      'What it says: there is a material weakness, there is none, there was one in an earlier year; or it only mentions the term, as a definition does',
      { values: READINGS },
    ),
  },
  { indexes: ['(cik)'] },
)

export const read_report = rollup(
  'x17a5.read_report',
  'One row per report whose text was looked through for such sentences',
  ['accession'],
  {
    accession: accession('The report'),
    cik: cik('CIK of the filer'),
    length: integer('UTF-16 units of its documents together'),
  },
  { indexes: ['(cik)'], inner: true },
)
