/** Builds nodes from the scanner's tokens, and enforces limits on the number, depth and size of nodes. */
import { NOTHING, Source } from '../encoding.ts'
import { XmlError } from './error.ts'
import { Prefixes } from './prefixes.ts'
import { Scanner, type SourcePosition, type Tokens } from './scanner.ts'
import { Layout, type Shape } from './shapes.ts'
import { Attributes, isOfSchema, Node } from './tree.ts'

export interface Limits {
  /** Maximum number of levels of elements; the root is level 1. Default 100. */
  depthMax?: number
  /** Maximum number of bytes of the source, or of UTF-16 units of a string; default 512 MB. */
  sizeMax?: number
  /**
   * Maximum number of elements, attributes and pieces of text of a tree. The default is 2 million, and 200,000 for a
   * record of `each`. Each takes about 100 bytes of memory, however short it is. The largest real document, an N-CEN,
   * has 24,000.
   */
  nodesMax?: number
  /** Maximum number of bytes of a record of `each`, and of a text, comment or tag around the records; default 16 MB. */
  recordSizeMax?: number
  /** Collects the paths of texts and attributes outside the records of `each`; only their paths are kept. */
  outside?: Set<string>
}

/**
 * Maximum number of paths of a document. Shapes stay in memory after the records of `each` are freed, so without this
 * limit a document with ever new names could fill the memory. Among 391 real documents of 35 types, an N-CEN has the
 * most paths with text: 185.
 */
const PATHS_MAX = 10_000
/** Longest name of an element or attribute; the longest real one has 55 characters. */
const NAME_MAX = 256
/** Longest path, counting the names of all levels together. */
const PATH_MAX = 2_048
/**
 * Longest text of one element; the longest real one has a quarter of a million characters. A text is copied several
 * times during reading.
 */
const TEXT_MAX = 8 * 2 ** 20

export class Reader implements Tokens {
  readonly #scanner = new Scanner(this, (message, place) => this.#refuse(message, place))
  readonly #prefixes = new Prefixes((message) => this.#scanner.fail(message))
  readonly #records: ReadonlySet<string> | null
  readonly #outside: Set<string> | undefined
  readonly #depthMax: number
  readonly #sizeMax: number
  readonly #nodesMax: number
  readonly #recordSizeMax: number
  readonly #source = new Source()
  /** Number of line ends skipped before the document's first character. */
  #skipped = 0
  #size = 0
  /** Number of nodes in the tree under construction. */
  #nodes = 0
  /** Number of bytes since the end of the last record, or of the last token outside the records. */
  #held = 0

  #paths = 0
  #depth = 0
  /** The node that is being built, with its ancestors, and for each of them the last child so far. */
  readonly #open: Node[] = []
  readonly #last: (Node | null)[] = []
  #finished: Node[] = []

  /** @param records local names of the elements to build; null to build the root element */
  constructor(
    records: string | readonly string[] | null,
    { depthMax = 100, sizeMax = 512 * 2 ** 20, ...limits }: Limits = {},
  ) {
    this.#records = records === null ? null : new Set(typeof records === 'string' ? [records] : records)
    this.#outside = limits.outside
    this.#depthMax = depthMax
    this.#sizeMax = sizeMax
    this.#nodesMax = limits.nodesMax ?? (records === null ? 2_000_000 : 200_000)
    this.#recordSizeMax = limits.recordSizeMax ?? (records === null ? sizeMax : 16 * 2 ** 20)
  }

  write(piece: string | Uint8Array): void {
    this.#size += piece.length
    if (this.#size > this.#sizeMax) this.#scanner.fail(`the document is larger than ${this.#sizeMax} bytes`)
    if (typeof piece === 'string' && !piece.isWellFormed()) this.#scanner.fail('a string with half of a surrogate pair')
    this.#held += piece.length
    this.#scan(this.#source.next(piece))
    if (this.#held > this.#recordSizeMax) {
      this.#scanner.fail(
        `a ${this.#records === null ? 'document' : [...this.#records].join(', ')}, or a text around it, is larger than ${this.#recordSizeMax} bytes`,
      )
    }
  }

  end(): void {
    this.#scan(this.#source.next(NOTHING, true))
    this.#scanner.end()
  }

