import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { keyring } from '../../src/serve/keyring.ts'
import { createKey, listKeys, type NewKey, revokeKey } from '../../src/serve/keys.ts'
import type { Sql } from '../../src/store/db.ts'
import { freshDatabase } from '../support/database.ts'

const { sql } = await freshDatabase({ after: (fn) => after(fn) })

const START = new Date('2026-01-02T03:04:05Z')
const later = (seconds: number) => new Date(START.getTime() + seconds * 1000)
let accounts = 0
const wanted = (own: Partial<NewKey> = {}): NewKey => ({
  account: `account ${++accounts}`,
  scopes: ['api'],
  now: START,
  ...own,
})

/** Creates a keyring with a settable clock that counts its queries. */
function ring() {
  const clock = { now: START }
  let queries = 0
  const counting = new Proxy(sql, {
    apply: (target, self, args) => {
      queries++
      return Reflect.apply(target, self, args)
    },
  }) as Sql
  return { clock, keys: keyring(counting, { now: () => clock.now }), queries: () => queries }
}

test('a key has the prefix of_, its id and 28 unambiguous characters, and has the requested scopes and limits', async () => {
  const { key, keyId } = await createKey(sql, wanted({ account: 'Ann', scopes: ['api', 'brochures'], searchLimit: 50 }))
  assert.match(key, /^of_[1-9A-HJ-NP-Za-km-z]{8}_[1-9A-HJ-NP-Za-km-z]{28}$/)
  assert.equal(key.split('_')[1], keyId)
  assert.deepEqual(await ring().keys.find(key), {
    keyId,
    uid: 'Ann',
    scopes: ['api', 'brochures'],
    limits: { search: 50, general: 10 },
    selfServe: false,
  })
})

test('the database stores only the SHA-256 of the secret', async () => {
  const { key, keyId } = await createKey(sql, wanted())
  const secret = key.split('_')[2]!
  const [row] = await sql`select k::text as text, secret_hash from core.key k where key_id = ${keyId}`
  assert.deepEqual(row!.secret_hash, createHash('sha256').update(secret).digest())
  assert.ok(!row!.text.includes(secret))
  const [listed] = (await listKeys(sql)).filter((one) => one.key_id === keyId)
  assert.deepEqual(
    Object.keys(listed!).filter((name) => /secret|hash/.test(name)),
    [],
  )
})

test('a malformed key is refused without a query', async () => {
  const { keys, queries } = ring()
  const { key } = await createKey(sql, wanted())
  for (const text of [
    '',
    'of_',
    key.slice(0, -1),
    `${key}1`,
    key.toUpperCase(),
    ` ${key}`,
    key.replace('of_', 'xx_'),
  ]) {
    assert.equal(await keys.find(text), null, text)
  }
  assert.equal(queries(), 0)
})

test('a wrong secret is refused, also after a lookup with the right secret', async () => {
  const { keys } = ring()
  const { key } = await createKey(sql, wanted())
  const wrong = key.slice(0, -1) + (key.endsWith('1') ? '2' : '1')
  assert.equal(await keys.find(wrong), null)
  assert.ok(await keys.find(key))
  assert.equal(await keys.find(wrong), null)
})

test('a key that is revoked by its id or by the whole key works for less than 30 seconds more', async () => {
  for (const name of ['key', 'keyId'] as const) {
    const { keys, clock } = ring()
    const made = await createKey(sql, wanted())
    assert.ok(await keys.find(made.key))
    assert.equal(await revokeKey(sql, made[name], START), made.keyId)
    clock.now = later(29.999)
    assert.ok(await keys.find(made.key), 'the lookup stays cached for its time')
    clock.now = later(30)
    assert.equal(await keys.find(made.key), null)
  }
})

test('a cached key is looked up again 30 seconds after its last lookup began, even if the lookup was slow', async () => {
  const made = await createKey(sql, wanted())
  const clock = { now: START }
  let rows = await sql`select * from core.key where key_id = ${made.keyId}`.then((found) => [...found])
  const slow = async () => {
    clock.now = later(20)
    return rows
  }
  // The key ring uses the pool only by calling it as a function.
  const keys = keyring(slow as unknown as Sql, { now: () => clock.now })
  assert.ok(await keys.find(made.key))
  rows = []
  clock.now = later(30)
  assert.equal(await keys.find(made.key), null)
})

test('a lookup that demands a result fresher than 30 seconds notices a revocation sooner, and accepts the usual age while the database is unreachable', async () => {
  const made = await createKey(sql, wanted())
  const clock = { now: START }
  let isAway = false
  const sometimes = async () => {
    if (isAway) throw new Error('away')
    return sql`select * from core.key where key_id = ${made.keyId} and revoked_at is null`
  }
  // A key ring uses a pool only by calling it.
  const keys = keyring(sometimes as unknown as Sql, { now: () => clock.now })
  assert.ok(await keys.find(made.key, 15_000))
  isAway = true
  clock.now = later(29.999)
  assert.ok(await keys.find(made.key, 15_000))
  clock.now = later(30)
  await assert.rejects(async () => keys.find(made.key, 15_000), /away/)
  isAway = false
  assert.ok(await keys.find(made.key, 15_000))
  await revokeKey(sql, made.keyId, START)
  clock.now = later(44.999)
  assert.ok(await keys.find(made.key, 15_000))
  clock.now = later(45)
  assert.equal(await keys.find(made.key, 15_000), null)
})

