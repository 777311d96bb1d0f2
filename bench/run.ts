/**
 * `npm run bench`: runs every section in a process of its own, one after the other, and prints one table.
 *
 *     npm run bench -- --only xml,http   --json   --write
 *     npm run bench -- --smoke                         a hundredth of each section, and whether it still runs
 *     npm run bench -- --only season --share 0.1       a tenth of its data, to try the bench
 *     npm run bench -- --only pdf --pdfs FOLDER        PDFs of one's own in place of generated ones
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { apart } from './apart.ts'
import { type Options, Refused, readOptions } from './options.ts'
import { markdownTable, type Row, ratioOf, textTable } from './report.ts'
import { runSections, SECTIONS } from './sections.ts'

const report = (line: string) => process.stderr.write(`bench: ${line}\n`)
try {
  await run(readOptions(process.argv.slice(2)))
} catch (error) {
  if (!(error instanceof Refused)) throw error
  report(error.message)
  process.exitCode = 2
}

async function run(options: Options): Promise<void> {
  const { wanted, share, pdfs } = options
  const one = async (name: string) => (await apart<Row[]>('sections.ts', 'measured', name, share, pdfs)).value
  const runAll = options.smoke ? (await import('./smoke.ts')).smoke : runSections
  const { found, failed } = await runAll(wanted, one, report)
  if (failed.length > 0) process.exitCode = 1
  if (options.json)
    console.log(
      JSON.stringify(
        found.map((row) => ({ ...row, ratio: ratioOf(row) })),
        null,
        2,
      ),
    )
  // The figures of a smoke run are meaningless as speeds.
  else if (!options.smoke) console.log(textTable(found))
  if (options.write && failed.length === 0) writeTable(markdownTable(found), wanted)
}

/**
 * Replaces the rows of the sections that ran, between the two marks of results.md. Both numbers of a row come from one
 * run of its section, so sections may come from different runs.
 */
function writeTable(table: string, wanted: readonly string[]): void {
  const file = new URL('results.md', import.meta.url)
  const [before, after] = ['<!-- last run -->', '<!-- end of last run -->']
  const text = readFileSync(file, 'utf8')
  const from = text.indexOf(before)
  const to = text.indexOf(after)
  if (from < 0 || to < from) throw new Refused(`--write: bench/results.md lacks its marks ${before} and ${after}`)
  const [head, rule, ...rows] = table.split('\n')
  const sectionOf = (line: string) => /^\| (\w+) \|/.exec(line)?.[1] ?? ''
  const kept = text
    .slice(from, to)
    .split('\n')
    .filter((line) => !wanted.includes(sectionOf(line)))
  const all = SECTIONS.flatMap((section) => [...rows, ...kept].filter((line) => sectionOf(line) === section))
  writeFileSync(file, [text.slice(0, from + before.length), '', head, rule, ...all, '', text.slice(to)].join('\n'))
}
