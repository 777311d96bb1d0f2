/** `doctor` finds faults of an installation and says how to fix them; it creates nothing. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, it, test } from 'node:test'
import { open } from '../../src/app.ts'
import type { Check } from '../../src/commands/doctor/check.ts'
import { checkDatabase, serverChecks } from '../../src/commands/doctor/database.ts'
import { checkHosts } from '../../src/commands/doctor/hosts.ts'
import { checkDataFolder } from '../../src/commands/doctor/settings.ts'
import { checkValkey } from '../../src/commands/doctor/valkey.ts'
import { readSettings } from '../../src/config.ts'
import { beginRun } from '../../src/ingest/runs.ts'
import { createWebhook } from '../../src/webhooks/subscriptions.ts'
import { assertRefused, emptyEnv, freePort, queried, run, sampledEnv } from '../support/command.ts'
import { freshDatabase } from '../support/database.ts'
import { noMount } from '../support/disk.ts'
import { startHost } from '../support/edgar-host.ts'
import { serving } from '../support/loopback.ts'
import { overTcp } from '../support/tcp.ts'
import { copyOfSample, temporaryFolder, writeIndex } from '../support/world.ts'

/** Returns the checks in a state, as `name: found`. */
const lines = (checks: readonly Check[], state: Check['state']) =>
  checks.filter((check) => check.state === state).map(({ name, found }) => `${name}: ${found}`)

test('for a sound installation doctor prints "ok" for each check and the source of each setting, and exits with 0', async (t) => {
  const root = await copyOfSample(t)
  await writeIndex(root, '1993/QTR1', ['1|Old|10-K|1993-01-04|edgar/data/1/0000000001-93-000001.txt'])
  const host = await startHost({ root })
  t.after(() => host.close())
  const env = {
    ...(await sampledEnv(t)),
    EDGAR_BASE_URL: host.url,
    ADVISERINFO_BASE_URL: host.url,
    EDGAR_DATA_URL: host.url,
    ADVISERINFO_FILES_URL: host.url,
    LOG_LEVEL: 'warn',
  }
  const { status, stdout, stderr } = await run(['doctor'], env)
  assert.deepEqual([status, stderr], [0, ''])
  for (const line of stdout.trimEnd().split('\n'))
    assert.match(line, /^(ok {4}\S|warn {2}disk|warn {2}[^:]+: \S+ answers, but does not have \S)/)
  assert.match(stdout, /^ok {4}PORT: 8080 \(default\)$/m)
  assert.match(stdout, /^ok {4}LOG_LEVEL: warn \(environment\)$/m)
  assert.match(stdout, /^ok {4}EDGAR_USER_AGENT: not set$/m)
  assert.match(stdout, /^ok {4}version: OpenFilings \d+\.\d+\.\d+, Node 2\d\./m)
  assert.match(stdout, /^ok {4}database: \S+: PostgreSQL 1\d[^,]*, UTF8, locale /m)
  assert.match(stdout, /^ok {4}pg_trgm: installed$/m)
  assert.match(stdout, /^ok {4}content: the bundled sample$/m)
  assert.match(stdout, /^ok {4}EDGAR: http:\S+ gives an index$/m)
  assert.match(stdout, /^ok {4}adviser files: http:\S+ lists \d+ files$/m)
  assert.match(stdout, /^ok {4}clock: agrees with the clock of the host$/m)
  const paths = host.requests.map(({ path: at }) => at)
  assert.equal(new Set(paths).size, paths.length, 'no path is requested twice')
  const json = await run(['doctor', '--json'], env)
  const checks = JSON.parse(json.stdout) as Check[]
  assert.deepEqual(
    checks.map(({ name }) => name),
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(6).split(': ')[0]),
  )
})

