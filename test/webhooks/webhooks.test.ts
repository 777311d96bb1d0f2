/** Webhooks deliver every event in order, despite failures of receivers and of the service. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newestEvent } from '../../src/products/events/queries.ts'
import { followDataVersions } from '../../src/serve/http/version.ts'
import { connect, type Transaction } from '../../src/store/db.ts'
import { deliverAll } from '../../src/webhooks/deliver.ts'
import { Deliverer } from '../../src/webhooks/deliverer.ts'
import {
  createWebhook,
  deleteWebhook,
  listDead,
  listWebhooks,
  replayDead,
  replayFrom,
  setState,
  WEBHOOKS_MAX,
} from '../../src/webhooks/subscriptions.ts'
import { endHolder } from '../support/database.ts'
import { databaseProxy } from '../support/database-proxy.ts'
import { keysOf, openDeliveries, TIMEOUT_MS, WAITS_MS } from '../support/deliveries.ts'
import { firstsOf, type Receiver, receiver } from '../support/receiver.ts'
import { overTcp } from '../support/tcp.ts'
import { until } from '../support/until.ts'

const opened = await openDeliveries({ after })
const { served, sql, parts, log, lines, outcomes, delivering, some, happen, hook, stateOf } = opened

test('events are delivered once, in order and in the format of /events, with a standard signature that libraries can verify', async (t) => {
  const begun = Math.floor(Date.now() / 1000)
  const to = await receiver(t)
  const { webhook_id, secret, position } = await hook(t, to)
  await delivering(t)
  const keys = some(250)
  await happen(keys.slice(0, 3))
  await until('three events are accepted', () => keysOf(to.taken).length === 3)
  for (let n = 3; n < 250; n += 19) await happen(keys.slice(n, n + 19))
  await until('all events are accepted', () => keysOf(to.taken).length >= 250)
  assert.deepEqual(keysOf(to.received), keys)
  assert.ok(to.received.every(({ keys }) => keys.length <= 100))
  const page = await served.json<{ events: unknown[] }>(`/events?after=${position}&limit=3`)
  const [{ headers, body, id }] = to.received as [Receiver['received'][0]]
  assert.deepEqual(JSON.parse(body), { webhook_id, events: page.events, next_after: to.received[0]!.numbers.at(-1) })
  // standardwebhooks.com: base64 of HMAC-SHA256 over id, timestamp and body, with the bytes after the prefix as key.
  const timestamp = String(headers['webhook-timestamp'])
  assert.ok(Number(timestamp) >= begun && Number(timestamp) <= Date.now() / 1000, timestamp)
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${hmac}`)
  assert.equal(new Set(to.received.map(({ id }) => id)).size, to.received.length)
  await until('the delivery is recorded', async () => (await stateOf(webhook_id)).behind === 0)
})

test('a receiver that fails, hangs, answers too late, or redirects gets the same delivery again, and no event is lost', async (t) => {
  const to = await receiver(t)
  const elsewhere = await receiver(t)
  await hook(t, to)
  to.next = [
    500,
    (response) => void response.socket!.destroy(),
    () => {},
    (response) => void setTimeout(() => response.writeHead(200).end(), TIMEOUT_MS * 2),
    (response) => void response.writeHead(302, { location: elsewhere.url }).end(),
    (response) => void response.writeHead(429, { 'retry-after': '0' }).end(),
  ]
  await delivering(t, WAITS_MS, { timeoutMs: TIMEOUT_MS })
  const first = some(5)
  await happen(first)
  await until('the delivery was tried twice', () => to.received.length === 2)
  // Events that are logged while the delivery fails belong to later deliveries.
  const second = some(120)
  await happen(second)
  await until('all later events are received', () => keysOf(to.received.slice(6)).length >= 125)
  assert.equal(new Set(to.received.slice(0, 7).map(({ id }) => id)).size, 1, 'one delivery has one id')
  for (const each of to.received.slice(0, 7)) assert.deepEqual(each.keys, first)
  assert.deepEqual(keysOf(to.received.slice(6)), [...first, ...second])
  assert.deepEqual(elsewhere.received, [])
})

test('a clock that is set back does not lengthen the wait before a retry, and each wait ends in only one retry', async (t) => {
  const to = await receiver(t)
  const { webhook_id } = await hook(t, to)
  to.next = [500, 500]
  let at = Date.now()
  let steadyAt = 0
  let looks = 0
  const steady = () => {
    looks++
    return steadyAt
  }
  const looked = async () => {
    const before = looks
    await until('the deliverer has looked again', () => looks > before + 6)
  }
  await delivering(t, [60_000, 60_000], { now: () => new Date(at), steady })
  await happen(some(1))
  await until('the failure is recorded', async () => (await stateOf(webhook_id)).failures === 1)
  await looked()
  at -= 3_600_000
  await looked()
  assert.equal(to.received.length, 1)
  steadyAt += 70_000
  await until('the second failure is recorded', async () => (await stateOf(webhook_id)).failures === 2)
  await happen(some(1))
  await looked()
  assert.equal(to.received.length, 2, 'the delivery is not tried at each change of data')
  steadyAt += 70_000
  await until('both events are accepted', () => keysOf(to.taken).length === 2)
})

test('a delivery that exhausts its retries goes to the dead-letter list, does not stop later ones, and can be replayed', async (t) => {
  const to = await receiver(t)
  const { webhook_id } = await hook(t, to)
  to.next = [500, 500, 503]
  await delivering(t, [10, 10])
  const [bad, good] = [some(2), some(2)]
  await happen(bad)
  await until('the delivery is given up', async () => (await listDead(sql)).length === 1)
  await happen(good)
  await until('the later events are accepted', () => keysOf(to.taken).length === 2)
  assert.deepEqual(keysOf(to.taken), good)
  await recorded(webhook_id)
  const [dead] = await listDead(sql)
  assert.deepEqual([dead!.webhook_id, dead!.tries, dead!.reason], [webhook_id, 3, 'it answered 503'])
  assert.equal((await stateOf(webhook_id)).dead, 1)
  assert.ok(outcomes.includes('given_up'))

  to.next = [500]
  assert.equal(await replayDead(sql, webhook_id, new Date()), 1)
  await until('the repeated delivery has failed once more', async () => (await listDead(sql))[0]!.tries === 4)
  assert.equal(await replayDead(sql, webhook_id, new Date()), 1)
  await until('the dead-letter list is empty', async () => (await listDead(sql)).length === 0)
  assert.deepEqual(keysOf(to.taken), [...good, ...bad])
  assert.equal(
    new Set(to.taken.map(({ id }) => id)).size,
    to.taken.length,
    'the replayed delivery has an id of its own',
  )
})

/**
 * Resolves when the acceptance of the last delivery is recorded. A replay that is requested after the acceptance, but
 * before it is recorded, sends the delivery again.
 */
