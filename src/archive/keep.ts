/**
 * Puts the wanted documents of a submission into a store while the submission arrives. The other documents are read,
 * but not written.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Reads } from '../declare/kept.ts'
import type { KeptPart } from '../declare/ports.ts'
import { type DocumentEntry, readSubmission, type Submission } from '../read/sgml/submission.ts'
import type { Store } from './store.ts'

/** Maximum number of bytes that wait to be compressed. */
const WAITING_MAX = 256 * 1024

/**
 * Reads a submission as it arrives, and keeps all of it except the contents of documents that are not wanted.
 *
 * @param check throws if the submission must not be kept
 * @returns the submission, with the digest of the whole submission
 * @throws the error of the body, the reader, the check or the store; then nothing is kept
 */
export async function keepPart(
  store: Store,
  body: AsyncIterable<Uint8Array>,
  wants: Reads,
  check: (submission: Submission) => void = () => {},
): Promise<Submission & KeptPart & { sha256: string }> {
  const hash = createHash('sha256')
  const hashed = async function* () {
    for await (const chunk of body) {
      hash.update(chunk)
      yield chunk
    }
  }
  const kept = new PassThrough({ highWaterMark: WAITING_MAX })
  // When the body breaks off, the store might not be reading yet. Then nothing else listens for the error of `kept`,
  // and the error would end the process.
  kept.on('error', () => {})
  const putting = store.put(kept)
  // `putting` is always awaited below. Until then, a failure must not count as an unhandled rejection.
  putting.catch(() => {})
  const write = async (bytes: Buffer) => {
    if (!kept.write(Buffer.from(bytes))) await Promise.race([once(kept, 'drain'), putting])
  }
  try {
    const submission = await readSubmission(hashed(), { wants, write })
    check(submission)
    kept.end()
    const sha256 = hash.digest('hex')
    const part = (await putting).sha256
    return { ...submission, sha256, kept: part === sha256 ? null : part }
  } catch (error) {
    kept.destroy(error as Error)
    await putting.catch(() => {})
    throw error
  }
}

/** Offsets of a document's content in the stored entry of its submission; null if the document was left out. */
export function placeOf(
  { documents, dropped }: KeptPart & { documents: readonly DocumentEntry[] },
  { seq, start, end }: DocumentEntry,
): { start: number; end: number } | null {
  if (dropped.includes(seq)) return null
  const before = documents.filter((other) => other.end <= start && dropped.includes(other.seq))
  const shift = before.reduce((sum, other) => sum + other.end - other.start, 0)
  return { start: start - shift, end: end - shift }
}
