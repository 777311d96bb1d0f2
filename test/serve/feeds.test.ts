/** Lists as feeds: Atom (RFC 4287) and JSON Feed 1.1. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SaxesParser } from 'saxes'
import { z } from 'zod'
import { addressOf, exampleRequests } from '../../src/declare/examples.ts'
import type { Route } from '../../src/declare/route.ts'
import registry from '../../src/registry.ts'
import { serveSample } from '../support/served.ts'

const served = await serveSample({ after })
const feeds = registry.routes.filter(({ list }) => list?.feed)

interface Node {
  name: string
  attributes: Record<string, string>
  children: Node[]
  text: string
}

/** Reads a document with a strict XML parser, which refuses malformed XML. */
function treeOf(xml: string): Node {
  const parser = new SaxesParser({ xmlns: true })
  const root: Node = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, uri, attributes }) => {
    assert.equal(uri, 'http://www.w3.org/2005/Atom')
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value])
    const node: Node = { name, attributes: Object.fromEntries(values), children: [], text: '' }
    open.at(-1)!.children.push(node)
    open.push(node)
  })
  parser.on('text', (text) => {
    open.at(-1)!.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  return root.children[0]!
}

const all = ({ children }: Node, name: string) => children.filter((child) => child.name === name)
const only = (node: Node, name: string) => {
  const found = all(node, name)
  assert.equal(found.length, 1, `${node.name} has one ${name}`)
  return found[0]!
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/
/** The child elements that RFC 4287 allows in an entry and in a feed, and those that may be repeated. */
const OF_FEED = 'author category contributor generator icon id link logo rights subtitle title updated entry'.split(' ')
const OF_ENTRY = 'author category content contributor id link published rights source summary title updated'.split(' ')

/** Checks the rules of RFC 4287, section 4.1, that a program can check. */
function assertAtom(feed: Node): Node[] {
  assert.equal(feed.name, 'feed')
  for (const { name } of feed.children) assert.ok(OF_FEED.includes(name), name)
  for (const node of [feed, ...all(feed, 'entry')]) {
    assert.ok(URL.canParse(only(node, 'id').text), only(node, 'id').text)
    assert.match(only(node, 'updated').text, RFC_3339)
    assert.ok(only(node, 'title').text.trim() !== '')
    const alternates = all(node, 'link').filter(({ attributes }) => attributes.rel === 'alternate')
    const kinds = alternates.map(({ attributes }) => `${attributes.type} ${attributes.hreflang}`)
    assert.equal(new Set(kinds).size, kinds.length, 'at most one alternate for each type and language')
    for (const { attributes } of all(node, 'link')) assert.ok(URL.canParse(attributes.href!), String(attributes.href))
    for (const author of all(node, 'author')) assert.ok(only(author, 'name').text !== '')
  }
  assert.equal(all(feed, 'author').length, 1)
  const entries = all(feed, 'entry')
  for (const entry of entries) {
    for (const { name } of entry.children) assert.ok(OF_ENTRY.includes(name), name)
    assert.equal(only(entry, 'content').attributes.type, 'text')
  }
  const ids = entries.map((entry) => only(entry, 'id').text)
  assert.equal(new Set(ids).size, ids.length, 'ids of one feed differ')
  return entries
}

/** Lists that are not offered as feeds although their rows have days, with the reason. */
const NO_FEED: Readonly<Record<string, string>> = {
  '/npx/filings/by-accession/{accession}': 'one filing',
  '/ncen/filings/by-accession/{accession}': 'one filing',
  '/nmfp/filings/by-accession/{accession}': 'one filing',
  '/nport/filings/by-accession/{accession}': 'one filing',
  '/adv/advisers/by-crd/{crd}/holdings-13f': 'one report',
  '/thirteenf/managers/by-cik/{cik}/holdings': 'one report',
  '/adv/advisers/by-crd/{crd}/registered-funds': 'the state of one thing',
  '/adv/advisers/by-crd/{crd}/money-market-funds': 'the state of one thing',
  '/ncen/registrants/{cik}': 'the state of one thing',
  '/adv/advisers/list': 'things by name; /new-advisers is the feed',
  '/companies': 'things by name',
  '/adv/advisers/by-crd/{crd}/similar': 'things by likeness',
  '/adv/advisers/by-crd/{crd}/headcount': 'a series by month',
  '/adv/advisers/by-crd/{crd}/filing-activity': 'a series by day',
  '/adv/rep/{indvlPk}/movements': 'the state of one thing',
  '/brochures/firm/{crd}': 'the state of one thing',
  '/brochures/search': 'ranked; /text-search is the feed',
  '/facts/companies/{cik}/financials': 'periods of one thing',
  '/adv/securities/{cusip}/financials': 'periods of one thing',
  '/adv/securities/{cusip}/holders': 'periods of one thing',
  '/adv/securities/{cusip}/price-history': 'periods of one thing',
  '/adv/securities/{cusip}/identifiers': 'the state of one thing',
  '/text-search/corpora': 'counts of what is loaded',
  '/filings/coverage': 'counts of what is loaded',
}

/** Tests whether a row, or an object in the row, has a member that is a date or a time. */
function hasDay(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasDay)
  if (typeof schema !== 'object' || schema === null) return false
  const { format, ...members } = schema as Record<string, unknown>
  return format === 'date' || format === 'date-time' || Object.values(members).some(hasDay)
}

test('every list with dates is available as feeds, or the reason why it is not is recorded', () => {
  const missing = registry.routes
    .filter(({ list }) => list && !list.feed)
    .filter(({ input, list }) => {
      const schema = z.toJSONSchema(list!.row, { unrepresentable: 'any', io: 'output' })
      return ('from' in input.shape && 'to' in input.shape) || hasDay(schema)
    })
    .map(({ path }) => path)
  assert.deepEqual(missing.sort(), Object.keys(NO_FEED).sort())
})

const withFormat = (route: Route, values: Readonly<Record<string, string>>, format: string) =>
  addressOf(route, { ...values, format })

test('every list that declares feeds has the same entries in Atom and in JSON Feed, each with a unique id', async () => {
  assert.ok(feeds.length >= 20, String(feeds.length))
  for (const route of feeds) {
    const { limit: _, cursor: __, ...values } = exampleRequests(route)[0]!.values
    const atom = await served.get(withFormat(route, values, 'atom'))
    assert.equal(atom.status, 200, route.path)
    assert.equal(atom.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
    const feed = treeOf(await atom.text())
    const entries = assertAtom(feed)
    assert.ok(entries.length > 0, `${route.path} has entries`)
    const response = await served.get(withFormat(route, values, 'jsonfeed'))
    assert.equal(response.headers.get('content-type'), 'application/feed+json; charset=utf-8')
    const json = (await response.json()) as Record<string, unknown> & { items: Record<string, string>[] }
    assert.equal(json.version, 'https://jsonfeed.org/version/1.1')
    assert.deepEqual(
      json.items.map(({ id, title, url }) => [id, title, url]),
      entries.map((entry) => [
        only(entry, 'id').text,
        only(entry, 'title').text,
        all(entry, 'link').find(({ attributes }) => attributes.rel === 'alternate')!.attributes.href,
      ]),
    )
    for (const item of json.items) {
      assert.match(item.date_published!, RFC_3339)
      assert.ok(typeof item.content_text === 'string')
    }
  }
})

test('a feed has an entry for every row of its page, also for a filing of which only the day is known', async () => {
  for (const route of feeds) {
    const { limit: _, cursor: __, ...values } = exampleRequests(route)[0]!.values
    const answer = await served.json<unknown>(addressOf(route, { limit: '20', ...values }))
    const { member } = route.list!
    const rows = (member === null ? answer : (answer as Record<string, unknown>)[member]) as unknown[]
    const { items } = await served.json<{ items: unknown[] }>(withFormat(route, { limit: '20', ...values }, 'jsonfeed'))
    assert.equal(items.length, rows.length, route.path)
  }
  const { rows } = await served.json<{ rows: Record<string, string | null>[] }>('/filings?limit=20')
  const unaccepted = rows.find(({ accepted_at }) => accepted_at === null)!
  const { items } = await served.json<{ items: Record<string, string>[] }>('/filings?limit=20&format=jsonfeed')
  const entry = items.find(({ url }) => url!.endsWith(unaccepted.accession!))!
  assert.equal(entry.date_published, `${unaccepted.filed_date}T00:00:00Z`)
})

test('both links of an entry open: `external_url` as an API answer, `url` as a page', async () => {
  for (const route of feeds) {
    const { limit: _, cursor: __, ...values } = exampleRequests(route)[0]!.values
    const { items } = await served.json<{ items: { url: string; external_url: string }[] }>(
      withFormat(route, { ...values, limit: '1' }, 'jsonfeed'),
    )
    for (const { url, external_url: json } of items) {
      const answered = await fetch(json, { headers: { 'x-api-key': served.keys.full } })
      assert.equal(answered.status, 200, `${route.path}: ${json}`)
      const page = await fetch(url, { headers: { cookie: `openfilings_key=${served.keys.full}` } })
      assert.equal(page.status, 200, `${route.path}: ${url}`)
    }
  }
})

test('the title of an entry has the row’s company, form, participants and amounts, from the declared columns', async () => {
  const titled = async (address: string) =>
    (await served.json<{ items: { title: string }[] }>(address)).items.map(({ title }) => title)
  assert.ok(
    (await titled('/ownership/transactions?cik=320193&format=jsonfeed')).includes(
      'Apple Inc. · Form 4 · LEVINSON ARTHUR D · Open market or private sale of a security · 149,527 shares',
    ),
  )
  assert.ok(
    (await titled('/formd/filings?q=hashnote&format=jsonfeed')).includes(
      'Hashnote Stablecoin Fund LP · Form D · Pooled Investment Fund · minimum investment $25,000 · total sold $100,000',
    ),
  )
})

test('a feed begins with the newest rows, and its pages follow each other by their links', async () => {
  const { items: whole } = await served.json<{ items: { id: string; date_published: string }[] }>(
    '/thirteenf/managers?format=jsonfeed&limit=100',
  )
  const days = whole.map(({ date_published }) => date_published)
  assert.deepEqual(days, [...days].sort().reverse())
  const walked: string[] = []
  for (let at: string | null = '/thirteenf/managers?format=atom&limit=2'; at !== null; ) {
    const response: Response = await served.get(at)
    const feed = treeOf(await response.text())
    const entries = assertAtom(feed)
    walked.push(...entries.map((entry) => only(entry, 'id').text))
    const next: string | undefined = all(feed, 'link').find(({ attributes }) => attributes.rel === 'next')?.attributes
      .href
    const header = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    assert.equal(next, header && served.origin + header, 'the header names the same page')
    at = header === undefined ? null : header.slice('/v1'.length)
  }
  assert.deepEqual(
    walked,
    whole.map(({ id }) => id),
  )
})

test('a feed has an ETag, and an unchanged feed is not sent again to a reader with this ETag', async () => {
  const first = await served.get('/formd/filings?format=atom&state=FL')
  const etag = first.headers.get('etag')!
  const key = { 'x-api-key': served.keys.full }
  const again = await served.get('/formd/filings?state=FL&format=atom', { ...key, 'if-none-match': etag })
  assert.equal(again.status, 200, 'the address of a feed is part of its content, so another address gives another feed')
  const same = await served.get('/formd/filings?format=atom&state=FL', { ...key, 'if-none-match': etag })
  assert.equal(same.status, 304)
  const json = await served.get('/formd/filings?format=jsonfeed&state=FL', { ...key, 'if-none-match': etag })
  assert.equal(json.status, 200)
  assert.match(first.headers.get('vary')!, /accept/)
})

test('the header Accept can request a feed, and a list without feeds refuses it', async () => {
  const by = async (address: string, accept: string) => served.get(address, { 'x-api-key': served.keys.full, accept })
  const atom = await by('/formd/filings', 'application/atom+xml')
  assert.equal(atom.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
  const json = await by('/formd/filings', 'application/feed+json')
  assert.equal(json.headers.get('content-type'), 'application/feed+json; charset=utf-8')
  assert.equal((await by('/formd/filings', '*/*')).headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal((await by('/adv/advisers/list', 'application/atom+xml')).status, 406)
  assert.equal((await by('/adv/advisers/list?format=atom', '*/*')).status, 400)
  assert.equal((await by('/formd/filings?format=atom&fields=accession', '*/*')).status, 400)
  assert.equal((await fetch(`${served.origin}/v1/formd/filings?format=atom`)).status, 401)
})

test('the address of a feed has the host of the request', async () => {
  const key = { 'x-api-key': served.keys.full }
  const { feed_url } = (await (await served.get('/formd/filings?format=jsonfeed', key)).json()) as { feed_url: string }
  assert.equal(feed_url, `${served.origin}/v1/formd/filings?format=jsonfeed`)
})
