/** Rebuilds after code changes: a dataset's rows depend only on the modules that its parser and its refresh import. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import formd from '../../src/datasets/formd/index.ts'
import { messageOf } from '../../src/declare/errors.ts'
import registry from '../../src/registry.ts'
import { codeDigests, type Module, moduleIn } from '../../src/store/code.ts'
import { textOfSql } from '../../src/store/code-tokens.ts'
import { definitionOf, migrate } from '../../src/store/schema.ts'
import { freshDatabase } from '../support/database.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

const entries = registry.datasets.flatMap(({ slug, parser, refreshed }) =>
  [parser, refreshed]
    .flatMap((url) => url ?? [])
    .map((url) => ({ slug, file: path.relative(checkout, fileURLToPath(url)) })),
)

/** Returns the modules that Node loads for these files, each with its imports. */
function loadedByNode(files: readonly string[]): Map<string, Set<string>> {
  const onDemand = files.flatMap((file) =>
    Array.from(
      readFileSync(path.join(checkout, file), 'utf8').matchAll(/\bawait import\('(\.[^']+)'\)/g),
      ([, to]) => [file, path.join(path.dirname(file), to!)] as const,
    ),
  )
  const all = [...files, ...onDemand.map(([, to]) => to)]
  const program = `
    import { registerHooks } from 'node:module'
    registerHooks({ resolve(name, context, next) {
      const found = next(name, context)
      if (found.url.startsWith('file:')) console.log(context.parentURL + ' ' + found.url)
      return found
    } })
    for (const url of ${JSON.stringify(all.map((file) => pathToFileURL(path.join(checkout, file)).href))}) await import(url)`
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  const imports = new Map<string, Set<string>>()
  const fileOf = (url: string) => (url.startsWith('file:') ? path.relative(checkout, fileURLToPath(url)) : url)
  for (const line of text.trim().split('\n')) {
    const [from, to] = line.split(' ').map((url) => fileOf(url)) as [string, string]
    if (to.startsWith('src')) imports.set(from, (imports.get(from) ?? new Set()).add(to))
  }
  for (const [file, to] of onDemand) imports.set(file, (imports.get(file) ?? new Set()).add(to))
  return imports
}

/** @param doors modules whose imports are not followed */
function reachedFrom(imports: Map<string, Set<string>>, from: string, doors: readonly string[]): Set<string> {
  const reached = new Set<string>()
  const enter = (file: string) => {
    if (reached.has(file) || doors.includes(file)) return
    reached.add(file)
    for (const next of imports.get(file) ?? []) enter(next)
  }
  enter(from)
  return reached
}

/**
 * Modules that re-export what other modules define. A digest includes only those other modules that define a requested
 * name.
 */
const DOORS = ['src/names.ts', 'src/stored-names.ts', 'src/read/xml.ts', 'src/read/json.ts'].map(path.normalize)

/** Keeps parsed modules by their text, because the digests of the whole code are computed some hundred times. */
const modules = new Map<string, Module>()

function moduleOf(text: string, url: string): Module {
  const key = `${path.extname(url)} ${text}`
  const known = modules.get(key)
  if (known) return known
  const module = moduleIn(text, url)
  modules.set(key, module)
  return module
}

let copied: string | undefined
after(() => copied && rmSync(copied, { recursive: true, force: true }))

/** A copy of the code that tests may change: all tests share the copy, and each test begins with the original code. */
function copyOfCode() {
  copied ??= mkdtempSync(path.join(tmpdir(), 'openfilings-code-'))
  const folder = copied
  const filesIn = (root: string) =>
    readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
  const own = new Set(filesIn(checkout))
  mkdirSync(path.join(folder, 'src'), { recursive: true })
  const there = new Set(filesIn(folder))
  for (const name of there) if (!own.has(name)) rmSync(path.join(folder, name))
  for (const name of own) {
    const [from, to] = [path.join(checkout, name), path.join(folder, name)]
    if (there.has(name) && readFileSync(from).equals(readFileSync(to))) continue
    mkdirSync(path.dirname(to), { recursive: true })
    copyFileSync(from, to)
  }
  /**
   * Digests of entries as the files are now.
   *
   * @param known modules by their address. A caller that keeps them from one call to the next removes the modules that
   *   it has changed. Reading all files takes most of the time of a call
   */
  const digests = (known = new Map<string, Module>()) => {
    const read = (url: string) => {
      const module = known.get(url) ?? moduleOf(readFileSync(new URL(url), 'utf8'), url)
      known.set(url, module)
      return module
    }
    const digestOf = codeDigests(undefined, read)
    return (name: string) => digestOf(pathToFileURL(path.join(folder, name)))
  }
  return { file: (name: string) => path.join(folder, name), digests, digest: (name: string) => digests()(name) }
}