  #scan(text: string): void {
    this.#skipped += this.#source.skipped
    this.#scanner.write(text)
  }

  /** The encoding that the bytes contradict, as `Source.overruled` returns it; null if the bytes contradict none. */
  get overruled(): string | null {
    return this.#source.overruled
  }

  /** Returns the records that were completed since the last call. */
  take(): Node[] {
    const nodes = this.#finished
    this.#finished = []
    return nodes
  }

  opened(shape: Shape, layout: Layout, values: readonly string[]): void {
    this.#depth++
    if (this.#depth > this.#depthMax) this.#scanner.fail(`elements are nested more than ${this.#depthMax} deep`)
    this.#prefixes.open(this.#depth, layout, values)
    if (shape.prefix !== '') this.#prefixes.check(shape)
    const level = this.#open.length
    if (level === 0) {
      this.#nodes = 0
      this.#held = 0
      if (this.#records !== null && !this.#records.has(shape.name)) {
        this.#passed(shape, layout, values)
        return
      }
    }
    const attributes = attributesOf(layout, values)
    this.#count(1 + (attributes?.texts.length ?? 0))
    const node = new Node(shape, attributes)
    if (level > 0) {
      const previous = this.#last[level]
      if (previous) previous.next = node
      else this.#open[level - 1]!.first = node
    }
    this.#last[level] = node
    this.#last[level + 1] = null
    this.#open.push(node)
  }

  /**
   * Keeps blanks only after other text. Nearly all blanks are between tags, and are dropped without being cut out of
   * the text, which would take 6 % of the time.
   */
  blank(text: string, from: number, to: number): void {
    const level = this.#open.length
    if (level > 0 && this.#open[level - 1]!.text !== '') this.text(text.slice(from, to))
  }

  text(text: string): void {
    const level = this.#open.length
    if (level === 0) {
      if (this.#outside && text.trim() !== '') this.#outside.add(this.#scanner.path)
      return
    }
    const node = this.#open[level - 1]!
    if (node.text !== '') node.text += text
    else if (text.charCodeAt(0) > 0x20 || text.trim() !== '') node.text = text
    else return
    if (node.text.length > TEXT_MAX) this.#scanner.fail(`a text is longer than ${TEXT_MAX} characters`)
    this.#count(1)
  }

  closed(): void {
    const node = this.#open.pop()
    if (this.#open.length === 0) {
      this.#held = 0
      if (node !== undefined) this.#finished.push(node)
    }
    this.#prefixes.close(this.#depth)
    this.#depth--
  }

  met(name: string, path: string): void {
    if (name.length > NAME_MAX) this.#scanner.fail(`a name is longer than ${NAME_MAX} characters`)
    if (path.length > PATH_MAX) {
      this.#scanner.fail(`the names of an element and those around it are longer than ${PATH_MAX} characters`)
    }
    if (++this.#paths > PATHS_MAX) this.#scanner.fail(`elements and attributes have more than ${PATHS_MAX} paths`)
  }

  /** Handles an element outside the records. The number of collected paths is limited by `met`. */
  #passed({ path }: Shape, layout: Layout, values: readonly string[]): void {
    if (!this.#outside) return
    for (const name of attributesOf(layout, values)?.unread() ?? []) this.#outside.add(`${path}/@${name}`)
  }

  #count(added: number): void {
    this.#nodes += added
    if (this.#nodes > this.#nodesMax) {
      this.#scanner.fail(`more than ${this.#nodesMax} elements, attributes and texts`)
    }
  }

  #refuse(message: string, { end, line, column }: SourcePosition): never {
    const where = this.#scanner.path === '' ? '' : ` in ${this.#scanner.path}`
    throw new XmlError(message + where, this.#source.offset(end), this.#skipped + line, column)
  }
}

function attributesOf(layout: Layout, values: readonly string[]): Attributes | null {
  const { names, hasPrefixes } = layout
  if (!hasPrefixes) return names.length === 0 ? null : new Attributes(layout, values.slice(0, names.length))
  const isKept = (_: unknown, at: number) => !names[at]!.isDeclaration
  const kept = names.filter(isKept)
  if (kept.length === 0) return null
  const attributes = new Attributes(new Layout(kept), values.slice(0, names.length).filter(isKept))
  for (const [at, { prefix, name }] of kept.entries()) {
    if (isOfSchema(prefix, name)) attributes.markRead(at)
  }
  return attributes
}
