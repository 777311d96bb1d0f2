/** Statements of the documents that a program can check. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { generated } from '../../src/commands/generate-work.ts'
import registry from '../../src/registry.ts'
import { readExamples } from '../../src/serve/examples.ts'
import { checkout } from '../support/world.ts'

const read = (file: string) => readFileSync(path.join(checkout, file), 'utf8')
const roomPages = globSync('src/**/README.md', { cwd: checkout }).map((file) => file.replaceAll('\\', '/'))
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  'bench/results.md',
  ...globSync('clients/**/README.md', { cwd: checkout, exclude: ['**/node_modules/**'] }).map((file) =>
    file.replaceAll('\\', '/'),
  ),
  'vendor/postgres/PATCHES.md',
  'generated/README.md',
  ...globSync('docs/**/*.md', { cwd: checkout }).map((file) => file.replaceAll('\\', '/')),
  ...roomPages,
]
const manifest = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies' | 'peerDependencies' | 'scripts',
  Record<string, string>
>

test('generated files agree with the declarations', async () => {
  for (const [file, text] of Object.entries(await generated(registry, await readExamples()))) {
    assert.ok(read(file) === text, `${file} is outdated: run "npm run generate"`)
  }
})

test('generated files, and no other files, are marked as generated', () => {
  const marked = [...read('.gitattributes').matchAll(/^(\S+) linguist-generated$/gm)].map(([, pattern]) => pattern!)
  const found = globSync(marked, { cwd: checkout }).map((file) => file.replaceAll('\\', '/'))
  const folders = ['generated/*', 'clients/*/src/generated/*', 'clients/*/src/*/generated/*.py']
  const here = globSync(folders, { cwd: checkout }).map((file) => file.replaceAll('\\', '/'))
  const written = here.filter((file) => !/(?:^generated\/README\.md|\/__init__\.py)$/.test(file))
  assert.deepEqual(found.sort(), [...written, 'THIRD_PARTY_NOTICES.md', 'package-lock.json'].sort())
})

test('every dependency has its reason in one line, and every reason is about a dependency', () => {
  const page = read('docs/dependencies.md')
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest
  const installed = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies }
  const names = [...Object.keys(installed), ...readdirSync(path.join(checkout, 'vendor'))]
  const argued = [...page.matchAll(/`(@?[\w./*-]+)`/g)].map(([, name]) => name!)
  for (const name of names) {
    const scope = `${name.split('/')[0]}/*`
    assert.ok(argued.includes(name) || argued.includes(scope), `${name} is not argued in docs/dependencies.md`)
  }
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  for (const row of rows) {
    for (const [, name] of row.split('|')[1]!.matchAll(/`([^`]+)`/g)) {
      assert.ok(name!.endsWith('/*') || names.includes(name!), `${name} is argued but not a dependency`)
    }
  }
})

test('dependencies are pinned to one version, and the lock file names no host', () => {
  for (const version of Object.values({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  })) {
    assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/)
  }
  for (const lock of ['package-lock.json', 'deploy/s3-client/package-lock.json', 'test/support/s3/package-lock.json'])
    assert.doesNotMatch(read(lock), /"resolved"/, lock)
})

test('every link between pages has an existing target', () => {
  for (const page of pages) {
    for (const [, target] of read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      assert.ok(existsSync(path.join(checkout, path.dirname(page), target!)), `${page} links to ${target}`)
    }
  }
})

test('operating/loading.md describes each collection of files that ingest accepts, and each event that --json writes', () => {
  const page = read('docs/operating/loading.md')
  for (const { source } of registry.bulk)
    assert.ok(page.includes(`\n\`openfilings ingest ${source.collection}`), source.collection)
  const documented = [...page.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(([, names]) => names!.match(/\w+/g)!)
  const commands = globSync('src/commands/**/*.ts', { cwd: checkout }).map(read).join('\n')
  const written = [...commands.matchAll(/event: '(\w+)'/g)].map(([, event]) => event!)
  assert.deepEqual(
    [...new Set(written)].filter((event) => !documented.includes(event)),
    [],
  )
})

test('every npm script that a page names exists', () => {
  for (const page of pages) {
    for (const [, script] of read(page).matchAll(/npm run (?:--silent )?([\w-]+)/g))
      assert.ok(manifest.scripts[script!], `${page}: ${script}`)
  }
})

const files = globSync(['*', '.ci/*', '{bench,bin,clients,deploy,docs,generated,sample,src,test,vendor}/**'], {
  cwd: checkout,
  exclude: ['**/node_modules/**'],
}).map((file) => file.replaceAll('\\', '/'))

/** Tests whether the repository has a file or folder of this name; `*` and `<…>` match any text without a slash. */
function isThere(name: string, folders: readonly string[]): boolean {
  const [literal, ...others] = name
    .replace(/\/$/, '')
    .split(/\*|<[^>]*>/)
    .map((part) => part.replaceAll('.', '\\.'))
  const pattern = new RegExp(`^(?:${folders.join('|')})${[literal, ...others].join('[^/]*')}$`)
  return files.some((file) => pattern.test(file))
}

