/**
 * The database's shape. `core` and `edgar` have numbered migrations; a dataset's schema has only its current definition
 * and a hash of it. Tables are a cache of archived bytes, so tables whose definition changed are rebuilt
 * (ingest/rebuild.ts), not migrated. This module needs the slices themselves; the comparison with a database needs only
 * data about them (shape.ts).
 */
import { createHash } from 'node:crypto'
import type { Catalog } from '../declare/catalog.ts'
import { type FilingsDataset, filingTable, isFilings, relationsOf, type Slice } from '../declare/dataset.ts'
import { HEADERS } from '../declare/spine.ts'
import { namesVersion } from '../names.ts'
import { grantReading } from './analysts.ts'
import { digestOfCode } from './code.ts'
import type { Sql, Transaction } from './db.ts'
import { indexDdl, tableComments, tableDdl, viewComments, viewDdl } from './ddl.ts'
import { type Definition, otherIn, storedOf } from './definition.ts'
import { distributeTables } from './distributed.ts'
import { gapsOf } from './gaps.ts'
import { readMigrations } from './migrations.ts'
import { recordPartitions } from './partitions.ts'
import { within } from './path.ts'
import {
  bringForms,
  bringToShape,
  differencesFrom,
  type FormShape,
  type Making,
  type Shape,
  type Stale,
} from './shape.ts'

/**
 * Returns the shape of the database that all slices together declare.
 *
 * @param version the version of the package
 */
export async function shapeOf(catalog: Catalog, version: string): Promise<Shape> {
  const { slices, families, filings } = catalog
  return {
    version,
    ...(await shapeOfSlices(slices)),
    forms: formsOf(catalog),
    tasks: Object.fromEntries(families.map((family) => [family.slug, taskOf(family)])),
    requested: filings
      .filter(({ family }) => !family)
      .map((dataset) => ({ dataset: dataset.slug, table: filingTable(dataset).id })),
    names: namesVersion(),
  }
}

const formsOf = ({ families }: Pick<Catalog, 'families'>): Record<string, FormShape> =>
  Object.fromEntries(
    families.flatMap((family) =>
      family.forms.map((form) => [form, { family: family.slug, task: taskOf(family, form) }]),
    ),
  )

const shapeOfSlices = async (slices: readonly Slice[]): Promise<Pick<Shape, 'migrations' | 'slices'>> => ({
  migrations: await readMigrations(),
  slices: slices.map((slice) => ({ slug: slice.slug, ...definitionOf(slice), relations: relationsNamed(slice) })),
})

const relationsNamed = (slice: Slice): string[] => [...relationsOf(slice), ...slice.views].map(({ id }) => id)

/** Does the same as `bringToShape`, for a caller that has the slices. */
export const migrate = async (sql: Sql, slices: readonly Slice[], version = '0'): Promise<Stale[]> =>
  bringToShape(sql, { ...(await shapeOfSlices(slices)), version }, makingOf(slices))

/** What `bringToShape` does with slices, by their slugs. */
export function makingOf(slices: readonly Slice[]): Making {
  const among = (slugs: readonly string[]) => slices.filter(({ slug }) => slugs.includes(slug))
  return {
    make: (tx, slugs) => makeSlices(tx, among(slugs)),
    async comment(tx, slugs) {
      for (const slice of among(slugs)) await replaceComments(tx, slice)
    },
  }
}

/** Does the same as `differencesFrom`, for a caller that has the slices. */
export const differences = async (sql: Sql, slices: readonly Slice[]): ReturnType<typeof differencesFrom> =>
  differencesFrom(sql, await shapeOfSlices(slices))

/** Does the same as `bringForms`, for a caller that has the families. */
export const syncFamilies = (sql: Sql, catalog: Pick<Catalog, 'families'>): Promise<void> =>
  bringForms(sql, { forms: formsOf(catalog) })

