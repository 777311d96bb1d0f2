/** A new dataset is its folder and one line of registry.ts: proven with one in a temporary folder. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Catalog } from '../src/declare/catalog.ts'
import { openLog } from '../src/serve/http/log.ts'
import { createServer } from '../src/serve/http.ts'
import { createKey } from '../src/serve/keys.ts'
import { openapi } from '../src/serve/openapi.ts'
import { openReaders } from '../src/serve/readers.ts'
import { migrate } from '../src/store/schema.ts'
import { checkout, openWorld, temporaryFolder, writeIndex } from './world.ts'

const ACCESSION = '0000000111-26-000001'

const SUBMISSION = `<SEC-DOCUMENT>${ACCESSION}.txt : 20260803
<SEC-HEADER>${ACCESSION}.hdr.sgml : 20260803
<ACCEPTANCE-DATETIME>20260803120000
ACCESSION NUMBER:		${ACCESSION}
CONFORMED SUBMISSION TYPE:	SCRATCH
PUBLIC DOCUMENT COUNT:		1
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
</SEC-DOCUMENT>
`

/** The six files' worth of a dataset, kept to its folder. */
const files = (src: string) => ({
  'tables.ts': `import { decimal, table } from '${src}/declare/table.ts'
export const parcel = table('scratch.parcel', 'One row a parcel', [], {
  weight: decimal('Item 1 weight of the parcel', { unit: 'count' }).nullable(),
})
`,
  'parse.ts': `export function* parse(doc) { yield ['parcel', { weight: doc.money('weight') }] }
`,
  'queries.ts': `export const detail = async (sql, accession) =>
  (await sql\`select * from scratch.parcel where accession = \${accession}\`)[0] ?? null
`,
  'routes.ts': `import { accession, get } from '${src}/declare/route.ts'
import * as queries from './queries.ts'
import { parcel } from './tables.ts'
export const detail = get('/scratch/by-accession/{accession}', {
  name: 'scratch_detail', summary: 'One parcel', tag: 'scratch', input: { accession }, output: parcel.row,
  run: ({ accession }, { sql }) => queries.detail(sql, accession),
})
`,
  'index.ts': `import { dataset, filings } from '${src}/declare/dataset.ts'
import { parse } from './parse.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
export default dataset({
  slug: 'scratch', label: 'Parcels', group: 'Test', source: filings({ forms: ['SCRATCH'], document: 'primary_doc.xml' }),
  tables, parse, parser: new URL('parse.ts', import.meta.url),
  family: { table: 'parcel', columns: ['weight'], facets: ['weight'] }, routes,
})
`,
})

test('a dataset in its own folder and one line of the registry is ingested, served, documented and in OpenAPI', async (t) => {
  const src = pathToFileURL(path.join(checkout, 'src')).href
  const folder = await temporaryFolder(t)
  await mkdir(path.join(folder, 'scratch'))
  for (const [name, text] of Object.entries(files(src))) await writeFile(path.join(folder, 'scratch', name), text)
  const registry = await readFile(path.join(checkout, 'src/registry.ts'), 'utf8')
  const line = `  import('${pathToFileURL(path.join(folder, 'scratch/index.ts')).href}'),\n`
  const extended = registry
    .replaceAll(/'\.\//g, `'${src}/`)
    .replace('const datasets = await Promise.all([\n', (start) => start + line)
  await writeFile(path.join(folder, 'registry.ts'), extended)
  const { default: catalog } = (await import(pathToFileURL(path.join(folder, 'registry.ts')).href)) as {
    default: Catalog
  }

  const root = await temporaryFolder(t)
  await writeIndex(root, '2026/QTR3', [`111|ALPHA INC|SCRATCH|2026-08-03|edgar/data/111/${ACCESSION}.txt`])
  await mkdir(path.join(root, 'Archives/edgar/data/111'), { recursive: true })
  await writeFile(path.join(root, `Archives/edgar/data/111/${ACCESSION}.txt`), SUBMISSION)
  const world = await openWorld(t, { root, catalog })
  await migrate(world.sql, catalog.datasets)
  await world.crawl({ from: '2026-07-01' })
  assert.deepEqual(await world.drain(), { done: 1, failed: 0, unread: 0 })

  const document = openapi(catalog, '0.0.0') as { paths: Record<string, unknown> }
  assert.ok(document.paths['/scratch/by-accession/{accession}'])
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
    openapi: document,
  })
  t.after(async () => {
    await server.close()
    await readers.end()
  })
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const { key } = await createKey(world.sql, { account: 'test', scopes: ['api'], now: new Date() })
  const get = async <T>(route: string): Promise<T> => {
    const response = await fetch(`${address}/v1${route}`, { headers: { 'x-api-key': key } })
    assert.equal(response.status, 200, `${route} ${response.status}`)
    return (await response.json()) as T
  }
  const row = { accession: ACCESSION, filed_date: '2026-08-03', weight: '12.5' }
  assert.deepEqual(await get(`/scratch/by-accession/${ACCESSION}`), row)
  const { families } = await get<{ families: { slug: string; bespoke_route: string | null }[] }>('/filings/families')
  assert.equal(families.find(({ slug }) => slug === 'scratch')?.bespoke_route, '/v1/scratch/by-accession/{accession}')
  const heavy = encodeURIComponent(JSON.stringify({ field: 'weight', op: 'gt', value: 12 }))
  const { rows } = await get<{ rows: { accession: string }[] }>(`/filings?family=scratch&filters=${heavy}`)
  assert.deepEqual(
    rows.map(({ accession }) => accession),
    [ACCESSION],
  )
})
