/** Allowed imports (docs/architecture.md, "Who may import whom"). */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.resolve(import.meta.dirname, '../..')
const files = globSync('src/**/*.ts', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('.test.ts'))
const source = (file: string) => readFileSync(path.join(root, file), 'utf8')

interface Import {
  /** Project path, or the package's name. */
  target: string
  typeOnly: boolean
  /** Loaded only when the code runs, by `await import('…')`. */
  later: boolean
}

function importsOf(file: string): Import[] {
  const text = source(file)
  const targetOf = (specifier: string) =>
    specifier.startsWith('.') ? path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier)) : specifier
  const first = text.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[^'"]*?\sfrom\s+)?'([^']+)'/gm)
  const later = withoutComments(text).matchAll(/(\btypeof )?\bimport\('([^']+)'\)/g)
  return [
    ...[...first].map(([, type, name]) => ({ target: targetOf(name!), typeOnly: type !== undefined, later: false })),
    ...[...later].map(([, type, name]) => ({ target: targetOf(name!), typeOnly: type !== undefined, later: !type })),
  ]
}

/** Returns the slice's folder for a file in a slice, for example `src/datasets/formd` or `src/products/feed`. */
const sliceOf = (file: string) => /^src\/(?:datasets|products)\/[^/.]+/.exec(file)?.[0]

function refuse(of: (file: string) => boolean, allowed: (imported: Import, file: string) => boolean): void {
  const wrong = files.filter(of).flatMap((file) =>
    importsOf(file)
      .filter((imported) => !allowed(imported, file))
      .map((imported) => `${file} imports ${imported.target}`),
  )
  assert.deepEqual(wrong, [])
}

/** The other rooms from which each room may import; from the rooms after `types` it may import only types. */
const ROOMS: Record<string, { values: readonly string[]; types: readonly string[] }> = {
  declare: { values: ['misspelt.ts'], types: ['read', 'store'] },
  read: { values: [], types: [] },
  fetch: { values: ['declare'], types: [] },
  store: { values: ['declare', 'names.ts'], types: [] },
  names: { values: ['declare', 'read', 'store'], types: [] },
  archive: { values: ['declare', 'fetch', 'read', 'store'], types: [] },
  ingest: { values: ['archive', 'declare', 'fetch', 'names.ts', 'read', 'store'], types: [] },
  export: { values: ['declare', 'misspelt.ts', 'store'], types: [] },
  serve: { values: ['declare', 'export', 'ingest', 'misspelt.ts', 'names.ts', 'read', 'store'], types: [] },
  accounts: { values: ['declare', 'fetch', 'serve', 'store'], types: [] },
  pages: { values: ['accounts', 'declare', 'serve', 'store'], types: [] },
  mcp: { values: ['declare', 'fetch', 'misspelt.ts', 'pages', 'serve'], types: [] },
  webhooks: { values: ['declare', 'fetch', 'products', 'serve', 'store'], types: [] },
}
const roomOf = (file: string) => file.split('/')[1]!
const isOfRoom = (file: string) =>
  ROOMS[roomOf(file)] !== undefined || ['src/names.ts', 'src/stored-names.ts'].includes(file)

test('a room imports only rooms that come before it in the table', () => {
  refuse(
    (file) => ROOMS[roomOf(file)] !== undefined,
    ({ target, typeOnly }, file) => {
      const { values, types } = ROOMS[roomOf(file)]!
      const other = roomOf(target)
      return (
        !target.startsWith('src/') ||
        other === roomOf(file) ||
        values.includes(other) ||
        (typeOnly && types.includes(other))
      )
    },
  )
})

test('docs/architecture.md has the same table of rooms', () => {
  const [, table] = /^\| room \| imports .*?\n\|[-|]+\n(.*?)\n\n/ms.exec(source('docs/architecture.md'))!
  const listed = (cell: string) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name!)
  const rows = table!.split('\n').map((line) => line.split('|').slice(1, -1))
  const written = rows.map(([room, values, types]) => [
    listed(room!)[0],
    { values: listed(values!), types: listed(types!) },
  ])
  assert.deepEqual(Object.fromEntries(written), ROOMS)
})

