/** Webhooks whose receivers hang, send wrong or endless answers, or are in the service's own network. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { sender } from '../../src/fetch/post.ts'
import { PrivateAddress } from '../../src/fetch/public-address.ts'
import { keysOf, openDeliveries } from '../support/deliveries.ts'
import { bytesOf, randomFor } from '../support/random.ts'
import { receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const { delivering, some, happen, hook, stateOf, lines } = await openDeliveries({ after })

test('a receiver that hangs does not delay other receivers', async (t) => {
  const [slow, quick] = [await receiver(t), await receiver(t)]
  slow.next = Array.from({ length: 20 }, () => () => {})
  await hook(t, slow)
  await hook(t, quick)
  // The time-out is longer than `until` waits, so the test fails if a delivery waits for the slow receiver.
  await delivering(t, undefined, { timeoutMs: 200_000 })
  const keys = some(10)
  for (const key of keys) {
    await happen([key])
    await until('the quick receiver has the event', () => keysOf(quick.taken).includes(key))
  }
  assert.equal(slow.received.length, 1)
  assert.deepEqual(keysOf(quick.taken), keys)
})

test('a receiver can ask for a longer wait before a retry, in seconds or as a date, up to an hour', async (t) => {
  const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString()
  for (const [retryAfter, seconds] of [
    ['60', 60],
    ['9'.repeat(20), 3_600],
    [later(600), 600],
    [later(1_000_000), 3_600],
    [later(-600), 0],
    ['soon', 0],
  ] as const) {
    const to = await receiver(t)
    const { webhook_id } = await hook(t, to)
    to.next = [(response) => void response.writeHead(429, { 'retry-after': retryAfter }).end()]
    const { close } = await delivering(t, [1_000])
    const before = Date.now()
    await happen(some(1))
    await until('the failure of the delivery is recorded', async () => (await stateOf(webhook_id)).failures === 1)
    const wait = (Date.parse((await stateOf(webhook_id)).next_at!) - before) / 1000
    assert.ok(Math.abs(wait - Math.max(seconds, 1)) < 5, `${retryAfter}: ${wait}`)
    await close()
  }
})

/** Returns a function that answers with arbitrary bytes. */
const bytes =
  (text: string, end: 'end' | 'resetAndDestroy' | null = 'end') =>
  ({ socket }: ServerResponse) => {
    socket!.write(text)
    if (end) socket![end]()
  }