/** Makes the slices that the database lacks. */
async function makeSlices(tx: Transaction, missing: readonly Slice[]): Promise<void> {
  const made = new Set(missing.map(({ slug }) => slug))
  for (const slice of missing) {
    await createDataset(tx, slice)
    // The slices that this slice follows may already have rows. Because of the mark, the next run computes the rows of
    // this slice from these rows.
    const follows = Object.keys(slice.refresh?.follows ?? {})
    if (follows.some((slug) => !made.has(slug))) await tx`insert into core.mark (slug) values (${slice.slug})`
  }
}

/** Creates schema, tables, indexes and views of a dataset and records the definition. */
async function createDataset(tx: Transaction, dataset: Slice): Promise<void> {
  await createTables(tx, dataset, dataset.slug)
  await createIndexes(tx, dataset, dataset.slug)
  await createViews(tx, dataset)
  await grantReading(tx, [dataset.slug, 'pub'])
  await recordDefinition(tx, dataset, definitionOf(dataset))
}

/** Creates the dataset's empty tables in the given schema, which must not exist. */
export async function createTables(tx: Transaction, dataset: Slice, schema: string): Promise<void> {
  const relations = relationsOf(dataset)
  await tx`create schema ${tx(schema)}`
  await tx.unsafe(relations.flatMap((t) => [tableDdl(t, schema), tableComments(t, schema)]).join('\n'))
  await distributeTables(tx, relations, schema)
}

/**
 * Creates the declared indexes and one index per facet. Indexes are made separately from the tables, so that a rebuild
 * can load rows first.
 */
export async function createIndexes(tx: Transaction, dataset: Slice, schema: string): Promise<void> {
  // The statements are sent one by one, since Citus sends its workers the text of the whole command.
  for (const statement of indexDdl(dataset, schema)) await tx.unsafe(statement)
}

/** Creates the views that the slice publishes. The views' queries name the slice's own tables without schema. */
export async function createViews(tx: Transaction, dataset: Slice): Promise<void> {
  if (dataset.views.length === 0) return
  // A migration made this schema, but a dump of only some schemas may lack it.
  await tx`create schema if not exists pub`
  const statements = dataset.views.flatMap((view) => [viewDdl(view), viewComments(view)])
  await within(tx, dataset.slug, () => tx.unsafe(statements.join('\n')))
}

/**
 * Makes lost views again, for slices whose tables exist and are of this version. A slice can be rebuilt only if the
 * views that its followers read exist.
 *
 * @param slices all slices, each after the slices that it follows
 */
export async function makeLostViews(sql: Sql, slices: readonly Slice[]): Promise<void> {
  const gaps = await gapsOf(
    sql,
    slices.map((slice) => ({ slug: slice.slug, relations: relationsNamed(slice) })),
  )
  const built = new Map((await storedOf(sql)).map((row) => [row.slug, row]))
  for (const slice of slices) {
    const lost = new Set(gaps.get(slice.slug))
    const views = slice.views.filter(({ id }) => lost.has(id))
    if (views.length === 0 || views.length < lost.size) continue
    if (otherIn(built.get(slice.slug), ddlHashesOf(slice))) continue
    await sql.begin((tx) => createViews(tx, { ...slice, views }))
  }
}

export async function recordDefinition(tx: Transaction, dataset: Slice, definition: Definition): Promise<void> {
  const { ddlHash, viewsHash, commentsHash, parserHash } = definition
  const row = {
    slug: dataset.slug,
    ddl_hash: ddlHash,
    views_hash: viewsHash,
    comments_hash: commentsHash,
    parser_hash: parserHash,
  }
  await tx`
    insert into core.dataset ${tx(row)}
    on conflict (slug) do update set ddl_hash = excluded.ddl_hash, views_hash = excluded.views_hash,
      comments_hash = excluded.comments_hash, parser_hash = excluded.parser_hash, built_at = now()`
  await recordPartitions(tx, dataset)
}

