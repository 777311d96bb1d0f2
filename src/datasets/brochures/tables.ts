/** Brochures of investment advisers (Form ADV Part 2): versions, and the text of each in passages. */
import { advFiling, count, crd, date, integer, nameWords, table, text } from '../../declare/table.ts'

/** Result of reading a PDF: `PdfText` of read/pdf.ts. */
const KINDS = ['text', 'encrypted', 'scanned', 'broken', 'excessive']

export const version = table(
  'brochures.version',
  'One row a version of a brochure: a PDF of Form ADV Part 2, with or without text',
  [],
  {
    id: text('Number of the version: of brochure and version, or that of IAPD where the PDF was taken from there'),
    crd: crd('CRD number of the firm'),
    brochure_number: text(
      'Number that IARD gave the brochure; a firm may have several. Null of a PDF from IAPD',
    ).nullable(),
    filing_number: text(
      'Which filing of the brochure it is, from 1, as IARD counts; null of a PDF from IAPD',
    ).nullable(),
    filing_date: date('Day on which it was filed, of the name of its file').nullable(),
    brochure_name: text('Name that the firm gave the brochure, of the mapping in the zip').nullable(),
    filing_id: advFiling('FilingID of the Form ADV with which it was filed, of the mapping in the zip').nullable(),
    kind: text('What became of the PDF: text, or why it has none', { values: KINDS }),
    problem: text('Why there is no text').nullable(),
    char_count: count('Characters of its Markdown, in UTF-16 units; 0 without text'),
    page_count: count('Pages of the PDF; null where they cannot be counted').nullable(),
    image_count: count('Images that its Markdown names; null without text').nullable(),
    table_count: count('Tables of its Markdown; null without text').nullable(),
    source_filename: text('Name of the PDF'),
    archive_name: text('Name of the zip that it came in; the same of a PDF that came alone'),
    sha256: text('Digest of the PDF, SHA-256 in hex'),
    size: integer('Bytes of the PDF'),
    converted_at: text('When its text was made, ISO 8601'),
    search: nameWords('What the whole is found by, null without text: read/lexemes.ts').nullable(),
  },
  { record: 'id', indexes: ['(crd, filing_date desc, id)', 'using gin (search) with (fastupdate = off)'] },
)

export const passage = table(
  'brochures.passage',
  'One row a passage of a version: some 1,500 characters of its Markdown, ending with a paragraph',
  [],
  {
    id: text('Number of the version'),
    crd: crd('CRD number of the firm'),
    section: text(
      'Item of Form ADV Part 2A that the passage is in: 5 for fees; null where no heading tells it',
    ).nullable(),
    start: integer('Where it begins in the Markdown, in UTF-16 units from 0'),
    text: text('The passage, Markdown; it goes some words into the next one, so that a phrase is whole in one'),
    search: nameWords('Its words with their places: read/lexemes.ts'),
  },
  { record: 'id', numbered: true, indexes: ['using gin (search) with (fastupdate = off)'] },
)
