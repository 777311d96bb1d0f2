/** Builds nodes from the events of saxes, within limits of their number, depth and size. */
import { type SaxesAttributePlain, SaxesParser } from 'saxes'
import { NOTHING, Source } from './encoding.ts'
import { XmlError } from './xml-error.ts'
import { type Attribute, Node, Shape } from './xml-tree.ts'

export interface Limits {
  /** Levels of elements, the root being the first; 100 unless given. */
  depthMax?: number
  /** Bytes of the source, UTF-16 units of a string; 512 MB unless given. */
  sizeMax?: number
  /**
   * Elements, attributes and pieces of text of a tree, each of which takes some 100 bytes of memory however short it is; 2
   * million unless given, for a record of `each` 200,000. The richest real document, an N-CEN, has 24,000.
   */
  nodesMax?: number
  /** Bytes of a record of `each`, and of a text, comment or tag around them; 16 MB unless given. */
  recordSizeMax?: number
}

/** Of the schema instance namespace, whatever its prefix: they say nothing of the form. */
const SCHEMA_ATTRIBUTES = new Set(['schemaLocation', 'noNamespaceSchemaLocation', 'nil'])
/**
 * Shapes outlive the records of `each`: a document of ever new names must not fill the memory. Of 391 real documents of
 * 35 types the richest, an N-CEN, has text at 185 paths.
 */
const PATHS_MAX = 10_000
/** Of an element or attribute; the longest real one has 55 characters. */
const NAME_MAX = 256
/** Names of all levels together. */
const PATH_MAX = 2_048
/** Of one element; the longest real one has a quarter of a million characters. It is copied several times on its way. */
const TEXT_MAX = 8 * 2 ** 20
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'

/**
 * Builds nodes from the events of saxes. Prefixes are checked here, since its own namespace mode costs speed: 118 instead
 * of 136 MB/s on a 13F, 116 instead of 146 on an N-PORT, 73 instead of 108 on the adviser feed.
 */
export class Reader {
  readonly #parser = new SaxesParser({ position: false, defaultXMLVersion: '1.0', forceXMLVersion: true })
  readonly #record: string | null
  readonly #depthMax: number
  readonly #sizeMax: number
  readonly #nodesMax: number
  readonly #recordSizeMax: number
  readonly #source = new Source()
  #size = 0
  /** Of the tree under construction. */
  #nodes = 0
  /** Bytes since a record, or something outside of records, was complete. */
  #held = 0

  #shape = new Shape(null, '', '')
  #paths = 0
  #depth = 0
  /** The node under construction with those around it, and the last child of each so far. */
  readonly #open: Node[] = []
  readonly #last: (Node | null)[] = []
  #finished: Node[] = []

  #attributes: SaxesAttributePlain[] = []
  readonly #bound = new Map([['xml', XML_NAMESPACE]])
  /** Declarations to take back when the element at their depth ends. */
  readonly #declared: { depth: number; prefix: string; outer: string | undefined }[] = []

