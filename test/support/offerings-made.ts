/** Makes filings of offerings as EDGAR would serve them, for tests and for the sample's specimens. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { writeIndex } from './world.ts'

export interface MadeOffering {
  /** The last digits of the filing's accession number. */
  n: number
  form: string
  day: string
  cik?: number
  name?: string
  /** File number under the Securities Act; for a Form 8-A, the file number of the class. */
  file?: string
  sic?: string
  effective?: string
  /** CIKs and names of further filers of the filing. */
  jointly?: readonly (readonly [cik: number, name: string])[]
  /** The main document; the kind of the offering is determined from the beginning of this text. */
  content?: string
}

export const CIK = 9000000201
export const NAME = 'OPENFILINGS SPECIMEN OFFERINGS INC'

export const accessionOf = (n: number, cik = CIK) => `${cik}-10-${String(n).padStart(6, '0')}`

/** Writes the filings below a root with EDGAR's layout; `list` adds them to its index. */
export async function writeOfferings(root: string, filings: readonly MadeOffering[]): Promise<void> {
  for (const filing of filings) {
    const file = path.join(root, 'Archives', pathOf(filing))
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, submission(filing))
  }
}

const pathOf = ({ n, cik = CIK }: MadeOffering) => `edgar/data/${cik}/${accessionOf(n, cik)}.txt`

/** Writes indexes with exactly these filings, all from the first half of 2010. */
export async function list(root: string, filings: readonly MadeOffering[]): Promise<void> {
  for (const [quarter, first, last] of [
    ['2010/QTR1', '01', '03'],
    ['2010/QTR2', '04', '06'],
  ] as const) {
    const own = filings.filter(({ day }) => day.slice(5, 7) >= first && day.slice(5, 7) <= last)
    await writeIndex(root, quarter, own.flatMap(linesOf))
  }
}

export const lineOf = (filing: MadeOffering) =>
  [filing.cik ?? CIK, filing.name ?? NAME, filing.form, filing.day, pathOf(filing)].join('|')

/** A line for each filer. */
const linesOf = (filing: MadeOffering) => {
  const filers = [filing, ...(filing.jointly ?? []).map(([cik, name]) => ({ ...filing, cik, name }))]
  return filers.map((one) => lineOf(one).replace(/[^|]*$/, pathOf(filing)))
}

export function submission(filing: MadeOffering): string {
  const { n, form, day, cik = CIK, name = NAME, file, sic = 'PHARMACEUTICAL PREPARATIONS [2834]', effective } = filing
  const { jointly = [], content = '<html><body><p>A letter.</p></body></html>' } = filing
  const accession = accessionOf(n, cik)
  const date = day.replaceAll('-', '')
  const isData = content.startsWith('<?xml')
  return `<SEC-DOCUMENT>${accession}.txt : ${date}
<SEC-HEADER>${accession}.hdr.sgml : ${date}
ACCESSION NUMBER:\t\t${accession}
CONFORMED SUBMISSION TYPE:\t${form}
PUBLIC DOCUMENT COUNT:\t\t1
FILED AS OF DATE:\t\t${date}
${effective ? `EFFECTIVENESS DATE:\t\t${effective.replaceAll('-', '')}\n` : ''}
FILER:

\tCOMPANY DATA:
\t\tCOMPANY CONFORMED NAME:\t\t\t${name}
\t\tCENTRAL INDEX KEY:\t\t\t${String(cik).padStart(10, '0')}
\t\tSTANDARD INDUSTRIAL CLASSIFICATION:\t${sic}
\t\tSTATE OF INCORPORATION:\t\t\tDE

\tFILING VALUES:
\t\tFORM TYPE:\t\t${form}
${file ? `\t\tSEC ACT:\t\t${file.startsWith('001') ? '1934' : '1933'} Act\n\t\tSEC FILE NUMBER:\t${file}\n` : ''}
\tBUSINESS ADDRESS:
\t\tSTREET 1:\t\t1 SPECIMEN STREET
\t\tCITY:\t\t\tBOSTON
\t\tSTATE:\t\t\tMA
\t\tZIP:\t\t\t02110
${jointly.map(([other, called]) => `\nFILER:\n\n\tCOMPANY DATA:\n\t\tCOMPANY CONFORMED NAME:\t\t\t${called}\n\t\tCENTRAL INDEX KEY:\t\t\t${other}\n`).join('')}</SEC-HEADER>
<DOCUMENT>
<TYPE>${form}
<SEQUENCE>1
<FILENAME>${isData ? 'primary_doc.xml' : 'document.htm'}
<TEXT>
${isData ? `<XML>\n${content}\n</XML>` : content}
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`
}

const LEGEND = 'Any representation to the contrary is a criminal offense.'

export interface MadeCover {
  /** False for a priced prospectus. */
  preliminary?: boolean
  title?: string
  paragraphs: readonly string[]
  /** Rows of the table of Item 501(b)(3). */
  rows?: readonly (readonly [string, string, string])[]
  /** Lines at the foot. */
  foot?: readonly string[]
}

/** Returns a cover, and the beginning of the text after it. */
export function cover({ preliminary = false, title, paragraphs, rows = [], foot = [] }: MadeCover): string {
  const lines = [
    preliminary ? '<p>FORM S-1</p><p><b>Subject to completion, dated 2010</b></p>' : '',
    '<h1>PROSPECTUS</h1>',
    title ? `<h2>${title}</h2>` : '',
    ...paragraphs.map((sentence) => `<p>${sentence}</p>`),
    rows.length > 0
      ? `<table>${[['', 'Per share', 'Total'], ...rows].map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`
      : '',
    `<p>Neither the Securities and Exchange Commission nor any state has approved of these securities. ${LEGEND}</p>`,
    ...foot.map((line) => `<p><b>${line}</b></p>`),
    '<p>The date of this prospectus is a day in 2010. It is one of the specimens of this project and nobody offers anything by it.</p>',
    '<h2>TABLE OF CONTENTS</h2><p>Risk factors</p>',
  ]
  return `<html><body>\n${lines.filter((line) => line !== '').join('\n')}\n</body></html>`
}

/** Returns the document of a notice of effectiveness. */
export const notice = (form: string, day: string) =>
  `<?xml version="1.0"?>\n<edgarSubmission><submissionType>EFFECT</submissionType><effectiveData><finalEffectivenessDispDate>${day}</finalEffectivenessDispDate><form>${form}</form></effectiveData></edgarSubmission>`

/** Returns the document of a Form 8-A that names this file number. */
export const form8a = (file: string) =>
  `<html><body><p>FORM 8-A</p><p>Securities Act registration statement file number to which this form relates: ${file}</p></body></html>`
