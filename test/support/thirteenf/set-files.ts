/** Quarterly sets of Form 13F as files, for tests. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { filings, type Made, quarterlySet, submissionOf } from '../../../bench/thirteenf-sets.ts'
import { writeZip } from '../bulk-world.ts'
import type { FreshDatabase } from '../database.ts'
import { openWorld, temporaryFolder, type World, writeIndex } from '../world.ts'

export const NAME = '2024q1_form13f.zip'

/** Makes filings about the quarter before the quarter of the set. */
export const made = (count: number) => [...filings(count, { seed: 7, period: '2023-12-31', lines: 30 })]

/** Returns the members of a set with these filings, by file name. */
export function membersOf(all: readonly Made[]): Record<string, string> {
  const members: Record<string, string> = {}
  for (const [name, text] of quarterlySet(all)) members[`${name}.tsv`] = (members[`${name}.tsv`] ?? '') + text
  return members
}

/** Writes a set into a new folder. @returns the file of the set */
export async function setOf(
  t: Parameters<typeof temporaryFolder>[0],
  members: Record<string, string>,
  name = NAME,
): Promise<string> {
  const file = path.join(await temporaryFolder(t), name)
  await writeZip(file, members)
  return file
}

/** Opens a world whose EDGAR has these filings as submissions. */
export async function worldOf(
  t: Parameters<typeof temporaryFolder>[0],
  all: readonly Made[],
  { root: given, database }: { root?: string; database?: FreshDatabase } = {},
): Promise<World> {
  const root = given ?? (await temporaryFolder(t))
  await mkdir(path.join(root, 'Archives/edgar/data/1'), { recursive: true })
  const lines = all.map(
    ({ cik, name, form, filedDate, accession }) => `${cik}|${name}|${form}|${filedDate}|edgar/data/1/${accession}.txt`,
  )
  await writeIndex(root, '2024/QTR1', lines)
  for (const one of all) {
    const { accession, form, filedDate, period, name, cik } = one
    const { cover, table } = submissionOf(one)
    const [filed, reported] = [filedDate, period].map((day) => day.replaceAll('-', ''))
    const documents = [['primary_doc.xml', form, cover] as const, ['table.xml', 'INFORMATION TABLE', table] as const]
    const texts = documents.map(([file, type, content]) =>
      content === null
        ? ''
        : `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>1\n<FILENAME>${file}\n<TEXT>\n<XML>\n${content.trim()}\n</XML>\n</TEXT>\n</DOCUMENT>\n`,
    )
    const head = `<SEC-DOCUMENT>${accession}.txt : ${filed}\n<SEC-HEADER>${accession}.hdr.sgml : ${filed}\nACCESSION NUMBER:\t\t${accession}\nCONFORMED SUBMISSION TYPE:\t${form}\nCONFORMED PERIOD OF REPORT:\t${reported}\nFILED AS OF DATE:\t\t${filed}\n\nFILER:\n\n\tCOMPANY DATA:\n\t\tCOMPANY CONFORMED NAME:\t\t\t${name}\n\t\tCENTRAL INDEX KEY:\t\t\t${cik}\n</SEC-HEADER>\n`
    await writeFile(
      path.join(root, `Archives/edgar/data/1/${accession}.txt`),
      `${head}${texts.join('')}</SEC-DOCUMENT>\n`,
    )
  }
  return openWorld(t, { root, ...(database && { database }) })
}