const recorded = (webhook_id: string) =>
  until('the acceptance is recorded', async () => {
    const [row] = await sql`select from core.webhook where webhook_id = ${webhook_id} and sending_to is null`
    return row !== undefined
  })

/**
 * Records that a delivery of these events was given up after one attempt, and that the webhook has moved past these
 * events.
 */
async function givenUp(webhook_id: string, from: number, to: number): Promise<void> {
  await sql`
    insert into core.webhook_dead (webhook_id, after_event, to_event, tries, reason, given_up_at)
    values (${webhook_id}, ${from}, ${to}, 1, 'made', now())`
  await sql`update core.webhook set position = ${to} where webhook_id = ${webhook_id}`
}

test('a replay ends at the first delivery that fails again, delays no new events, and pauses the webhook if the receiver answers 410', async (t) => {
  const to = await receiver(t)
  const { webhook_id, position } = await hook(t, to)
  const keys = some(6)
  await happen(keys)
  for (const from of [position, position + 2, position + 4]) await givenUp(webhook_id, from, from + 2)
  await delivering(t)
  to.next = [204, 500]
  await replayDead(sql, webhook_id, new Date())
  await until('two deliveries were tried', () => to.received.length === 2)
  const [fresh] = some(1)
  await happen([fresh!])
  await until('the new event is accepted', () => keysOf(to.taken).includes(fresh!))
  await recorded(webhook_id)
  assert.deepEqual(keysOf(to.received), [...keys.slice(0, 4), fresh])
  const left = async () => (await listDead(sql)).map(({ to_event, tries }) => [to_event - position, tries])
  assert.deepEqual(await left(), [
    [4, 2],
    [6, 1],
  ])
  to.next = [410]
  await replayDead(sql, webhook_id, new Date())
  await until('the webhook is paused', async () => (await stateOf(webhook_id)).state === 'paused')
  assert.deepEqual(await left(), [
    [4, 3],
    [6, 1],
  ])
  await replayDead(sql, webhook_id, new Date())
  await until('the dead-letter list is empty', async () => (await left()).length === 0)
  assert.deepEqual(keysOf(to.taken), [...keys.slice(0, 2), fresh, ...keys.slice(2)])
})

