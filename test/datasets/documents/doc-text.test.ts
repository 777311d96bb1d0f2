/** /doc-text: the text of any filing of the six sources, complete and in parts. */
import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { submissions } from '../../../src/archive/submissions.ts'
import { Died, idleProcesses } from '../../../src/read/apart/process.ts'
import { accessionOf, CIK, edgarOf, type MadeFiling, pdf, uuencoded } from '../../support/documents-made.ts'
import { windows } from '../../support/embedded/scene.ts'
import { codeOf } from '../../support/error-codes.ts'
import { reusedDatabase } from '../../support/reused.ts'
import { type Served, serveWorld } from '../../support/served.ts'
import { often } from '../../support/soak.ts'
import { until } from '../../support/until.ts'
import { openWorld } from '../../support/world.ts'

interface DocText {
  accession: string
  source: string
  sequence: number
  type: string
  format: string
  text: string
  length: number
  offset: number
  next_offset: number | null
  pages: number | null
  documents: { sequence: number; type: string; url: string }[]
}

const page = (body: string, head = '') => `<html><head>${head}</head><body>${body}</body></html>`
const REPORT = page(
  '<p>Annual report</p><p>We sell bolts &amp; nuts. 𝛑 is 3.14.</p><table><tr><th></th><th colspan="2">2026</th></tr><tr><td>Sales</td><td>$</td><td>7</td></tr><tr><td>Costs</td><td>$</td><td>5</td></tr></table>',
)
const htm = (type: string, content: string | Buffer, filename = `${type.toLowerCase()}.htm`) => ({
  type,
  filename,
  content,
})

const FILINGS: MadeFiling[] = [
  { n: 1, form: '10-K', day: '2026-07-01', documents: [htm('10-K', REPORT), htm('EX-99.1', page('<h1>Bolts rise</h1><p>News of bolts.</p>')), { type: 'GRAPHIC', filename: 'logo.jpg', content: 'begin 644 logo.jpg\n#_]C_\n`\nend' }] }, // biome-ignore format: one line a filing
  { n: 2, form: 'S-1', day: '2026-07-02', documents: [htm('S-1', page('<p>Prospectus of bolts</p>'))] },
  { n: 3, form: 'SC 13D', day: '2026-07-03', documents: [{ type: 'SC 13D', filename: 'old.txt', content: 'SCHEDULE 13D\n\nItem 4. Purpose\n' }] }, // biome-ignore format: one line a filing
  {
    n: 4,
    form: '4',
    day: '2026-07-04',
    documents: [{ type: '4', filename: 'form4.xml', content: '<XML>\n<a/>\n</XML>' }],
  },
  { n: 5, form: '10-Q', day: '2026-07-05', documents: [{ type: '10-Q', filename: 'q.jpg', content: 'begin 644 q.jpg\n#_]C_\n`\nend' }] }, // biome-ignore format: one line a filing
  { n: 6, form: '10-Q', day: '2026-07-06', documents: [] },
  { n: 7, form: 'X-17A-5', day: '2026-07-07', documents: [{ type: 'X-17A-5', filename: 'primary_doc.xml', content: '<XML>\n<?xml version="1.0"?>\n<edgarSubmission><brokerName>Bolt Brokers</brokerName><ccc>XXXX</ccc></edgarSubmission>\n</XML>' }, { type: 'FULL', filename: 'full.pdf', content: uuencoded('full.pdf', pdf('Statement of financial condition')) }] }, // biome-ignore format: one line a filing
  { n: 8, form: 'X-17A-5', day: '2026-07-08', documents: [{ type: 'X-17A-5', filename: 'primary_doc.xml', content: '<XML>\n<?xml version="1.0"?>\n<edgarSubmission><brokerName>Bolt_Brokers</brokerName><note/></edgarSubmission>\n</XML>' }, { type: 'FULL', filename: 'full.pdf', content: uuencoded('full.pdf', Buffer.from('%PDF-1.4 cut')) }] }, // biome-ignore format: one line a filing
  // The named charset is wrong: the document is partly cp1252 and partly UTF-8.
  { n: 9, form: '497', day: '2026-07-09', documents: [htm('497', Buffer.concat([Buffer.from('<html><head><meta charset="utf-16"></head><body><p>caf'), Buffer.from([0xe9, 0x20, 0x96, 0x20]), Buffer.from('naïve</p></body></html>')]))] }, // biome-ignore format: one line a filing
  // Plain text under a name for HTML, and HTML under a name for text.
  { n: 10, form: '10-K405', day: '2026-07-10', documents: [{ type: '10-K405', filename: 'a.htm', content: 'Plain <text> of 1996\n\n5 < 6 & 7\n' }] }, // biome-ignore format: one line a filing
  {
    n: 11,
    form: '10-K/A',
    day: '2026-07-11',
    documents: [{ type: '10-K/A', filename: 'a.txt', content: page('<p>Amended</p>') }],
  },
]

