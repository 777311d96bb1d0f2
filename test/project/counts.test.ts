/** Counts of large functions, large folders and import cycles: no count may exceed its record in test/README.md. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import {
  COMPLEXITY_MAX,
  castsOfTests,
  castsWithoutReason,
  countsOf,
  functionsWithoutReason,
  LINES_MAX,
  readCode,
} from '../support/counts.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

/** Returns the last column of the table "Size of the code" in test/README.md. */
function recorded(): Record<string, number> {
  const [, table] = /^\| Count \| before \| now \|\n\|[-:|]+\n(.*?)\n\n/ms.exec(
    readFileSync(path.join(checkout, 'test/README.md'), 'utf8'),
  )!
  const rows = table!.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  return Object.fromEntries(rows.map(([, name, , now]) => [name!, Number(now)]))
}

/** A folder may have up to this number of files before it has to be divided. */
const FOLDER_MAX = 80
const most = (name: string, record: number) =>
  name.startsWith('files in the largest folder') ? Math.max(record, FOLDER_MAX) : record

test('no count of long functions, branches, skipped statements, casts, old names, import cycles and files rises above its record', (t) => {
  const code = readCode()
  const counts = countsOf(code)
  const records = recorded()
  for (const [name, count] of Object.entries(counts)) t.diagnostic(`${name}: ${count} of ${most(name, records[name]!)}`)
  assert.deepEqual(Object.keys(counts), Object.keys(records))
  const above = Object.entries(counts).filter(([name, count]) => !(count <= most(name, records[name]!)))
  const silent = functionsWithoutReason(code).map(
    ({ place, lines, complexity }) => `${place}: ${lines} lines, complexity ${complexity}`,
  )
  const unexplained = [
    'functions without a reason in their comment:',
    ...silent,
    'casts:',
    ...castsOfTests(),
    'names:',
    ...code.oldNames,
  ]
  assert.deepEqual(above, [], unexplained.join('\n'))
})

test('functions that are long or have many branches are found, with the reasons in their comments', async (t) => {
  const folder = await temporaryFolder(t)
  mkdirSync(path.join(folder, 'src'))
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `  void ${at}`).join('\n')
  const branches = Array.from({ length: COMPLEXITY_MAX }, (_, at) => `  if (a === ${at}) return b ?? c`).join('\n')
  const code = `
    import type { Other } from './other.ts'
    type Found = Other
    /** Adds. Long: it is one list. */
    export function explained() {\n${lines(LINES_MAX - 1)}\n}
    export const short = () => {\n${lines(LINES_MAX - 2)}\n}
    class Silent {
      #long() {\n${lines(LINES_MAX - 1)}\n}
      // Branches: each is one case of a word.
      cases(a: number, b?: Other, c = null) {\n${branches}\n}
      #isTold = ({ behindName, heard: foretold }: Other) => 'told' + behindName + foretold
    }
    function outer(a: number, b: null, c: null) {
      return () => {\n${branches}\n}
    }`
  writeFileSync(path.join(folder, 'src/own.ts'), code)
  writeFileSync(path.join(folder, 'src/other.ts'), `export type Other = typeof import('./own.ts')\n`)
  const found = readCode(folder)
  const named = (some: typeof found.functions) => some.map(({ place }) => place.split(' ')[1])
  assert.deepEqual(named(found.functions), ['explained', 'short', '#long', 'cases', '#isTold', 'outer', 'outer'])
  assert.deepEqual(named(functionsWithoutReason(found)), ['#long', 'outer'])
  const counts = countsOf(found, folder)
  assert.equal(counts[`functions above ${LINES_MAX} lines`], 2)
  assert.equal(counts[`functions above complexity ${COMPLEXITY_MAX}`], 2)
  assert.equal(counts['functions of these two rows without a reason in their comment'], 2)
  assert.deepEqual(
    found.oldNames.map((name) => name.split(' ')[1]),
    ['Found', '#isTold', 'behindName', 'heard', 'behindName'],
  )
  assert.equal(counts['names with a word that the glossary replaces'], 5)
  assert.equal(counts['files in import cycles, including imports of types and dynamic imports'], 2)
})

test('files of a package that a test has installed are not counted', async (t) => {
  const folder = await temporaryFolder(t)
  for (const own of ['test/own', 'test/own/node_modules/theirs']) {
    mkdirSync(path.join(folder, own), { recursive: true })
    writeFileSync(path.join(folder, own, 'a.test.ts'), `ask(given as ${'never'})\n`)
    writeFileSync(path.join(folder, own, 'b.ts'), '')
  }
  assert.deepEqual(castsOfTests(folder), [`${path.join('test', 'own', 'a.test.ts')}:1`])
  assert.equal(countsOf(readCode(folder), folder)['files in the largest folder of test'], 2)
})

test('a cast in a test is found unless a comment on its line or the line before gives the reason', () => {
  const [never, unknown] = ['never', 'unknown as Sql'].map((type) => `  ask(given as ${type})`)
  const lines = [
    never,
    unknown,
    '  // Wrong on purpose.',
    never,
    `${unknown} // It only asks.`,
    `${never} // biome-ignore`,
  ]
  assert.deepEqual(castsWithoutReason('a.test.ts', lines.join('\n')), ['a.test.ts:1', 'a.test.ts:2', 'a.test.ts:6'])
  assert.deepEqual(castsWithoutReason('a.test.ts', `// ${never}`), [])
})
