/** Compares typed facts with read facts, and counts them by kind. */
import type { Compared, Fact } from './pile.ts'

export interface Counts {
  typed: number
  read: number
  /** Typed facts that are read. */
  right: number
  /** Read facts that are not typed. */
  wrong: number
}

/** A fact that only the reader or only the person found. */
export interface Miss extends Fact {
  of: string
}

export interface Score {
  /** By kind, in the order in which kinds first occur. */
  kinds: Map<string, Counts>
  /** Read, but not typed. */
  wrong: Miss[]
  /** Typed, but not read. */
  missing: Miss[]
}

export interface Rules {
  /** Tests whether two facts of one kind are the same; by default their values are equal. */
  isSame?: (typed: Fact, read: Fact) => boolean
  /** Whether one fact matches any number of equal facts of the other side. */
  isRepeatable?: boolean
}

/**
 * Each typed fact is paired with at most one read fact of its kind. So a fact that is read twice but typed once is
 * wrong once. A fact that is read with another value is both missing and wrong.
 */
export function scoreOf(documents: readonly Compared[], { isSame = isEqual, isRepeatable = false }: Rules = {}): Score {
  const score: Score = { kinds: new Map(), wrong: [], missing: [] }
  const countsOf = (kind: string) => {
    const counts = score.kinds.get(kind) ?? { typed: 0, read: 0, right: 0, wrong: 0 }
    score.kinds.set(kind, counts)
    return counts
  }
  for (const { of, typed, read } of documents) {
    const used = new Set<Fact>()
    for (const fact of typed) {
      const counts = countsOf(fact.kind)
      const same = read.filter((other) => other.kind === fact.kind && isSame(fact, other))
      const found = isRepeatable ? same : same.filter((other) => !used.has(other)).slice(0, 1)
      counts.typed++
      if (found.length > 0) counts.right++
      else score.missing.push({ of, ...fact })
      for (const one of found) used.add(one)
    }
    for (const fact of read) {
      const counts = countsOf(fact.kind)
      counts.read++
      if (used.has(fact)) continue
      counts.wrong++
      score.wrong.push({ of, ...fact })
    }
  }
  return score
}

const isEqual = (typed: Fact, read: Fact) => typed.value === read.value

/** Adds up the counts. */
export function sumOf(all: Iterable<Counts>): Counts {
  const sum = { typed: 0, read: 0, right: 0, wrong: 0 }
  for (const { typed, read, right, wrong } of all) {
    sum.typed += typed
    sum.read += read
    sum.right += right
    sum.wrong += wrong
  }
  return sum
}
