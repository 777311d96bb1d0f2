/**
 * The database's shape. `core` and `edgar` have numbered migrations; a dataset's schema has only its current definition
 * and a hash of it: tables are a cache of archived bytes, so a changed definition is rebuilt (ingest/rebuild.ts), not migrated.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type Catalog, SPINE } from '../declare/catalog.ts'
import { READABLE } from '../declare/corpora.ts'
import { type FilingsDataset, isFilings, relationsOf, type Slice } from '../declare/dataset.ts'
import { UserError } from '../declare/errors.ts'
import { grantReading, grantReadingOfSpine } from './analysts.ts'
import { digestOfCode } from './code.ts'
import type { Sql, Transaction } from './db.ts'
import { indexDdl, tableDdl, viewDdl } from './ddl.ts'
import { gapsOf, lostOf } from './gaps.ts'
import { dataChanged } from './meta.ts'
import { recordPartitions } from './partitions.ts'
import { within } from './path.ts'
import { spreadTables } from './spread.ts'

/** Serialises everything that changes the database's shape, across processes and machines. */
const SHAPE_LOCK = 4_713_001

const migrationsFolder = new URL('migrations/', import.meta.url)

/** What a dataset's tables were built from. */
export interface Definition {
  /** Digest of DDL and views: when it differs the stored tables cannot be queried. */
  ddlHash: string
  /** Digest of the code that reads and derives rows: when only it differs the stored rows are valid but may be outdated. */
  parserHash: string
}

/** A dataset whose tables were built from another definition than the code's, or are not there any more. */
export interface Stale {
  dataset: Slice
  reason: 'definition' | 'parser' | 'missing'
  /** What is missing. */
  lacks: readonly string[]
}

/** Nothing of ours can make it again: it is nowhere else. */
export const RESTORE = 'restore the whole dump into an empty database'

const rebuildOr = (slugs: string) => `${RESTORE}, or run "openfilings rebuild ${slugs}", which reads the archive`

/** What is wrong with a dataset that lacks something, and the ways out. */
export const gapText = ({ dataset: { slug }, lacks }: Stale): { found: string; wayOut: string } => ({
  found: `${slug} lacks ${lacks.join(', ')}`,
  wayOut: rebuildOr(slug),
})

/** @throws UserError when a dataset lacks something: whether to restore or to rebuild is for the operator to say */
export function assertThere(stale: readonly Stale[]): void {
  const gaps = stale.filter(({ reason }) => reason === 'missing')
  if (gaps.length === 0) return
  const slugs = gaps.map(({ dataset }) => dataset.slug).join(' ')
  const lacks = gaps.map((each) => gapText(each).found).join('; ')
  throw new UserError(`${lacks}: ${rebuildOr(slugs)}`)
}

/**
 * Brings the database to the code's shape: core migrations, schemas of new datasets, and the family of each form.
 * Any number of processes may call it at once; one works, the others wait.
 *
 * @returns datasets that need `rebuild`; their old tables are left as they are
 * @throws UserError when the database is newer than this code, or lacks what no `rebuild` can make
 */