test('a change of a module that a parser or a refresh imports, directly or indirectly, requires a rebuild; a change of another module does not', async () => {
  const imports = loadedByNode(entries.map(({ file }) => file))
  const all = [
    ...new Set([...entries.map((entry) => entry.file), ...[...imports.values()].flatMap((files) => [...files])]),
  ]
  const { file, digests } = copyOfCode()
  const changed = (text: string) => `${text}\nexport const changed = true\n`
  const texts = new Map(all.map((name) => [name, readFileSync(file(name), 'utf8')]))
  const unchanged = new Map<string, Module>()
  const write = (name: string, text: string) => {
    writeFileSync(file(name), text)
    unchanged.delete(pathToFileURL(file(name)).href)
  }
  const first = digests(unchanged)
  const known = entries.map((entry) => ({
    file: entry.file,
    before: first(entry.file),
    reached: reachedFrom(imports, entry.file, DOORS),
    reachedAll: reachedFrom(imports, entry.file, []),
  }))
  for (const entry of known) assert.ok(entry.reached.has(entry.file))
  for (const name of new Set(known.flatMap(({ reached }) => [...reached]))) {
    write(name, changed(texts.get(name)!))
    const now = digests(unchanged)
    for (const entry of known)
      if (entry.reached.has(name)) assert.notEqual(now(entry.file), entry.before, `${entry.file} reaches ${name}`)
    write(name, texts.get(name)!)
  }
  // Every module is changed, except the modules that the entry reaches.
  for (const [name, text] of texts) write(name, changed(text))
  for (const { file: entry, before, reachedAll } of known) {
    assert.ok(texts.size - reachedAll.size > 5)
    for (const name of reachedAll) write(name, texts.get(name)!)
    assert.equal(digests(unchanged)(entry), before, entry)
    for (const name of reachedAll) write(name, changed(texts.get(name)!))
  }
})

test('the digest of code includes the module that defines a name, and no module that only re-exports it', async () => {
  const { file, digest } = copyOfCode()
  const entry = 'src/datasets/formd/parse.ts'
  const before = digest(entry)
  for (const name of ['src/names.ts', 'src/names/search.ts', 'src/names/score.ts', 'src/names/dictionary.ts'])
    appendFileSync(file(name), '\nexport const changed = true\n')
  assert.equal(digest(entry), before)
  appendFileSync(file('src/names/words.ts'), '\nexport const changed = true\n')
  assert.notEqual(digest(entry), before, 'what stored.ts behind names.ts imports')
})

test('changes of comments, line ends, blank lines or the order of imports require no rebuild', async () => {
  const { file, digest } = copyOfCode()
  const before = entries.map((entry) => digest(entry.file))
  for (const name of loadedByNode(entries.map((entry) => entry.file)).keys()) {
    if (!name.startsWith('src')) continue
    const lines = readFileSync(file(name), 'utf8')
      .replaceAll(/^(import .* from '.*')$/gm, '$1 // another')
      .split('\n')
    const isImport = (line: string) => /^import .* from /.test(line)
    const turned = [...lines.filter(isImport).reverse(), ...lines.filter((line) => !isImport(line))]
    writeFileSync(file(name), `/* said otherwise: import a from 'b' */\n\n${turned.join('\n')}\n// and at the end`)
  }
  assert.deepEqual(
    entries.map((entry) => digest(entry.file)),
    before,
  )
})

test('a change of the SQL file of a refresh requires a rebuild, and a change of its comments does not', async () => {
  const { file, digest } = copyOfCode()
  const entry = 'src/datasets/adv/queries/refresh.ts'
  const before = digest(entry)
  const folder = 'src/datasets/adv/make'
  const files = readdirSync(file(folder)).map((name) => `${folder}/${name}`)
  assert.ok(files.length > 5)
  for (const name of files) {
    const text = readFileSync(file(name), 'utf8')
    writeFileSync(file(name), `/* another; */ ${text.replaceAll(/\s*--.*$/gm, '').replaceAll('\n', '\n\n')}`)
    assert.equal(digest(entry), before, name)
    writeFileSync(file(name), `${text}\nselect 1;`)
    assert.notEqual(digest(entry), before, name)
    writeFileSync(file(name), text)
  }
  renameSync(file(folder), file('src/datasets/adv/made'))
  const moved = file(entry)
  for (const name of [moved, file('src/datasets/adv/queries/outside.ts')])
    writeFileSync(name, readFileSync(name, 'utf8').replaceAll("URL('../make/", "URL('../made/"))
  assert.equal(digest(entry), before)
  writeFileSync(moved, `const at = 'x'\nnew URL('made/newest.sql', at)`)
  assert.throws(
    () => digest(entry),
    (error: Error) => /newest\.sql' is not named by/.test(messageOf(error)),
  )
})

