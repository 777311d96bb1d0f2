/** What elements at one path share, kept from one document to the next. */

/** A node costs no string but its text: name and path stand here, once. */
export class Shape {
  readonly parent: Shape | null
  /** As written, prefix and all. */
  readonly tag: string
  readonly prefix: string
  readonly name: string
  /** Local names from the root, `/edgarSubmission/cik`. */
  readonly path: string
  /** By tag: as a key a name is a string of its own, and no longer keeps the text in memory that it was cut out of. */
  readonly children = new Map<string, Shape>()
  readonly attributes = new Map<string, AttributeName>()
  /** The document that had it last. */
  document = 0
  /** The state of declared prefixes in which its own was found bound: 4 % of reading a 13F. */
  boundIn = 0
  /**
   * What the scanner expects: which child comes first, which ended last, what comes after this one, the attributes in
   * their order. Names are then compared, not cut out and looked up: 11 % of reading a 13F, 10 % of the adviser feed.
   */
  first: Shape | null = null
  ended: Shape | null = null
  follower: Shape | null = null
  readonly order: AttributeName[] = []

  constructor(parent: Shape | null, tag: string, prefix: string, name: string) {
    this.parent = parent
    this.tag = tag
    this.prefix = prefix
    this.name = name
    this.path = parent === null ? '' : `${parent.path}/${this.name}`
  }
}

/** A name that attributes of a shape have. */
export class AttributeName {
  /** As written, prefix and all. */
  readonly written: string
  readonly prefix: string
  readonly name: string
  readonly isDeclaration: boolean
  /** The element that had it last: one that has it twice is at fault. */
  element = 0

  constructor(written: string, prefix: string, name: string) {
    this.written = written
    this.prefix = prefix
    this.name = name
    this.isDeclaration = prefix === 'xmlns' || written === 'xmlns'
  }
}

/** Shapes and names of attributes that are kept; 40 types of documents together have some 6,000. */
const KEPT_MAX = 20_000

let kept: Shapes | null = null
let documents = 0

/** The shapes under one root's parent. Of one reader at a time: what they expect and count is of one document. */
export class Shapes {
  readonly root = new Shape(null, '', '', '')
  size = 0
  document = 0

  /** Those of the documents before, unless another reader has them. */
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
