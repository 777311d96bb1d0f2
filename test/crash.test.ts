/** What survives `kill -9`. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '../src/store/db.ts'
import { openEmbedded } from '../src/store/embedded.ts'
import { cli, madePlace, place } from './command.ts'
import { edgarOf } from './documents-made.ts'
import { type Host, startHost } from './edgar-host.ts'
import { until } from './until.ts'
import { everyRow, sample, temporaryFolder, writeIndex } from './world.ts'

type Env = Record<string, string>

const KILLS = 10
const FILINGS = 240

test('an ingest killed at ten random moments and run on ends in the rows of one that was left alone', async (t) => {
  const root = await manyFilings(t)
  const expected = await killedOften(t, { root, what: 'formd', filings: FILINGS, kills: KILLS })
  assert.equal(expected['formd.offering']!.length, FILINGS)
})

test('so does one that makes text of documents', async (t) => {
  const made = Array.from({ length: 60 }, (_, i) => {
    const content = `<html><body>${`<p>Bolt ${i} of many.</p>`.repeat(200)}</body></html>`
    const document = { type: '10-K', filename: 'a.htm', content }
    return { n: i + 1, form: '10-K', day: '2026-07-01', documents: [document, { ...document, type: 'EX-99' }] }
  })
  const root = await edgarOf(t, made)
  const rows = await killedOften(t, { root, what: 'documents', filings: made.length, kills: 3, from: '2026-07-01' })
  assert.equal(rows['documents.document']!.length, 2 * made.length)
})

interface Killed {
  root: string
  /** Dataset. */
  what: string
  filings: number
  kills: number
  /** First day of a quarter. */
  from?: string
}

/** Compares an ingest that is killed with one that is not. @returns the rows of either */
async function killedOften(
  t: TestContext,
  { root, what, filings, kills, from = '2024-01-01' }: Killed,
): Promise<Record<string, unknown[]>> {
  const host = await startHost({ root, faults: 'slow:ms=15' })
  t.after(() => host.close())
  const left = await madePlace(t)
  const begin = (env: Env) => beginIngest(env, host, [what, '--from', from, '--to', lastOf(from)])
  const undisturbed = begin(left)
  await undisturbed.asked(1)
  const startMs = undisturbed.tookMs()
  assert.equal((await undisturbed.ended).code, 0)
  const expected = await rowsOf(left)

  const killed = await place(t)
  for (let kill = 0; kill < kills; kill++) {
    const ingest = begin(killed)
    // Each run begins where the last was killed, and ten of them must not finish the work, however fast the machine is:
    // so a moment is a number of requests. The first begins with no database, and others in the middle of their start.
    const asked = kill % 3 === 0 ? 0 : 1 + Math.floor((Math.random() * filings) / (kills + 2))
    if (asked > 0) await ingest.asked(asked)
    else await Promise.race([delay(Math.random() * startMs), ingest.ended])
    t.diagnostic(`kill ${kill + 1} after ${asked} requests, ${Math.round(ingest.tookMs())} ms`)
    ingest.kill()
    assert.equal((await ingest.ended).signal, 'SIGKILL', 'it met a running ingest')
  }
  assert.equal((await begin(killed).ended).code, 0)
  assert.deepEqual(await rowsOf(killed), expected)
  return expected
}

/** Last day of the quarter that begins on this one. */
const lastOf = (from: string) => `${from.slice(0, 5)}${from.slice(5, 7) === '01' ? '03-31' : '09-30'}`

async function rowsOf({ DATA_DIR, DATABASE_URL }: Env): Promise<Record<string, unknown[]>> {
  const server = DATABASE_URL ? null : await openEmbedded({ dataDir: DATA_DIR! })
  const sql = connect({ target: DATABASE_URL ?? server!.target, max: 2 })
  try {
    return await everyRow(sql)
  } finally {
    await sql.end()
    await server?.close()
  }
}

function beginIngest(env: Env, host: Host, which: readonly string[]) {
  const [began, before] = [performance.now(), host.requests.length]
  const child = spawn(process.execPath, [cli, 'ingest', ...which, '--quiet', '--base-url', host.url], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let isOver = false
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => {
      isOver = true
      resolve({ code, signal })
    }),
  )
  return {
    ended,
    tookMs: () => performance.now() - began,
    /** Resolves when it has asked for so many filings, or is over. */
    asked: (count: number) => {
      const filings = () => host.requests.slice(before).filter(({ path }) => path.includes('/data/'))
      return until(`${count} filings are asked for`, () => isOver || filings().length >= count)
    },
    kill: () => child.kill('SIGKILL'),
  }
}

/** An EDGAR of one sample filing under many accessions. */
async function manyFilings(t: Parameters<typeof temporaryFolder>[0]): Promise<string> {
  const root = await temporaryFolder(t)
  const model = await readFile(path.join(sample, 'Archives/edgar/data/1968399/0001968399-23-000002.txt'), 'utf8')
  const folder = path.join(root, 'Archives/edgar/data/1968399')
  await mkdir(folder, { recursive: true })
  const lines: string[] = []
  for (let n = 1; n <= FILINGS; n++) {
    const accession = `0001968399-24-${String(n).padStart(6, '0')}`
    await writeFile(path.join(folder, `${accession}.txt`), model.replaceAll('0001968399-23-000002', accession))
    const day = String(1 + (n % 28)).padStart(2, '0')
    lines.push(`1968399|Model Issuer|D|2024-02-${day}|edgar/data/1968399/${accession}.txt`)
  }
  await writeIndex(root, '2024/QTR1', lines)
  return root
}
