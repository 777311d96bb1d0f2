/** The number by which each document of a submission is known. */
import type { DocumentEntry } from './document.ts'
import type { Title } from './title.ts'

/**
 * Gives each document its `seq`: its `<SEQUENCE>` if that is a number from 1 that no other document has. Otherwise it is
 * the document's position from 1 if that number is free, else the first free number above the number of documents.
 *
 * @param problem is told of numbers that stand several times
 */
export function numbered(
  found: readonly (Omit<DocumentEntry, 'seq'> & Title)[],
  problem: (what: string) => void,
): DocumentEntry[] {
  const holders = new Map<number, number>()
  for (const { sequence } of found) if (sequence !== null) holders.set(sequence, (holders.get(sequence) ?? 0) + 1)
  const taken = new Set([...holders].filter(([, count]) => count === 1).map(([sequence]) => sequence))
  for (const [sequence, count] of holders) if (count > 1) problem(`sequence ${sequence} stands ${count} times`)
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
