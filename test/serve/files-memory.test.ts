/** A large file for a slow reader: the server's memory, and the waits of other clients. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateFeed } from '../../bench/feed.ts'
import { freshDatabase } from '../support/database.ts'
import type { Memory } from '../support/files/server.ts'
import { often } from '../support/soak.ts'
import { until } from '../support/until.ts'

const ROWS = often('rows of a list that is sent', { usual: 50_000, soak: 100_000 })
const MB = 1024 * 1024

const later: (() => Promise<void>)[] = []
const { sql, target } = await freshDatabase({ after: (fn) => later.push(fn) })
await generateFeed(sql, ROWS)
const child = fork(new URL('../support/files/server.ts', import.meta.url), [JSON.stringify(target)])
after(async () => {
  child.disconnect()
  await once(child, 'exit')
  for (const close of later) await close()
})
const message = async <T>() => (await once(child, 'message'))[0] as T
const { origin, key } = await message<{ origin: string; key: string }>()
const memory = async () => {
  child.send('memory')
  return message<Memory>()
}
const get = (path: string) =>
  fetch(`${origin}/v1${path}`, { headers: { 'x-api-key': key, 'accept-encoding': 'identity' } })
const placesTaken = async () => {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return [...text.matchAll(/^openfilings_places_running\{.*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0)
}

/** A running file also releases its slot for a moment between two pages, so this checks three times. */
async function isNoneTaken(): Promise<boolean> {
  for (let n = 0; n < 3; n++, await sleep(20)) if ((await placesTaken()) > 0) return false
  return true
}

/**
 * Reads a file slowly, and measures the server's memory six times or more: after each 1.5 MB of 8 MB, after each 3 MB of
 * 17 MB. Each measurement collects all garbage of the server at least three times.
 */
async function slowly(path: string, step: number): Promise<{ seen: Memory[]; bytes: number; tail: string }> {
  const response = await get(path)
  const seen: Memory[] = []
  let bytes = 0
  let nextLook = 0
  let tail = ''
  const text = new TextDecoder()
  for await (const chunk of response.body!) {
    bytes += chunk.length
    tail = (tail + text.decode(chunk, { stream: true })).slice(-400)
    if (bytes < nextLook) continue
    nextLook = bytes + step * MB
    // The server sends until the buffers are full, and then waits.
    await until('no request holds a slot', isNoneTaken)
    const begun = performance.now()
    assert.equal((await get(`/feed?limit=5&offset=${seen.length}`)).status, 200)
    assert.ok(performance.now() - begun < 10_000, 'another request is answered meanwhile')
    seen.push(await memory())
  }
  assert.ok(seen.length >= 5 && bytes > 7 * MB, `${seen.length} looks in ${bytes} bytes`)
  return { seen, bytes, tail }
}

for (const [format, step] of [
  ['csv', 1.5],
  ['ndjson', 3],
] as const) {
  test(`while ${ROWS} rows as ${format} are read slowly, memory stays flat, no slot is held and other requests are answered`, async () => {
    const { seen, tail } = await slowly(`/feed?format=${format}`, step)
    const end = format === 'csv' ? `\\r\\n# rows: ${ROWS}\\r\\n$` : `\\n\\{"_end":\\{"rows":${ROWS},.*\\}\\}\\n$`
    assert.match(tail, new RegExp(end))
    // Two pages of 2,000 rows with their text take 3 MB; the whole list takes 25 times as much.
    const [first, ...others] = seen.map(({ used }) => used)
    assert.ok(Math.max(...others) < first! + 8 * MB, `MB in use: ${seen.map(({ used }) => Math.round(used / MB))}`)
    const most = Math.max(...seen.map(({ rss }) => rss)) - seen[0]!.rss
    assert.ok(most < 60 * MB, `the process grew by ${Math.round(most / MB)} MB`)
  })
}

test(`a Parquet file of ${ROWS} rows that do not compress takes memory for one row group and two pages, not for all rows`, async () => {
  const noise = sql`select string_agg(md5(concat(accession, n)), '') from generate_series(1, 20) n`
  await sql`update formd.offering set entity_name = (${noise})`
  // The server loads the writer with its first file.
  await (await get('/feed?format=parquet&limit=50')).arrayBuffer()
  const before = (await memory()).used
  const { seen, bytes, tail } = await slowly('/feed?format=parquet', 3)
  assert.match(tail, new RegExp(`openfilings\\.rows..?${ROWS}[^]*PAR1$`))
  assert.ok(bytes > ROWS * 320, `the names alone have 320 bytes each: ${bytes}`)
  const grown = seen.map(({ used }) => Math.round((used - before) / MB))
  // Measured: 12 MB. The whole file would take 20 MB if it were kept until its end.
  assert.ok(Math.max(...grown) < 16, `MB more in use: ${grown}`)
})

test('if filings are added and removed during a file, each row that stays is sent once; a row removed before its page is not sent', async () => {
  const columns = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = 'formd' and table_name = 'offering' and is_generated = 'NEVER'`
  const copied = (day: string, prefix: string) => {
    const changed: Record<string, string> = {
      accession: `concat('${prefix}', right(accession, 10))`,
      filed_date: `date '${day}'`,
    }
    const names = columns.map(({ name }) => name)
    return sql.unsafe(`
      insert into formd.offering (${names.join(', ')}) select ${names.map((name) => changed[name] ?? name).join(', ')}
      from (select * from formd.offering order by filed_date, accession limit 50) oldest`)
  }
  const before = new Set((await sql<{ a: string }[]>`select accession as a from formd.offering`).map(({ a }) => a))
  const response = await get('/feed?format=ndjson')
  const times = new Map<string, number>()
  let rest = ''
  let isChanged = false
  let gone: string[] = []
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const { accession } = JSON.parse(line)
      if (accession) times.set(accession, (times.get(accession) ?? 0) + 1)
    }
    if (isChanged) continue
    isChanged = true
    await copied('2030-01-01', '0008888888')
    const oldest = sql`select accession from formd.offering order by filed_date, accession limit 50`
    gone = (
      await sql<{ a: string }[]>`delete from formd.offering where accession in (${oldest}) returning accession as a`
    ).map(({ a }) => a)
    await copied('2001-01-01', '0007777777')
  }
  assert.equal(gone.length, 50)
  for (const accession of gone) assert.equal(times.get(accession), undefined)
  for (const accession of before) if (!gone.includes(accession)) assert.equal(times.get(accession), 1, accession)
  const come = [...times.keys()].filter((accession) => !before.has(accession))
  // New rows that sort before the page that is being read are not in the file. New rows that sort after that page are
  // in the file.
  assert.ok(come.length === 50 && come.every((accession) => accession.startsWith('0007777777')))
})