test('a replay runs even if it is requested while another replay fails, and an answer 410 pauses the webhook', async (t) => {
  const to = await receiver(t)
  const { webhook_id, position } = await hook(t, to)
  await happen(some(2))
  await givenUp(webhook_id, position, position + 2)
  await delivering(t)
  const gone = (response: ServerResponse) => void response.writeHead(410).end()
  to.next = [
    async (response) => {
      await replayDead(sql, webhook_id, new Date())
      gone(response)
    },
    gone,
  ]
  await replayDead(sql, webhook_id, new Date())
  await until('the webhook is paused', async () => (await stateOf(webhook_id)).state === 'paused')
  assert.equal(to.received.length, 2)
  assert.equal(new Set(to.received.map(({ id }) => id)).size, 2, 'each delivery has an id of its own')
  assert.deepEqual(
    (await listDead(sql)).map(({ tries }) => tries),
    [3],
  )
})

test('a replay that is requested after a pass has read the webhook is sent only by the next pass', async (t) => {
  const to = await receiver(t)
  const { webhook_id, position } = await hook(t, to)
  await happen(some(2))
  await givenUp(webhook_id, position, position + 2)
  const deliver = () => deliverAll(webhook_id, { ...parts, waitsMs: [], random: () => 0 }, new AbortController().signal)
  let stale: Promise<void> | undefined
  await sql.begin(async (tx) => {
    await tx`lock table core.webhook_dead in access exclusive mode`
    stale = deliver()
    await until('the replay has read the webhook, and waits for the dead delivery', async () => {
      const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
      return waiting.length > 0
    })
    // The statements that replayDead would run.
    await tx`update core.webhook set round = round + 1 where webhook_id = ${webhook_id}`
    await tx`update core.webhook_dead set again = true where webhook_id = ${webhook_id}`
  })
  await stale
  assert.deepEqual(to.received, [])
  to.next = [410]
  await deliver()
  assert.equal(to.received.length, 1)
  assert.equal((await stateOf(webhook_id)).state, 'paused')
})

test('events can be sent again from a given number on, with new delivery ids', async (t) => {
  const to = await receiver(t)
  const { webhook_id, position } = await hook(t, to)
  await delivering(t)
  const keys = some(3)
  await happen(keys)
  await until('three events are accepted', () => keysOf(to.taken).length === 3)
  await replayFrom(sql, webhook_id, position + 1, new Date())
  await until('the repeated events are accepted', () => keysOf(to.taken).length === 5)
  assert.deepEqual(keysOf(to.taken), [...keys, ...keys.slice(1)])
  assert.equal(new Set(to.taken.map(({ id }) => id)).size, to.taken.length)
  await assert.rejects(
    replayFrom(sql, webhook_id, position + 1_000, new Date()),
    /is greater than the number of the newest event, \d+/,
  )
  await assert.rejects(replayFrom(sql, 'wh_none', 0, new Date()), /unknown webhook "wh_none"/)
})

