/** State that survives `kill -9`. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { cli, emptyEnv, newEnv, queried, run } from '../support/command.ts'
import { edgarOf } from '../support/documents-made.ts'
import { type Host, startHost } from '../support/edgar-host.ts'
import { madeForms } from '../support/made-forms.ts'
import { randomFor } from '../support/random.ts'
import { often } from '../support/soak.ts'
import { until } from '../support/until.ts'
import { everyRow } from '../support/world.ts'

type Env = Record<string, string>

const KILLS = often('kills of an ingest', { usual: 3, soak: 15 })
const FILINGS = often('filings', { usual: 80, soak: 400 })
const DOCUMENT_KILLS = often('kills of an ingest that makes text', { usual: 2, soak: 10 })

test('an ingest that is killed at random moments and restarted ends with the rows of an uninterrupted ingest', async (t) => {
  const made = { model: '1968399/0001968399-23-000002.txt', form: 'D', count: FILINGS }
  const { root } = await madeForms(t, made)
  // The first kill comes before there is a database. Other kills come in the middle of a start.
  const killed = await newEnv(t)
  const work = { killed, root, what: 'formd', filings: FILINGS, kills: KILLS, startKills: 3 }
  const expected = await killedOften(t, work)
  assert.equal(expected['formd.offering']!.length, FILINGS)
})

test('an ingest of document texts that is killed and restarted ends with the rows of an uninterrupted ingest', async (t) => {
  const made = Array.from({ length: Math.max(30, 6 * DOCUMENT_KILLS) }, (_, i) => {
    const content = `<html><body>${`<p>Bolt ${i} of many.</p>`.repeat(200)}</body></html>`
    const document = { type: '10-K', filename: 'a.htm', content }
    return { n: i + 1, form: '10-K', day: '2026-07-01', documents: [document, { ...document, type: 'EX-99' }] }
  })
  const root = await edgarOf(t, made)
  const killed = await emptyEnv(t)
  const work = { killed, root, what: 'documents', filings: made.length, kills: DOCUMENT_KILLS, from: '2026-07-01' }
  const rows = await killedOften(t, work)
  assert.equal(rows['documents.document']!.length, 2 * made.length)
})

interface Killed {
  killed: Env
  root: string
  /** The dataset to load. */
  what: string
  filings: number
  kills: number
  /**
   * The first kill of each group of this many kills comes while the process starts. If unset, no kill comes at a start.
   */
  startKills?: number
  /** First day of a quarter. */
  from?: string
}

/** A time that is shorter than any first run. A first run makes its database, and then reads slow filings. */
const FIRST_START_MS = 800

/** Compares an ingest that is killed with an undisturbed ingest. @returns the rows, which are the same for both */
async function killedOften(
  t: TestContext,
  { killed, root, what, filings, kills, startKills, from = '2024-01-01' }: Killed,
): Promise<Record<string, unknown[]>> {
  const host = await startHost({ root })
  t.after(() => host.close())
  const random = randomFor(what)
  const left = await emptyEnv(t)
  const args = ['ingest', what, '--from', from, '--to', lastOf(from), '--quiet', '--base-url', host.url]
  const whole = async (env: Env) => {
    const { status, stderr } = await run(args, env)
    assert.equal(status, 0, stderr)
    return queried(env, everyRow)
  }
  const expected = await whole(left)

  host.setFaults('slow:ms=15')
  let startMs = FIRST_START_MS
  for (let kill = 0; kill < kills; kill++) {
    const ingest = beginIngest(killed, host, args)
    // Each run begins where the last run was killed. The runs together must not finish the work, even on a fast
    // machine. So the moment of a kill is given by a number of requests.
    const isAtStart = startKills !== undefined && kill % startKills === 0
    const requests = isAtStart ? 0 : 1 + Math.floor((random() * filings) / (kills + 2))
    if (isAtStart) await Promise.race([delay(random() * startMs), ingest.ended])
    else {
      await ingest.requested(1)
      startMs = ingest.tookMs()
      await ingest.requested(requests)
    }
    t.diagnostic(`kill ${kill + 1} after ${requests} requests, ${Math.round(ingest.tookMs())} ms`)
    ingest.kill()
    assert.equal((await ingest.ended).signal, 'SIGKILL', 'the kill met a running ingest')
  }
  host.setFaults('')
  assert.deepEqual(await whole(killed), expected)
  return expected
}

/** Last day of the quarter that begins on this day. */
const lastOf = (from: string) => `${from.slice(0, 5)}${from.slice(5, 7) === '01' ? '03-31' : '09-30'}`

function beginIngest(env: Env, host: Host, args: readonly string[]) {
  const [began, before] = [performance.now(), host.requests.length]
  const child = spawn(process.execPath, [cli, ...args], {
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
    /** Resolves when the run has requested this many filings, or has ended. */
    requested: (count: number) => {
      const filings = () => host.requests.slice(before).filter(({ path }) => path.includes('/data/'))
      return until(`${count} filings are requested`, () => isOver || filings().length >= count)
    },
    kill: () => child.kill('SIGKILL'),
  }
}
