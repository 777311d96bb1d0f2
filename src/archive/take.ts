/** Stores a submission that was read from a daily archive of EDGAR. */
import type { Reads } from '../declare/kept.ts'
import type { StoredSubmission } from '../declare/ports.ts'
import { lackingOf } from '../read/sgml/sequence.ts'
import { type Submission, SubmissionError } from '../read/sgml/submission.ts'
import { keepPart } from './keep.ts'
import type { Store } from './store.ts'
import type { SpineFiling } from './wanted.ts'
import { EVERYTHING, type Keeping, wantedOf } from './wanted.ts'

export interface Given {
  bytes: AsyncIterable<Uint8Array>
  /** Address of the daily archive that contained the submission. */
  url: string
}

/** Reason why some facts of the header are null. */
const UNTIMED =
  'it was read from EDGAR’s archive of the whole day, which does not state the time of acceptance, and gives items and industries only as codes'

/** @throws SubmissionError if the submission is damaged; then nothing of it is kept */
export async function take(
  { store, keeping }: { store: Store; keeping: Keeping | null },
  filing: SpineFiling,
  { bytes, url }: Given,
  reads: Reads,
): Promise<StoredSubmission> {
  const wants = wantedOf(keeping, filing, { reads, before: null })
  const taken = await keepPart(store, bytes, wants ?? EVERYTHING, (submission) => assertWhole(submission, filing))
  if (taken.header.acceptedAt === null) taken.header.problems.push(UNTIMED)
  return { accession: filing.accession, ...taken, sourceUrl: url, originals: wants === null }
}

/**
 * @throws SubmissionError if the submission is cut off, lacks documents or belongs to another filing, so that it must
 * be fetched from its own address
 */
function assertWhole({ header, documents, bytes }: Submission, { accession }: SpineFiling): void {
  if (header.cutOff) throw new SubmissionError(header.cutOff, bytes)
  if (header.accession !== accession)
    throw new SubmissionError(`its header has the accession ${header.accession}, which is not that of the filing`, 0)
  const lacking = lackingOf(header, documents)
  if (lacking) throw new SubmissionError(lacking, bytes)
}
