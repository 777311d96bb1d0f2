/**
 * Compares loading a quarter's index into the spine with a plain COPY of its lines into one table with a primary key.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type IndexResult, loadIndex } from '../src/ingest/spine.ts'
import { fold } from '../src/read/fold.ts'
import { readIndex } from '../src/read/master-index.ts'
import registry from '../src/registry.ts'
import { copyLine } from '../src/store/copy.ts'
import { type Connection, connect, type Sql } from '../src/store/db.ts'
import { apart } from './apart.ts'
import { withDatabase } from './database.ts'
import { indexLines, masterIndex } from './master-index.ts'
import { alternate, median, seconds } from './measure.ts'
import type { Row } from './report.ts'
import { folder, type Scope } from './scope.ts'
import { part } from './share.ts'

const ROUNDS = 3

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const file = path.join(await folder(scope), 'master.idx')
  const { lines, text } = await prepared(file, share)
  const found = await alternate(part(ROUNDS, share), {
    ours: () => withDatabase(({ target }) => apart<Times>('index.ts', 'loadTwice', target, file, lines)),
    copy: () => withDatabase(async ({ sql }) => inHere(await copied(sql, text))),
    read: async () => inHere(await seconds(() => readWhole(file))),
  })
  const speed = (rounds: readonly { value: Times }[], load: keyof Times) =>
    lines / median(rounds.map(({ value }) => value[load]))
  const copy = speed(found.copy, 'first')
  const row = (what: string, ours: number, note: string): Row => ({
    section: 'index',
    what: `${lines.toLocaleString('en-US')} lines, ${what}`,
    ours,
    peer: copy,
    unit: 'rows/s',
    note,
  })
  return [
    row(
      'loaded into an empty spine',
      speed(found.ours, 'first'),
      'COPY of the same lines into one table with a primary key',
    ),
    row('loaded again without changes', speed(found.ours, 'second'), 'the same COPY'),
    row('read and parsed alone', speed(found.read, 'first'), 'the same COPY'),
    {
      section: 'index',
      what: 'memory of the process that loads',
      ours: median(found.ours.map(({ rssMaxMb }) => rssMaxMb)),
      peer: null,
      unit: 'MB',
      note: 'maximum of the process; sorting is done by the database',
    },
  ]
}

/** Seconds of the first load and, if there is one, of the second. */
interface Times {
  first: number
  second: number
}

const inHere = (first: number) => ({ value: { first, second: 0 }, rssMaxMb: 0 })

/** Writes the index, and its lines as COPY text for the plain table. */
export async function prepared(file: string, share: number): Promise<{ lines: number; text: string[] }> {
  const all = indexLines(1, share)
  await pipeline(Readable.from(masterIndex(all)), createWriteStream(file))
  const text: string[] = []
  for (let from = 0; from < all.length; from += 1000) {
    const records = all.slice(from, from + 1000).map(({ cik, name, form, date, accession }) => {
      const ten = cik.padStart(10, '0')
      return copyLine([accession, ten, name, fold(name), form, date, `edgar/data/${cik}/${accession}.txt`])
    })
    text.push(records.join(''))
  }
  return { lines: all.length, text }
}

/** A job for a separate process: loads the same index twice. */
export async function loadTwice(
  scope: Scope,
  target: Connection['target'],
  file: string,
  lines: number,
): Promise<Times> {
  const sql = connect({ target })
  scope.after(() => sql.end({ timeout: 5 }))
  const results: IndexResult[] = []
  const load = () =>
    seconds(async () => {
      const index = { url: 'generated', reader: readIndex(createReadStream(file)), source: 'generated' }
      results.push(
        await loadIndex(sql, registry, {
          ...index,
          host: 'bench',
          through: '2025-12-31',
          wholeFrom: '2025-10-01',
          now: new Date(),
        }),
      )
    })
  const times = { first: await load(), second: await load() }
  const [one, two] = results
  if (one!.lines !== lines || one!.added !== one!.filings || two!.added + two!.changed + two!.removed > 0) {
    throw new Error(`the index was not loaded as it is: ${JSON.stringify(results)}`)
  }
  return times
}

async function copied(sql: Sql, text: readonly string[]): Promise<number> {
  await sql`
    create table plain (
      accession text collate "C", cik text collate "C", name text collate "C", name_key text collate "C",
      form_type text collate "C", filed_date date, path text collate "C", primary key (accession, cik)
    )`
  return seconds(() =>
    sql.begin(async (tx) => {
      const sink = await tx`copy plain from stdin`.writable()
      await pipeline(Readable.from(text), sink)
    }),
  )
}

async function readWhole(file: string): Promise<void> {
  for await (const _ of readIndex(createReadStream(file)).entries);
}
