/**
 * A new slice needs only its folder and one line of registry.ts. The test adds a dataset and a product in a temporary
 * folder.
 */
import assert from 'node:assert/strict'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Catalog } from '../../src/declare/catalog.ts'
import type { FilingsDataset } from '../../src/declare/dataset.ts'
import { rebuildProduct } from '../../src/ingest/rebuild/product.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import { described } from '../../src/serve/described.ts'
import { openLog } from '../../src/serve/http/log.ts'
import { createServer } from '../../src/serve/http.ts'
import { createKey } from '../../src/serve/keys.ts'
import { openapi } from '../../src/serve/openapi.ts'
import { openReaders } from '../../src/serve/readers.ts'
import { migrate } from '../../src/store/schema.ts'
import { until } from '../support/until.ts'
import { checkout, madeLater, openWorld, temporaryFolder, writeIndex } from '../support/world.ts'

const ACCESSION = '0000000111-26-000001'
const AMENDMENT = '0000000111-26-000002'

const line = (maker: string, weight: number) => `<line><maker>${maker}</maker><weight>${weight}</weight></line>`

/** Returns a submission of two documents: a cover and a list of any length. */
const submission = (accession: string, lines: readonly string[]) => `<SEC-DOCUMENT>${accession}.txt : 20260803
<SEC-HEADER>${accession}.hdr.sgml : 20260803
<ACCEPTANCE-DATETIME>20260803120000
ACCESSION NUMBER:		${accession}
CONFORMED SUBMISSION TYPE:	SCRATCH
PUBLIC DOCUMENT COUNT:		2
FILED AS OF DATE:		20260803

FILER:

	COMPANY DATA:
		COMPANY CONFORMED NAME:			ALPHA INC
		CENTRAL INDEX KEY:			0000000111
</SEC-HEADER>
<DOCUMENT>
<TYPE>SCRATCH
<SEQUENCE>1
<FILENAME>primary_doc.xml
<TEXT>
<XML>
<?xml version="1.0"?>
<scratch><weight>12.50</weight></scratch>
</XML>
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>LIST
<SEQUENCE>2
<FILENAME>any.xml
<TEXT>
<XML>
<list>${lines.join('\n')}</list>
</XML>
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`

/** Returns the files of a dataset, all in its folder. */
const dataset = (src: string) => ({
  'tables.ts': `import { decimal, integer, table, text } from '${src}/declare/table.ts'
export const parcel = table('scratch.parcel', 'One row per parcel', [], {
  weight: decimal('Item 1 weight of the parcel', { unit: 'count' }).nullable(),
})
export const line = table('scratch.line', 'One row per line of a parcel', ['n'], {
  n: integer('Number of the line'), maker: text('Who made it'), weight: integer('Weight of the line'),
})
`,
  'parse.ts': `import { each } from '${src}/read/xml.ts'
export async function* parse({ documents: { cover, list }, tell }) {
  yield ['parcel', { weight: cover.money('weight') }]
  let n = 0
  for await (const line of each(list, 'line')) {
    yield ['line', { n: ++n, maker: line.text('maker'), weight: line.integer('weight') }]
    tell({ problems: line.problems(), unread: line.unread() })
  }
}
`,
  'views.ts': `import { view } from '${src}/declare/view.ts'
import { line } from './tables.ts'
const { accession, maker, weight } = line.row.shape
export const scratchLine = view(
  'pub.scratch_line', 'One row per line of a parcel', { accession, maker, weight }, 'select accession, maker, weight from line',
)
`,
  'queries.ts': `export const detail = async (sql, accession) =>
  (await sql\`select * from scratch.parcel where accession = \${accession}\`)[0] ?? null
`,
  'answers.ts': `import { parcel } from './tables.ts'
export const answer = parcel.row
`,
  'routes.ts': `import { accession, get } from '${src}/declare/route.ts'
import { answer } from './answers.ts'
import * as queries from './queries.ts'
export const detail = get('/scratch/by-accession/{accession}', {
  name: 'scratch_detail', summary: 'One parcel', tag: 'filings', input: { accession }, output: answer,
  reads: ['scratch'], run: ({ accession }, { sql }) => queries.detail(sql, accession),
})
`,
  'index.ts': `import { dataset, filings } from '${src}/declare/dataset.ts'
import { stream, xml } from '${src}/declare/documents.ts'
import { parse } from './parse.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'
export default dataset({
  slug: 'scratch', label: 'Parcels', group: 'Test',
  source: filings({
    forms: ['SCRATCH'], documents: { cover: xml({ name: 'primary_doc.xml' }), list: stream({ type: 'LIST' }) }, parse,
  }),
  tables, views, parser: new URL('parse.ts', import.meta.url),
  family: { table: 'parcel', columns: ['weight'], facets: ['weight'] }, routes,
})
`,
})

