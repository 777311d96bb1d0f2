/** Reads tables of former and new positions: each row is the appointment of a person to the new position. */
import { dayOf } from '../../../read/prose/dates.ts'
import type { Mention } from '../../../read/prose/people.ts'
import { READ_MAX, type Span } from '../../../read/prose/sentences.ts'
import { effectiveOf, eventDateOf } from '../days.ts'
import { FURTHER_MAX } from './later.ts'
import type { MaskedSentence } from './mask.ts'
import { CONDITION, NOTHING } from './negation.ts'
import { titlesAt } from './roles.ts'
import type { Officer } from './statement.ts'
import { dropped, type Trace } from './vetoes.ts'

interface Cell extends Span {
  text: string
}

interface PositionRow extends Span {
  name: Cell
  position: string
  effective: string | null
}

/** A table of positions. Its offsets are positions in the Markdown. */
export interface PositionTable extends Span {
  rows: PositionRow[]
}

const NAME = /^(?:names?|officers?|executives?|directors?|individuals?|persons?|employees?)(?: names?)?$/i
const POSITION = '(?:positions?|titles?|offices?|roles?|capacit(?:y|ies))'
const FORMER = new RegExp(
  `^(?:from|(?:former|previous|prior|current|present|old|existing) ${POSITION}|${POSITION} (?:before|prior))`,
  'i',
)
const NEW = new RegExp(`^(?:to|new (?:[a-z]+ )?${POSITION}|successor ${POSITION})$`, 'i')
const EFFECTIVE = /^(?:effective (?:date|as of)?|date)$/i
/** Maximum distance between a table and the end of the sentence above it. */
const ABOVE_MAX = 300

/**
 * Returns the tables whose heads name persons, former positions and new positions. A table with amounts in dollars does
 * not count, since it is a table of pay.
 */
export function positionTablesIn(markdown: string, { start: from, end }: Span): PositionTable[] {
  const to = Math.min(end, from + READ_MAX)
  const tables: PositionTable[] = []
  let lines: Cell[][] = []
  const close = () => {
    const table = positionTable(lines)
    if (table && !markdown.slice(table.start, table.end).includes('$')) tables.push(table)
    lines = []
  }
  for (let start = from; start < to; ) {
    const next = markdown.indexOf('\n', start)
    const stop = next < 0 || next > to ? to : next
    if (markdown[start] === '|') lines.push(cellsOf(markdown, start, stop))
    else if (lines.length > 0) close()
    start = stop + 1
  }
  if (lines.length > 0) close()
  return tables
}

function cellsOf(markdown: string, start: number, end: number): Cell[] {
  const cells: Cell[] = []
  for (let at = start + 1; at < end; ) {
    const next = markdown.indexOf('|', at)
    const stop = next < 0 || next > end ? end : next
    const text = markdown
      .slice(at, stop)
      .replace(/[*_`\\]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    cells.push({ text, start: at, end: stop })
    at = stop + 1
  }
  return cells
}

function positionTable(lines: readonly Cell[][]): PositionTable | null {
  const at = lines.findIndex((cells) => cells.some(({ text }) => NEW.test(text)))
  const head = lines[at]
  if (!head) return null
  const columns = (pattern: RegExp) => head.flatMap(({ text }, i) => (pattern.test(text) ? [i] : []))
  const [names, former, latter, effective] = [NAME, FORMER, NEW, EFFECTIVE].map(columns) as [
    number[],
    number[],
    number[],
    number[],
  ]
  if (names.length !== 1 || former.length !== 1 || latter.length !== 1) return null
  const rows = lines.slice(at + 1).flatMap((cells) => {
    const [name, position] = [cells[names[0]!], cells[latter[0]!]]
    if (!name || !position || !/\p{L}/u.test(name.text)) return []
    const day = dayOf(cells[effective[0] ?? -1]?.text)
    return [{ name, position: position.text, effective: day, start: cells[0]!.start - 1, end: cells.at(-1)!.end }]
  })
  return { rows, start: lines[0]![0]!.start - 1, end: lines.at(-1)!.at(-1)!.end }
}

/**
 * Replaces the tables with blanks, so that no sentence contains their rows.
 *
 * @param tables in the order of the text
 */
export function withoutTables(markdown: string, tables: readonly Span[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end } of tables) {
    parts.push(markdown.slice(at, start), markdown.slice(start, end).replace(/[^\n]/g, ' '))
    at = end
  }
  return parts.join('') + markdown.slice(at)
}

/** Words above a table which show that the table reports changes (`CHANGES`), or only planned ones (`PLANS`). */
const CHANGES =
  /\b(?:appoint|elect|promot|chang|named|assum|transition|reassign|position|role|title|realign|reorgani|restructur|succession)/i
const PLANS = /\b(?:propos|expect|intend|plans? to|nominat|recommend)/i

/**
 * Returns the appointments of a table. The sentence above the table states their day. A column of the table may state
 * the effective day.
 *
 * @param before the last sentence above the table
 * @param found persons of the text, with offsets from `from`
 * @returns the appointments, and the number of rows whose person or position is uncertain
 */
export function positionsIn(
  { rows, start: at }: PositionTable,
  before: MaskedSentence | undefined,
  found: readonly Mention[],
  from: number,
): { events: Officer[]; leftOut: number } {
  const said = before?.masked ?? ''
  const isAbove = before !== undefined && at - before.sentence.end <= ABOVE_MAX
  if (!isAbove || !CHANGES.test(said) || isNone(said, before.trace)) return { events: [], leftOut: rows.length }
  const event_date = eventDateOf(said)
  const effective = effectiveOf(said, { from: 0, to: said.length, isFirst: true, event_date })
  const events: Officer[] = []
  let leftOut = 0
  for (const row of rows) {
    const persons = found.filter(({ start, end }) => from + start >= row.name.start && from + end <= row.name.end)
    const titles = titlesAt(row.position, 0)
    if (persons.length !== 1 || titles.length === 0) leftOut++
    else
      for (const title of titles)
        events.push({
          ...{ name: persons[0]!.name, title, event: 'appointed', event_date },
          effective_date: row.effective ?? effective,
          start: row.end - before.start <= FURTHER_MAX ? before.start : row.start,
          end: row.end,
        })
  }
  return { events, leftOut }
}

/** Tests whether the sentence above a table reports no change. */
const isNone = (said: string, trace: Trace | undefined): boolean =>
  (PLANS.test(said) && dropped(trace, 'proposed', 0)) ||
  (NOTHING.test(said) && dropped(trace, 'nothing', 0)) ||
  (CONDITION.test(said) && dropped(trace, 'possible', 0))
