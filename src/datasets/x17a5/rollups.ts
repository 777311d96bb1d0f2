/** Rollup of brokers, from their reports. */
import { accession, boolean, cik, date, fileNumber, integer, nameWords, rollup, text } from '../../declare/table.ts'
import { READINGS } from './weakness.ts'

export const broker = rollup(
  'x17a5.broker',
  'One row per filer that reported, with the values of its newest report by which lists are filtered and ordered',
  ['cik'],
  {
    cik: cik('CIK of the filer'),
    accession: accession('Newest report of the filer: the last filed report about the latest fiscal year'),
    filed_date: date('Date the SEC gives as the filing date of the newest report'),
    name_key: text('Name in the newest report for comparisons: lower case, without accents'),
    name_words: nameWords('Search words of the name of the filer (names.ts)'),
    state: text('State, province or country in the newest report, as an EDGAR code').nullable(),
    auditor_key: text(
      'Name of the accountant in the newest report for comparisons: lower case, without accents',
    ).nullable(),
    auditor_words: nameWords('Search words of the name of the accountant (names.ts)').nullable(),
    material_weakness: boolean(
      'True if, on the cover of the newest report, the box for reports that disclose a material weakness is checked',
    ).nullable(),
    material_weakness_text: boolean(
      'True if the text of the newest report discloses a material weakness, false if it states that there is none; null if it was not read or states neither',
    ).nullable(),
    file_number: fileNumber(
      'SEC file number, from the header of the newest report, else from the cover of this report',
    ).nullable(),
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
  'One row per sentence about a material weakness in the documents of a report',
  ['accession', 'sequence', 'start'],
  {
    accession: accession('Accession number of the report; joins edgar.filing'),
    cik: cik('CIK of the filer'),
    sequence: integer('Sequence of the document in the submission'),
    start: integer(
      'Offset of the first character of the sentence in the Markdown of the document, in UTF-16 units from 0',
    ),
    stop: integer('Offset of the end of the sentence (exclusive), in UTF-16 units'),
    sentence: text('Text of the sentence, as written'),
    reading: text(
      'Meaning of the sentence: there is a material weakness, there is none, or there was one in an earlier year; or it only mentions the term, for example in a definition',
      { values: READINGS },
    ),
  },
  { indexes: ['(cik)'] },
)

export const read_report = rollup(
  'x17a5.read_report',
  'One row per report whose text was searched for sentences about a material weakness',
  ['accession'],
  {
    accession: accession('Accession number of the report; joins edgar.filing'),
    cik: cik('CIK of the filer'),
    length: integer('Length of all documents of the report, in UTF-16 units'),
  },
  { indexes: ['(cik)'], inner: true },
)