const noAnswers: [what: string, answer: (response: ServerResponse) => void, reason: RegExp][] = [
  ['hangs', () => {}, /^no answer within 2 seconds$/],
  ['closes the connection at once', bytes(''), /^the connection failed \(ECONNRESET\)$/],
  [
    'closes the connection in the middle of its headers',
    bytes('HTTP/1.1 200 O'),
    /^the connection failed \(ECONNRESET\)$/,
  ],
  ['resets the connection', bytes('HTTP/1.1 200 OK\r\n', 'resetAndDestroy'), /^the connection failed \(ECONNRESET\)$/],
  [
    'changes the protocol',
    bytes('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', null),
    /^it gave no answer$/,
  ],
  [
    'sends again and again that the request is still being processed',
    ({ socket }) => {
      const timer = setInterval(() => socket!.write('HTTP/1.1 100 Continue\r\n\r\n'), 10)
      socket!.on('close', () => clearInterval(timer)).on('error', () => {})
    },
    /^no answer within/,
  ],
  [
    'sends headers without end',
    ({ socket }) => {
      socket!.on('error', () => {})
      socket!.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1_000_000)}`)
    },
    /^the connection failed \(HPE_HEADER_OVERFLOW\)$/,
  ],
  [
    'speaks another protocol',
    bytes('220 mail.example.com ESMTP\r\n'),
    /^the connection failed \(HPE_INVALID_CONSTANT\)$/,
  ],
]
for (const [what, answer, reason] of noAnswers) {
  test(`a delivery to a receiver that ${what} counts as failed, is reported with the reason, and is sent again`, async (t) => {
    const to = await receiver(t)
    const { webhook_id } = await hook(t, to)
    to.next = [answer]
    const { close } = await delivering(t, [300], { timeoutMs: 2_000 })
    const keys = some(1)
    await happen(keys)
    await until('the delivery is accepted', () => to.taken.length === 1)
    assert.equal(to.received.length, 2)
    const failed = lines.findLast((line) => line.includes(webhook_id) && line.includes('a webhook failed'))
    assert.match(JSON.parse(failed!).reason, reason)
    assert.deepEqual(keysOf(to.taken), keys)
    await close()
  })
}

test('redirects are not followed, whether to a private address, another receiver or the same one, and the failure says so', async (t) => {
  const to = await receiver(t)
  const elsewhere = await receiver(t)
  const { webhook_id } = await hook(t, to)
  const redirects = [
    { status: 301, location: elsewhere.url },
    { status: 302, location: to.url },
    { status: 303, location: '/hook' },
    { status: 307, location: 'http://169.254.169.254/latest/meta-data' },
    { status: 308, location: '//[::1]/' },
    { status: 302, location: '' },
  ]
  to.next = redirects.map(({ status, location }) => (response: ServerResponse) => {
    response.writeHead(status, { location }).end()
  })
  const { close } = await delivering(
    t,
    Array.from({ length: redirects.length }, () => 1),
  )
  const keys = some(1)
  await happen(keys)
  await until('the delivery is accepted', () => to.taken.length === 1)
  assert.equal(to.received.length, redirects.length + 1)
  assert.deepEqual(elsewhere.received, [])
  const failed = lines.filter((line) => line.includes(webhook_id) && line.includes('a webhook failed'))
  assert.deepEqual(
    failed.map((line) => JSON.parse(line).reason),
    redirects.map(
      ({ status }) =>
        `it answered ${status}, and redirects are not followed: create the webhook with the address to which the redirect leads`,
    ),
  )
  assert.doesNotMatch(failed.join(), /169\.254|token/)
  await close()
})

test('nothing is sent to a private address, whether it is in the URL or the host name leads to it, at once or only later', async (t) => {
  const to = await receiver(t)
  const { port } = new URL(to.url)
  const sent = { body: '{}', headers: {} }
  const { signal } = new AbortController()
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '10.0.0.1']) {
    await assert.rejects(
      async () => sender({ allowPrivate: false })(`https://${host}:${port}/`, sent, signal),
      PrivateAddress,
    )
  }
  await assert.rejects(
    sender({ allowPrivate: false })(`https://localhost:${port}/`, sent, signal),
    /localhost leads to (127\.0\.0\.1|::1), which is not a public address/,
  )
  // A host name that led to a public address when the webhook was made, and now leads to a private one.
  const rebinding = sender({
    allowPrivate: false,
    lookUp: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  })
  await assert.rejects(rebinding(`https://hooks.example.com:${port}/`, sent, signal), /which is not a public address/)
  await assert.rejects(sender({ allowPrivate: false })(to.url, sent, signal), /it is not https/)
  const nowhere = sender({
    allowPrivate: false,
    lookUp: (_host, _options, done) => done(Object.assign(new Error('none'), { code: 'ENOTFOUND' }), []),
  })
  await assert.rejects(nowhere('https://hooks.example.com/', sent, signal), /its host cannot be found/)
  const away = new URL(to.url)
  away.port = '9'
  await assert.rejects(
    sender({ allowPrivate: true })(away.href, sent, signal),
    /the connection failed \(ECONNREFUSED\)/,
  )
  await assert.rejects(sender({ allowPrivate: true })('https://a:b@c/', sent, signal), /user or password/)
  assert.deepEqual(to.received, [])
})

test('the body of a receiver’s answer is ignored, whatever its size', async (t) => {
  const to = await receiver(t)
  await hook(t, to)
  const junk = bytesOf(randomFor('junk'), 1_000_000)
  let isGone = false
  to.next = [
    (response) => {
      response.on('close', () => {
        isGone = true
      })
      const more = () => {
        if (!isGone && response.write(junk)) setImmediate(more)
      }
      response.on('drain', more).on('error', () => {})
      more()
    },
  ]
  await delivering(t)
  await happen(some(1))
  await until('the service has closed the connection', () => isGone)
})
