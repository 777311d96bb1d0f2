/** Does the work of `generate`: makes the files, and writes or compares them. */

import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Config, settingsTable } from '../config.ts'
import type { Catalog } from '../declare/catalog.ts'
import type { Route } from '../declare/route.ts'
import { familiesOf } from '../export/offers.ts'
import { inventedText } from '../ingest/specimens.ts'
import { root } from '../package.ts'
import registry from '../registry.ts'
import { areOf, EXAMPLES_FILE, type Examples, readExamples } from '../serve/examples.ts'
import { openapi } from '../serve/openapi.ts'
import { type Run, refuseMore } from './command.ts'
import { databaseTable, sizesTable } from './cost/sizes.ts'
import { errorsPage } from './errors-page.ts'
import { withExamples } from './examples.ts'
import type { OPTIONS } from './generate.ts'
import { type Lock, notices } from './notices.ts'
import { complain, printLine } from './print.ts'
import { ingestWords } from './wanted.ts'
import { WORDS_FILE, type WordsOfSlices } from './words.ts'

export const run: Run<typeof OPTIONS> = async ({ values, positionals }, config) => {
  refuseMore('generate', positionals)
  return values.check ? check() : write(config)
}

const write = (config: Config) =>
  withExamples(config, async (examples) => {
    for (const file of await replaced(examples, root)) printLine(`wrote ${file}`)
  })

/** Writes the outdated files of a checkout. @returns their paths in the checkout */
export async function replaced(examples: Examples, checkout: string): Promise<string[]> {
  const outdated = await differing(examples, checkout)
  for (const [file, text] of outdated) await writeFile(path.join(checkout, file), text)
  return outdated.map(([file]) => file)
}

/** This comparison needs no database, since a test compares the service's answers to the examples. */
async function check(): Promise<number> {
  const examples = await readExamples()
  const outdated = (await differing(examples, root)).map(([file]) => file)
  if (!areOf(examples, registry.routes)) outdated.push(EXAMPLES_FILE)
  for (const file of outdated) complain(`${file} is outdated: run "npm run generate"`)
  return outdated.length > 0 ? 1 : 0
}

/** The generated files whose content is outdated, each with the right content. */
async function differing(examples: Examples, checkout: string): Promise<[file: string, text: string][]> {
  const files = Object.entries(await generated(registry, examples))
  const current = await Promise.all(
    files.map(([file]) => readFile(path.join(checkout, file), 'utf8').catch(() => null)),
  )
  return files.filter(([, text], i) => current[i] !== text)
}

/** Content of every generated file by its path in the project. */
export async function generated(catalog: Catalog, examples: Examples): Promise<Record<string, string>> {
  const text = (file: string) => readFile(path.join(root, file), 'utf8')
  const { version } = JSON.parse(await text('package.json')) as { version: string }
  return {
    // If the files are indented by one blank a level, the largest files in the npm package are a tenth smaller.
    [EXAMPLES_FILE]: `${JSON.stringify(examples, null, 1)}\n`,
    [WORDS_FILE]: `${JSON.stringify(wordsOfSlices(catalog), null, 2)}\n`,
    'generated/openapi.json': `${JSON.stringify(openapi(catalog, version, examples), null, 1)}\n`,
    'generated/endpoints.md': endpointsPage(catalog.routes),
    'generated/errors.md': errorsPage(),
    'README.md': filled(await text('README.md'), { sample: sampleText(examples) }),
    'docs/operating/settings.md': filled(await text('docs/operating/settings.md'), { settings: settingsTable() }),
    'docs/operating/sizes.md': filled(await text('docs/operating/sizes.md'), {
      'database-sizes': await databaseTable(catalog),
      sizes: await sizesTable(catalog),
    }),
    'THIRD_PARTY_NOTICES.md': await notices(JSON.parse(await text('package-lock.json')) as Lock),
  }
}

const wordsOfSlices = (catalog: Catalog): WordsOfSlices => ({
  ingest: ingestWords(catalog),
  export: familiesOf(catalog).map(({ slug, label, main }) => [slug, `${label}. ${main.meaning}`]),
  rebuild: catalog.slices.map(({ slug, label }) => [slug, label]),
})

/** Replaces each text between `<!-- name -->` and `<!-- /name -->`. */
function filled(page: string, contents: Readonly<Record<string, string>>): string {
  return Object.entries(contents).reduce((text, [name, content]) => {
    const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
    const [head, rest] = text.split(start)
    const tail = rest?.split(end)[1]
    if (head === undefined || tail === undefined) throw new Error(`the page has no ${start} … ${end}`)
    return `${head}${start}\n${content}\n${end}${tail}`
  }, page)
}

const sampleText = ({ invented }: Examples) =>
  `The bundled sample is our own rendering of public facts. Some of it is invented: ${inventedText(invented)}. All invented data has Specimen in its name or belongs to a filer or adviser with such a name ([docs/quirks.md](docs/quirks.md#the-bundled-sample)). While the sample is loaded, every answer has the header \`OpenFilings-Sample: true\`.`

const row = (...cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

function endpointsPage(routes: readonly Route[]): string {
  const lines = [...routes]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map((route) => row(`\`${route.path}\``, route.bucket, route.summary))
  return `# Endpoints

Generated from the declarations by \`npm run generate\`. The reference of a running server (\`/docs\`) has the parameters, fields and an example of each.

${[row('Path below `/v1`', 'Bucket', 'Answers'), row('---', '---', '---'), ...lines].join('\n')}
`
}
