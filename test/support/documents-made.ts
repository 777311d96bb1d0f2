/** Makes submissions for tests of documents as text, in a folder with EDGAR's layout. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { temporaryFolder, writeIndex } from './world.ts'

type After = Parameters<typeof temporaryFolder>[0]

export interface MadeDocument {
  type: string
  /** If absent, the document has no file name. */
  filename?: string
  content: string | Buffer
  description?: string
}

export interface MadeFiling {
  /** The last digits of its accession number. */
  n: number
  form: string
  day: string
  documents: readonly MadeDocument[]
  cik?: number
}

export const CIK = 9000000077
export const NAME = 'OPENFILINGS SPECIMEN TEXTS INC'

export const accessionOf = (n: number) => `0009000077-26-${String(n).padStart(6, '0')}`

/** An EDGAR with these filings, all from one quarter. */
export async function edgarOf(t: After, filings: readonly MadeFiling[]): Promise<string> {
  const root = await temporaryFolder(t)
  const lines: string[] = []
  for (const { n, form, day, documents, cik = CIK } of filings) {
    const file = `edgar/data/${cik}/${accessionOf(n)}.txt`
    lines.push(`${cik}|${NAME}|${form}|${day}|${file}`)
    await mkdir(path.join(root, 'Archives', path.dirname(file)), { recursive: true })
    await writeFile(path.join(root, 'Archives', file), submission(accessionOf(n), { form, day, documents, cik }))
  }
  await writeIndex(root, '2026/QTR3', lines)
  return root
}

function submission(accession: string, { form, day, documents, cik }: Omit<MadeFiling, 'n'>): Buffer {
  const date = day.replaceAll('-', '')
  const head = `<SEC-DOCUMENT>${accession}.txt : ${date}
<SEC-HEADER>${accession}.hdr.sgml : ${date}
ACCESSION NUMBER:\t\t${accession}
CONFORMED SUBMISSION TYPE:\t${form}
PUBLIC DOCUMENT COUNT:\t\t${documents.length}
FILED AS OF DATE:\t\t${date}

FILER:

\tCOMPANY DATA:
\t\tCOMPANY CONFORMED NAME:\t\t\t${NAME}
\t\tCENTRAL INDEX KEY:\t\t\t${String(cik).padStart(10, '0')}
</SEC-HEADER>
`
  const parts: (string | Buffer)[] = [head]
  for (const [i, { type, filename, content, description }] of documents.entries()) {
    const named = filename === undefined ? '' : `<FILENAME>${filename}\n`
    const described = description === undefined ? '' : `<DESCRIPTION>${description}\n`
    parts.push(
      `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>${i + 1}\n${named}${described}<TEXT>\n`,
      content,
      '\n</TEXT>\n</DOCUMENT>\n',
    )
  }
  return Buffer.concat([...parts, '</SEC-DOCUMENT>\n'].map((part) => Buffer.from(part)))
}

/** Wraps a document in EDGAR's wrapper for binary files. */
export function uuencoded(name: string, bytes: Buffer): string {
  const lines: string[] = []
  const code = (value: number) => String.fromCharCode(value === 0 ? 96 : value + 32)
  for (let at = 0; at < bytes.length; at += 45) {
    const line = bytes.subarray(at, at + 45)
    let text = code(line.length)
    for (let i = 0; i < line.length; i += 3) {
      const [a, b = 0, c = 0] = line.subarray(i, i + 3)
      text += code(a! >> 2) + code(((a! & 3) << 4) | (b >> 4)) + code(((b & 15) << 2) | (c >> 6)) + code(c & 63)
    }
    lines.push(text)
  }
  return `<PDF>\nbegin 644 ${name}\n${lines.join('\n')}\n\`\nend\n</PDF>`
}

/** The smallest PDF with a line of text. */
export function pdf(line: string): Buffer {
  const stream = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, i) => {
    const place = text.length
    text += `${i + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const start = text.length
  const entries = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}
