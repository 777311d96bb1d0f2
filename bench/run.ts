/**
 * `npm run bench`: every section in a process of its own, one after the other, and one table.
 *
 *     npm run bench -- --only xml,http   --json   --write
 *     npm run bench -- --only season --share 0.01      a hundredth of its data, to try the bench
 *     npm run bench -- --only pdf --pdfs FOLDER        PDFs of one's own in place of generated ones
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { apart } from './apart.ts'
import { markdownTable, type Row, ratioOf, textTable } from './report.ts'

/** Each is a module `<name>.ts` that exports `rows(scope, share, pdfs): Promise<Row[]>`; most know no share, and pdf alone the folder. */
const SECTIONS = [
  'xml',
  'forms',
  'html',
  'sgml',
  'index',
  'startup',
  'http',
  'places',
  'files',
  'filings',
  'offerings',
  'insiders',
  'schedules',
  'lists',
  'eightk',
  'follow',
  'streams',
  'adv',
  'names',
  'textsearch',
  'thirteenf',
  'fundsets',
  'nport',
  'holdings',
  'securities',
  'prices',
  'export',
  'season',
  'pages',
  'pdf',
]

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: SECTIONS.join(',') },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    share: { type: 'string', default: '1' },
    pdfs: { type: 'string' },
  },
})
const wanted = values.only.split(',')
const unknown = wanted.find((name) => !SECTIONS.includes(name))
if (unknown !== undefined) fail(`--only: there is no section ${unknown}; there are ${SECTIONS.join(', ')}`)

const share = Number(values.share)
if (!(share > 0 && share <= 1)) fail('--share: must be a number above 0, at most 1')
if (values.pdfs !== undefined && values.only !== 'pdf') fail('--pdfs: only with --only pdf')
if (share < 1 && values.write) fail('--share: rows of a part are not written')

const found: Row[] = []
for (const section of SECTIONS.filter((name) => wanted.includes(name))) {
  const begun = performance.now()
  process.stderr.write(`bench: ${section} …\n`)
  try {
    found.push(...(await apart<Row[]>(`${section}.ts`, 'rows', share, values.pdfs)).value)
    process.stderr.write(`bench: ${section} took ${Math.round((performance.now() - begun) / 1000)} s\n`)
  } catch (error) {
    process.stderr.write(`bench: ${section} failed: ${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
if (values.json)
  console.log(
    JSON.stringify(
      found.map((row) => ({ ...row, ratio: ratioOf(row) })),
      null,
      2,
    ),
  )
else console.log(textTable(found))
if (values.write && !process.exitCode) writeTable(markdownTable(found))

/**
 * Replaces the rows of the sections that ran, between the two marks of README.md. Both numbers of a row are of one run of
 * its section, so sections may be of different runs.
 */
function writeTable(table: string): void {
  const file = new URL('README.md', import.meta.url)
  const [before, after] = ['<!-- last run -->', '<!-- end of last run -->']
  const text = readFileSync(file, 'utf8')
  const from = text.indexOf(before)
  const to = text.indexOf(after)
  if (from < 0 || to < from) fail(`--write: bench/README.md lacks its marks ${before} and ${after}`)
  const [head, rule, ...rows] = table.split('\n')
  const sectionOf = (line: string) => /^\| (\w+) \|/.exec(line)?.[1] ?? ''
  const kept = text
    .slice(from, to)
    .split('\n')
    .filter((line) => SECTIONS.includes(sectionOf(line)) && !wanted.includes(sectionOf(line)))
  const all = SECTIONS.flatMap((section) => [...rows, ...kept].filter((line) => sectionOf(line) === section))
  writeFileSync(file, [text.slice(0, from + before.length), '', head, rule, ...all, '', text.slice(to)].join('\n'))
}

function fail(message: string): never {
  process.stderr.write(`bench: ${message}\n`)
  process.exit(2)
}
