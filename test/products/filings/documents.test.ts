/** `/edgar/doc`: original bytes, none of which can run as code in our origin. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { parseRange } from '../../../src/products/docs/range.ts'
import { codeOf } from '../../support/error-codes.ts'
import { reusedDatabase } from '../../support/reused.ts'
import { serveLoaded } from '../../support/served.ts'
import { temporaryFolder, writeIndex } from '../../support/world.ts'

const ACCESSION = '0000000111-26-000001'
const HTML = '<html><script>alert(1)</script><p>Hello</p></html>\n'
const XML = '<?xml version="1.0"?>\n<a>1</a>\n'

const document = (seq: number, type: string, filename: string, text: string) =>
  `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>${seq}\n<FILENAME>${filename}\n<TEXT>\n${text}</TEXT>\n</DOCUMENT>\n`

const SUBMISSION = `<SEC-DOCUMENT>${ACCESSION}.txt : 20260803
<SEC-HEADER>${ACCESSION}.hdr.sgml : 20260803
<ACCEPTANCE-DATETIME>20260803120000
ACCESSION NUMBER:		${ACCESSION}
CONFORMED SUBMISSION TYPE:	10-K
PUBLIC DOCUMENT COUNT:		3
CONFORMED PERIOD OF REPORT:	20260630
FILED AS OF DATE:		20260803

FILER:

	COMPANY DATA:
		COMPANY CONFORMED NAME:			ALPHA INC
		CENTRAL INDEX KEY:			0000000111
</SEC-HEADER>
${document(1, '10-K', 'alpha.htm', HTML)}${document(2, 'EX-99', 'data.xml', `<XML>\n${XML}</XML>\n`)}${document(3, 'GRAPHIC', 'dot".gif', 'begin 644 dot.gif\n&1TE&.#EA\n \nend\n')}</SEC-DOCUMENT>
`

const database = await reusedDatabase({ after })

/** @param text the submission that EDGAR has; null if it has none */
async function serve(t: Parameters<typeof serveLoaded>[0], text: string | null = SUBMISSION) {
  const root = await temporaryFolder(t)
  await writeIndex(root, '2026/QTR3', [`111|ALPHA INC|10-K|2026-08-03|edgar/data/111/${ACCESSION}.txt`])
  await mkdir(path.join(root, 'Archives/edgar/data/111'), { recursive: true })
  if (text !== null) await writeFile(path.join(root, `Archives/edgar/data/111/${ACCESSION}.txt`), text)
  return serveLoaded(t, { root, database: await database.emptied() })
}

test('a document has its own type, may be cached for ever, is sandboxed, and is fetched from EDGAR once', async (t) => {
  const served = await serve(t)
  const fetched = () => served.host.requests.filter(({ path }) => path.endsWith(`${ACCESSION}.txt`)).length
  assert.equal(fetched(), 0)
  const [response] = await Promise.all([1, 2, 3].map(() => served.get(`/edgar/doc/${ACCESSION}/1`)))
  assert.equal(response!.status, 200)
  assert.match(response!.headers.get('content-type')!, /^text\/html/)
  assert.match(response!.headers.get('cache-control')!, /immutable/)
  assert.equal(response!.headers.get('x-content-type-options'), 'nosniff')
  assert.match(response!.headers.get('content-security-policy')!, /^sandbox;.*default-src 'none'/)
  assert.equal(await response!.text(), HTML)
  assert.equal(fetched(), 1)
})

test('raw=1 removes the tags around an XML document; without it the bytes are as filed', async (t) => {
  const served = await serve(t)
  assert.equal(await (await served.get(`/edgar/doc/${ACCESSION}/2`)).text(), `<XML>\n${XML}</XML>\n`)
  const raw = await served.get(`/edgar/doc/${ACCESSION}/2?raw=1`)
  assert.match(raw.headers.get('content-type')!, /xml/)
  assert.equal((await raw.text()).trim(), XML.trim())
})

test('an image is decoded, its type is determined by its bytes, and its name cannot inject a header', async (t) => {
  const served = await serve(t)
  const response = await served.get(`/edgar/doc/${ACCESSION}/3`)
  assert.equal(response.headers.get('content-type'), 'image/gif')
  assert.equal(response.headers.get('content-disposition'), `inline; filename="${ACCESSION}-3"`)
  assert.equal(await response.text(), 'GIF89a')
})

