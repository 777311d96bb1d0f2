/** Stores the properties that elements at one path share. The properties are kept from one document to the next. */

/**
 * The shape of the elements at one path. The shape stores name and path once, so that a node needs no string except its
 * text.
 */
export class Shape {
  readonly parent: Shape | null
  /** As written, with the prefix. */
  readonly tag: string
  readonly prefix: string
  readonly name: string
  /** Path of local names from the root, `/edgarSubmission/cik`. */
  readonly path: string
  /**
   * Children by tag. A name that is used as a key becomes a string of its own. Then the text from which it was cut can
   * be freed.
   */
  readonly children = new Map<string, Shape>()
  readonly attributes = new Map<string, AttributeName>()
  /** Number of the last document that had this shape. */
  document = 0
  /**
   * The state of declared prefixes in which the prefix of this shape was last checked. The prefix is not checked again
   * as long as this state lasts, which saves 4 % of the time of reading a 13F.
   */
  boundIn = 0
  /**
   * The scanner's predictions: the first child, the child that ended last, the shape after this shape, and the first
   * attribute. Names are then compared instead of cut out and looked up, which saves 11 % of the time of a 13F and 10 %
   * of the adviser feed.
   */
  first: Shape | null = null
  ended: Shape | null = null
  follower: Shape | null = null
  firstAttribute: AttributeName | null = null
  /** Layout of the last tag. */
  #layout = NO_ATTRIBUTES

  constructor(parent: Shape | null, tag: string, prefix: string, name: string) {
    this.parent = parent
    this.tag = tag
    this.prefix = prefix
    this.name = known(name)
    this.path = parent === null ? '' : `${parent.path}/${this.name}`
  }

  /** Returns the layout with the first `count` of these names. */
  layoutOf(names: readonly AttributeName[], count: number): Layout {
    if (!this.#layout.has(names, count)) this.#layout = new Layout(names.slice(0, count))
    return this.#layout
  }
}

/**
 * The attributes of a tag, in order. The next tag at the same path mostly has the same attributes and shares the
 * layout. So an attribute takes no memory except for its value.
 */
export class Layout {
  readonly names: readonly AttributeName[]
  /** Whether any of the attributes is a namespace declaration or has a prefix. */
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
 * Returns the string that V8 keeps for a property with this name. V8 keeps each such name once, so two names are
 * compared by address. A name is then found among 25 siblings in 25 ns instead of 60.
 */
export const known = (name: string): string => Object.keys({ [name]: 0 })[0]!

/** The name of an attribute of a shape. */
export class AttributeName {
  /** As written, with the prefix. */
  readonly written: string
  readonly prefix: string
  readonly name: string
  readonly isDeclaration: boolean
  /** The usual text of the attribute in a tag, up to its value. */
  readonly assigned: string
  /**
   * The attribute that came after this attribute last time. If an optional attribute appears, only one prediction
   * fails, and not all later predictions.
   */
  follower: AttributeName | null = null
  /**
   * Number of the last element that had the attribute. This number shows whether an element has the attribute twice,
   * which is an error.
   */
  element = 0

  constructor(written: string, prefix: string, name: string) {
    this.written = known(written)
    this.prefix = prefix
    this.name = known(name)
    this.isDeclaration = prefix === 'xmlns' || written === 'xmlns'
    this.assigned = known(` ${written}="`)
  }
}

/** Maximum number of shapes and attribute names that are kept; 40 types of documents together have about 6,000. */
const KEPT_MAX = 20_000

let cached: Shapes | null = null
let documents = 0

/**
 * The shapes below the root's parent. Only one reader at a time uses these shapes, since their predictions and counts
 * apply to one document.
 */
export class Shapes {
  readonly root = new Shape(null, '', '', '')
  size = 0
  document = 0

  /** Takes the shapes of earlier documents; if another reader is using these shapes, makes new shapes. */
  static take(): Shapes {
    const shapes = cached ?? new Shapes()
    cached = null
    shapes.document = ++documents
    return shapes
  }

  /**
   * Gives the shapes back for the next document: if each document needed new shapes, small documents would be read at
   * half the speed.
   */
  giveBack(): void {
    if (this.size <= KEPT_MAX) cached = this
  }
}
