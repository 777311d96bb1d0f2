/**
 * Compares loading Form 13F with COPY of the same positions into the same table with its indexes. Measured are the
 * whole ingest of one information table of 150 MB and of a quarterly set, and the loader alone for parsed rows.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { diskStore } from '../src/archive/store.ts'
import thirteenf from '../src/datasets/thirteenf/index.ts'
import { nothingFound } from '../src/datasets/thirteenf/parse/values.ts'
import { type Row as FilingRow, rowsOf } from '../src/datasets/thirteenf/report.ts'
import { closeDictionaries, loadRows, openDictionaries } from '../src/ingest/load.ts'
import { collectEarly } from '../src/ingest/memory.ts'
import { ingestSets } from '../src/ingest/sets/ingest.ts'
import registry from '../src/registry.ts'
import { copyLine } from '../src/store/copy.ts'
import { type Connection, connect, type Sql } from '../src/store/db.ts'
import { madeWithin } from '../src/store/partitions.ts'
import { ZipWriter } from '../test/support/adv/zip.ts'
import { startHost } from '../test/support/edgar-host.ts'
import { apart } from './apart.ts'
import { withDatabase } from './database.ts'
import { alternate, median, seconds } from './measure.ts'
import { hasProgram, secondsOf } from './program.ts'
import type { Row } from './report.ts'
import { folder, type Scope } from './scope.ts'
import { part } from './share.ts'
import { type Ingested, list, PERIOD, writeEdgar } from './thirteenf-edgar.ts'
import { holdingsOf } from './thirteenf-rows.ts'
import { filing, filings, quarterlySet, submissionOf } from './thirteenf-sets.ts'

const ROUNDS = 3
/** Lines of the information table: 150 MB. */
const LINES = 380_000
/** Size of the set: a third of a quarter's. */
const SET = { filings: 2_000, lines: 350 }

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  return [...(await tableRows(scope, share)), ...(await setRows(scope, share)), ...(await loadedRows(share))]
}

const row = (what: string, ours: number, peer: number | null, unit: string, note: string): Row => ({
  section: 'thirteenf',
  what,
  ours,
  peer,
  unit,
  note,
})

const PEER = 'COPY of the same positions into the same table with its indexes'
const GOAL = 'goal 0.6'

/** Seconds of one load, and of COPY of its rows. */
interface Pass {
  ours: number
  copy: number
  positions: number
  rssMaxMb: number
}

const NOTHING: Pass = { ours: 0, copy: 0, positions: 0, rssMaxMb: 0 }

async function tableRows(scope: Scope, share: number): Promise<Row[]> {
  const root = await folder(scope)
  const made = filing(1, { seed: 3, period: PERIOD, lines: part(LINES, share), exactly: true })
  await writeEdgar(root, [made])
  const table = path.join(root, 'table.xml')
  await pipeline([submissionOf(made).table!], createWriteStream(table))
  const megabytes = (await stat(table)).size / 1e6
  const host = await startHost({ root })
  scope.after(() => host.close())
  const pass = async (): Promise<Pass> =>
    withDatabase(async ({ sql, target }) => {
      await list(sql, host.url)
      const { value, rssMaxMb } = await apart<Ingested>('thirteenf-edgar.ts', 'ingested', target, host.url)
      return { ours: (value.ended - value.begun) / 1000, rssMaxMb, ...(await copiedAgain(scope, sql)) }
    })
  const lintOnce = async () => ({ ...NOTHING, ours: await secondsOf('xmllint', ['--stream', '--noout', table]) })
  const found = await alternate<Pass, 'passes' | 'lint'>(part(ROUNDS, share), {
    passes: pass,
    lint: (await hasProgram('xmllint')) ? lintOnce : undefined,
  })
  const what = `information table of ${Math.round(megabytes)} MB, fetched, archived, read and loaded`
  const { ours, copy } = speeds(found.passes)
  const lint = found.lint.length > 0 ? megabytes / median(found.lint.map(({ ours: taken }) => taken)) : null
  const taken = median(found.passes.map((pass) => pass.ours))
  const memory = median(found.passes.map(({ rssMaxMb }) => rssMaxMb))
  return [
    row(what, ours, copy, 'rows/s', PEER),
    row(what, megabytes / taken, lint, 'MB/s', lint === null ? 'xmllint is not installed (libxml2-utils)' : 'xmllint --stream --noout'),
    row(`${what}: memory`, memory, null, 'MB', 'maximum of the process; bound 300'),
  ] // biome-ignore format: one line each
}

