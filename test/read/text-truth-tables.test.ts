/** Real tables of real filings, cell by cell, with values that a person read in the document. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownOfHtml } from '../../src/read/html.ts'
import type { Markdown } from '../../src/read/made-markdown.ts'
import { markdownOfText } from '../../src/read/plain.ts'
import { corpus } from '../support/corpus.ts'
import { asRead, isHtml, type Place, source, tablesOf, typed, unknown } from '../support/text-truth.ts'

interface TypedTable extends Place {
  /** Kind of table, and the reason why it is difficult to read. */
  what: string
  /** The first words of a row, which are used to find the table. */
  begins: string[]
  /** Headings of each column of values. */
  columns?: string[]
  /** Headings that span several columns. */
  over?: string[]
  /** Label and values of each row. `0.67^1` is 0.67 with a reference to note 1. */
  rows: string[][]
  /** Beginnings of the messages about known differences, which the test accepts. */
  known?: string[]
}

const made = new Map<string, Markdown>()

function markdownOf(place: Place): Markdown {
  const key = JSON.stringify([place.place, place.sequence])
  let markdown = made.get(key)
  if (!markdown) {
    const text = source(place)
    markdown = isHtml(text) ? markdownOfHtml(text) : markdownOfText(text)
    made.set(key, markdown)
  }
  return markdown
}

for (const truth of typed<TypedTable[]>('tables.json')) {
  test(`every cell of a real table is in its row and column: ${truth.what}`, { skip: corpus.skip }, () => {
    const { rows, blocks } = tablesOf(markdownOf(truth))
    const table = rows.find((each) => each.some((row) => begins(row, truth.begins)))
    const wrong = table ? differences(table, truth) : missingInText(blocks, truth)
    assert.deepEqual(unknown(wrong, truth.known), [])
  })
}

test('the comparison finds a value in the wrong column, a wrong value and a note reference merged into a number', () => {
  const truth = { columns: ['2004', '2003'], begins: ['Other'], rows: [['Other', '', '(1.2)']] }
  const header = ['', '2004', '2003']
  const full = ['Net', '1', '2']
  const rows = [['Net', '1', '2'], ...truth.rows]
  const typedTable = { ...truth, rows, what: '', place: '', sequence: null }
  assert.deepEqual(differences([header, full, ['Other', '', '(1.2)']], typedTable), [])
  assert.equal(differences([header, full, ['Other', '(1.2)', '']], typedTable).length, 1)
  assert.equal(differences([header, full, ['Other', '', '1.2']], typedTable).length, 1)
  assert.equal(differences([['', '2003', '2004'], full, ['Other', '', '(1.2)']], typedTable).length, 2)
  assert.ok(same('0.67 (1)', '0.67^1') && same('0.67', '0.67^1'))
  assert.ok(!same('0.671', '0.67^1'))
})

function begins(row: string[], [label, value]: string[]): boolean {
  if (!spaceless(row.join('')).startsWith(spaceless(asRead(label!)))) return false
  return value === undefined || row.some((each) => same(each, value))
}

/** Returns the differences, each with its row and column. */
function differences(table: string[][], { rows, columns, over }: TypedTable): string[] {
  const found: string[] = []
  const at: number[] = []
  let next = 0
  let first = -1
  for (const [label, ...values] of rows) {
    const line = table.findIndex((row, n) => n >= next && reads(row, label!, values))
    if (line < 0) {
      const near = table.find((row, n) => n >= next && row.some((each) => each !== '' && each === asRead(label!)))
      found.push(`${[label, ...values].join(' | ')}: ${near ? `is ${near.join(' | ')}` : 'no row of this label'}`)
      continue
    }
    next = line + 1
    if (first < 0) first = line
    const row = table[line]!
    const filled = values.filter((each) => each !== '').length
    const places = row.flatMap((each, n) => (each === '' ? [] : [n])).slice(-filled || row.length)
    let k = 0
    for (const [n, value] of values.entries()) {
      if (value === '') continue
      const column = places[k++]!
      at[n] ??= column
      if (at[n] !== column) found.push(`${label}: ${value} is in column ${column}, others of its kind in ${at[n]}`)
    }
  }
  const above = table.slice(0, Math.max(first, 0))
  for (const [n, name] of (columns ?? []).entries()) {
    const text = above.map((row) => row[at[n] ?? -1] ?? '').join(' ')
    if (!spaceless(text).includes(spaceless(asRead(name)))) found.push(`over column ${n}: "${text}" for "${name}"`)
  }
  for (const name of over ?? []) {
    const text = above.flat().join(' ')
    if (!spaceless(text).includes(spaceless(asRead(name)))) found.push(`over columns: no "${name}" in "${text}"`)
  }
  return found
}

/**
 * Tests whether a row has this label and these values: the last filled cells are the values, and the filled cells
 * before them are the label.
 */
function reads(row: string[], label: string, values: string[]): boolean {
  const filled = row.filter((each) => each !== '')
  const expected = values.filter((each) => each !== '')
  const start = filled.length - expected.length
  if (start < 0) return false
  if (spaceless(filled.slice(0, start).join(' ')) !== spaceless(asRead(label))) return false
  return expected.every((value, n) => same(filled[start + n]!, value))
}

/**
 * Tests whether a cell equals the value; a note reference after the value may be missing but must not be part of its
 * digits.
 */
function same(read: string, value: string): boolean {
  const [number, note] = value.split('^')
  const expected = asRead(number!)
  if (spaceless(read) === spaceless(expected)) return true
  if (note === undefined || !read.startsWith(expected)) return false
  return !/^\d/.test(read.slice(expected.length))
}

function spaceless(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase()
}

/**
 * Returns the rows of a text table that its block does not contain, or contains in a different order. Columns and
 * spaces are ignored, since a text table keeps the columns and spaces of the source.
 */
function missingInText(blocks: string[], { rows, begins: start }: TypedTable): string[] {
  const flat = (text: string) => text.replace(/\.{2,}|[-=]{4,}|[\s]+|<[^>]*>/g, '').toLowerCase()
  const wanted = rows.map((row) => flat(row.join('')))
  const block = blocks.map(flat).find((each) => each.includes(wanted[0]!))
  if (block === undefined) return [`no block holds "${rows[0]!.join(' ')}" (begins "${start[0]}")`]
  const missing: string[] = []
  let from = 0
  for (const [n, row] of wanted.entries()) {
    const place = block.indexOf(row, from)
    if (place < 0) missing.push(rows[n]!.join(' | '))
    else from = place + row.length
  }
  return missing
}
