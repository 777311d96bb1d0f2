/**
 * The database driver. Faults of its version are corrected in its source as it is loaded. Its author knows of them
 * (github.com/porsager/postgres, issues 1154, 1186, 1195, 1199, 1208, 1216); once a release has them fixed, `rows` and
 * `atOnce` are left of this file.
 *
 * 1. COPY: nobody was told of a refusal that came after the last chunk (every refusal of a small COPY), and the writer
 *    waited for ever.
 * 2. A statement written to a closed connection ended the process by an uncatchable TypeError, or was never answered.
 *    What was left unsent went out before the first bytes of the next connection, which then never came about.
 * 3. If the connection of a transaction had closed its statements ran on the connection that took its place: alone, or
 *    within somebody else's transaction. So did those of a reserved connection, and to release it released the other one
 *    in the middle of its work; a statement of it could also end the first one of whoever opened the connection anew.
 * 4. The first statement of a new connection was refused with the last words of the one before.
 * 5. COPY to us: where its last rows came while the reader had asked for a pause, the connection was never read again.
 * 6. After a statement that ended behind its first rows, by an error or a cancellation, the next one on that connection
 *    had as many empty places before its own rows.
 * 7. Who wanted to reserve a connection waited for ever where the one that was to come free broke, or was opened for the
 *    second time. Whoever was refused, as by a server that is away, was given a connection all the same once there was one
 *    again, which nobody used then.
 *
 * 8. A refusal of COPY that came with the permission to begin, as of a disk without room, was an error of a stream that
 *    nobody could have listened to yet, which ended the process.
 * 9. A savepoint was never released, so each stood within the one before it, and some thousand of them in a transaction took
 *    all room that the server has for locks ("out of shared memory").
 *
 * A stream of COPY to us counts its rows in `rows`: the server sends a message for each, and its own count is lost.
 *
 * One option is added. A statement that is not prepared goes to the server twice: the driver first asks of what types its
 * values are. With `atOnce` it goes once where texts, numbers, booleans and moments are its only values, which need no
 * asking. That saves a seventh of the processor time of a page of 50 filings, of the server and of us together. It is not
 * for a text that the server takes for JSON or bytes: the driver would have quoted or encoded it.
 */
import { registerHooks } from 'node:module'
import type Postgres from 'postgres'

type Correction = readonly [was: string, is: string]

const CONNECTION: readonly Correction[] = [
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
  [
    '      initial && !initial.reserve && execute(initial)\n      options.shared.retries = retries = 0\n      initial = null\n',
    `      options.shared.retries = retries = 0
      const first = initial
      initial = null
      first.reserve ? onopen(connection) : execute(first)
`,
  ],
]

const REFUSED: Correction = [
  '    query.resolve(stream)\n  }\n\n  function CopyOutResponse() {',
  "    stream.on('error', noop)\n    query.resolve(stream)\n  }\n\n  function CopyOutResponse() {",
]

const COUNTED: Correction = [
  'stream && (stream.push(x.subarray(5)) || socket.pause())',
  'stream && (stream.rows = (stream.rows || 0) + 1, stream.push(x.subarray(5)) || socket.pause())',
]

const RESUMED: readonly Correction[] = [
  ['stream && stream.push(null)\n', 'stream && stream.push(null)\n    socket.resume()\n'],
  [
    'stream && (stream.destroy(err), stream = null)\n',
    'stream && (stream.destroy(err), stream = null, socket && socket.resume())\n',
  ],
]

const AT_ONCE: Correction = [
  'q.describeFirst = q.onlyDescribe || (parameters.length && !q.prepared)',
  `const plain = (x, i) => x === null || typeof x !== 'object' || x instanceof Date
    q.describeFirst = q.onlyDescribe || (parameters.length && !q.prepared && !(q.options.atOnce && parameters.every(plain)))`,
]

const POOL: readonly Correction[] = [
  ['let savepoints = 0\n', 'let savepoints = 0\n      , lost = null\n'],
  [
    '          : sql`rollback`\n        )\n',
    "          : sql`rollback`\n        )\n        name && await sql.unsafe('release ' + name)\n",
  ],
  ['      if (!name) {\n', "      name && await sql.unsafe('release ' + name)\n      if (!name) {\n"],
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
  ['const queue = Queue()\n', 'const queue = Queue()\n    let lost = null\n'],
  [
    'const query = { reserve: resolve, reject }\n',
    'const query = { reserve: resolve, reject: e => (queries.remove(query), reject(e)) }\n',
  ],
  [
    'queries.length && connect(c, queries.shift())\n',
    `if (queries.length) {
      const [query, ...others] = Array.from({ length: queries.length }, () => queries.shift())
      query.reserve && queries.push(query)
      others.forEach(queries.push)
      connect(c, query)
    }
`,
  ],
  [
    'c.reserved.release = true\n',
    `c.reserved.release = true
    c.onclose = (e) => {
      lost = e
      while (queue.length)
        queue.shift().reject(e)
    }
`,
  ],
  ['sql.release = () => {\n', 'sql.release = () => {\n      if (lost)\n        return\n      c.onclose = null\n'],
  [
    'c.queue === full\n        ? queue.push(q)',
    'if (lost)\n        return q.reject(lost)\n      c.queue === full\n        ? queue.push(q)',
  ],
]

const CORRECTIONS: Readonly<Record<string, readonly Correction[]>> = {
  'postgres/src/connection.js': [...CONNECTION, REFUSED, COUNTED, ...RESUMED, AT_ONCE],
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
