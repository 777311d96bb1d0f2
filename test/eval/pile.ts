/** A pile is a set of documents with the facts that a person typed, to compare with the facts that a reader finds. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Rules } from './score.ts'

/** One fact. Its value also says whose fact it is: `Jane Roe | appointed | 2026-01-02`. */
export interface Fact {
  kind: string
  value: string
}

/** The facts of one document, or of one sentence. */
export interface Compared {
  /** Name of the document, or the beginning of the sentence. */
  of: string
  typed: readonly Fact[]
  read: readonly Fact[]
}

export type SetName = (typeof SETS)[number]
/**
 * `held out` has documents whose facts a person typed before the reader had read them. The misses in these documents
 * may have led to rules.
 */
export const SETS = ['development', 'held out', 'newest'] as const

export interface Pile {
  set: SetName
  reader: string
  /** Distinguishes several piles of one reader in one set. */
  name: string
  /** Whether the pile refers to documents of the corpus, which may be missing. */
  inCorpus: boolean
  compare: () => Promise<Compared[]> | Compared[]
  rules?: Rules
}

/** Folders from which an evaluation reads. */
export interface Places {
  /** Typed truths, in the layout of `test/datasets`. */
  truths: string
  /** The corpus of real filings; null if it is missing. */
  corpus: string | null
}

/**
 * Returns the content of a truth file.
 *
 * @throws Error that names the file if it is missing or not valid JSON
 */
export function truthIn<T>({ truths }: Places, file: string): T {
  const text = textIn(truths, file)
  try {
    // The shapes are those of files that tests read too.
    return JSON.parse(text) as T
  } catch (error) {
    throw new Error(`${file} is not valid JSON: ${messageOf(error)}`)
  }
}

/** @throws Error that names the file if it cannot be read */
export function textIn(folder: string, file: string): string {
  try {
    return readFileSync(path.join(folder, file), 'utf8')
  } catch (error) {
    throw new Error(`${file} cannot be read: ${messageOf(error)}`)
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Returns a fact of each filled value; a list gives one fact for each of its values. */
export function factsOf(values: Readonly<Record<string, unknown>>, whose = ''): Fact[] {
  const lead = whose === '' ? '' : `${whose} | `
  return Object.entries(values).flatMap(([kind, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== null && one !== undefined && one !== '')
      .map((one) => ({ kind, value: `${lead}${one}` })),
  )
}
