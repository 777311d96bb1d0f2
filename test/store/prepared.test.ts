/**
 * Results that are derived only from files are computed once for each state of the files, and a cached result of
 * another state is never used. Each case writes a small package, and new processes request its results, because a
 * process does not trust files that changed after its start.
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { noOrdinary, ordinary, windows } from '../support/embedded/scene.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

const run = promisify(execFile)

/** The coarsest file systems store times in steps of two seconds. */
const STEP_MS = 2_200

const FILES = {
  'src/a.ts': 'export const a = 1\n',
  'src/datasets/b/index.ts': 'export const b = 1\n',
  'src/datasets/b/b.test.ts': 'test\n',
  'src/datasets/b/fixtures/1/primary_doc.xml': '<a/>\n',
  'src/store/migrations/001_core.sql': 'create table core.a (a text)\n',
  'package.json': '{ "version": "1.0.0" }\n',
  'package-lock.json': '{}\n',
  'node_modules/.package-lock.json': '{}\n',
}

/**
 * Prints the result for each root, and states whether the result was computed or cached. `wait`: continues when its
 * standard input ends.
 */
const PROGRAM = `
import { CODE, prepared } from ${JSON.stringify(path.join(checkout, 'src/store/prepared.ts'))}
import { readFileSync, writeFileSync } from 'node:fs'
const [how, ...roots] = process.argv.slice(1)
const told = []
for (const root of roots) {
  const folder = root + '/node_modules/.cache/openfilings'
  const a = root + '/src/a.ts'
  const loaded = readFileSync(a, 'utf8')
  if (how === 'wait') { console.log('loaded'); for await (const _ of process.stdin); }
  let made = false
  const value = await prepared('a', CODE, () => {
    made = true
    if (how === 'change') writeFileSync(a, 'export const a = 3\\n')
    return { loaded }
  }, { root, folder })
  told.push({ made, loaded: value.loaded })
}
console.log(JSON.stringify(told))
`

const OPTIONS = ['--input-type=module', '-e', PROGRAM]

interface ChildReport {
  made: boolean
  loaded: string
}

/** Starts a new process for each of these packages. */
async function askAll(
  roots: readonly string[],
  { how = '', account = {} }: { how?: string; account?: object } = {},
): Promise<ChildReport[]> {
  const { stdout, stderr } = await run(process.execPath, [...OPTIONS, how, ...roots], account)
  assert.equal(stderr, '')
  return JSON.parse(stdout)
}

const ask = async (...[root, options]: [string, Parameters<typeof askAll>[1]?]) => (await askAll([root], options))[0]!

const kept = (root: string) => path.join(root, 'node_modules/.cache/openfilings/a.json')
const at = (root: string, file: string) => path.join(root, file)

/** All packages, created together so that one wait suffices for all. */
const folder = await temporaryFolder({ after })
const packages = new Map<string, string>()
function packageFor(name: string, files: Partial<Record<string, string>> = {}): string {
  const root = path.join(folder, name)
  for (const [file, text] of Object.entries({ ...FILES, ...files })) {
    if (text === undefined) continue
    mkdirSync(path.dirname(at(root, file)), { recursive: true })
    writeFileSync(at(root, file), text)
  }
  packages.set(name, root)
  return root
}

/** Changes of the files after which the cached result is not used. */
const CHANGES: Record<string, (root: string) => void> = {
  'a source of another size': (root) => appendFileSync(at(root, 'src/a.ts'), '// more\n'),
  'a source of the same size, whose modification time was set back': (root) => {
    const { atime, mtime } = statSync(at(root, 'src/a.ts'))
    writeFileSync(at(root, 'src/a.ts'), 'export const a = 2\n')
    utimesSync(at(root, 'src/a.ts'), atime, mtime)
  },
  'a source with another time': (root) => utimesSync(at(root, 'src/datasets/b/index.ts'), 1, 1),
  'a source in the place of another': (root) => {
    cpSync(at(root, 'src/a.ts'), at(root, 'src/c.ts'), { preserveTimestamps: true })
    renameSync(at(root, 'src/c.ts'), at(root, 'src/a.ts'))
  },
  'a new source': (root) => writeFileSync(at(root, 'src/datasets/b/parse.ts'), ''),
  'a source that is gone': (root) => rmSync(at(root, 'src/datasets/b/index.ts')),
  'a source that moved': (root) => renameSync(at(root, 'src/datasets/b'), at(root, 'src/datasets/c')),
  'another migration': (root) => appendFileSync(at(root, 'src/store/migrations/001_core.sql'), '-- more\n'),
  'one migration more': (root) => writeFileSync(at(root, 'src/store/migrations/002_more.sql'), ''),
  'another version of the package': (root) => writeFileSync(at(root, 'package.json'), '{ "version": "1.0.1" }\n'),
  'other packages to install': (root) => appendFileSync(at(root, 'package-lock.json'), '\n'),
  'other packages that are installed': (root) => appendFileSync(at(root, 'node_modules/.package-lock.json'), '\n'),
}

