/** The command `export` with real processes, files, disks and signals. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import exportCommand from '../../src/commands/export.ts'
import { readSettings } from '../../src/config.ts'
import { connect, type Sql } from '../../src/store/db.ts'
import { assertRefused, begin, beginHere, cli, emptyEnv, run, runApart, sampledEnv } from '../support/command.ts'
import { noMount, onDisk } from '../support/disk.ts'
import { csvCells } from '../support/export-rows.ts'
import { until } from '../support/until.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

type After = Parameters<typeof sampledEnv>[0]
type Env = Record<string, string>

/** The sample. The tests of this file leave the sample unchanged, except for the rows that `fill` adds. */
let env: Env
let sql: Sql
const later: (() => Promise<unknown>)[] = []
before(async () => {
  env = await sampledEnv({ after: (fn) => void later.unshift(fn) })
  sql = connect({ target: env.DATABASE_URL!, max: 3 })
  later.unshift(() => sql.end())
})
after(async () => {
  for (const fn of later) await fn()
})

/** Filling of a table that is empty in the sample, so that its export takes a while. */
let filling: Promise<unknown> | undefined
const fill = () => {
  filling ??= sql`
    insert into thirteenf.security (security, cusip, issuer_name)
    select i, i, repeat(md5(i::text), 10) from generate_series(1, 100000) i on conflict do nothing`.execute()
  return filling
}

const SECURITIES = ['export', 'thirteenf', '--table', 'security']

test('export refuses invalid arguments, suggests valid ones, and opens no database', async () => {
  const refusals: [args: string[], names: RegExp][] = [
    [['formdd', 'x.csv'], /unknown family "formdd"; did you mean formd\?/],
    [['form4', 'x.csv'], /unknown family "form4"; did you mean ownership\?/],
    [['10-K', 'x.csv'], /tenx is a family whose filings are only listed/],
    [['zzz', 'x.csv'], /unknown family "zzz"; available: filings, formd, .*links/],
    [['exempt', 'x.csv'], /exempt is a family whose filings are only listed: .*"openfilings export filings"/],
    [['formd', '--table', 'issuers', 'x.csv'], /no table "issuers"; did you mean issuer\?/],
    [['adv', '--table', 'search_word', 'x.csv'], /no table "search_word"; it has branch, /],
    [['formd'], /needs a FILE, as in "openfilings export formd formd.csv"/],
    [['formd', 'x.csv', 'y.csv'], /export does not take y.csv/],
    [['formd', 'x.xls'], /the format is not given: use --to csv, /],
    [['formd', '-'], /the format is not given/],
    [['formd', '--to', 'cvs', 'x'], /"cvs" is neither a format nor a day \(YYYY-MM-DD\); did you mean csv\?/],
    [['formd', '--format', 'paquet', 'x'], /"paquet" is not a format; did you mean parquet\?/],
    [['formd', '--to', 'csv', '--to', 'ndjson', 'x'], /two formats are requested, csv and ndjson/],
    [['formd', '--to', 'csv', '--format', 'ndjson', 'x'], /two formats are requested/],
    [['formd', '--to', '2024-01-01', '--to', '2024-01-02', 'x.csv'], /--to is given two days, 2024-01-01 and 2024-01-02/],
    [['formd', '--to', '2024-02-30', 'x.csv'], /--to "2024-02-30" is not a day/],
    [['formd', '--from', '2024', 'x.csv'], /--from "2024" is not a day/],
    [['formd', '--from', '2024-02-02', '--to', '2024-02-01', 'x.csv'], /--from 2024-02-02 is after --to 2024-02-01/],
    [['adv', '--from', '2024-01-01', 'x.csv'], /adv adviser has no filing date, so it can only be exported as a whole/],
    [['formd', '--json', '--to', 'csv', '-'], /--json and FILE - both write to standard output: give only one of them/],
    [['formd', '--form', 'csv', 'x'], /no option --form; did you mean --format\?/],
  ] // biome-ignore format: one refusal a line
  const { config } = readSettings({ DATA_DIR: '/nonexistent' })
  for (const [args, message] of refusals)
    await assert.rejects(async () => exportCommand.run(args, config), { name: 'UserError', message }, args.join(' '))
  assertRefused(await run(['export', ...refusals[0]![0]], { DATA_DIR: '/nonexistent' }), refusals[0]![1])
})

