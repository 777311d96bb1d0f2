/** What a reader of notices returns. */
import type { Fact, FactName } from '../fact.ts'
import type { Sentence } from '../prose.ts'

/** A value that the text has, but not for certain. */
export interface LeftOut {
  name: FactName
  reason: string
}

export interface NoticeRead {
  facts: Fact[]
  leftOut: LeftOut[]
}

/** Reads the sentences of one item. The filer is its name in the header; null if unknown. */
export type NoticeReader = (sentences: readonly Sentence[], filer: string | null) => NoticeRead

/** Collects the facts of one item. */
export function collector() {
  const facts: Fact[] = []
  const leftOut: LeftOut[] = []
  return {
    read: { facts, leftOut } as NoticeRead,
    /** Adds a fact unless its value is null. The evidence begins with `from` if the value needs that sentence too. */
    put(name: FactName, value: string | null | undefined, sentence: Sentence, from: Sentence = sentence) {
      if (value) facts.push({ name, value, start: from.start, end: sentence.end })
    },
    leave(name: FactName, reason: string) {
      leftOut.push({ name, reason })
    },
  }
}

export type Collector = ReturnType<typeof collector>