const database = await reusedDatabase({ after })

async function served(t: Parameters<typeof openWorld>[0], filings: readonly MadeFiling[] = FILINGS): Promise<Served> {
  const world = await openWorld(t, { root: await edgarOf(t, filings), database: await database.emptied() })
  await world.crawl({ from: '2026-07-01' })
  return serveWorld(t, world)
}

const address = (source: string, n: number, query = '') => `/doc-text/${source}/${accessionOf(n)}${query}`
const withAccept = ({ keys }: Served, accept: string, more: Record<string, string> = {}) => ({
  'x-api-key': keys.full,
  accept,
  ...more,
})

test('a filing is returned as its complete text by default; the Accept header selects the text without JSON', async (t) => {
  const service = await served(t)
  const answer = await service.json<DocText>(address('tenx', 1))
  assert.equal(answer.format, 'markdown')
  assert.match(answer.text, /Annual report\n\nWe sell bolts & nuts\. 𝛑 is 3\.14\./)
  assert.match(answer.text, /\| *Sales *\| *\$7 *\|/)
  assert.deepEqual(
    [answer.sequence, answer.type, answer.length, answer.offset, answer.next_offset],
    [1, '10-K', answer.text.length, 0, null],
  )
  assert.deepEqual(
    answer.documents.map(({ sequence, type }) => [sequence, type]),
    [
      [1, '10-K'],
      [2, 'EX-99.1'],
    ],
  )
  const bare = await service.get(address('tenx', 1), withAccept(service, 'text/markdown'))
  assert.equal(bare.headers.get('content-type'), 'text/markdown; charset=utf-8')
  assert.match(bare.headers.get('vary')!, /accept\b/)
  assert.equal(await bare.text(), answer.text)
  const exhibit = await service.json<DocText>(answer.documents[1]!.url.slice('/v1'.length))
  assert.match(exhibit.text, /^# Bolts rise\n\nNews of bolts\.\n$/)
  const dashless = await service.json<DocText>(`/doc-text/tenx/${accessionOf(1).replaceAll('-', '')}`)
  assert.equal(dashless.text, answer.text)
})

test('each part continues where the previous one ended, keeps its size limit, and splits no character', async (t) => {
  const service = await served(t)
  const { text } = await service.json<DocText>(address('tenx', 1))
  for (const max of [1, 2, 7, 10_000]) {
    let whole = ''
    for (let offset: number | null = 0; offset !== null; ) {
      const part: DocText = await service.json<DocText>(address('tenx', 1, `?max_chars=${max}&offset=${offset}`))
      assert.ok(part.text.isWellFormed() && part.text.length <= Math.max(max, 2) && part.offset === offset)
      whole += part.text
      offset = part.next_offset
    }
    assert.equal(whole, text)
  }
  const status = async (query: string) => (await service.get(address('tenx', 1, query))).status
  assert.equal(await status(`?offset=${text.length}`), 200)
  assert.equal(await status(`?offset=${text.length + 1}`), 400)
  assert.equal(await status(`?offset=${text.indexOf('𝛑') + 1}`), 400)
  for (const query of ['?offset=-1', '?max_chars=0', '?max_chars=x', '?sequence=1.5', '?section='])
    assert.equal(await status(query), 400, query)
})

test('a missing document is a 404 that states the reason and names the right source', async (t) => {
  const service = await served(t)
  const refused = async (route: string) => {
    const answer = await service.get(route)
    const body = (await answer.json()) as { error: string }
    return [answer.status, body.error, codeOf(answer.status, body)] as const
  }
  assert.equal((await refused(address('nope', 1)))[0], 400)
  for (const [route, expected, reason] of [
    [address('s1', 1), 'other_source', new RegExp(`10-K, and its text is at /v1/doc-text/tenx/${accessionOf(1)}`)],
    [address('tenx', 4), 'other_source', /form 4, and no text is made of such filings/],
    [address('tenx', 99), 'not_found', /not found/],
    [address('tenx', 1, '?sequence=3'), 'no_text', /no document 3 .* sequence may be 1 \(10-K\), 2 \(EX-99\.1\)/],
    [address('tenx', 5), 'no_text', /no document that can be read as text/],
    [address('tenx', 6), 'no_text', /no document that can be read as text/],
    [address('x17', 8, '?sequence=2'), 'no_text', /document 2: its PDF is broken/],
  ] as const) {
    const [status, error, code] = await refused(route)
    assert.deepEqual([status, code], [404, expected], error)
    assert.match(error, reason)
  }
})

test('the bytes decide the type and charset of a document; its file name and its own declaration do not', async (t) => {
  const service = await served(t)
  const text = async (source: string, n: number) => {
    const answer = await service.json<DocText>(address(source, n))
    return [answer.format, answer.text]
  }
  assert.deepEqual(await text('fundreg', 9), ['markdown', 'café – naïve\n'])
  assert.deepEqual(await text('tenx', 11), ['markdown', 'Amended\n'])
  const [, plain] = await text('tenx', 10)
  assert.match(plain!, /of 1996[\s\S]*5 .*6 .*7/)
  const [, old] = await text('sc13', 3)
  assert.match(old!, /^# SCHEDULE 13D\n\n## Item 4\. Purpose\n$/)
})

test('the text of a broker’s report is its PDF, or its cover if the PDF has no text', async (t) => {
  const service = await served(t)
  const whole = await service.json<DocText>(address('x17', 7))
  assert.deepEqual([whole.sequence, whole.pages, whole.text], [2, 1, 'Statement of financial condition\n'])
  const cover = await service.json<DocText>(address('x17', 8))
  assert.deepEqual([cover.sequence, cover.text], [1, '# Edgar submission\n\n**Broker name:** Bolt_Brokers\n'])
})

test('a filing that is not in the archive is fetched once for all simultaneous requests, and its text is made once', async (t) => {
  const service = await served(t)
  service.host.setFaults('slow:ms=100')
  const answers = await Promise.all(
    [address('tenx', 1), address('tenx', 1), address('tenx', 1, '?max_chars=5')].map((route) =>
      service.json<DocText>(route),
    ),
  )
  assert.equal(answers[0]!.text, answers[1]!.text)
  assert.equal(service.host.requests.filter((request) => request.path.includes(accessionOf(1))).length, 1)
  // The text and its sections.
  assert.equal((await filesBelow(path.join(service.archive, 'derived'))).length, 2)
  service.host.setFaults('unavailable')
  const failed = await service.get(address('tenx', 10))
  assert.equal(failed.status, 503)
})

test('derived files may be deleted at any time: they are recreated', async (t) => {
  const service = await served(t)
  const first = await service.json<DocText>(address('tenx', 1))
  await rm(path.join(service.archive, 'derived'), { recursive: true })
  // Requests another address, since the first answer is cached.
  const again = await service.json<DocText>(address('tenx', 1, '?offset=0'))
  assert.equal(again.text, first.text)
  // The text and its sections.
  assert.equal((await filesBelow(path.join(service.archive, 'derived'))).length, 2)
})

test('a document that exceeds the reading limit is 404; its reason is kept, and other requests are answered meanwhile', async (t) => {
  const long = page('<p>Bolts and nuts, and more of them.</p>'.repeat(100_000))
  const service = await served(t, [{ n: 1, form: '10-K', day: '2026-07-01', documents: [htm('10-K', long)] }])
  const limited = await serveWorld(t, service, {
    submissions: submissions({ ...service, limits: { milliseconds: 150 } }),
  })
  const answered: string[] = []
  const refused = limited.get(address('tenx', 1)).then(async (response) => {
    answered.push('text')
    return [response.status, ((await response.json()) as { error: string }).error]
  })
  assert.equal((await limited.get('/me')).status, 200)
  answered.push('me')
  const reason = 'document 1: it is excessive: it takes more than 0.15 s to read'
  assert.deepEqual(await refused, [404, `${accessionOf(1)} has no document that can be read as text; ${reason}`])
  assert.deepEqual(answered, ['me', 'text'])
  // Another server with a longer limit finds the failure in the archive: the document is read again when the readers
  // change.
  const again = await service.get(address('tenx', 1))
  assert.equal(again.status, 404)
  assert.match(((await again.json()) as { error: string }).error, /more than 0\.15 s/)
  await rm(path.join(service.archive, 'derived'), { recursive: true })
  assert.equal((await service.json<DocText>(address('tenx', 1, '?max_chars=5'))).text, 'Bolts')
})

test('if the reading process is killed or cannot be started, the answer is 503, and the next request reads the document', {
  skip: windows && 'no /bin/false',
}, async (t) => {
  const service = await served(t)
  const submission = (await service.submissions.get(accessionOf(1)))!
  const dies = () => Promise.reject(new Died('the process that read it ended with SIGKILL'))
  const reason = 'this document cannot be read now: the process that read it ended with SIGKILL; try again'
  await assert.rejects(service.submissions.packed(submission, submission.documents[0]!, dies), {
    status: 503,
    message: reason,
  })
  for (const pid of idleProcesses()) process.kill(pid, 'SIGKILL')
  await until('no idle process is left', () => idleProcesses().length === 0)
  const { execPath } = process
  process.execPath = '/bin/false'
  try {
    const answer = await service.get(address('tenx', 1))
    const { status, headers } = answer
    const body = await answer.json()
    assert.deepEqual([status, headers.get('retry-after')], [503, '5'])
    assert.equal(codeOf(status, body), 'document_unreadable')
  } finally {
    process.execPath = execPath
  }
  assert.equal((await service.get(address('tenx', 1))).status, 200)
})

test('returns one section as its part of the text, and for a missing section a report without any text', async (t) => {
  const item = (title: string, words: string) => `<p><b>${title}</b></p>${`<p>${words}</p>`.repeat(12)}`
  const content = page(
    `<p><b>FORM 10-K</b></p><table><tr><td>Item 1.</td><td>Business</td><td>3</td></tr><tr><td>Item 1A.</td><td>Risk Factors</td><td>5</td></tr><tr><td>Item 2.</td><td>Properties</td><td>9</td></tr></table>` +
      item('Item 1. Business', 'We sell bolts to whoever wants bolts, in boxes of a hundred.') +
      item('Item 1A. Risk Factors', 'Bolts may rust, and nobody may want them any more.') +
      item('Item 2. Properties', 'We own a shed with a roof and two doors.'),
  )
  const service = await served(t, [
    { n: 1, form: '10-K', day: '2026-07-01', documents: [htm('10-K', content), htm('EX-99', page('<p>None</p>'))] },
    { n: 2, form: 'SC 13D', day: '2026-07-02', documents: [htm('SC 13D', page('<p>Item 4. Purpose</p>'))] },
  ])
  type WithSections = DocText & {
    section: { id: string; start: number; end: number } | null
    sections: { id: string }[]
  }
  const whole = await service.json<WithSections>(address('tenx', 1))
  assert.deepEqual([whole.section, whole.sections.map(({ id }) => id)], [null, ['1', '1A', '2']])
  const risks = await service.json<WithSections>(address('tenx', 1, '?section=1a'))
  assert.match(risks.text, /^.{0,8}Item 1A\. Risk Factors/)
  assert.doesNotMatch(risks.text, /shed|boxes/)
  const { start, end } = risks.section!
  assert.deepEqual([risks.text, risks.offset, risks.next_offset], [whole.text.slice(start, end), start, null])
  const part = await service.json<WithSections>(address('tenx', 1, `?section=1A&max_chars=20&offset=${start + 10}`))
  assert.deepEqual([part.text, part.next_offset], [whole.text.slice(start + 10, start + 30), start + 30])
  assert.equal((await service.get(address('tenx', 1, '?section=1A&offset=0'))).status, 400)
  for (const [route, reason] of [
    [
      address('tenx', 1, '?section=7'),
      /the section 7 was not found .* the sections that were found: 1 \(.*\), 1A \(.*\), 2 \(/,
    ],
    [address('tenx', 1, '?section=1A&sequence=2'), /no sections were found in it/],
    [address('sc13', 2, '?section=4'), /no sections were found in it/],
  ] as const) {
    const answer = await service.get(route)
    const body = (await answer.json()) as { error: string }
    assert.equal(codeOf(answer.status, body), 'section_not_found')
    assert.match(body.error, reason)
  }
})

test('a prospectus with its base prospectus is answered section by section, each with an id of its own', async (t) => {
  const cover = (word: string) =>
    `<h2>${word}</h2><p>Neither the Securities and Exchange Commission nor any state securities commission has approved or disapproved of these securities.</p><p>The date of this prospectus is July 1, 2026.</p>`
  const proceeds = (words: string) => `<h2>USE OF PROCEEDS</h2><p>${words}</p>`
  const document = page(
    `${cover('PROSPECTUS SUPPLEMENT')}${proceeds('We will build a plant for bolts with the money of this offering.')}${cover('PROSPECTUS')}${proceeds(`We will use the money of any offering as ${'a supplement to this prospectus may state. '.repeat(5)}`)}`,
  )
  const service = await served(t, [{ n: 1, form: '424B5', day: '2026-07-01', documents: [htm('424B5', document)] }])
  const own = await service.json<DocText>(address('s1', 1, '?section=use-of-proceeds'))
  assert.match(own.text, /a plant for bolts/)
  assert.doesNotMatch(own.text, /disapproved/)
  const base = await service.json<DocText>(address('s1', 1, '?section=use-of-proceeds-2'))
  assert.match(base.text, /money of any offering/)
  const missing = await service.get(address('s1', 1, '?section=use-of-proceeds-3'))
  assert.equal(missing.status, 404)
})

test('a large text is answered like any other: complete, in parts, by section, as Markdown, and with the same errors', async (t) => {
  const item = (title: string, words: string, count: number) =>
    `<p><b>${title}</b></p>${`<p>${words}</p>`.repeat(count)}`
  const content = page(
    item('Item 1. Business', 'We sell bolts to whoever wants bolts, and 𝛑 is 3.14.', 9_000) +
      item('Item 1A. Risk Factors', 'Bolts may rust — and nobody may want them any more.', 4_000) +
      item('Item 2. Properties', 'We own a shed with a roof and two doors.', 100),
  )
  const service = await served(t, [{ n: 1, form: '10-K', day: '2026-07-01', documents: [htm('10-K', content)] }])
  const whole = await service.json<DocText & { sections: { id: string }[] }>(address('tenx', 1))
  assert.ok(whole.text.length > 700_000)
  assert.match(
    whole.text,
    /^(.{0,6}Item 1\. Business\n\n)(We sell bolts to whoever wants bolts, and 𝛑 is 3\.14\.\n\n){9000}/,
  )
  const { format, length, offset, next_offset, pages, sections } = whole
  assert.deepEqual([format, length, offset, next_offset, pages], ['markdown', whole.text.length, 0, null, null])
  assert.deepEqual(
    sections.map(({ id }) => id),
    ['1', '1A', '2'],
  )
  // The members have the same order as those of a small text.
  const small = await (await served(t)).json<DocText>(address('tenx', 1))
  assert.deepEqual(Object.keys(whole), Object.keys(small))
  const again = await serveWorld(t, service)
  const markdown = await again.get(address('tenx', 1), withAccept(again, 'text/markdown'))
  assert.equal(markdown.headers.get('content-type'), 'text/markdown; charset=utf-8')
  assert.ok((await markdown.text()) === whole.text)
  const etag = markdown.headers.get('etag')!
  const held = await again.get(address('tenx', 1), withAccept(again, 'text/markdown', { 'if-none-match': etag }))
  assert.equal(held.status, 304)
  let joined = ''
  for (let at: number | null = 0; at !== null; ) {
    const part: DocText = await again.json<DocText>(address('tenx', 1, `?max_chars=300001&offset=${at}`))
    joined += part.text
    at = part.next_offset
  }
  assert.ok(joined === whole.text)
  const risks = await again.json<DocText & { section: { start: number; end: number } }>(
    address('tenx', 1, '?section=1a'),
  )
  assert.ok(risks.text === whole.text.slice(risks.section.start, risks.section.end) && /rust/.test(risks.text))
  for (const [query, reason] of [
    [`?offset=${length + 1}`, `offset: must be from 0 to ${length}, the bounds of the requested text`],
    [`?offset=${whole.text.indexOf('𝛑') + 1}`, 'offset: must not be in the middle of a character'],
  ] as const) {
    const answer = await again.get(address('tenx', 1, query))
    assert.deepEqual([answer.status, ((await answer.json()) as { error: string }).error], [400, reason])
  }
})

test('an unchanged text is a 304, as JSON and as Markdown, and each has its own ETag', async (t) => {
  const service = await served(t)
  const tags = new Set<string>()
  for (const accept of ['application/json', 'text/markdown', 'text/markdown;q=0.5, application/json;q=0.4']) {
    const first = await service.get(address('tenx', 1), withAccept(service, accept))
    const etag = first.headers.get('etag')!
    tags.add(etag)
    const again = await service.get(address('tenx', 1), withAccept(service, accept, { 'if-none-match': etag }))
    assert.deepEqual([first.status, again.status, await again.text()], [200, 304, ''])
  }
  assert.equal(tags.size, 2)
  assert.equal((await service.get(address('tenx', 1), withAccept(service, 'application/xml'))).status, 406)
})

test('every readable filing of a filer comes newest first, over pages and by source', async (t) => {
  const service = await served(t)
  const list = (query = '') =>
    service.json<{ documents: { accession: string; source: string; url: string }[]; next_cursor: string | null }>(
      `/doc-text/by-cik/${CIK}${query}`,
    )
  const all = await list()
  assert.deepEqual(
    all.documents.map(({ accession, source }) => [Number(accession.slice(-6)), source]),
    [[11, 'tenx'], [10, 'tenx'], [9, 'fundreg'], [8, 'x17'], [7, 'x17'], [6, 'tenx'], [5, 'tenx'], [3, 'sc13'], [2, 's1'], [1, 'tenx']], // biome-ignore format: a table
  )
  let paged: typeof all.documents = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof list>> = await list(`?limit=3${cursor && `&cursor=${cursor}`}`)
    paged = [...paged, ...page.documents]
    cursor = page.next_cursor
  }
  assert.deepEqual(paged, all.documents)
  const some = await list('?sources=s1,sc13')
  assert.deepEqual(
    some.documents.map(({ source }) => source),
    ['sc13', 's1'],
  )
  assert.equal((await service.get(`/v1${some.documents[0]!.url}`.replace('/v1/v1', ''))).status, 200)
  const { next_cursor } = await list('?limit=3')
  assert.equal((await service.get(`/doc-text/by-cik/${CIK}?sources=s1&limit=3&cursor=${next_cursor}`)).status, 400)
  assert.deepEqual((await list('?from=1990-01-01&to=1990-12-31')).documents, [])
  for (const unknown of ['0', '1'])
    assert.equal((await service.get(`/doc-text/by-cik/${unknown}`)).status, 404, unknown)
})

test('a filing states whether its text is available, and at which address', async (t) => {
  const service = await served(t)
  const of = async (n: number) =>
    (await service.json<{ capabilities: { reader: boolean; text: string | null } }>(`/filing/${accessionOf(n)}`))
      .capabilities
  const report = await of(1)
  assert.deepEqual([report.reader, report.text], [true, `/v1${address('tenx', 1)}`])
  const insider = await of(4)
  assert.deepEqual([insider.reader, insider.text], [false, null])
  const { rows } = await service.json<{ rows: { accession: string; has_text: boolean }[] }>(
    `/filings?cik=${CIK}&limit=20`,
  )
  const without = rows.filter(({ has_text }) => !has_text).map(({ accession }) => accession)
  assert.deepEqual(without, [accessionOf(4)])
})

test('a document of tens of MB in one line is answered; one that exceeds the limit is refused with the limit', async (t) => {
  const page = (size: number) => `<html><body><p>${'bolts and nuts '.repeat(size / 15)}</p></body></html>`
  const size = often('bytes of a text', { usual: 15_000_000, soak: 60_000_000 })
  const service = await served(t, [
    { n: 1, form: '10-K', day: '2026-07-01', documents: [htm('10-K', page(size))] },
    { n: 2, form: '10-K', day: '2026-07-02', documents: [htm('10-K', page(68_000_100))] },
  ])
  const part = await service.json<DocText>(address('tenx', 1, '?max_chars=20'))
  assert.equal(part.text, 'bolts and nuts bolts')
  assert.ok(part.length >= size - 1)
  const refused = await service.get(address('tenx', 2))
  assert.match(((await refused.json()) as { error: string }).error, /68000\d+ bytes; up to 67108864 are read/)
})

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