test('export of data that is not loaded names the command that loads it, and makes no file', async (t) => {
  const env = await emptyEnv(t)
  const folder = await temporaryFolder(t)
  for (const [family, by] of [
    ['formd', 'ingest formd'],
    ['adv', 'ingest adv'],
    ['filings', 'ingest index'],
    ['links', 'ingest'],
  ]) {
    const file = path.join(folder, `${family}.csv`)
    assertRefused(
      await run(['export', family!, file], env),
      new RegExp(`${family} is not loaded: "openfilings ${by}" loads it`),
    )
  }
  const { stdout } = await run(['export', '--list'], env)
  assert.match(stdout, /^formd: Form D; not loaded: openfilings ingest formd\n {2}offering +0 {2}One row per filing/m)
  assert.deepEqual(readdirSync(folder), [])
})

test('the sample can be exported to files and standard output, as lists, over existing files, and while it is served', async (t) => {
  const folder = await temporaryFolder(t)
  const file = (name: string) => path.join(folder, name)
  const server = beginHere(t, ['serve'], { ...env, PORT: '0' })
  await server.until(/Try:/)

  const whole = await run(['export', 'formd', file('a.csv')], env)
  assert.equal(whole.status, 0, whole.stderr)
  assert.equal(whole.stdout, '')
  assert.match(
    whole.stderr,
    /this is the bundled sample.*\n.*openfilings: 17 rows, [\d.]+ kB in [\d.]+ s, .*a\.csv\n$/s,
  )
  assert.equal(csvCells(readFileSync(file('a.csv'), 'utf8')).length, 18)

  const bounded = await runApart(
    ['export', 'formd', '--from', '2024-01-01', '--to', '2024-12-31', '--to', 'ndjson', '-'],
    env,
  )
  const days = bounded.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).filed_date)
  assert.ok(days.length > 0 && days.every((day) => day.startsWith('2024-')))
  const same = await runApart(
    ['export', 'formd', '--from=2024-01-01', '--to=2024-12-31', '--format=ndjson', '-', '--quiet'],
    env,
  )
  assert.deepEqual([same.stdout, same.stderr], [bounded.stdout, ''])

  const none = await run(['export', 'formd', '--from', '2040-01-01', file('none.csv')], env)
  assert.equal(none.status, 0)
  assert.match(
    none.stderr,
    /no row of formd offering was filed from 2040-01-01: the loaded filings were filed from 2009-\d\d-\d\d to 20\d\d-\d\d-\d\d\n.* 0 rows/,
  )
  assert.match(readFileSync(file('none.csv'), 'utf8'), /^accession,[^\n]+\n$/)
  const empty = await run(['export', 'cfportal', '--table', 'disclosure', file('empty.parquet')], env)
  assert.match(empty.stderr, /cfportal disclosure has no rows, though cfportal is loaded/)
  assert.equal(readFileSync(file('empty.parquet')).subarray(-4).toString(), 'PAR1')

  assertRefused(await run(['export', 'rega', file('a.csv')], env), /a\.csv already exists: --force replaces it/)
  assert.equal(csvCells(readFileSync(file('a.csv'), 'utf8')).length, 18)
  symlinkSync('a.csv', file('link.csv'))
  const forced = await run(['export', 'rega', file('link.csv'), '--force', '--json'], env)
  const printed = forced.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .find(({ event }) => event === 'exported')
  assert.deepEqual([printed.family, printed.table, printed.format, printed.rows], ['rega', 'submission', 'csv', 38])
  assert.ok(lstatSync(file('link.csv')).isSymbolicLink())
  assert.equal(csvCells(readFileSync(file('a.csv'), 'utf8')).length, 39)

  symlinkSync('nowhere', file('loose.csv'))
  writeFileSync(file('plain'), '')
  const refused = (args: string[], names: RegExp) =>
    run(['export', 'formd', '--to', 'csv', ...args], env).then((found) => assertRefused(found, names))
  await refused([folder], /is a folder: name a file in it/)
  await refused([file('no/such.csv')], /such\.csv cannot be written: there is no such folder \(ENOENT\)/)
  await refused([file('plain/x.csv')], /x\.csv cannot be written: there is no such folder \(ENOTDIR\)/)
  await refused([file('loose.csv')], /loose\.csv is a dangling symbolic link/)
  if (process.platform === 'linux') {
    assert.equal((await run(['export', 'formd', '--to', 'csv', '/dev/null', '--force'], env)).status, 0)
    assert.ok(lstatSync('/dev/null').isCharacterDevice())
    const full = await run(['export', 'formd', '--to', 'csv', '/dev/full', '--quiet'], env)
    assertRefused(full, /\/dev\/full cannot be written: the disk is full \(ENOSPC\)/)
    await refused(
      ['/proc/export.csv', '--quiet'],
      /export\.csv cannot be written: (there is no such folder|no permission to write there)/,
    )
  }
  const listed = JSON.parse((await run(['export', 'formd', '--list', '--json'], env)).stdout)
  assert.deepEqual(
    listed.map(({ family, loaded }: { family: string; loaded: boolean }) => [family, loaded]),
    [['formd', true]],
  )
  assert.deepEqual([listed[0].tables[0].table, listed[0].tables[0].rows], ['issuer', 18])
  assert.deepEqual(readdirSync(folder).sort(), ['a.csv', 'empty.parquet', 'link.csv', 'loose.csv', 'none.csv', 'plain'])
  assert.equal(await server.end(), 0)
})

