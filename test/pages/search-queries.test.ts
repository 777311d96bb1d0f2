/** Texts that people type into the search of the reference, and the page that must come first. */
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { dataPages } from '../../src/pages/data/pages.ts'
import { readGuides } from '../../src/pages/reference/guides.ts'
import { referenceOf } from '../../src/pages/reference/model.ts'
import { type SearchIndex, searchIndex } from '../../src/pages/reference/search-index.ts'
import registry from '../../src/registry.ts'
import { openapi } from '../../src/serve/openapi.ts'

const script = new URL('../../src/pages/browser/search.js', import.meta.url)
const { find } = (await import(script.href)) as {
  find(index: SearchIndex, typed: string): { href: string; kind: string }[]
}
const index = searchIndex(referenceOf(openapi(registry, '1.2.3'), readGuides(), dataPages(registry)))

/** These queries were written before the index. */
const QUERIES: readonly (readonly [typed: string, first: string])[] = [
  ['pagination', '/docs#paging'],
  ['next page', '/docs#paging'],
  ['rate limit', '/docs#limits'],
  ['too many requests', '/docs#limits'],
  ['api key', '/docs#begin'],
  ['error codes', '/docs#errors'],
  ['typescript client', '/docs#generated-clients'],
  ['webhook', '/docs/guides/follow-new-filings'],
  ['new filings', '/docs/guides/follow-new-filings'],
  ['who holds apple', '/docs/guides/who-bought-a-stock'],
  ['insider buying', '/docs/guides/who-bought-a-stock'],
  ['etf fees', '/docs/guides/what-a-fund-costs'],
  ['expense ratio', '/docs/guides/what-a-fund-costs'],
  ['download csv', '/docs/guides/download-everything'],
  ['parquet', '/docs/guides/download-everything'],
  ['private company valuation', '/docs/guides/private-marks'],
  ['director resigned', '/docs/guides/directors-who-left'],
  ['form adv', '/docs/guides/an-advisers-file'],
  ['docker', '/docs/guides/run-it-for-a-team'],
  ['monitoring', '/docs/guides/run-it-for-a-team'],
  ['price history', '/docs/security_price_history'],
  ['search', '/docs#search'],
  ['find by name', '/docs#search'],
  ['count', '/docs#rows-fields-and-counts'],
  ['how many rows', '/docs#rows-fields-and-counts'],
  ['links', '/docs#provenance-and-units'],
  ['data dictionary', '/docs/data'],
  ['formd.person', '/docs/data/formd'],
  ['13f data', '/docs/data/thirteenf'],
  ['text search', '/docs/text_search'],
  ['ipos', '/docs/ipos'],
  ['brokers', '/docs/brokers'],
]

/** The same queries in other words, as people type them. */
const OTHER_WORDS: readonly (readonly [typed: string, first: string])[] = [
  ['How do I get the next page?', '/docs#paging'],
  ['webhooks', '/docs/guides/follow-new-filings'],
  ['who owns a stock', '/docs/guides/who-bought-a-stock'],
  ['fund fee', '/docs/guides/what-a-fund-costs'],
  ['Rate Limits', '/docs#limits'],
  ['API keys', '/docs#begin'],
  ['ceo left', '/docs/guides/directors-who-left'],
  ['how do I paginate', '/docs#paging'],
  // A query with a word that no page has.
  ['who holds nvidia', '/docs/guides/who-bought-a-stock'],
  ['who owns tesla', '/docs/guides/who-bought-a-stock'],
  ['rss feed', '/docs/guides/follow-new-filings'],
  ['get notified of a new 8-K', '/docs/guides/follow-new-filings'],
  ['sec filings download', '/docs/guides/download-everything'],
]

describe('the page that a query means is the first result', () => {
  for (const [typed, first] of [...QUERIES, ...OTHER_WORDS]) {
    it(typed, () => {
      const found = find(index, typed)
      assert.equal(
        found[0]?.href,
        first,
        found
          .slice(0, 4)
          .map(({ href }) => href)
          .join(' '),
      )
    })
  }
})

test('each guide is first for its title, and among the first three for each of its phrases', () => {
  for (const { href, title, phrases } of index.texts) {
    assert.equal(find(index, title)[0]?.href, href, title)
    for (const phrase of phrases) {
      const hrefs = find(index, phrase)
        .slice(0, 3)
        .map((each) => each.href)
      assert.ok(hrefs.includes(href), `${phrase}: ${hrefs.join(' ')}`)
    }
  }
})

test('every link from a search result to a text opens a guide, a page about the data, or a heading of the start page', () => {
  assert.ok(index.texts.length > readGuides().length)
  for (const { href, summary, words } of index.texts) {
    assert.match(href, /^\/docs(?:#[a-z-]+|\/guides\/[a-z-]+|\/data(?:\/[a-z0-9]+)?)$/)
    assert.ok(summary !== '' && words !== '')
  }
})

test('a name of an operation, a parameter or a field is ranked before texts that only contain the word', () => {
  for (const [typed, first] of [
    ['feed', '/docs/feed'],
    ['rows.raised', '/docs/feed#field-rows.raised'],
    ['previous_accession', /#field-.*previous_accession$/],
  ] as const) {
    const [found] = find(index, typed)
    assert.match(found!.href, typeof first === 'string' ? new RegExp(`^${first}$`) : first, typed)
  }
  assert.deepEqual(find(index, 'no such word anywhere'), [])
  for (const [typed] of [...QUERIES, ...OTHER_WORDS]) {
    const hrefs = find(index, typed).map(({ href }) => href)
    assert.equal(new Set(hrefs).size, hrefs.length, `${typed} has a page twice`)
  }
  assert.equal(find(index, '').length, index.texts.length + index.operations.length)
  assert.ok(
    find(index, 'who').length > 0,
    'a word that is left out of longer queries is searched if it is the only word',
  )
})
