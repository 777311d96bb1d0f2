/** What elements at one path have in common. It is kept from one document to the next. */

/** Name and path stand here once, so that a node needs no string but its text. */
export class Shape {
  readonly parent: Shape | null
  /** As written, prefix and all. */
  readonly tag: string
  readonly prefix: string
  readonly name: string
  /** Local names from the root, `/edgarSubmission/cik`. */
  readonly path: string
  /**
   * Children by tag. As a key a name becomes a string of its own, and no longer keeps the text in memory that it was cut
   * out of.
   */
  readonly children = new Map<string, Shape>()
  readonly attributes = new Map<string, AttributeName>()
  /** Number of the document that had it last. */
  document = 0
  /** In this state of declared prefixes its own was found bound. Remembering that saves 4 % of reading a 13F. */
  boundIn = 0
  /**
   * What the scanner expects: which child comes first, which ended last, what comes after this one, and which attribute
   * comes first. Names are then compared instead of cut out and looked up, which saves 11 % of reading a 13F and 10 % of
   * the adviser feed.
   */
  first: Shape | null = null
  ended: Shape | null = null
  follower: Shape | null = null
  firstAttribute: AttributeName | null = null
  /** Attributes of the last tag. */
  #layout = NO_ATTRIBUTES

  constructor(parent: Shape | null, tag: string, prefix: string, name: string) {
    this.parent = parent
    this.tag = tag
    this.prefix = prefix
    this.name = known(name)
    this.path = parent === null ? '' : `${parent.path}/${this.name}`
  }

  /** The layout with the first `count` of these names. */
  layoutOf(names: readonly AttributeName[], count: number): Layout {
    if (!this.#layout.has(names, count)) this.#layout = new Layout(names.slice(0, count))
    return this.#layout
  }
}

/**
 * Which attributes a tag has, in their order. The next tag at its path mostly has the same ones, and shares it: then an
 * attribute takes no more memory than its value.
 */
export class Layout {
  readonly names: readonly AttributeName[]
  /** Whether any of them is a declaration or has a prefix. */
  readonly hasPrefixes: boolean

  constructor(names: readonly AttributeName[]) {
    this.names = names
    this.hasPrefixes = names.some(({ prefix, isDeclaration }) => prefix !== '' || isDeclaration)
  }

  has(names: readonly AttributeName[], count: number): boolean {
    if (this.names.length !== count) return false
    for (let at = 0; at < count; at++) if (this.names[at] !== names[at]) return false
    return true
  }
}

export const NO_ATTRIBUTES = new Layout([])

/**
 * The same text as V8 keeps it for names of properties: once, so that two of them are compared by their places in memory.
 * A name is found among 25 siblings in 25 ns instead of 60.
 */
export const known = (name: string): string => Object.keys({ [name]: 0 })[0]!

/** A name that attributes of a shape have. */
export class AttributeName {
  /** As written, prefix and all. */
  readonly written: string
  readonly prefix: string
  readonly name: string
  readonly isDeclaration: boolean
  /** As it mostly stands in a tag, up to its value. */
  readonly assigned: string
  /** Which one came after it last. An attribute that is there at times alone is missed once, not with all behind it. */
  follower: AttributeName | null = null
  /** Number of the element that had it last. An element that has it twice is at fault. */
  element = 0

  constructor(written: string, prefix: string, name: string) {
    this.written = known(written)
    this.prefix = prefix
    this.name = known(name)
    this.isDeclaration = prefix === 'xmlns' || written === 'xmlns'
    this.assigned = known(` ${written}="`)
  }
}

/** Most shapes and attribute names that are kept; 40 types of documents together have some 6,000. */
const KEPT_MAX = 20_000

let kept: Shapes | null = null
let documents = 0

/**
 * The shapes below the root's parent. One reader at a time has them, since what they expect and count is of one document.
 */
export class Shapes {
  readonly root = new Shape(null, '', '', '')
  size = 0
  document = 0

  /** Takes the shapes of earlier documents, unless another reader has them. */
  static take(): Shapes {
    const shapes = kept ?? new Shapes()
    kept = null
    shapes.document = ++documents
    return shapes
  }

  /** Keeps them for the next document: without them small documents are read at half the speed. */
  giveBack(): void {
    if (this.size <= KEPT_MAX) kept = this
  }
}
