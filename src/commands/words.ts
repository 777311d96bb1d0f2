/**
 * The arguments of commands that name slices, as the help texts list them. `generate` writes them into a file, so that
 * no help text loads a slice.
 */
import { readFile } from 'node:fs/promises'
import type { Words } from './command.ts'

export interface WordsOfSlices {
  ingest: Words
  export: Words
  rebuild: Words
}

/** The file, below the project's folder. */
export const WORDS_FILE = 'generated/words.json'

/** The words for each placeholder in the usage of a command, each with its meaning. */
export async function wordsOf(command: keyof WordsOfSlices): Promise<Words> {
  const words = JSON.parse(
    await readFile(new URL('../../generated/words.json', import.meta.url), 'utf8'),
  ) as WordsOfSlices
  return words[command]
}
