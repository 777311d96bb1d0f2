/**
 * Explains how the reader of officers reads a text of item 5.02. Shows its persons with their evidence, offices, days,
 * statements, and the veto that drops each candidate.
 *
 *     node bin/run.mjs test/explain.ts "On May 3, 2024, Ada Sample resigned as Treasurer."
 *     node bin/run.mjs test/explain.ts FILE                       the text of a file
 *     node bin/run.mjs test/explain.ts --filer NAME --filed DAY   the name of the filer, and the filing date
 *     node bin/run.mjs test/explain.ts --vetoes                   the names of the vetoes, and what they mean
 */
import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { VETOES } from '../src/datasets/eightk/officers/vetoes.ts'
import { explain } from './support/eightk/explain.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { filer: { type: 'string' }, filed: { type: 'string' }, vetoes: { type: 'boolean', default: false } },
})

const lines = positionals.map((given) => {
  const text = existsSync(given) ? readFileSync(given, 'utf8') : given
  return explain({ text, of: values.filer ?? null, filed: values.filed ?? null })
})
if (values.vetoes)
  lines.push(...Object.entries(VETOES).map(([name, { means, example }]) => `${name}: ${means}\n  ${example}`))
if (lines.length === 0) {
  process.stderr.write('give a text or a file, or --vetoes\n')
  process.exitCode = 2
}
process.stdout.write(lines.map((one) => `${one}\n`).join('\n'))