test('a byte range is answered 206 with those bytes, and a known ETag 304', async (t) => {
  const served = await serve(t)
  const url = `/edgar/doc/${ACCESSION}/1`
  const ask = (headers: Record<string, string>) => served.get(url, { 'x-api-key': served.keys.full, ...headers })
  const part = await ask({ range: 'bytes=6-12' })
  assert.equal(part.status, 206)
  assert.equal(part.headers.get('content-range'), `bytes 6-12/${HTML.length}`)
  assert.equal(await part.text(), HTML.slice(6, 13))
  const etag = part.headers.get('etag')!
  assert.equal((await ask({ 'if-none-match': etag })).status, 304)
  assert.equal((await ask({ range: 'bytes=0-0', 'if-range': '"other"' })).status, 200)
})

test('a range after the end is 416 in the common error format, with the length of the document', async (t) => {
  const served = await serve(t)
  const range = `bytes=${HTML.length}-`
  const message = `the document has ${HTML.length} bytes: none are in the requested range`
  const asks: [path: string, accept: string, type: RegExp, readBody: (text: string) => unknown][] = [
    ['', '*/*', /^text\/plain/, (text) => text.trim()],
    ['?format=json', '*/*', /^application\/json/, (text) => JSON.parse(text).error],
    ['', 'application/json', /^application\/json/, (text) => JSON.parse(text).error],
    ['', 'application/problem+json', /^application\/problem\+json/, (text) => JSON.parse(text).error],
  ]
  for (const [query, accept, type, read] of asks) {
    const url = `/edgar/doc/${ACCESSION}/1${query}`
    const response = await served.get(url, { 'x-api-key': served.keys.full, range, accept })
    assert.equal(response.status, 416)
    assert.equal(response.headers.get('content-range'), `bytes */${HTML.length}`)
    assert.equal(response.headers.get('accept-ranges'), 'bytes')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.match(response.headers.get('content-type')!, type)
    const text = await response.text()
    assert.equal(read(text), message)
    if (type.source.includes('json')) assert.equal(codeOf(416, JSON.parse(text)), 'range_not_satisfiable')
  }
})

test('errors are JSON only if the request asks for JSON', async (t) => {
  const served = await serve(t)
  const missing = `/edgar/doc/${ACCESSION}/99`
  const plain = await served.get(missing)
  assert.equal(plain.status, 404)
  assert.doesNotMatch(plain.headers.get('content-type')!, /json/)
  for (const response of [
    await served.get(`${missing}?format=json`),
    await served.get(missing, { 'x-api-key': served.keys.full, accept: 'application/json' }),
  ]) {
    const body = (await response.json()) as { error: string }
    assert.equal(codeOf(response.status, body), 'document_not_found')
    assert.match(body.error, /no document 99/)
  }
})

test('a document above 250 MB is 413 without being read', async (t) => {
  const served = await serve(t)
  await served.get(`/edgar/doc/${ACCESSION}/1`)
  await served.sql`
    update edgar.look_up set documents = jsonb_set(documents, '{0,size}', '262144001') where accession = ${ACCESSION}`
  const large = await served.get(`/edgar/doc/${ACCESSION}/1?format=json`)
  assert.equal(codeOf(large.status, await large.json()), 'document_too_large')
  await served.sql`
    update edgar.look_up set documents = jsonb_set(documents, '{0,size}', '262144000') where accession = ${ACCESSION}`
  assert.equal(
    (await served.get(`/edgar/doc/${ACCESSION}/1`, { 'x-api-key': served.keys.full, range: 'bytes=0-3' })).status,
    206,
  )
})

test('a filing that EDGAR cannot deliver now is 503, and the next request tries again', async (t) => {
  const served = await serve(t)
  served.host.setFaults('unavailable')
  const refused = await served.get(`/edgar/doc/${ACCESSION}/1?format=json`)
  assert.equal(refused.status, 503)
  assert.equal(codeOf(503, await refused.json()), 'edgar_unavailable')
  assert.ok(refused.headers.get('retry-after'))
  served.host.setFaults('')
  assert.equal((await served.get(`/edgar/doc/${ACCESSION}/1`)).status, 200)
})

