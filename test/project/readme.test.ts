/**
 * The steps of README.md, exactly as printed, in a separate checkout below a path with blanks, as root and as an
 * ordinary user.
 *
 * @early it takes 18 s of the processor
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { appendFile, chown, mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { startHost } from '../support/edgar-host.ts'
import { noOrdinary, ordinary, windows } from '../support/embedded/scene.ts'
import { smallCheckout } from '../support/small-checkout.ts'
import { until } from '../support/until.ts'
import { checkout, copyOfSample, temporaryFolder, writeIndex } from '../support/world.ts'

/** The blocks of commands in README.md that a user types, in order. */
async function steps(): Promise<{ start: string; load: string; look: string; keys: string }> {
  const page = await readFile(path.join(checkout, 'README.md'), 'utf8')
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block!)
  const [start, load, look, keys, ...more] = blocks
  assert.match(start!, /^npm start$/m)
  assert.match(load!, /^export EDGAR_USER_AGENT=.*\n.* ingest formd --from 2026-11-01$/m)
  assert.match(look!, / status\n.* doctor$/m)
  assert.match(keys!, / keys create --account alice /)
  assert.equal(more.length, 1, 'one further block is for contributors')
  return { start: start!, load: load!, look: look!, keys: keys! }
}

interface Checkout {
  /** Runs a block in a new shell. */
  type(block: string, env?: Record<string, string>): Promise<{ status: number; stdout: string; stderr: string }>
  /** Runs `npm start` until it is ready, then ends it like Ctrl-C, or sends `SIGTERM` only to npm. */
  started(block: string, meanwhile: (text: string) => Promise<void>, end?: 'npm'): Promise<void>
}

/**
 * @param owner the account that owns the checkout and the home folder; by default the account that runs the commands
 */
async function freshCheckout(
  t: TestContext,
  account?: { uid: number; gid: number },
  owner = account,
): Promise<Checkout & { cwd: string }> {
  const folder = await temporaryFolder(t)
  const cwd = path.join(folder, 'a path with blanks', 'open filings')
  const home = path.join(folder, 'home')
  await mkdir(cwd, { recursive: true })
  await mkdir(home)
  await smallCheckout(cwd)
  const packages = path.join(cwd, 'node_modules')
  if (owner) for (const each of [cwd, packages, home]) await chown(each, owner.uid, owner.gid)
  const plain = { PATH: process.env.PATH ?? '', HOME: home, PORT: '0', npm_config_update_notifier: 'false' }
  return {
    cwd,
    type: (block, env = {}) =>
      new Promise((resolve) => {
        const options = { cwd, env: { ...plain, ...env }, ...account }
        execFile('bash', ['-c', block], options, (error, stdout, stderr) =>
          resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
        )
      }),
    async started(block, meanwhile, end) {
      const child = spawn('bash', ['-c', block], {
        cwd,
        env: plain,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        ...account,
      })
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
      t.after(async () => {
        if (child.stdout.readable) process.kill(-child.pid!, 'SIGKILL')
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
          if (/^Try:\n( {2}curl .*\n)+\n/m.test(text)) resolve()
        })
        child.once('close', () => reject(new Error(`npm start ended: ${text}${errors}`)))
      })
      await meanwhile(text)
      // Ctrl-C reaches everything in the terminal: the shell, npm, the launcher and the server.
      if (end === 'npm') process.kill(child.pid!, 'SIGTERM')
      else process.kill(-child.pid!, 'SIGINT')
      let isClosed = false
      void ended.then(() => {
        isClosed = true
      })
      // The server keeps its output open until it ends.
      await until('the server has ended', () => isClosed)
      assert.match(text, /\nstopping\n$/)
    },
  }
}

