/**
 * The stages of the service that `bench/before.ts` compares, each alone, over generated input that is the same at every
 * commit.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { parse as noticeRows } from '../src/datasets/formd/parse.ts'
import { markdownOfHtml } from '../src/read/html.ts'
import { readPdf } from '../src/read/pdf.ts'
import { decodeDocument, readSubmission } from '../src/read/sgml/submission.ts'
import { each, parse } from '../src/read/xml.ts'
import type { Connection, Sql } from '../src/store/db.ts'
import { makeWorld, writeFeeds } from '../test/support/adv/host.ts'
import { freshDatabase } from '../test/support/database.ts'
import { startHost } from '../test/support/edgar-host.ts'
import { filingOf } from '../test/support/filing-made.ts'
import { loaded } from './adv.ts'
import { type Standing, start } from './apart.ts'
import { archived, listed, type Submission } from './archived.ts'
import { formD, informationTable } from './documents.ts'
import { reports } from './eightk.ts'
import { fileOf, served } from './files.ts'
import { annualReport } from './filing-html.ts'
import * as fundsets from './fundsets.ts'
import { endpoints } from './http.ts'
import { loadTwice, prepared } from './index.ts'
import { forms } from './insiders.ts'
import { load } from './load.ts'
import { generateNotices } from './notices.ts'
import { prospectus, prospectuses, rowsOf, textOf } from './offerings.ts'
import { generated } from './pdf.ts'
import { Random } from './random.ts'
import { texts } from './schedules.ts'
import { folder, openScope, type Scope } from './scope.ts'
import { type Served, UNCACHED } from './servers.ts'
import { generateSpine } from './spine.ts'
import { largeSubmission, smallSubmission } from './submissions.ts'
import * as thirteenf from './thirteenf.ts'
import { ingested, list, PERIOD, writeEdgar } from './thirteenf-edgar.ts'
import { filing } from './thirteenf-sets.ts'

/**
 * Milliseconds of processor time of some work: of the database, and of the process with its children.
 *
 * @param used measures another process, if the work is not done in this one
 */
export type Count = (work: () => Promise<unknown>, used?: () => Promise<number>) => Promise<number>

/** Does the work once. @returns milliseconds of processor time of the part that counts */
export type Once = (count: Count) => Promise<number>