test('there are no circular imports of values, even through modules that are loaded later', () => {
  const imports = new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter(({ typeOnly }) => !typeOnly)
        .map(({ target }) => target),
    ]),
  )
  const done = new Set<string>()
  const circles: string[] = []
  const follow = (file: string, way: readonly string[]) => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '))
    if (done.has(file) || way.includes(file)) return
    for (const next of imports.get(file) ?? []) follow(next, [...way, file])
    done.add(file)
  }
  for (const file of files) follow(file, [])
  assert.deepEqual(circles, [])
})

test('no command except archive loads the client of S3, which takes 0.24 s and 24 MB, without a bucket', () => {
  const reached = (from: string) => {
    const found = new Set([from])
    for (const file of found) {
      if (!files.includes(file)) continue
      for (const { target, typeOnly, later } of importsOf(file)) if (!typeOnly && !later) found.add(target)
    }
    return found
  }
  const starts = ['src/main.ts', ...files.filter((file) => /^src\/commands\/[^/]+\.ts$/.test(file))]
  const clients = starts.filter((file) => reached(file).has('src/archive/s3.ts'))
  assert.deepEqual(clients, ['src/commands/archive-work.ts'])
})

/**
 * Tests whether a file of a slice is `queries.ts`, `queries-list.ts` or a file in `queries/`; works in the same way for
 * other names.
 */
const isPart = (file: string, name: string) =>
  sliceOf(file) !== undefined && new RegExp(`^/${name}(?:[-/].*)?\\.ts$`).test(file.slice(sliceOf(file)!.length))

test('no circular import crosses rooms or slices, even if it imports only types', () => {
  const imports = new Map(files.map((file) => [file, importsOf(file).map(({ target }) => target)]))
  const reachedFrom = (file: string) => {
    const reached = new Set<string>()
    const waiting = [file]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const target of imports.get(next) ?? []) {
        if (reached.has(target)) continue
        reached.add(target)
        waiting.push(target)
      }
    }
    return reached
  }
  const reached = new Map(files.map((file) => [file, reachedFrom(file)]))
  const houseOf = (file: string) => sliceOf(file) ?? roomOf(file)
  const crossing = files.flatMap((file) =>
    [...reached.get(file)!]
      .filter((other) => houseOf(other) !== houseOf(file) && reached.get(other)?.has(file))
      .map((other) => `${file} and ${other} reach each other`),
  )
  assert.deepEqual(crossing, [])
})

/** Tests for the file that a slice publishes: `src/datasets/formd/views.ts`. */
const isViews = (file: string) => /^src\/(?:datasets|products)\/[^/]+\/views\.ts$/.test(file)

test('a slice imports only views of another slice; never the registry, the settings or the composition root', () => {
  refuse(
    (file) => sliceOf(file) !== undefined || /^src\/products\/[^/]+\.ts$/.test(file),
    ({ target }, file) =>
      !target.startsWith('src/') ||
      target === 'src/misspelt.ts' ||
      isOfRoom(target) ||
      isViews(target) ||
      (sliceOf(file) !== undefined && sliceOf(target) === sliceOf(file)),
  )
})

test('a parser imports only the types of its tables, its own parts, the readers and names', () => {
  refuse(
    (file) => file.startsWith('src/datasets/') && isPart(file, 'parse'),
    ({ target, typeOnly }, file) =>
      (roomOf(target) === 'read' && !target.startsWith('src/read/sgml/')) ||
      target === 'src/stored-names.ts' ||
      (sliceOf(target) === sliceOf(file) && target !== `${sliceOf(file)}/parse.ts` && isPart(target, 'parse')) ||
      (typeOnly &&
        (['zod', 'src/declare/documents.ts', 'src/declare/series.ts', 'src/declare/table.ts'].includes(target) ||
          target.startsWith(`${sliceOf(file)}/`))),
  )
})

