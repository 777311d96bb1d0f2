import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { UserError } from '../../src/declare/errors.ts'
import type { EdgarErrorKind } from '../../src/fetch/client.ts'
import { type FaultKind, KINDS, parseFaults } from '../support/edgar-faults.ts'
import { type Host, startHost } from '../support/edgar-host.ts'
import { failing, stillClient, text } from '../support/loopback.ts'

const FILING = '/Archives/edgar/data/1018724/0001018724-25-000004.txt'
const INDEX = '/Archives/edgar/full-index/2025/QTR1/master.idx'
const BODY = Array.from({ length: 20_000 }, (_, i) => `line ${(i * 7919) % 1009}`).join('\n')

async function folder(t: TestContext): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'edgar-host-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  for (const [name, content] of [
    [FILING, BODY],
    [INDEX, 'CIK|Company Name\n'],
    ['/files/company_tickers.json', '{}'],
    ['/Archives/edgar/data/1/a.pdf', '%PDF-1.4'],
    ['/empty.txt', ''],
  ] as const) {
    await mkdir(path.join(root, path.dirname(name)), { recursive: true })
    await writeFile(path.join(root, name), content)
  }
  return root
}

async function hosting(t: TestContext, faults = '') {
  const root = await folder(t)
  const host = await startHost({ root, faults })
  t.after(() => host.close())
  return { root, host, ...stillClient(t, host.url, { timeoutMs: faults.startsWith('stall') ? 1000 : 10_000 }) }
}

/** Sends one request exactly as written; a URL parser would normalize it first. */
async function raw(host: Host, path: string, method = 'GET', headers: Record<string, string> = {}) {
  const sent = request({ host: '127.0.0.1', port: host.port, path, method, headers }).end()
  const [answer] = await once(sent, 'response')
  let body = ''
  for await (const chunk of answer.setEncoding('latin1')) body += chunk
  return { status: answer.statusCode as number, headers: answer.headers, body }
}

test('files are served with content type, modification time and length', async (t) => {
  const { host } = await hosting(t)
  for (const [path, type, length] of [
    [FILING, 'text/plain', BODY.length],
    [INDEX, 'text/plain', 17],
    ['/files/company_tickers.json', 'application/json', 2],
    ['/Archives/edgar/data/1/a.pdf', 'application/pdf', 8],
    ['/empty.txt', 'text/plain', 0],
  ] as const) {
    const { status, headers, body } = await raw(host, path)
    assert.deepEqual(
      [status, headers['content-type'], headers['content-length'], body.length],
      [200, type, `${length}`, length],
    )
    assert.ok(Date.parse(headers['last-modified']!) > 0)
  }
})

test('text is compressed for a client that accepts compression; a PDF is never compressed', async (t) => {
  const { host, client } = await hosting(t)
  const gzip = { 'accept-encoding': 'gzip, deflate' }
  const filing = await raw(host, FILING, 'GET', gzip)
  assert.equal(filing.headers['content-encoding'], 'gzip')
  assert.ok(filing.body.length < BODY.length / 2)
  assert.equal((await raw(host, '/Archives/edgar/data/1/a.pdf', 'GET', gzip)).headers['content-encoding'], undefined)
  assert.equal(await client.get(FILING, text), BODY)
})

test('HEAD is answered with headers only, and methods other than GET and HEAD are refused', async (t) => {
  const { host } = await hosting(t)
  const { status, headers, body } = await raw(host, FILING, 'HEAD')
  assert.deepEqual([status, headers['content-length'], body], [200, `${BODY.length}`, ''])
  assert.equal((await raw(host, '/nothing.txt', 'HEAD')).status, 404)
  assert.equal((await raw(host, FILING, 'POST')).status, 405)
})

test('a missing file is answered 404 NoSuchKey, a missing index 403 AccessDenied, and the client returns null for both', async (t) => {
  const { host, client } = await hosting(t)
  for (const [path, status, code] of [
    ['/Archives/edgar/data/1/missing.txt', 404, 'NoSuchKey'],
    ['/Archives/edgar/daily-index/2026/QTR1/master.20260103.idx', 403, 'AccessDenied'],
    ['/Archives/edgar/full-index/2031/QTR1/master.idx', 403, 'AccessDenied'],
    ['/Archives/edgar/full-index/2025/QTR1', 403, 'AccessDenied'],
  ] as const) {
    const answer = await raw(host, path)
    assert.deepEqual([answer.status, answer.body.includes(`<Code>${code}</Code>`)], [status, true], path)
    assert.equal(await client.get(path, text), null)
  }
})

