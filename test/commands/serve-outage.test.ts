/**
 * `serve` while its embedded database server dies and recovers.
 *
 * @early it takes 17 s of the processor
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { secondRun } from '../second-run.ts'
import { begin, smallFolder, untilReady } from '../support/command.ts'
import { until } from '../support/until.ts'

test('after two kills, one during recovery, the embedded database returns with every row; until then serve answers 503 with a reason', {
  skip: secondRun,
}, async (t) => {
  const { DATA_DIR, program } = await smallFolder(t)
  // Without memory for answers, each request asks the database.
  const server = begin(t, ['serve', '--port', '0'], { DATA_DIR, CACHE_MB: '0' }, { program })
  const [, authorization, url] = /curl -H 'Authorization: (Bearer of_\w+)' '([^']+)'/.exec(await untilReady(server))!
  const { origin } = new URL(url!)
  const ask = async (at: string) => {
    const response = await fetch(origin + at, { headers: { authorization: authorization! } })
    return { status: response.status, text: await response.text() }
  }
  const FILINGS = '/v1/filings?limit=50'
  const before = await ask(FILINGS)
  assert.equal(before.status, 200)
  const pidOf = async () =>
    Number((await readFile(path.join(DATA_DIR, 'database/postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])

  // A session may outlive its server for a moment, so an answer may still be whole.
  const away: { status: number; text: string }[] = []
  const isAnswered = async (at: string) => {
    const answer = await ask(at)
    if (answer.status !== 200) away.push(answer)
    return answer.status === 200
  }
  const killed = await pidOf()
  process.kill(killed, 'SIGKILL')
  let next = 0
  await until('the next database server has begun', async () => {
    await isAnswered('/readyz')
    await isAnswered(FILINGS)
    next = await pidOf()
    return next > 0 && next !== killed
  })
  process.kill(next, 'SIGKILL')
  let last = 0
  // Only a later server proves the recovery. It begins when all sessions of the killed one have ended.
  await until('a third database server answers the list', async () => {
    last = await pidOf()
    return (await isAnswered(FILINGS)) && last > 0 && last !== killed && last !== next
  })
  assert.ok(away.length > 0, 'the service was never away')
  for (const { status, text } of away) {
    assert.equal(status, 503, text)
    assert.match((JSON.parse(text) as { error: string }).error, /database/)
  }
  assert.deepEqual(await ask(FILINGS), before)
  await until('the server is ready again', async () => (await ask('/readyz')).status === 200)
  assert.equal(await server.end(), 0)
})
