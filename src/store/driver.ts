/**
 * The database driver. Faults of its version are corrected in its source as it is loaded. Its author knows of them
 * (github.com/porsager/postgres, issues 1154, 1208, 1216); once a release has them fixed, `atOnce` alone is left of this
 * file.
 *
 * 1. COPY: nobody was told of a refusal that came after the last chunk (every refusal of a small COPY), and the writer
 *    waited for ever.
 * 2. A statement written to a closed connection ended the process by an uncatchable TypeError, or was never answered.
 *    What was left unsent went out before the first bytes of the next connection, which then never came about.
 * 3. If the connection of a transaction had closed its statements ran on the connection that took its place: alone, or
 *    within somebody else's transaction.
 * 4. The first statement of a new connection was refused with the last words of the one before.
 * 5. After a statement that ended behind its first rows, by an error or a cancellation, the next one on that connection
 *    had as many empty places before its own rows.
 *
 * One option is added. A statement that is not prepared goes to the server twice: the driver first asks of what types its
 * values are. With `atOnce` it goes once where texts, numbers, booleans and moments are its only values, which need no
 * asking. That saves a seventh of the processor time of a page of 50 filings, of the server and of us together. It is not for a
 * text that the server takes for JSON or bytes: the driver would have quoted or encoded it.
 */
import { registerHooks } from 'node:module'
import type Postgres from 'postgres'

type Correction = readonly [was: string, is: string]

const CONNECTION: readonly Correction[] = [
  ['return fetchArrayTypes()', 'return fetchArrayTypes().catch(noop)'],
  ["x.on('error', error)", "x.on('error', (e) => (failure = e))"],
  ["socket.on('error', error)", "socket.on('error', (e) => (failure = e))"],
  ['    , final = null\n', '    , final = null\n    , failure = null\n'],
  [
    'async function closed(hadError) {\n',
    'async function closed(hadError) {\n    failure && error(failure)\n    failure = null\n',
  ],
  [
    'stream && (stream.destroy(err), stream = null)\n',
    'stream && (stream.destroy(err), stream = null)\n    final && (final(err), final = null)\n',
  ],
  [
    'function nextWrite(fn) {\n',
    `function nextWrite(fn) {
    if (socket === null) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options))
      return true
    }
`,
  ],
  [
    'socket.removeAllListeners()\n    socket = null\n',
    `socket.removeAllListeners()
    socket = null
    chunk = nextWriteTimer = null
`,
  ],
  [
    "!hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))",
    `;(query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = errorResponse = results = null
    result = new Result()
    rows = 0`,
  ],
  ['    query = results = errorResponse = null\n', '    query = results = errorResponse = null\n    rows = 0\n'],
]

const AT_ONCE: Correction = [
  'q.describeFirst = q.onlyDescribe || (parameters.length && !q.prepared)',
  `const plain = (x, i) => x === null || typeof x !== 'object' || x instanceof Date
    q.describeFirst = q.onlyDescribe || (parameters.length && !q.prepared && !(q.options.atOnce && parameters.every(plain)))`,
]

const POOL: readonly Correction[] = [
  ['let savepoints = 0\n', 'let savepoints = 0\n      , lost = null\n'],
  [
    'new Promise((_, reject) => connection.onclose = reject)',
    `new Promise((_, reject) => connection.onclose = (e) => {
          lost = e
          while (queries.length)
            queries.shift().reject(e)
          reject(e)
        })`,
  ],
  [
    'q.catch(e => uncaughtError || (uncaughtError = e))\n',
    'q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)\n',
  ],
]

const CORRECTIONS: Readonly<Record<string, readonly Correction[]>> = {
  'postgres/src/connection.js': [...CONNECTION, AT_ONCE],
  'postgres/src/index.js': POOL,
}

/** @throws Error when the source is not the one that the corrections were written for */
function corrected(file: string, source: string): string {
  return CORRECTIONS[file]!.reduce((text, [was, is]) => {
    const [before, after, ...more] = text.split(was)
    if (after === undefined || more.length > 0) {
      throw new Error(`${file} is not that of the version that src/store/driver.ts corrects: see there`)
    }
    return before + is + after
  }, source)
}

async function load(): Promise<typeof Postgres> {
  const hooks = registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      const file = Object.keys(CORRECTIONS).find((name) => url.endsWith(`/${name}`))
      return file ? { ...loaded, source: corrected(file, String(loaded.source)) } : loaded
    },
  })
  try {
    return (await import('postgres')).default
  } finally {
    hooks.deregister()
  }
}

export default await load()
