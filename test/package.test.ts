/** The package as npm packs it: what is in it, how much it brings, and that it runs where it is installed. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { type Lock, notices } from '../src/commands/notices.ts'
import { freePort } from './command.ts'
import { windows } from './embedded/scene.ts'
import { smallSample } from './small-checkout.ts'
import { until } from './until.ts'
import { checkout, temporaryFolder } from './world.ts'

const read = (file: string) => readFileSync(path.join(checkout, file), 'utf8')
const lock = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, Lock['packages'][string] & { os?: string[]; cpu?: string[]; engines?: { node?: string } }>
}
const packages = Object.entries(lock.packages).filter(([folder]) => folder !== '')
const forServing = packages.filter(([, { dev }]) => !dev)
const isOfHere = ([, { os, cpu }]: (typeof packages)[number]) =>
  (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch))

/** MB on disk, as `du` counts them. */
function megabytes(folder: string): number {
  const of = (at: string): number => {
    const { blocks, size } = lstatSync(at)
    const own = windows ? size : blocks * 512
    return lstatSync(at).isDirectory() ? readdirSync(at).reduce((sum, name) => sum + of(path.join(at, name)), own) : own
  }
  return of(folder) / 1024 / 1024
}

test('an installation for serving has fewer than 120 packages and less than 350 MB, and so many packages one for working on it', () => {
  const here = forServing.filter(isOfHere)
  assert.ok(here.length < 120, `${here.length} packages`)
  assert.ok(
    packages.filter(isOfHere).length < 120,
    `${packages.filter(isOfHere).length} packages with those for development`,
  )
  // What lies in a package's own node_modules is a package of its own.
  const outermost = here.filter(([folder]) => folder.lastIndexOf('node_modules/') === 0)
  const sizes = outermost.map(([folder]) => [megabytes(path.join(checkout, folder)), folder] as const)
  const sum = sizes.reduce((total, [each]) => total + each, 0)
  assert.ok(sum > 150, 'Node and PostgreSQL are among them')
  assert.ok(sum < 350, `${Math.round(sum)} MB: ${sizes.sort().reverse().slice(0, 5).join('; ')}`)
})

test('every package installs without a warning on the oldest Node that the manifest names', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }
  assert.equal(engines.node, '20 || >=22')
  for (const [folder, { engines }] of packages) {
    // Node 20: a bare major, an or, or a bound from below that it meets.
    const met = (engines?.node ?? '*').split('||').some((range) => {
      const [, bound, major] = /^(>=|\^|)\s*v?(\d+)/.exec(range.trim().replace(/^>= /, '>=')) ?? [null, '>=', '0']
      return bound === '>=' ? Number(major) <= 20 : Number(major) === 20
    })
    assert.ok(met, `${folder} wants Node ${engines?.node}`)
  }
  assert.match(read('.npmrc'), /^ignore-scripts=true$/m)
})

test('a licence that nobody allowed, and a platform package of which nothing is said, stop the generator', async () => {
  await assert.rejects(
    notices({ packages: { 'node_modules/a': { version: '1.0.0', license: 'AGPL-3.0' } } }),
    /^Error: a 1\.0\.0 has the licence "AGPL-3\.0", which nobody allowed$/,
  )
  await assert.rejects(
    notices({ packages: { 'node_modules/b': { version: '2.0.0' } } }),
    /b 2\.0\.0 has the licence ""/,
  )
  await assert.rejects(
    notices({ packages: { 'node_modules/c': { version: '1.0.0', license: 'MIT', optional: true } } }),
    /nothing is said of `c` 1\.0\.0/,
  )
  await notices({ packages: { 'node_modules/d': { version: '1.0.0', license: 'AGPL-3.0', dev: true } } })
})

