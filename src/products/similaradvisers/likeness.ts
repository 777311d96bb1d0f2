/**
 * Computes how alike two advisers are. lists.ts makes the lists of the most alike.
 *
 * Parts, each in 0..1 and rounded to four decimals:
 * - size: the smaller of the two firms' regulatory assets (5.F) divided by the larger; 1 if both are 0. If both firms
 *   report no regulatory assets, as exempt reporting advisers do, the part is the same ratio of the gross assets of
 *   their private funds. 0 if either is unknown.
 * - serves: cosine of the client mixes, 5.D: shares of regulatory assets by type of client. If a firm states no such
 *   assets, shares of the numbers of clients are used. If a firm states no numbers either, the boxes "fewer than 5" are
 *   used. 0 if either firm states nothing.
 * - fund: cosine of the private funds by type, 7.B.(1): gross assets; if a firm states no gross assets, numbers of
 *   funds are used. "No private fund" counts as a type. So two firms without private funds are alike, and a firm
 *   without private funds is unlike a firm with private funds. 0 if either is unknown.
 * - comp: cosine of the ticked compensation boxes, 5.E. 0 if either ticks none.
 * - state: 1 if the principal offices are in one state, else 0.
 *
 * The score is .35 size + .30 serves + .20 fund + .10 comp + .05 state of these rounded parts, and is rounded again: so
 * it can be recomputed from the shown figures. Equal scores are ordered by CRD. Firms that report regulatory assets are
 * compared only with each other. Firms that report no regulatory assets are also compared only with each other.
 * Specimens of the sample are compared only with specimens. Two firms that have only the state in common are not
 * similar. A firm whose registration ended is never suggested.
 */
import { SPECIMENS_FROM } from '../../declare/specimen.ts'

export const WEIGHTS = { size: 35, serves: 30, fund: 20, comp: 10, state: 5 } as const

/** Types of client of Item 5.D. */
const CLIENT_TYPES = [
  ...['individuals', 'hnw', 'banks', 'investment_cos', 'bdcs', 'pooled', 'pensions', 'charities'],
  ...['state_municipal', 'advisers', 'insurers', 'sovereign', 'corporations', 'other'],
] as const

/** Types of Section 7.B.(1), A.10. Any other word counts as the last type. */
const FUND_TYPES = [
  'Hedge Fund',
  'Private Equity Fund',
  'Venture Capital Fund',
  'Real Estate Fund',
  'Securitized Asset Fund',
  'Liquidity Fund',
  'Other',
] as const

/** The compared figures of a firm. */
export interface Figures {
  crd: string
  state: string | null
  is_terminated: boolean
  raum: string | null
  /** Amount for each type of client, by one measure; null or empty if unknown. */
  clients: Readonly<Record<string, number>> | null
  /** Number of the firm's private funds; null if unknown. */
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

/** The value 1 of a part or of a score, in ten-thousandths. */
export const ONE = 10_000
const CLIENT_DIMENSIONS = CLIENT_TYPES.length
/** The last dimension stands for "no private fund". */
const FUND_DIMENSIONS = FUND_TYPES.length + 1
/** Cosines for all pairs of sets of 5.E boxes, each set as bits; computed on first use. */
let comp: Int16Array | undefined

const groupOf = ({ crd, raum }: Figures) => (raum === null ? 1 : 0) + (Number(crd) >= SPECIMENS_FROM ? 2 : 0)

/** Firms as vectors, each at its position in the order of the CRD numbers. */
export class Vectors {
  readonly crds: readonly string[]
  /**
   * 0: the firm reports regulatory assets, which are its size. 1: the firm reports no regulatory assets, and its size
   * is the assets of its private funds. 2 and 3: a specimen of group 0 or 1.
   */
  readonly group: Uint8Array
  /** NaN if unknown. */
  readonly size: Float64Array
  /** Bits of the types of clients, of the types of funds and of the boxes of 5.E. */
  readonly servesBits: Uint16Array
  readonly fundBits: Uint8Array
  readonly compBits: Uint8Array
  /** A number that stands for the state; 0 if the firm has no state. */
  readonly state: Uint16Array
  readonly isActive: Uint8Array
  /** The mixes of clients and of funds, as vectors of length 1. */
  readonly #serves: Float64Array
  readonly #fund: Float64Array

