/** Finds the 25 advisers most similar to each adviser. The result is exact, although few pairs are compared. */
import { compLikeness, type Figures, likeness, ONE, type Similar, Vectors, WEIGHTS } from './likeness.ts'

/** Number of similar firms that are kept for each firm. */
export const SIMILAR_MAX = 25

/** Last entry of a firm's stored list, if the list is full. */
export interface ListEnd {
  /** The firm that the list belongs to. */
  crd: string
  /** In ten-thousandths. */
  score: number
  last: string
}

/**
 * Active firms with three things in common: their size is the same kind of assets, they tick the same boxes of 5.E, and
 * they have funds of the same types. All of these firms have the same similarity to any other firm in compensation.
 * Their maximum similarity to a given firm in funds is also the same: 0 or 1.
 */
interface Kin {
  group: number
  compBits: number
  fundBits: number
  /**
   * The firms of known size in order of size, then the firms of unknown size. The arrays below have their values in the
   * same order.
   */
  firms: Int32Array
  sizes: Float64Array
  states: Uint16Array
  serves: Uint16Array
  sized: number
}

/**
 * Kin in the order in which the search for a firm visits them. For each, the maximum that all parts except size can add
 * to the score.
 */
type Order = readonly { kin: Kin; restMax: number }[]

/** Maximum that the parts other than size can add. */
const REST_MAX = (100 - WEIGHTS.size) * ONE

/** Returns the smallest sum of weighted parts that rounds to the score. */
const leastFor = (score: number) => score * 100 - 50

/** All firms, including firms whose registration ended: these are never suggested, but have lists. */
export class Population {
  readonly #all: Vectors
  readonly #indexes: ReadonlyMap<string, number>
  readonly #kin: readonly Kin[]
  readonly #orders = new Map<number, Order>()
  /** The list in progress: firms and scores, best first. */
  readonly #firms = new Int32Array(SIMILAR_MAX)
  readonly #scores = new Int32Array(SIMILAR_MAX)
  #count = 0
  /** Sum of weighted parts that another firm needs to enter the list. */
  #least = Number.NEGATIVE_INFINITY

  constructor(firms: readonly Figures[]) {
    const all = new Vectors(firms)
    this.#all = all
    this.#indexes = new Map(all.crds.map((crd, i) => [crd, i]))
    const active = all.crds.keys().filter((i) => all.isActive[i] === 1)
    this.#kin = Map.groupBy(active, (i) => kinOf(all, i))
      .values()
      .map((members) => asKin(all, members))
      .toArray()
  }

  get crds(): readonly string[] {
    return this.#all.crds
  }

  has(crd: string): boolean {
    return this.#indexes.has(crd)
  }

