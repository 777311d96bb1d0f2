/**
 * Reads tables of votes. A table has either heads with a row for each nominee or proposal below them, or a row for each
 * kind of vote.
 */
import { type CountName, type Counts, countIn, countName, isNoCount, isPercentage, ownWords } from './counts.ts'
import { isAnother, isElection, isOfPersons, isRequest, nomineeIn, proposalIn, titleIn } from './proposal.ts'
import type { Above, ReadVotes, Vote } from './vote.ts'

export interface TableRow {
  cells: readonly string[]
  start: number
  end: number
}

interface Head {
  at: number
  /** Null for a column of percentages or sums. */
  name: CountName | null
}

interface Heads {
  columns: readonly Head[]
  /** Columns whose head shows that they are not counts of votes. */
  others: ReadonlySet<number>
  /** Columns with details about a nominee: an age, a class, a year. */
  notes: ReadonlySet<number>
  /** The words before the first column of counts. */
  label: string
  /** Whether the label is only "Nominee" or a similar word. */
  isOfNominees: boolean
}

interface TableRead extends ReadVotes {
  /** Whether the table has rows with counts, even if they were left out. */
  hasCounts: boolean
}

const OTHER_HEAD = /%|\bpercent|\btotal\b|\bvotes cast\b|\boutstanding\b|\brepresented\b|\bratio\b/i
/** Labels of rows with totals or percentages. */
const SUM = /^(?:sub-?)?totals?\b|^\(?(?:as )?(?:an? |in )?percent|\bpercent(?:ages?)?\)?$|^[\d.\s]*%|%\)?$/i
const NOTE_HEAD = /\b(?:age|terms?|expir\w*|since|class|years?|position|office)\b/i
const NOMINEES =
  /^(?:names? of )?(?:the )?(?:(?:director|trustee|board) )?(?:nominees?|directors?|trustees?)(?: nominees?)?(?: for directors?)?:?$/i
/** Maximum number of columns and of head lines. Real tables have fewer. */
const COLUMNS_MAX = 120
const LINES_MAX = 12
const NOTHING: Above = { proposal: null, isElection: false, nominee: null }

/** @param above the proposal or election that the text above the table names */
export function votesInTable(rows: readonly TableRow[], above: Above): TableRead {
  const votes: Vote[] = []
  let leftOut = 0
  let hasCounts = false
  let context = above
  let heads: Heads | null = null
  let isUnread = false
  let words: TableRow[] = []
  let list: TableRow[] = []
  const put = (vote: Vote | 'uncertain' | null) => {
    hasCounts = true
    if (vote === 'uncertain') leftOut++
    else if (vote) votes.push(vote)
    // After the votes on a proposal, further counts belong to an unknown proposal, until the table names one.
    if (vote === 'uncertain' ? !context.isElection : vote?.nominee === null) context = NOTHING
  }
  const endList = () => {
    if (list.length > 0) put(ofList(list, context))
    list = []
  }
  for (const row of rows) {
    if (isEntry(row)) {
      list.push(row)
      continue
    }
    endList()
    if (!isOfCounts(row, heads)) {
      words.push(row)
      context = belowWords(row, context)
      continue
    }
    // `headsOf` returns null for uncertain heads, for example if two classes of shares have columns of their own.
    const isHead = words.some(({ cells }) => cells.some((cell) => countName(cell) !== null))
    if (isHead) heads = headsOf(words)
    isUnread = isHead ? heads === null : isUnread
    words = []
    if (heads) put(ofRow(row, heads, context))
    else put(isUnread || isLabelled(row) ? 'uncertain' : null)
  }
  endList()
  return { votes, leftOut, hasCounts }
}

/** Tests for a row of one kind of vote whose heads are unknown: "For | 1,234,567 | 1,100,000". */
const isLabelled = ({ cells }: TableRow) => countName(cells.find((cell) => cell !== '') ?? '') !== null

/** Tests for a row of one kind of vote with a single count: "For | 1,234,567". */
const isEntry = ({ cells }: TableRow) => {
  const shown = shownOf(cells)
  return shown.length === 2 && countName(shown[0]!) !== null && (countIn(shown[1]!) !== null || isNoCount(shown[1]!))
}

/** Returns the cells of a row, without empty cells and percentages. */
const shownOf = (cells: readonly string[]) =>
  cells.filter((cell, at) => cell !== '' && (at === 0 || !isPercentage(cell)))