test('the notices carry the terms of every package that serves', () => {
  const page = read('THIRD_PARTY_NOTICES.md')
  for (const [folder, { version, optional }] of forServing) {
    const name = folder.replace(/^.*node_modules\//, '')
    assert.ok(page.includes(`\`${name}\` ${version}`), name)
    const file = path.join(checkout, folder, 'LICENSE')
    if (!optional && existsSync(file)) {
      assert.ok(page.includes(readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim()), `${name} without its terms`)
    }
  }
})

const exec = promisify(execFile)

interface Packed {
  filename: string
  files: { path: string; size: number }[]
}

// Packed once and installed with all it needs from the registry, then once more without the two packages that are most of it.
test('the package as it is packed', { skip: windows }, async (t) => {
  const folder = await temporaryFolder(t)
  // As in a shell of its own: what `npm test` sets for its scripts is not for these.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  const env = { ...Object.fromEntries(own), npm_config_update_notifier: 'false' }
  const npm = (args: string[]) => exec('npm', args, { cwd: folder, env })
  const { stdout } = await npm(['pack', checkout, '--json', '--ignore-scripts', '--pack-destination', folder])
  const [{ filename, files }] = Object.values(JSON.parse(stdout)) as [Packed]
  const names = files.map((file) => file.path)

  await t.test('it holds what its pages link to, and nothing that only work on it needs', () => {
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
    for (const name of names) assert.doesNotMatch(name, /\.test\.|^test\/|\/fixtures\/|node_modules|^data\//)
    const large = files.filter(({ size }) => size > 200_000).map((file) => file.path)
    assert.deepEqual(large, ['docs/datasets.md', 'openapi.json', 'src/serve/examples.json'])
    const size = files.reduce((sum, file) => sum + file.size, 0)
    assert.ok(size < 10_200_000, `${size} bytes`)
  })

  const tarball = path.join(folder, filename)
  await t.test('installed in a folder it warns of nothing, serves its sample and stops', async (t) => {
    assertSilent(await npm(['install', '--ignore-scripts', tarball]))
    // Its sample is whole, as the test before says: a few filings of it are loaded.
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

  await t.test('so it does installed for all, below a prefix that is no plain word', async (t) => {
    const prefix = path.join(folder, 'für alle')
    const options = ['--ignore-scripts', '--cpu=ia32', '--prefer-offline', '--prefix', prefix]
    assertSilent(await npm(['install', '--global', ...options, tarball]))
    // Node and PostgreSQL, which are for other processors and take npm most of the time, come from the first installation.
    const own = path.join(prefix, 'lib/node_modules/openfilings/node_modules')
    for (const [name] of forServing.filter(([, { optional }]) => optional)) {
      const from = path.join(folder, name)
      if (existsSync(from)) await cp(from, path.join(own, path.relative('node_modules', name)), { recursive: true })
    }
    await served(t, path.join(prefix, 'bin/openfilings'), { SAMPLE: 'off', DATA_DIR: path.join(folder, 'empty') })
  })
})

/** npm's word about the user's own settings is not about the package. */
function assertSilent({ stderr }: { stderr: string }) {
  assert.equal(stderr.replace(/^npm warn Unknown .* config .*\n/gm, ''), '')
}

/**
 * Serves, asks what needs no key, and stops after the test as it should. A folder of that very test would be removed before
 * it stops, and a server whose folder is gone says so and fails.
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
      // The launcher, and the server whose parent it is.
      if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
    }
  })
  const told =
    settings.SAMPLE === 'on' ? /^Try:\n( {2}curl .*\n)+\n/m : /OpenFilings listens at .*, but nothing is loaded/
  await until('it is ready', () => told.test(text) || child.exitCode !== null, 120_000)
  assert.match(text, told)
  const url = `http://127.0.0.1:${port}`
  // What the package reads from files of its own: pages, their scripts, examples and prose.
  for (const address of ['/healthz', '/', '/docs', '/llms.txt', '/v1/openapi.json'])
    assert.equal((await fetch(url + address)).status, 200, address)
  return { url, key: /Bearer (of_\w+)/.exec(text)?.[1] }
}