/** Records that the views have this code's definition. The recorded definition of the tables stays as it is. */
export async function recordViews(tx: Transaction, slice: Slice): Promise<void> {
  await tx`update core.dataset set views_hash = ${ddlHashesOf(slice).viewsHash} where slug = ${slice.slug}`
}

/** Digests of the code's present declaration of a dataset. */
export function definitionOf(dataset: Slice): Definition {
  const sets = isFilings(dataset) && dataset.sets ? dataset.sets.parser : []
  const code = [VALUES, dataset.parser ?? [], sets, dataset.refreshed ?? []].flat().map(digestOfCode)
  return { ...ddlHashesOf(dataset), parserHash: digest(code.join('\n')) }
}

/** Digest of the tables' DDL alone. */
export const ddlHashOf = (dataset: Slice): string => ddlHashesOf(dataset).ddlHash

/**
 * Digests of tables, views and comments only, which take a tenth of the time of all digests. A declaration never
 * changes, so its digests are kept. The digests of all slices take 13 ms of processor time, and each run of ingest
 * needs them several times.
 */
export function ddlHashesOf(dataset: Slice): DdlHashes {
  let hashes = known.get(dataset)
  if (!hashes) {
    hashes = ddlHashesMade(dataset)
    known.set(dataset, hashes)
  }
  return hashes
}

type DdlHashes = Omit<Definition, 'parserHash'>

const known = new WeakMap<Slice, DdlHashes>()

function ddlHashesMade(dataset: Slice): DdlHashes {
  const { slug, views } = dataset
  const relations = relationsOf(dataset)
  // Only a server with Citus distributes tables. Whether a table is distributed is not part of the DDL, so it is added
  // to the digest here.
  const distributed = relations.filter((t) => t.distributed).map(({ id }) => `spread ${id}`)
  const tables = [...relations.map((t) => tableDdl(t, slug)), ...distributed, ...indexDdl(dataset, slug)]
  const [ddlHash, viewsHash, commentsHash] = [tables, views.map(viewDdl), commentsOf(dataset)].map((ddl) =>
    digest(ddl.join('\n')),
  )
  return { ddlHash: ddlHash!, viewsHash: viewsHash!, commentsHash: commentsHash! }
}

const commentsOf = (slice: Slice): string[] => [
  ...relationsOf(slice).map((t) => tableComments(t, slice.slug)),
  ...slice.views.map(viewComments),
]

/** Replaces the comments on tables, views and their columns, and records this. */
async function replaceComments(tx: Transaction, slice: Slice): Promise<void> {
  await tx.unsafe(commentsOf(slice).join('\n'))
  await tx`update core.dataset set comments_hash = ${ddlHashesOf(slice).commentsHash} where slug = ${slice.slug}`
}

/** The slices whose stored tables and views differ from the declarations of this code. */
export async function ofOtherShape(sql: Sql | Transaction, slices: readonly Slice[]): Promise<Slice[]> {
  if (slices.length === 0) return []
  const built = new Map((await storedOf(sql)).map((row) => [row.slug, row]))
  return slices.filter((slice) => otherIn(built.get(slice.slug), ddlHashesOf(slice)) !== null)
}

/**
 * The code that reads values. Parsers return the results of this code unchanged, so this code is part of the digest of
 * every dataset.
 */
const VALUES = new URL('../read/values.ts', import.meta.url)

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * Name of the task that ingest does for a filing of the family: its dataset, `header`, or none.
 *
 * @param form the form of the filing; if absent, the result is the task of the forms that the dataset reads
 */
export function taskOf(
  family: { dataset: FilingsDataset | null; header: boolean } | undefined,
  form?: string,
): string | null {
  const { dataset = null } = family ?? {}
  if (dataset) return form === undefined || dataset.source.forms.includes(form) ? dataset.slug : null
  return family?.header ? HEADERS : null
}
