/** `webhooks.verify()` of the TypeScript client, against real deliveries of the service. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { webhooks } from '../../clients/typescript/src/index.ts'
import { newSecret, signed } from '../../src/webhooks/signature.ts'
import { openDeliveries } from '../support/deliveries.ts'
import { receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const { delivering, hook, happen, some } = await openDeliveries({ after })

test('a delivery of the service passes verification, and has the events that the service sent', async (t) => {
  const own = await receiver(t)
  const { secret, webhook_id } = await hook(t, own)
  const keys = some(3)
  await happen(keys)
  await delivering(t)
  await until('the webhook is delivered', () => own.taken.length > 0)
  const { headers, body, numbers } = own.taken[0]!
  const delivery = await webhooks.verify({ body, headers, secret })
  assert.equal(delivery.webhook_id, webhook_id)
  assert.deepEqual(
    delivery.events?.map(({ event_number }) => event_number),
    numbers,
  )
  assert.equal(delivery.next_after, numbers.at(-1))
  await assert.rejects(webhooks.verify({ body, headers, secret: newSecret() }), { code: 'invalid_signature' })
})

const secret = newSecret()
const now = Date.parse('2026-01-02T03:04:05Z')
const body = JSON.stringify({ webhook_id: 'w', events: [], next_after: 7, name: 'é' })
const headers = signed(secret, 'w_1_7', body, new Date(now))
const verify = (changes: Partial<Parameters<typeof webhooks.verify>[0]>) =>
  webhooks.verify({ body, headers, secret, now, ...changes })

test('`verify` accepts headers in each form, the body as bytes or text, and several secrets if one of them matches', async () => {
  const expected = JSON.parse(body)
  assert.deepEqual(await verify({}), expected)
  assert.deepEqual(await verify({ headers: new Headers(headers) }), expected)
  assert.deepEqual(await verify({ body: new TextEncoder().encode(body) }), expected)
  assert.deepEqual(await verify({ secret: [newSecret(), secret] }), expected)
  const several = `v1,${'A'.repeat(43)}= v2,x v1a,y ${headers['webhook-signature']}`
  assert.deepEqual(await verify({ headers: { ...headers, 'webhook-signature': several } }), expected)
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  assert.deepEqual(await verify({ headers: upper }), expected)
})

test('a delivery is refused if a part of it was changed, is missing or is too old', async () => {
  const refused = (changes: Partial<Parameters<typeof webhooks.verify>[0]>) =>
    assert.rejects(verify(changes), { name: 'OpenFilingsError', code: 'invalid_signature' })
  await refused({ body: body.replace('7', '8') })
  await refused({ body: `${body} ` })
  await refused({ now: now + 301_000 })
  await refused({ now: now - 301_000 })
  await refused({ now: Number.NaN })
  for (const signature of ['v1,ab=', 'v1,a', 'v1,====', 'v1,'])
    await refused({ headers: { ...headers, 'webhook-signature': signature } })
  await verify({ now: now + 299_000 })
  await verify({ now: now + 3_000_000, toleranceSeconds: 4_000 })
  for (const name of Object.keys(headers)) {
    await refused({ headers: { ...headers, [name]: undefined } })
    await refused({ headers: { ...headers, [name]: '' } })
    await refused({ headers: { ...headers, [name]: ['a', 'b'] } })
  }
  for (const time of ['1e9', '-1', '0x10', '99999999999999', 'soon'])
    await refused({ headers: { ...headers, 'webhook-timestamp': time } })
  const [, signature] = headers['webhook-signature']!.split(',')
  for (const text of [
    signature!,
    `v2,${signature}`,
    'v1,',
    'v1,%%%%',
    `v1,${signature!.slice(4)}`,
    `v1,${'v1,'.repeat(1_000)}`,
  ])
    await refused({ headers: { ...headers, 'webhook-signature': text } })
})

test('an invalid secret is refused, and the message does not repeat it', async () => {
  for (const wrong of ['', 'whsec_', 'whsec_%%%', secret.slice(6), 'whsec_c2hvcnQ=']) {
    await assert.rejects(verify({ secret: wrong }), (error: { code: string; message: string }) => {
      assert.equal(error.code, 'invalid_option')
      assert.ok(wrong.length < 8 || !error.message.includes(wrong))
      return true
    })
  }
})
