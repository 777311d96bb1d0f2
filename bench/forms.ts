/** Every dataset's parser over its own fixtures, form by form, against the tokeniser beneath. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from '../src/core/parse/xml.ts'
import registry from '../src/registry.ts'
import { alternate, median, seconds } from './measure.ts'
import type { Row } from './report.ts'
import { bareParser } from './xml-jobs.ts'

const datasets = path.join(import.meta.dirname, '../src/datasets')
const ROUNDS = 5
/** Bytes read per round and form: a fixture is a few kilobytes, and a clock needs milliseconds. */
const ROUND_BYTES = 4_000_000

export async function rows(): Promise<Row[]> {
  const found: Row[] = []
  for (const dataset of registry.filings) {
    const forms = Map.groupBy(fixturesOf(dataset.slug), (document) => formOf(document))
    for (const [form, documents] of [...forms].sort()) found.push(...(await measure(dataset, form, documents)))
  }
  return found
}

async function measure(dataset: (typeof registry.filings)[number], form: string, documents: Buffer[]): Promise<Row[]> {
  const bytesOnce = documents.reduce((sum, document) => sum + document.length, 0)
  const times = Math.ceil(ROUND_BYTES / bytesOnce)
  const repeat = (work: (document: Buffer) => void) => () =>
    seconds(() => {
      for (let time = 0; time < times; time++) for (const document of documents) work(document)
    })
  let made = 0
  const ours = repeat((document) => {
    for (const _row of dataset.parse(parse(document))) made++
  })
  const saxes = repeat((document) => bareParser('edgarSubmission').parser.write(document.toString()).close())
  await ours()
  await saxes()
  made = 0
  const taken = await alternate(ROUNDS, { ours, saxes })
  const perSecond = (of: number) => of / median(taken.ours)
  const rowsEach = made / ROUNDS
  const base = { section: 'forms', what: `${dataset.slug} ${form}` }
  const speed = (bytes: number, some: readonly number[]) => bytes / 1e6 / median(some)
  const bytes = bytesOnce * times
  const count = documents.length * times
  return [
    {
      ...base,
      ours: speed(bytes, taken.ours),
      peer: speed(bytes, taken.saxes),
      unit: 'MB/s',
      note: `saxes alone; ${Math.round(perSecond(count)).toLocaleString('en-US')} documents/s, ${Math.round(perSecond(rowsEach)).toLocaleString('en-US')} rows/s`,
    },
  ]
}

const fixturesOf = (slug: string): Buffer[] =>
  globSync(`${slug}/fixtures/*/primary_doc.xml`, { cwd: datasets }).map((file) =>
    readFileSync(path.join(datasets, file)),
  )

/** The form as the document names it; each family has its own element for it. */
function formOf(document: Buffer): string {
  return /<(?:\w+:)?(?:submissionType|formType)>\s*([^<]+?)\s*</.exec(document.toString())?.[1] ?? 'form not named'
}
