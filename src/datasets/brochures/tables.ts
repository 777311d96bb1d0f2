/** Brochures of investment advisers (Form ADV Part 2): versions, and the text of each version in passages. */
import { advFiling, count, crd, date, integer, nameWords, table, text } from '../../declare/table.ts'

/** Result of reading a PDF: `PdfText` of read/pdf.ts. */
const KINDS = ['text', 'encrypted', 'scanned', 'broken', 'excessive']

export const version = table(
  'brochures.version',
  'One row per version of a brochure: a PDF of Form ADV Part 2, with or without text',
  [],
  {
    id: text(
      'Number of the version: brochure number and filing number combined, or IAPD’s number if the PDF is from IAPD',
    ),
    crd: crd('CRD number of the firm'),
    brochure_number: text(
      'Number that IARD gave the brochure; a firm may have several. Null for a PDF from IAPD',
    ).nullable(),
    filing_number: text('IARD’s number of this filing of the brochure, from 1; null for a PDF from IAPD').nullable(),
    filing_date: date(
      'Day on which the version was filed, from the name of the PDF, or else from the mapping in the zip',
    ).nullable(),
    brochure_name: text('Name that the firm gave the brochure, from the mapping (a CSV) in the zip').nullable(),
    filing_id: advFiling(
      'FilingID of the Form ADV with which the version was filed, from the mapping in the zip',
    ).nullable(),
    kind: text('text if the PDF has text, or the reason why it has none', { values: KINDS }),
    problem: text('Reason why there is no text, in detail; null if there is text').nullable(),
    char_count: count('Length of the Markdown in UTF-16 units; 0 without text'),
    page_count: count('Number of pages of the PDF; null if they cannot be counted').nullable(),
    image_count: count('Number of images that the Markdown refers to; null without text').nullable(),
    table_count: count('Number of tables in the Markdown; null without text').nullable(),
    source_filename: text('Name of the PDF'),
    archive_name: text('Name of the zip that contained the PDF; for a single PDF, its own name'),
    sha256: text('Digest of the PDF, SHA-256 in hex'),
    size: integer('Bytes of the PDF'),
    converted_at: text('Time at which the text was made from the PDF, ISO 8601'),
    search: nameWords('Lexemes by which a search finds the version; null without text: read/lexemes.ts').nullable(),
  },
  { record: 'id', indexes: ['(crd, filing_date desc, id)', 'using gin (search) with (fastupdate = off)'] },
)

export const passage = table(
  'brochures.passage',
  'One row per passage of a version: some 1,500 characters of its Markdown, ending with a paragraph',
  [],
  {
    id: text('Number of the version'),
    crd: crd('CRD number of the firm'),
    section: text(
      'Item of Form ADV Part 2A that contains the passage: 5 for fees; null if no heading shows the item',
    ).nullable(),
    start: integer('Offset of the passage in the Markdown, in UTF-16 units from 0'),
    text: text('The passage as Markdown; it overlaps the next passage by some words, so that no phrase is cut in both'),
    search: nameWords('Words of the passage with their positions, for the search: read/lexemes.ts'),
  },
  { record: 'id', numbered: true, indexes: ['using gin (search) with (fastupdate = off)'] },
)
