/**
 * The package as npm packs it: its content, and its use after installation.
 *
 * @ci it packs, installs and serves the package
 * @early it takes a minute
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import type { Lock } from '../../src/commands/notices.ts'
import { freePort } from '../support/command.ts'
import { windows } from '../support/embedded/scene.ts'
import { smallSample } from '../support/small-checkout.ts'
import { until } from '../support/until.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

const read = (file: string) => readFileSync(path.join(checkout, file), 'utf8')
const { packages } = JSON.parse(read('package-lock.json')) as Lock

const exec = promisify(execFile)

interface Packed {
  filename: string
  files: { path: string; size: number }[]
}

// The package is packed once and installed with all its dependencies from the registry, then once more without the two
// largest packages.
test('the packed npm package', { skip: windows }, async (t) => {
  const folder = await temporaryFolder(t)
  // Runs the commands as in a new shell: the variables that `npm test` sets for its scripts must not apply here.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  const env = { ...Object.fromEntries(own), npm_config_update_notifier: 'false', npm_config_audit: 'false' }
  const npm = (args: string[]) => exec('npm', args, { cwd: folder, env })
  const { stdout } = await npm(['pack', checkout, '--json', '--ignore-scripts', '--pack-destination', folder])
  const [{ filename, files }] = Object.values(JSON.parse(stdout)) as [Packed]
  const names = files.map((file) => file.path)

  await t.test('contains all files that its pages link to, and no files for development', () => {
    const pages = names.filter((name) => name.endsWith('.md'))
    assert.ok(pages.includes('README.md') && pages.includes('CHANGELOG.md') && pages.includes('SECURITY.md'))
    for (const page of pages) {
      for (const [, target] of read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
        const to = path.posix.join(path.posix.dirname(page), target!)
        assert.ok(
          names.some((name) => name === to || name.startsWith(`${to}/`)),
          `${page} links to ${to}`,
        )
      }
    }
    const ofSample = readdirSync(path.join(checkout, 'sample'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(checkout, path.join(entry.parentPath, entry.name)))
    assert.ok(ofSample.length > 300)
    assert.deepEqual(names.filter((name) => name.startsWith('sample/')).sort(), ofSample.sort())
    const data = globSync('src/**/*.{tsv,sql}', { cwd: checkout }).map((file) => file.replaceAll('\\', '/'))
    assert.deepEqual(names.filter((name) => /^src\/.*\.(tsv|sql)$/.test(name)).sort(), data.sort())
    for (const name of names) assert.doesNotMatch(name, /\.test\.|^test\/|\/fixtures\/|node_modules|^data\//)
    const large = files.filter(({ size }) => size > 200_000).map((file) => file.path)
    assert.deepEqual(large, ['generated/examples.json', 'generated/openapi.json'])
    const size = files.reduce((sum, file) => sum + file.size, 0)
    // 13.0 MB at the end of November 2026, of which 7.2 are `src` and 2.3 the OpenAPI document with its examples.
    assert.ok(size < 13_500_000, `${size} bytes`)
  })

  const tarball = path.join(folder, filename)
  await t.test('installs in a folder without warnings, serves its sample and stops', async (t) => {
    assertSilent(await npm(['install', '--ignore-scripts', tarball]))
    // The sample in this package is complete, as the previous test shows: a few of its filings are loaded.
    const bundled = path.join(folder, 'node_modules/openfilings/sample')
    assert.ok(existsSync(bundled))
    await rm(bundled, { recursive: true })
    await smallSample(bundled)
    const { url, key } = await served(t, path.join(folder, 'node_modules/.bin/openfilings'), {
      SAMPLE: 'on',
      DATA_DIR: path.join(folder, 'data'),
    })
    const found = await fetch(`${url}/v1/filings?limit=3`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(((await found.json()) as { rows: unknown[] }).rows.length, 3)
  })

  await t.test(
    'names the line that installs the client of an archive in a bucket, and this line installs it',
    async () => {
      const command = path.join(folder, 'node_modules/.bin/openfilings')
      const settings = { ARCHIVE_URL: 's3://filings', ARCHIVE_ENDPOINT: 'http://127.0.0.1:1', DATA_DIR: folder }
      const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hunter2' }
      const words = async () => {
        const failed = await exec(command, ['archive', 'verify'], {
          cwd: folder,
          env: { PATH: process.env.PATH, ...settings, ...keys },
        }).then(
          () => assert.fail('the command succeeded'),
          (error: { code: number; stderr: string }) => error,
        )
        assert.equal(failed.code, 1)
        return failed.stderr
      }
      const [, install] = /^.*ARCHIVE_URL needs the client of S3 .*: run "npm (ci --prefix .*)"\n$/.exec(await words())!
      await npm(install!.split(' '))
      assert.match(await words(), /^openfilings: s3:\/\/filings\/ could not list its objects: .*ECONNREFUSED/m)
    },
  )

  await t.test('installs globally below a prefix with unusual characters, serves its sample and stops', async (t) => {
    const prefix = path.join(folder, 'für alle')
    const options = ['--ignore-scripts', '--cpu=ia32', '--prefer-offline', '--prefix', prefix]
    assertSilent(await npm(['install', '--global', ...options, tarball]))
    // The packages of Node and PostgreSQL are copied from the first installation, because npm needs most of its time
    // for them.
    const own = path.join(prefix, 'lib/node_modules/openfilings/node_modules')
    for (const [name, { optional, dev }] of Object.entries(packages)) {
      if (!optional || dev) continue
      const from = path.join(folder, name)
      if (existsSync(from)) await cp(from, path.join(own, path.relative('node_modules', name)), { recursive: true })
    }
    await served(t, path.join(prefix, 'bin/openfilings'), { SAMPLE: 'off', DATA_DIR: path.join(folder, 'empty') })
  })
})

/** npm's remark on the user's own settings does not concern the package. */
function assertSilent({ stderr }: { stderr: string }) {
  assert.equal(stderr.replace(/^npm warn Unknown .* config .*\n/gm, ''), '')
}

/**
 * Serves, requests routes without a key, and stops after the test. A hook of this test would remove the folder before
 * the stop, and a server without its folder reports that and fails.
 */
async function served(t: TestContext, command: string, settings: { SAMPLE: 'on' | 'off'; DATA_DIR: string }) {
  const port = await freePort()
  const child = spawn(command, ['serve', '--port', String(port)], {
    cwd: path.dirname(settings.DATA_DIR),
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  t.after(async () => {
    try {
      child.kill('SIGTERM')
      assert.equal(await ended, 0, text)
      assert.match(text, /\nstopping\n/)
    } finally {
      // Kills the launcher, and the server that the launcher started.
      if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
    }
  })
  const message =
    settings.SAMPLE === 'on' ? /^Try:\n( {2}curl .*\n)+\n/m : /OpenFilings listens at .*, but nothing is loaded/
  await until('the server is ready or has ended', () => message.test(text) || child.exitCode !== null, 120_000)
  assert.match(text, message)
  const url = `http://127.0.0.1:${port}`
  // Routes that read files of the package: pages, their scripts, examples and prose.
  for (const address of ['/healthz', '/', '/docs', '/docs/guides/private-marks', '/llms.txt', '/v1/openapi.json'])
    assert.equal((await fetch(url + address)).status, 200, address)
  return { url, key: /Bearer (of_\w+)/.exec(text)?.[1] }
}