// The test runs a first start, a refused ingest and a real ingest: some 15 seconds on a quiet machine.
test('as the current user: start, a refused ingest that keeps the sample, a real ingest that replaces it, status, doctor, keys', {
  skip: windows,
}, async (t) => {
  const { start, load, look, keys } = await steps()
  const root = await copyOfSample(t)
  await writeIndex(root, '2026/QTR4', ['1296490|Again Fund|D/A|2026-11-02|edgar/data/1296490/0001398344-24-000491.txt'])
  await writeIndex(root, '1993/QTR1', ['1|Old|10-K|1993-01-04|edgar/data/1/0000000001-93-000001.txt'])
  const host = await startHost({ root })
  t.after(() => host.close())
  const hosts = { EDGAR_BASE_URL: host.url, ADVISERINFO_BASE_URL: host.url }
  const { type, started, cwd } = await freshCheckout(t)
  await started(start, async (text) => {
    const [, key, url] = /Bearer (of_\w+)' '([^']+)'/.exec(text)!
    assert.equal((await fetch(url!, { headers: { authorization: `Bearer ${key}` } })).status, 200)
    const [command] = /curl .* -o formd\.csv$/m.exec(text)!
    assert.equal((await type(command)).status, 0)
    const lines = (await readFile(path.join(cwd, 'formd.csv'), 'utf8')).trimEnd().split('\r\n')
    assert.match(lines[0]!, /^(\w+,)*accession,/)
    assert.match(lines.at(-1)!, /^# rows: [1-9]\d*$/)
    // Runs only the second line: a user who forgets the first line is refused.
    const refused = await type(load.split('\n')[1]!)
    assert.equal(refused.status, 1)
    assert.match(refused.stderr, /^openfilings: www\.sec\.gov requires a contact: set EDGAR_USER_AGENT/)
    assert.match(
      (await type(look.split('\n')[0]!)).stdout,
      /^filings +\d+ on \d+ forms, newest \S+, the bundled sample$/m,
    )
    const loaded = await type(load, hosts)
    assert.equal(loaded.status, 0, loaded.stderr)
    assert.match(
      loaded.stdout,
      /^ingest formd: done, after[^\n]*\n {2}indexes +1 read.*\n {2}filings +1 read, 0 failed/m,
    )
    const seen = await type(look, hosts)
    assert.match(seen.stdout, /^filings +1 on 1 forms, newest 2026-11-02, real filings$/m)
    assert.match(seen.stdout, /^ok +EDGAR: .* gives an index$/m)
    assert.equal(seen.status, 0, seen.stdout)
    assert.match((await type(keys)).stdout, /^of_\w+_\w+\n$/)
  })
})

test('as an ordinary user: start, a refused ingest that keeps the sample, status, and SIGTERM to npm, which stops the server', {
  skip: windows || noOrdinary,
}, async (t) => {
  const { start, load, look } = await steps()
  const { type, started } = await freshCheckout(t, ordinary)
  await started(
    start,
    async () => {
      const refused = await type(load.split('\n')[1]!)
      assert.equal(refused.status, 1)
      assert.match(
        (await type(look.split('\n')[0]!)).stdout,
        /^filings +\d+ on \d+ forms, newest \S+, the bundled sample$/m,
      )
    },
    'npm',
  )
})

test('a checkout of another user runs if it is installed, also with plain npm; otherwise it states who must install it', {
  skip: windows || noOrdinary,
}, async (t) => {
  const { type, cwd } = await freshCheckout(t, ordinary, { uid: 0, gid: 0 })
  // Makes the lock file differ from the lock file of the last installation.
  await appendFile(path.join(cwd, 'package-lock.json'), '\n')
  const command = 'node bin/openfilings.mjs --help'
  assert.match((await type(command)).stdout, /^OpenFilings: /)
  await rm(path.join(cwd, 'node_modules'), { recursive: true })
  const { status, stderr } = await type(command)
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^openfilings: \S+ \d\S+ is not installed, and this user cannot write .*: run "npm ci" there as its owner\n$/,
  )
  assert.ok(stderr.includes(cwd))
})