test('a change of a data file next to a refresh or parser that reads it requires a rebuild', async () => {
  const { file, digest } = copyOfCode()
  const maps = ['ncen', 'nmfp', 'nport'].flatMap((slug) => {
    const folder = `src/datasets/${slug}/sets`
    const data = readdirSync(file(folder)).filter((name) => name.endsWith('.tsv'))
    assert.ok(data.length > 0, slug)
    return data.map((name) => [`${folder}/filing.ts`, `${folder}/${name}`] as const)
  })
  for (const [entry, data] of [
    ['src/products/securities/queries/refresh.ts', 'src/products/securities/aliases.tsv'],
    ['src/datasets/eightk/filing.ts', 'src/datasets/eightk/officers/lexicon.tsv'],
    ...maps,
  ] as const) {
    const before = digest(entry)
    appendFileSync(file(data), '# remark\n')
    assert.notEqual(digest(entry), before, data)
  }
})

test('the digest of SQL keeps blanks and dashes within quoted texts', () => {
  assert.equal(textOfSql('select \'a  -- b\', "c  d"  -- e\n\n/* f */ from g'), `select 'a  -- b', "c  d" from g`)
  assert.equal(textOfSql("select 'it''s -- so' -- '\n- 1 / 2"), `select 'it''s -- so' - 1 / 2`)
})

test('moving a module to another path requires no rebuild', async () => {
  const { file, digest } = copyOfCode()
  const before = digest('src/datasets/rega/parse.ts')
  renameSync(file('src/read/fold.ts'), file('src/names/folded.ts'))
  for (const [name, from, to] of [
    ['src/names/words.ts', '../read/fold.ts', './folded.ts'],
    ['src/datasets/rega/parse.ts', '../../read/fold.ts', '../../../names/folded.ts'],
  ] as const) {
    const text = readFileSync(file(name), 'utf8')
    assert.ok(text.includes(from))
    writeFileSync(file(name), text.replace(from, to))
  }
  mkdirSync(file('src/datasets/moved'))
  renameSync(file('src/datasets/rega'), file('src/datasets/moved/a'))
  const folder = file('src/datasets/moved/a')
  for (const name of readdirSync(folder).filter((each) => /^parse.*\.ts$/.test(each))) {
    const text = readFileSync(path.join(folder, name), 'utf8')
    writeFileSync(
      path.join(folder, name),
      text.replaceAll(/'..\/..\/(stored-names.ts|read\/(?:industry|values).ts)'/g, "'../../../$1'"),
    )
  }
  assert.equal(digest('src/datasets/moved/a/parse.ts'), before)
})

