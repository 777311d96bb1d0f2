/**
 * Every word and number that people see of real documents, by an independent walk over their trees: 17 s for all of the
 * corpus, which no smaller part can vouch for.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDocument } from '../src/read/html/document.ts'
import { furnitureOf } from '../src/read/html/furniture.ts'
import { LIMITS } from '../src/read/html/limits.ts'
import { readTokens } from '../src/read/html/tokens.ts'
import { markdownOfHtml } from '../src/read/html.ts'
import { corpus } from './corpus.ts'
import { htmlDocuments } from './html/documents.ts'
import { missing, shownText, total, visibleText, wordsOf } from './html/visible.ts'

test('no visible number of a document is missing from its Markdown, .998 of its words are there, and .995 are its own', {
  skip: corpus.skip,
}, (t) => {
  let documents = 0
  let seen = 0
  let lost = 0
  let given = 0
  let more = 0
  for (const { name, html } of htmlDocuments(corpus.folder)) {
    const markdown = markdownOfHtml(html)
    const left = wordsOf(furniture(html))
    const wanted = wordsOf(visibleText(html))
    const shown = wordsOf(shownText(markdown.text))
    const lacking = missing(missing(wanted, shown), left)
    const known = new Set([...shown.keys(), ...left.keys()])
    assert.deepEqual(
      [...lacking.keys()].filter((word) => /^\d/.test(word) && !isKnown(word, known)),
      [],
      name,
    )
    for (const { start, text, level } of markdown.headings) {
      assert.ok(markdown.text.startsWith(`${'#'.repeat(level)} `, start), `${name}: ${text}`)
    }
    assert.doesNotMatch(markdown.text, /<[a-z/!?]/i, name)
    documents++
    seen += total(wanted)
    lost += total(lacking)
    given += total(shown)
    more += total(missing(shown, wanted))
  }
  assert.ok(documents > 900, `${documents} documents`)
  assert.ok(1 - lost / seen >= 0.998, `recall ${1 - lost / seen}`)
  assert.ok(1 - more / given >= 0.995, `precision ${1 - more / given}`)
  t.diagnostic(
    `${documents} documents, recall ${(1 - lost / seen).toFixed(5)}, precision ${(1 - more / given).toFixed(5)}`,
  )
})

/** A number that the walk over the tree cuts otherwise: raised marks of notes, `1,2`, are there as one word. */
const isKnown = (word: string, known: ReadonlySet<string>) =>
  known.has(word) || [...known].some((each) => /^\d/.test(each) && each.split(/[.,]/).includes(word))

/** What was left out since it belongs to pages. */
function furniture(html: string): string {
  const reader = openDocument(LIMITS, () => {})
  readTokens(html, reader)
  return [...furnitureOf(reader.end())].map((block) => (block.kind === 'paragraph' ? block.plain : '')).join('\n')
}

test('what is left out as furniture of pages is short, and stands elsewhere unless it is a number or a link back', {
  skip: corpus.skip,
}, () => {
  for (const { name, html } of htmlDocuments(corpus.folder)) {
    const reader = openDocument(LIMITS, () => {})
    readTokens(html, reader)
    const blocks = reader.end()
    const left = furnitureOf(blocks)
    const kept = blocks
      .filter((block) => !left.has(block))
      .map((block) => (block.kind === 'paragraph' ? masked(block.plain) : ''))
    const standing = new Set(kept)
    for (const block of left) {
      assert.equal(block.kind, 'paragraph')
      if (block.kind !== 'paragraph') continue
      assert.ok(block.plain.length <= 150, `${name}: ${block.plain}`)
      const alone =
        block.links.length > 0 ||
        !/\p{L}{2}/u.test(block.plain.replace(/page|of|[ivxl]+|\b[a-z]{1,3}\s?[-–—]\s?(?=\d)/gi, ''))
      assert.ok(alone || standing.has(masked(block.plain)), `${name}: ${block.plain}`)
    }
  }
})

const masked = (plain: string) =>
  plain
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/\bpage \d+( of \d+( pages)?)?|(?<=^|[\s|])(\d{1,4}|[ivxl]{1,7})(?=$|[\s|])/g, '#')
