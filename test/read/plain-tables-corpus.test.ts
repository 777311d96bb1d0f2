/**
 * Text tables of the corpus: a Markdown table has the words of its text table, line by line, and no column of it has
 * characters that stand within another column of the text table.
 */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { markdownOfText } from '../../src/read/plain.ts'
import { corpus } from '../support/corpus.ts'
import { documentsIn, isHtml } from '../support/text-truth.ts'

/** A word or a number, with its columns of characters. */
interface Word {
  text: string
  start: number
  end: number
}

/** A line of the Markdown, with the words of its cells; a line outside of tables has one cell. */
interface Shown {
  isRow: boolean
  cells: string[][]
}

const WORD = /[\p{L}\p{N}]+(?:[.,]\p{N}+)*/gu
const RULER = /^\s*<S>.*<C>/im

/** The mark of a page, and the number of the page. */
const PAGE = /^\s*(?:<PAGE>|\f)\s*\S{0,7}\s*$/i

const wordsAt = (line: string): Word[] =>
  [...line.replace(/<\/?(?:CAPTION|S|C|FN|F\d{1,2})>/gi, (tag) => ' '.repeat(tag.length)).matchAll(WORD)].map(
    ({ 0: text, index }) => ({ text, start: index, end: index + text.length }),
  )
const wordsOf = (text: string) => text.replace(/&(?:lt|amp);/g, ' ').match(WORD) ?? []
const sorted = (words: readonly string[]) => words.toSorted().join(' ')

/** Returns the lines of the Markdown from its first table to its end, without rules and fences. */
const shownOf = (markdown: string): Shown[] =>
  markdown
    .split('\n')
    .filter((line) => !/^`{3,}$|^\| -{3}|^$/.test(line))
    .map((line) => ({
      isRow: line.startsWith('| '),
      cells: line.startsWith('| ')
        ? line
            .slice(1, -1)
            .split(/(?<!\\)\|/)
            .map(wordsOf)
        : [wordsOf(line)],
    }))
    .filter(({ cells }) => cells.some((words) => words.length > 0))

/**
 * Matches lines from the end, since a line of the Markdown may have several lines of the source: a wrapped label, or
 * titles of several lines.
 *
 * @returns each line of the Markdown with its lines of the source. Throws if a line has other words
 */
function matched(source: readonly Word[][], shown: readonly Shown[]): { lines: Word[][]; shown: Shown }[] {
  let rest = source.length
  const pairs = shown.toReversed().map((each) => {
    const wanted = each.cells.flat()
    const lines: Word[][] = []
    for (let found = 0; found < wanted.length && rest > 0; found += lines[0]!.length) lines.unshift(source[--rest]!)
    const found = lines.flat().map(({ text }) => text)
    assert.equal(sorted(wanted), sorted(found))
    if (lines.length === 1) assert.deepEqual(wanted, found)
    return { lines, shown: each }
  })
  assert.equal(rest, 0, 'lines are lost')
  return pairs
}

/** Asserts that no column has characters within another column. Labels that are alone in their line are exempt. */
function assertColumns(pairs: ReturnType<typeof matched>): void {
  const starts: number[] = []
  const ends: number[] = []
  for (const { lines, shown } of pairs) {
    if (!shown.isRow || lines.length !== 1 || shown.cells.filter((words) => words.length > 0).length < 2) continue
    let next = 0
    for (const [column, words] of shown.cells.entries()) {
      if (words.length === 0) continue
      const own = lines[0]!.slice(next, next + words.length)
      next += words.length
      starts[column] = Math.min(starts[column] ?? own[0]!.start, own[0]!.start)
      ends[column] = Math.max(ends[column] ?? 0, own.at(-1)!.end)
    }
  }
  let reach = -1
  for (const [column, start] of starts.entries()) {
    if (start === undefined) continue
    assert.ok(start > reach, `column ${column} begins at ${start}, the one before ends at ${reach}`)
    reach = ends[column]!
  }
}

test('a table of Markdown has the words of each line of its text table in their order, and its columns do not overlap', {
  skip: corpus.skip,
}, (t) => {
  let tables = 0
  let certain = 0
  for (const file of globSync(['sec/Archives/edgar/data/*/*.txt', 'documents/*/*.txt'], {
    cwd: corpus.folder!,
  }).sort()) {
    for (const { text } of documentsIn(file)) {
      if (isHtml(text) || text.length > 3_000_000) continue
      for (const [whole, body] of text.matchAll(/<TABLE>((?:(?!<TABLE>)[\s\S])*?)<\/TABLE>/gi)) {
        if (!RULER.test(body!)) continue
        tables++
        const { text: markdown } = markdownOfText(whole)
        if (!/^\| /m.test(markdown)) continue
        certain++
        const lines = body!.split(/\r\n?|\n/).map((line) => line.replace(PAGE, ''))
        const ruler = lines.findIndex((line) => RULER.test(line))
        const source = lines.map(wordsAt)
        const shown = shownOf(markdown)
        const pairs = matched(
          source.filter((words) => words.length > 0),
          shown,
        )
        const below = new Set(source.slice(ruler))
        assertColumns(pairs.filter(({ lines: own }) => own.every((words) => below.has(words))))
      }
    }
  }
  t.diagnostic(`${certain} of ${tables} tables`)
  assert.ok(tables >= 1400, `${tables} tables`)
  assert.ok(certain >= 700, `${certain} tables of Markdown`)
})
