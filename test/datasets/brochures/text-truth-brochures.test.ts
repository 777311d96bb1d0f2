/** Real brochures: headings in their order, facts, and paragraphs that continue over a page. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { readPdf } from '../../../src/read/pdf.ts'
import { corpus } from '../../support/corpus.ts'
import { letters, plain, typed, unknown, words } from '../../support/text-truth.ts'

interface TypedBrochure {
  file: string
  pages: number
  /** Headings in their order; other headings may come between them. */
  headings: string[]
  /** The headings are in a separate column next to the text. */
  sideHeadings?: boolean
  facts: string[]
  /** Words on both sides of a page break, which belong together. */
  joins: string[]
  /** Beginnings of list items. */
  bullets: string[]
  /** Groups of cells that are in one row. */
  rows: string[][]
  /** Texts that are printed on every page and do not belong to the content. */
  once: string[]
  /** Beginnings of the messages about known differences, which the test accepts. */
  known?: string[]
}

for (const truth of typed<TypedBrochure[]>('brochures.json')) {
  test(`the text of a brochure equals what a person reads: ${truth.file}`, { skip: corpus.skip }, async () => {
    const read = await readPdf(readFileSync(path.join(corpus.folder, 'adviserinfo/brochures', truth.file)))
    assert.equal(read.kind, 'text')
    if (read.kind !== 'text') return
    const { text, headings } = read.markdown
    const wrong: string[] = []
    if (read.pages !== truth.pages) wrong.push(`${read.pages} pages, not ${truth.pages}`)
    let next = 0
    for (const heading of truth.headings) {
      const place = headings.findIndex((each, n) => n >= next && same(each.text, heading))
      if (place < 0) wrong.push(`no heading "${heading}" after "${headings[next - 1]?.text ?? ''}"`)
      else next = place + 1
    }
    const flat = letters(text)
    for (const fact of truth.facts) if (!flat.includes(letters(fact))) wrong.push(`no "${fact}"`)
    const running = plain(text).replace(/\s+/g, ' ')
    for (const join of truth.joins) if (!running.includes(join)) wrong.push(`torn at the end of a page: "${join}"`)
    const lines = text.split('\n')
    for (const point of truth.bullets) {
      if (!lines.some((line) => /^\s*-\s/.test(line) && letters(line).startsWith(letters(point)))) {
        wrong.push(`no point of a list "${point}"`)
      }
    }
    for (const row of truth.rows) {
      if (!lines.some((line) => line.includes('|') && row.every((each) => letters(line).includes(letters(each))))) {
        wrong.push(`no row of a table "${row.join(' | ')}"`)
      }
    }
    for (const furniture of truth.once) {
      const times = flat.split(letters(furniture)).length - 1
      if (times > 1) wrong.push(`"${furniture}", printed on every page, is in the text ${times} times`)
    }
    assert.deepEqual(unknown(wrong, truth.known), [])
  })
}

/** Compares word for word: letters alone would hide lost spaces. */
function same(heading: string, expected: string): boolean {
  return words(heading).join(' ') === words(expected).join(' ')
}
