/**
 * Compares the whole ingest of a quarterly set of Form N-PORT with COPY of the same rows into the same tables with
 * their indexes. The set is scanned, sorted by the database, read and loaded.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { diskStore } from '../src/archive/store.ts'
import nport from '../src/datasets/nport/index.ts'
import { collectEarly } from '../src/ingest/memory.ts'
import { ingestSets } from '../src/ingest/sets/ingest.ts'
import { copyLine } from '../src/store/copy.ts'
import { type Connection, connect, type Sql } from '../src/store/db.ts'
import { ZipWriter } from '../test/support/adv/zip.ts'
import { apart } from './apart.ts'
import { withDatabase } from './database.ts'
import { alternate, median, seconds } from './measure.ts'
import { nportSet } from './nport-sets.ts'
import type { Row } from './report.ts'
import { folder, type Scope } from './scope.ts'
import { part } from './share.ts'

const ROUNDS = 3
/** A tenth of a quarter's set. */
const SET = { filings: 1_300, lines: 450 }
const TABLES = ['holding', 'debt', 'identifier', 'lending']

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const file = await writeSet(scope, part(SET.filings, share))
  const passes = await alternate(part(ROUNDS, share), {
    ours: () =>
      withDatabase(async ({ sql, target }) => {
        const { value, rssMaxMb } = await apart<number>('fundsets.ts', 'setLoaded', target, file)
        return { ours: value, rssMaxMb, ...(await copiedAgain(scope, sql)) }
      }),
  })
  const { holdings } = passes.ours[0]!
  const speed = (key: 'ours' | 'copy') => holdings / median(passes.ours.map((pass) => pass[key]))
  const row = (what: string, ours: number, peer: number | null, unit: string, note: string): Row => ({
    ...{ section: 'fundsets', what: `quarterly set of ${holdings.toLocaleString('en-US')} holdings${what}` },
    ...{ ours, peer, unit, note },
  })
  return [
    row(
      '',
      speed('ours'),
      speed('copy'),
      'holdings/s',
      'COPY of the same rows into the same tables with their indexes',
    ),
    row(': memory', median(passes.ours.map(({ rssMaxMb }) => rssMaxMb)), null, 'MB', 'maximum of the process'),
  ]
}

export async function writeSet(scope: Scope, filings: number): Promise<string> {
  const file = path.join(await folder(scope), '2026q1_nport.zip')
  const zip = await ZipWriter.create(file, '2026-04-01', 1)
  for (const [member, pieces] of nportSet(filings, SET.lines)) {
    await zip.add(
      `${member}.tsv`,
      Iterator.from(pieces()).map((text) => Buffer.from(text)),
    )
  }
  await zip.close()
  return file
}

/** A job for a separate process. @returns seconds */
export async function setLoaded(scope: Scope, target: Connection['target'], file: string): Promise<number> {
  collectEarly()
  const sql = connect({ target })
  scope.after(() => sql.end({ timeout: 5 }))
  const store = diskStore(await folder(scope))
  return seconds(async () => {
    // Other sections measure the rollups of other slices.
    const [outcome] = await ingestSets({ sql, slices: [nport], store, dataset: nport, from: { files: [file] } })
    if (!outcome?.result || outcome.error !== null) throw new Error(outcome?.error ?? 'nothing was loaded')
    if (outcome.found.refused > 0) throw new Error(JSON.stringify(outcome.found.refusals[0]))
  })
}

/** Takes the rows out of the tables and puts them back by COPY into the same tables, partitions and indexes. */
async function copiedAgain(scope: Scope, sql: Sql): Promise<{ copy: number; holdings: number }> {
  const at = await folder(scope)
  let [copy, holdings] = [0, 0]
  for (const table of TABLES) {
    const file = path.join(at, table)
    async function* text() {
      for await (const some of sql`select * from nport.${sql(table)} order by accession, n`.cursor(10_000)) {
        if (table === 'holding') holdings += some.length
        yield some.map((row) => copyLine(Object.values(row))).join('')
      }
    }
    await pipeline(text, createWriteStream(file))
    await sql`truncate nport.${sql(table)}`
    copy += await seconds(() =>
      sql.begin(async (tx) =>
        pipeline(createReadStream(file), await tx.unsafe(`copy nport.${table} from stdin`).writable()),
      ),
    )
  }
  return { copy, holdings }
}