/** Returns the files of a product, which computes sums for each maker from the dataset's published view. */
const product = (src: string) => ({
  'rollups.ts': `import { integer, rollup, text } from '${src}/declare/table.ts'
export const maker = rollup('makers.maker', 'One row per maker', ['maker'], {
  maker: text('Who made it'), parcels: integer('Parcels with something of it'), weight: integer('Weight of all'),
})
`,
  'queries.ts': `export const detail = async (sql, maker) =>
  (await sql\`select * from makers.maker where maker = \${maker}\`)[0] ?? null
`,
  'queries-refresh.ts': `export const refresh = {
  follows: {
    scratch: async (tx, accessions) =>
      (await tx\`select distinct maker from scratch_line where accession = any(\${accessions})\`).map((row) => row.maker),
  },
  async make(tx, keys) {
    const only = keys ? tx\`maker = any(\${keys})\` : tx\`true\`
    await tx\`delete from maker where \${only}\`
    await tx\`
      insert into maker select maker, count(distinct accession), sum(weight) from scratch_line where \${only} group by maker\`
  },
}
`,
  'routes.ts': `import { z } from 'zod'
import { get } from '${src}/declare/route.ts'
import * as queries from './queries.ts'
import { maker } from './rollups.ts'
export const detail = get('/makers/{maker}', {
  name: 'makers_detail', summary: 'What a maker made', tag: 'filings', input: { maker: z.string() }, output: maker.row,
  reads: ['makers'], run: ({ maker }, { sql }) => queries.detail(sql, maker),
})
`,
  'index.ts': `import { product } from '${src}/declare/product.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
export default product({
  slug: 'makers', label: 'Makers', rollups, refresh, refreshed: new URL('queries-refresh.ts', import.meta.url), routes,
})
`,
})

