/**
 * Runs the tests of the Python client: finds Python, and provides a service on the sample and an address that triggers
 * special events.
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { createKey } from '../../../src/serve/keys.ts'
import { connect, type Sql } from '../../../src/store/db.ts'
import { createWebhook } from '../../../src/webhooks/subscriptions.ts'
import { logChange } from '../change-log.ts'
import { begin, freePort, sampledEnv } from '../command.ts'
import { until } from '../until.ts'
import { checkout, temporaryFolder } from '../world.ts'

type After = Parameters<typeof sampledEnv>[0]

/** Debian's Python comes first: another Python in the path lacks Debian's packages. */
const PROGRAMS = ['/usr/bin/python3', 'python3']
const PACKAGES = 'httpx, pandas, pytest, setuptools, wheel'
/** The names of the missing packages, as they appear in a skip message. */
export const NO_PYTHON = `no Python 3.11 with ${PACKAGES}: apt install python3-httpx python3-pandas python3-pytest python3-wheel`

/** Returns the first of these programs that is a Python with the packages, or null. */
export async function pythonWithPackages(programs = PROGRAMS, packages = PACKAGES): Promise<string | null> {
  for (const program of programs) {
    const code = `import sys, ${packages}; sys.exit(sys.version_info < (3, 11))`
    const works = await promisify(execFile)(program, ['-c', code]).then(
      () => true,
      () => false,
    )
    if (works) return program
  }
  return null
}

/** A line in the output of `clients/python/tests/conftest.py`. */
interface Outcome {
  test: string
  outcome: 'passed' | 'failed' | 'skipped'
  reason: string
}

/**
 * Runs pytest, and reports each of its tests as a subtest of this test.
 *
 * @param python a Python with the packages
 * @param args arguments of pytest, which select tests
 */
export async function pythonTests(t: TestContext, python: string, args: readonly string[]): Promise<Outcome[]> {
  const service = await pythonService(t)
  const results = path.join(await temporaryFolder(t), 'results')
  const [status, output] = await ran(python, ['-m', 'pytest', '-q', ...args], {
    PATH: process.env.PATH ?? '',
    ...(process.env.TMPDIR && { TMPDIR: process.env.TMPDIR }),
    // Keeps Python from writing into the checkout.
    PYTHONDONTWRITEBYTECODE: '1',
    OPENFILINGS_TEST: JSON.stringify(service),
    OPENFILINGS_TEST_RESULTS: results,
  })
  const lines = (await readFile(results, 'utf8').catch(() => '')).split('\n').filter(Boolean)
  const outcomes = lines.map((line) => JSON.parse(line) as Outcome)
  for (const { test: name, outcome, reason } of outcomes)
    await t.test(name, { skip: outcome === 'skipped' && reason }, () => assert.equal(outcome, 'passed', reason))
  // A fault before the first test has no outcome.
  assert.equal(status, 0, output)
  return outcomes
}

/** Runs a program to its end. @returns its status and all that it printed */
function ran(program: string, args: readonly string[], env: Record<string, string>): Promise<[number, string]> {
  const cwd = path.join(checkout, 'clients/python')
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve([status ?? 1, output]))
  })
}

/** What `clients/python/tests/conftest.py` reads. */
interface PythonService {
  /** `http://127.0.0.1:port` */
  url: string
  /** Address of `happen`, `restart` and `webhook`. */
  control: string
  keys: Record<string, string>
}

/**
 * Serves the sample by the command. Tests in another process can tell it to log events, to restart the server and to
 * make webhooks.
 */
async function pythonService(t: After): Promise<PythonService> {
  const env: Record<string, string> = { ...(await sampledEnv(t)), WEBHOOK_PRIVATE: 'on', LOG_LEVEL: 'silent' }
  const sql = connect({ target: env.DATABASE_URL!, max: 2 })
  t.after(() => sql.end())
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const start = async () => {
    const server = begin(t, ['serve', '--port', String(port)], env)
    await until('the service is ready', () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    return server
  }
  let server = await start()
  const acts: Record<string, (query: URLSearchParams) => Promise<unknown>> = {
    happen: (query) => logChange(sql, { slug: query.get('source') ?? 'filings', keys: query.get('keys')!.split(',') }),
    async restart() {
      await server.end('SIGKILL')
      server = await start()
    },
    webhook: (query) => createWebhook(sql, { url: query.get('url')!, filters: {}, now: new Date() }),
  }
  return { url, control: await control(t, acts), keys: await keysOf(sql) }
}

/** Keys of every kind. The limited key may send ten requests a minute. */
async function keysOf(sql: Sql): Promise<Record<string, string>> {
  const make = async (scopes: string[], limit?: number) => {
    const limits = limit ? { searchLimit: limit, generalLimit: limit } : {}
    return (await createKey(sql, { account: `python-${scopes}-${limit}`, scopes, now: new Date(), ...limits })).key
  }
  return {
    full: await make(['api', 'brochures'], 100_000),
    limited: await make(['api'], 2),
    mcp: await make(['mcp'], 100_000),
  }
}

/** Runs an action for each request, and answers with the result of the action. @returns the address of the server */
async function control(
  t: After,
  acts: Readonly<Record<string, (query: URLSearchParams) => Promise<unknown>>>,
): Promise<string> {
  const actOf = async ({ url }: IncomingMessage) => {
    const { pathname, searchParams } = new URL(url!, 'http://control')
    return (await acts[pathname.slice(1)]!(searchParams)) ?? null
  }
  const server = createServer((request, response) => {
    actOf(request).then(
      (made) => response.end(JSON.stringify(made)),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
