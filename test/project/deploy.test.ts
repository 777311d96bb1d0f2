/** Dockerfile, compose.yaml and the systemd units agree with the project. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { COMMANDS } from '../../src/commands/all.ts'
import { SETTINGS } from '../../src/config.ts'
import { secondRun } from '../second-run.ts'
import { freePort } from '../support/command.ts'
import { windows } from '../support/embedded/scene.ts'
import { until } from '../support/until.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

const read = (file: string) => readFileSync(path.join(checkout, file), 'utf8')
const manifest = JSON.parse(read('package.json')) as { version: string; optionalDependencies: Record<string, string> }
const dockerfile = read('Dockerfile')
const compose = read('compose.yaml')
const units = readdirSync(path.join(checkout, 'deploy')).filter((name) => /\.(service|timer)$/.test(name))

/** Values of an instruction in the Dockerfile, in order. */
const instructions = (name: string) =>
  [...dockerfile.replaceAll('\\\n', ' ').matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, value]) => value!)

const settings = new Set<string>([...Object.keys(SETTINGS), 'NODE_ENV'])
/** Asserts that an `openfilings` command line uses an existing command and existing options. */
function assertCommand(line: string) {
  const [name, ...more] = line.trim().split(/\s+/)
  const found = COMMANDS.find((command) => command.name === name)
  assert.ok(found, `there is no command ${name}`)
  for (const option of more)
    assert.ok(Object.hasOwn(found.options ?? {}, option.replace(/^--/, '')), `${name} has no option ${option}`)
}

test('the image is built from existing files, and its settings, port and command are valid for the service', () => {
  for (const line of instructions('COPY').filter((each) => !each.startsWith('--from'))) {
    for (const file of line.split(' ').slice(0, -1)) assert.ok(existsSync(path.join(checkout, file)), file)
  }
  const allowed = read('.dockerignore').split('\n')
  assert.ok(allowed.includes('*'))
  for (const line of instructions('COPY').filter((each) => !each.startsWith('--from'))) {
    for (const file of line.split(' ').slice(0, -1)) assert.ok(allowed.includes(`!${file}`), `${file} is ignored`)
  }
  const env = instructions('ENV').flatMap((line) => line.split(' '))
  for (const each of env) assert.ok(settings.has(each.split('=')[0]!), each)
  assert.ok(env.includes('HOST=0.0.0.0'))
  assert.ok(env.includes(`PORT=${instructions('EXPOSE')[0]}`))
  assert.ok(env.includes(`DATA_DIR=${instructions('VOLUME')[0]}`))
  assert.equal(SETTINGS.PORT.default, instructions('EXPOSE')[0])
  assert.deepEqual(instructions('USER'), ['node'])
  assert.match(dockerfile, /install -d -o node -g node \/data/)
  const [entry] = instructions('ENTRYPOINT').map((value) => JSON.parse(value) as string[])
  assert.deepEqual(entry, ['node', 'bin/openfilings.mjs'])
  assertCommand((JSON.parse(instructions('CMD').at(-1)!) as string[]).join(' '))
  const [node] = Object.entries(manifest.optionalDependencies).find(([name]) => name.startsWith('node-linux'))!
  assert.match(instructions('RUN')[0]!, /npm ci --omit=dev && rm -rf node_modules\/node-linux-\*/)
  const majors = new Set(instructions('FROM').map((image) => /^node:(\d+)-slim/.exec(image)?.[1]))
  assert.deepEqual([...majors], [manifest.optionalDependencies[node]!.split('.')[0]])
})

