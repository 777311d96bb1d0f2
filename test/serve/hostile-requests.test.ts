/** Every request gets an answer in short time, and an invalid request gets the reason, never an internal error. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import registry from '../../src/registry.ts'
import { randomFor } from '../support/random.ts'
import { existingFor, fill, parametersOf } from '../support/requests.ts'
import { ask } from '../support/scratch-server.ts'
import { serveSample } from '../support/served.ts'
import { often } from '../support/soak.ts'

/** Hostile values, as they are written in an address. */
const VALUES = [
  ...['', '%00', '%', '%zz', '%c0%af', '%ff', '%u0041', '%ed%a0%80', '%f4%90%80%80', '%0d%0aSet-Cookie:x', '%e2%80%ae'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'NaN', 'Infinity', '-0', '1e309', '0x10', '1_000', '9'.repeat(400)],
  ...['-1', '1.5', '9223372036854775808', '2147483648', 'null', 'undefined', 'true', '[]', '{}', '%5B%22a%22%5D', '..%2f..%2fetc', '%2e%2e'],
  ...["'", "'%20or%201=1--", '%22', '%5c', '%5c%27', '%25', '%25%25', '_', '*', '(((((', '%26%7c!', '%24%7bjndi%7d', '%3Cscript%3E', '%7B%7B7*7%7D%7D'],
  ...['0000-00-00', '9999-99-99', '2026-02-30', '-2026-01-01', '10000-01-01', '2026-01-01T00:00:00%2b99:99', '%F0%9F%92%A9', 'a'.repeat(5_000), ','.repeat(3_000), '%20'.repeat(2_000)],
  ...['a%20NEAR%20b', 'NOT', 'AND%20AND', '%22unclosed', 'a*'.repeat(500), '('.repeat(2_000), 'OR%20'.repeat(1_000), '-'.repeat(2_000)],
] // biome-ignore format: by kind

/** Cursors that are not base64, are not JSON, come from another list, or are deeply nested. */
const CURSORS = ['x', 'e30', 'W10', Buffer.from('['.repeat(5_000)).toString('base64url'), Buffer.from('{"__proto__":{"a":1}}').toString('base64url'), Buffer.from(JSON.stringify(['1'.repeat(6_000)])).toString('base64url'), Buffer.from('[null,null,null]').toString('base64url')] // biome-ignore format: one list

const ALLOWED = [200, 304, 400, 403, 404, 406, 413, 414, 416, 503]

test('no value of any parameter of any route causes an internal error', async (t) => {
  const { origin, keys, sql } = await serveSample(t)
  const random = randomFor('hostile requests')
  const one = <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)]!
  const headers = { 'x-api-key': keys.full }
  const paths = await Promise.all(
    registry.routes.map(async (route) => ({ route, path: fill(route, await existingFor(route, sql)) })),
  )
  const requests: { path: string; isText?: boolean }[] = []
  const count = often('hostile requests', { usual: 250, soak: 30_000 })
  for (let n = 0; n < count; n++) {
    const { route, path } = one(paths)
    const inPath = parametersOf(route)
    if (inPath.length > 0 && random() < 0.3) {
      const name = one(inPath)
      const own = route.path.replaceAll(/\{(\w+)\}/g, (_, other) => (other === name ? one(VALUES) : 'x'))
      requests.push({ path: own, isText: route.output === null })
      continue
    }
    const names = Object.keys(route.input.shape).filter((name) => !inPath.includes(name))
    const given = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const name = names.length > 0 && random() < 0.9 ? one(names) : one(VALUES)
      return `${name}=${name === 'cursor' ? one(CURSORS) : one(VALUES)}`
    })
    requests.push({ path: `${path}?${given.join('&')}`, isText: route.output === null })
  }
  requests.push(...['/status', '/filings'].flatMap((path) => ['a&'.repeat(8_000), 'form=1&'.repeat(2_000), '&'.repeat(16_000), '=&'.repeat(8_000)].map((query) => ({ path: `${path}?${query}` })))) // biome-ignore format: one list
  for (const { path, isText } of requests) {
    const { status, text } = await ask(origin, `/v1${path}`, { headers })
    assert.ok(ALLOWED.includes(status), `${path.slice(0, 300)}: ${status} ${text.slice(0, 300)}`)
    // The errors of a document route are text, unless the request accepts JSON.
    if (status >= 400 && !isText) assert.equal(typeof JSON.parse(text).error, 'string', path.slice(0, 300))
  }
  assert.equal(({} as Record<string, unknown>).a, undefined)
})

test('no header causes an internal error, and no header value is repeated in an answer', async (t) => {
  const { origin, keys } = await serveSample(t)
  const values = ['', '\t', '*/*;q=', 'a'.repeat(8_000), ','.repeat(8_000), ';'.repeat(8_000), 'text/csv;q=1e999', 'br;q=NaN, gzip;q=-1', 'bytes=0-,5-,7-', 'bytes=-999999999999999999999', 'W/"'.repeat(2_000), '"'.repeat(8_000), '\xff\xfe\x80', '() { :;};', '<script>'] // biome-ignore format: one list
  const names = ['accept', 'accept-encoding', 'accept-language', 'if-none-match', 'if-match', 'if-modified-since', 'range', 'x-request-id', 'x-forwarded-for', 'forwarded', 'cookie', 'origin', 'referer', 'user-agent', 'last-event-id', 'x-http-method-override'] // biome-ignore format: one list
  for (const path of ['/v1/filings?limit=1', '/', '/healthz']) {
    for (const name of names) {
      for (const value of values) {
        const reply = await ask(origin, path, { headers: { 'x-api-key': keys.full, [name]: value } })
        const label = `${path}, ${name}: ${value.slice(0, 50)}: ${reply.status}`
        assert.ok([200, 304, 400, 404, 406, 416].includes(reply.status), label)
        if (value.length > 4) assert.ok(!JSON.stringify(reply.headers).includes(value), label)
      }
    }
  }
})
