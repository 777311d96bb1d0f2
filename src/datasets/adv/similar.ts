/**
 * How alike two advisers are, and for each the 25 most alike of all others: exact, not sampled.
 *
 * Parts, each in 0..1 and rounded to four decimals:
 * - size: the smaller of the two regulatory assets (5.F) divided by the larger; both 0 is 1. Of two firms that report
 *   none, as exempt reporting advisers do, the gross assets of their private funds instead. 0 where either is unknown.
 * - serves: cosine of the client mixes, 5.D: shares of regulatory assets by type of client; of a firm that gives none,
 *   shares of the numbers of clients; of one without these, the boxes "fewer than 5". 0 where either gives nothing.
 * - fund: cosine of the private funds by type, 7.B.(1): gross assets; of a firm that gives none, numbers of funds. Having
 *   no private fund is a type of its own: two firms without are alike, and unlike one with. 0 where either is unknown.
 * - comp: cosine of the compensation boxes ticked, 5.E. 0 where either ticks none.
 * - state: 1 when the principal offices are in one state, else 0.
 *
 * The score is .35 size + .30 serves + .20 fund + .10 comp + .05 state of these rounded parts, rounded again: it follows
 * from the figures shown. Equal scores are ordered by CRD. Firms that report regulatory assets are compared with such firms,
 * the others among themselves; a firm with which nothing but the state agrees is not similar; one whose registration ended
 * is suggested to nobody.
 */

export const WEIGHTS = { size: 35, serves: 30, fund: 20, comp: 10, state: 5 } as const

/** Similar firms kept of each. */
export const SIMILAR_MAX = 25

/** Order of Item 5.D, (a) to (n). */
const CLIENT_TYPES = [
  'individuals',
  'hnw',
  'banks',
  'investment_cos',
  'bdcs',
  'pooled',
  'pensions',
  'charities',
  'state_municipal',
  'advisers',
  'insurers',
  'sovereign',
  'corporations',
  'other',
] as const

/** Types of Section 7.B.(1), A.10. Another word counts as the last of them. */
const FUND_TYPES = [
  'Hedge Fund',
  'Private Equity Fund',
  'Venture Capital Fund',
  'Real Estate Fund',
  'Securitized Asset Fund',
  'Liquidity Fund',
  'Other',
] as const

/** What is compared of a firm. */
export interface Figures {
  crd: string
  state: string | null
  is_terminated: boolean
  raum: string | null
  /** Share of each type of client, of any measure; null or nothing where unknown. */
  clients: Readonly<Record<string, number>> | null
  /** How many private funds it has; null where unknown. */
  fund_count: number | null
  /** Numbers of private funds by type. */
  fund_types: Readonly<Record<string, number>>
  /** Gross assets of the private funds by type, US dollars. */
  fund_values: Readonly<Record<string, string>>
  /** Items 5.E(1) to (7). */
  comp: readonly (boolean | null)[]
}

/** Parts and score in ten-thousandths. */
export interface Similar {
  crd: string
  size: number
  serves: number
  fund: number
  comp: number
  state: number
  score: number
}

/** What is known of the stored list of a firm: its last entry, or that there is room for more. */
export interface ListEnd {
  crd: string
  /** How many entries it has. */
  count: number
  /** Score of the last entry, in ten-thousandths, and whose it is. */
  score: number
  last: string
}

const ONE = 10_000
const CLIENT_DIMENSIONS = CLIENT_TYPES.length
/** The last dimension is to have no private fund. */
const FUND_DIMENSIONS = FUND_TYPES.length + 1
/** Pairs of 5.E boxes, as bits, to their cosine. */
const COMP = compCosines()

/** All firms as vectors of numbers. */
export class Population {
  /** In the order of the numbers, which is that of ties. */
  readonly #crds: readonly string[]
  readonly #indexes: ReadonlyMap<string, number>
  /** 0: reports regulatory assets, by which it is sized; 1: does not, and is sized by those of its private funds. */
  readonly #group: Uint8Array
  /** NaN where unknown. */
  readonly #size: Float64Array
  /** Unit vectors, or nothing but zeros where unknown. */
  readonly #serves: Float64Array
  readonly #fund: Float64Array
  readonly #comp: Uint8Array
  /** Number of the state, 0 without one. */
  readonly #state: Uint16Array
  readonly #isActive: Uint8Array
  /** Most that the parts other than size can add, in hundredths. */
  readonly #restMax: Uint8Array
  /** Active firms of each group: of known size in the order of their size, and the others. */
  readonly #sized: readonly [Int32Array, Int32Array]
  readonly #unsized: readonly [Int32Array, Int32Array]
  /** Of the list that is being made: firms and scores, best first. */
  readonly #best = { firms: new Int32Array(SIMILAR_MAX), scores: new Int32Array(SIMILAR_MAX), count: 0 }
  /** Parts of the pair looked at last. */
  readonly #parts = { size: 0, serves: 0, fund: 0, comp: 0, state: 0 }

