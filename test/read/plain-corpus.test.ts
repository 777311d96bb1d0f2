/** Plain-text documents of the corpus: their Markdown lacks nothing that a person reads. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { markdownOfText } from '../../src/read/plain.ts'
import { corpus } from '../support/corpus.ts'
import { documentsIn, isHtml } from '../support/text-truth.ts'

/** Forms whose documents are prose; all other corpus documents are XML data. */
const isProse = (type: string, text: string) =>
  !/^(?:XML|GRAPHIC|ZIP|EXCEL|PDF|EX-27)/.test(type) &&
  !isHtml(text) &&
  !/^\s*(?:<XML>|<\?xml|begin \d{3} )/i.test(text)

/** Returns words and numbers as written, without tags and Markdown syntax. */
const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []

const shownOf = (text: string) =>
  text
    .replace(/<\/?(?:PAGE|TABLE|CAPTION|S|C|FN|F\d{1,2})>/gi, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&amp;/g, '&')

test('every word of a plain-text document is in its Markdown, except headers and page numbers', {
  skip: corpus.skip,
}, () => {
  let documents = 0
  let words = 0
  let lost = 0
  for (const file of globSync('sec/Archives/edgar/data/*/*.txt', { cwd: corpus.folder! }).sort()) {
    for (const { type, text } of documentsIn(file)) {
      if (!isProse(type, text) || text.length > 3_000_000) continue
      const markdown = markdownOfText(text)
      const counts = new Map<string, number>()
      for (const word of wordsOf(markdown.text.replace(/&(?:lt|amp);/g, ' ')))
        counts.set(word, (counts.get(word) ?? 0) + 1)
      const seen = wordsOf(shownOf(text))
      let missing = 0
      for (const word of seen) {
        const left = counts.get(word) ?? 0
        if (left > 0) counts.set(word, left - 1)
        else missing++
      }
      documents++
      words += seen.length
      lost += missing
      // A page has a number, and a header of up to 18 words; some documents have "Page 4 of 5" without a page mark.
      const pages = text.match(/<PAGE>|\f/gi)?.length ?? 0
      assert.ok(
        missing <= Math.max(16, pages * 18, seen.length * 0.023),
        `${path.basename(file)} ${type}: ${missing} of ${seen.length} words lost`,
      )
    }
  }
  assert.ok(documents >= 600, `${documents} documents`)
  assert.ok(lost / words < 0.006, `${lost} of ${words} words lost`)
})
