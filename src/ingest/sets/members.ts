/** Opens the members of a set. */
import type { SetsSource } from '../../declare/sets.ts'
import type { Zip } from '../../read/zip.ts'
import { type Notes, unread } from '../notes.ts'

/**
 * Returns a function that returns the reader of a member, or undefined if the member is optional and the set lacks it.
 * Reports members that the source does not declare.
 *
 * @throws Error that names the required members that are missing, or a member that the set has twice: it would be
 *   unknown which of them is right
 */
export function membersIn(
  { members, optional = [] }: SetsSource,
  zip: Zip,
  found: Notes,
): (name: string) => (() => AsyncIterable<Uint8Array>) | undefined {
  const baseName = (file: string) => file.replace(/^.*[\\/]/, '')
  const of = (name: string) => (member: { name: string }) =>
    baseName(member.name).toLowerCase() === `${name.toLowerCase()}.tsv`
  const known = new Map(
    Object.keys(members).map((name) => {
      const [member, ...others] = zip.members.filter(of(name))
      if (others.length > 0) throw new Error(`has ${name}.tsv ${others.length + 1} times`)
      return [name, member]
    }),
  )
  const lacking = [...known]
    .filter(([name, member]) => !member && !optional.includes(name))
    .map(([name]) => `${name}.tsv`)
  if (lacking.length > 0) throw new Error(`lacks ${lacking.join(', ')}`)
  for (const member of zip.members) {
    if (/\.tsv$/i.test(member.name) && ![...known.values()].includes(member)) unread(found, member.name)
  }
  return (name) => known.get(name)?.bytes
}

/**
 * Yields the items until the signal aborts.
 *
 * @throws the signal's reason
 */
export async function* untilStopped<T>(some: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  for await (const one of some) {
    signal?.throwIfAborted()
    yield one
  }
}
