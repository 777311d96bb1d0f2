/** The table in CONTRIBUTING.md is right; it lists the files that a newcomer reads to change one value. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { checkout } from '../support/world.ts'

const FILES_MAX = 12
const LINES_MAX = 600
/** A file may change by up to this number of lines before the table has to be corrected. */
const CHANGE_MAX = 15

const read = (file: string) => readFileSync(path.join(checkout, file), 'utf8')
const linesOf = (text: string) => text.replace(/\n$/, '').split('\n').length

const page = read('CONTRIBUTING.md')
const section = /^## Change one value\n[\s\S]*?\n(?=## )/m.exec(page)![0].trimEnd()
const rows = [...section.matchAll(/^\| (.+) \|$/gm)].map(([, row]) => row!.split('|').map((cell) => cell.trim()))
const [names, , ...cells] = rows
const files = cells.slice(0, -1).map(([link, , ...lines]) => {
  const [, name, target] = /^\[(.+)\]\((.+)\)$/.exec(link!)!
  const own = target === '#change-one-value' ? section : read(target!)
  return { name: name!, lines: linesOf(own), stated: lines.map((count) => (count === '' ? null : Number(count))) }
})
const ways = names!.slice(2).map((name, at) => ({
  name,
  files: files.filter(({ stated }) => stated[at] !== null && stated[at] !== undefined),
  stated: files.map(({ stated }) => stated[at] ?? 0),
  together: Number(cells.at(-1)![at + 2]),
}))

test('to change one value of any kind, a newcomer reads at most twelve files and 600 lines', (t) => {
  assert.deepEqual(
    ways.map(({ name }) => name),
    ['column', 'computed'],
  )
  for (const way of ways) {
    const lines = way.files.reduce((sum, file) => sum + file.lines, 0)
    t.diagnostic(`${way.name}: ${way.files.length} files, ${lines} lines`)
    assert.ok(way.files.length >= 5 && way.files.length <= FILES_MAX, `${way.name}: ${way.files.length} files`)
    assert.ok(lines <= LINES_MAX, `${way.name}: ${lines} lines`)
  }
})

test('the numbers of lines in the table agree with the files, and the sums are right', () => {
  for (const { name, lines, stated: counts } of files) {
    const stated = counts.filter((count) => count !== null)
    assert.ok(stated.length > 0, name)
    for (const count of stated) assert.ok(Math.abs(count - lines) <= CHANGE_MAX, `${name} has ${lines} lines: ${count}`)
  }
  for (const { name, stated, together } of ways)
    assert.equal(
      together,
      stated.reduce((sum, count) => sum + count, 0),
      name,
    )
})

test('README.md and docs/architecture.md link to the section "Change one value" of CONTRIBUTING.md', () => {
  assert.match(read('README.md'), /\]\(CONTRIBUTING\.md#change-one-value\)/)
  assert.match(read('docs/architecture.md'), /\]\(\.\.\/CONTRIBUTING\.md#change-one-value\)/)
})