test('doctor reports all faults in one run, each with its remedy and without passwords, and exits with 1', async (t) => {
  const file = path.join(await temporaryFolder(t), 'file')
  await writeFile(file, '')
  const { status, stdout } = await run(['doctor'], {
    DATA_DIR: file,
    DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${await freePort()}/x?sslpassword=hunter3`,
    DATABASE_READ_URL: `postgres://me:hunter2@127.0.0.1:${await freePort()}/x`,
    PORT: 'eighty',
    COMPANY_ALIASES: file,
    EDGAR_USERAGENT: 'x',
    EDGAR_USER_AGENT: 'nobody',
    OIDC_CLIENT_SECRET: 'hunter4',
    PROT: '1',
    ADVISERINFO_BASE_URL: `http://127.0.0.1:${await freePort()}`,
  })
  assert.equal(status, 1)
  assert.doesNotMatch(stdout, /hunter/)
  for (const line of [
    /^FAIL {2}PORT: must be a whole number from 0 to 65535; correct or unset it$/m,
    /^FAIL {2}settings: unknown setting EDGAR_USERAGENT; did you mean EDGAR_USER_AGENT\?; correct or unset it$/m,
    /^ok {4}OIDC_CLIENT_SECRET: set, and not shown \(environment\)$/m,
    /^warn {2}settings: unknown setting PROT; did you mean PORT\?$/m,
    /^FAIL {2}corrections: COMPANY_ALIASES \S+\/file, line 1: the columns must be action, name, to, reason, date; correct the file/m,
    /^FAIL {2}data folder: \S+\/file is not a folder; name another folder with DATA_DIR$/m,
    /^FAIL {2}database: .*ECONNREFUSED.*docs\/operating\/database\.md$/m,
    /^FAIL {2}read replica: .*ECONNREFUSED.*correct or unset DATABASE_READ_URL$/m,
    /^FAIL {2}EDGAR: www\.sec\.gov requires a contact: .*"nobody" is not a contact/m,
    /^FAIL {2}adviser files: http:\S+ failed: .*ECONNREFUSED.*check the address/m,
  ]) {
    assert.match(stdout, line)
  }
})

test('doctor tries to write in the data folder, so it reports one that is not writable even if the mode allows root to write', {
  skip: process.platform !== 'linux',
}, async () => {
  for (const [DATA_DIR, found] of [
    ['/sys/nope', /^no folder can be made in \/sys \(E\w+\)$|^\/sys cannot be written by this user$/],
    ['/proc/nope', /^no folder can be made in \/proc \(E\w+\)$|^\/proc cannot be written by this user$/],
  ] as const) {
    const [, folder, ...more] = await checkDataFolder(readSettings({ DATA_DIR }).config)
    assert.equal(folder!.state, 'FAIL')
    assert.match(folder!.found, found)
    assert.deepEqual(more, [], 'it is not a disk that could be full')
  }
})

test('doctor reports an archive that lacks the submissions named by the database, as when its disk is not mounted', async (t) => {
  const env = await sampledEnv(t)
  const findings = async () => {
    const checks = await checkDatabase(readSettings(env).config)
    return lines(checks, 'FAIL')
  }
  assert.deepEqual(await findings(), [])
  const archive = path.join(env.DATA_DIR!, 'archive')
  await rename(archive, `${archive}.away`)
  const [lost, ...more] = await findings()
  assert.deepEqual(more, [])
  assert.match(lost!, /^archive: \S+\/archive lacks (\d+) of \1 submissions that were looked up/)
  await writeFile(archive, 'a file in place of the folder')
  assert.match((await findings()).join(), /^archive: \S+\/archive cannot be read: ENOTDIR/)
  await rm(archive)
  await rename(`${archive}.away`, archive)
  assert.deepEqual(await findings(), [])
})

test('doctor reports a folder for temporary files that is missing, and names the setting', async (t) => {
  const DATA_DIR = await temporaryFolder(t)
  const before = process.env.TMPDIR
  process.env.TMPDIR = path.join(DATA_DIR, 'missing')
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
  const checks = await checkDataFolder(readSettings({ DATA_DIR }).config)
  const { state, found, wayOut } = checks.find(({ name }) => name === 'temporary files')!
  assert.equal(state, 'FAIL')
  assert.match(found, /\/missing cannot be used: ENOENT: /)
  assert.match(wayOut!, /TMPDIR/)
})

