/** What survives `kill -9`. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, connect } from '../src/core/db.ts'
import { openEmbedded } from '../src/core/embedded.ts'
import { freshDatabase } from './database.ts'
import { startHost } from './edgar-host.ts'
import { checkout, everyRow, sample, temporaryFolder, writeIndex } from './world.ts'

const KILLS = 10
const FILINGS = 400

test('an ingest killed at ten random moments and run on ends in the rows of one that was left alone', async (t) => {
  const root = await manyFilings(t)
  const host = await startHost({ root, faults: 'slow:ms=15' })
  t.after(() => host.close())
  const left = await place(t)
  assert.equal((await ingest(left.env, host.url)).code, 0)
  const expected = await rowsOf(left)
  assert.equal(expected['formd.offering']!.length, FILINGS)

  const killed = await place(t)
  // Moments are drawn from the first third of an undisturbed run's span: each run begins where the last was killed, and
  // ten of them must not finish the work.
  const started = performance.now()
  const probe = await place(t)
  await ingest(probe.env, host.url)
  const spanMs = performance.now() - started
  let hits = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const afterMs = (Math.random() * spanMs) / 3
    const { signal } = await ingest(killed.env, host.url, afterMs)
    t.diagnostic(`kill ${kill + 1} after ${Math.round(afterMs)} ms: ${signal ?? 'had ended'}`)
    if (signal === 'SIGKILL') hits++
  }
  assert.ok(hits >= KILLS - 2, `${hits} of ${KILLS} kills met a running ingest`)
  assert.equal((await ingest(killed.env, host.url)).code, 0)
  assert.deepEqual(await rowsOf(killed), expected)
})

interface Place {
  env: Record<string, string>
  target: Connection['target'] | null
}

async function place(t: Parameters<typeof freshDatabase>[0]): Promise<Place> {
  const DATA_DIR = path.join(await temporaryFolder(t), 'data')
  if (!process.env.TEST_DATABASE_URL) return { env: { DATA_DIR }, target: null }
  const { url } = await freshDatabase(t)
  return { env: { DATA_DIR, DATABASE_URL: url! }, target: url! }
}

async function rowsOf({ env, target }: Place): Promise<Record<string, unknown[]>> {
  const server = target ? null : await openEmbedded({ dataDir: env.DATA_DIR! })
  const sql = connect({ target: target ?? server!.target, max: 2 })
  try {
    return await everyRow(sql)
  } finally {
    await sql.end()
    await server?.close()
  }
}

async function ingest(env: Record<string, string>, baseUrl: string, killAfterMs?: number) {
  const args = [
    path.join(checkout, 'bin/openfilings.mjs'),
    'ingest',
    'formd',
    '--quiet',
    '--from',
    '2024-01-01',
    '--to',
    '2024-03-31',
    '--base-url',
    baseUrl,
  ]
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  )
  if (killAfterMs !== undefined) {
    await Promise.race([delay(killAfterMs), ended])
    child.kill('SIGKILL')
  }
  return ended
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
