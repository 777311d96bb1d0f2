/**
 * Runs `ingest --follow` in a process that a test can kill, with short delays. The arguments state the host to read and
 * the database to fill.
 */

import { diskStore } from '../../../src/archive/store.ts'
import { submissions } from '../../../src/archive/submissions.ts'
import { edgarClient } from '../../../src/fetch/client.ts'
import { connect } from '../../../src/store/db.ts'
import type { World } from '../world.ts'
import { following } from './following.ts'

const [url, target, archive, datasets] = process.argv.slice(2) as [string, string, string, string]
const sql = connect({ target, max: 8 })
const sleep = async (ms: number) => void (await new Promise((resolve) => setTimeout(resolve, Math.min(ms, 20))))
const client = edgarClient({ baseUrl: url, userAgent: 'Test test@example.org', sleep, pauseMs: 100, attempts: 3 })
const world = { sql, host: { url }, submissions: submissions({ sql, store: diskStore(archive), client }) }
const own = datasets === '' ? [] : datasets.split(',')
const run = await following({ after() {} }, world as World, { intervalMs: 100, indexMs: 300, datasets: own })
const report = setInterval(() => {
  for (const one of run.reported.splice(0)) process.stdout.write(`${JSON.stringify(one)}\n`)
}, 50)
process.on('SIGTERM', async () => {
  await run.stop()
  await client.close()
  await sql.end()
  clearInterval(report)
})
