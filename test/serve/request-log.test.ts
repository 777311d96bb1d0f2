/** The server makes the log line of a request without pino, so the test compares the line with pino's output. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { loggable, openLog } from '../../src/serve/http/log.ts'
import { lineWriter } from '../../src/serve/http/request-log.ts'

/** Opens a log and collects its output; each line has the time that the test sets. */
function written(t: TestContext, level: 'info' | 'warn' = 'info') {
  t.mock.timers.enable({ apis: ['Date'], now: 1_763_814_896_123 })
  const lines: string[] = []
  return { log: openLog({ level, stream: { write: (line) => void lines.push(line) } }), lines }
}

interface Seen {
  id: string
  method: string
  url: string
  ip: string | undefined
  keyId: string | undefined
  socket: { remoteAddress: string | undefined }
}

const plain: Seen = {
  id: 'abc-1',
  method: 'GET',
  url: '/v1/filings?limit=50',
  ip: '127.0.0.1',
  keyId: 'abcdefgh',
  socket: { remoteAddress: '127.0.0.1' },
}
const SEEN: Seen[] = [
  plain,
  { ...plain, method: 'HEAD', keyId: undefined },
  { ...plain, url: '/v1/a"b\\c\u0001\u007f\u2028é😀\ud800?x=%22' },
  { ...plain, url: `/v1/${'x'.repeat(3)}/of_abcdefgh_${'s'.repeat(28)}` },
  { ...plain, url: `/${'long/'.repeat(500)}` },
  { ...plain, ip: '2001:db8::1' },
  { ...plain, ip: '203.0.113.9' },
  { ...plain, ip: '"},"forged":{"x":"' },
  { ...plain, ip: 'unix', socket: { remoteAddress: undefined } },
  { ...plain, ip: undefined, socket: { remoteAddress: undefined } },
]
const ENDED = [
  { route: 'filings', status: 200, code: undefined, ms: 0.3499 },
  { route: 'unmatched', status: 499, code: 'client_gone', ms: 12_345.678 },
  { route: '/docs', status: 304, code: undefined, ms: 0 },
] as const

const isAddress = ({ ip, socket }: Seen) =>
  ip !== undefined && (ip === socket.remoteAddress || /^[0-9a-f.:]+$/.test(ip))

function byPino(log: Logger, seen: Seen, { route, status, code, ms }: (typeof ENDED)[number]): void {
  const { id, method, url, keyId } = seen
  const ip = isAddress(seen) ? seen.ip : null
  log.info(
    {
      reqId: id,
      method,
      url: loggable(url),
      route,
      status,
      ...(code && { code }),
      ms: Math.round(ms * 10) / 10,
      keyId,
      ip,
    },
    'request',
  )
}

for (const where of ['the log', 'a child logger with members of its own']) {
  test(`the log line of a request equals the line that pino would write to ${where}`, (t) => {
    const { log: own, lines } = written(t)
    const log = where === 'the log' ? own : own.child({ server: 'a"b', port: 8080 })
    const write = lineWriter(log)
    for (const seen of SEEN) {
      for (const ended of ENDED) {
        write(seen as FastifyRequest, ended)
        byPino(log, seen, ended)
        const [ours, theirs, ...more] = lines.splice(0)
        assert.equal(ours, theirs)
        assert.equal(more.length, 0)
        assert.equal(ours!.indexOf('\n'), ours!.length - 1)
      }
    }
  })
}

test('requests are not logged if the log level is warn', (t) => {
  const { log, lines } = written(t, 'warn')
  lineWriter(log)(plain as FastifyRequest, ENDED[0]!)
  assert.deepEqual(lines, [])
})

test('lines of the same millisecond share the formatted time, and the next millisecond is formatted again', (t) => {
  const { log, lines } = written(t)
  log.info('a')
  log.info('b')
  t.mock.timers.setTime(1_763_814_896_124)
  log.info('c')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).time),
    ['2025-11-22T12:34:56.123Z', '2025-11-22T12:34:56.123Z', '2025-11-22T12:34:56.124Z'],
  )
})