test('nothing outside the folder is served', async (t) => {
  const { root, host } = await hosting(t)
  await symlink('/etc/hostname', path.join(root, 'out.txt'))
  for (const target of [
    '/../../etc/hostname',
    '/files/../../../etc/hostname',
    '/%2e%2e/etc/hostname',
    '//etc/hostname',
    '/out.txt',
  ]) {
    const { status, body } = await raw(host, target)
    assert.deepEqual([status, body], [400, 'Bad Request\n'], target)
  }
})

test('a file is served from the first folder that has it', async (t) => {
  const [one, two] = [await folder(t), await folder(t)]
  await writeFile(path.join(two, FILING), 'second')
  await writeFile(path.join(two, 'only.txt'), 'second')
  const host = await startHost({ root: [one, two] })
  t.after(() => host.close())
  assert.equal((await raw(host, FILING)).body, BODY)
  assert.equal((await raw(host, '/only.txt')).body, 'second')
})

test('every request is recorded in the host’s list of requests', async (t) => {
  const { host, client } = await hosting(t, 'unavailable:first=1')
  await client.get(`${FILING}?x=1`, text)
  const line = { method: 'GET', path: `${FILING}?x=1`, userAgent: 'openfilings' }
  assert.deepEqual(host.requests, [
    { ...line, status: 503, faults: ['unavailable'] },
    { ...line, status: 404, faults: [] },
  ])
})

for (const [faults, tries, waited] of [
  ['rate-page:first=1', 2, [600_000]],
  ['tool-page:first=1', 2, [600_000]],
  ['too-many:first=1,after=9', 2, [9_000]],
  ['unavailable:first=2', 3, [1_000, 2_000]],
  ['unavailable:first=1,after=30', 2, [30_000]],
  ['slow:ms=120', 1, []],
  ['stall:first=1', 2, [1_000]],
  ['cut:first=2', 3, [1_000, 2_000]],
  ['cut-gzip:first=1', 2, [1_000]],
  ['wrong-length:first=1', 2, [1_000]],
  ['reset:first=1', 2, [1_000]],
  ['reset:first=1 cut:first=2 slow:ms=1', 3, [1_000, 2_000]],
] as const) {
  test(`the client gets the whole file in spite of ${faults}`, async (t) => {
    const { host, client, slept } = await hosting(t, faults)
    assert.equal(await client.get(FILING, text), BODY)
    assert.equal(host.requests.length, tries)
    assert.deepEqual(slept, waited)
  })
}

/** The error that the client reports for each permanent fault. The type ensures that the table has all faults. */
const OUTCOMES: Record<FaultKind, EdgarErrorKind | 'none'> = {
  'rate-page': 'throttled',
  'tool-page': 'throttled',
  'access-denied': 'none',
  'too-many': 'throttled',
  unavailable: 'unavailable',
  slow: 'timeout',
  drip: 'timeout',
  stall: 'timeout',
  cut: 'truncated',
  'cut-gzip': 'truncated',
  'wrong-length': 'truncated',
  reset: 'network',
}

for (const [fault, outcome] of Object.entries(OUTCOMES)) {
  test(`the permanent fault ${fault} is reported as ${outcome}`, async (t) => {
    const { host } = await hosting(t, ['slow', 'drip'].includes(fault) ? `${fault}:ms=2000` : fault)
    const { client } = stillClient(t, host.url, { timeoutMs: outcome === 'timeout' ? 100 : 10_000, attempts: 2 })
    const got = client.get(FILING, text)
    if (outcome === 'none') assert.equal(await got, null)
    else await assert.rejects(got, failing(outcome))
    assert.equal(host.requests.length, outcome === 'none' ? 1 : 2)
  })
}

test('`access-denied` hides an existing file', async (t) => {
  const { client } = await hosting(t, 'access-denied:path=/data/')
  assert.equal(await client.get(FILING, text), null)
  assert.equal(await client.get(INDEX, text), 'CIK|Company Name\n')
})

const hits = (faults: string, paths: string[]) => {
  const parsed = parseFaults(faults)
  return paths.map((path) =>
    parsed
      .of(path)
      .map((fault) => fault.kind)
      .join('+'),
  )
}
const times = (n: number, path = '/x') => Array.from({ length: n }, () => path)