async function setRows(scope: Scope, share: number): Promise<Row[]> {
  const at = await folder(scope)
  const file = path.join(at, '2024q1_form13f.zip')
  await writeSet(file, part(SET.filings, share, 10))
  const passes = await alternate(part(ROUNDS, share), {
    ours: () =>
      withDatabase(async ({ sql, target }) => {
        const { value, rssMaxMb } = await apart<number>('thirteenf.ts', 'setLoaded', target, file)
        return { ours: value, rssMaxMb, ...(await copiedAgain(scope, sql)) }
      }),
  })
  const { ours, copy, positions } = speeds(passes.ours)
  const what = `quarterly set of ${positions.toLocaleString('en-US')} positions`
  const memory = median(passes.ours.map(({ rssMaxMb }) => rssMaxMb))
  return [
    row(what, ours, copy, 'rows/s', `${PEER}; ${GOAL}`),
    row(`${what}: memory`, memory, null, 'MB', 'maximum of the process'),
  ]
}

export async function writeSet(file: string, count: number): Promise<void> {
  const zip = await ZipWriter.create(file, '2024-03-01', 1)
  const made = quarterlySet(filings(count, { seed: 5, period: PERIOD, lines: SET.lines }))
  // Handles one member after the other: a member ends before the first piece of the next member.
  let next = made.next()
  while (!next.done) {
    const [member] = next.value
    function* pieces() {
      for (; !next.done && next.value[0] === member; next = made.next()) yield Buffer.from(next.value[1])
    }
    await zip.add(`${member}.tsv`, pieces())
  }
  await zip.close()
}

/** A job for a separate process. @returns seconds */
export async function setLoaded(scope: Scope, target: Connection['target'], file: string): Promise<number> {
  collectEarly()
  const sql = connect({ target })
  scope.after(() => sql.end({ timeout: 5 }))
  const store = diskStore(await folder(scope))
  return seconds(async () => {
    const [outcome] = await ingestSets({
      sql,
      slices: registry.slices,
      store,
      dataset: thirteenf,
      from: { files: [file] },
    })
    if (!outcome?.result || outcome.error !== null) throw new Error(outcome?.error ?? 'nothing was loaded')
  })
}

async function loadedRows(share: number): Promise<Row[]> {
  const passes = await alternate(part(ROUNDS, share), {
    ours: () =>
      withDatabase(async ({ target }) => {
        const { value } = await apart<Pass>('thirteenf.ts', 'streamed', target, part(LINES, share))
        return value
      }),
  })
  const { ours, copy } = speeds(passes.ours)
  return [row('positions into the database, read before', ours, copy, 'rows/s', `${PEER}; ${GOAL}`)]
}

/** A job for a separate process: loads rows that exist as objects, in one transaction. */
export async function streamed(scope: Scope, target: Connection['target'], lines: number): Promise<Pass> {
  const sql = connect({ target })
  scope.after(() => sql.end({ timeout: 5 }))
  const made = filing(1, { seed: 3, period: PERIOD, lines, exactly: true })
  const { accession, filedDate, cik, period, name } = made
  const header = { submissionType: made.form, filedDate, cik, period, name }
  const all: FilingRow[] = []
  for await (const one of rowsOf({
    header,
    cover: null,
    holdings: holdingsOf(made),
    found: nothingFound(),
    source: 'xml',
  }))
    all.push(one)
  async function* rows() {
    yield* all as Iterable<readonly [string, Record<string, unknown>]>
  }
  const ours = await seconds(() =>
    sql.begin(async (tx) => {
      await openDictionaries(tx, thirteenf)
      await loadRows(tx, thirteenf, [{ accession, filedDate, rows: rows as never }], {
        schema: thirteenf.slug,
        partitions: madeWithin,
      })
      await closeDictionaries(tx, thirteenf)
    }),
  )
  return { ours, rssMaxMb: 0, ...(await copiedAgain(scope, sql)) }
}

/** Takes the positions out of the table and puts them back by COPY into the same table, partitions and indexes. */
async function copiedAgain(scope: Scope, sql: Sql): Promise<{ copy: number; positions: number }> {
  const file = path.join(await folder(scope), 'positions.txt')
  let positions = 0
  async function* text() {
    for await (const some of sql`select * from thirteenf.position order by accession, n`.cursor(10_000)) {
      positions += some.length
      yield some.map((position) => copyLine(Object.values(position))).join('')
    }
  }
  await pipeline(text, createWriteStream(file))
  await sql`truncate thirteenf.position`
  const copy = await seconds(() =>
    sql.begin(async (tx) => pipeline(createReadStream(file), await tx`copy thirteenf.position from stdin`.writable())),
  )
  return { copy, positions }
}

/** Positions a second. */
function speeds(passes: readonly Pass[]): { ours: number; copy: number; positions: number } {
  const [first] = passes
  const positions = first!.positions
  const of = (key: 'ours' | 'copy') => positions / median(passes.map((pass) => pass[key]))
  return { ours: of('ours'), copy: of('copy'), positions }
}
