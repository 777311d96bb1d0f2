/**
 * An EDGAR whose feed of current filings is written by a test: one sample filing under many accessions, filed today.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sample, temporaryFolder } from '../world.ts'

export const MODEL = '0001968399-23-000002'
const CIK = 1968399

/** The submission that all others copy. */
export const modelText = () => readFile(path.join(sample, `Archives/edgar/data/${CIK}/${MODEL}.txt`), 'utf8')

export const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
export const accession = (n: number) => `0001968399-26-${String(n).padStart(6, '0')}`

export interface Listed {
  n: number
  cik?: number
  name?: string
  filed?: string
  /** Formats a moment as ISO 8601 with the offset, as EDGAR does. */
  updated?: string
}

/** An entry in EDGAR's format. */
export function entry({ n, cik = CIK, name = 'Model Issuer', filed = daysAgo(0), updated }: Listed): string {
  const at = updated ?? `${filed}T10:00:00-05:00`
  const folder = `https://www.sec.gov/Archives/edgar/data/${cik}/${accession(n).replaceAll('-', '')}`
  return `<entry>
<title>D - ${name} (${String(cik).padStart(10, '0')}) (Filer)</title>
<link rel="alternate" type="text/html" href="${folder}/${accession(n)}-index.htm"/>
<summary type="html">
 &lt;b&gt;Filed:&lt;/b&gt; ${filed} &lt;b&gt;AccNo:&lt;/b&gt; ${accession(n)} &lt;b&gt;Size:&lt;/b&gt; 4 KB
</summary>
<updated>${at}</updated>
<category scheme="https://www.sec.gov/" label="form type" term="D"/>
<id>urn:tag:sec.gov,2008:accession-number=${accession(n)}</id>
</entry>`
}

/** The same filing as a line of an index. */
export const indexLine = ({ n, cik = CIK, name = 'Model Issuer', filed = daysAgo(0) }: Listed) =>
  `${cik}|${name}|D|${filed}|edgar/data/${cik}/${accession(n)}.txt`

export const page = (entries: readonly string[]) =>
  `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n<title>Latest Filings</title>\n${entries.join('\n')}\n</feed>\n`

export interface Edgar {
  root: string
  /** Replaces the entries of the feed, newest first. A page has a hundred entries. */
  publish(entries: readonly string[]): Promise<void>
  /** Replaces the feed by one page of any bytes. */
  publishText(text: string): Promise<void>
  /** Makes the submission available from now on. */
  release(n: number, cik?: number): Promise<void>
}

export async function feedingEdgar(t: Parameters<typeof temporaryFolder>[0]): Promise<Edgar> {
  const root = await temporaryFolder(t)
  const pages = path.join(root, 'cgi-bin/browse-edgar')
  const model = await modelText()
  await mkdir(pages, { recursive: true })
  const put = async (file: string, text: string) => {
    await mkdir(path.dirname(file), { recursive: true })
    // A page that is read while it is written would be cut.
    await writeFile(`${file}.new`, text)
    await rename(`${file}.new`, file)
  }
  return {
    root,
    async publish(entries) {
      // Pages may be requested from any tenth entry on, and one empty page follows the last.
      for (let start = Math.ceil(entries.length / 10) * 10 + 90; start >= 0; start -= 10)
        await put(path.join(pages, `${start}.atom`), page(entries.slice(start, start + 100)))
    },
    publishText: (text) => put(path.join(pages, '0.atom'), text),
    release: (n, cik = CIK) =>
      put(path.join(root, `Archives/edgar/data/${cik}/${accession(n)}.txt`), model.replaceAll(MODEL, accession(n))),
  }
}
