/** Texts of the OpenAPI document about lists as files. */

/** A part of the API's description. */
export const FILES_MEANING = `Every list can be downloaded as a file: \`format=csv\`, \`ndjson\` or \`parquet\`, or Accept \`text/csv\`, \`application/x-ndjson\` or \`application/vnd.apache.parquet\`. The file has the matching rows of all pages; with \`limit\`, at most that many rows.
CSV (RFC 4180, UTF-8) has a header line and the columns of a row in their order; nested values are JSON in a cell. An empty cell means null, and \`""\` means empty text (in a file of one column, \`""\` may also mean null, since readers skip empty lines). Text that a spreadsheet would take for a formula has \`'\` before it; numbers stay as they are. Lines that begin with \`#\` are remarks.
Parquet (Zstandard) has the same columns with their types: DATE, BOOLEAN, INT32, INT64, DECIMAL(38, 12), TIMESTAMP, lists of text; other nested values are JSON text. A column of decimals is text if one of its values has more digits than DECIMAL(38, 12).
A complete CSV file ends with \`# rows: 1234\`, a complete NDJSON file with \`{"_end":{"rows":1234}}\`; both also name the data that was never loaded. A complete Parquet file ends with its footer, whose metadata have the same facts (\`openfilings.rows\`, \`openfilings.not_loaded\`). A file without this end is incomplete: its connection ended early.
The pages of a file are read while it is sent: a row that does not change meanwhile occurs once; a row that is added, removed or moved meanwhile may or may not occur. A file counts as one request of its bucket. A key can download at most two files at once; a third is refused (429).`

const text = (description: string) => ({ schema: { type: 'string', description } })

/** Content types of the 200 of a list, other than JSON. */
export const FILE_CONTENTS = {
  'text/csv': text('A header line, a line for each row, and at the end the number of rows: # rows: 1234'),
  'application/x-ndjson': text('A row on each line, and at the end the number of rows: {"_end":{"rows":1234}}'),
  'application/vnd.apache.parquet': {
    schema: {
      type: 'string',
      format: 'binary',
      description: 'The columns of a row with their types, and the number of rows in the metadata',
    },
  },
}

/** Content types of the 200 of a list that is also a feed. */
export const FEED_CONTENTS = {
  'application/atom+xml': text('The page as Atom (RFC 4287): an entry for each row, with a stable id'),
  'application/feed+json': {
    schema: { type: 'object', description: 'The page as JSON Feed 1.1: an item for each row, with a stable id' },
  },
}