test('the options `every`, `first` and `path` choose the requests with a fault', () => {
  assert.deepEqual(hits('reset:every=3', times(7)), ['', '', 'reset', '', '', 'reset', ''])
  assert.deepEqual(hits('reset:first=2', times(4)), ['reset', 'reset', '', ''])
  assert.deepEqual(hits('reset:every=2,first=4', times(8)), ['', 'reset', '', 'reset', '', '', '', ''])
  assert.deepEqual(hits('reset:path=/b,first=1', ['/a', '/b', '/b', '/a']), ['', 'reset', '', ''])
  assert.deepEqual(hits('slow reset:every=2 cut', times(2)), ['slow+cut', 'slow+reset'])
})

test('the option `p` is the share of requests with a fault; the same seed chooses the same requests', () => {
  const one = hits('reset:p=0.1,seed=3', times(2000))
  assert.deepEqual(hits('reset:p=0.1,seed=3', times(2000)), one)
  assert.notDeepEqual(hits('reset:p=0.1,seed=4', times(2000)), one)
  const share = one.filter(Boolean).length / 2000
  assert.ok(share > 0.08 && share < 0.12, `${share}`)
})

test('`setFaults` replaces the faults and resets the counts', async (t) => {
  const { host } = await hosting(t, 'unavailable:first=1')
  assert.equal((await raw(host, FILING)).status, 503)
  assert.equal((await raw(host, FILING)).status, 200)
  host.setFaults('unavailable:first=1')
  assert.equal((await raw(host, FILING)).status, 503)
  host.setFaults('')
  assert.equal((await raw(host, FILING)).status, 200)
})

for (const [text, message] of [
  ['teapot:every=2', /unknown fault "teapot"; known are rate-page, .*reset$/],
  ['constructor', /unknown fault "constructor"/],
  ['reset:after=2', /reset has no "after"; it has every, first, p, seed, path/],
  ['slow:ms=fast', /slow: ms must be a whole number, not "fast"/],
  ['cut:every=0', /cut: every must be a count from 1, not "0"/],
  ['cut:first=', /cut: first must be a count from 1, not ""/],
  ['cut:p=2', /cut: p must be from 0 to 1, not "2"/],
] as const) {
  test(`the invalid fault ${text} is refused with the reason`, () => {
    assert.throws(
      () => parseFaults(text),
      (error) => error instanceof UserError && message.test(error.message),
    )
  })
}

/** Runs the command until it has printed a line or has ended. */
async function command(t: TestContext, ...args: string[]) {
  const script = fileURLToPath(new URL('../support/edgar-host.ts', import.meta.url))
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  const ended = once(child, 'close')
  await Promise.race([ended, once(child.stdout, 'data')])
  return { child, ended, out: () => out, err: () => err }
}

test('as a command it prints its address, serves on loopback and stops on SIGTERM', async (t) => {
  const { child, ended, out } = await command(t, '--root', await folder(t), '--faults', 'unavailable:first=1')
  assert.match(out(), /^http:\/\/127\.0\.0\.1:\d+\n$/)
  const { client } = stillClient(t, out().trim())
  assert.equal(await client.get(FILING, text), BODY)
  assert.equal(client.stats().requests, 2)
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
})

test('--help lists every fault', async (t) => {
  const { ended, out } = await command(t, '--help')
  assert.deepEqual(await ended, [0, null])
  for (const kind of Object.keys(KINDS)) assert.ok(out().includes(`\n  ${kind} `), kind)
})

for (const [args, message] of [
  [['--faults', 'teapot'], /^edgar-host: unknown fault "teapot"; known are .*\n$/],
  [['--port', '99999'], /^edgar-host: --port must be .*\n$/],
  [['--root', '/no/such/folder'], /^edgar-host: the folder \/no\/such\/folder cannot be served: ENOENT.*\n$/],
  [['--rot', 'x'], /^edgar-host: Unknown option '--rot'.*\n$/],
] as const) {
  test(`the command with ${args.join(' ')} ends with one clear line`, async (t) => {
    const { ended, err } = await command(t, ...args)
    assert.deepEqual(await ended, [1, null])
    assert.match(err(), message)
  })
}

test('a start on a port in use fails with an error that names the port', async (t) => {
  const { host, root } = await hosting(t)
  await assert.rejects(startHost({ root, port: host.port }), {
    name: 'UserError',
    message: `port ${host.port} cannot be used`,
  })
})