/** Damages after which the cache file is not used. */
const DAMAGES: Record<string, (file: string) => void> = {
  'a letter changed': (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('a = 1', 'a = 7')),
  'cut off': (file) => truncateSync(file, statSync(file).size - 5),
  'cut off in its first line': (file) => truncateSync(file, 10),
  empty: (file) => truncateSync(file, 0),
  'of another program': (file) => writeFileSync(file, '{"state":"x","value":{"loaded":"theirs"}}\n'),
  'too large': (file) => writeFileSync(file, Buffer.alloc(5_000_000)),
  'a link to itself elsewhere': (file) => {
    renameSync(file, `${file}.elsewhere`)
    symlinkSync(`${file}.elsewhere`, file)
  },
}

/** Permissions that let another account write the cache file. */
const DISTRUSTED: Record<string, (file: string) => void> = {
  'a file that others may write': (file) => chmodSync(file, 0o666),
  'a file that the group may write': (file) => chmodSync(file, 0o664),
  'a folder that others may write': (file) => chmodSync(path.dirname(file), 0o777),
  'a file of somebody else': (file) => chownSync(file, ordinary!.uid, ordinary!.gid),
  'a folder of somebody else': (file) => chownSync(path.dirname(file), ordinary!.uid, ordinary!.gid),
}
const isOfSomebody = (name: string) => name.endsWith('of somebody else')

for (const cases of [CHANGES, DAMAGES, DISTRUSTED]) for (const name of Object.keys(cases)) packageFor(name)
for (const name of ['kept', 'copied', 'tests', 'fresh', 'changing', 'waiting', 'many', 'unwritable', 'linked'])
  packageFor(name)
packageFor('not installed', { 'node_modules/.package-lock.json': undefined })
packageFor('a file instead of a folder', { 'node_modules/.cache': 'x' })
await sleep(STEP_MS)

/**
 * Requests the result of each package twice: the first request computes the result, and the second finds it cached.
 * @returns the roots of the packages
 */
async function keptInAll(names: readonly string[]): Promise<string[]> {
  const roots = names.map((name) => packages.get(name)!)
  for (const made of [true, false])
    assert.deepEqual(
      await askAll(roots),
      roots.map(() => ({ made, loaded: FILES['src/a.ts'] })),
    )
  return roots
}

const keptIn = async (name: string) => (await keptInAll([name]))[0]!

test('a result is cached for later processes, and only its owner can write the cache file', async () => {
  const root = await keptIn('kept')
  assert.equal((await ask(root)).made, false)
  assert.deepEqual(readdirSync(path.dirname(kept(root))), ['a.json'])
  if (!windows) assert.equal(statSync(kept(root)).mode & 0o777, 0o644)
})

test('a result is computed again after any change of sources, migrations, version or packages', async () => {
  const names = Object.keys(CHANGES)
  const roots = await keptInAll(names)
  for (const [n, change] of Object.values(CHANGES).entries()) change(roots[n]!)
  for (const [n, report] of (await askAll(roots)).entries())
    assert.deepEqual(report, { made: true, loaded: readFileSync(at(roots[n]!, 'src/a.ts'), 'utf8') }, names[n]!)
})

test('a change of only tests and fixtures keeps the cached result valid', async () => {
  const root = await keptIn('tests')
  appendFileSync(at(root, 'src/datasets/b/b.test.ts'), 'more\n')
  appendFileSync(at(root, 'src/datasets/b/fixtures/1/primary_doc.xml'), '<b/>\n')
  assert.equal((await ask(root)).made, false)
})

test('a copy of a package does not trust the cached result of the original', async () => {
  const root = await keptIn('copied')
  const copy = `${root} elsewhere`
  cpSync(root, copy, { recursive: true, preserveTimestamps: true })
  assert.equal((await ask(copy)).made, true)
  assert.equal((await ask(root)).made, false)
})

