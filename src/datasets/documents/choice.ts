/** Chooses a document of a filing, and one of its sections. */

import { apiError } from '../../declare/api-errors.ts'
import type { LargeText, ReadSubmissions, StoredSubmission } from '../../declare/ports.ts'
import { type DocumentText, isExhibit, mayHaveText } from '../../read/readable.ts'
import type { Section } from '../../read/sections.ts'
import type { DocumentEntry } from '../../read/sgml/submission.ts'

export interface Chosen {
  entry: DocumentEntry
  read: LargeText | Extract<DocumentText, { markdown: unknown }>
  /** Other documents that may have text. */
  others: readonly DocumentEntry[]
}

/**
 * Returns the document with this sequence. Without a sequence, returns the main document: the first document with text
 * that is not an exhibit. XML documents come last, since the XML cover of an X-17A-5 precedes its statements.
 *
 * @throws HttpError 404 with the reason if no such document has text; 503 if a document cannot be read now
 */
export async function choose(
  submissions: Pick<ReadSubmissions, 'text'>,
  submission: StoredSubmission,
  sequence: number | undefined,
): Promise<Chosen> {
  const { accession, header } = submission
  const others = submission.documents.filter((entry) => mayHaveText(entry) && !entry.cutOff)
  const wanted = sequence === undefined ? mainOf(others) : others.filter(({ seq }) => seq === sequence)
  const reasons: string[] = []
  for (const entry of wanted) {
    const read = await submissions.text(submission, entry)
    if (read.format !== null) return { entry, read, others }
    reasons.push(`document ${entry.seq}: ${read.reason}`)
  }
  if (header.cutOff) reasons.push(`as EDGAR serves it, ${header.cutOff}`)
  if (wanted.length === 0 && others.length > 0) {
    reasons.push(`sequence may be ${others.map(({ seq, type }) => `${seq} (${type})`).join(', ')}`)
  }
  const what = sequence === undefined ? 'no document' : `no document ${sequence}`
  throw apiError('no_text', { accession, what, detail: reasons.map((reason) => `; ${reason}`).join('') })
}

function mainOf(documents: readonly DocumentEntry[]): DocumentEntry[] {
  const own = documents.filter((entry) => !isExhibit(entry))
  const isData = ({ mediaType }: DocumentEntry) => mediaType.startsWith('application/xml')
  return [...own.filter((entry) => !isData(entry)), ...own.filter(isData)]
}

/** Maximum length of the title of a section in an error. */
const TITLE_MAX = 60

/**
 * Returns the section with this id, whether in upper or lower case.
 *
 * @throws HttpError 404 if the section was not found; never returns other text instead
 */
export function sectionOf(sections: readonly Section[], wanted: string, accession: string): Section {
  const found = sections.find(({ id }) => id.toLowerCase() === wanted.toLowerCase())
  if (found) return found
  const titles = new Map(sections.toReversed().map(({ id, title }) => [id, title]))
  const ids = [...new Set(sections.map(({ id }) => id))].map((id) => `${id} (${titles.get(id)!.slice(0, TITLE_MAX)})`)
  const there = ids.length === 0 ? 'no sections were found in it' : `the sections that were found: ${ids.join(', ')}`
  throw apiError('section_not_found', { section: wanted.slice(0, 60), accession, there })
}
