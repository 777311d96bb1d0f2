/** Numbers the documents of a submission, and checks how many there should be. */
import type { DocumentEntry } from './document.ts'
import type { Header } from './header.ts'
import type { Title } from './title.ts'

/**
 * Gives each document its `seq`. This is the first of these numbers: its `<SEQUENCE>`, if that is a number from 1 that
 * no other document has; the document's position (from 1), if that number is free; the first free number above the
 * number of documents.
 *
 * @param problem is called for each number that occurs several times
 */
export function numbered(
  found: readonly (Omit<DocumentEntry, 'seq'> & Title)[],
  problem: (what: string) => void,
): DocumentEntry[] {
  const holders = new Map<number, number>()
  for (const { sequence } of found) if (sequence !== null) holders.set(sequence, (holders.get(sequence) ?? 0) + 1)
  const taken = new Set([...holders].filter(([, count]) => count === 1).map(([sequence]) => sequence))
  for (const [sequence, count] of holders) if (count > 1) problem(`sequence ${sequence} appears ${count} times`)
  return found.map(({ sequence, ...entry }, index) => {
    let seq = sequence ?? 0
    if (holders.get(seq) !== 1) {
      seq = index + 1
      if (taken.has(seq)) for (seq = found.length + 1; taken.has(seq); ) seq++
      taken.add(seq)
    }
    return { seq, ...entry }
  })
}

/** Returns a problem if a submission announces more documents than it has; null otherwise. */
export function lackingOf({ documentCount }: Header, found: readonly Pick<DocumentEntry, 'filename'>[]): string | null {
  // EDGAR itself announces one document too many if it rendered XBRL (0001193125-25-066253).
  const rendered = found.some(({ filename }) => filename === 'FilingSummary.xml') ? 1 : 0
  if (documentCount === null || documentCount - rendered <= found.length) return null
  return `${documentCount} documents announced, ${found.length} found`
}