function ofList(
  rows: readonly TableRow[],
  { proposal, isElection: isOfElection, nominee }: Above,
): Vote | 'uncertain' | null {
  if (rows.length < 2) return countName(shownOf(rows[0]!.cells)[0]!) === 'votes_for' ? 'uncertain' : null
  if (proposal === null || isOfElection !== (nominee !== null)) return 'uncertain'
  const counts: Counts = {}
  for (const { cells } of rows) {
    const [label = '', count = ''] = shownOf(cells)
    const name = countName(label)!
    if (name in counts) return 'uncertain'
    const value = countIn(count)
    if (value !== null) counts[name] = value
  }
  const span = { start: rows[0]!.start, end: rows.at(-1)!.end }
  return isWhole(counts) ? { ...proposal, nominee, counts, ...span } : 'uncertain'
}

/**
 * Tests for a complete vote: it has votes "for" together with votes against or withheld, or it has several choices of
 * years.
 */
export const isWhole = (counts: Counts): boolean =>
  'one_year' in counts
    ? Object.keys(counts).length > 1
    : 'votes_for' in counts && ('votes_against' in counts || 'votes_withheld' in counts)

/** Tests whether a row has counts below the heads; the number of a proposal in the first cell is not a count. */
function isOfCounts({ cells }: TableRow, heads: Heads | null): boolean {
  const from = heads ? Math.min(heads.columns[0]!.at, 1) : 1
  const counts = cells.slice(from).filter((cell) => countIn(cell) !== null)
  return (
    counts.length > 1 ||
    counts.some((cell) => cell.length > 3) ||
    (cells[0] !== '' && countIn(cells[0] ?? '') !== null && cells.slice(1).some((cell) => countIn(cell) !== null))
  )
}

/**
 * Returns the context of the rows below a row of words: "1. | Election of Directors: | For | Against" names a proposal.
 */
function belowWords({ cells }: TableRow, above: Above): Above {
  const label = cells.filter((cell) => cell !== '' && countName(cell) === null).join(' ')
  const own = proposalIn(label)
  if (own) return { proposal: own, isElection: isElection(own.title ?? ''), nominee: null }
  return above.proposal?.title && isAnother(label, above.proposal.title) ? NOTHING : above
}

/**
 * Returns the heads from the rows above the first row with counts. Returns null if fewer than two columns count votes,
 * or if two columns count the same kind of votes. Also returns null if no column counts votes "for" or the choice "one
 * year".
 */
function headsOf(all: readonly TableRow[]): Heads | null {
  const rows = all.slice(-LINES_MAX)
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  if (width > COLUMNS_MAX) return null
  const columns: Head[] = []
  const others = new Set<number>()
  const notes = new Set<number>()
  // A title above the lines of heads may be in any column, so only the lines from the first head on show other heads.
  const lines = rows.slice(rows.findIndex(({ cells }) => cells.some((cell) => countName(cell) !== null)))
  for (let at = 0; at < width; at++) {
    // A head may have two lines: "Broker", then "Non-Votes". Only the last lines count.
    const parts = rows.map(({ cells }) => cells[at] ?? '').filter((cell) => cell !== '')
    const found = [parts.slice(-1), parts.slice(-2), parts.slice(-3)].map((some) => some.join(' '))
    const name = found.map((some) => countName(some)).findLast((one) => one !== null) ?? null
    if (name !== null || OTHER_HEAD.test(found[0] ?? '')) columns.push({ at, name })
    else if (at > 0 && NOTE_HEAD.test(parts.at(-1) ?? '')) notes.add(at)
    else if (at > 0 && lines.some(({ cells }) => ownWords(cells[at] ?? '') !== '')) others.add(at)
  }
  const names = columns.flatMap(({ name }) => name ?? [])
  const isKnown = names.includes('votes_for') || names.includes('one_year')
  if (!isKnown || names.length < 2 || new Set(names).size < names.length) return null
  const first = columns[0]!.at
  const labels = rows.map(({ cells }) => cells.slice(0, first).join(' ').trim())
  const isOfNominees = labels.some((label) => NOMINEES.test(label))
  return { columns, others, notes, label: labels.join(' '), isOfNominees }
}

