/** What survives `kill -9`. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '../src/store/db.ts'
import { openEmbedded } from '../src/store/embedded.ts'
import { cli, madePlace, place } from './command.ts'
import { type Host, startHost } from './edgar-host.ts'
import { until } from './until.ts'
import { everyRow, sample, temporaryFolder, writeIndex } from './world.ts'

type Env = Record<string, string>

const KILLS = 10
const FILINGS = 240

test('an ingest killed at ten random moments and run on ends in the rows of one that was left alone', async (t) => {
  const root = await manyFilings(t)
  const host = await startHost({ root, faults: 'slow:ms=15' })
  t.after(() => host.close())
  const left = await madePlace(t)
  const undisturbed = beginIngest(left, host)
  await undisturbed.asked(1)
  const startMs = undisturbed.tookMs()
  assert.equal((await undisturbed.ended).code, 0)
  const expected = await rowsOf(left)
  assert.equal(expected['formd.offering']!.length, FILINGS)

  const killed = await place(t)
  for (let kill = 0; kill < KILLS; kill++) {
    const ingest = beginIngest(killed, host)
    // Each run begins where the last was killed, and ten of them must not finish the work, however fast the machine is:
    // so a moment is a number of requests. The first begins with no database, and others in the middle of their start.
    const asked = kill % 3 === 0 ? 0 : 1 + Math.floor((Math.random() * FILINGS) / (KILLS + 2))
    if (asked > 0) await ingest.asked(asked)
    else await Promise.race([delay(Math.random() * startMs), ingest.ended])
    t.diagnostic(`kill ${kill + 1} after ${asked} requests, ${Math.round(ingest.tookMs())} ms`)
    ingest.kill()
    assert.equal((await ingest.ended).signal, 'SIGKILL', 'it met a running ingest')
  }
  assert.equal((await beginIngest(killed, host).ended).code, 0)
  assert.deepEqual(await rowsOf(killed), expected)
})

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

function beginIngest(env: Env, host: Host) {
  const args = 'ingest formd --quiet --from 2024-01-01 --to 2024-03-31 --base-url'.split(' ')
  const [began, before] = [performance.now(), host.requests.length]
  const child = spawn(process.execPath, [cli, ...args, host.url], {
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
