/**
 * Compares the parsers of seven datasets of XML forms, each over the dataset's own fixtures, with saxes. Also measures
 * reading all these fixtures without making rows.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse as cfportal } from '../src/datasets/cfportal/parse.ts'
import { parse as crowdfunding } from '../src/datasets/crowdfunding/parse.ts'
import { parse as form144 } from '../src/datasets/form144/parse.ts'
import { parse as formd } from '../src/datasets/formd/parse.ts'
import { parse as ownership } from '../src/datasets/ownership/parse.ts'
import { parse as rega } from '../src/datasets/rega/parse.ts'
import { parse as x17a5 } from '../src/datasets/x17a5/parse.ts'
import type { Filing } from '../src/declare/documents.ts'
import { type Element, parse } from '../src/read/xml.ts'
import { filingOf } from '../test/support/filing-made.ts'
import { alternate, median, seconds } from './measure.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { part } from './share.ts'
import { bareParser } from './xml-jobs.ts'

const datasets = path.join(import.meta.dirname, '../src/datasets')
const ROUNDS = 5
/** Bytes read per round and form: a fixture has only a few kilobytes, and shorter rounds cannot be timed. */
const ROUND_BYTES = 4_000_000

export async function rows(_scope: Scope, share: number): Promise<Row[]> {
  const found: Row[] = []
  const everything: Buffer[] = []
  for (const [slug, read] of Object.entries(BY_NAME)) {
    const fixtures = fixturesOf(slug)
    everything.push(...fixtures)
    const forms = Map.groupBy(fixtures, (document) => formOf(document))
    for (const [form, documents] of [...forms].sort()) {
      const what = `${slug} ${form}`
      found.push(await measure(what, documents, (document) => read(filingOf(parse(document))), share))
    }
  }
  for (const [slug, read] of Object.entries(BY_TYPE)) {
    const documents = fixturesOf(slug)
    found.push(
      await measure(
        slug,
        documents,
        (document) =>
          read(filingOf(parse(document), { form: slug === 'form144' ? '144' : '4', filedDate: '2024-01-02' })),
        share,
      ),
    )
  }
  return [
    ...found,
    await measure('all of them, read without making rows', everything, (document) => [parse(document)], share),
  ]
}

type Parser = (filing: Filing<{ form: Element }>) => Iterable<unknown>

/** Parsers of forms whose document always has the same name, in the order of the registry. */
const BY_NAME: Record<string, Parser> = { formd, rega, crowdfunding, cfportal, x17a5 }

/** Parsers of forms whose document is found by its type. */
const BY_TYPE: Record<string, Parser> = { ownership, form144 }

async function measure(
  what: string,
  documents: Buffer[],
  read: (document: Buffer) => Iterable<unknown>,
  share: number,
): Promise<Row> {
  const rounds = part(ROUNDS, share)
  const bytesOnce = documents.reduce((sum, document) => sum + document.length, 0)
  const times = Math.ceil(part(ROUND_BYTES, share) / bytesOnce)
  const repeat = (work: (document: Buffer) => void) => () =>
    seconds(() => {
      for (let time = 0; time < times; time++) for (const document of documents) work(document)
    })
  let made = 0
  const ours = repeat((document) => {
    for (const _row of read(document)) made++
  })
  const saxes = repeat((document) => bareParser('edgarSubmission').parser.write(document.toString()).close())
  await ours()
  await saxes()
  made = 0
  const taken = await alternate(rounds, { ours, saxes })
  const perSecond = (of: number) => of / median(taken.ours)
  const rowsEach = made / rounds
  const speed = (bytes: number, some: readonly number[]) => bytes / 1e6 / median(some)
  const bytes = bytesOnce * times
  const count = documents.length * times
  return {
    section: 'forms',
    what,
    ours: speed(bytes, taken.ours),
    peer: speed(bytes, taken.saxes),
    unit: 'MB/s',
    note: `saxes alone; ${Math.round(perSecond(count)).toLocaleString('en-US')} documents/s, ${Math.round(perSecond(rowsEach)).toLocaleString('en-US')} rows/s`,
  }
}

const fixturesOf = (slug: string): Buffer[] =>
  globSync(`${slug}/fixtures/*/${slug in BY_TYPE ? '*' : 'primary_doc'}.xml`, { cwd: datasets }).map((file) =>
    readFileSync(path.join(datasets, file)),
  )

/** The name of the form in the document; each family has its own element for this name. */
function formOf(document: Buffer): string {
  return /<(?:\w+:)?(?:submissionType|formType)>\s*([^<]+?)\s*</.exec(document.toString())?.[1] ?? 'form not named'
}
