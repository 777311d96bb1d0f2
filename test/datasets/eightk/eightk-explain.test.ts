/** Vetoes and the lexicon of the reader of officers: each is needed, and explanations name what was found and what was dropped. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Lexicon, type LexiconRow, ownLexicon } from '../../../src/datasets/eightk/officers/lexicon.ts'
import { VETOES, type Veto } from '../../../src/datasets/eightk/officers/vetoes.ts'
import { type Explained, explain, rowsIn, rowsWithout, vetoesIn } from '../../support/eightk/explain.ts'
import { casesIn } from '../../support/eightk/sentence-cases.ts'
import { temporaryFolder } from '../../support/world.ts'

const VETO_NAMES = Object.keys(VETOES) as Veto[]
const CASES = ['coming', 'going', 'persons', 'nothing', 'pay'].flatMap((file) =>
  casesIn(readFileSync(new URL(`eightk-sentences/${file}.txt`, import.meta.url), 'utf8')),
)
const read = new Map<Explained, string>()
/** Tests whether a text reads differently with vetoes switched off, or with another lexicon. */
function needs(one: Explained, off: readonly Veto[], lexicon?: Lexicon): boolean {
  const rows = read.get(one) ?? rowsIn(one).sort().join('\n')
  read.set(one, rows)
  return rowsWithout(one, off, lexicon).sort().join('\n') !== rows
}

test('for each veto, a case of the sentence files reads differently without the veto', () => {
  const vetoes = new Map(CASES.map((one) => [one, vetoesIn(one)]))
  const unneeded = VETO_NAMES.filter((veto) => !CASES.some((one) => vetoes.get(one)!.has(veto) && needs(one, [veto])))
  assert.deepEqual(unneeded, [])
})

test('the example of each veto reads differently without it', () => {
  for (const [veto, { example, ...rest }] of Object.entries(VETOES))
    assert.ok(needs({ text: example, of: 'ACME INC', ...rest }, [veto as Veto]), veto)
})

const without = (row: LexiconRow) => new Lexicon(ownLexicon().rows.filter((other) => other !== row))

test('the example of each line of the lexicon reports its event, and reads differently without the line', () => {
  const faults = ownLexicon().rows.filter((row) => {
    const one = { text: row.example, of: 'ACME INC' }
    const isReported = rowsIn(one).some((read) => row.event === null || read.includes(` | ${row.event} | `))
    return !isReported || !needs(one, [], without(row))
  })
  assert.deepEqual(faults, [])
})

test('a reading with a trace gives the same result as a reading without a trace', () => {
  for (const one of CASES) assert.deepEqual(rowsWithout(one, []), rowsIn(one), one.text)
})

test('an explanation names persons with their evidence, offices, days, statements, and the veto that drops each candidate', () => {
  const text =
    'On May 3, 2024, Jane Doe, age 50, Controller of the Company, was appointed Treasurer. The Board thanked Zyx Qwert. Ms. Doe will not resign as Controller.'
  assert.deepEqual(explain({ text, of: 'ACME INC' }).split('\n'), [
    'person: Jane Doe: surname after an honorific',
    'person: Zyx Qwert: no evidence, left out',
    'sentence: On May 3, 2024, [Jane Doe], was appointed Treasurer.',
    '  offices: Controller; Treasurer',
    '  days: 2024-05-03',
    '  found: appoint~ (appoints, appointed, frame appoints): "appointed Treasurer."',
    '  statement: appointed: Jane Doe: Treasurer: "appointed Treasurer."',
    '  event: Jane Doe | Treasurer | appointed | 2024-05-03 | -: "appointed Treasurer."',
    'sentence: The Board thanked Zyx Qwert.',
    'sentence: [Jane Doe] will not resign as Controller.',
    '  offices: Controller',
    '  found: resign~ (leaves, resigned, frame leaves): "resign as Controller."',
    `  dropped by denied: "resign as Controller.": ${VETOES.denied.means}`,
    'read:',
    '  Jane Doe | Treasurer | appointed | 2024-05-03 | -',
  ])
})

test('the program explains texts and files, lists the vetoes, and asks for a text if it gets none', async (t) => {
  const program = new URL('../../explain.ts', import.meta.url).pathname
  const run = (...args: string[]) => promisify(execFile)(process.execPath, [program, ...args])
  const file = path.join(await temporaryFolder(t), 'item.txt')
  writeFileSync(file, 'Jane Doe resigned as Treasurer.')
  const { stdout } = await run('--filer', 'ACME INC', '--filed', '2024-05-06', '--vetoes', file)
  assert.match(stdout, /read:\n {2}Jane Doe \| Treasurer \| resigned \| - \| -\n/)
  for (const veto of VETO_NAMES) assert.ok(stdout.includes(`\n${veto}: ${VETOES[veto].means}\n`), veto)
  await assert.rejects(run(), { code: 2, stderr: 'give a text or a file, or --vetoes\n' })
})