function ofRow(row: TableRow, heads: Heads, above: Above): Vote | 'uncertain' | null {
  const first = row.cells.findIndex((cell, at) => countIn(cell) !== null && (at > 0 || heads.columns[0]!.at === 0))
  const valuesFrom = first === 0 || countIn(row.cells[0] ?? '') !== null ? firstValue(row, heads) : first
  const label = row.cells
    .slice(0, valuesFrom)
    .filter((cell, at) => cell !== '' && !heads.notes.has(at))
    .join(' ')
    .trim()
  if (SUM.test(label)) return null
  const counts = countsOf(row, heads, valuesFrom)
  if (!counts) return 'uncertain'
  const span = { start: row.start, end: row.end }
  const isNamed = /\b(?:nominee|director|trustee|name)s?\b/i.test(heads.label) || 'votes_withheld' in counts
  const isCertain = heads.isOfNominees || (isNamed && !('votes_against' in counts))
  const canBePerson = isOfPersons(above, { isNamed, isCertain })
  if (label === '') {
    return above.proposal && !above.isElection ? { ...above.proposal, nominee: null, counts, ...span } : 'uncertain'
  }
  const nominee = canBePerson ? nomineeIn(label) : null
  if (nominee !== null) {
    return { number: null, title: null, ...above.proposal, nominee, counts, ...span }
  }
  const own = proposalIn(label)
  const title = own ? own.title : titleIn(label)
  return title === null || !(own || isRequest(title))
    ? 'uncertain'
    : { number: own?.number ?? null, title, nominee: null, counts, ...span }
}

/**
 * Returns the position of the first count at or after the first column of counts. An earlier cell may have the number
 * of a proposal or row.
 */
function firstValue({ cells }: TableRow, { columns }: Heads): number {
  const from = columns[0]!.at
  const at = cells.findIndex((cell, i) => i >= from && countIn(cell) !== null)
  return at < 0 ? from : at
}

interface Value {
  cell: string
  at: number
}

/** Returns the counts of a row by its columns, or by their order if the row has as many values as there are heads. */
function countsOf({ cells }: TableRow, { columns, others, notes }: Heads, from: number): Counts | null {
  const all = cells.flatMap((cell, at) => (at >= from && cell !== '' ? [{ cell, at }] : []))
  if (
    all.some(({ cell, at }) => (others.has(at) && countIn(cell) !== null) || (notes.has(at) && /[\d,]{5}/.test(cell)))
  )
    return null
  const headAt = new Map(columns.map((head) => [head.at, head]))
  // A percentage next to a count has a cell without a head.
  const known = all.filter(({ cell, at }) => headAt.has(at) || !isPercentage(cell))
  const values = known.filter(({ at }) => !others.has(at) && !notes.has(at))
  const isByColumn = values.every(({ at }) => headAt.has(at))
  if (!isByColumn && !(values.length === known.length && isByOrder(values, columns))) return null
  const counts: Counts = {}
  for (const [i, { cell, at }] of values.entries()) {
    const { name } = isByColumn ? headAt.get(at)! : columns[i]!
    const value = countIn(cell)
    if (name === null) continue
    if (value === null && !isNoCount(cell)) return null
    if (value !== null) counts[name] = value
  }
  if (hasShare(Object.values(counts))) return null
  return isWhole(counts) || ('votes_for' in counts && Object.keys(counts).length > 1) ? counts : null
}

/**
 * Tests whether a row has one value per head, in the order of the heads. Returns false if a value is below the head of
 * another value, unless the heads have no column for labels, so that all values are shifted by the same number of
 * columns.
 */
function isByOrder(values: readonly Value[], columns: readonly Head[]): boolean {
  if (values.length !== columns.length) return false
  const places = new Map(columns.map(({ at }, i) => [at, i]))
  const shift = values[0]!.at - columns[0]!.at
  return (
    values.every(({ at }, i) => (places.get(at) ?? i) === i) ||
    (columns[0]!.at === 0 && values.every(({ at }, i) => at - columns[i]!.at === shift))
  )
}

/**
 * Tests whether a value is a percentage without its sign: "9,100,200 | 99.5". Fractions of shares, which funds have,
 * occur in all values.
 */
const hasShare = (values: readonly string[]): boolean =>
  values.some((value) => value.includes('.') && Number(value) <= 100) &&
  values.some((value) => !value.includes('.') && value.length > 3)
