/** Pages of hostile data: names with markup and marks of direction, a document of 12 MB, and more tabs than streams. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { reusedDatabase } from '../support/reused.ts'
import { serveLoaded } from '../support/served.ts'
import { temporaryFolder, writeIndex } from '../support/world.ts'

const database = await reusedDatabase({ after })

/** Size of a page over the wire (docs of the explorer: at most 150 KB). */
const BYTES = 150_000
const accessionOf = (n: number) => `00000001${n}-26-000001`

/** @param filed names of filers, and the text of the only document of each filing, if EDGAR has it */
async function serve(t: TestContext, filed: readonly (readonly [name: string, html?: string])[]) {
  const root = await temporaryFolder(t)
  const line = (name: string, n: number) => `1${n}|${name}|10-K|2026-08-03|edgar/data/1${n}/${accessionOf(n)}.txt`
  await writeIndex(
    root,
    '2026/QTR3',
    filed.map(([name], n) => line(name, n + 10)),
  )
  for (const [n, [name, html]] of filed.entries()) {
    if (html === undefined) continue
    const folder = path.join(root, `Archives/edgar/data/1${n + 10}`)
    await mkdir(folder, { recursive: true })
    await writeFile(path.join(folder, `${accessionOf(n + 10)}.txt`), submission(n + 10, name, html))
  }
  const served = await serveLoaded(t, { root, database: await database.emptied() })
  const headers = { accept: 'text/html', cookie: `openfilings_key=${served.keys.full}` }
  const open = async (page: string) => {
    const response = await fetch(served.origin + page, { headers, redirect: 'manual' })
    return { status: response.status, text: await response.text() }
  }
  return { served, headers, open }
}

const submission = (n: number, name: string, html: string) => `<SEC-DOCUMENT>${accessionOf(n)}.txt : 20260803
<SEC-HEADER>${accessionOf(n)}.hdr.sgml : 20260803
<ACCEPTANCE-DATETIME>20260803120000
ACCESSION NUMBER:		${accessionOf(n)}
CONFORMED SUBMISSION TYPE:	10-K
PUBLIC DOCUMENT COUNT:		1
CONFORMED PERIOD OF REPORT:	20260630
FILED AS OF DATE:		20260803

FILER:

	COMPANY DATA:
		COMPANY CONFORMED NAME:			${name}
		CENTRAL INDEX KEY:			00000001${n}
</SEC-HEADER>
<DOCUMENT>\n<TYPE>10-K\n<SEQUENCE>1\n<FILENAME>a.htm\n<TEXT>\n${html}\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>
`

test('a name with markup or marks of direction is text on every page, and does not reverse the words of the page', async (t) => {
  const names = ['<img src=x onerror=alert(1)>', 'GAMMA \u202eCNI\u2066 LTD', '"><script>alert(2)</script>&amp;']
  const { served, open } = await serve(
    t,
    names.map((name) => [name] as const),
  )
  const pages = [10, 11, 12].flatMap((n) => [`/filing/${accessionOf(n)}`, `/company/1${n}`])
  for (const page of ['/filings', '/search?q=gamma', '/search?q=script', ...pages]) {
    const { status, text } = await open(page)
    assert.equal(status, 200, page)
    assert.doesNotMatch(text, /<img src=x|<script>alert|[\u202a-\u202e\u2066-\u2069]/, page)
  }
  const { text } = await open('/filings')
  assert.match(text, /&lt;img src=x onerror=alert\(1\)&gt;/)
  assert.match(text, /GAMMA CNI LTD/)
  // The data keep the name as filed.
  const { rows } = await served.json<{ rows: { company_name: string }[] }>('/filings?cik=111')
  assert.equal(rows[0]!.company_name, names[1])
})

test('a document of 12 MB is read in parts, each at most 150 KB over the wire', async (t) => {
  const section = (name: string, words: number) =>
    `<p><b>${name}</b></p>\n${`<p>${'The registrant sells tools to farms and keeps its stores open. '.repeat(8)}</p>\n`.repeat(words)}`
  const html = `<html><body>${section('Item 1. Business', 14_000)}${section('Item 1A. Risk Factors', 11_000)}</body></html>`
  assert.ok(html.length > 12_000_000)
  const { open } = await serve(t, [['ALPHA INC', html]])
  const at = `/filing/${accessionOf(10)}`
  for (const page of [at, `${at}/text`, `${at}/text?q=tools`, `${at}/text?at=9000000&length=20`]) {
    const { status, text } = await open(page)
    assert.equal(status, 200, page)
    assert.ok(gzipSync(text).length < BYTES, `${page}: ${gzipSync(text).length} bytes`)
    assert.ok(text.length < 1_000_000, `${page}: ${text.length} letters`)
  }
})

test('a tab beyond the fifty streams of a key shows its page, and its stream is refused with the reason', async (t) => {
  const { served, headers, open } = await serve(t, [['ALPHA INC']])
  const follow = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const request = get(`${served.origin}/events/live?form=10-K`, {
        headers: { ...headers, accept: 'text/event-stream' },
      })
      request.on('response', resolve).on('error', reject)
      t.after(() => request.destroy())
    })
  const tabs = await Promise.all(Array.from({ length: 60 }, follow))
  const statuses = tabs.map(({ statusCode }) => statusCode)
  assert.equal(statuses.filter((status) => status === 200).length, 50)
  assert.equal(statuses.filter((status) => status === 429).length, 10)
  const { status, text } = await open('/events?form=10-K')
  assert.equal(status, 200)
  assert.match(text, /What is new, corrected or withdrawn/)
})
