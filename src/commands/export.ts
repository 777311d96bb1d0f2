/** `export <family> FILE`: a table of a family as CSV, NDJSON or Parquet. */
import { FORMATS } from '../export/formats.ts'
import { command, VOICE_OPTIONS } from './command.ts'
import { wordsOf } from './words.ts'

export const OPTIONS = {
  to: {
    type: 'string',
    multiple: true,
    value: 'FORMAT|DAY',
    help: `either the format, ${FORMATS.join(', ')} (default: by the ending of FILE), or the last filing date; give it twice for both`,
  },
  from: { type: 'string', value: 'DAY', help: 'the first filing date' },
  format: { type: 'string', value: 'FORMAT', help: 'the same as --to FORMAT' },
  table: { type: 'string', value: 'NAME', help: 'another table of the family instead of its main one' },
  force: { type: 'boolean', help: 'replaces FILE if it exists' },
  list: { type: 'boolean', help: 'lists the tables of all families or of one, and how many rows are loaded' },
  ...VOICE_OPTIONS,
} as const

export default command({
  name: 'export',
  summary: 'writes a whole family to a file: CSV, NDJSON or Parquet',
  usage: ['openfilings export FAMILY [--from DAY] [--to DAY] [--to FORMAT] FILE', 'openfilings export [FAMILY] --list'],
  about: `Writes the rows of a table, ordered by its key, from one snapshot, while other processes serve and load. FILE
appears under its name only when it is complete; - means standard output. CSV has a header line, nothing for
null and "" for an empty text; text that a spreadsheet would take for a formula has an apostrophe before it.`,
  words: () => wordsOf('export'),
  options: OPTIONS,
  examples: [
    ['openfilings export --list', 'lists the tables'],
    ['openfilings export formd --from 2024-01-01 --to 2024-12-31 --to csv -', 'notices of a year, for another program'],
    ['openfilings export thirteenf --table position --to parquet - --quiet', 'every position, for another program'],
  ],
  failure:
    'nothing is loaded, the file cannot be made or written, or the database was lost; in each case no new file is left',
  statuses: [['130, 143', 'stopped by SIGINT or SIGTERM; no new file is left']],
  work: () => import('./export-work.ts'),
})
