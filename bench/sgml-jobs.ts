/** Jobs that bench/sgml.ts times, each in a separate process: one pass to warm up, then one pass that counts. */
import { createReadStream } from 'node:fs'
import { decodeDocument, readSubmission, type Submission } from '../src/read/sgml/submission.ts'
import { seconds } from './measure.ts'

/** Seconds to read the files without any further work. */
export const raw = (_: unknown, files: readonly string[]) =>
  second(async () => {
    for (const file of files) await drained(createReadStream(file))
  })

/** Seconds to find every document, its type and its size. */
export const split = (_: unknown, files: readonly string[]) =>
  second(async () => {
    for (const file of files) await readSubmission(createReadStream(file))
  })

/** Seconds to read every document undecoded, as its submission contains it. */
export async function rawDocuments(_: unknown, files: readonly string[]): Promise<number> {
  const parts = await partsOf(files)
  return second(async () => {
    for (const { stream } of parts) await drained(stream())
  })
}

/** Seconds to read and decode every document. */
export async function decode(_: unknown, files: readonly string[]): Promise<number> {
  const parts = await partsOf(files)
  return second(async () => {
    for (const { stream, entry } of parts) await drained(decodeDocument(stream(), entry))
  })
}

async function second(pass: () => Promise<void>): Promise<number> {
  await pass()
  return seconds(pass)
}

async function drained(stream: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const chunk of stream) bytes += chunk.length
  return bytes
}

interface Part {
  entry: Submission['documents'][number]
  stream: () => ReturnType<typeof createReadStream>
}

async function partsOf(files: readonly string[]): Promise<Part[]> {
  const parts: Part[] = []
  for (const file of files) {
    const { documents, header } = await readSubmission(createReadStream(file))
    if (header.problems.length > 0) throw new Error(`${file}: ${header.problems.join('; ')}`)
    for (const entry of documents) {
      parts.push({ entry, stream: () => createReadStream(file, { start: entry.start, end: entry.end - 1 }) })
    }
  }
  return parts
}