test('a paused webhook is sent nothing and loses no event; a webhook whose receiver answers 410 is paused', async (t) => {
  const to = await receiver(t)
  const { webhook_id } = await hook(t, to)
  await delivering(t)
  await setState(sql, webhook_id, 'paused', new Date())
  const keys = some(2)
  await happen(keys)
  await sleep(150)
  assert.deepEqual(to.received, [])
  to.next = [410]
  await setState(sql, webhook_id, 'active', new Date())
  await until('the webhook is paused', async () => (await stateOf(webhook_id)).state === 'paused')
  assert.equal((await stateOf(webhook_id)).last_error, 'it answered 410')
  await setState(sql, webhook_id, 'active', new Date())
  await until('two events are accepted', () => keysOf(to.taken).length === 2)
  assert.deepEqual(keysOf(to.taken), keys)
})

test('a filtered webhook gets only matching events, and its position moves past all other events', async (t) => {
  const to = await receiver(t)
  const { webhook_id } = await hook(t, to, { source: ['formd'], form: ['D'] })
  await delivering(t)
  await happen(some(300))
  const [row] = await sql<{ accession: string }[]>`select accession from edgar.filing where form_type = 'D' limit 1`
  await happen([row!.accession], 'formd')
  await happen(null, 'formd')
  await until('both events are accepted', () => keysOf(to.taken).length === 2)
  assert.deepEqual(keysOf(to.taken), [row!.accession, null])
  await happen(some(1))
  await until('no event is behind', async () => (await stateOf(webhook_id)).behind === 0)
  assert.equal(keysOf(to.received).length, 2)
})

test('a webhook for a family gets events about the whole dataset of the family, and none about other datasets', async (t) => {
  const to = await receiver(t)
  const { webhook_id } = await hook(t, to, { family: ['formd'] })
  await delivering(t)
  for (const slug of ['adv', 'companies', 'thirteenf', 'formd']) await happen(null, slug)
  await until('one event is accepted', () => keysOf(to.taken).length === 1)
  await until('no event is behind', async () => (await stateOf(webhook_id)).behind === 0)
  const sources = to.taken.flatMap(({ body }) =>
    JSON.parse(body).events.map(({ source }: { source: string }) => source),
  )
  assert.deepEqual(sources, ['formd'])
})

test('a webhook with a filter value that this version does not know is paused with the reason', async (t) => {
  const to = await receiver(t)
  const { webhook_id } = await hook(t, to, { family: ['of_yesterday'] })
  await delivering(t)
  await happen(some(1))
  await until('the webhook is paused', async () => (await stateOf(webhook_id)).state === 'paused')
  assert.match((await stateOf(webhook_id)).last_error!, /^family: "of_yesterday" is not a known family/)
})

test('only one of two processes delivers, and the other takes over when the first has ended', async (t) => {
  const to = await receiver(t)
  await hook(t, to)
  const first = await delivering(t)
  await delivering(t)
  const keys = some(40)
  for (const key of keys.slice(0, 20)) await happen([key])
  await until('the first twenty events are accepted', () => keysOf(to.taken).length === 20)
  await first.close()
  for (const key of keys.slice(20)) await happen([key])
  await until('the last event is accepted', () => keysOf(to.taken).includes(keys.at(-1)!))
  // The twentieth event is delivered again if the first process ended before it had stored the receipt.
  assert.deepEqual(keysOf(firstsOf(to.taken)), keys)
})