test('a full disk ends an export with one line, and no partial file remains', { skip: noMount }, async (t) => {
  await fill()
  await onDisk(t, '2m', async (disk) => {
    for (const format of ['csv', 'ndjson']) {
      const found = await run([...SECURITIES, path.join(disk, `x.${format}`), '--quiet'], env)
      assertRefused(found, /cannot be written: the disk is full \(ENOSPC\)/)
      assert.deepEqual(readdirSync(disk), [])
    }
  })
})

/** Starts an export whose standard output nobody reads. */
function unread(t: After, args: string[], env: Env): ChildProcess & { output(): string } {
  const child = spawn(process.execPath, [cli, ...args], { env: { PATH: process.env.PATH!, ...env }, cwd: checkout })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  t.after(async () => {
    child.kill('SIGKILL')
  })
  return Object.assign(child, { output: () => output })
}

async function isCopying(): Promise<boolean> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and query like 'copy (select%' and state = 'active' and wait_event = 'ClientWrite'`
  return row!.n === 1
}

test('a signal ends an export at once, even if its reader is stalled, and no file remains', async (t) => {
  await fill()
  const stuck = unread(t, [...SECURITIES, '--to', 'csv', '-'], env)
  await until('the database waits for the reader', isCopying)
  const began = performance.now()
  stuck.kill('SIGTERM')
  assert.deepEqual((await once(stuck, 'exit'))[0], 143, stuck.output())
  assert.ok(performance.now() - began < 8_000)

  const file = path.join(await temporaryFolder(t), 'x.csv')
  await sql.begin(async (tx) => {
    await tx`lock table thirteenf.security in access exclusive mode`
    const waiting = beginHere(t, [...SECURITIES, file], env)
    await until('the folder has the part of the file', () => readdirSync(path.dirname(file)).length > 0)
    assert.equal(await waiting.end('SIGINT'), 130)
  })
  assert.deepEqual(readdirSync(path.dirname(file)), [])
})

test('an export to a named pipe waits for a reader; a signal ends it during this wait, and while the reader is stalled', async (t) => {
  await fill()
  const pipe = path.join(await temporaryFolder(t), 'pipe')
  execFileSync('mkfifo', [pipe])
  const waiting = beginHere(t, [...SECURITIES, '--to', 'csv', pipe, '--quiet'], env)
  await until('the export has looked whether there is something to export', async () => {
    const found =
      await sql`select from pg_stat_activity where datname = current_database() and query like 'select exists%thirteenf.report%' and state = 'idle'`
    return found.count > 0
  })
  assert.equal(await waiting.end('SIGTERM'), 143)

  const read = promisify(execFile)('sh', ['-c', 'wc -l < "$0"', pipe])
  assert.equal((await run([...SECURITIES, '--to', 'csv', pipe, '--quiet'], env)).status, 0)
  assert.ok(Number((await read).stdout) > 100_000)

  // Opens the pipe for reading and writing, so that it has a reader that reads nothing.
  const held = openSync(pipe, 'r+')
  const stuck = begin(t, [...SECURITIES, '--to', 'csv', pipe, '--quiet'], env)
  await until('the database waits for the reader', isCopying)
  assert.equal(await stuck.end('SIGTERM'), 143)
  closeSync(held)
  assert.ok(lstatSync(pipe).isFIFO())
})

test('a signal ends an export that waits for another session’s lock before its first row', async (t) => {
  const folder = await temporaryFolder(t)
  await sql.begin(async (tx) => {
    await tx`lock table thirteenf.report in access exclusive mode`
    const waiting = beginHere(t, ['export', 'thirteenf', path.join(folder, 'x.csv'), '--quiet'], env)
    await until('the export waits for the table', async () => {
      const found =
        await sql`select from pg_stat_activity where datname = current_database() and query like 'select exists%' and wait_event_type = 'Lock'`
      return found.count > 0
    })
    assert.equal(await waiting.end('SIGTERM'), 143)
  })
  assert.deepEqual(readdirSync(folder), [])
})

test('an export whose reader closes the pipe ends with one line that says so', async (t) => {
  await fill()
  const left = unread(t, [...SECURITIES, '--to', 'ndjson', '-', '--quiet'], env)
  await until('the database waits for the reader', isCopying)
  left.stdout!.destroy()
  assert.deepEqual((await once(left, 'exit'))[0], 1)
  assert.equal(
    left.output(),
    'openfilings: standard output cannot be written: the program that reads it has ended (EPIPE)\n',
  )
})

test('an export that loses its database ends with one line and status 1, and the partial file is not renamed to its target', async (t) => {
  await fill()
  const lost = unread(t, [...SECURITIES, '--to', 'csv', '-', '--quiet'], env)
  await until('the database waits for the reader', isCopying)
  // The session ends before this test reads more: on a busy machine, everything might otherwise be read by then.
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'copy (select%'`
  lost.stdout!.resume()
  assert.deepEqual((await once(lost, 'exit'))[0], 1)
  assert.match(lost.output(), /^openfilings: the database went away: .*\n$/)

  const file = path.join(await temporaryFolder(t), 'x.csv')
  await sql.begin(async (tx) => {
    await tx`lock table thirteenf.security in access exclusive mode`
    const waiting = beginHere(t, [...SECURITIES, file, '--quiet'], env)
    await until('the export waits for the table', async () => {
      const [row] = await sql<{ n: number }[]>`
          select count(pg_terminate_backend(pid))::int as n from pg_stat_activity
          where datname = current_database() and query like 'lock table%' and wait_event_type = 'Lock'`
      return row!.n > 0
    })
    assert.equal(await waiting.ended, 1)
    assert.match(waiting.stderr(), /^openfilings: the database went away: /m)
  })
  assert.ok(!existsSync(file))
  assert.deepEqual(readdirSync(path.dirname(file)), [])
})