test('a document that EDGAR lacks, truncates or sends as another type has its own error', async (t) => {
  const cut = SUBMISSION.slice(0, SUBMISSION.indexOf('<XML>') + 3)
  const codes: unknown[] = []
  for (const [text, address] of [
    [SUBMISSION, '0000000111-26-000009/1'],
    [null, `${ACCESSION}/1`],
    ['<html>Not a submission</html>', `${ACCESSION}/1`],
    [cut, `${ACCESSION}/2`],
  ] as const) {
    const served = await serve(t, text)
    const refused = await served.get(`/edgar/doc/${address}?format=json`)
    codes.push(codeOf(refused.status, await refused.json()))
  }
  assert.deepEqual(codes, ['filing_unknown', 'submission_missing', 'submission_unreadable', 'document_cut_off'])
})

test('a document that is cut off has a reason in place of an address', async (t) => {
  const served = await serve(t, SUBMISSION.slice(0, SUBMISSION.indexOf('<XML>') + 3))
  const filing = (await (await served.get(`/filing/${ACCESSION}`)).json()) as {
    documents: { seq: number; url: string | null; is_cut_off?: true; cut_off_reason?: string }[]
    capabilities: { original: string | null }
  }
  const [whole, cut] = filing.documents
  assert.equal(whole!.url, `/v1/edgar/doc/${ACCESSION}/1`)
  assert.equal(whole!.cut_off_reason, undefined)
  assert.deepEqual([cut!.url, cut!.is_cut_off], [null, true])
  assert.match(cut!.cut_off_reason!, /the submission is cut off in document 2, at byte \d+/)
  assert.equal(filing.capabilities.original, `/v1/edgar/doc/${ACCESSION}/1`)
})

test('the pages of a filing say why a document that is cut off cannot be opened, and still open the complete document', async (t) => {
  const served = await serve(t, SUBMISSION.slice(0, SUBMISSION.indexOf('<XML>') + 3))
  const open = async (page: string) => {
    const headers = { accept: 'text/html', cookie: `openfilings_key=${served.keys.full}` }
    const response = await fetch(`${served.origin}${page}`, { headers })
    return { status: response.status, text: await response.text() }
  }
  const reason = /the submission is cut off in document 2, at byte \d+/
  const filing = await open(`/filing/${ACCESSION}`)
  assert.match(filing.text, reason)
  assert.ok(filing.text.includes(`/filing/${ACCESSION}/original?sequence=1`))
  assert.ok(!filing.text.includes(`/filing/${ACCESSION}/original?sequence=2`))
  assert.equal((await open(`/filing/${ACCESSION}/original`)).status, 200)
  const cut = await open(`/filing/${ACCESSION}/original?sequence=2`)
  assert.equal(cut.status, 404)
  assert.match(cut.text, reason)
})

test('reading a document adds nothing to the spine, but /filing still shows its period and acceptance time', async (t) => {
  const served = await serve(t)
  await served.get(`/edgar/doc/${ACCESSION}/1`)
  const [filing] =
    await served.sql`select period_of_report, accepted_at from edgar.filing where accession = ${ACCESSION}`
  assert.deepEqual({ ...filing }, { period_of_report: null, accepted_at: null })
  const { header } = await served.json<{ header: Record<string, string> }>(`/filing/${ACCESSION}`)
  assert.equal(header.period_of_report, '2026-06-30')
  assert.equal(new Date(header.accepted_at!).toISOString(), '2026-08-03T16:00:00.000Z')
})

test('ranges are parsed as RFC 9110 specifies', () => {
  assert.deepEqual(parseRange('bytes=0-0', 10), { first: 0, last: 0 })
  assert.deepEqual(parseRange('bytes=5-', 10), { first: 5, last: 9 })
  assert.deepEqual(parseRange('bytes=-3', 10), { first: 7, last: 9 })
  assert.deepEqual(parseRange('bytes=-30', 10), { first: 0, last: 9 })
  assert.deepEqual(parseRange('bytes=0-100', 10), { first: 0, last: 9 })
  assert.equal(parseRange('bytes=10-', 10), 'unsatisfiable')
  assert.equal(parseRange('bytes=-0', 10), 'unsatisfiable')
  for (const other of [undefined, '', 'bytes=', 'bytes=-', 'bytes=5-2', 'bytes=0-1,3-4', 'lines=1-2'])
    assert.equal(parseRange(other, 10), null)
})
