/** Quarterly sets of Form 13F as files, for tests. */
import path from 'node:path'
import { filings, type Made, quarterlySet } from '../bench/thirteenf-sets.ts'
import { writeZip } from './bulk-world.ts'
import { temporaryFolder } from './world.ts'

export const NAME = '2024q1_form13f.zip'

/** Filings about the quarter before that set. */
export const made = (count: number) => [...filings(count, { seed: 7, period: '2023-12-31', lines: 30 })]

/** The members of a set that has these filings, by file name. */
export function membersOf(all: readonly Made[]): Record<string, string> {
  const members: Record<string, string> = {}
  for (const [name, text] of quarterlySet(all)) members[`${name}.tsv`] = (members[`${name}.tsv`] ?? '') + text
  return members
}

/** Writes a set into a folder of its own. @returns its file */
export async function setOf(
  t: Parameters<typeof temporaryFolder>[0],
  members: Record<string, string>,
  name = NAME,
): Promise<string> {
  const file = path.join(await temporaryFolder(t), name)
  await writeZip(file, members)
  return file
}