  constructor(firms: readonly Figures[]) {
    const ordered = firms.toSorted((a, b) => byNumber(a.crd, b.crd))
    const count = ordered.length
    this.#crds = ordered.map(({ crd }) => crd)
    this.#indexes = new Map(this.#crds.map((crd, i) => [crd, i]))
    this.#group = Uint8Array.from(ordered, ({ raum }) => (raum === null ? 1 : 0))
    this.#size = Float64Array.from(ordered, sizeOf)
    this.#serves = new Float64Array(count * CLIENT_DIMENSIONS)
    this.#fund = new Float64Array(count * FUND_DIMENSIONS)
    this.#comp = Uint8Array.from(ordered, ({ comp }) => comp.reduce((bits, box, i) => bits | (box ? 1 << i : 0), 0))
    const states = new Map<string, number>()
    this.#state = Uint16Array.from(ordered, ({ state }) => {
      if (state === null) return 0
      if (!states.has(state)) states.set(state, states.size + 1)
      return states.get(state)!
    })
    this.#isActive = Uint8Array.from(ordered, (firm) => (firm.is_terminated ? 0 : 1))
    this.#restMax = new Uint8Array(count)
    for (const [i, firm] of ordered.entries()) {
      const serves = setUnit(this.#serves, i * CLIENT_DIMENSIONS, clientMix(firm))
      const fund = setUnit(this.#fund, i * FUND_DIMENSIONS, fundMix(firm))
      this.#restMax[i] =
        (serves ? WEIGHTS.serves : 0) +
        (fund ? WEIGHTS.fund : 0) +
        (this.#comp[i] ? WEIGHTS.comp : 0) +
        (this.#state[i] ? WEIGHTS.state : 0)
    }
    const active = [0, 1].map((group) =>
      Int32Array.from(this.#crds.keys()).filter((i) => this.#isActive[i] && this.#group[i] === group),
    )
    const known = (i: number) => !Number.isNaN(this.#size[i])
    const bySize = (a: number, b: number) => this.#size[a]! - this.#size[b]! || a - b
    this.#sized = [active[0]!.filter(known).sort(bySize), active[1]!.filter(known).sort(bySize)]
    this.#unsized = [active[0]!.filter((i) => !known(i)), active[1]!.filter((i) => !known(i))]
  }

  get crds(): readonly string[] {
    return this.#crds
  }

  has(crd: string): boolean {
    return this.#indexes.has(crd)
  }

  /**
   * The most similar firms, best first. Firms are looked at in order of their likeness in size, until no firm further
   * away can reach the list however alike it is otherwise: at 45,000 firms that leaves out nearly all pairs.
   */
  similarTo(crd: string): Similar[] {
    const own = this.#indexes.get(crd)
    if (own === undefined) return []
    const best = this.#best
    best.count = 0
    const group = this.#group[own]!
    const sized = this.#sized[group]!
    const size = this.#size[own]!
    if (Number.isNaN(size)) {
      for (const other of sized) this.#offer(own, other, 0)
      for (const other of this.#unsized[group]!) this.#offer(own, other, 0)
    } else {
      let right = this.#firstNotSmaller(sized, size)
      let left = right - 1
      let ratioLeft = this.#ratioAt(sized, left, size)
      let ratioRight = this.#ratioAt(sized, right, size)
      while (ratioLeft >= 0 || ratioRight >= 0) {
        const takesLeft = ratioLeft >= ratioRight
        const likeness = Math.round((takesLeft ? ratioLeft : ratioRight) * ONE)
        if (!this.#canReach(own, likeness)) break
        this.#offer(own, sized[takesLeft ? left : right]!, likeness)
        if (takesLeft) ratioLeft = this.#ratioAt(sized, --left, size)
        else ratioRight = this.#ratioAt(sized, ++right, size)
      }
      if (this.#canReach(own, 0)) for (const other of this.#unsized[group]!) this.#offer(own, other, 0)
    }
    return Array.from({ length: best.count }, (_, i) => {
      const other = best.firms[i]!
      const score = this.#score(own, other, this.#likeness(own, other))
      return { crd: this.#crds[other]!, ...this.#parts, score }
    })
  }

  /**
   * Firms into whose stored list one of the changed firms may now come. Together with the changed firms and those whose
   * list has a changed firm, these are all whose list can differ.
   */
  entered(changed: readonly string[], ends: readonly ListEnd[]): string[] {
    const coming = changed.flatMap((crd) => this.#indexes.get(crd) ?? []).filter((i) => this.#isActive[i])
    const stored = new Map(ends.map((end) => [end.crd, end]))
    const found: string[] = []
    for (const [own, crd] of this.#crds.entries()) {
      const end = stored.get(crd)
      const isFull = end !== undefined && end.count >= SIMILAR_MAX
      const last = isFull ? (this.#indexes.get(end.last) ?? -1) : -1
      const comes = coming.some((other) => {
        if (other === own || this.#group[other] !== this.#group[own]) return false
        const likeness = this.#likeness(own, other)
        if (isFull && weighed(likeness, this.#restMax[own]! * ONE) < end.score) return false
        const score = this.#score(own, other, likeness)
        return score >= 0 && (!isFull || score > end.score || (score === end.score && other < last))
      })
      if (comes) found.push(crd)
    }
    return found
  }

  /** Could a firm of this likeness in size, and any of the less alike, still come into the list? */
  #canReach(own: number, likeness: number): boolean {
    const { count, scores } = this.#best
    return count < SIMILAR_MAX || weighed(likeness, this.#restMax[own]! * ONE) >= scores[SIMILAR_MAX - 1]!
  }

  #offer(own: number, other: number, likeness: number): void {
    if (other === own) return
    const score = this.#score(own, other, likeness)
    if (score < 0) return
    const { firms, scores } = this.#best
    const isBetter = (i: number) => score > scores[i]! || (score === scores[i] && other < firms[i]!)
    if (this.#best.count === SIMILAR_MAX && !isBetter(SIMILAR_MAX - 1)) return
    let at = this.#best.count < SIMILAR_MAX ? this.#best.count++ : SIMILAR_MAX - 1
    for (; at > 0 && isBetter(at - 1); at--) {
      scores[at] = scores[at - 1]!
      firms[at] = firms[at - 1]!
    }
    scores[at] = score
    firms[at] = other
  }

  /** Score of a pair, whose parts are then in `#parts`; -1 when nothing but the state agrees. */
  #score(a: number, b: number, likeness: number): number {
    const parts = this.#parts
    parts.size = likeness
    parts.serves = cosine(this.#serves, a * CLIENT_DIMENSIONS, b * CLIENT_DIMENSIONS, CLIENT_DIMENSIONS)
    parts.fund = cosine(this.#fund, a * FUND_DIMENSIONS, b * FUND_DIMENSIONS, FUND_DIMENSIONS)
    parts.comp = COMP[(this.#comp[a]! << 7) | this.#comp[b]!]!
    parts.state = this.#state[a] !== 0 && this.#state[a] === this.#state[b] ? ONE : 0
    if (parts.size + parts.serves + parts.fund + parts.comp === 0) return -1
    const rest =
      WEIGHTS.serves * parts.serves +
      WEIGHTS.fund * parts.fund +
      WEIGHTS.comp * parts.comp +
      WEIGHTS.state * parts.state
    return weighed(likeness, rest)
  }

  #likeness(a: number, b: number): number {
    const [x, y] = [this.#size[a]!, this.#size[b]!]
    return Number.isNaN(x) || Number.isNaN(y) ? 0 : Math.round(ratio(x, y) * ONE)
  }

  #ratioAt(sized: Int32Array, at: number, size: number): number {
    return at < 0 || at >= sized.length ? -1 : ratio(this.#size[sized[at]!]!, size)
  }

  #firstNotSmaller(sized: Int32Array, size: number): number {
    let [low, high] = [0, sized.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#size[sized[middle]!]! < size) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Score from the likeness in size and the other parts, already weighed. */
const weighed = (likeness: number, rest: number) => Math.round((WEIGHTS.size * likeness + rest) / 100)

const ratio = (a: number, b: number) => (a === b ? 1 : a < b ? a / b : b / a)

/** Digits without leading zeros: the shorter is the smaller. */
const byNumber = (a: string, b: string) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

function sizeOf({ raum, fund_values }: Figures): number {
  if (raum !== null) return Number(raum)
  const values = Object.values(fund_values)
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + Number(value), 0)
}

const clientMix = ({ clients }: Figures) => CLIENT_TYPES.map((type) => clients?.[type] ?? 0)

function fundMix({ fund_count, fund_types, fund_values }: Figures): number[] {
  const values = byFundType(fund_values)
  const mix = values.some((value) => value > 0) ? values : byFundType(fund_types)
  return [...mix, fund_count === 0 ? 1 : 0]
}

function byFundType(given: Readonly<Record<string, string | number>>): number[] {
  const numbers: number[] = FUND_TYPES.map(() => 0)
  for (const [type, value] of Object.entries(given)) {
    const at = (FUND_TYPES as readonly string[]).indexOf(type)
    numbers[at < 0 ? FUND_TYPES.length - 1 : at]! += Number(value)
  }
  return numbers
}

/** Writes the numbers as a vector of length 1. @returns false for nothing but zeros, and less, which are no mix */
function setUnit(vectors: Float64Array, from: number, numbers: readonly number[]): boolean {
  const positive = numbers.map((number) => Math.max(number, 0))
  const length = Math.hypot(...positive)
  if (length === 0) return false
  for (const [i, number] of positive.entries()) vectors[from + i] = number / length
  return true
}

/** In ten-thousandths. Vectors of length 1 rounded differ from it by less than a rounding shows. */
function cosine(vectors: Float64Array, a: number, b: number, dimensions: number): number {
  let sum = 0
  for (let i = 0; i < dimensions; i++) sum += vectors[a + i]! * vectors[b + i]!
  return Math.round(sum * ONE)
}

function compCosines(): Int16Array {
  const bits = (n: number): number => (n === 0 ? 0 : (n & 1) + bits(n >> 1))
  return Int16Array.from({ length: 1 << 14 }, (_, pair) => {
    const [a, b] = [pair >> 7, pair & 127]
    return a && b ? Math.round((bits(a & b) / Math.sqrt(bits(a) * bits(b))) * ONE) : 0
  })
}