test('another version of a package requires a rebuild of the datasets whose code imports the package', async (t) => {
  const folder = await temporaryFolder(t)
  const project = pathToFileURL(path.join(folder, 'package.json'))
  const text = readFileSync(path.join(checkout, 'package.json'), 'utf8')
  const digests = (version: string) => {
    writeFileSync(project, text.replace(/("zipcodes": )"[^"]+"/, `$1"${version}"`))
    const digest = codeDigests(project)
    return ['adv/queries/refresh.ts', 'adv/parse.ts'].map((name) =>
      digest(pathToFileURL(path.join(checkout, 'src/datasets', name))),
    )
  }
  const [refresh, parse] = digests('1.2.3')
  assert.deepEqual(digests('1.2.3'), [refresh, parse])
  const [other, same] = digests('1.2.4')
  assert.notEqual(other, refresh)
  assert.equal(same, parse)
})

test('the parser of imports finds modules and names in every form of import and export', async (t) => {
  const folder = await temporaryFolder(t)
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
  const digest = () => codeDigests()(pathToFileURL(path.join(folder, 'entry.ts')))
  /** Tests whether the digest of the entry depends on b.ts. */
  const follows = (entry: string) => {
    write('entry.ts', entry)
    write('b.ts', 'export const b = 1')
    const before = digest()
    write('b.ts', 'export const b = 2')
    return digest() !== before
  }
  write('door.ts', "export { b as c, type D } from './b.ts'\nexport const own = 1")
  write('all.ts', "export * from './b.ts'")
  write('space.ts', "export * as b from './b.ts'")
  for (const entry of [
    "import './b.ts'",
    "import b from './b.ts'",
    "import * as b from './b.ts'",
    "import b, { c } from './b.ts'",
    "import {\n  type A,\n  b as c, // why\n} from './b.ts'",
    "import type, { b } from './b.ts'",
    "import { type as b } from './b.ts'",
    "const b = await import('./b.ts')",
    "import { createRequire } from 'node:module'\nconst b = createRequire(import.meta.url)('./b.ts')",
    "import { c } from './door.ts'",
    "import * as door from './door.ts'",
    "import { b } from './all.ts'",
    "import { b } from './space.ts'",
    "const a = (1 + 2) / 3, p = /'[/\"]/ // '\nimport './b.ts'",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code as text
    "const a = x! / 2\nconst b = `a ${`b ${'`'} ${{ c: '}' }}`} import './a.ts'`\nimport './b.ts'",
    "if (!/'/.test(x)) y()\nimport './b.ts'",
  ])
    assert.ok(follows(entry), entry)
  for (const entry of [
    "import type { B } from './b.ts'",
    "import { type B } from './b.ts'\nconst a = 1",
    "export type { B } from './b.ts'",
    "import { own } from './door.ts'",
    "// import './b.ts'",
    "const a = `\nimport './b.ts'\n`",
    'const a = \'import("./b.ts")\'',
    "a.import('./b.ts')",
  ])
    assert.ok(!follows(entry), entry)
  const reachedBy = (entry: string) => {
    write('entry.ts', entry)
    return digest()
  }
  assert.notEqual(reachedBy("import { a as c } from './b.ts'"), reachedBy("import { b as c } from './b.ts'"))
  assert.notEqual(reachedBy('const a = `x  y`'), reachedBy('const a = `x y`'), 'blanks of a text count')
})

test('an import that cannot be read is an error that names the module and the reason', async (t) => {
  const folder = await temporaryFolder(t)
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
  const refusal = (entry: string): string => {
    write('entry.ts', entry)
    try {
      codeDigests()(pathToFileURL(path.join(folder, 'entry.ts')))
    } catch (error) {
      return messageOf(error)
    }
    return 'none'
  }
  write('circle.ts', "import { a } from './entry.ts'")
  for (const [entry, reason] of [
    ['const a = await import(name)', /entry\.ts: .*named by a string, not by name/],
    ["const a = require('x')", /entry\.ts: .*require\(…\) without createRequire/],
    ["import { createRequire } from 'node:module'\nconst r = createRequire(import.meta.url)", /must load a module in the same expression/], // biome-ignore format: a table
    ["import { a } from 'nowhere'", /entry\.ts imports nowhere, which is not a package of the project/],
    ["import { a } from './missing.ts'", /missing\.ts: .*ENOENT/],
    ["import { a } from './circle.ts'", /entry\.ts imports itself through other modules/],
    ["import defer * as a from './b.ts'", /an import that cannot be read: import defer \*/],
    ["import { a from './b.ts'", /braces that do not end|an import that cannot be read/],
    ["const a = 1\nconst b = 'x", /line 2: a string does not end in its line/],
    ['const a = `x', /a template does not end/],
    ['const a = `x ${1', /a template does not end/],
    ['const a = /x', /a pattern does not end in its line/],
    ['const a = {} / 2', /a slash after a brace/],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code as text
    ["const a = `${await import('./b.ts')}`", /a template imports/],
    ['/* a', /a comment does not end/],
  ] as const)
    assert.match(refusal(entry), reason, entry)
})

test('a changed parser makes the stored rows outdated, and migrate reports this', async (t) => {
  const { sql } = await freshDatabase(t)
  await migrate(sql, [formd])
  const other = { ...formd, parser: new URL('../../src/datasets/x17a5/parse.ts', import.meta.url) }
  const [now, then] = [definitionOf(formd), definitionOf(other)]
  assert.deepEqual([then.ddlHash === now.ddlHash, then.parserHash === now.parserHash], [true, false])
  assert.deepEqual(await migrate(sql, [formd]), [])
  assert.deepEqual(
    (await migrate(sql, [other])).map(({ reason }) => reason),
    ['parser'],
  )
})
