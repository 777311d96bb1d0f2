/** Reads one Form 13F from a quarterly set, into the same rows as its submission. */
import type { ParsedRow } from '../../../declare/dataset.ts'
import type { SetParts, SetRecord } from '../../../declare/sets.ts'
import type { CsvRow } from '../../../read/csv.ts'
import type { Findings, Holding } from '../parse/types.ts'
import { nothingFound } from '../parse/values.ts'
import { heldRowsOf, rowsOf } from '../report.ts'
import { type MEMBERS, parseSetCover, parseSetHeader, parseSetLine } from './parse.ts'

/** @throws Error if the filing has no cover */
export function parseSet({
  lines,
  records,
  filedDate,
  tell,
}: SetParts): Iterable<ParsedRow> | AsyncIterable<ParsedRow> {
  const all = (member: keyof typeof MEMBERS): readonly CsvRow[] => lines.get(member) ?? []
  const [cover] = all('COVERPAGE')
  if (!cover) throw new Error('has no line in COVERPAGE')
  const record = {
    submission: all('SUBMISSION')[0]!,
    cover,
    summary: all('SUMMARYPAGE')[0] ?? null,
    signature: all('SIGNATURE')[0] ?? null,
    managers: all('OTHERMANAGER'),
    managers2: all('OTHERMANAGER2'),
  }
  const found = nothingFound()
  const filing = {
    header: parseSetHeader(record, filedDate),
    cover: parseSetCover(record),
    found,
    source: 'set' as const,
  }
  if (records && Symbol.asyncIterator in records) return paged(records)
  return held(records)

  function* held(rows: Iterable<SetRecord> | null): Generator<ParsedRow> {
    yield* heldRowsOf({
      ...filing,
      holdings: rows && Iterator.from(rows).map(({ row }) => parseSetLine(row, found).holding),
    })
    tell(found)
  }
  async function* paged(rows: AsyncIterable<SetRecord>): AsyncGenerator<ParsedRow> {
    yield* rowsOf({ ...filing, holdings: holdingsOf(rows, found) })
    tell(found)
  }
}

async function* holdingsOf(records: AsyncIterable<SetRecord>, found: Findings): AsyncGenerator<Holding> {
  for await (const { row } of records) yield parseSetLine(row, found).holding
}
