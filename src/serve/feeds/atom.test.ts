/** Tests feeds whose text could be mistaken for markup. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SaxesParser } from 'saxes'
import { atomOf } from './atom.ts'
import type { Entry } from './document.ts'
import { originOf } from './feed.ts'

const HOSTILE = [
  '</title><script>alert(1)</script>',
  ']]>&amp;<![CDATA[',
  `"'&<>`,
  'a\u0000b\u0007c\u001bd\ufffee\uffff',
  'half \ud83d of a pair, \ude00 and the other',
  'whole \u{1f600}, tab\t, line\n, return\r.',
]

const entry = (text: string): Entry => ({
  id: `tag:openfilings,2026:x/${encodeURIComponent(text.toWellFormed())}`,
  title: text,
  updated: '2026-01-02T00:00:00Z',
  author: text,
  page: `/x?${text}`,
  json: `/v1/x?${text}`,
  text,
})

test('text of a filing stays text: nothing in it becomes markup, and characters that XML forbids are replaced', () => {
  const feed = {
    id: 'tag:openfilings,2026:f',
    title: HOSTILE[0]!,
    subtitle: HOSTILE[1]!,
    updated: '2026-01-02T00:00:00Z',
  }
  const xml = atomOf({ ...feed, self: HOSTILE[2]!, page: '/', next: null, entries: HOSTILE.map(entry) })
  const parser = new SaxesParser()
  const contents: string[] = []
  let open = ''
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    open = name
    assert.ok(!['script'].includes(name))
    if (name === 'content') contents.push('')
  })
  parser.on('text', (text) => {
    if (open === 'content') contents[contents.length - 1] += text
  })
  parser.on('closetag', () => {
    open = ''
  })
  parser.write(xml).close()
  assert.deepEqual(contents, [
    HOSTILE[0],
    HOSTILE[1],
    HOSTILE[2],
    'a\ufffdb\ufffdc\ufffdd\ufffde\ufffd',
    'half \ufffd of a pair, \ufffd and the other',
    HOSTILE[5],
  ])
})

test('an invalid host is left out of addresses', () => {
  assert.equal(originOf({ protocol: 'https', host: 'filings.example:8443' }), 'https://filings.example:8443')
  assert.equal(originOf({ protocol: 'http', host: '[::1]:8080' }), 'http://[::1]:8080')
  for (const host of ['a/b', 'user@host', 'a b', '', '"><x', 'a?b', undefined])
    assert.equal(originOf({ protocol: 'http', host }), '', String(host))
})