  /** @param record local name of the elements to build, null to build the root */
  constructor(record: string | null, { depthMax = 100, sizeMax = 512 * 2 ** 20, ...limits }: Limits = {}) {
    this.#record = record
    this.#depthMax = depthMax
    this.#sizeMax = sizeMax
    this.#nodesMax = limits.nodesMax ?? (record === null ? 2_000_000 : 200_000)
    this.#recordSizeMax = limits.recordSizeMax ?? (record === null ? sizeMax : 16 * 2 ** 20)
    this.#parser.on('error', ({ message }) => this.#fail(message.replace(/\.$/, '')))
    this.#parser.on('doctype', () => this.#fail('a DOCTYPE is refused'))
    this.#parser.on('attribute', (attribute) => {
      if (this.#attributes.push(attribute) > this.#nodesMax) this.#tooMany()
    })
    this.#parser.on('opentag', (tag) => this.#start(tag.name))
    this.#parser.on('closetag', () => this.#end())
    this.#parser.on('text', (text) => this.#text(text))
    this.#parser.on('cdata', (text) => this.#text(text))
  }

  write(piece: string | Uint8Array): void {
    this.#size += piece.length
    if (this.#size > this.#sizeMax) this.#fail(`the document is larger than ${this.#sizeMax} bytes`)
    const text = this.#source.next(piece)
    if (typeof piece === 'string' && !piece.isWellFormed()) this.#fail('a string with half a character')
    this.#held += piece.length
    this.#feed(text)
    if (this.#held > this.#recordSizeMax) {
      this.#fail(`a ${this.#record ?? 'document'}, or a text around it, is larger than ${this.#recordSizeMax} bytes`)
    }
  }

  end(): void {
    this.#feed(this.#source.next(NOTHING, true))
    if (this.#depth > 0) this.#fail('the document is cut off, or something is left open')
    this.#parser.close()
  }

  /** The records completed since the last call. */
  take(): Node[] {
    const nodes = this.#finished
    this.#finished = []
    return nodes
  }

  #feed(text: string): void {
    if (this.#source.skipped > 0) this.#parser.line += this.#source.skipped
    this.#parser.write(text)
  }

  #fail(message: string): never {
    const { line, column, position } = this.#parser
    const where = this.#shape.path === '' ? '' : ` in ${this.#shape.path}`
    throw new XmlError(message + where, this.#source.offset(position), line, column)
  }

  #start(name: string): void {
    this.#depth++
    if (this.#depth > this.#depthMax) this.#fail(`elements stand more than ${this.#depthMax} deep`)
    const attributes = this.#attributes.length === 0 ? null : this.#takeAttributes()
    const shape = this.#shape.children.get(name) ?? this.#newShape(name)
    if (shape.prefix !== '') this.#uri(shape.prefix)
    this.#shape = shape
    const level = this.#open.length
    if (level === 0) {
      this.#nodes = 0
      this.#held = 0
      if (this.#record !== null && this.#record !== shape.name) return
    }
    this.#nodes += attributes === null ? 1 : 1 + attributes.length
    if (this.#nodes > this.#nodesMax) this.#tooMany()
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

  #text(text: string): void {
    const level = this.#open.length
    if (level === 0) {
      this.#held = 0
      return
    }
    const node = this.#open[level - 1]!
    if (node.text !== '') node.text += text
    else if (text.charCodeAt(0) > 0x20 || text.trim() !== '') node.text = text
    else return
    if (node.text.length > TEXT_MAX) this.#fail(`a text is longer than ${TEXT_MAX} characters`)
    if (++this.#nodes > this.#nodesMax) this.#tooMany()
  }

  #tooMany(): never {
    this.#fail(`more than ${this.#nodesMax} elements, attributes and texts`)
  }

  #end(): void {
    const node = this.#open.pop()
    if (this.#open.length === 0) {
      this.#held = 0
      if (node !== undefined) this.#finished.push(node)
    }
    while (this.#declared.length > 0 && this.#declared[this.#declared.length - 1]!.depth === this.#depth) {
      const { prefix, outer } = this.#declared.pop()!
      if (outer === undefined) this.#bound.delete(prefix)
      else this.#bound.set(prefix, outer)
    }
    this.#shape = this.#shape.parent!
    this.#depth--
  }

  #newShape(name: string): Shape {
    if (++this.#paths > PATHS_MAX) this.#fail(`elements stand at more than ${PATHS_MAX} paths`)
    const [prefix, local] = this.#split(name)
    const shape = new Shape(this.#shape, prefix, local)
    if (shape.path.length > PATH_MAX)
      this.#fail(`the names of an element and those around it are longer than ${PATH_MAX}`)
    this.#shape.children.set(name, shape)
    return shape
  }

  #takeAttributes(): Attribute[] {
    const given = this.#attributes
    this.#attributes = []
    for (const { name, value } of given) if (name.startsWith('xmlns:')) this.#declare(name.slice(6), value.trim())
    const kept: Attribute[] = []
    const seen = new Set<string>()
    for (const { name, value } of given) {
      if (name === 'xmlns' || name.startsWith('xmlns:')) continue
      const [prefix, local] = this.#split(name)
      if (prefix !== '') {
        const expanded = `${this.#uri(prefix)} ${local}`
        if (seen.has(expanded)) this.#fail(`duplicate attribute ${name}`)
        seen.add(expanded)
      }
      kept.push({ name: local, text: value, read: prefix !== '' && SCHEMA_ATTRIBUTES.has(local) })
    }
    return kept
  }

  #declare(prefix: string, uri: string): void {
    if (uri === '' || prefix === 'xmlns' || (prefix === 'xml') !== (uri === XML_NAMESPACE)) {
      this.#fail(`xmlns:${prefix} may not be "${uri}"`)
    }
    this.#declared.push({ depth: this.#depth, prefix, outer: this.#bound.get(prefix) })
    this.#bound.set(prefix, uri)
  }

  #uri(prefix: string): string {
    return this.#bound.get(prefix) ?? this.#fail(`unbound prefix ${prefix}`)
  }

  #split(name: string): [prefix: string, local: string] {
    if (name.length > NAME_MAX) this.#fail(`a name is longer than ${NAME_MAX} characters`)
    const colon = name.indexOf(':')
    if (colon < 0) return ['', name]
    if (colon === 0 || colon === name.length - 1 || name.includes(':', colon + 1)) this.#fail(`malformed name ${name}`)
    return [name.slice(0, colon), name.slice(colon + 1)]
  }
}