test('compose.yaml names only existing settings, commands and addresses', () => {
  for (const [, name] of compose.matchAll(/^ {4,}([A-Z][A-Z_]+): /gm)) {
    assert.ok(settings.has(name!) || name!.startsWith('POSTGRES_'), name!)
  }
  assert.match(
    compose,
    /DATABASE_URL: postgres:\/\/openfilings:\$\{POSTGRES_PASSWORD:\?[^}]*\}@database:5432\/openfilings\n/,
  )
  assert.match(compose, /^ {2}database:\n {4}image: postgres:18\n/m)
  assert.match(compose, /^ {6}- "127\.0\.0\.1:8080:8080"$/m)
  assert.ok(compose.includes(`- data:${instructions('VOLUME')[0]}\n`))
  assert.ok(compose.includes('ALLOWED_HOSTS: api,'), 'the other services send requests to its name')
  const [, command = ''] = /exec node bin\/openfilings\.mjs (.*)$/m.exec(compose)!
  assertCommand(command)
  const page = read('docs/operating/installing.md')
  for (const [, profile] of compose.matchAll(/profiles: \["(\w+)"\]/g)) assert.ok(page.includes(`--profile ${profile}`))
})

interface Composed {
  services: Record<
    string,
    {
      build?: string
      image?: string
      command?: string[]
      profiles?: string[]
      environment: Record<string, string>
      volumes: string[]
      depends_on?: Record<string, { condition: string }>
      restart: string
    }
  >
  volumes: Record<string, null>
}

test('all services of compose.yaml except the database share one image, one database and one archive', () => {
  const { services, volumes } = parse(compose, { merge: true }) as Composed
  const { database, ...own } = services
  assert.deepEqual(Object.keys(own).sort(), ['api', 'follow', 'ingest'])
  for (const [name, service] of Object.entries(own)) {
    assert.equal(service.image, own.api!.image, name)
    assert.deepEqual(service.environment, own.api!.environment, name)
    assert.deepEqual(service.volumes, own.api!.volumes, name)
    assert.deepEqual(service.depends_on, { database: { condition: 'service_healthy' } }, name)
    assert.equal(service.build !== undefined, name === 'api', `${name}: the image is built once`)
    assert.ok(['always', 'unless-stopped'].includes(service.restart), name)
    assert.deepEqual(service.profiles, { ingest: ['daily'], follow: ['follow'] }[name], name)
  }
  assertCommand(own.follow!.command!.join(' '))
  assert.ok(own.follow!.command!.includes('--follow'))
  for (const { volumes: mounted } of [database!, ...Object.values(own)]) {
    for (const each of mounted) assert.ok(Object.hasOwn(volumes, each.split(':')[0]!), each)
  }
})

test('the daily run of compose.yaml waits until 11:30 UTC, whenever it is started', { skip: windows }, () => {
  const [, formula] = /- sleep (.*) && exec node/.exec(compose)!
  for (const [now, seconds] of [
    ['00:00:00', 41_400],
    ['11:29:59', 1],
    ['11:30:00', 0],
    ['11:30:01', 86_399],
    ['23:59:59', 41_401],
  ] as const) {
    const at = String(Date.parse(`2026-11-22T${now}Z`) / 1000)
    const waits = execFileSync('sh', ['-c', `echo ${formula!.replace('$$(date +%s)', at).slice(1)}`], {
      encoding: 'utf8',
    })
    assert.equal(Number(waits), seconds, now)
  }
})