for (const [table, message] of [
  ['webhook', 'webhooks cannot be read'],
  ['webhook_dead', 'deliveries of a webhook failed'],
] as const) {
  test(`while the table ${table} cannot be read, deliveries wait; the fault is reported once, and no delivery is lost`, async (t) => {
    const to = await receiver(t)
    await hook(t, to)
    await delivering(t)
    const before = lines.length
    const logged = () => lines.slice(before).filter((line) => line.includes(message)).length
    await sql.unsafe(`alter table core.${table} rename to away`)
    const keys = some(3)
    try {
      await happen(keys)
      await until('the fault is logged', () => logged() > 0)
      await sleep(200)
      assert.equal(logged(), 1)
    } finally {
      await sql.unsafe(`alter table core.away rename to ${table}`)
    }
    await until('three events are accepted', () => keysOf(to.taken).length === 3)
    assert.deepEqual(keysOf(to.taken), keys)
  })
}

test('after a lost database connection, this or another process delivers on, and repeats a delivery only with the same id', async (t) => {
  const to = await receiver(t)
  await hook(t, to)
  await delivering(t)
  await delivering(t)
  const keys = some(30)
  await happen(keys.slice(0, 10))
  await until('ten events are accepted', () => keysOf(to.taken).length === 10)
  // The lock identifies the delivering process.
  await endHolder(sql, { only: 4_713_027 })
  for (const key of keys.slice(10)) await happen([key])
  await until('the last event is accepted', () => keysOf(to.taken).includes(keys.at(-1)!))
  // For a moment, the process that lost its lock and the process that took the lock both deliver.
  assert.deepEqual(keysOf(firstsOf(to.taken)), keys)
})

test('if the database connection of a process hangs, another process takes over, and all events arrive in order', async (t) => {
  const proxy = await databaseProxy(t, served.target)
  const still = connect({ target: proxy.target, max: 2 })
  const changes = await followDataVersions(sql, log)
  const own = new Deliverer({
    ...parts,
    ...{ sql: still, changes, log, waitsMs: WAITS_MS, lookMs: 50, stillMs: 1_000 },
  })
  t.after(async () => {
    await own.close()
    changes.close()
    await still.end({ timeout: 1 })
  })
  const to = await receiver(t)
  await hook(t, to)
  const keys = some(6)
  await happen(keys.slice(0, 2))
  await until('the first process delivers', () => keysOf(to.taken).includes(keys[1]!))
  await delivering(t)
  const before = lines.length
  proxy.freeze()
  await happen(keys.slice(2, 4))
  await until('the other process delivers', () => keysOf(to.taken).includes(keys[3]!))
  proxy.thaw()
  await until('the first process reads the webhooks again', () =>
    lines.slice(before).some((line) => line.includes('webhooks cannot be read')),
  )
  await happen(keys.slice(4))
  await until('the last event is accepted', () => keysOf(to.taken).includes(keys[5]!))
  assert.deepEqual(keysOf(firstsOf(to.taken)), keys)
})

test('deliveries wait while the database is unreachable and resume afterwards, also after repeated outages', async (t) => {
  const relay = await overTcp(t, served)
  const away = connect({ target: relay.target, max: 2 })
  const changes = await followDataVersions(away, log)
  const own = new Deliverer({ ...parts, ...{ sql: away, changes, log, waitsMs: WAITS_MS, lookMs: 50 } })
  t.after(async () => {
    await own.close()
    changes.close()
    await away.end({ timeout: 1 })
  })
  const to = await receiver(t)
  await hook(t, to)
  const keys = some(8)
  for (let n = 0; n < 8; n += 4) {
    await happen(keys.slice(n, n + 2))
    await until('the event is accepted', () => keysOf(to.taken).includes(keys[n + 1]!))
    relay.close()
    relay.reset()
    await happen(keys.slice(n + 2, n + 4))
    await sleep(200)
    await relay.listen()
    await until('the event is accepted when the database is back', () => keysOf(to.taken).includes(keys[n + 3]!))
  }
  assert.deepEqual(keysOf(firstsOf(to.taken)), keys)
})

