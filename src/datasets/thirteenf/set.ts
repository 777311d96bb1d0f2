/** One Form 13F out of a quarterly set: the rows that its submission has. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { SetParts } from '../../declare/sets.ts'
import type { CsvRow } from '../../read/csv.ts'
import { type MEMBERS, parseSetCover, parseSetHeader, parseSetLine } from './parse-sets.ts'
import { nothingFound } from './parse-values.ts'
import { rowsOf } from './report.ts'
import type { Findings, Holding } from './types.ts'

/** @throws Error when the filing has no cover, or no day of filing */
export async function* parseSet({ lines, records, tell }: SetParts): AsyncGenerator<ParsedRow> {
  const all = (member: keyof typeof MEMBERS): readonly CsvRow[] => lines.get(member) ?? []
  const [submission] = all('SUBMISSION')
  const [cover] = all('COVERPAGE')
  if (!submission || !cover) throw new Error(`has no line in ${submission ? 'COVERPAGE' : 'SUBMISSION'}`)
  const record = {
    submission,
    cover,
    summary: all('SUMMARYPAGE')[0] ?? null,
    signature: all('SIGNATURE')[0] ?? null,
    managers: all('OTHERMANAGER'),
    managers2: all('OTHERMANAGER2'),
  }
  const { filedDate, ...header } = parseSetHeader(record)
  if (filedDate === null) throw new Error('has no day of filing')
  const found = nothingFound()
  const holdings = records && (Symbol.iterator in records ? heldOf(records, found) : holdingsOf(records, found))
  yield* rowsOf({ header: { ...header, filedDate }, cover: parseSetCover(record), holdings, found, source: 'set' })
  tell(found)
}

async function* holdingsOf(records: AsyncIterable<CsvRow>, found: Findings): AsyncGenerator<Holding> {
  for await (const row of records) yield parseSetLine(row, found).holding
}

function* heldOf(records: Iterable<CsvRow>, found: Findings): Generator<Holding> {
  for (const row of records) yield parseSetLine(row, found).holding
}
