/** What a reader of notices returns. */

import type { ReadAmount } from '../../../read/prose/money.ts'
import type { Sentence } from '../../../read/prose/sentences.ts'
import type { Fact, FactName } from '../facts/fact.ts'
import type { StatedDay } from './days.ts'
import { isReference } from './prepared.ts'

/** A value that the text seems to state, but not for certain. */
export interface LeftOut {
  name: FactName
  reason: string
}

export interface NoticeRead {
  facts: Fact[]
  leftOut: LeftOut[]
}

/** Reads the sentences of one item. `filer` is the filer's name in the header; null if unknown. */
export type NoticeReader = (sentences: readonly Sentence[], filer: string | null) => NoticeRead

/** Collects the facts of one item. */
export function collector() {
  const facts: Fact[] = []
  const leftOut: LeftOut[] = []
  const leave = (name: FactName, reason: string) => void leftOut.push({ name, reason })
  /**
   * Adds a fact unless its value is null. The evidence begins with the sentence `from` if the value needs that sentence
   * too.
   */
  const put = (name: FactName, value: string | null | undefined, sentence: Sentence, from: Sentence = sentence) => {
    if (value) facts.push({ name, value, start: from.start, end: sentence.end })
  }
  return {
    read: { facts, leftOut } as NoticeRead,
    put,
    leave,
    /** Adds a day, or leaves out a day that no calendar has. */
    putDay(name: FactName, day: StatedDay, sentence: Sentence, from: Sentence = sentence) {
      if (day === null) leave(name, 'the calendar has no such day')
      put(name, day, sentence, from)
    },
    /** Adds an amount, or leaves it out with its reason; returns whether the words state an amount. */
    putAmount(name: FactName, { value, reason }: ReadAmount, sentence: Sentence, from: Sentence = sentence): boolean {
      if (reason !== null) leave(name, reason)
      put(name, value, sentence, from)
      return reason !== null || value !== null
    },
    /**
     * Records the main fact of an item as left out if the item yielded neither facts nor other values that were left
     * out. Does nothing if the item only refers to another item.
     */
    leaveUnread(name: FactName, sentences: readonly Sentence[], reason: string) {
      if (facts.length + leftOut.length === 0 && sentences.length > 0 && !isReference(sentences)) leave(name, reason)
    },
  }
}

export type Collector = ReturnType<typeof collector>
