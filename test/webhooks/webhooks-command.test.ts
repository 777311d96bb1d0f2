/** The command `webhooks`, and a serving process that is killed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { open } from '../../src/app.ts'
import webhooks from '../../src/commands/webhooks.ts'
import { readSettings } from '../../src/config.ts'
import { logChange } from '../support/change-log.ts'
import { begin, beginHere, run, sampledEnv, untilReady } from '../support/command.ts'
import { receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

/** Matches the list's line for a webhook that has delivered all events: nothing is pending, failed or dead. */
const DELIVERED = /\tactive\t-\t\d+\t0\t0\t0\t-\t\d{4}-/

test('a serving process that is killed repeatedly loses no event and keeps the order', async (t) => {
  const to = await receiver(t)
  const env = { ...(await sampledEnv(t)), WEBHOOK_PRIVATE: 'on', PORT: '0' }
  const made = await run(['webhooks', 'create', '--url', to.url], env)
  assert.equal(made.status, 0, made.stderr)
  const app = await open(readSettings(env).config, { make: true })
  t.after(() => app.close())
  const keys: string[] = []
  let isEnough = false
  const writing = (async () => {
    while (!isEnough) {
      const key = `0000000091-26-${String(keys.length + 1).padStart(6, '0')}`
      await logChange(app.sql, { keys: [key] })
      keys.push(key)
      await sleep(30)
    }
  })()
  // The receiver answers late, so that a kill mostly comes between a delivery and its answer.
  to.next = Array.from({ length: 10_000 }, () => (response) => void setTimeout(() => response.writeHead(204).end(), 25))
  const KILLS = 2
  for (let n = 0; n <= KILLS; n++) {
    const before = to.received.length
    const server = (n < KILLS ? begin : beginHere)(t, ['serve'], env)
    await until('further deliveries arrive', () => to.received.length >= before + 5 + 3 * n)
    if (n < KILLS) {
      await server.end('SIGKILL')
      continue
    }
    isEnough = true
    await writing
    await until('the last event is accepted', () => to.taken.some((delivery) => delivery.keys.includes(keys.at(-1)!)))
    // If a process ends after an answer and before it has recorded the answer, the next process repeats the delivery.
    const isRecorded = async () => DELIVERED.test((await run(['webhooks', 'list'], env)).stdout)
    await until('the last answer is recorded', isRecorded)
    await untilReady(server)
    assert.equal(await server.end(), 0)
  }
  const once: typeof to.received = []
  let repeated = 0
  for (const delivery of to.received) {
    const before = once.find(({ id }) => id === delivery.id)
    if (!before) once.push(delivery)
    else {
      assert.equal(before, once.at(-1), 'only the last delivery is repeated')
      assert.deepEqual(delivery.keys, before.keys)
      repeated++
    }
  }
  assert.deepEqual(
    once.flatMap(({ keys }) => keys),
    keys,
  )
  assert.ok(repeated <= KILLS, `${repeated} deliveries were repeated`)
  const list = await run(['webhooks', 'list'], env)
  assert.match(list.stdout, DELIVERED)
})

test('the command creates, lists, pauses, replays and deletes webhooks, and shows a secret only at creation', async (t) => {
  const place = await sampledEnv(t)
  const env = { ...place, WEBHOOK_PRIVATE: 'on' }
  const url = 'http://127.0.0.1:9/hook'
  const made = await run(
    ['webhooks', 'create', '--url', url, '--form', 'D,D/A', '--cik', '925421', '--after', '3'],
    env,
  )
  assert.equal(made.status, 0, made.stderr)
  const [, id, secret] = /^webhook_id\tsecret\tposition\n(wh_[0-9a-f]{16})\t(whsec_\S{44})\t3\n$/.exec(made.stdout)!
  const list = (await run(['webhooks', 'list'], env)).stdout
  assert.match(
    list,
    new RegExp(`^webhook_id\t.*\n${id}\t${url}\tactive\tform=D,D/A cik=0000925421\t3\t\\d+\t0\t0\t-\t-\t-\n$`),
  )
  assert.ok(!list.includes(secret!))
  const outputOf = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(['webhooks', ...args], env)
    assert.equal(status, 0, stderr)
    return stdout
  }
  assert.equal(await outputOf('pause', id!), `paused ${id}\n`)
  assert.equal(await outputOf('replay', id!, '--after', '1'), `${id} continues after event 1\n`)
  assert.equal(await outputOf('replay', id!, '--dead'), `0 deliveries to ${id} will be tried again\n`)
  assert.equal(await outputOf('list', '--dead'), 'webhook_id\tafter_event\tto_event\ttries\tgiven_up_at\treason\n')
  assert.equal(await outputOf('delete', id!), `deleted ${id}\n`)
  const { config } = readSettings(env)
  for (const [args, message] of [
    [['delete', id!], /unknown webhook "wh_/],
    [['create', '--url', url, '--after', '99999999'], /is greater than the number of the newest event, \d+/],
  ] as const) {
    await assert.rejects(webhooks.run([...args], config), { name: 'UserError', message })
  }
})

test('the command names the invalid argument that it refuses, and by default refuses receivers in the service’s own network', async (t) => {
  const place = await sampledEnv(t)
  const url = 'http://127.0.0.1:9/hook'
  const refused: [args: string[], why: RegExp, allowed?: string][] = [
    [['replay', 'wh_1', '--after', '1', '--dead'], /--after N or --dead, and not both/],
    [['replay', 'wh_1'], /--after N or --dead/],
    [['create'], /needs --url/],
    [
      ['create', '--url', url, '--family', 'eightkk'],
      /--family: "eightkk" is not a known family; did you mean eightk\?/,
    ],
    [['create', '--url', url, '--family', 'formd', '--form', '4'], /--form: 4 is a form of the family ownership/],
    [['create', '--url', url, '--cik', 'abc'], /--cik/],
    [['create', '--url', url, '--after', '-1'], /--after/],
    [['list', '--url', url], /webhooks list does not take --url/],
    [['lst'], /did you mean "?list/],
    [[], /webhooks needs create, list, .* or delete, as in "openfilings webhooks list"$/],
    [['pause'], /needs the id/],
    [['create', '--url', 'ftp://example.com/'], /it is not an https address/, 'on'],
    [['create', '--url', 'https://a:b@example.com/'], /has a user or password/, 'on'],
    [['create', '--url', url], /--url: it is not https.*WEBHOOK_PRIVATE=on/],
    [['create', '--url', 'https://127.0.0.1/'], /127\.0\.0\.1 is not a public address/],
    [['create', '--url', 'https://localhost/'], /localhost leads to /],
  ]
  for (const [args, message, allowed = 'off'] of refused) {
    const { config } = readSettings({ ...place, WEBHOOK_PRIVATE: allowed })
    await assert.rejects(async () => webhooks.run(args, config), { name: 'UserError', message }, args.join(' '))
  }
  // An unknown host is accepted, since its name may resolve later.
  const unknown = await run(['webhooks', 'create', '--url', 'https://nowhere.invalid/'], place)
  assert.equal(unknown.status, 0)
  assert.equal(
    unknown.stderr,
    'openfilings: the host of --url cannot be found at the moment; events wait until it can\n',
  )
})
