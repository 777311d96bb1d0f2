/**
 * Documents as filed: a document shows pictures of its own filing, and nothing of any other address.
 *
 * @ci it needs Chromium
 */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import path from 'node:path'
import { after, test } from 'node:test'
import { launch, noChromium } from '../support/chromium.ts'
import { uuencoded } from '../support/documents-made.ts'
import { serveLoaded } from '../support/served.ts'
import { temporaryFolder, writeIndex } from '../support/world.ts'

const ACCESSION = '0000000111-26-000001'
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script></svg>\n'
/** Addresses that a document may name, with the widths that their pictures have in the document. */
const PICTURES = {
  'dot.gif': 1,
  'https://example.org/other.gif': 0,
  // Files of this service, documents of the filing that are not pictures, and pictures of another filing.
  '/icon.svg': 0,
  '/v1/status': 0,
  'drawing.svg': 0,
  'alpha.htm': 0,
  '../0000000111-26-000002/dot.gif': 0,
}
const HTML = `<html><body><p>Hello</p>${Object.keys(PICTURES).map((src) => `<img src="${src}">`)}
<script>document.body.title = 'a script ran'</script></body></html>\n`

const picture = uuencoded('dot.gif', GIF).replace(/<\/?PDF>\n?/g, '')
const document = (seq: number, type: string, filename: string, text: string) =>
  `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>${seq}\n<FILENAME>${filename}\n<TEXT>\n${text}\n</TEXT>\n</DOCUMENT>\n`
const submission = `<SEC-DOCUMENT>${ACCESSION}.txt : 20260803
<SEC-HEADER>${ACCESSION}.hdr.sgml : 20260803
ACCESSION NUMBER:		${ACCESSION}
CONFORMED SUBMISSION TYPE:	10-K
PUBLIC DOCUMENT COUNT:		3
FILED AS OF DATE:		20260803

FILER:

	COMPANY DATA:
		COMPANY CONFORMED NAME:			ALPHA INC
		CENTRAL INDEX KEY:			0000000111
</SEC-HEADER>
${document(1, '10-K', 'alpha.htm', HTML)}${document(2, 'GRAPHIC', 'dot.gif', picture)}${document(3, 'GRAPHIC', 'drawing.svg', SVG)}</SEC-DOCUMENT>
`

async function serve(t: Parameters<typeof serveLoaded>[0]) {
  const root = await temporaryFolder(t)
  await writeIndex(root, '2026/QTR3', [`111|ALPHA INC|10-K|2026-08-03|edgar/data/111/${ACCESSION}.txt`])
  await mkdir(path.join(root, 'Archives/edgar/data/111'), { recursive: true })
  await writeFile(path.join(root, `Archives/edgar/data/111/${ACCESSION}.txt`), submission)
  return serveLoaded(t, { root })
}
const served = await serve({ after })
const cookie = `openfilings_key=${served.keys.full}`

/** Returns the page around a document, and the folder of the filing in the address of the page's frame. */
async function pageAround(headers: Record<string, string> = {}): Promise<{ text: string; folder: string }> {
  const address = `${served.origin}/filing/${ACCESSION}/original`
  const text = await (await fetch(address, { headers: { cookie, accept: 'text/html', ...headers } })).text()
  return { text, folder: /<iframe [^>]*src="([^"]+\/)1"/.exec(text)![1]! }
}

test('the folder of a document has pictures of its filing only, and requires the same pass', async () => {
  const { folder } = await pageAround()
  const read = (address: string, headers: Record<string, string> = {}) => fetch(served.origin + address, { headers })
  const policy = (await read(`${folder}1`)).headers.get('content-security-policy')!
  assert.match(policy, /^sandbox; default-src 'none'; /)
  const allowed = /img-src ([^;]*);/.exec(policy)![1]
  assert.equal(allowed, `data: ${new URL(served.origin).host}${folder}`)
  const found = await read(`${folder}dot.gif`)
  assert.equal(found.status, 200)
  assert.equal(found.headers.get('content-type'), 'image/gif')
  assert.equal(found.headers.get('x-content-type-options'), 'nosniff')
  assert.match(found.headers.get('content-security-policy')!, /^sandbox; default-src 'none'/)
  assert.deepEqual(Buffer.from(await found.arrayBuffer()), GIF)
  for (const name of ['drawing.svg', 'alpha.htm', 'none.gif', 'DOT.gif', '2x'])
    assert.equal((await read(folder + name)).status, 404, name)
  assert.equal((await read(`/original/public/${ACCESSION}/dot.gif`, { cookie })).status, 401)
})

test('a policy that cannot name the host allows no pictures of the filing, and the page says so', async () => {
  const { hostname, port } = new URL(served.origin)
  const ask = (address: string, host: string) =>
    new Promise<{ policy: string; text: string }>((resolve, reject) => {
      get({ hostname, port, path: address, headers: { host, cookie, accept: 'text/html' } }, async (response) => {
        let text = ''
        for await (const chunk of response.setEncoding('utf8')) text += chunk
        resolve({ policy: String(response.headers['content-security-policy']), text })
      }).on('error', reject)
    })
  const { folder } = await pageAround()
  assert.match((await ask(`${folder}1`, `[::1]:${port}`)).policy, /img-src data:;/)
  const says = /Pictures of the filing are not shown in the document/
  assert.match((await ask(`/filing/${ACCESSION}/original`, `[::1]:${port}`)).text, says)
  assert.doesNotMatch((await pageAround()).text, says)
})

test('a document in its frame shows pictures of its filing, runs nothing, and requests nothing else', {
  skip: noChromium,
}, async (t) => {
  const browser = await launch()
  t.after(() => browser.close())
  const context = await browser.newContext()
  await context.addCookies([{ name: 'openfilings_key', value: served.keys.full, url: served.origin }])
  const page = await context.newPage()
  const requested: string[] = []
  page.on('response', (response) => requested.push(response.url()))
  await page.goto(`${served.origin}/filing/${ACCESSION}/original`, { waitUntil: 'networkidle' })
  const frame = page.frames().find((each) => each !== page.mainFrame())!
  await frame.waitForSelector('img')
  const widths = await frame.evaluate<Record<string, number>>(
    `Object.fromEntries([...document.images].map((one) => [one.getAttribute('src'), one.naturalWidth]))`,
  )
  assert.deepEqual(widths, PICTURES)
  assert.equal(await frame.locator('body').getAttribute('title'), null)
  // The browser ends requests for files that are not pictures, whose answer is a 404.
  const folder = new URL('.', frame.url()).href
  const answered = requested.filter((url) => /\/original\/|\.gif$|\/v1\/|\/icon\.svg$|example/.test(url)).sort()
  assert.deepEqual(answered, [`${folder}1`, `${folder}dot.gif`])
})
