/**
 * `node bench/sizes.ts`: how much space the rows of a filing take in the database, for each family.
 *
 *     node bin/run.mjs bench/sizes.ts --data FOLDER --write
 *
 * Few filings fill few pages. So each table is copied into an empty one, with its indexes, as often as needed for
 * 20,000 rows or 64 MB. Each copy has other accessions, so that no index stores a key only once for all copies.
 * `--write` keeps the result as src/commands/cost/sizes-database.tsv. A family of the file is replaced only if it was
 * measured on fewer than five filings, and the folder has more. So run the command on real filings first, and then on
 * the sample.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { filingTable, isFilings } from '../src/declare/dataset.ts'
import registry from '../src/registry.ts'
import { connect } from '../src/store/db.ts'
import { openEmbedded } from '../src/store/embedded.ts'
import { openScope } from './scope.ts'

const { values } = parseArgs({
  options: { data: { type: 'string' }, write: { type: 'boolean' } },
})
if (!values.data) {
  process.stderr.write('sizes: --data FOLDER is needed\n')
  process.exit(2)
}
const ROWS = 20_000
const BYTES = 64e6
const RESULT = new URL('../src/commands/cost/sizes-database.tsv', import.meta.url)
/** A family that was measured on at least this number of filings is not measured again. */
const ENOUGH = 5
const COPY = 'bench_sizes'
const HEAD = 'family\ttable\tfilings\trows\tbytes'

const scope = openScope()
try {
  const database = await openEmbedded({ dataDir: values.data })
  scope.after(() => database.close())
  const sql = connect({ target: database.target, max: 1 })
  scope.after(() => sql.end({ timeout: 5 }))

  const kept = await keptLines()
  for (const slice of registry.slices.filter(isFilings)) {
    const { schema, name } = filingTable(slice)
    const [{ filings }] = await sql<[{ filings: number }]>`
      select count(*)::int as filings from ${sql(schema)}.${sql(name)}`
    const before = kept.get(slice.slug)?.filings ?? 0
    if (before >= ENOUGH || filings <= before) continue
    const lines: string[] = []
    for (const table of Object.values(slice.tables)) {
      const { rows, bytes } = await sizeOf(table.schema, table.name)
      if (rows > 0) lines.push([slice.slug, table.name, filings, rows, Math.round(bytes)].join('\t'))
    }
    console.log(lines.join('\n'))
    kept.set(slice.slug, { filings, lines })
  }
  const families = [...kept.keys()].sort()
  if (values.write)
    await writeFile(RESULT, `${[HEAD, ...families.flatMap((family) => kept.get(family)!.lines)].join('\n')}\n`)

  /** Returns the lines of the file, by family. */
  async function keptLines(): Promise<Map<string, { filings: number; lines: string[] }>> {
    const lines = (await readFile(RESULT, 'utf8')).trimEnd().split('\n').slice(1)
    return new Map(
      Object.entries(Object.groupBy(lines, (line) => line.split('\t')[0]!)).map(([family, own = []]) => [
        family,
        { filings: Number(own[0]!.split('\t')[2]), lines: own },
      ]),
    )
  }

  /** Returns the number of rows of a table, and the bytes that a row takes with its share of the indexes. */
  async function sizeOf(schema: string, table: string): Promise<{ rows: number; bytes: number }> {
    const from = sql`${sql(schema)}.${sql(table)}`
    const [{ rows, size }] = await sql<[{ rows: number; size: number }]>`
      select count(*)::int as rows, pg_total_relation_size(${`${schema}.${table}`}::regclass)::float8 as size from ${from}`
    if (rows === 0) return { rows, bytes: 0 }
    const columns = await sql<{ name: string }[]>`
      select attname as name from pg_attribute
      where attrelid = ${`${schema}.${table}`}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`
    const names = columns.map(({ name }) => name)
    const copies = Math.ceil(Math.min(ROWS / rows, BYTES / size))
    const shown = names.map(
      (name, at) => sql`${at > 0 ? sql`,` : sql``}
      ${name === 'accession' ? sql`lpad(copy::text, 6, '0') || substr(accession, 7)` : sql(name)}`,
    )
    await sql`drop table if exists ${sql(COPY)}`
    await sql`create unlogged table ${sql(COPY)} (like ${from} including all)`
    await sql`
      insert into ${sql(COPY)} (${sql(names)}) overriding system value
      select ${shown} from ${from}, generate_series(1, ${copies}) copy order by copy`
    const [{ bytes }] = await sql<[{ bytes: number }]>`
      select pg_total_relation_size(${COPY}::regclass)::float8 as bytes`
    await sql`drop table ${sql(COPY)}`
    return { rows, bytes: bytes / (copies * rows) }
  }
} finally {
  await scope.close()
}
