/** The command line as a user meets it: real processes, real exit statuses. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { assertRefused, cli, place, run } from './command.ts'
import { startHost } from './edgar-host.ts'
import { copyOfSample, sample, temporaryFolder, writeIndex } from './world.ts'

test('an unknown command, an unknown option and an unknown setting are refused by name', async () => {
  assertRefused(await run(['sevre'], {}), /"sevre" is no command; use one of serve, ingest/)
  assertRefused(await run(['serve', '--prot', '1'], {}), /--prot/)
  assertRefused(await run(['ingest', 'formx'], {}), /nothing called "formx" to ingest; use one of all, index, formd/)
  assertRefused(
    await run(['serve'], { EDGAR_USERAGENT: 'x', PORT: '99999' }),
    /EDGAR_USERAGENT is no setting.*PORT must be/,
  )
})

test('--help lists every command and setting', async () => {
  const { status, stdout } = await run(['--help'], {})
  assert.equal(status, 0)
  for (const word of ['serve', 'ingest', 'keys create', 'rebuild', 'DATABASE_URL', 'EDGAR_USER_AGENT'])
    assert.ok(stdout.includes(word))
})

test('an unreachable database and a wrong DATABASE_URL are one line without the password', async (t) => {
  const DATA_DIR = await temporaryFolder(t)
  const unreachable = await run(['status'], { DATA_DIR, DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:9/x' })
  assertRefused(unreachable, /database at postgres:\/\/me@127\.0\.0\.1:9\/x cannot be used/)
  assert.ok(!unreachable.stderr.includes('hunter2'))
  assertRefused(await run(['status'], { DATA_DIR, DATABASE_URL: 'nonsense' }), /DATABASE_URL must be an address/)
})

test('a port in use is one line that names it and the setting', async (t) => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise<void>((resolve) => taken.close(() => resolve())))
  const { port } = taken.address() as { port: number }
  const env = { ...(await place(t)), PORT: String(port), SAMPLE: 'off' }
  assertRefused(await run(['serve'], env), new RegExp(`${port}.*PORT`))
})

test('sec.gov without EDGAR_USER_AGENT is refused before any request', async (t) => {
  const env = await place(t)
  assertRefused(await run(['ingest'], env), /EDGAR_USER_AGENT/)
})

test('keys create prints the key alone, keys list shows no secret, keys revoke takes key or id', async (t) => {
  const env = await place(t)
  const { stdout, status } = await run(
    ['keys', 'create', '--account', 'alice', '--scopes', 'api,brochures', '--search-limit', '50'],
    env,
  )
  assert.equal(status, 0)
  assert.match(stdout, /^of_\w+_\w+\n$/)
  const [, id, secret] = stdout.trim().split('_')
  const list = await run(['keys', 'list'], env)
  assert.ok(list.stdout.includes(id!) && list.stdout.includes('alice') && !list.stdout.includes(secret!))
  assert.equal((await run(['keys', 'revoke', stdout.trim()], env)).status, 0)
  assertRefused(await run(['keys', 'revoke', 'of_nothing'], env), /neither a key nor a key id/)
  assertRefused(await run(['keys', 'create', '--account', 'alice', '--scopes', 'api,nope'], env), /nope/)
  assertRefused(await run(['keys', 'create'], env), /--account/)
  assert.equal((await run(['keys', 'create', '--account', 'bob', '--self-serve'], env)).status, 0)
  assertRefused(await run(['keys', 'create', '--account', 'bob', '--self-serve'], env), /bob/)
})

test('ingest reads a host given by --base-url, and a second run has nothing left to do', async (t) => {
  const host = await startHost({ root: sample })
  t.after(() => host.close())
  const env = await place(t)
  const args = ['ingest', '--from', '1993-01-01', '--base-url', host.url]
  const first = await run(args, env)
  assert.equal(first.status, 0, first.stderr)
  assert.match(first.stdout, /^[1-9]\d* filings read, 0 failed, 0 unread leaves$/m)
  const second = await run(args, env)
  assert.match(second.stdout, /^0 filings read, 0 failed/m)
  const { stdout } = await run(['status', '--json'], env)
  assert.ok(JSON.parse(stdout).spine.filings > 0)
})

test('an index line that does not parse and a filing that fails are named on standard error, with exit status 1', async (t) => {
  const root = await copyOfSample(t)
  await writeIndex(root, '2024/QTR2', ['x|Bad|D|2024-04-01|edgar/data/1/0000000001-24-000001.txt'])
  const host = await startHost({ root })
  t.after(() => host.close())
  const env = await place(t)
  const { status, stderr } = await run(
    ['ingest', '--from', '2024-04-01', '--to', '2024-06-30', '--base-url', host.url],
    env,
  )
  assert.equal(status, 1)
  assert.match(stderr, /2024\/QTR2\/master\.idx line \d+ CIK "x" is not a number/)
})

test('two commands on one data folder share its one database, and the last one stops it', async (t) => {
  const DATA_DIR = path.join(await temporaryFolder(t), 'data')
  const env = { DATA_DIR, SAMPLE: 'off' }
  const both = await Promise.all([run(['status'], env), run(['keys', 'create', '--account', 'a'], env)])
  assert.deepEqual(
    both.map(({ status, stderr }) => [status, stderr]),
    [
      [0, ''],
      [0, ''],
    ],
  )
  await assert.rejects(readFile(path.join(DATA_DIR, 'database', 'postmaster.pid')), { code: 'ENOENT' })
})

test('a data folder of another PostgreSQL version is refused with the way out', async (t) => {
  const DATA_DIR = path.join(await temporaryFolder(t), 'data')
  await mkdir(path.join(DATA_DIR, 'database'), { recursive: true })
  await writeFile(path.join(DATA_DIR, 'database', 'PG_VERSION'), '14\n')
  assertRefused(await run(['status'], { DATA_DIR }), /14.*DATABASE_URL|DATABASE_URL.*14/)
})

test('serve loads the sample once, answers the curl lines it prints, keeps its key, and stops on SIGTERM', async (t) => {
  const env = { ...(await place(t)), PORT: '0' }
  const first = await serveUntilReady(t, env)
  assert.match(first.text, /sample loaded: [1-9]\d* filings and [1-9]\d* adviser files read, 0 failed/)
  const curls = [...first.text.matchAll(/curl -H 'Authorization: (Bearer of_\w+)' '([^']+)'/g)]
  assert.equal(curls.length, 3)
  for (const [, authorization, url] of curls) {
    const response = await fetch(url!, { headers: { authorization: authorization! } })
    assert.equal(response.status, 200, url!)
    assert.ok((await response.text()).includes('accession') || url!.includes('coverage'))
  }
  assert.equal((await fetch(`${new URL(curls[0]![2]!).origin}/readyz`)).status, 200)
  assert.equal(await first.stop(), 0)
  const second = await serveUntilReady(t, env)
  assert.ok(!second.text.includes('sample loaded'))
  assert.equal(/of_\w+/.exec(second.text)?.[0], /of_\w+/.exec(first.text)?.[0])
  assert.equal(await second.stop(), 0)
})

async function serveUntilReady(t: { after(fn: () => Promise<void>): void }, env: Record<string, string>) {
  const child = spawn(process.execPath, [cli, 'serve'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let text = ''
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      text += chunk
      if (/Try:\n(.*\n){3}/.test(text)) resolve()
    })
    child.once('exit', () => reject(new Error(`serve ended: ${errors}`)))
  })
  return {
    text,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}