test('if two exports write to one file, the later one keeps the file of the first, unless it may replace files', async (t) => {
  const file = path.join(await temporaryFolder(t), 'x.csv')
  const lines = () => csvCells(readFileSync(file, 'utf8')).length
  const securities = (await sql`select from thirteenf.security`).count
  for (const force of [false, true]) {
    rmSync(file, { force: true })
    const later = await sql.begin(async (tx) => {
      await tx`lock table thirteenf.security in access exclusive mode`
      const waiting = begin(t, [...SECURITIES, file, '--quiet', ...(force ? ['--force'] : [])], env)
      await until('the folder has the part of the file', () => readdirSync(path.dirname(file)).length > 0)
      assert.equal((await run(['export', 'rega', file, '--quiet'], env)).status, 0)
      assert.equal(lines(), 39)
      return { waiting }
    })
    assert.equal(await later.waiting.ended, force ? 0 : 1)
    assert.equal(lines(), force ? securities + 1 : 39)
    if (!force)
      assert.match(later.waiting.stderr(), /x\.csv was created by another process meanwhile and is left unchanged/)
    assert.deepEqual(readdirSync(path.dirname(file)), ['x.csv'])
  }
})

test('export refuses tables of another version, and names the rebuild that updates them', async () => {
  await sql`update core.dataset set ddl_hash = 'older' where slug = 'formd'`
  const found = await run(['export', 'formd', '--to', 'csv', '-'], env)
  assertRefused(found, /the tables of formd were made by another version: "openfilings rebuild formd" makes them again/)
})