  constructor(firms: readonly Figures[]) {
    const ordered = firms.toSorted((a, b) => byNumber(a.crd, b.crd))
    const states = new Map<string, number>()
    this.crds = ordered.map(({ crd }) => crd)
    this.group = Uint8Array.from(ordered, groupOf)
    this.size = Float64Array.from(ordered, sizeOf)
    this.compBits = Uint8Array.from(ordered, ({ comp }) => comp.reduce((bits, box, i) => bits | (box ? 1 << i : 0), 0))
    this.state = Uint16Array.from(ordered, ({ state }) => {
      if (state !== null && !states.has(state)) states.set(state, states.size + 1)
      return state === null ? 0 : states.get(state)!
    })
    this.isActive = Uint8Array.from(ordered, (firm) => (firm.is_terminated ? 0 : 1))
    this.#serves = new Float64Array(ordered.length * CLIENT_DIMENSIONS)
    this.servesBits = Uint16Array.from(ordered, (firm, i) =>
      setUnit(this.#serves, i * CLIENT_DIMENSIONS, clientMix(firm)),
    )
    this.#fund = new Float64Array(ordered.length * FUND_DIMENSIONS)
    this.fundBits = Uint8Array.from(ordered, (firm, i) => setUnit(this.#fund, i * FUND_DIMENSIONS, fundMix(firm)))
  }

  /**
   * Returns the score of a pair, given the similarity of their sizes; -1 if the two firms share nothing but perhaps the
   * state.
   */
  score(a: number, b: number, likeness: number): number {
    const serves = this.servesOf(a, b)
    const fund = this.fundOf(a, b)
    const comp = this.compOf(a, b)
    if (likeness + serves + fund + comp === 0) return -1
    const rest = WEIGHTS.serves * serves + WEIGHTS.fund * fund + WEIGHTS.comp * comp
    return Math.round((WEIGHTS.size * likeness + rest + WEIGHTS.state * this.stateOf(a, b)) / 100)
  }

  sizeOf(a: number, b: number): number {
    const [x, y] = [this.size[a]!, this.size[b]!]
    return Number.isNaN(x) || Number.isNaN(y) || this.group[a] !== this.group[b] ? 0 : likeness(x, y)
  }

  servesOf(a: number, b: number): number {
    return cosine(this.#serves, CLIENT_DIMENSIONS, a, b, this.servesBits[a]! & this.servesBits[b]!)
  }

  fundOf(a: number, b: number): number {
    return cosine(this.#fund, FUND_DIMENSIONS, a, b, this.fundBits[a]! & this.fundBits[b]!)
  }

  compOf(a: number, b: number): number {
    return compLikeness(this.compBits[a]!, this.compBits[b]!)
  }

  stateOf(a: number, b: number): number {
    return this.state[a] !== 0 && this.state[a] === this.state[b] ? ONE : 0
  }
}

/** Returns the likeness of two known sizes, in ten-thousandths. */
export function likeness(a: number, b: number): number {
  return Math.round((a === b ? 1 : a < b ? a / b : b / a) * ONE)
}

export function compLikeness(a: number, b: number): number {
  comp ??= compCosines()
  return comp[(a << 7) | b]!
}

/** Compares two numbers that are written in digits without leading zeros: the shorter number is the smaller. */
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

/**
 * Writes the numbers as a vector of length 1; numbers below 0 count as 0.
 *
 * @returns a bit for each dimension that is above 0; no bits if all numbers are 0 or below
 */
function setUnit(vectors: Float64Array, from: number, numbers: readonly number[]): number {
  const length = Math.hypot(...numbers.map((number) => Math.max(number, 0)))
  let bits = 0
  for (const [i, number] of numbers.entries()) {
    if (number <= 0) continue
    vectors[from + i] = number / length
    bits |= 1 << i
  }
  return bits
}

/**
 * Returns the cosine of two firms' vectors, in ten-thousandths. It uses only the dimensions that are not 0 in both
 * vectors, mostly one to three.
 */
function cosine(vectors: Float64Array, dimensions: number, a: number, b: number, shared: number): number {
  let sum = 0
  for (let bits = shared; bits !== 0; bits &= bits - 1) {
    const i = 31 - Math.clz32(bits & -bits)
    sum += vectors[a * dimensions + i]! * vectors[b * dimensions + i]!
  }
  return Math.round(sum * ONE)
}

function compCosines(): Int16Array {
  const bits = (n: number): number => (n === 0 ? 0 : (n & 1) + bits(n >> 1))
  return Int16Array.from({ length: 1 << 14 }, (_, pair) => {
    const [a, b] = [pair >> 7, pair & 127]
    return a && b ? Math.round((bits(a & b) / Math.sqrt(bits(a) * bits(b))) * ONE) : 0
  })
}
