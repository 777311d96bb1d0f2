import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayHaveText } from '../../read/readable.ts'
import type { PageRequests } from '../../serve/http/page-requests.ts'
import { FilingPages, partOf } from './filing.ts'
import { type FiledEntry, type FilingAnswer, isReadable, ownPart } from './filing-page.ts'
import { PART } from './parts.ts'
import type { Places } from './places.ts'
import type { DocText } from './reader-page.ts'
import type { Wanted } from './wanted.ts'

/** Answers as `/doc-text` does. */
function textOf(text: string, starts: readonly number[]) {
  const requested: number[] = []
  const sections = starts.map((start) => ({ id: 'x', title: 'x', start, end: text.length, doubt: null }))
  const ask = async (bounds: string): Promise<DocText> => {
    const query = new URLSearchParams(bounds)
    const offset = Number(query.get('offset') ?? 0)
    const part = text.slice(offset, offset + Number(query.get('max_chars') ?? text.length))
    requested.push(part.length)
    return {
      sequence: 1,
      type: '10-K',
      title: null,
      text: part,
      length: text.length,
      sections,
      pages: null,
      documents: [],
    }
  }
  return { ask, requested }
}

test('the parts of a text of 12 MB together are the whole text in order, and each position is found in its part', async () => {
  const paragraph = (n: number) => `${n} ${'The fund may lose money. '.repeat(n % 90)}`
  const text = Array.from({ length: 11_000 }, (_, n) => paragraph(n)).join('\n\n')
  assert.ok(text.length > 12_000_000)
  const { ask, requested } = textOf(text, [text.indexOf('\n\n777 ') + 2, text.indexOf('\n\n9000 ') + 2])
  let joined = ''
  for (let at: number | null = 0; at !== null; ) {
    const { part }: Awaited<ReturnType<typeof partOf>> = await partOf(ask, at)
    assert.equal(part!.from, joined.length)
    assert.ok(part!.text.length < PART * 1.5)
    for (const place of [part!.from, part!.from + part!.text.length - 1]) {
      const other = (await partOf(ask, place)).part!
      assert.deepEqual([other.n, other.from], [part!.n, part!.from])
    }
    if (part!.before !== null) assert.equal((await partOf(ask, part!.before)).part!.n, part!.n - 1)
    joined += part!.text
    at = part!.after
  }
  assert.equal(joined, text)
  assert.ok(Math.max(...requested) < PART * 2)
})

test('a text without blanks has parts too, an empty text has one part, and a position after the end is refused', async () => {
  const { ask } = textOf('x'.repeat(100_000), [])
  let joined = ''
  for (let at: number | null = 0; at !== null; ) {
    const { part }: Awaited<ReturnType<typeof partOf>> = await partOf(ask, at)
    joined += part!.text
    at = part!.after
  }
  assert.equal(joined.length, 100_000)
  assert.equal((await partOf(textOf('', []).ask, 0)).part!.text, '')
  await assert.rejects(
    partOf(ask, 100_000),
    /at must be less than 100000|at: must be less than 100000|less than 100000/,
  )
})

test('a page whose facts could not be read reports the failure, since the page must not be cached', async () => {
  const answer: FilingAnswer = {
    header: { form_type: '8-K', filed_date: '2024-01-02', cik: '0000000001', company_name: 'A' },
    documents: [],
    capabilities: { text: null, bespoke: '/v1/eightk/by-accession/0000000001-24-000001' },
  }
  const lacksFacts = async (ask: () => Promise<unknown>) => {
    // `ownPart` uses only these members of `requests`.
    const requests = { catalog: { routes: [], datasets: [] }, ask, failureOf: () => {} } as unknown as PageRequests
    const place = { route: { output: null, name: 'eightk', summary: 'Show a report' } }
    // Only these members of `places` are used.
    const places = { at: () => ({ place, path: {}, query: '' }), pageOf: () => null } as unknown as Places
    // Only this member of `wanted` is used.
    const wanted = { path: { accession: '0000000001-24-000001' } } as unknown as Wanted
    return (await new FilingPages(requests, places).ownPart(wanted, answer)).lacksFacts
  }
  assert.equal(await lacksFacts(() => Promise.reject(new Error('busy'))), true)
  assert.equal(await lacksFacts(() => Promise.resolve({ answer: {} })), false)
})

test('only documents that may have text have a link to it: data such as XBRL has none', () => {
  const of = (type: string, media_type: string) => {
    const isShown = isReadable({ seq: 1, type, media_type, filename: null, description: null, size: 1, url: '' })
    assert.equal(isShown, mayHaveText({ type, mediaType: media_type }), `the rule for texts of ${type} ${media_type}`)
    return isShown
  }
  for (const [type, media] of [
    ['8-K', 'text/html; charset=us-ascii'],
    ['D', 'application/xml; charset=utf-8'],
    ['EX-99.1', 'application/pdf'],
    ['10-K', 'text/plain'],
  ] as const)
    assert.equal(of(type, media), true, `${type} ${media}`)
  for (const [type, media] of [
    ['EX-101.SCH', 'application/xml; charset=us-ascii'],
    ['XML', 'application/xml'],
    ['XML', 'text/html'],
    ['EXCEL', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['GRAPHIC', 'image/jpeg'],
    ['XML', 'text/css'],
  ] as const)
    assert.equal(of(type, media), false, `${type} ${media}`)
})

test('the table of documents has no column of descriptions or files if no document has one', () => {
  const headsOf = (entry: Partial<FiledEntry>) => {
    const plain = { seq: 1, type: '8-K', media_type: 'text/plain', filename: null, description: null, size: 1, url: '' }
    const answer = { documents: [plain, { ...plain, ...entry }], capabilities: { text: null, bespoke: null } }
    // The table reads no other member of the answer, and no place.
    const { top } = ownPart(answer as unknown as FilingAnswer, '0000000001-94-000001', [], {} as Places)
    return Array.from(top.text.matchAll(/<th scope="col"[^>]*>([^<]+)/g), ([, label]) => label)
  }
  assert.deepEqual(headsOf({}), ['No.', 'Type', 'Size', 'Read'])
  // A description that only repeats the type gets no column.
  assert.deepEqual(headsOf({ description: '8-K' }), ['No.', 'Type', 'Size', 'Read'])
  assert.deepEqual(headsOf({ description: 'Report' }), ['No.', 'Type', 'Description', 'Size', 'Read'])
  assert.deepEqual(headsOf({ filename: 'a.htm' }), ['No.', 'Type', 'File', 'Size', 'Read'])
})
