/**
 * Modules that a command loads at its start: fewer modules mean an earlier start. The tests count modules because a
 * busy machine changes times but not counts.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { COMMANDS } from '../../src/commands/all.ts'
import { ownShape } from '../../src/database.ts'
import { packageVersion } from '../../src/package.ts'
import registry from '../../src/registry.ts'
import { connect } from '../../src/store/db.ts'
import { shapeOf, taskOf } from '../../src/store/schema.ts'
import { secondRun } from '../second-run.ts'
import { begin, emptyEnv, freePort, queried, run, sampledEnv } from '../support/command.ts'
import { until } from '../support/until.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

const exec = promisify(execFile)
const launcher = path.join(checkout, 'bin/openfilings.mjs')

type After = Parameters<typeof temporaryFolder>[0]

/**
 * When a module is resolved or read, writes its path into a file; this includes modules that libraries require. If Node
 * itself searches for a file of TypeScript, writes the file's path after the word `searched`.
 */
const hookFor = (file: string) =>
  `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  import { openSync, writeSync } from 'node:fs'
  const file = openSync(${JSON.stringify(file)}, 'a')
  const seen = new Set()
  const note = (url, before = '') => {
    const line = before + decodeURIComponent(url).replace(${JSON.stringify(`file://${checkout}/`)}, '') + '\\n'
    if (!seen.has(line)) writeSync(file, line)
    seen.add(line)
  }
  registerHooks({
    resolve(name, context, next) {
      const found = next(name, context)
      note(found.url, name.startsWith('.') && name.endsWith('.ts') ? 'searched ' : '')
      return found
    },
    load(url, context, next) {
      note(url)
      return next(url, context)
    },
  })`)}`

/** Returns the modules that a process has loaded so far. */
const loadedIn = async (file: string) => [...new Set((await readFile(file, 'utf8')).trim().split('\n'))]

/** Runs a command in a separate process. @returns the modules that it loaded */
async function loadedBy(
  t: After,
  args: readonly string[],
  env: Record<string, string> = {},
  program: string = launcher,
) {
  const file = path.join(await temporaryFolder(t), 'loaded')
  const { stdout } = await exec(process.execPath, ['--import', hookFor(file), program, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    cwd: checkout,
  })
  return { stdout, loaded: await loadedIn(file) }
}

const isOf =
  (...places: string[]) =>
  (file: string) =>
    places.some((place) => file.startsWith(place))
/**
 * Tests whether a file is a part of slices. The SQL of the event log is not counted, because webhooks use it and it
 * belongs to no slice.
 */
const ofSlices = (file: string) =>
  isOf('src/registry.ts', 'src/datasets/', 'src/products/', 'node_modules/zod/')(file) &&
  file !== 'src/products/events/queries.ts'
const packages = isOf('node_modules/', 'vendor/')