/** Each stage makes its input and returns its work. */
export const STAGES: Readonly<Record<string, (scope: Scope) => Promise<Once>>> = {
  'sgml: small submissions split': async () => {
    const all = Array.from({ length: 400 }, (_, n) => Buffer.concat([...smallSubmission(n + 1)]))
    return whole(async () => {
      for (const one of all) await readSubmission(piecesOf(one))
    }, 3)
  },
  'sgml: a large submission split': async () => {
    const large = Buffer.concat([...largeSubmission(1, 0.5)])
    return whole(() => readSubmission(piecesOf(large)), 5)
  },
  'sgml: documents decoded': async () => {
    const large = Buffer.concat([...largeSubmission(1, 0.5)])
    const { documents } = await readSubmission(piecesOf(large))
    return whole(async () => {
      for (const entry of documents)
        await drained(decodeDocument(piecesOf(large.subarray(entry.start, entry.end)), entry))
    }, 5)
  },
  'xml: information table, record by record': async () => {
    const table = Buffer.from([...informationTable(27_000, 1)].join(''))
    return whole(async () => {
      for await (const record of each(piecesOf(table), 'infoTable')) record.text('cusip')
    })
  },
  'xml: information table, whole': async () => {
    const table = Buffer.from([...informationTable(27_000, 1)].join(''))
    return whole(async () => {
      for (const record of parse(table).all('infoTable')) record.money('value')
    })
  },
  'xml: Form D to rows': async () => {
    const random = new Random(2)
    const all = Array.from({ length: 4_000 }, (_, n) =>
      Buffer.from(formD(random, { cik: String(9_000_000_000 + n), name: `Generated Fund ${n}, L.P.` })),
    )
    return whole(async () => {
      for (const one of all) for (const _ of noticeRows(filingOf(parse(one))));
    })
  },
  'html: inline XBRL to Markdown': async () => {
    const html = [...annualReport(new Random(3), 8_000_000)].join('')
    return whole(async () => void markdownOfHtml(html))
  },
  'offerings: bytes to rows': async () => {
    const bytes = prospectus(1)
    return whole(async () => {
      for (let n = 0; n < 12; n++) {
        const text = await textOf(bytes)
        await rowsOf(bytes, () => Promise.resolve(text))
      }
    })
  },
  'offerings: prospectuses fetched, archived and read': async () => {
    const filings = prospectuses(24)
    return async (count) => {
      const own = openScope()
      try {
        const { read } = await listed(own, 'offerings', filings)
        return await count(read)
      } finally {
        await own.close()
      }
    }
  },
  'pdf: brochures to Markdown': async (scope) => {
    const files = await generated(await folder(scope), 6)
    return whole(async () => {
      for (const file of files) await readPdf(await readFile(file))
    })
  },
  'insiders: out of the archive': (scope) => outOfArchive(scope, 'ownership', forms(500)),
  'eightk: out of the archive': (scope) => outOfArchive(scope, 'eightk', reports(300)),
  'schedules: out of the archive': (scope) => outOfArchive(scope, 'schedule13', texts(300)),
  'thirteenf: a table of 12 MB fetched, archived, read and loaded': async (scope) => {
    const root = await folder(scope)
    await writeEdgar(root, [filing(1, { seed: 3, period: PERIOD, lines: 30_000, exactly: true })])
    const host = await startHost({ root })
    scope.after(() => host.close())
    return onDatabase(
      (own, target) => ingested(own, target, host.url),
      (sql) => list(sql, host.url),
    )
  },
  'thirteenf: a quarterly set': async (scope) => {
    const file = path.join(await folder(scope), '2024q1_form13f.zip')
    await thirteenf.writeSet(file, 150)
    return onDatabase((own, target) => thirteenf.setLoaded(own, target, file))
  },
  'fundsets: a quarterly set': async (scope) => {
    const file = await fundsets.writeSet(scope, 80)
    return onDatabase((own, target) => fundsets.setLoaded(own, target, file))
  },
  'index: a quarter loaded twice': async (scope) => {
    const file = path.join(await folder(scope), 'master.idx')
    const { lines } = await prepared(file, 0.15)
    return onDatabase((own, target) => loadTwice(own, target, file, lines))
  },
  'adv: the feed of a day loaded twice': async (scope) => {
    const at = await folder(scope)
    const { files } = await writeFeeds(at, makeWorld({ firms: 1_500, people: 0, months: 1 }))
    const feed = path.join(at, files.find(({ file }) => file.includes('IA_FIRM_SEC'))!.file)
    return onDatabase((own, target) => loaded(own, target, feed))
  },
  'files: the feed as CSV': (scope) => feedAs(scope, 'csv'),
  'files: the feed as NDJSON': (scope) => feedAs(scope, 'ndjson'),
  'http: answers of the database': (scope) => answers(scope, UNCACHED, 4_000),
  'http: answers of the memory': (scope) => answers(scope, null, 20_000),
}

/** Counts the whole work. @param times number of repetitions, so that the work takes long enough to be measured */
const whole =
  (work: () => Promise<unknown>, times = 1): Once =>
  (count) =>
    count(async () => {
      for (let n = 0; n < times; n++) await work()
    })

/** Pieces like those of a file stream. */
const piecesOf = (bytes: Buffer) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
    })(),
  )

async function drained(stream: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of stream);
}

const outOfArchive = async (scope: Scope, dataset: string, filings: readonly Submission[]) =>
  whole(await archived(scope, dataset, filings))

/** Work on a new database each time. Making the database does not count. */
const onDatabase =
  (
    work: (scope: Scope, target: Connection['target']) => Promise<unknown>,
    before?: (sql: Sql) => Promise<void>,
  ): Once =>
  async (count) => {
    const own = openScope()
    try {
      const { sql, target } = await freshDatabase(own)
      await before?.(sql)
      return await count(() => work(own, target))
    } finally {
      await own.close()
    }
  }

async function feedAs(scope: Scope, format: string): Promise<Once> {
  const { server } = await served(scope, 60_000)
  return (count) => count(async () => await drained(fileOf(server.value, format)), processorOf(server))
}

/** Requests lists and a complete filing, like the section http. */
async function answers(scope: Scope, cacheBytes: number | null, requests: number): Promise<Once> {
  const { sql, target } = await freshDatabase(scope)
  await generateSpine(sql, 10_000, 1)
  const accessions = await generateNotices(sql, 2_000, 1)
  const server = await start<Served>(scope, 'servers.ts', 'service', target, cacheBytes)
  const paths = endpoints(accessions, 60).flatMap(({ inputs, pathOf }) => inputs.map(pathOf))
  const bounds = { connections: 4, requestsMax: requests, secondsMax: 600 }
  return (count) => count(() => load({ ...server.value, ...bounds, paths }), processorOf(server))
}

const processorOf = (server: Standing<Served>) => async () => (await server.used()).processorMs
