/** A sign-in provider that is down, slow or broken: people see an error page, and no other request waits. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { freshDatabase } from '../support/database.ts'
import { TestBrowser } from '../support/sign-in/browser.ts'
import { signInWorld } from '../support/sign-in/world.ts'
import { until } from '../support/until.ts'

const database = await freshDatabase({ after })
const world = await signInWorld({ after }, { database, timeoutMs: 1_000 })
const { base, provider } = world

const html = (status: number, body: string) => ({
  name: `${status} ${body.slice(0, 20)}`,
  answer: (_request: unknown, response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end(body),
})

for (const { name, answer } of [
  html(500, 'an error'),
  html(200, '<html>a page of a proxy</html>'),
  html(302, ''),
  { name: 'silence', answer: () => {} },
  {
    name: 'endless bytes',
    answer: (_request: unknown, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (response.write('x'.repeat(100_000)));
      }
      response.on('drain', more)
      more()
    },
  },
  {
    name: 'an answer that breaks off',
    answer: (_request: unknown, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{')
      setImmediate(() => response.destroy())
    },
  },
]) {
  test(`if the provider answers with ${name}, the person sees a 503 page, at the start of the sign-in and at the return`, async (t) => {
    t.after(() => provider.instead.clear())
    provider.instead.set('/token', answer)
    const browser = new TestBrowser()
    const back = await browser.signIn(base, 'ada')
    assert.equal(back.status, 503, back.text)
    assert.match(back.text, /the sign-in provider does not answer at the moment/)
    assert.equal(back.headers['retry-after'], '30')

    // The description of the provider is cached for an hour.
    world.time.offsetMs += 61 * 60_000
    provider.instead.set('*', answer)
    const begun = await new TestBrowser().open(`${base}/sign-in`)
    assert.equal(begun.status, 503)
    assert.match(begun.text, /the sign-in provider does not answer at the moment/)
    assert.equal(world.lines().at(-1)!.code, 'sign_in_unavailable')
    provider.instead.clear()
    // On a busy machine, a provider that is up again may still answer too late once.
    await until('sign-in works again', async () => (await new TestBrowser().open(`${base}/sign-in`)).status === 302)
    world.time.offsetMs = 0
  })
}

test('a silent provider delays no other request, and many sign-ins share one request to it', async (t) => {
  const own = await signInWorld(t, { database, timeoutMs: 60_000 })
  const asked = Promise.withResolvers<void>()
  const waiting: ServerResponse[] = []
  own.provider.instead.set('*', (_request, response) => {
    waiting.push(response)
    asked.resolve()
  })
  const begun = async () => (await own.sql<{ n: number }[]>`select count(*)::int as n from core.sign_in`)[0]!.n
  const before = await begun()
  const sign = Array.from({ length: 5 }, () => new TestBrowser().open(`${own.base}/sign-in`))
  await asked.promise
  await until('each of the five sign-ins waits for the provider', async () => (await begun()) === before + 5)
  const key = await own.key()
  assert.equal((await own.as(key, '/v1/things')).status, 200)
  assert.equal((await fetch(`${own.base}/healthz`)).status, 200)
  assert.equal((await fetch(`${own.base}/readyz`)).status, 200)
  assert.equal((await new TestBrowser().open(`${own.base}/account`)).status, 401)
  own.provider.instead.clear()
  for (const response of waiting) response.destroy()
  for (const each of await Promise.all(sign)) assert.equal(each.status, 503)
  assert.equal(waiting.length, 1)
})

test('a provider that refuses connections is named in the log, and existing sessions continue', async (t) => {
  const own = await signInWorld(t, { database })
  const browser = new TestBrowser()
  assert.equal((await browser.signIn(own.base, 'ada')).status, 303)
  await own.provider.close()
  assert.equal((await browser.open(`${own.base}/account`)).status, 200)
  own.time.offsetMs = 61 * 60_000
  assert.equal((await browser.open(`${own.base}/account`)).status, 200)
  assert.equal((await new TestBrowser().open(`${own.base}/sign-in`)).status, 503)
  assert.match(own.logged(), /cannot be reached: ECONNREFUSED/)
})