test('a dataset and a product that follows it, each added by one folder and one line of the registry, are ingested, refreshed, served and documented', async (t) => {
  const src = pathToFileURL(path.join(checkout, 'src')).href
  const folder = await temporaryFolder(t)
  for (const [slug, files] of Object.entries({ scratch: dataset(src), makers: product(src) })) {
    await mkdir(path.join(folder, slug))
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, slug, name), text)
  }
  await symlink(path.join(checkout, 'node_modules'), path.join(folder, 'node_modules'))
  const registry = await readFile(path.join(checkout, 'src/registry.ts'), 'utf8')
  const lineOf = (slug: string) => `  import('${pathToFileURL(path.join(folder, slug, 'index.ts')).href}'),\n`
  const extended = registry
    .replaceAll(/'\.\//g, `'${src}/`)
    .replace('const datasets = await Promise.all([\n', (start) => start + lineOf('scratch'))
    .replace('const products = await Promise.all([\n', (start) => start + lineOf('makers'))
  await writeFile(path.join(folder, 'registry.ts'), extended)
  const { default: catalog } = (await import(pathToFileURL(path.join(folder, 'registry.ts')).href)) as {
    default: Catalog
  }

  const root = await temporaryFolder(t)
  const index = (...accessions: string[]) =>
    writeIndex(
      root,
      '2026/QTR3',
      accessions.map((accession) => `111|ALPHA INC|SCRATCH|2026-08-03|edgar/data/111/${accession}.txt`),
      { lastReceived: 'September 30, 2026' },
    )
  await index(ACCESSION, AMENDMENT)
  await mkdir(path.join(root, 'Archives/edgar/data/111'), { recursive: true })
  const put = (accession: string, lines: string[]) =>
    writeFile(path.join(root, `Archives/edgar/data/111/${accession}.txt`), submission(accession, lines))
  // The list of one filing exceeds the memory limit, so the test passes only if rows are stored while the list is read.
  const many = Array.from({ length: 30_000 }, () => line('Bolt & Nut', 2).replace('&', '&amp;'))
  await put(ACCESSION, [line('Anvil', 7), ...many])
  await put(AMENDMENT, [line('Anvil', 5)])
  const world = await openWorld(t, { root, catalog })
  await migrate(world.sql, catalog.slices)
  await world.crawl({ from: '2026-07-01' })
  assert.deepEqual(await world.drain(), { done: 2, failed: 0, unread: 0 })

  const document = openapi(catalog, '0.0.0') as { paths: Record<string, unknown> }
  for (const address of ['/scratch/by-accession/{accession}', '/makers/{maker}']) assert.ok(document.paths[address])
  const readers = openReaders({ target: world.target, max: 10 })
  const server = await createServer({
    catalog,
    sql: world.sql,
    readers,
    submissions: world.submissions,
    now: () => new Date(),
    log: openLog({ level: 'silent' }),
    selfServeClosed: [],
    isReady: async () => null,
    openapi: described('0.0.0', () => document),
  })
  t.after(async () => {
    await server.close()
    await readers.end()
  })
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  // The answer is requested until it changes; on a busy machine this takes more than the ten requests that are allowed
  // in a minute.
  const limits = { searchLimit: 1000, generalLimit: 1000 }
  const { key } = await createKey(world.sql, { account: 'test', scopes: ['api'], now: new Date(), ...limits })
  const get = async <T>(route: string): Promise<T> => {
    const response = await fetch(`${address}/v1${route}`, { headers: { 'x-api-key': key } })
    assert.equal(response.status, 200, `${route} ${response.status}`)
    return (await response.json()) as T
  }
  const row = { accession: ACCESSION, filed_date: '2026-08-03', weight: '12.5' }
  const links = { filing: { url: `/v1/filing/${ACCESSION}` } }
  assert.deepEqual(await get(`/scratch/by-accession/${ACCESSION}`), { ...row, links })
  const { families } = await get<{ families: { slug: string; bespoke_route: string | null }[] }>('/filings/families')
  assert.equal(families.find(({ slug }) => slug === 'scratch')?.bespoke_route, '/v1/scratch/by-accession/{accession}')
  const heavy = encodeURIComponent(JSON.stringify({ field: 'weight', op: 'gt', value: 12 }))
  const { rows } = await get<{ rows: { accession: string }[] }>(`/filings?family=scratch&filters=${heavy}`)
  assert.deepEqual(
    rows.map(({ accession }) => accession),
    [AMENDMENT, ACCESSION],
  )
  const makers = async () => [await get('/makers/Anvil'), await get('/makers/Bolt%20%26%20Nut')]
  const nuts = { maker: 'Bolt & Nut', parcels: 1, weight: 60_000, links: {} }
  assert.deepEqual(await makers(), [{ maker: 'Anvil', parcels: 2, weight: 12, links: {} }, nuts])
  await index(ACCESSION)
  for (const _ of ['suspected', 'removed']) {
    await world.crawl({ from: '2026-07-01', to: '2026-09-30', again: true, now: await madeLater(root, '2026/QTR3') })
  }
  const left = [{ maker: 'Anvil', parcels: 1, weight: 7, links: {} }, nuts]
  await until(
    'the answer has only the remaining makers',
    async () => JSON.stringify(await makers()) === JSON.stringify(left),
  )
  const own = catalog.slices.filter(({ slug }) => slug === 'scratch' || slug === 'makers')
  assert.deepEqual(
    own.map(({ slug }) => slug),
    ['scratch', 'makers'],
  )
  await rebuild({ ...world }, own[0] as FilingsDataset)
  await rebuildProduct(world, own[1]!)
  assert.deepEqual(await makers(), left)
})