test('a package whose node_modules is a link to another package’s neither reads nor writes the cache there', async () => {
  const root = await keptIn('linked')
  const other = `${root} by a link`
  cpSync(root, other, { recursive: true, preserveTimestamps: true })
  rmSync(at(other, 'node_modules'), { recursive: true })
  symlinkSync(at(root, 'node_modules'), at(other, 'node_modules'))
  await sleep(STEP_MS)
  for (let starts = 0; starts < 2; starts++) assert.equal((await ask(other)).made, true)
  assert.equal((await ask(root)).made, false)
})

test('a cache file that is damaged or from another program is ignored and replaced', async () => {
  const names = Object.keys(DAMAGES)
  const roots = await keptInAll(names)
  for (const [n, damage] of Object.values(DAMAGES).entries()) damage(kept(roots[n]!))
  for (const made of [true, false])
    for (const [n, report] of (await askAll(roots)).entries())
      assert.deepEqual(report, { made, loaded: FILES['src/a.ts'] }, names[n]!)
  for (const [n, root] of roots.entries()) assert.ok(lstatSync(kept(root)).isFile(), names[n]!)
})

test('a cache file that another account could have written is ignored', { skip: windows }, async () => {
  const names = Object.keys(DISTRUSTED).filter((name) => !isOfSomebody(name) || !noOrdinary)
  const roots = await keptInAll(names)
  for (const [n, name] of names.entries()) DISTRUSTED[name]!(kept(roots[n]!))
  for (const [n, { made }] of (await askAll(roots)).entries()) assert.equal(made, true, names[n]!)
  // A file of the account itself replaces a file of another account; nothing is written to a folder of another account.
  for (const [n, { made }] of (await askAll(roots)).entries())
    assert.equal(made, names[n]!.startsWith('a folder'), names[n]!)
})

test('a result from files that changed less than two seconds before a start is not cached; a later start caches it', async () => {
  const root = packages.get('fresh')!
  writeFileSync(at(root, 'src/a.ts'), 'export const a = 2\n')
  assert.equal((await ask(root)).made, true)
  assert.ok(!existsSync(kept(root)))
  await sleep(STEP_MS)
  for (const made of [true, false]) assert.deepEqual(await ask(root), { made, loaded: 'export const a = 2\n' })
})

test('a result from files that changed after the start of the process is not cached', async () => {
  const root = packages.get('changing')!
  assert.deepEqual(await ask(root, { how: 'change' }), { made: true, loaded: FILES['src/a.ts'] })
  await sleep(STEP_MS)
  assert.deepEqual(await ask(root), { made: true, loaded: 'export const a = 3\n' })
})

test('a process whose files changed after its start does not use a result that another process cached for the new files', async (t) => {
  const root = packages.get('waiting')!
  const child = spawn(process.execPath, [...OPTIONS, 'wait', root], { stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'close')
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await once(child.stdout, 'data')
  writeFileSync(at(root, 'src/a.ts'), 'export const a = 2\n')
  await sleep(STEP_MS)
  for (const made of [true, false]) assert.equal((await ask(root)).made, made)
  child.stdin.end()
  await ended
  assert.deepEqual(JSON.parse(output.split('\n')[1]!)[0], { made: true, loaded: FILES['src/a.ts'] })
  assert.deepEqual(await ask(root), { made: false, loaded: 'export const a = 2\n' })
})

test('processes that write the cache at the same time all get the right result, and one complete file remains', async () => {
  const root = packages.get('many')!
  const all = await Promise.all(Array.from({ length: 12 }, () => ask(root)))
  for (const { loaded } of all) assert.equal(loaded, FILES['src/a.ts'])
  assert.deepEqual(readdirSync(path.dirname(kept(root))), ['a.json'])
  assert.equal((await ask(root)).made, false)
})

test('if the result cannot be stored, each start computes it again without a message', async (t) => {
  for (const name of ['not installed', 'a file instead of a folder']) {
    const root = packages.get(name)!
    if (name === 'not installed') rmSync(at(root, 'node_modules'), { recursive: true, force: true })
    for (let starts = 0; starts < 2; starts++) assert.equal((await ask(root)).made, true, name)
    assert.equal(existsSync(at(root, 'node_modules')), name !== 'not installed')
  }
  if (noOrdinary) return t.skip(noOrdinary)
  const root = packages.get('unwritable')!
  chmodSync(folder, 0o755)
  const account = { account: { ...ordinary } }
  for (let starts = 0; starts < 2; starts++) assert.equal((await ask(root, account)).made, true)
  // A result that the owner of the package cached is used by every account.
  for (const made of [true, false]) assert.equal((await ask(root)).made, made)
  assert.equal((await ask(root, account)).made, false)
})