export async function migrate(sql: Sql, datasets: readonly Slice[]): Promise<Stale[]> {
  const defined = await definitionsOf(datasets)
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${SHAPE_LOCK})`
    if (await migrateCore(tx)) await grantReadingOfSpine(tx)
    const lost = await lostOf(tx, (await migrationNames()).map(migrationFile))
    if (lost.length > 0) throw new UserError(`the database lacks ${lost.join(', ')}, made in it once: ${RESTORE}`)
    const { missing, stale } = await compare(tx, defined)
    const made = new Set(missing.map(({ dataset }) => dataset.slug))
    for (const { dataset, definition } of missing) {
      await createDataset(tx, dataset, definition)
      // What it follows may have rows already; the next run makes its own of them.
      const follows = Object.keys(dataset.refresh?.follows ?? {})
      if (follows.some((slug) => !made.has(slug))) await tx`insert into core.mark (slug) values (${dataset.slug})`
    }
    return stale
  })
}

interface Defined {
  dataset: Slice
  definition: Definition
}

const definitionsOf = (datasets: readonly Slice[]): Promise<Defined[]> =>
  Promise.all(datasets.map(async (dataset) => ({ dataset, definition: await definitionOf(dataset) })))

/** Datasets that have no tables yet, and those whose tables were built by other code or went. */
async function compare(sql: Sql | Transaction, defined: readonly Defined[]) {
  const built = await sql<{ slug: string; ddl_hash: string; parser_hash: string }[]>`
    select slug, ddl_hash, parser_hash from core.dataset`
  const bySlug = new Map(built.map((row) => [row.slug, row]))
  const missing: Defined[] = []
  const stale: Stale[] = []
  const gaps = await gapsOf(
    sql,
    defined.map(({ dataset }) => dataset),
  )
  for (const { dataset, definition } of defined) {
    const stored = bySlug.get(dataset.slug)
    const lacks = gaps.get(dataset) ?? []
    const isOther = stored?.ddl_hash !== definition.ddlHash
    // Tables of another definition have other names, but a schema they have.
    const isGone = isOther ? lacks[0]?.startsWith('the schema') : lacks.length > 0
    if (!stored) missing.push({ dataset, definition })
    else if (isGone) stale.push({ dataset, reason: 'missing', lacks })
    else if (isOther) stale.push({ dataset, reason: 'definition', lacks: [] })
    else if (stored.parser_hash !== definition.parserHash) stale.push({ dataset, reason: 'parser', lacks: [] })
  }
  return { missing, stale }
}

/**
 * How the database differs from the code's shape; changes nothing. `unknown`: migrations of a newer version; `lost`: what
 * migrations made and is gone.
 */
export async function differences(
  sql: Sql,
  datasets: readonly Slice[],
): Promise<{ pending: string[]; unknown: string[]; lost: string[]; missing: string[]; stale: Stale[] }> {
  const applied = (await sql<{ name: string }[]>`select name from core.migration order by name`).map(({ name }) => name)
  const known = await migrationNames()
  const lost = await lostOf(sql, known.filter((name) => applied.includes(name)).map(migrationFile))
  const hasRecords = !lost.includes('core.dataset')
  const { missing, stale } = hasRecords ? await compare(sql, await definitionsOf(datasets)) : { missing: [], stale: [] }
  return {
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
    lost,
    missing: missing.map(({ dataset }) => dataset.slug),
    stale,
  }
}

const migrationFile = (name: string) => new URL(name, migrationsFolder)
const migrationNames = async () => (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort()

/**
 * Whether this is a database of ours, of whatever version.
 *
 * @throws UserError when it was one, and lacks the schema that says so
 */
export async function isMade(sql: Sql | Transaction): Promise<boolean> {
  const [row] = await sql<{ made: boolean; was: boolean }[]>`
    select to_regclass('core.migration') is not null as made, to_regclass('edgar.filing') is not null as was`
  if (row!.was && !row!.made) throw new UserError(`the database has filings, and lacks the schema core: ${RESTORE}`)
  return row!.made
}

/** @returns whether anything changed */
async function migrateCore(tx: Transaction): Promise<boolean> {
  await isMade(tx)
  await tx`create schema if not exists core`
  await tx`create table if not exists core.migration (name text primary key, applied_at timestamptz not null default now())`
  const applied = new Set((await tx<{ name: string }[]>`select name from core.migration`).map((row) => row.name))
  const files = await migrationNames()
  for (const name of applied) {
    if (!files.includes(name)) {
      throw new UserError(`the database has migration ${name}, which this version lacks: run a newer OpenFilings`)
    }
  }
  const pending = files.filter((file) => !applied.has(file))
  for (const name of pending) {
    await tx.unsafe(await readFile(migrationFile(name), 'utf8'))
    await tx`insert into core.migration ${tx({ name })}`
  }
  return pending.length > 0
}

/** Creates schema, tables, indexes and views of a dataset and records the definition. */
async function createDataset(tx: Transaction, dataset: Slice, definition: Definition): Promise<void> {
  await createTables(tx, dataset, dataset.slug)
  await createIndexes(tx, dataset, dataset.slug)
  await createViews(tx, dataset)
  await grantReading(tx, [dataset.slug, 'pub'])
  await recordDefinition(tx, dataset, definition)
}

/** Creates the dataset's empty tables in the given schema, which must not exist. */
export async function createTables(tx: Transaction, dataset: Slice, schema: string): Promise<void> {
  const relations = relationsOf(dataset)
  await tx`create schema ${tx(schema)}`
  await tx.unsafe(relations.map((t) => tableDdl(t, schema)).join('\n'))
  await spreadTables(tx, relations, schema)
}

/** Creates the declared indexes and one per facet. Apart from the tables, so that a rebuild can load first. */
export async function createIndexes(tx: Transaction, dataset: Slice, schema: string): Promise<void> {
  // One by one: Citus sends the workers the text of the whole command.
  for (const statement of indexDdl(dataset, schema)) await tx.unsafe(statement)
}

/** Creates the views that the slice publishes; in their queries its own tables stand without schema. */
export async function createViews(tx: Transaction, dataset: Slice): Promise<void> {
  if (dataset.views.length === 0) return
  // A migration made it; a dump of some schemas alone has it not.
  await tx`create schema if not exists pub`
  await within(tx, dataset.slug, () => tx.unsafe(dataset.views.map(viewDdl).join('\n')))
}

/**
 * Makes views that a database has lost of slices whose tables are there and of this version. A slice can be rebuilt only where
 * the views are there that those read who follow it.
 *
 * @param slices all, each behind those that it follows
 */
export async function makeLostViews(sql: Sql, slices: readonly Slice[]): Promise<void> {
  const gaps = await gapsOf(sql, slices)
  const built = new Map(
    (await sql<{ slug: string; ddl_hash: string }[]>`select slug, ddl_hash from core.dataset`).map((row) => [row.slug, row.ddl_hash]), // biome-ignore format: one line
  )
  for (const slice of slices) {
    const lost = new Set(gaps.get(slice))
    const views = slice.views.filter(({ id }) => lost.has(id))
    if (views.length === 0 || views.length < lost.size) continue
    if (built.get(slice.slug) !== (await definitionOf(slice)).ddlHash) continue
    await sql.begin((tx) => createViews(tx, { ...slice, views }))
  }
}

export async function recordDefinition(tx: Transaction, dataset: Slice, definition: Definition): Promise<void> {
  const row = { slug: dataset.slug, ddl_hash: definition.ddlHash, parser_hash: definition.parserHash }
  await tx`
    insert into core.dataset ${tx(row)}
    on conflict (slug) do update set ddl_hash = excluded.ddl_hash, parser_hash = excluded.parser_hash, built_at = now()`
  await recordPartitions(tx, dataset)
}

/** Hashes of what the code says about a dataset now. */
export async function definitionOf(dataset: Slice): Promise<Definition> {
  const relations = relationsOf(dataset)
  const tables = relations.map((t) => tableDdl(t, dataset.slug))
  // Changes what is made on a server with Citus alone, and has no DDL of its own.
  const spread = relations.filter((t) => t.spread).map(({ id }) => `spread ${id}`)
  const shape = [...tables, ...spread, ...indexDdl(dataset, dataset.slug), ...dataset.views.map(viewDdl)].join('\n')
  const sets = isFilings(dataset) && dataset.sets ? dataset.sets.parser : []
  const code = [VALUES, dataset.parser ?? [], sets, dataset.refreshed ?? []].flat().map(digestOfCode)
  return { ddlHash: digest(shape), parserHash: digest(code.join('\n')) }
}

/** How values are read: an element has it from there, which a parser takes as it is given. */
const VALUES = new URL('../read/values.ts', import.meta.url)

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * Makes `edgar.filing.family`, `has_text` and the queue follow the registry: a form that moved to another family, or whose
 * family got a parser or can be had as text, is updated through the index on form and date. One small query when nothing moved.
 */
export async function syncFamilies(sql: Sql, catalog: Catalog): Promise<void> {
  const forms = await sql<
    { form_type: string; family: string | null; task: string | null; has_text: boolean | null }[]
  >`
    select form_type, family, task,
      (select has_text from edgar.filing f where f.form_type = c.form_type limit 1) as has_text
    from edgar.coverage c`
  for (const form of forms) {
    const claimed = catalog.familyOfForm(form.form_type)
    const family = claimed?.slug ?? null
    const task = taskOf(claimed, form.form_type)
    const hasText = family !== null && READABLE.includes(family)
    const isTasked = family === form.family && task === form.task
    if (isTasked && hasText === (form.has_text ?? hasText)) continue
    await sql.begin(async (tx) => {
      await tx`
        update edgar.filing set family = ${family}, has_text = ${hasText} where form_type = ${form.form_type}`
      if (!isTasked) await changeTask(tx, { form: form.form_type, family, before: form.task, task })
      await dataChanged(tx, [SPINE])
    })
  }
}

async function changeTask(
  tx: Transaction,
  { form, family, before, task }: { form: string; family: string | null; before: string | null; task: string | null },
): Promise<void> {
  await tx`
    delete from edgar.task t using edgar.filing f
    where f.form_type = ${form} and t.accession = f.accession and t.dataset = ${before}`
  await tx`
    insert into edgar.task (accession, dataset, filed_date)
    select accession, ${task}, filed_date from edgar.filing where form_type = ${form} and ${task}::text is not null`
  await tx`update edgar.coverage set family = ${family}, task = ${task}, extracted = 0 where form_type = ${form}`
}

/**
 * Name of the work that ingest does on a filing of the family: its dataset, `header`, or none.
 *
 * @param form without it the work on the forms that are read
 */
export function taskOf(
  family: { dataset: FilingsDataset | null; header: boolean } | undefined,
  form?: string,
): string | null {
  const { dataset = null } = family ?? {}
  if (dataset) return form === undefined || dataset.source.forms.includes(form) ? dataset.slug : null
  return family?.header ? 'header' : null
}
