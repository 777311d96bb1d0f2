/** Decides which documents of a submission the archive should have. */
import type { Reads } from '../declare/kept.ts'
import type { StoredSubmission } from '../declare/ports.ts'
import type { DocumentEntry } from '../read/sgml/submission.ts'
import type { Store } from './store.ts'

/** The facts of the spine that are needed to fetch a filing. */
export interface SpineFiling {
  accession: string
  form_type: string
  filed_date: string
  path: string
}

/** Decides which part of a submission is archived. */
export interface Keeping {
  /** The documents that are kept for every filing of a form. */
  readsOf: (form: string) => Reads
  /** Cache that keeps whole submissions for some time after they were fetched. */
  cache: Store
  /** Whether everything that is fetched is kept. */
  originals?: boolean
}

/** Whether the archive left out a document that is wanted. */
export const lacks = ({ documents, dropped }: StoredSubmission, reads: Reads | undefined) =>
  reads !== undefined && documents.some((entry) => dropped.includes(entry.seq) && reads(entry))

export const EVERYTHING: Reads = () => true

/**
 * The documents to archive: those that are read for the form, those that are requested now, and those that were
 * archived earlier for other callers. Null means everything.
 */
export function wantedOf(
  keeping: Keeping | null,
  { form_type }: SpineFiling,
  { reads, before }: { reads?: Reads | undefined; before: StoredSubmission | null },
): Reads | null {
  if (keeping === null || keeping.originals || before?.originals) return null
  const usual = keeping.readsOf(form_type)
  const nameOf = ({ type, filename }: Pick<DocumentEntry, 'type' | 'filename'>) => `${type} ${filename}`
  const kept = new Set(before?.documents.filter(({ seq }) => !before.dropped.includes(seq)).map(nameOf))
  return (document) => usual(document) || reads?.(document) === true || kept.has(nameOf(document))
}