test('the steps of the Dockerfile, run in a folder, start a service for which the image’s health check succeeds; without the service the check fails', {
  skip: windows || secondRun,
}, async (t) => {
  const folder = await temporaryFolder(t)
  const app = path.join(folder, 'app')
  await mkdir(app)
  for (const line of instructions('COPY').filter((each) => !each.startsWith('--from'))) {
    for (const file of line.split(' ').slice(0, -1)) {
      const left = (from: string) => !/\.test\.ts$|\/fixtures(\/|$)/.test(from)
      await cp(path.join(checkout, file), path.join(app, file), { recursive: true, filter: left })
    }
  }
  // Links the packages of `npm ci --omit=dev` from those that are installed here: test/project/packed.test.ts uses the
  // registry.
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dev?: boolean }> }
  const outermost = Object.entries(packages).filter(([at, { dev }]) => at.lastIndexOf('node_modules/') === 0 && !dev)
  for (const [at] of outermost) {
    const from = path.join(checkout, at)
    if (existsSync(from)) await cp(from, path.join(app, at), { recursive: true })
  }
  await cp(path.join(checkout, 'node_modules/.package-lock.json'), path.join(app, 'node_modules/.package-lock.json'))
  for (const name of readdirSync(path.join(app, 'node_modules'))) {
    if (name.startsWith('node-linux-')) await rm(path.join(app, 'node_modules', name), { recursive: true })
  }
  if (process.getuid?.() !== 0) await chmod(app, 0o555)
  const port = String(await freePort())
  const image = Object.fromEntries(
    instructions('ENV').flatMap((line) => line.split(' ').map((each) => each.split('='))),
  )
  const env = {
    PATH: process.env.PATH,
    ...image,
    HOST: '127.0.0.1',
    PORT: port,
    DATA_DIR: path.join(folder, 'data'),
    SAMPLE: 'off',
  }
  await mkdir(env.DATA_DIR)
  const [, check] = /CMD \["node", "-e", (".*")\]/.exec(instructions('HEALTHCHECK')[0]!)!
  const healthy = () =>
    new Promise<boolean>((resolve) =>
      spawn(process.execPath, ['-e', JSON.parse(check!) as string], { env, stdio: 'ignore' }).once('exit', (code) =>
        resolve(code === 0),
      ),
    )
  assert.equal(await healthy(), false, 'nothing listens yet')
  const [, script = ''] = JSON.parse(instructions('ENTRYPOINT')[0]!) as string[]
  const words = JSON.parse(instructions('CMD').at(-1)!) as string[]
  const service = spawn(process.execPath, [script, ...words], { cwd: app, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  service.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const ended = new Promise<number | null>((resolve) => service.once('exit', resolve))
  t.after(async () => {
    service.kill('SIGKILL')
    await ended
  })
  // Each health check starts a process, so the test does not repeat health checks while it waits.
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until('the service listens or has ended', async () => service.exitCode !== null || (await answers()), 120_000)
  assert.equal(service.exitCode, null, errors)
  assert.equal(await healthy(), true)
  service.kill('SIGTERM')
  assert.equal(await ended, 0)
  if (process.getuid?.() !== 0) await chmod(app, 0o755)
})

test('the systemd units name existing commands, settings and units', () => {
  assert.deepEqual(units, [
    'openfilings-follow.service',
    'openfilings-ingest.service',
    'openfilings-ingest.timer',
    'openfilings.service',
  ])
  const page = read('docs/operating/installing.md')
  for (const unit of units) {
    assert.ok(page.includes(unit), unit)
    const text = read(`deploy/${unit}`)
    for (const [, line] of text.matchAll(/^ExecStart=\/opt\/openfilings\/bin\/openfilings (.*)$/gm))
      assertCommand(line!)
    for (const [, name] of text.matchAll(/^Environment=(\w+)=/gm)) assert.ok(settings.has(name!), name!)
    for (const [name] of text.matchAll(/openfilings[\w-]*\.(?:service|timer)/g)) assert.ok(units.includes(name), name)
  }
  for (const option of ['--prefix /opt/openfilings', '/etc/openfilings.env', '/var/lib/openfilings', '--system']) {
    assert.ok(page.includes(option), option)
  }
})

const analyze = '/usr/bin/systemd-analyze'
test('systemd reads the units without a warning, and rates the exposure of all services as low', {
  skip: existsSync(analyze) ? false : 'needs systemd-analyze',
}, async (t) => {
  const folder = await temporaryFolder(t)
  const files = units.map((unit) => path.join(folder, unit))
  // The check looks for the program `openfilings`, which is not installed here.
  for (const file of files) {
    await writeFile(
      file,
      read(`deploy/${path.basename(file)}`).replaceAll('/opt/openfilings/bin/openfilings', process.execPath),
    )
  }
  assert.equal(execFileSync('sh', ['-c', `"${analyze}" verify "$@" 2>&1`, 'sh', ...files], { encoding: 'utf8' }), '')
  for (const file of files.filter((each) => each.endsWith('.service'))) {
    const args = ['security', '--offline=yes', '--threshold=20', '--no-pager', file]
    assert.match(execFileSync(analyze, args, { encoding: 'utf8' }), /Overall exposure level .*: 1\.\d OK/)
  }
})
