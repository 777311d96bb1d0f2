/**
 * Reads inline XBRL: the tagged facts of an HTML document, and the contexts that its hidden header declares. This
 * reader uses the same tokeniser as the HTML reader. An error in the markup loses one fact, not the whole document.
 */
import { type Declared, type InlineContext, openDeclared } from './ixbrl/declared.ts'
import { numberOf, scaled, transformed } from './ixbrl/number.ts'
import { type Attributes, localName, readTags } from './ixbrl/tags.ts'
import { excerpt } from './text.ts'

export type { InlineContext } from './ixbrl/declared.ts'

export interface InlineFact {
  /** The name with its prefix: `ecd:PeoTotalCompAmt`. */
  name: string
  /**
   * For a number, its exact decimal after scale and sign; for any other fact, its text. Null for nil, and if `reason`
   * is set.
   */
  value: string | null
  reason: string | null
  /** The measure without its prefix: `USD`, `pure`, `USD/shares`. Null if the fact is not a number. */
  unit: string | null
  context: InlineContext
  /**
   * The positions of the content in the document, in UTF-16 units: one span for the fact, and one more for each
   * continuation.
   */
  spans: readonly { start: number; end: number }[]
}

export interface InlineFacts {
  facts: InlineFact[]
  problems: { path: string; value: string; reason: string }[]
}

/**
 * Maximum number of facts. For comparison, a proxy statement has several hundred facts of its taxonomy, and the
 * prospectus of a large fund family has about ten thousand.
 */
const FACTS_MAX = 100_000
const PROBLEMS_MAX = 200
const TOO_MANY = `more than ${FACTS_MAX} facts`
/**
 * Maximum number of open facts, one inside the other. In real filings, a text block contains about five other facts.
 */
const DEPTH_MAX = 100
/** Maximum length of the text that is kept for one fact; the spans of the fact lead to the whole text. */
const TEXT_MAX = 100_000
/** Maximum number of continuations in a chain, so that a chain that returns to itself ends. */
const CONTINUATIONS_MAX = 1_000

interface Open {
  tag: 'nonFraction' | 'nonNumeric' | 'continuation'
  attributes: Attributes
  start: number
  /** The text so far. The text is kept for every fact, since names and numbers are read from this text. */
  text: string
}

interface Held {
  text: string
  start: number
  end: number
  continuedAt: string | undefined
}

/**
 * An open fact with its text. A number, a flag or a name has a few characters or words; a text block may fill pages.
 */
type Raw = Open & Held

/**
 * Long: the handlers of one pass share the open facts.
 *
 * @param wanted selects facts by name with prefix
 */
export function inlineFacts(html: string, wanted: (name: string) => boolean): InlineFacts {
  const problems: InlineFacts['problems'] = []
  const problem = (path: string, value: string, reason: string) =>
    void (problems.length < PROBLEMS_MAX && problems.push({ path, value: excerpt(value), reason }))
  const declared: Declared = { contexts: new Map(), units: new Map() }
  const { contexts, units } = declared
  const continuations = new Map<string, Held>()
  const raw: Raw[] = []
  const open: Open[] = []
  /** Depth within ix:exclude, which encloses page numbers and the like. */
  let excluded = 0
  /** Number of open facts beyond the depth limit; no real document reaches the limit. */
  let tooDeep = 0
  const header = openDeclared(declared, problem)

  function opened(written: string, attributes: Attributes, at: number): void {
    const tag = localName(written)
    if (header.opens(tag, attributes) || !written.startsWith('ix:')) return
    if (tag === 'exclude') excluded++
    if (tag !== 'nonFraction' && tag !== 'nonNumeric' && tag !== 'continuation') return
    if (open.length < DEPTH_MAX) open.push({ tag, attributes, start: at, text: '' })
    else tooDeep++
  }

  function textFound(text: string): void {
    if (header.text(text) || excluded > 0) return
    for (const each of open) if (each.text.length < TEXT_MAX) each.text += text
  }

  function closed(written: string, at: number): void {
    const tag = localName(written)
    if (header.closes(tag) || !written.startsWith('ix:')) return
    if (tag === 'exclude') excluded = Math.max(0, excluded - 1)
    if (open.at(-1)?.tag !== tag) return
    if (tooDeep > 0) return void tooDeep--
    const own = open.pop()!
    const { attributes, text, start } = own
    const held: Held = { text, start, end: Math.max(start, at), continuedAt: attributes.continuedAt }
    if (tag === 'continuation') {
      if (attributes.id !== undefined) continuations.set(attributes.id, held)
    } else if (wanted(attributes.name ?? '')) {
      if (raw.length < FACTS_MAX) raw.push({ ...own, ...held })
      else if (!problems.some(({ reason }) => reason === TOO_MANY)) problem(attributes.name!, '', TOO_MANY)
    }
  }

  readTags(html, { opened, textFound, closed })

  const facts = raw.flatMap((each): InlineFact[] => {
    const { name = '', contextRef = '' } = each.attributes
    const of = contexts.get(contextRef)
    if (!of) {
      problem(name, contextRef, 'there is no such context')
      return []
    }
    const parts = continued(each, continuations)
    const read = readValue(each, parts.map(({ text }) => text).join(' '))
    if (read.reason !== null) problem(name, each.text, read.reason)
    const spans = parts.map(({ start, end }) => ({ start, end }))
    return [{ name, ...read, unit: units.get(each.attributes.unitRef ?? '') ?? null, context: of, spans }]
  })
  return { facts, problems }
}

const oneLine = (text: string) => text.replace(/[\s ]+/g, ' ').trim()

function continued(first: Raw, continuations: ReadonlyMap<string, Held>): Held[] {
  const parts: Held[] = [first]
  for (let next = first.continuedAt; next !== undefined && parts.length < CONTINUATIONS_MAX; ) {
    const part = continuations.get(next)
    if (!part || parts.includes(part)) break
    parts.push(part)
    next = part.continuedAt
  }
  return parts
}

function readValue({ tag, attributes }: Raw, text: string): Pick<InlineFact, 'value' | 'reason'> {
  if (/^(?:true|1)$/.test(attributes['xsi:nil'] ?? '')) return { value: null, reason: null }
  if (tag === 'nonNumeric') return { value: transformed(oneLine(text), attributes.format) || null, reason: null }
  const number = numberOf(oneLine(text), localName(attributes.format ?? ''))
  if (number === null) return { value: null, reason: `not a number in the format ${attributes.format ?? 'none'}` }
  const scale = Number(attributes.scale ?? 0)
  if (!Number.isInteger(scale) || Math.abs(scale) > 30)
    return { value: null, reason: `not a valid scale: ${attributes.scale}` }
  const value = scaled(number, scale)
  return { value: attributes.sign === '-' && /[1-9]/.test(value) ? `-${value}` : value, reason: null }
}