test('a key stops working exactly when it expires, even if its lookup is cached', async () => {
  const { keys, clock } = ring()
  const { key } = await createKey(sql, wanted({ expiresAt: later(10) }))
  clock.now = later(9.999)
  assert.ok(await keys.find(key))
  clock.now = later(10)
  assert.equal(await keys.find(key), null)
})

test('concurrent lookups share one query, and later lookups send no query for 30 seconds', async () => {
  const { keys, clock, queries } = ring()
  const { key } = await createKey(sql, wanted())
  assert.ok((await Promise.all(Array.from({ length: 20 }, () => keys.find(key)))).every(Boolean))
  clock.now = later(29)
  await keys.find(key)
  assert.equal(queries(), 1)
  clock.now = later(31)
  await keys.find(key)
  assert.equal(queries(), 2)
})

test('an unknown id is queried at most once in 5 seconds; a key that is created in the meantime works', async () => {
  const { keys, clock, queries } = ring()
  const { key, keyId } = await createKey(sql, wanted())
  const [row] = await sql`delete from core.key where key_id = ${keyId} returning *`
  assert.equal(await keys.find(key), null)
  assert.equal(await keys.find(key), null)
  assert.equal(queries(), 1)
  await sql`insert into core.key ${sql(row!)}`
  clock.now = later(5)
  assert.ok(await keys.find(key))
})

test('a flood of invented ids does not evict the keys in use from the cache', async () => {
  const { key } = await createKey(sql, wanted())
  let queries = 0
  const [row] = await sql`select * from core.key where key_id = ${key.split('_')[1]!}`
  const table = (async (_text: unknown, keyId: string) => {
    queries++
    return keyId === row!.key_id ? [row] : []
  }) as Sql
  const keys = keyring(table, { now: () => START })
  assert.ok(await keys.find(key))
  const digits = (n: number) => String(n).padStart(8, '1').replaceAll('0', 'z')
  for (let n = 0; n < 20_000; n++) await keys.find(`of_${digits(n)}_${'1'.repeat(28)}`)
  const before = queries
  assert.ok(await keys.find(key))
  assert.equal(queries, before)
})

test('an account has at most one active self-serve key, and revoked and expired keys do not count', async () => {
  const mine = { account: 'self', selfServe: true }
  const first = await createKey(sql, wanted(mine))
  assert.equal((await ring().keys.find(first.key))?.selfServe, true)
  await assert.rejects(createKey(sql, wanted(mine)), { name: 'UserError', message: /self already has an active/ })
  const both = [
    createKey(sql, wanted({ ...mine, account: 'race' })),
    createKey(sql, wanted({ ...mine, account: 'race' })),
  ]
  const outcomes = (await Promise.allSettled(both)).map(({ status }) => status).sort()
  assert.deepEqual(outcomes, ['fulfilled', 'rejected'])
  await revokeKey(sql, first.keyId, START)
  await createKey(sql, wanted({ ...mine, expiresAt: later(60) }))
  await createKey(sql, wanted({ ...mine, now: later(60) }))
  await createKey(sql, wanted({ account: 'self' }))
})

const REFUSED: [what: string, Partial<NewKey>, RegExp][] = [
  ['an unknown scope', { scopes: ['api', 'root'] }, /^unknown scope root; available: api, brochures, mcp$/],
  ['no scope', { scopes: [] }, /needs at least one scope/],
  ['a limit of 0', { searchLimit: 0 }, /^the search limit must be a whole number/],
  ['a limit of 1.5', { generalLimit: 1.5 }, /^the general limit must be a whole number/],
  ['an override on a self-serve key', { selfServe: true, searchLimit: 20 }, /default limits/],
  ['an expiry in the past', { expiresAt: START }, /has already passed/],
  ['an expiry that is not a date', { expiresAt: new Date('x') }, /is not a date/],
  ['an empty account', { account: '' }, /account name/],
  ['a control character in the account', { account: 'a\nb' }, /account name/],
]
for (const [what, own, message] of REFUSED) {
  test(`${what} is refused with a message`, async () => {
    await assert.rejects(createKey(sql, wanted(own)), { name: 'UserError', message })
  })
}

test('a second revocation does not change the time of the first, and a message does not repeat an invalid key', async () => {
  const { keyId, key } = await createKey(sql, wanted())
  await revokeKey(sql, keyId, START)
  await revokeKey(sql, keyId, later(100))
  const [row] = (await listKeys(sql)).filter((one) => one.key_id === keyId)
  assert.equal(Date.parse(row!.revoked_at!), START.getTime())
  await assert.rejects(revokeKey(sql, '11111111', START), { name: 'UserError', message: /unknown key 11111111/ })
  const mistyped = `${key}O`
  await assert.rejects(revokeKey(sql, mistyped, START), (error: Error) => !error.message.includes(mistyped.slice(12)))
})
