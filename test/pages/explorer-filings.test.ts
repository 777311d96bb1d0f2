/** Pages of filings over the sample: facts next to their sentences, the reader of texts, documents as filed. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withoutKeys } from '../../src/serve/http/secrets.ts'
import { linksIn, openPages, shown } from '../support/pages/sample-pages.ts'
import { serveWorld } from '../support/served.ts'

const { served, cookie, read } = await openPages({ after })

test('each fact of a filing links to its sentence, which is marked in the text', async () => {
  interface Fact {
    evidence: { sequence: number; offset: number; length: number; sentence: string }
  }
  const accession = '0001104659-23-108985'
  const { officers, facts } = await served.json<{ officers: Fact[]; facts: Fact[] }>(
    `/eightk/by-accession/${accession}`,
  )
  const pages = [await read(`/filing/${accession}`), await read(`/eightk/by-accession/${accession}`)]
  assert.ok(officers.length > 5 && facts.length > 0)
  for (const { evidence } of [...officers, ...facts]) {
    const { sequence, offset, length, sentence } = evidence
    const address = `/filing/${accession}/text?sequence=${sequence}&at=${offset}&length=${length}`
    for (const { text } of pages) assert.ok(linksIn(text).includes(`${address}#here`), `${address} is not linked`)
    const { status, text } = await read(address)
    assert.equal(status, 200)
    const marked = Array.from(text.matchAll(/<mark class="here"(?: id="here")?>(.*?)<\/mark>/gs), ([, words]) => words)
    assert.equal(shown(marked.join('')), sentence)
    assert.equal(text.match(/id="here"/g)!.length, 1)
    // The page shows the same facts next to the text.
    assert.match(text, /<aside class="read-facts"/)
  }
  // The terms of an offering come from one of its filings, but not from the first filing.
  const ipo = (await read('/ipos/by-accession/0001628280-24-012380')).text
  assert.ok(
    linksIn(ipo).some((href) => href.startsWith('/filing/0001628280-24-012380/text?sequence=1&at=189&length=17')),
  )
  const fund = (await read('/fund-launches/by-accession/0001193125-24-100942')).text
  assert.ok(
    linksIn(fund).some((href) => href.startsWith('/filing/0001193125-24-100942/text?sequence=1&at=524&length=36')),
  )
})

test('the document reader finds words, and links to each place', async () => {
  const at = '/filing/0001104659-23-108985/text'
  const { text } = await read(`${at}?sequence=1&q=DIRECTORS`)
  const places = linksIn(text).filter((href) => href.includes('q=DIRECTORS') && href.includes('at='))
  assert.ok(places.length >= 3, `${places.length} places`)
  for (const place of places) {
    const found = (await read(place.replace(/#.*/, ''))).text
    assert.match(found, /<mark class="here" id="here">directors<\/mark>/i)
  }
  assert.match(shown((await read(`${at}?q=zzzyx`)).text), /This document does not contain “zzzyx”/)
  const hostile = await read(`${at}?q=${encodeURIComponent('<script>(a+)+$')}`)
  assert.ok(!hostile.text.includes('<script>(a'))
  for (const [query, status] of [
    ['at=99999999', 400],
    ['at=x', 400],
    ['colour=blue', 400],
    ['sequence=77', 404],
  ] as const)
    assert.equal((await read(`${at}?${query}`)).status, status, query)
  // The first filing has a form without text, and the second filing does not exist.
  assert.equal((await read('/filing/0001958244-23-000454/text')).status, 404)
  assert.equal((await read('/filing/0000000000-00-000000/text')).status, 404)
})

test('a document as filed is shown in a sandbox, and its address requires a pass and accepts no cookie', async () => {
  const accession = '0001104659-23-108985'
  const { text } = await read(`/filing/${accession}/original`)
  const [, src] = /<iframe class="original" sandbox src="([^"]+)"/.exec(text)!
  const plain = { redirect: 'manual' } as const
  const framed = await fetch(served.origin + src, plain)
  assert.equal(framed.status, 200)
  const api = await served.get(`/edgar/doc/${accession}/1`)
  assert.deepEqual(Buffer.from(await framed.arrayBuffer()), Buffer.from(await api.arrayBuffer()))
  const policy = framed.headers.get('content-security-policy')!
  assert.match(
    policy,
    /^sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: [^ ;]+; base-uri 'none'; /,
  )
  assert.doesNotMatch(policy, /allow-|script-src/)
  assert.equal(framed.headers.get('set-cookie'), null)
  // The cookie does not open the document. The pass of another filing, a changed pass and an old pass do not open it
  // either.
  const [, , pass = ''] = src!.split('/')
  const [keyId, until, signature] = pass.split('.') as [string, string, string]
  const at = (given: string, filing = accession) => `/original/${given}/${filing}/1`
  assert.equal(src, at(pass))
  assert.equal(withoutKeys(src!), at(`${keyId}.${until}.[redacted]`))
  for (const [wrong, headers] of [
    [at('public'), { cookie }],
    [at(pass, '0000320193-24-000123'), {}],
    [at(`${keyId}.${Number(until) + 1}.${signature}`), {}],
    [at(`${keyId}.1000000000000.${signature}`), {}],
    [at(`${keyId}.${until}`), {}],
    [at(`none.${until}.${signature}`), {}],
  ] as const) {
    const refused = await fetch(served.origin + wrong, { ...plain, headers })
    assert.equal(refused.status, 401, wrong)
    assert.match(refused.headers.get('content-security-policy')!, /^sandbox;/)
    assert.match(await refused.text(), /Load the page around it again/)
  }
  assert.equal((await read(`/filing/${accession}/original?sequence=9`)).status, 404)
})

test('if pages are public, a frame needs no pass, and states why a document is missing', async (t) => {
  const { origin } = await serveWorld(t, served, { publicPages: true })
  assert.equal((await fetch(`${origin}/original/public/0001104659-23-108985/1`)).status, 200)
  const absent = await fetch(`${origin}/original/public/0001104659-23-108985/9`)
  assert.equal(absent.status, 404)
  assert.match(await absent.text(), /The document is not available.*openfilings ingest/s)
})
