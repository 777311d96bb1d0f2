/**
 * Host names under which pages, `/metrics` and other addresses without a key may be requested. Other host names are
 * refused, because any web site can point its name at this server.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readSettings } from '../../src/config.ts'
import { hostCheck } from '../../src/serve/http/hosts.ts'
import { codeOf } from '../support/error-codes.ts'
import { ask, scratchServer } from '../support/scratch-server.ts'

const server = await scratchServer(
  { after },
  { allowedHosts: ['0.0.0.0', 'filings.example.org', '.Example.net', 'api'], trustProxy: true },
)
const key = await server.key()
const as = (path: string, host: string, headers: Record<string, string> = {}) =>
  ask(server.base, path, { headers: { host, ...headers } })

const WITHOUT_KEY = [
  '/',
  '/metrics',
  '/readyz',
  '/healthz',
  '/docs',
  '/docs/ready-key',
  '/v1',
  '/v1/',
  '/v1/openapi.json',
]

test('requests without a key under an unknown host name get 421 with the name of the setting', async () => {
  for (const path of WITHOUT_KEY) {
    const { status, text, headers } = await as(path, 'attacker.example')
    assert.equal(status, 421, path)
    assert.equal(codeOf(status, JSON.parse(text)), 'unknown_host', path)
    assert.match(JSON.parse(text).error, /"attacker\.example".*ALLOWED_HOSTS/, path)
    assert.equal(headers['cache-control'], 'no-store')
    assert.doesNotMatch(text, /openfilings_/)
  }
  const routes = server.server.fastify.printRoutes({ commonPrefix: false })
  const served = [...routes.matchAll(/^[├└]── (\/\S*) \(GET/gm)].map(([, path]) => path!)
  for (const path of served.filter((each) => !each.startsWith('/v1/') && !each.includes(':'))) {
    assert.equal((await as(path, 'attacker.example')).status, 421, path)
  }
})

test('requests to localhost, IP addresses and names from the setting are answered, with and without a port', async () => {
  const own = 'localhost LocalHost:8080 localhost. 127.0.0.1 127.9.9.9:80 [::1] [::1]:8080 0.0.0.0:8080'.split(' ')
  // A load balancer uses the address of a machine; behind NAT this address is not the address of an interface.
  const addresses = '192.168.1.10:8080 203.0.113.7 [2001:db8::1]:443 [::ffff:10.0.0.1]'.split(' ')
  const named =
    'filings.example.org FILINGS.example.org:443 filings.example.org. a.example.net b.a.example.net:80 api:8080'.split(
      ' ',
    )
  for (const host of [...own, ...addresses, ...named, '']) {
    for (const path of ['/readyz', '/metrics', '/']) assert.equal((await as(path, host)).status, 200, `${host} ${path}`)
  }
})

test('a host name that only resembles a known one is refused', async () => {
  const names =
    'localhost.attacker.example attacker.localhost 127.0.0.1.attacker.example 127.0.0.1.nip.io evilexample.net example.net filings.example.org.attacker.example'
  const numbers = '127.1 0x7f000001 2130706433 [::1 ::1] [localhost]x'
  const marks = 'attacker.example:80@localhost localhost@attacker.example localhost:80:80 localhost/ . *'
  for (const host of [...`${names} ${numbers} ${marks}`.split(' '), `${'a'.repeat(20_000)}.example`]) {
    const { status, text } = await as('/metrics', host)
    assert.equal(status, 421, host)
    assert.ok(text.length < 500, host.slice(0, 40))
  }
})

test('headers of a proxy, even of a trusted one, do not make a host name known', async () => {
  const forwarded = { 'x-forwarded-host': 'localhost', forwarded: 'host=localhost', 'x-host': 'localhost' }
  assert.equal((await as('/metrics', 'attacker.example', forwarded)).status, 421)
})

test('a request with a valid key may use any host name, and a request with an invalid key may not', async () => {
  const bearer = { authorization: `Bearer ${key}` }
  for (const path of ['/v1/things', '/v1/openapi.json', '/metrics', '/v1']) {
    assert.equal((await as(path, 'attacker.example', bearer)).status, 200, path)
    assert.equal((await as(path, 'attacker.example', { 'x-api-key': key })).status, 200, path)
  }
  const wrong = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`
  for (const other of ['x', wrong]) {
    assert.equal((await as('/metrics', 'attacker.example', { 'x-api-key': other })).status, 421)
  }
  const two = { authorization: `Bearer ${key}`, 'x-api-key': 'x' }
  assert.equal((await as('/metrics', 'attacker.example', two)).status, 421)
  assert.equal((await as('/v1/things', 'attacker.example')).status, 401)
})

test('under any host name, an unknown path is answered 404 and a method that is not allowed 405', async () => {
  assert.equal((await as('/nothing', 'attacker.example')).status, 404)
  assert.equal((await ask(server.base, '/', { method: 'POST', headers: { host: 'attacker.example' } })).status, 405)
})

test('the setting accepts names, suffixes and *, and refuses other values with the reason', async () => {
  const { config, problems } = readSettings({ ALLOWED_HOSTS: 'filings.example.org, .example.net,api_1' })
  assert.deepEqual([config.ALLOWED_HOSTS, problems], [['filings.example.org', '.example.net', 'api_1'], []])
  for (const wrong of ['https://x.example', 'x.example:8080', 'x.example/', '*.example.org', '..', '.', 'a b']) {
    assert.match(
      readSettings({ ALLOWED_HOSTS: wrong }).problems.join(),
      /^ALLOWED_HOSTS has .*write a name without/,
      wrong,
    )
  }
  assert.equal(hostCheck(['*'])('any.example'), undefined)
})