  /**
   * Returns the most similar firms, best first. Visits kin in order of their maximum similarity, and within each kin
   * visits the firms in order of their similarity in size. Leaves a kin when none of its firms with a less similar size
   * can enter the list. Stops when no firm of a later kin can enter it.
   */
  similarTo(crd: string): Similar[] {
    const own = this.#indexes.get(crd)
    if (own === undefined) return []
    const all = this.#all
    this.#count = 0
    this.#least = Number.NEGATIVE_INFINITY
    const size = all.size[own]!
    const isSized = !Number.isNaN(size)
    for (const branch of this.#orderFor(own)) {
      const { kin, restMax } = branch
      if ((isSized ? WEIGHTS.size * ONE : 0) + restMax < this.#least) break
      const split = isSized ? firstNotSmaller(kin.sizes, kin.sized, size) : 0
      this.#scan(own, branch, split, kin.sized, isSized)
      this.#scan(own, branch, split - 1, -1, isSized)
      this.#scan(own, branch, kin.sized, kin.firms.length, false)
    }
    return Array.from(this.#firms.subarray(0, this.#count), (other, i) => ({
      crd: all.crds[other]!,
      size: all.sizeOf(own, other),
      serves: all.servesOf(own, other),
      fund: all.fundOf(own, other),
      comp: all.compOf(own, other),
      state: all.stateOf(own, other),
      score: this.#scores[i]!,
    }))
  }

  /**
   * Returns firms whose stored list may now have to include one of the changed firms. In addition to these firms, only
   * two groups of firms can get a different list: the changed firms, and firms whose list has a changed firm.
   */
  entered(changed: readonly string[], ends: readonly ListEnd[]): string[] {
    const all = this.#all
    const coming = changed.flatMap((crd) => this.#indexes.get(crd) ?? []).filter((i) => all.isActive[i])
    const stored = new Map(ends.map((end) => [end.crd, end]))
    return all.crds.filter((crd, own) => {
      const end = stored.get(crd)
      const last = (end && this.#indexes.get(end.last)) ?? -1
      return coming.some((other) => {
        if (other === own || all.group[other] !== all.group[own]) return false
        const size = all.sizeOf(own, other)
        if (end && WEIGHTS.size * size + REST_MAX < leastFor(end.score)) return false
        const score = all.score(own, other, size)
        return score >= 0 && (!end || score > end.score || (score === end.score && other < last))
      })
    })
  }

  /** Returns the order in which the search for a firm visits kin; all firms of one kin share this order. */
  #orderFor(own: number): Order {
    const all = this.#all
    const key = kinOf(all, own)
    let order = this.#orders.get(key)
    if (!order) {
      order = this.#kin
        .filter((kin) => kin.group === all.group[own])
        .map((kin) => {
          const fundMax = (all.fundBits[own]! & kin.fundBits) === 0 ? 0 : ONE
          const comp = compLikeness(all.compBits[own]!, kin.compBits)
          return { kin, restMax: (WEIGHTS.serves + WEIGHTS.state) * ONE + WEIGHTS.fund * fundMax + WEIGHTS.comp * comp }
        })
        .sort((a, b) => b.restMax - a.restMax)
      this.#orders.set(key, order)
    }
    return order
  }

  /**
   * Tries to add to the list the firms of a kin between two positions, in ascending or descending order.
   *
   * @param isSized whether the kin's sizes and the firm's size are known: firms further away are then less similar in
   *   size
   */
  #scan(own: number, { kin, restMax }: Order[number], from: number, to: number, isSized: boolean): void {
    const { firms, sizes, states, serves } = kin
    const size = this.#all.size[own]!
    const state = this.#all.state[own]!
    const servesBits = this.#all.servesBits[own]!
    const step = from < to ? 1 : -1
    for (let at = from; at !== to; at += step) {
      const alike = isSized ? likeness(sizes[at]!, size) : 0
      let most = WEIGHTS.size * alike + restMax
      if (most < this.#least) return
      if (states[at] !== state || state === 0) most -= WEIGHTS.state * ONE
      if ((serves[at]! & servesBits) === 0) most -= WEIGHTS.serves * ONE
      if (most >= this.#least && firms[at] !== own) this.#offer(own, firms[at]!, alike)
    }
  }

  #offer(own: number, other: number, alike: number): void {
    const score = this.#all.score(own, other, alike)
    if (score < 0) return
    const firms = this.#firms
    const scores = this.#scores
    let at = this.#count
    while (at > 0 && (score > scores[at - 1]! || (score === scores[at - 1] && other < firms[at - 1]!))) at--
    if (at === SIMILAR_MAX) return
    firms.copyWithin(at + 1, at, SIMILAR_MAX - 1)
    scores.copyWithin(at + 1, at, SIMILAR_MAX - 1)
    firms[at] = other
    scores[at] = score
    if (this.#count < SIMILAR_MAX) this.#count++
    if (this.#count === SIMILAR_MAX) this.#least = leastFor(scores[SIMILAR_MAX - 1]!)
  }
}

const kinOf = (all: Vectors, i: number) => (all.group[i]! << 15) | (all.compBits[i]! << 8) | all.fundBits[i]!

function asKin(all: Vectors, members: readonly number[]): Kin {
  const first = members[0]!
  const unknownLast = (i: number) => (Number.isNaN(all.size[i]) ? Number.POSITIVE_INFINITY : all.size[i]!)
  const ascending = (a: number, b: number) => (a < b ? -1 : a > b ? 1 : 0)
  const firms = Int32Array.from(members.toSorted((a, b) => ascending(unknownLast(a), unknownLast(b)) || a - b))
  return {
    group: all.group[first]!,
    compBits: all.compBits[first]!,
    fundBits: all.fundBits[first]!,
    firms,
    sizes: Float64Array.from(firms, (i) => all.size[i]!),
    states: Uint16Array.from(firms, (i) => all.state[i]!),
    serves: Uint16Array.from(firms, (i) => all.servesBits[i]!),
    sized: members.filter((i) => !Number.isNaN(all.size[i])).length,
  }
}

/**
 * Returns the position of the first of the sizes that is not smaller than `size`. Searches only the first `count`
 * sizes, which are in ascending order.
 */
function firstNotSmaller(sizes: Float64Array, count: number, size: number): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sizes[middle]! < size) low = middle + 1
    else high = middle
  }
  return low
}
