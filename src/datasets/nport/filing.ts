/** Reads one Form N-PORT from its document as the document arrives: the largest has 143 MB. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { Filing } from '../../declare/documents.ts'
import { type Element, each, type Problem, XmlError } from '../../read/xml.ts'
import {
  fundRows,
  type Outside,
  parseFund,
  parseGeneral,
  parseHeader,
  parseNotes,
  parseSignature,
} from './parse/head.ts'
import { parseLine } from './parse/line.ts'
import type { Findings, Row } from './parse/types.ts'
import { nothingFound, Reading } from './reading.ts'

interface Documents {
  portfolio: AsyncIterable<Uint8Array>
}

/**
 * The elements that are read, each as a whole when its end arrives. All other elements of the document are inside or
 * around these.
 */
const PARTS = ['headerData', 'genInfo', 'fundInfo', 'invstOrSec', 'explntrNotes', 'signature', 'documents']
/** Limits of one record: the index that a swap refers to may have 100,000 components. */
const LIMITS = { nodesMax: 1_500_000, recordSizeMax: 64 * 2 ** 20 }
/** Maximum number of recorded problems of one filing. */
const PROBLEMS_MAX = 1_000

/** Yields the rows of one filing. @throws Error if the document does not name its fund */
export async function* parse({ documents, header, tell }: Filing<Documents>): AsyncGenerator<ParsedRow> {
  const found = nothingFound()
  yield* new Document(header, found).rows(documents.portfolio)
  tell(found)
}

/** The state of reading one document. */
class Document {
  readonly #filing: Outside
  readonly #found: Findings
  #header: ReturnType<typeof parseHeader> | null = null
  #general: ReturnType<typeof parseGeneral> | null = null
  #fund: ReturnType<typeof parseFund> | null = null
  #signature: ReturnType<typeof parseSignature> | null = null
  readonly #parts = new Set<string>()
  #reading: Reading | null = null

  constructor(filing: Outside, found: Findings) {
    this.#filing = filing
    this.#found = found
  }

  async *rows(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
    const outside = new Set<string>()
    try {
      for await (const part of each(stream, PARTS, { ...LIMITS, outside })) yield* this.#take(part)
    } catch (error) {
      // If the XML is faulty after the fund is known, the holdings before the fault are read, and the filing states
      // that they are incomplete. Any other error is thrown.
      if (!(error instanceof XmlError) || this.#general === null) throw error
      this.#found.cutOff = error.message
      this.#note({ path: '/edgarSubmission/formData', value: '', reason: error.message })
    }
    // Ignores the version of the schema, which filers' programs write: the version is not data of a fund.
    outside.delete('/edgarSubmission/schemaVersion')
    for (const path of outside) this.#found.unread.add(path)
    yield* this.#begun().end(this.#found, this.#signature ?? parseSignature(null))
  }

  #take(part: Element): Iterable<Row> {
    if (part.name === 'invstOrSec') return this.#holding(part)
    // Rejects a repeated part: the document may contain two portfolios, and nothing shows which holdings belong to
    // which portfolio.
    if (this.#parts.has(part.name)) throw new Error(`${part.path} occurs twice, but a report is about one fund`)
    this.#parts.add(part.name)
    const rows = this.read(part)
    this.noteUnread(part, (path) => path)
    return rows
  }

  read(part: Element): Iterable<Row> {
    switch (part.name) {
      case 'headerData':
        this.#header = parseHeader(part)
        if (this.#general !== null) part.problem('', 'comes after genInfo, which was read without it')
        return []
      case 'genInfo':
        this.#general = parseGeneral(part, this.#header, this.#filing)
        return []
      case 'fundInfo':
        this.#fund = parseFund(part)
        if (this.#reading !== null) {
          part.problem('', 'comes after holdings, so their percentages were not checked')
          this.#reading.amend(this.#fund)
        }
        return [...fundRows(part)]
      case 'explntrNotes':
        return parseNotes(part)
      case 'signature':
        this.#signature = parseSignature(part)
        return []
      default:
        // This element has exhibits as sent, or XXXX in their place (0000894189-26-016628). EDGAR publishes exhibits as
        // separate documents of the submission.
        part.text()
        part.ignore('document')
        return []
    }
  }

  #holding(record: Element): Row[] {
    const found = this.#found
    const reading = this.#begun()
    found.lines++
    const at = (path: string) => path.replace(/\/invstOrSec(?=\/|$)/, `/invstOrSec[${found.lines}]`)
    if (record.isBlank()) {
      this.#note({ path: at(record.path), value: '', reason: 'is empty, so it is not a holding' })
      return []
    }
    try {
      const line = parseLine(record)
      this.noteUnread(record, at)
      found.read++
      return reading.take(line)
    } catch (error) {
      // An element that may occur only once occurs twice. It is unknown which of the two is valid, so the holding is
      // not read.
      if (!(error instanceof XmlError)) throw error
      this.#note({ path: at(record.path), value: '', reason: error.message })
      return []
    }
  }

  /** @throws Error if holdings precede the fund, which the form's order forbids */
  #begun(): Reading {
    if (this.#general === null) throw new Error('does not say which fund it is about: there is no genInfo')
    this.#reading ??= new Reading({ ...this.#general, ...(this.#fund ?? parseFund(null)) }, 'xml')
    return this.#reading
  }

  noteUnread(part: Element, at: (path: string) => string): void {
    for (const path of part.unread()) this.#found.unread.add(path)
    for (const { path, ...problem } of part.problems()) this.#note({ path: at(path), ...problem })
  }

  #note(problem: Problem): void {
    const { problems } = this.#found
    if (problems.length < PROBLEMS_MAX) problems.push(problem)
    else if (problems.length === PROBLEMS_MAX)
      problems.push({ ...problem, value: '', reason: 'and more problems from here on' })
  }
}
