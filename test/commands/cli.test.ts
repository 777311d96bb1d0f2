/** The command line as a user runs it: real processes, real exit statuses. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import type { Command } from '../../src/commands/command.ts'
import ingest from '../../src/commands/ingest.ts'
import keys from '../../src/commands/keys.ts'
import rebuild from '../../src/commands/rebuild.ts'
import serve from '../../src/commands/serve.ts'
import status from '../../src/commands/status.ts'
import { readSettings } from '../../src/config.ts'
import registry from '../../src/registry.ts'
import { assertRefused, emptyEnv, madeFolder, newEnv, run, runApart } from '../support/command.ts'
import { startHost } from '../support/edgar-host.ts'
import { smallSample } from '../support/small-checkout.ts'
import { checkout, temporaryFolder, writeIndex } from '../support/world.ts'

test('an unknown command, an unknown option and an unknown setting are refused by name', async () => {
  const refused: [string[], RegExp][] = [
    [['sevre'], /unknown command "sevre"; did you mean serve\? Available: serve, ingest, sample/],
    [['frobnicate'], /unknown command "frobnicate"; available: serve, ingest/],
    [['serve', '--prot', '1'], /serve has no option --prot; did you mean --port\?/],
  ]
  for (const [args, names] of refused) assertRefused(await run(args, {}), names)
  assertRefused(
    await run(['serve'], { EDGAR_USERAGENT: 'x', PORT: '99999' }),
    /unknown setting EDGAR_USERAGENT; did you mean EDGAR_USER_AGENT\? PORT must be/,
  )
})

test('the error for a wrong argument names the accepted arguments', async () => {
  const config = readSettings({}).config
  const refused: [Command, string[], RegExp][] = [
    [serve, ['--port', '99999'], /^--port must be a whole number from 0 to 65535$/],
    [
      serve,
      ['--log-level', 'debug'],
      /^--log-level is not an option, but there is the setting LOG_LEVEL: run LOG_LEVEL=… openfilings serve$/,
    ],
    [serve, ['8080'], /^serve does not take 8080; see "openfilings serve --help"$/],
    [
      ingest,
      ['formx'],
      /nothing called "formx" to ingest; did you mean formd\? Available: all, index, formd, .*, header, adv, .*reps$/,
    ],
    [ingest, ['8-K'], /nothing called "8-K" to ingest; did you mean eightk\? Available: all, index/],
    [ingest, ['quarterly'], /nothing called "quarterly" to ingest; available: all, index/],
    [ingest, ['--from'], /'--from <value>' argument missing; see "openfilings ingest --help"$/],
    [ingest, ['--from', '2026-02-30'], /^--from "2026-02-30" is not a day/],
    [ingest, ['--from', '2026-02-03', '--to', '2026-02-01'], /^--from 2026-02-03 is after --to 2026-02-01$/],
    [ingest, ['--from', '2999-01-01'], /^--from 2999-01-01 is in the future: today is \d{4}-\d\d-\d\d$/],
    [ingest, ['adv', '--retyr'], /^ingest has no option --retyr; did you mean --retry\?$/],
    [ingest, ['--frobnicate'], /^ingest has no option --frobnicate; see "openfilings ingest --help"$/],
    [
      ingest,
      ['rega', 'formd'],
      /^ingest rega takes one thing at a time: leave out formd, which "openfilings ingest formd" loads$/,
    ],
    [rebuild, [], /^rebuild needs at least one dataset; available: formd, rega/],
    [rebuild, ['13F'], /^unknown dataset "13F"; did you mean thirteenf\?$/],
    [rebuild, ['fromd'], /^unknown dataset "fromd"; did you mean formd\?$/],
    [keys, [], /^keys needs create, list or revoke, as in "openfilings keys create --account alice"$/],
    [keys, ['revok', 'x'], /^keys: unknown command "revok"; did you mean revoke\?$/],
    [keys, ['list', 'all'], /^keys does not take all/],
    [status, ['now'], /^status does not take now/],
  ]
  for (const [command, args, message] of refused) {
    await assert.rejects(async () => command.run(args, config), { name: 'UserError', message }, args.join(' '))
  }
})

test('an environment variable that looks like a misspelt setting causes a hint, and the command continues', async (t) => {
  const env = { ...(await emptyEnv(t)), PROT: '1', LOG_LEVL: 'debug', HOSTNAME: 'x' }
  const { status, stderr } = await run(['keys', 'list'], env)
  assert.equal(status, 0)
  assert.equal(
    stderr,
    'openfilings: unknown setting PROT; did you mean PORT?\nopenfilings: unknown setting LOG_LEVL; did you mean LOG_LEVEL?\n',
  )
})

test('--help lists every command and setting', async () => {
  const { status, stdout } = await runApart(['--help'], {})
  assert.equal(status, 0)
  for (const word of ['serve', 'ingest', 'sample', 'doctor', 'keys', 'rebuild', 'DATABASE_URL', 'EDGAR_USER_AGENT'])
    assert.ok(stdout.includes(word))
})

test('--version and -V print only the version, also after a command', async () => {
  const { version } = JSON.parse(await readFile(path.join(checkout, 'package.json'), 'utf8'))
  for (const args of [['--version'], ['-V'], ['version'], ['serve', '--version']]) {
    assert.deepEqual(await runApart(args, { PORT: 'nonsense' }), { status: 0, stdout: `${version}\n`, stderr: '' })
  }
})

test('an unreachable database and a wrong DATABASE_URL are reported in one line without the password', async (t) => {
  const DATA_DIR = await temporaryFolder(t)
  const unreachable = await run(['status'], { DATA_DIR, DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:9/x' })
  assertRefused(unreachable, /database at postgres:\/\/me@127\.0\.0\.1:9\/x cannot be used/)
  assert.ok(!unreachable.stderr.includes('hunter2'))
  assertRefused(await run(['status'], { DATA_DIR, DATABASE_URL: 'nonsense' }), /DATABASE_URL must be an address/)
})

test('a port in use is reported in one line that names the port and the setting', async (t) => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise<void>((resolve) => taken.close(() => resolve())))
  const { port } = taken.address() as { port: number }
  const env = { ...(await emptyEnv(t)), PORT: String(port), SAMPLE: 'off' }
  assertRefused(await run(['serve'], env), new RegExp(`${port}.*--port or the setting PORT`))
})

test('ingest refuses a second word, even if the first one takes files, and names the command for it', async (t) => {
  const env = await newEnv(t)
  for (const words of [
    ['ownership', 'schedule13'],
    ['adv', 'brochures'],
    ['formd', 'index'],
  ]) {
    const { status, stderr } = await run(['ingest', ...words], env)
    assert.equal(status, 1)
    assert.match(
      stderr,
      new RegExp(`takes one thing at a time: leave out ${words[1]}, which "openfilings ingest ${words[1]}" loads`),
    )
  }
})

test('ingest refuses a local file of an unknown name, and does not suggest doctor, which could not help', async (t) => {
  const env = await newEnv(t)
  const { status, stdout, stderr } = await run(['ingest', 'adv', '/nowhere/photo.jpg'], env)
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^openfilings: \/nowhere\/photo\.jpg does not have a known file name; known names: IA_FIRM_SEC such as IA_FIRM_SEC_Feed_07_23_2026\.xml\.gz, /m,
  )
  assert.match(stdout, /^ingest adv: ended early/m)
  assert.doesNotMatch(stdout + stderr, /doctor/)
})

test('keys create prints only the key, keys list prints no secret, and keys revoke accepts a key or its id', async (t) => {
  const env = await emptyEnv(t)
  const { stdout, status } = await run(
    ['keys', 'create', '--account', 'alice', '--scopes', 'api,brochures', '--search-limit', '50'],
    env,
  )
  assert.equal(status, 0)
  assert.match(stdout, /^of_\w+_\w+\n$/)
  const [, id, secret] = stdout.trim().split('_')
  const list = await run(['keys', 'list'], env)
  assert.match(list.stdout, /^key_id\taccount\tscopes\tsearch_limit\tgeneral_limit\t/)
  assert.equal(list.stdout.trimEnd().split('\n').length, 2)
  assert.ok(list.stdout.includes(id!) && list.stdout.includes('alice') && !list.stdout.includes(secret!))
  assert.equal((await run(['keys', 'revoke', stdout.trim()], env)).status, 0)
  assertRefused(await runApart(['keys', 'revoke', 'of_nothing'], env), /neither a key nor the id of a key/)
  assertRefused(await run(['keys', 'create', '--account', 'alice', '--scopes', 'api,nope'], env), /nope/)
  assertRefused(await run(['keys', 'create'], env), /--account/)
  assert.equal((await run(['keys', 'create', '--account', 'bob', '--self-serve'], env)).status, 0)
  assertRefused(await run(['keys', 'create', '--account', 'bob', '--self-serve'], env), /bob/)
  // A value in a message cannot move the cursor or reverse the direction of a line.
  const hostile = await run(['eve\x1b[2J\x9b31m\u202e'], env)
  assert.match(hostile.stderr, /^openfilings: unknown command "eve\\u001b\[2J\ufffd31m\ufffd"/)
})

test('ingest reads a host given by --base-url, and a second run has nothing left to do', async (t) => {
  const root = await temporaryFolder(t)
  await smallSample(root)
  const host = await startHost({ root })
  t.after(() => host.close())
  const env = await emptyEnv(t)
  const args = ['ingest', '--from', '2024-01-01', '--base-url', host.url]
  const first = await runApart(args, env)
  assert.equal(first.status, 0, first.stderr)
  assert.match(first.stdout, /^ {2}filings +[1-9]\d* read, 0 failed, 0 unread leaves$/m)
  const second = await run(args, env)
  assert.match(second.stdout, /^ {2}filings +0 read, 0 failed/m)
  const { stdout } = await run(['status', '--json'], env)
  assert.ok(JSON.parse(stdout).spine.filings > 0)
})

test('an index line that does not parse and a filing that fails are named on standard error, with exit status 1', async (t) => {
  const root = await temporaryFolder(t)
  await smallSample(root)
  await writeIndex(root, '2024/QTR2', ['x|Bad|D|2024-04-01|edgar/data/1/0000000001-24-000001.txt'])
  const host = await startHost({ root })
  t.after(() => host.close())
  const env = await emptyEnv(t)
  const { status, stderr } = await run(
    ['ingest', '--from', '2024-04-01', '--to', '2024-06-30', '--base-url', host.url],
    env,
  )
  assert.equal(status, 1)
  assert.match(stderr, /2024\/QTR2\/master\.idx line \d+ CIK "x" is not a number/)
})

test('two commands on one data folder share its one database, and the last one stops it', async (t) => {
  const DATA_DIR = await madeFolder(t)
  const both = await Promise.all([
    runApart(['status'], { DATA_DIR }),
    runApart(['keys', 'create', '--account', 'a'], { DATA_DIR }),
  ])
  assert.deepEqual(
    both.map(({ status, stderr }) => [status, stderr]),
    [
      [0, ''],
      [0, ''],
    ],
  )
  await assert.rejects(readFile(path.join(DATA_DIR, 'database', 'postmaster.pid')), { code: 'ENOENT' })
})

test('a data folder of another PostgreSQL version is refused with the remedy', async (t) => {
  const DATA_DIR = path.join(await temporaryFolder(t), 'data')
  await mkdir(path.join(DATA_DIR, 'database'), { recursive: true })
  await writeFile(path.join(DATA_DIR, 'database', 'PG_VERSION'), '14\n')
  assertRefused(await run(['status'], { DATA_DIR }), /14.*DATABASE_URL|DATABASE_URL.*14/)
})

test('each series of files has an example of a file name, which it accepts', () => {
  for (const { source } of registry.bulk)
    for (const [name, { file, example }] of Object.entries(source.series)) assert.match(example ?? '', file, name)
})