test('deliveries with the same id have the same events, even if two processes deliver while new events arrive', async (t) => {
  const to = await receiver(t)
  const { webhook_id } = await hook(t, to)
  const keys = some(2)
  const both: Promise<void>[] = []
  await sql.begin(async (tx) => {
    await tx`select from core.webhook where webhook_id = ${webhook_id} for update`
    for (const key of keys) {
      await happen([key])
      both.push(deliverAll(webhook_id, { ...parts, waitsMs: [], random: () => 0 }, new AbortController().signal))
      await until('both processes wait to record a delivery', async () => (await writing()) === both.length)
    }
  })
  await Promise.all(both)
  const byId = Map.groupBy(to.taken, ({ id }) => id)
  assert.deepEqual(
    [...byId.values()].map((same) => [...new Set(same.map(({ body }) => body))].length),
    [1, 1],
  )
  assert.deepEqual(keysOf(firstsOf(to.taken)), keys)
})

test('a delivery that is in flight when its process ends is repeated by the next process, with the same id', async (t) => {
  const to = await receiver(t)
  await hook(t, to)
  to.next = [() => {}]
  const first = await delivering(t)
  const keys = some(2)
  await happen(keys)
  await until('the delivery has begun', () => to.received.length === 1)
  await first.close()
  await delivering(t)
  await until('the delivery is accepted', () => to.taken.length === 1)
  assert.equal(to.taken[0]!.id, to.received[0]!.id)
  assert.deepEqual(keysOf(to.taken), keys)
})

test('a clock that was ahead and is set back delays a webhook by at most the longest wait before a retry', async (t) => {
  const to = await receiver(t)
  const { webhook_id } = await hook(t, to)
  for (const [failures, hours, isHeld] of [
    [0, 0.5, false],
    [1, 0.5, true],
    [1, 30, false],
  ] as const) {
    const ahead = new Date(Date.now() + hours * 3_600_000)
    await sql`update core.webhook set failures = ${failures}, next_at = ${ahead} where webhook_id = ${webhook_id}`
    const before = to.taken.length
    await happen(some(1))
    // Starts a new deliverer, since one that already runs may have read the row before the change.
    const { close } = await delivering(t, [3_600_000])
    if (isHeld) await sleep(200)
    else await until('the delivery arrives', () => to.taken.length > before)
    assert.equal(to.taken.length > before, !isHeld)
    await close()
  }
})

/** Counts processes that wait to store the numbers of the events that they send. */
const writing = async () =>
  (
    await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%sending_to%'`
  ).length

for (const [what, act] of [
  ['deleted', (tx: Transaction, id: string) => tx`delete from core.webhook where webhook_id = ${id}`],
  ['paused', (tx: Transaction, id: string) => tx`update core.webhook set state = 'paused' where webhook_id = ${id}`],
] as const) {
  for (const failures of [0, 1]) {
    test(`a webhook that is ${what} while its ${failures === 0 ? 'first' : 'second'} attempt is being recorded is sent nothing more`, async (t) => {
      const to = await receiver(t)
      const { webhook_id } = await hook(t, to)
      to.next = Array.from({ length: failures }, () => 500)
      await delivering(t, [1_500])
      if (failures > 0) {
        await happen(some(1))
        await until('the failure is recorded', async () => (await stateOf(webhook_id)).failures === failures)
      }
      await sql.begin(async (tx) => {
        await tx`select from core.webhook where webhook_id = ${webhook_id} for update`
        if (failures === 0) await happen(some(1))
        await until('a process waits to record a delivery', async () => (await writing()) > 0)
        await act(tx, webhook_id)
      })
      await sleep(100)
      assert.equal(to.received.length, failures)
    })
  }
}

