/** The installed package: the number of packages, their size, their Node versions, and their licences. */
import assert from 'node:assert/strict'
import { existsSync, globSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { type Lock, notices } from '../../src/commands/notices.ts'
import { windows } from '../support/embedded/scene.ts'
import { checkout } from '../support/world.ts'

const read = (file: string) => readFileSync(path.join(checkout, file), 'utf8')
const lock = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, Lock['packages'][string] & { os?: string[]; cpu?: string[]; engines?: { node?: string } }>
}
const packages = Object.entries(lock.packages).filter(([folder]) => folder !== '')
const forServing = packages.filter(([, { dev }]) => !dev)
const isOfHere = ([, { os, cpu }]: (typeof packages)[number]) =>
  (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch))

/** Returns the megabytes on disk, as `du` counts them. */
function megabytes(folder: string): number {
  const of = (at: string): number => {
    const { blocks, size } = lstatSync(at)
    const own = windows ? size : blocks * 512
    return lstatSync(at).isDirectory() ? readdirSync(at).reduce((sum, name) => sum + of(path.join(at, name)), own) : own
  }
  return of(folder) / 1024 / 1024
}

test('an installation for serving has fewer than 120 packages and less than 350 MB, and one for development fewer than 180', () => {
  const here = forServing.filter(isOfHere)
  assert.ok(here.length < 120, `${here.length} packages`)
  // 70 of these packages are installed for `oidc-provider`, the real provider at which tests sign in.
  const all = packages.filter(isOfHere).length
  assert.ok(all < 180, `${all} packages with those for development`)
  // A folder in a package's own node_modules is a separate package.
  const outermost = here.filter(([folder]) => folder.lastIndexOf('node_modules/') === 0)
  const sizes = outermost.map(([folder]) => [megabytes(path.join(checkout, folder)), folder] as const)
  const sum = sizes.reduce((total, [each]) => total + each, 0)
  assert.ok(sum > 150, 'the sum includes Node and PostgreSQL')
  assert.ok(sum < 350, `${Math.round(sum)} MB: ${sizes.sort().reverse().slice(0, 5).join('; ')}`)
})

test('every package installs without a warning on the oldest Node that the manifest names', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }
  assert.equal(engines.node, '20 || >=22')
  for (const [folder, { engines }] of packages) {
    // Tests whether the package accepts Node 20: by the major version alone, by an alternative, or by a lower bound.
    const met = (engines?.node ?? '*').split('||').some((range) => {
      const [, bound, major] = /^(>=|\^|)\s*v?(\d+)/.exec(range.trim().replace(/^>= /, '>=')) ?? [null, '>=', '0']
      return bound === '>=' ? Number(major) <= 20 : Number(major) === 20
    })
    assert.ok(met, `${folder} wants Node ${engines?.node}`)
  }
  assert.match(read('.npmrc'), /^ignore-scripts=true$/m)
})

test('the manifest packs all data that the code reads from files', () => {
  const { files } = JSON.parse(read('package.json')) as { files: string[] }
  const data = globSync('src/**/*.{tsv,sql}', { cwd: checkout })
  assert.ok(data.includes(path.join('src', 'datasets', 'ncen', 'sets', 'provider.tsv')))
  assert.ok(files.includes('src'))
  const left = files.filter((pattern) => pattern.startsWith('!'))
  const without = new Set(
    left.flatMap((pattern) => globSync([pattern.slice(1), `${pattern.slice(1)}/**`], { cwd: checkout })),
  )
  assert.ok(without.size > 100)
  assert.deepEqual(
    data.filter((file) => without.has(file)),
    [],
  )
})

test('a licence that is not on the allow-list, and a platform package without a description, stop the generator', async () => {
  await assert.rejects(
    notices({ packages: { 'node_modules/a': { version: '1.0.0', license: 'AGPL-3.0' } } }),
    /^Error: a 1\.0\.0 has the licence "AGPL-3\.0", which is not on the allow-list$/,
  )
  await assert.rejects(
    notices({ packages: { 'node_modules/b': { version: '2.0.0' } } }),
    /b 2\.0\.0 has the licence ""/,
  )
  await assert.rejects(
    notices({ packages: { 'node_modules/c': { version: '1.0.0', license: 'MIT', optional: true } } }),
    /no notice is known for `c` 1\.0\.0/,
  )
  await notices({ packages: { 'node_modules/d': { version: '1.0.0', license: 'AGPL-3.0', dev: true } } })
})

test('the notices contain the licence terms of every package of a production installation', () => {
  const page = read('THIRD_PARTY_NOTICES.md')
  for (const [folder, { version, optional }] of forServing) {
    const name = folder.replace(/^.*node_modules\//, '')
    assert.ok(page.includes(`\`${name}\` ${version}`), name)
    const file = path.join(checkout, folder, 'LICENSE')
    if (!optional && existsSync(file)) {
      assert.ok(page.includes(readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim()), `${name} without its terms`)
    }
  }
  for (const name of readdirSync(path.join(checkout, 'vendor'))) {
    const { version } = JSON.parse(read(`vendor/${name}/package.json`)) as { version: string }
    assert.ok(page.includes(`\`${name}\` ${version}`), name)
    assert.ok(page.includes(read(`vendor/${name}/UNLICENSE`).trim()), `${name} without its terms`)
  }
})