test('any Node version prints the version of OpenFilings without installing anything', async (t) => {
  const folder = await temporaryFolder(t)
  await cp(path.join(checkout, 'bin'), path.join(folder, 'bin'), { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) await cp(path.join(checkout, file), path.join(folder, file))
  const { version } = JSON.parse(await readFile(path.join(checkout, 'package.json'), 'utf8'))
  for (const word of ['--version', '-V', 'version']) {
    const { stdout, stderr } = await exec(process.execPath, [path.join(folder, 'bin/openfilings.mjs'), word])
    assert.deepEqual([stdout, stderr], [`${version}\n`, ''])
  }
  assert.deepEqual((await readdir(folder)).sort(), ['bin', 'package-lock.json', 'package.json'])
})

test('printing the version loads one module', async (t) => {
  const { loaded } = await loadedBy(t, ['--version'])
  assert.deepEqual(
    loaded.filter((file) => !file.startsWith('node:')),
    ['bin/openfilings.mjs'],
  )
})

test('printing a help text loads no packages, slices, implementations of commands or Node’s HTTP client', async (t) => {
  const expensive = (loaded: string[]) =>
    loaded.filter(
      (file) =>
        packages(file) ||
        ofSlices(file) ||
        isOf('src/store/', 'src/app.ts')(file) ||
        file.endsWith('-work.ts') ||
        /^node:(https?|crypto|util)$/.test(file),
    )
  for (const args of [['--help'], ['serve', '--help']]) {
    const { stdout, loaded } = await loadedBy(t, args)
    assert.ok(stdout.length > 100)
    assert.deepEqual(expensive(loaded), [], args.join(' '))
    assert.ok(loaded.length < 50, `${args.join(' ')}: ${loaded.length} modules`)
  }
  // If one process prints the help of every command, it loads no more than the single helps together.
  const program = path.join(await temporaryFolder(t), 'helps.mjs')
  const main = pathToFileURL(path.join(checkout, 'src/main.ts')).href
  const names = COMMANDS.map(({ name }) => name)
  await writeFile(
    program,
    `import { main } from ${JSON.stringify(main)}
    for (const name of ${JSON.stringify(names)}) await main([name, '--help'], {})`,
  )
  const { stdout, loaded } = await loadedBy(t, [], {}, program)
  assert.equal(stdout.match(/^usage: openfilings /gm)?.length, names.length)
  assert.deepEqual(expensive(loaded), [])
  assert.ok(loaded.length < 50 + names.length, `${loaded.length} modules`)
})

test('Node asks the disk about no module of the project, because each import names a file', async (t) => {
  const { loaded } = await loadedBy(t, ['export', '--help'])
  assert.ok(loaded.filter(isOf('src/')).length > 10)
  assert.deepEqual(loaded.filter(isOf('searched ')), [])
})

test('a command refuses mistyped arguments without loading a slice', async (t) => {
  const file = path.join(await temporaryFolder(t), 'loaded')
  const words = [['sevre'], ['serve', '--prot', '1'], ['keys', 'lisst'], ['keys', 'create']]
  for (const args of words) {
    await assert.rejects(exec(process.execPath, ['--import', hookFor(file), launcher, ...args]), { code: 1 })
    assert.deepEqual((await loadedIn(file)).filter(ofSlices), [], args.join(' '))
  }
})

/**
 * Waits until a command uses the cached values of an earlier start. The first process with this code stores these
 * values, but values of files that have just changed are not trusted.
 */
const untilKept = (t: After, env: Record<string, string>) =>
  until('the cached values are used', async () => {
    const { loaded } = await loadedBy(t, ['keys', 'list'], env)
    return !loaded.some(ofSlices)
  })

/** Commands that only ask the database. */
const LIGHT = [
  ['keys', 'list'],
  ['keys', 'create', '--account', 'alice'],
  ['status'],
  ['status', '--json'],
  ['webhooks', 'list'],
  ['analyst', 'list'],
]

test('keys, status, webhooks and analyst load no slice if the database has the schema of this version', async (t) => {
  const env = await emptyEnv(t)
  await untilKept(t, env)
  for (const args of LIGHT) {
    const { stdout, loaded } = await loadedBy(t, args, env)
    assert.ok(stdout.length > 0)
    assert.deepEqual(loaded.filter(ofSlices), [], args.join(' '))
    assert.ok(loaded.length < 110, `${args.join(' ')}: ${loaded.length} modules`)
  }
})

test('status reports outdated and missing tables without loading a slice or changing anything; a start creates missing tables, replaces old comments, and assigns forms to the families that claim them', async (t) => {
  const env = await emptyEnv(t)
  await untilKept(t, env)
  const sql = connect({ target: env.DATABASE_URL!, max: 1 })
  t.after(() => sql.end())
  await sql`update core.dataset set parser_hash = 'other' where slug = 'formd'`
  await sql`update core.dataset set ddl_hash = 'other' where slug = 'rega'`
  await sql`update core.dataset set views_hash = 'other' where slug = 'x17a5'`
  await sql`update core.dataset set comments_hash = 'other' where slug = 'npx'`
  await sql`comment on table npx.vote is 'Older words'`
  const comment = async () => (await sql`select obj_description('npx.vote'::regclass, 'pg_class') as text`)[0]!.text
  await sql`delete from core.dataset where slug = 'cfportal'`
  await sql`drop schema cfportal cascade`
  await sql`insert into edgar.coverage (form_type, filings, family, task) values ('D', 0, 'tenx', null), ('NOBODYS', 0, 'tenx', 'header')`
  const forms = async () =>
    [
      ...(await sql`select form_type || ' ' || coalesce(family || ' ' || task, '-') as is from edgar.coverage order by 1`),
    ].map((row) => row.is)
  const before = await forms()
  const { stdout, loaded } = await loadedBy(t, ['status'], env)
  assert.match(stdout, /^outdated {2}formd \(parser\): run "openfilings rebuild formd"$/m)
  assert.match(
    stdout,
    /^to do {5}the next "openfilings serve" or "openfilings ingest" makes the tables of cfportal, replaces the views of x17a5, rebuilds rega from the archive$/m,
  )
  assert.deepEqual(loaded.filter(ofSlices), [])
  assert.deepEqual(await forms(), before)
  assert.equal(await comment(), 'Older words')
  assert.equal((await sql`select from pg_namespace where nspname = 'cfportal'`).count, 0)
  await queried(env, async () => {})
  assert.deepEqual(await forms(), ['D formd formd', 'NOBODYS -'])
  assert.equal((await sql`select from cfportal.filing`).count, 0)
  assert.notEqual(await comment(), 'Older words')
  assert.doesNotMatch((await run(['status'], env)).stdout, /makes the tables/)
})

test('the cached summary of the schema agrees with the declarations of the slices', async () => {
  const shape = await shapeOf(registry, await packageVersion())
  assert.deepEqual(JSON.parse(JSON.stringify(shape)), shape)
  assert.deepEqual(await ownShape(), shape)
  for (const family of registry.families) {
    assert.equal(shape.tasks[family.slug], taskOf(family))
    for (const form of family.forms)
      assert.deepEqual(shape.forms[form], { family: family.slug, task: taskOf(family, form) })
  }
  assert.equal(Object.keys(shape.forms).length, registry.families.flatMap(({ forms }) => forms).length)
  assert.deepEqual(
    shape.slices.map(({ slug }) => slug),
    registry.slices.map(({ slug }) => slug),
  )
  assert.deepEqual(
    shape.requested.map(({ dataset }) => dataset),
    registry.filings.filter(({ family }) => !family).map(({ slug }) => slug),
  )
})

test('serve makes the OpenAPI document only when it is requested, and loads no code that it does not need', {
  skip: secondRun,
}, async (t) => {
  const file = path.join(await temporaryFolder(t), 'loaded')
  const env = { ...(await sampledEnv(t)), PORT: String(await freePort()) }
  const hook = path.join(await temporaryFolder(t), 'hook.mjs')
  await writeFile(hook, decodeURIComponent(hookFor(file).slice('data:text/javascript,'.length)))
  const base = `http://127.0.0.1:${env.PORT}`
  const { version } = JSON.parse(await readFile(path.join(checkout, 'package.json'), 'utf8'))
  const document = JSON.stringify(JSON.parse(await readFile(path.join(checkout, 'generated/openapi.json'), 'utf8')))
  // The first process makes the cache, if no earlier process did, and the second reads it.
  for (let starts = 0; starts < 2; starts++) {
    await writeFile(file, '')
    const server = begin(t, ['serve'], { ...env, NODE_OPTIONS: `--import=${hook}` })
    await server.until(/Try:/)
    const early = await loadedIn(file)
    assert.ok(early.includes('src/registry.ts'))
    const expensive = early.filter(
      isOf(
        'src/serve/openapi',
        'src/serve/examples',
        'node_modules/ajv/',
        'node_modules/@fastify/ajv-compiler',
        'node_modules/@fastify/fast-json-stringify-compiler',
        'node_modules/@opentelemetry/',
        'src/commands/sample-work',
        'src/commands/ingest-',
        'src/ingest/bulk/',
        'src/ingest/sets/',
        'src/ingest/ingest.ts',
        // Nobody signs in here.
        'src/accounts/',
        'src/pages/account/',
        'src/fetch/provider',
        'node_modules/openid-client/',
        'node_modules/oauth4webapi/',
        'node_modules/jose/',
      ),
    )
    assert.deepEqual(expensive, [])
    const start = (await (await fetch(`${base}/v1`)).json()) as { version: string }
    assert.equal(start.version, version)
    assert.equal((await fetch(`${base}/account`)).status, 404)
    assert.ok(!(await loadedIn(file)).some(isOf('src/serve/openapi')), 'the version needs no document')
    const answers = await Promise.all(
      ['/v1/openapi.json', '/v1/openapi.json', '/docs', '/docs', '/docs/search.json'].map((at) => fetch(base + at)),
    )
    for (const { status, url } of answers) assert.equal(status, 200, url)
    for (const answer of answers.slice(0, 2)) assert.equal(await answer.text(), document)
    const metrics = await (await fetch(`${base}/metrics`)).text()
    for (const name of [
      'process_cpu_user_seconds_total',
      'nodejs_eventloop_lag_seconds',
      'openfilings_http_requests_total',
    ])
      assert.match(metrics, new RegExp(`^${name}`, 'm'))
    assert.equal(await server.end(), 0)
    if (starts === 1) assert.ok(!(await loadedIn(file)).includes('src/serve/openapi.ts'))
  }
})

test('a start with sign-in asks no provider and does not load the library for it', {
  skip: secondRun,
}, async (t) => {
  const file = path.join(await temporaryFolder(t), 'loaded')
  const secret = path.join(await temporaryFolder(t), 'secret')
  await writeFile(secret, 'the secret of the client\n')
  const env = { ...(await sampledEnv(t)), PORT: String(await freePort()) }
  const hook = path.join(await temporaryFolder(t), 'hook.mjs')
  await writeFile(hook, decodeURIComponent(hookFor(file).slice('data:text/javascript,'.length)))
  const library = isOf('node_modules/openid-client/', 'node_modules/oauth4webapi/', 'node_modules/jose/')
  const signIn = {
    OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`,
    OIDC_CLIENT_ID: 'openfilings',
    OIDC_CLIENT_SECRET_FILE: secret,
    PUBLIC_URL: `http://127.0.0.1:${env.PORT}`,
  }
  const server = begin(t, ['serve'], { ...env, ...signIn, NODE_OPTIONS: `--import=${hook}` })
  await server.until(/Try:/)
  assert.deepEqual((await loadedIn(file)).filter(library), [])
  const base = `http://127.0.0.1:${env.PORT}`
  assert.equal((await fetch(`${base}/account`)).status, 401)
  assert.equal((await fetch(`${base}/sign-in`, { redirect: 'manual' })).status, 503)
  assert.ok((await loadedIn(file)).some(library))
  assert.equal(await server.end(), 0)
  for (const [content, reason] of [
    [' \n', /is empty/],
    [null, /OIDC_CLIENT_SECRET_FILE cannot be read/],
  ] as const) {
    const given = content === null ? `${secret}-missing` : secret
    if (content !== null) await writeFile(secret, content)
    const { stderr, status } = await run(['serve'], { ...env, ...signIn, OIDC_CLIENT_SECRET_FILE: given })
    assert.equal(status, 1)
    assert.match(stderr, reason)
  }
})
