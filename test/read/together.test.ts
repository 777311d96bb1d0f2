/**
 * Small filings that share a call to a worker: each filing gives the same result as alone, whatever the other filings
 * contain.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InDocument, type ParseJob } from '../../src/ingest/parsing.ts'
import { NeedsMore, Together } from '../../src/ingest/together.ts'
import type { Limits } from '../../src/read/apart/call.ts'
import { Died, Excessive, idleProcesses, Thrown } from '../../src/read/apart/process.ts'
import type { DocumentEntry } from '../../src/read/sgml/submission.ts'
import { headerWith } from '../support/filing-made.ts'
import { until } from '../support/until.ts'

const header = headerWith({ form: 'PACK', filedDate: '2026-08-03' })
const module = new URL('../support/apart-made.ts', import.meta.url).href

function jobOf(name: string, content: string): ParseJob {
  const entry = { filename: 'primary_doc.xml', size: content.length } as DocumentEntry
  const documents = [{ role: 'cover', entry, bytes: Buffer.from(content) }]
  return { parser: { module, name }, header, documents, roles: { cover: 'xml', list: 'stream' } }
}

const lines = (count: number) => `<list>${Array.from({ length: count }, (_, n) => `<line>${n}</line>`).join('')}</list>`

/** A filing whose parser requests texts: the call includes these texts if they are cached. */
function lazyOf(name: string, texts: readonly (string | null)[]): ParseJob {
  const documents = texts.map((text, at) => {
    const entry = { filename: `${at}.htm`, size: 9 } as DocumentEntry
    const json = Buffer.from(JSON.stringify({ format: 'markdown', markdown: { text }, pages: null }))
    return text === null ? { role: 'texts', entry } : { role: 'texts', entry, json }
  })
  return { parser: { module, name }, header, documents, roles: { texts: 'lazy' } }
}

/** Reads filings with these parsers and documents in one call; each filing waits for the others. */
async function readAll(filings: readonly (readonly [string, string])[], limits: Partial<Limits> = {}) {
  const together = new Together({ signal: undefined, limits })
  const read = filings.map(([name, content]) => together.read(jobOf(name, content), content.length))
  together.begin()
  return Promise.allSettled(read)
}

const GOOD = [
  ['lines', lines(3)],
  ['lines', '<list><line>a</line><odd>1</odd></list>'],
  // This filing has more rows than the reader yields at a time.
  ['lines', lines(1_200)],
  ['parts', lines(2)],
  ['lines', '<list/>'],
] as const

test('filings that share a call give the same results as alone, in any order', async () => {
  const filings = [...GOOD, ['lines', '<list><line>'], ['parts', '<list></no>'], ['throws', '<list/>']] as const
  const together = await readAll([...filings, ...filings.toReversed()])
  const alone = (await Promise.all(filings.map((filing) => readAll([filing])))).flat()
  assert.deepEqual(together, [...alone, ...alone.toReversed()])
  const outcomes = alone.map((each) => (each.status === 'fulfilled' ? each.value.rows.length : each.reason))
  assert.deepEqual(outcomes.slice(0, 5), [3, 1, 1_200, 2, 0])
  assert.ok(alone[1]!.status === 'fulfilled' && alone[1]!.value.unreadPaths.some((found) => found.includes('odd')))
  assert.ok(outcomes[5] instanceof InDocument && outcomes[6] instanceof InDocument && outcomes[7] instanceof Thrown)
  for (const each of outcomes.slice(5, 7)) assert.match((each as Error).message, /^primary_doc\.xml: /)
})

test('cached texts are sent with a shared call; a filing that requests another text must be read alone, however its parser reacts', async () => {
  const together = new Together({ signal: undefined, limits: {} })
  const jobs = [
    lazyOf('texts', ['one', 'two']),
    lazyOf('bytes', ['three']),
    lazyOf('texts', ['four', null]),
    jobOf('lines', lines(1)),
  ]
  const read = jobs.map((job) => together.read(job, 9))
  together.begin()
  const outcomes = (await Promise.allSettled(read)).map((each) =>
    each.status === 'fulfilled' ? each.value.rows.map(([, { text }]) => text) : each.reason instanceof NeedsMore,
  )
  assert.deepEqual(outcomes, [['one', 'two'], true, true, ['0']])
})

for (const [name, kind, reason] of [
  ['loops', Excessive, /^it is excessive: it takes more than 1 s to read$/],
  ['dies', Died, /^the process that read it ended with /],
] as const) {
  test(`a filing whose process ${name} fails alone, with this reason; the other filings of its call are read`, async () => {
    const filings = [...GOOD, [name, '<list/>'], ...GOOD] as const
    const read = await readAll(filings, { milliseconds: 1_000 })
    const failed = read.flatMap((each, at) => (each.status === 'rejected' ? [{ at, reason: each.reason }] : []))
    assert.equal(failed.length, 1)
    assert.equal(failed[0]!.at, GOOD.length)
    assert.ok(failed[0]!.reason instanceof kind)
    assert.match(failed[0]!.reason.message, reason)
    const [good] = await Promise.all([readAll(GOOD)])
    assert.deepEqual(read.toSpliced(GOOD.length, 1), [...good, ...good])
  })
}

test('if no process can be started, all filings of a call fail with this same reason', async () => {
  for (const pid of idleProcesses()) process.kill(pid, 'SIGKILL')
  await until('no idle process is left', () => idleProcesses().length === 0)
  const { execPath } = process
  process.execPath = '/nowhere/node'
  try {
    const reasons = (await readAll(GOOD)).map((each) => each.status === 'rejected' && String(each.reason))
    assert.equal(new Set(reasons).size, 1)
    assert.match(String(reasons[0]), /the process that reads does not start/)
  } finally {
    process.execPath = execPath
  }
})

test('an abort signal stops all filings, and a shared call begins once enough waiting filings fill it', async () => {
  const stop = new AbortController()
  const together = new Together({ signal: stop.signal, limits: {} })
  const read = Array.from({ length: 20 }, () => together.read(jobOf('loops', '<list/>'), 7))
  const ended = Promise.allSettled(read)
  stop.abort(new Error('stopped by SIGTERM'))
  for (const each of await ended) {
    assert.ok(each.status === 'rejected')
    assert.deepEqual([each.reason.message, each.reason.cause.message], ['stopped', 'stopped by SIGTERM'])
  }
})
