/** The words of commands that name slices, as their helps list them: made of all slices, and kept for the next help. */
import { CODE, prepared } from '../store/prepared.ts'
import type { Words } from './command.ts'

interface WordsOfSlices {
  ingest: Words
  export: Words
  rebuild: Words
}

let words: Promise<WordsOfSlices> | undefined

/** What can be typed where the usage of a command has a placeholder, each with its meaning. */
export async function wordsOf(command: keyof WordsOfSlices): Promise<Words> {
  words ??= prepared('words', CODE, made)
  return (await words)[command]
}

async function made(): Promise<WordsOfSlices> {
  const [{ default: registry }, { ingestWords }, { familiesOf }] = await Promise.all([
    import('../registry.ts'),
    import('./wanted.ts'),
    import('../export/offers.ts'),
  ])
  return {
    ingest: ingestWords(),
    export: familiesOf(registry).map(({ slug, label, main }) => [slug, `${label}. ${main.says}`] as const),
    rebuild: registry.slices.map(({ slug, label }) => [slug, label] as const),
  }
}
