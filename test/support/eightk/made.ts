/** Current reports as EDGAR would serve them, for tests. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { writeIndex } from '../world.ts'

export interface MadeReport {
  /** The last digits of its accession number. */
  n: number
  form?: string
  day: string
  /** Lines ITEM INFORMATION of its header. */
  header?: readonly string[]
  /** Paragraphs of its main document; headings begin with #. */
  paragraphs: readonly string[]
  exhibits?: readonly { type: string; paragraphs: readonly string[] }[]
  /** CIKs and names of further filers of a joint report. */
  jointly?: readonly (readonly [cik: number, name: string])[]
}

export const CIK = 9000000301
const NAME = 'OPENFILINGS SPECIMEN CURRENT REPORTS INC'

export const accessionOf = (n: number) => `${CIK}-10-${String(n).padStart(6, '0')}`

const filersOf = (jointly: MadeReport['jointly'] = []) => [[CIK, NAME] as const, ...jointly]

const pathOf = (n: number) => `edgar/data/${CIK}/${accessionOf(n)}.txt`

const html = (paragraphs: readonly string[]) =>
  `<html><body>\n${paragraphs.map((line) => (line.startsWith('#') ? `<h2>${line.slice(1).trim()}</h2>` : `<p>${line}</p>`)).join('\n')}\n</body></html>`

function submission({
  n,
  form = '8-K',
  day,
  header = [],
  paragraphs,
  exhibits = [],
  jointly = [],
}: MadeReport): string {
  const date = day.replaceAll('-', '')
  const documents = [{ type: form, paragraphs }, ...exhibits]
  return [
    `<SEC-DOCUMENT>${accessionOf(n)}.txt : ${date}`,
    `<SEC-HEADER>${accessionOf(n)}.hdr.sgml : ${date}`,
    `ACCESSION NUMBER:\t\t${accessionOf(n)}`,
    `CONFORMED SUBMISSION TYPE:\t${form}`,
    `PUBLIC DOCUMENT COUNT:\t\t${documents.length}`,
    `CONFORMED PERIOD OF REPORT:\t${date}`,
    ...header.map((item) => `ITEM INFORMATION:\t\t${item}`),
    `FILED AS OF DATE:\t\t${date}`,
    ...filersOf(jointly).flatMap(([cik, name]) => [
      '\nFILER:\n\n\tCOMPANY DATA:\t',
      `\t\tCOMPANY CONFORMED NAME:\t\t\t${name}`,
      `\t\tCENTRAL INDEX KEY:\t\t\t${cik}`,
    ]),
    '\n</SEC-HEADER>',
    ...documents.map(
      ({ type, paragraphs }, i) =>
        `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>${i + 1}\n<FILENAME>document${i + 1}.htm\n<TEXT>\n${paragraphs.length > 0 ? html(paragraphs) : ''}\n</TEXT>\n</DOCUMENT>`,
    ),
    '</SEC-DOCUMENT>\n',
  ].join('\n')
}

/** Writes the reports below a root with EDGAR's layout. */
export async function writeReports(root: string, reports: readonly MadeReport[]): Promise<void> {
  await mkdir(path.join(root, 'Archives/edgar/data', String(CIK)), { recursive: true })
  for (const report of reports) await writeFile(path.join(root, 'Archives', pathOf(report.n)), submission(report))
}

/** Writes indexes with exactly these reports, all of them in first quarters. */
export async function listReports(root: string, reports: readonly MadeReport[]): Promise<void> {
  for (const [year, own] of Map.groupBy(reports, ({ day }) => day.slice(0, 4))) {
    const lines = own.flatMap(({ n, form = '8-K', day, jointly }) =>
      filersOf(jointly).map(([cik, name]) => [cik, name, form, day, pathOf(n)].join('|')),
    )
    await writeIndex(root, `${year}/QTR1`, lines)
  }
}