test('every file and folder of the repository that a page names exists', () => {
  const roots = new Set(files.filter((file) => /^(?:src\/)?[^/]+$/.test(file)).map((file) => path.basename(file)))
  const foreign = [
    'node_modules/.bin',
    'pg-symlinks.json',
    'claude_desktop_config.json',
    '.cursor/mcp.json',
    '.vscode/mcp.json',
    'opencode.json',
    // A folder that the service makes.
    'data/api-key',
  ]
  let named = 0
  for (const page of pages) {
    // The last cell of a numbered convention names files of another project, from which the convention was taken.
    const text = read(page).replace(/^(\| \d+ \|.*)\|[^|]*\|$/gm, '$1|')
    for (const [, name] of text.matchAll(/`((?:\w|\.\w+\/)[\w.*<>/-]*)`/g)) {
      const [first, ...rest] = name!.split('/')
      const isFile = /\.(?:json|md|mjs|sql|ts|tsv|xml)$/.test(name!)
      if ((!isFile && (rest.length === 0 || !roots.has(first!))) || foreign.includes(name!)) continue
      named += 1
      const folders =
        rest.length > 0 && rest[0] !== ''
          ? ['', 'src/', `${path.dirname(page)}/`]
          : ['', '(?:src|test|clients)/(?:.*/)?', `${path.dirname(page)}/`]
      assert.ok(isThere(name!, folders), `${page}: ${name}`)
    }
  }
  assert.ok(named > 60, `${named} were looked for`)
})

test('every folder of src is a room that architecture.md names, and has its own page', () => {
  const architecture = read('docs/architecture.md')
  const rooms = files.filter((file) => /^src\/[^/.]+$/.test(file))
  assert.ok(rooms.length > 10)
  for (const room of rooms) {
    assert.ok(roomPages.includes(`${room}/README.md`), `${room} has no README.md`)
    assert.ok(architecture.includes(`](../${room}/README.md)`), `docs/architecture.md does not name ${room}`)
  }
  assert.ok(architecture.split('\n').length <= 251, 'docs/architecture.md has more than 250 lines')
})

test('decisions are numbered without a gap, are listed, and state their context and when they must be reviewed', () => {
  const list = read('docs/decisions/README.md')
  const decisions = files.filter((file) => /^docs\/decisions\/\d/.test(file)).sort()
  assert.ok(decisions.length > 30)
  for (const [i, file] of decisions.entries()) {
    const number = String(i + 1).padStart(3, '0')
    const [, title] = /^# (\d{3}\. .+)\n/.exec(read(file)) ?? []
    assert.ok(
      title?.startsWith(`${number}. `) && path.basename(file).startsWith(`${number}-`),
      `${file} is not ${number}`,
    )
    assert.ok(list.includes(`- [${title}](${path.basename(file)})\n`), `docs/decisions/README.md does not list ${file}`)
    for (const part of ['Context', 'Decision', 'Revisit'])
      assert.match(read(file), new RegExp(`^\\*\\*${part}`, 'm'), file)
  }
})

test('every slice has a page in docs', () => {
  const folders = globSync('src/{datasets,products}/*/index.ts', { cwd: checkout }).map(path.dirname)
  assert.ok(folders.length >= registry.slices.length)
  for (const folder of folders) assert.ok(existsSync(path.join(checkout, folder, 'README.md')), folder)
})

test('paragraphs of all pages have at most five lines, and no line opens with Of, Whose or By which', () => {
  for (const page of [...pages, 'SECURITY.md', ...globSync('test/*.md', { cwd: checkout })]) {
    const text = read(page).replace(/^```.*?^```$/gms, '')
    for (const block of text.trimEnd().split(/\n\s*\n/)) {
      const lines = block.split('\n').filter((line) => !/^(?:[#|]| |- |\d+\. )/.test(line))
      assert.ok(lines.length <= 5, `${page}: ${lines[0]} and ${lines.length - 1} lines after it`)
      for (const line of lines) assert.doesNotMatch(line, /^(?:Of|Whose|By which)\b/, page)
    }
  }
})

test('every file that the list "Files" of a page in src names lies in its folder', () => {
  let named = 0
  for (const page of roomPages) {
    const list =
      read(page)
        .split(/^## /m)
        .find((part) => part.startsWith('Files\n')) ?? ''
    for (const [item] of list.matchAll(/^- `[^`]+`(?:, `[^`]+`)*/gm)) {
      for (const [, name] of item.matchAll(/`([^`]+)`/g)) {
        named += 1
        assert.ok(existsSync(path.join(checkout, path.dirname(page), name!)), `${page}: ${name}`)
      }
    }
  }
  assert.ok(named > 300, `${named} were looked for`)
})
