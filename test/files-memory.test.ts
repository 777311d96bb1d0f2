/** A large list as a file to a slow reader: what the server keeps in memory meanwhile, and what others wait. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateFeed } from '../bench/feed.ts'
import { freshDatabase } from './database.ts'
import type { Memory } from './files-server.ts'
import { until } from './until.ts'

const ROWS = 200_000
const MB = 1024 * 1024

const later: (() => Promise<void>)[] = []
const { sql, target } = await freshDatabase({ after: (fn) => later.push(fn) })
await generateFeed(sql, ROWS)
const child = fork(new URL('files-server.ts', import.meta.url), [JSON.stringify(target)])
after(async () => {
  child.disconnect()
  await once(child, 'exit')
  for (const close of later) await close()
})
const told = async <T>() => (await once(child, 'message'))[0] as T
const { origin, key } = await told<{ origin: string; key: string }>()
const memory = async () => {
  child.send('memory')
  return told<Memory>()
}
const get = (path: string) => fetch(`${origin}/v1${path}`, { headers: { 'x-api-key': key } })
const placesTaken = async () => {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return [...text.matchAll(/^openfilings_places_running\{.*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0)
}

for (const format of ['csv', 'ndjson']) {
  test(`${ROWS} rows as ${format}, read slowly: memory stays flat, no place is held, others are answered`, async () => {
    const response = await get(`/feed?format=${format}`)
    const seen: Memory[] = []
    let bytes = 0
    let nextLook = 0
    let tail = ''
    const text = new TextDecoder()
    for await (const chunk of response.body!) {
      bytes += chunk.length
      tail = (tail + text.decode(chunk, { stream: true })).slice(-400)
      if (bytes < nextLook) continue
      nextLook = bytes + 3 * MB
      // What is on the way fills its buffers, and then the server waits.
      await until('no place is held', async () => (await placesTaken()) === 0)
      await sleep(20)
      assert.equal(await placesTaken(), 0)
      const begun = performance.now()
      assert.equal((await get(`/feed?limit=5&offset=${seen.length}`)).status, 200)
      assert.ok(performance.now() - begun < 2000, 'another request is answered meanwhile')
      seen.push(await memory())
    }
    assert.match(tail, format === 'csv' ? /\r\n# rows: 200000\r\n$/ : /\n\{"_end":\{"rows":200000,.*\}\}\n$/)
    assert.ok(seen.length >= 8 && bytes > 30 * MB, `${seen.length} looks in ${bytes} bytes`)
    // Two pages of 2,000 rows and their text are 3 MB; the whole list is a hundred times as much.
    const [first, ...others] = seen.map(({ used }) => used)
    assert.ok(Math.max(...others) < first! + 8 * MB, `MB in use: ${seen.map(({ used }) => Math.round(used / MB))}`)
    const most = Math.max(...seen.map(({ rss }) => rss)) - seen[0]!.rss
    assert.ok(most < 60 * MB, `the process grew by ${Math.round(most / MB)} MB`)
  })
}