test('if a webhook is reset to an earlier event during its last attempt, the delivery does not go to the dead-letter list', async (t) => {
  const to = await receiver(t)
  const { webhook_id, position } = await hook(t, to)
  let answer = () => {}
  to.next = [
    (response) => {
      answer = () => void response.writeHead(500).end()
    },
  ]
  await delivering(t, [])
  const keys = some(1)
  await happen(keys)
  await until('the delivery has begun', () => to.received.length === 1)
  await replayFrom(sql, webhook_id, position, new Date())
  answer()
  await until('the delivery is accepted', () => to.taken.length === 1)
  assert.deepEqual([keysOf(to.taken), [...(await listDead(sql))]], [keys, []])
})

test('a replayed delivery sends all its events again, even if these are more than one delivery may have', async (t) => {
  const to = await receiver(t)
  const { webhook_id, position } = await hook(t, to)
  const keys = some(250)
  await happen(keys)
  const last = await newestEvent(sql)
  await givenUp(webhook_id, position, last)
  await replayDead(sql, webhook_id, new Date())
  await delivering(t)
  await until('all events are accepted', () => keysOf(to.taken).length === 250)
  assert.deepEqual(keysOf(to.taken), keys)
  await until('the dead-letter list is empty', async () => (await listDead(sql)).length === 0)
})

test('if a webhook is reset to an earlier event while its receiver answers 410, this answer does not pause the webhook', async (t) => {
  const to = await receiver(t)
  const { webhook_id, position } = await hook(t, to)
  let answer = () => {}
  to.next = [
    (response) => {
      answer = () => void response.writeHead(410).end()
    },
  ]
  await delivering(t)
  const keys = some(1)
  await happen(keys)
  await until('the delivery has begun', () => to.received.length === 1)
  await replayFrom(sql, webhook_id, position, new Date())
  answer()
  await until('the delivery is accepted', () => to.taken.length === 1)
  assert.equal((await stateOf(webhook_id)).state, 'active')
})

test('if a webhook is reset or deleted during a delivery, the end of the delivery does not undo the reset or the deletion', async (t) => {
  const to = await receiver(t)
  const { webhook_id, position } = await hook(t, to)
  let answer = () => {}
  const later = (status: number) => (response: ServerResponse) => {
    answer = () => void response.writeHead(status).end()
  }
  to.next = [later(204)]
  await delivering(t)
  const keys = some(2)
  await happen(keys)
  await until('the delivery has begun', () => to.received.length === 1)
  await replayFrom(sql, webhook_id, position, new Date())
  answer()
  await until('the events are accepted again', () => to.taken.length === 2)
  assert.deepEqual(keysOf(to.taken), [...keys, ...keys])
  to.next = [later(500)]
  await happen(some(1))
  await until('the third delivery has begun', () => to.received.length === 3)
  await deleteWebhook(sql, webhook_id)
  answer()
  await sleep(100)
  assert.equal(to.received.length, 3)
  assert.deepEqual(
    (await listWebhooks(sql)).filter((each) => each.webhook_id === webhook_id),
    [],
  )
})

test('secrets appear neither in the log nor in lists of webhooks, and paths of receivers do not appear in the log', async () => {
  const text = lines.join('') + JSON.stringify(await listWebhooks(sql)) + JSON.stringify(await listDead(sql))
  assert.ok(lines.some((line) => line.includes('a webhook failed')))
  assert.ok(!/whsec_/.test(text))
  assert.ok(!/token=hidden|\/hook/.test(lines.join('')))
})

test('the maximum number of webhooks holds even if several are created at once', async (t) => {
  t.after(async () => {
    await sql`delete from core.webhook`
  })
  const make = () => createWebhook(sql, { url: 'https://hooks.example.com/', filters: {}, now: new Date() })
  const made = await Promise.allSettled(Array.from({ length: WEBHOOKS_MAX + 20 }, make))
  assert.equal(made.filter(({ status }) => status === 'fulfilled').length, WEBHOOKS_MAX)
  assert.equal((await listWebhooks(sql)).length, WEBHOOKS_MAX)
  await assert.rejects(make(), /there are already 100 webhooks/)
})