test('doctor reports too little space for an archive on a disk of its own', { skip: noMount }, async (t) => {
  const DATA_DIR = await temporaryFolder(t)
  const archive = path.join(DATA_DIR, 'archive')
  await mkdir(archive)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', archive])
  try {
    const checks = await checkDataFolder(readSettings({ DATA_DIR }).config)
    assert.ok(lines(checks, 'FAIL').some((line) => /^disk: \S+ \S+ free for \S+\/archive$/.test(line)))
  } finally {
    execFileSync('umount', [archive])
  }
})

test('doctor distinguishes a host that refuses, has no index, sends another list, answers late or has a wrong clock, and asks each host once', async (t) => {
  const asks = { refused: 0 }
  const base = await serving(t, (request, response) => {
    const { url = '' } = request
    const at = url.split('/')[1]!
    if (at === 'silent') return
    const hours = { early: -2, minutes: 5 / 60 }[at] ?? 0
    response.setHeader('date', new Date(Date.now() + hours * 3_600_000).toUTCString())
    if (at === 'none') return void response.writeHead(404).end()
    response.end('{"nothing": "of interest"}')
  })
  // This host is a separate one, since a page about the rate limit pauses all further requests to its host.
  const strict = await serving(t, (_, response) => {
    asks.refused++
    response.writeHead(403).end('<title>Request Rate Threshold Exceeded</title>')
  })
  const at = async (EDGAR: string, adviser: string) =>
    checkHosts(
      readSettings({
        ...{ EDGAR_BASE_URL: EDGAR === 'refused' ? strict : `${base}/${EDGAR}` },
        ...{ ADVISERINFO_BASE_URL: `${base}/${adviser}`, EDGAR_DATA_URL: `${base}/other` },
        ADVISERINFO_FILES_URL: `${base}/other`,
      }).config,
    )
  // The check of the host that never answers takes the 15 seconds that are allowed. Requests to the other hosts run
  // meanwhile.
  const [silent, refused, early, minutes] = await Promise.all([
    at('silent', 'none'),
    at('refused', 'none'),
    at('early', 'other'),
    at('minutes', 'other'),
  ])
  assert.deepEqual(lines(silent!, 'FAIL'), [`EDGAR: ${base}/silent gave no answer within 15 s`])
  assert.match(lines(silent!, 'warn')[0]!, /^adviser files: http:\S+ answers, but does not have \/reports\//)
  assert.match(lines(refused!, 'FAIL')[0]!, /^EDGAR: http:\S+ answered 403: request rate exceeded$/)
  assert.equal(asks.refused, 1)
  assert.equal(lines(early!, 'FAIL').at(-1), 'clock: 2 h 0 min ahead of the clock of the host')
  assert.match(lines(minutes!, 'warn').at(-1)!, /^clock: (5 min \d|4 min 5\d) s behind the clock of the host$/)
  const adviser = await serving(t, (_, response) => void response.end('<html>'))
  const garbage = await checkHosts(everywhere(adviser))
  assert.ok(lines(garbage, 'FAIL').some((line) => /^adviser files: \/reports\/\S+ is not valid JSON/.test(line)))
})

/** Settings that name this host for every address. */
const everywhere = (url: string) => {
  const hosts = { EDGAR_BASE_URL: url, EDGAR_DATA_URL: url, ADVISERINFO_BASE_URL: url, ADVISERINFO_FILES_URL: url }
  return readSettings(hosts).config
}

test('doctor asks every list and every host of the settings, and names a list that does not exist or has no links', async (t) => {
  const missing = new Set<string>()
  const requested: string[] = []
  const url = await serving(t, (request, response) => {
    const at = request.url!.replace(/\?.*/, '')
    requested.push(at)
    if (missing.has(at)) return void response.writeHead(404).end()
    const list = at.replace(/^.*\//, '')
    if (at.startsWith('/cgi-bin/')) {
      return void response.end('<feed xmlns="http://www.w3.org/2005/Atom"><title>Latest Filings</title></feed>')
    }
    if (at.startsWith('/reports/')) return void response.end('{"files": []}')
    const sets: Record<string, string> = {
      'form-13f-data-sets': '2013q2_form13f.zip',
      'form-n-port-data-sets': '2026q1_nport.zip',
      'form-n-cen-data-sets': '2026q1_ncen.zip',
      'dera-form-n-mfp-data-sets': '20260409-20260507_nmfp.zip',
      'insider-transactions-data-sets': '2026q1_form345.zip',
      'form-d-data-sets': '2026q1_d.zip',
      'crowdfunding-offerings-data-sets': '2026q1_cf.zip',
    }
    if (at.startsWith('/data-research/')) return void response.end(sets[list] ? `<a href="/files/${sets[list]}">` : '')
    response.end('{}')
  })
  const whole = await checkHosts(everywhere(url))
  assert.deepEqual(
    whole.filter(({ state }) => state !== 'ok'),
    [],
  )
  const names = whole.map(({ name }) => name)
  for (const name of ['EDGAR', 'feed of current filings', 'sets of thirteenf', 'sets of nport', 'sets of ncen']) {
    assert.ok(names.includes(name), name)
  }
  for (const name of ['sets of nmfp', 'sets of ownership', 'sets of formd', 'sets of crowdfunding']) {
    assert.ok(names.includes(name), name)
  }
  for (const name of ['submissions.zip', 'companyfacts.zip', 'company_tickers.json']) {
    assert.ok(names.includes(name), name)
  }
  for (const name of ['files of one company', 'adviser files', 'adviser files by month', 'single brochures', 'clock']) {
    assert.ok(names.includes(name), name)
  }
  // One path is missing at a time.
  for (const [at, path] of [...new Set(requested)].entries()) {
    missing.clear()
    missing.add(path)
    if (at % 3 > 0) continue
    const found = lines(await checkHosts(everywhere(url)), 'warn')
    assert.ok(found.length === 1 && found[0]!.includes(`does not have ${path}`), `${path}: ${found}`)
  }
})

test('doctor reports webhooks that are paused, fail or have abandoned deliveries, and a follower whose polls fail', async (t) => {
  const env = await sampledEnv(t)
  const app = await open(readSettings(env).config, { make: true })
  t.after(() => app.close())
  const { sql } = app
  const make = async () =>
    (await createWebhook(sql, { url: 'https://example.com/', filters: {}, now: new Date() })).webhook_id
  const [gone, failing, stopped, given] = [await make(), await make(), await make(), await make()]
  await sql`update core.webhook set state = 'paused', last_error = 'it answered 410' where webhook_id = ${gone}`
  await sql`update core.webhook set failures = 3, last_error = 'it answered 500' where webhook_id = ${failing}`
  await sql`update core.webhook set state = 'paused' where webhook_id = ${stopped}`
  await sql`
    insert into core.webhook_dead (webhook_id, after_event, to_event, tries, reason, given_up_at)
    values (${given}, 0, 1, 13, 'it answered 503', now())`
  const follower = await beginRun(sql, { command: 'ingest', what: 'all --follow', pid: 1, host: 'x' })
  await follower.note({ failing: { since: '2026-11-20T06:00:00.000Z', reason: 'the indexes: no answer' } })
  const warnings = lines(await checkDatabase(readSettings(env).config), 'warn')
  assert.deepEqual(
    warnings.filter((line) => !/^(disk|runs|rollups)/.test(line)),
    [
      'following: "ingest all --follow" has failed since 2026-11-20T06:00:00.000Z: the indexes: no answer',
      `webhooks: ${gone} is paused: it answered 410`,
      `webhooks: ${failing} failed 3 times: it answered 500`,
      `webhooks: 1 delivery to ${given} failed too often and will not be tried again`,
    ],
  )
  await follower.end('stopped', {})
})

test('doctor and every start refuse a database of another encoding with the same message, without the password', async (t) => {
  const { sql, target } = await freshDatabase(t, { empty: true })
  const name = `openfilings_test_${process.pid}_ascii`
  await sql.unsafe(
    `create database ${name} encoding 'SQL_ASCII' locale_provider libc lc_collate 'C' lc_ctype 'C' template template0`,
  )
  const relay = await overTcp(t, { target })
  const url = new URL(relay.target)
  url.pathname = `/${name}`
  url.username ||= 'openfilings'
  url.password = 'hunter2@home'
  const env = { DATA_DIR: await temporaryFolder(t), DATABASE_URL: url.href.replace('%40', '@') }
  const way = "make one with create database … encoding 'UTF8' template template0"
  try {
    const [check] = (await checkDatabase(readSettings(env).config)).filter(({ state }) => state === 'FAIL')
    assert.match(check!.found, /SQL_ASCII/)
    assert.equal(check!.wayOut, way)
    for (const args of [['serve', '--port', '0'], ['ingest', 'index', '--base-url', 'file:///nowhere'], ['status']]) {
      const refused = await run(args, env)
      assertRefused(refused, new RegExp(`has the encoding SQL_ASCII: ${way}`))
      assert.doesNotMatch(refused.stderr, /hunter2|home/)
    }
  } finally {
    await sql.unsafe(`drop database ${name} with (force)`)
  }
})

describe('doctor on databases in different states', () => {
  let env: Record<string, string>
  let check: () => Promise<Check[]>
  const later: (() => Promise<unknown>)[] = []

  before(async () => {
    env = await emptyEnv({ after: (fn: () => Promise<unknown>) => void later.unshift(fn) })
    check = () => checkDatabase(readSettings(env).config)
  })
  after(async () => {
    for (const fn of later) await fn()
  })

  it('reports a database that is empty, has a part of the sample, or has only old filings', async () => {
    assert.deepEqual(lines(await check(), 'warn'), ['content: nothing is loaded'])
    await queried(env, (sql) => sql`insert into core.meta values ('origin', 'sample')`)
    assert.deepEqual(lines(await check(), 'warn'), ['content: only a part of the bundled sample is loaded'])
    await queried(env, (sql) => sql`insert into core.meta values ('sample', 'an older one')`)
    assert.deepEqual(lines(await check(), 'warn'), ['content: the bundled sample is of another version'])
    await queried(env, async (sql) => {
      await sql`update core.meta set value = 'edgar' where name = 'origin'`
      await sql`
        insert into edgar.filing (accession, form_type, filed_date, cik, company_name, name_key, path)
        values ('0000000001-24-000001', 'D', '2024-01-02', '0000000001', 'A', 'a', 'edgar/data/1/x.txt')`
      await sql`insert into edgar.coverage (form_type, filings) values ('D', 1)`
      await sql`insert into edgar.watermark (host, source, through) values ('https://www.sec.gov', '/QTR1/master.idx', '2024-03-31')`
    })
    assert.deepEqual(lines(await check(), 'warn'), [
      'content: 1 filings, the newest of 2024-01-02; indexes read through 2024-03-31',
    ])
    await queried(env, (sql) => sql`update edgar.watermark set through = current_date`)
    assert.deepEqual(lines(await check(), 'warn'), [])
  })

  it('reports failures, killed runs and leftovers', async (t) => {
    const partial = path.join(env.DATA_DIR!, '.partial-x')
    await mkdir(partial, { recursive: true })
    t.after(() => rm(partial, { recursive: true }))
    await queried(env, async (sql) => {
      // The task exists, since opening the database made tasks for the forms that the registry knows.
      await sql`update edgar.task set state = 'failed', error = 'x'`
      await sql`
        insert into bulk.edition (series, name, from_day, to_day, state, files, error)
        values ('IA_FIRM_SEC', 'a.gz', '2024-01-01', '2024-01-01', 'failed', '[]', 'x')`
      await sql`insert into edgar.index_problem values ('http://x/master.idx', 3, 'x', 'y')`
      await sql`insert into core.run (command, what, pid, host) values ('ingest', 'all', 7, 'there')`
      await sql`create schema formd_next`
      await sql`update core.dataset set parser_hash = 'x' where slug = 'formd'`
      await sql`update core.dataset set ddl_hash = 'x' where slug = 'rega'`
    })
    const found = lines(await check(), 'warn')
    const wanted = [
      /^shape: the database is of version \d+\.\d+\.\d+ \(\d{3}_\w+\), and this is version \d+\.\d+\.\d+$/,
      /^shape: formd was read by another version of its parser$/,
      /^filings: 1 filing could not be read$/,
      /^adviser files: 1 file could not be loaded$/,
      /^indexes: lines of http:\/\/x\/master\.idx could not be read$/,
      /^runs: "ingest all" of \S+ was killed \(process 7 on there\)$/,
      /^leftovers: schema formd_next belongs to a rebuild that is running or was killed$/,
      ...(env.DATABASE_URL
        ? []
        : [/^leftovers: \S+ has 1 folders \.partial-… of starts that are running or were killed$/]),
    ]
    assert.equal(found.length, wanted.length, found.join('\n'))
    for (const [n, line] of wanted.entries()) assert.match(found[n]!, line)
  })

  it('reports a database of an older or a newer version', async () => {
    await queried(env, async (sql) => {
      await sql`drop table core.run`
      await sql`drop index edgar.task_unread`
      await sql`delete from core.migration where name = '007_run.sql'`
    })
    const older = async () => (await check()).find(({ name }) => name === 'shape')
    const [first, again] = [await older(), await older()]
    assert.match(first!.found, /^the database is of version \S+ \(\w+\), and this is version \S+$/)
    assert.equal(
      first!.wayOut,
      'the next "serve" or "ingest" applies the migration 007_run, rebuilds rega from the archive',
    )
    assert.deepEqual(again, first, 'the check changed nothing')
    await queried(env, (sql) => sql`insert into core.migration (name) values ('999_later.sql')`)
    const [found] = (await check()).filter(({ state }) => state === 'FAIL')
    assert.match(
      found!.found,
      /^the database is of version \S+ \(999_later\), which is newer than this version, \S+: 999_later\.sql$/,
    )
  })

  it('reports a missing right to create, a wrong encoding, and a server older than PostgreSQL 15', async () => {
    // Only the facts are checked: such servers are not available.
    const facts = { version: '18.4', number: 180004, encoding: 'UTF8', locale: 'C', bytes: 1, trigrams: 'installed' }
    const fine = { ...facts, may_create: true, is_replica: false, lag_seconds: null }
    assert.deepEqual(lines(serverChecks(fine, 'x'), 'FAIL'), [])
    assert.deepEqual(lines(serverChecks({ ...fine, may_create: false, trigrams: null }, 'x'), 'FAIL'), [
      'pg_trgm: the database server does not have the extension',
      'rights: the role may not create schemas',
    ])
    assert.match(lines(serverChecks({ ...fine, encoding: 'SQL_ASCII' }, 'x'), 'FAIL')[0]!, /^database: x: .*SQL_ASCII/)
    assert.match(lines(serverChecks({ ...fine, number: 140001, version: '14.1' }, 'x'), 'FAIL')[0]!, /PostgreSQL 14\.1/)
  })
})

test('doctor warns about a Valkey that does not answer, without its password, and names the setting', async () => {
  assert.deepEqual(await checkValkey({ VALKEY_URL: null }), [])
  const port = await freePort()
  const [found] = await checkValkey({ VALKEY_URL: `redis://default:secret@127.0.0.1:${port}` })
  assert.equal(found?.state, 'warn')
  assert.match(found.found, new RegExp(`^redis://default@127\\.0\\.0\\.1:${port} does not answer \\(.*ECONNREFUSED`))
  assert.match(found.wayOut!, /VALKEY_URL/)
})