test('parsers read CIKs, CRD numbers and accessions only with the readers of read/values.ts', () => {
  const own = files.filter(
    (file) =>
      /^src\/datasets\/[^/]+\/(parse|sets\/)/.test(file) &&
      /padStart\(10|\\d\{(1,)?(9|10)\}/.test(withoutComments(source(file))),
  )
  assert.deepEqual(own, [])
})

test('tables.ts and its parts import only declare/table.ts, the list of corpora and each other', () => {
  refuse(
    (file) => file.startsWith('src/datasets/') && isPart(file, 'tables'),
    ({ target }, file) =>
      ['src/declare/table.ts', 'src/declare/corpora.ts', 'zod'].includes(target) ||
      (sliceOf(target) === sliceOf(file) && target !== `${sliceOf(file)}/tables.ts` && isPart(target, 'tables')),
  )
})

test('views.ts imports only the functions that declare views, its own tables and rollups, and the views of other slices', () => {
  refuse(
    isViews,
    ({ target }, file) =>
      ['src/declare/table.ts', 'src/declare/view.ts', 'src/declare/amended.ts', 'zod'].includes(target) ||
      isViews(target) ||
      (sliceOf(target) === sliceOf(file) && (isPart(target, 'tables') || isPart(target, 'rollups'))),
  )
})

const isRoutes = (file: string) => path.posix.basename(file).startsWith('routes')

test('shapes of answers are in answers.ts, and neither answers.ts nor queries import routes', () => {
  refuse(
    (file) => isPart(file, 'answers') || isPart(file, 'queries'),
    ({ target }) => !isRoutes(target),
  )
})

test('SQL of a slice is in its queries, which import only the connection, pages, filters and errors', () => {
  const allowed = [
    'declare/amended',
    'declare/catalog',
    'declare/dataset',
    'declare/api-errors',
    'declare/errors',
    'declare/family-meant',
    'declare/quarter',
    'declare/route',
    'declare/spine',
    'declare/table',
    'ingest/filer-names',
    'misspelt',
    'names',
    'read/company-name',
    'read/fold',
    'read/industry',
    'read/securityid',
    'read/ticker',
    'serve/amended',
    'serve/count',
    'serve/details',
    'serve/filed',
    'serve/evidence',
    'serve/filings-of',
    'serve/filters',
    'serve/funds',
    'serve/keyset',
    'serve/lists',
    'serve/loaded',
    'serve/page',
    'serve/known',
    'serve/search/conditions',
    'serve/states',
    'serve/tickers',
    'serve/traded',
    'store/db',
    'store/file',
    'store/indexes',
  ].map((name) => `src/${name}.ts`)
  refuse(
    (file) => isPart(file, 'queries'),
    ({ target, typeOnly }, file) =>
      allowed.includes(target) || typeOnly || isViews(target) || target.startsWith(`${sliceOf(file)}/`),
  )
  const elsewhere = files.filter((file) => sliceOf(file) && !isPart(file, 'queries') && /\bsql`/.test(source(file)))
  assert.deepEqual(elsewhere, [])
})

const slices = new Set(files.flatMap((file) => sliceOf(file) ?? []))
const slugs = [...slices].map((folder) => path.posix.basename(folder))
const sqlFiles = globSync('src/{datasets,products}/*/**/*.sql', { cwd: root }).map((file) => file.replaceAll('\\', '/'))

test('SQL of a slice reads other slices only through their published views', () => {
  const written = [...sqlFiles, ...files.filter((file) => isPart(file, 'queries'))]
  const foreign = written.flatMap((file) => {
    const own = path.posix.basename(sliceOf(file) ?? '')
    const others = slugs.filter((slug) => slug !== own).join('|')
    const named = withoutComments(source(file)).matchAll(
      new RegExp(`\\b(?:from|join|into|update|analyze)\\s+(?:${others})\\.\\w+`, 'g'),
    )
    return [...named].map(([text]) => `${file}: ${text}`)
  })
  assert.deepEqual(foreign, [])
})

test('an SQL file names the tables of its slice without a schema, and does one thing in under 300 lines', () => {
  assert.ok(sqlFiles.length > 20)
  for (const file of sqlFiles) {
    const own = path.posix.basename(sliceOf(file)!)
    const code = source(file).replaceAll(/--.*$/gm, '')
    assert.doesNotMatch(code, new RegExp(`(?<!\\w)(?<!pub\\.)${own}\\.\\w`), file)
    assert.ok(source(file).split('\n').length <= 300, file)
  }
})

test('only commands, the composition root and tests import the registry', () => {
  refuse(
    (file) => !file.startsWith('src/commands/') && !['src/app.ts', 'src/database.ts'].includes(file),
    ({ target }) => target !== 'src/registry.ts',
  )
})

test('a module that declares a command imports only its own implementation, and only at run time; code that compares a database loads no slice', () => {
  const declares = (file: string) => files.includes(file.replace(/\.ts$/, '-work.ts'))
  assert.equal(files.filter(declares).length, 15)
  refuse(declares, ({ target, later }, file) =>
    later
      ? target === file.replace(/\.ts$/, '-work.ts')
      : ['src/commands/command.ts', 'src/commands/words.ts', 'src/declare/scopes.ts', 'src/export/formats.ts'].includes(
          target,
        ),
  )
  refuse(
    (file) => ['src/database.ts', 'src/store/shape.ts', 'src/store/prepared.ts', 'src/store/gaps.ts'].includes(file),
    ({ target, typeOnly, later }) =>
      typeOnly ||
      later ||
      !['src/registry.ts', 'src/store/schema.ts', 'src/declare/dataset.ts', 'src/declare/catalog.ts'].includes(target),
  )
})

test('only config.ts reads settings, and only fetch/send.ts, fetch/post.ts, fetch/provider.ts and fetch/proxy.ts use the network', () => {
  // The reference page shows code that sends requests; such code is only text and sends nothing.
  const code = (file: string) => withoutComments(source(file)).replace(/`(?:\\.|[^`\\])*`/g, '')
  const reading = (pattern: RegExp) => files.filter((file) => pattern.test(code(file)))
  assert.deepEqual(reading(/\bprocess\.env\b/), ['src/config.ts'])
  const asking = reading(/\bfetch\(|from 'node:https'|\('node:https'\)|\bhttps?\.(request|get)\(/)
  // Requests go to EDGAR, deliveries to strangers, sign-ins to a provider. The rules for these three kinds of requests
  // have nothing in common.
  assert.deepEqual(asking, ['src/fetch/post.ts', 'src/fetch/provider.ts', 'src/fetch/proxy.ts', 'src/fetch/send.ts'])
})

test('only commands/print.ts writes to the standard streams, and it removes terminal escapes', () => {
  const writing = files.filter((file) =>
    /\bconsole\.|\bprocess\.std(out|err)\.write\(/.test(withoutComments(source(file))),
  )
  assert.deepEqual(writing, ['src/commands/print.ts'])
})

test('no two advisory locks of the database have the same number, because they would block each other', () => {
  // The users of the embedded server take their locks in another database.
  const locks = files
    .filter((file) => !file.startsWith('src/store/embedded/'))
    .flatMap((file) =>
      Array.from(source(file).matchAll(/\b([A-Z]+_LOCK) = (4_713_\d+)/g), ([, name, n]) => [n!, name!]),
    )
  assert.ok(locks.length >= 10)
  const byNumber = Map.groupBy(locks, ([n]) => n)
  assert.deepEqual(
    [...byNumber.values()].filter((same) => same.length > 1),
    [],
  )
})

test('only commands read the clock; other code gets a clock as an argument, whose default may be the system clock', () => {
  const reading = files.filter((file) => {
    const code = withoutComments(source(file))
    return /\bnew Date\(\)|(?<!= )\bDate\.now\(/.test(code) && !file.startsWith('src/commands/')
  })
  assert.deepEqual(reading, [])
})

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '')
}
