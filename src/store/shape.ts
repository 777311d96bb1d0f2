/**
 * The shape of the database as data. With this module, commands that only query a database need not load the slices.
 * Loading them takes longer than anything else that a command does (0.4 s of processor time).
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { READABLE } from '../declare/corpora.ts'
import { UserError } from '../declare/errors.ts'
import { SPINE } from '../declare/spine.ts'
import { grantReadingOfSpine } from './analysts.ts'
import type { Sql, Transaction } from './db.ts'
import { type Definition, otherIn, type Stored, storedOf } from './definition.ts'
import { gapsOf, lostOf } from './gaps.ts'
import { dataChanged } from './meta.ts'
import { type Migration, migrationFile } from './migrations.ts'
import { isLockTimeout } from './refused.ts'
import { assertNotNewer, type Lacking, type MadeBy, madeBy, recordVersion } from './version.ts'

/** The shape that the code expects of a database. */
export interface Shape {
  /** Version of the package. */
  version: string
  /** All migrations, in their order. */
  migrations: readonly Migration[]
  /** All slices that store something, each after the slices that its rollups follow. */
  slices: readonly SliceShape[]
  /** The family and task of filings, by form. A form that no family claims is absent. */
  forms: Readonly<Record<string, FormShape>>
  /** The task of filings of a family, as `taskOf` names it. */
  tasks: Readonly<Record<string, string | null>>
  /** Datasets that have no family of their own but read filings, each with its table of one row per filing. */
  requested: readonly { dataset: string; table: string }[]
  /** Digest of the rules by which names are stored. */
  names: string
}

export interface SliceShape extends Definition {
  slug: string
  /** The slice's tables and views, such as `formd.offering`. */
  relations: readonly string[]
}

export interface FormShape {
  family: string
  task: string | null
}

/**
 * A slice whose relations are missing, or whose stored digest of tables, views or code differs from the digest of this
 * code.
 */
export interface Stale {
  slug: string
  reason: 'definition' | 'views' | 'parser' | 'missing'
  /** The missing relations. */
  lacks: readonly string[]
}

/** Whether this code cannot query the slice before its tables are rebuilt or its views are replaced. */
export const isOutdated = ({ reason }: Pick<Stale, 'reason'>): boolean => reason === 'definition' || reason === 'views'

/** What is done with the slices themselves, which are loaded only for this. */
export interface Making {
  /** Makes slices that the database lacks. */
  make(tx: Transaction, slugs: readonly string[]): Promise<void>
  /** Replaces the comments on tables, views and columns of slices, and records this. */
  comment(tx: Transaction, slugs: readonly string[]): Promise<void>
}

/**
 * Maximum time in milliseconds for which a start waits until it may replace comments. Reading and loading rows do not
 * block comments; taking statistics of a table does.
 */
const COMMENT_TIMEOUT_MS = 1_000

/** Serialises everything that changes the database's shape, across processes and machines. */
const SHAPE_LOCK = 4_713_001

/** The advice if something was lost that this program cannot make again. */
export const RESTORE = 'restore the whole dump into an empty database'

export const lostError = (lost: readonly string[]): UserError =>
  new UserError(`the database lacks ${lost.join(', ')}, which it once had: ${RESTORE}`)

const rebuildOr = (slugs: string) => `${RESTORE}, or run "openfilings rebuild ${slugs}", which reads the archive`

/** Describes the fault of a dataset that lacks something, and what can be done. */
export const gapText = ({ slug, lacks }: Stale): { found: string; wayOut: string } => ({
  found: `${slug} lacks ${lacks.join(', ')}`,
  wayOut: rebuildOr(slug),
})

/** @throws UserError if a dataset lacks something: the operator must decide whether to restore or to rebuild */
export function assertThere(stale: readonly Stale[]): void {
  const gaps = stale.filter(({ reason }) => reason === 'missing')
  if (gaps.length === 0) return
  const slugs = gaps.map(({ slug }) => slug).join(' ')
  const lacks = gaps.map((each) => gapText(each).found).join('; ')
  throw new UserError(`${lacks}: ${rebuildOr(slugs)}`)
}

/**
 * Brings the database to the shape: core migrations, schemas of new slices, and changed comments. Any number of
 * processes may call this at the same time: one process does the work, and the others wait.
 *
 * @returns the stale slices; their tables and views are left as they are
 * @throws UserError if the database is newer than this code, or lacks something that no `rebuild` can make
 */
export async function bringToShape(
  sql: Sql,
  { migrations, slices, version }: Pick<Shape, 'migrations' | 'slices' | 'version'>,
  making: Making,
): Promise<Stale[]> {
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${SHAPE_LOCK})`
    if (await migrateCore(tx, migrations, version)) await grantReadingOfSpine(tx)
    const lost = await lostOf(tx, migrations)
    if (lost.length > 0) throw lostError(lost)
    const { missing, stale } = await compare(tx, slices)
    if (missing.length > 0) await making.make(tx, missing)
    const stored = await storedOf(tx)
    await splitDigests(tx, stored)
    await bringComments(tx, { slices, stale, stored }, making)
    await recordVersion(tx, version)
    return stale
  })
}

/** Slices that have no tables yet, and slices whose tables are lost or were built by another version of the code. */
async function compare(sql: Sql | Transaction, slices: readonly SliceShape[]) {
  const bySlug = new Map((await storedOf(sql)).map((row) => [row.slug, row]))
  const missing: string[] = []
  const stale: Stale[] = []
  const gaps = await gapsOf(sql, slices)
  for (const { slug, parserHash, ...definition } of slices) {
    const stored = bySlug.get(slug)
    const other = otherIn(stored, definition)
    // Tables of another definition may have other names, so only the schema must exist. If only the views differ, the
    // tables must exist too.
    const lacks = (gaps.get(slug) ?? []).filter(
      (name) => other === null || name.startsWith('the schema') || (other === 'views' && !name.startsWith('pub.')),
    )
    if (!stored) {
      missing.push(slug)
      continue
    }
    if (lacks.length > 0) stale.push({ slug, reason: 'missing', lacks })
    else if (other) stale.push({ slug, reason: other, lacks: [] })
    // Replacing views does not change rows, so the parser is compared even if the views differ.
    if (lacks.length === 0 && other !== 'definition' && stored.parser_hash !== parserHash)
      stale.push({ slug, reason: 'parser', lacks: [] })
  }
  return { missing, stale }
}

/** Stores separate digests of tables, views and comments where an older version stored digests with comments. */
async function splitDigests(tx: Transaction, stored: readonly Stored[]): Promise<void> {
  for (const { slug, ddl_hash, views_hash, comments_hash } of stored) {
    if (comments_hash !== null || views_hash === null) continue
    await tx`
      update core.dataset set ddl_hash = ${ddl_hash}, views_hash = ${views_hash}, comments_hash = '' where slug = ${slug}`
  }
}

/**
 * Replaces comments that an older version made. Slices are left out if their tables or views are of another version or
 * are lost. Their rebuild makes the comments, or a later start does.
 */
async function bringComments(
  tx: Transaction,
  { slices, stale, stored }: Pick<Shape, 'slices'> & { stale: readonly Stale[]; stored: readonly Stored[] },
  { comment }: Making,
): Promise<void> {
  const present = new Map(stored.map((row) => [row.slug, row.comments_hash]))
  const left = new Set(stale.filter(({ reason }) => reason !== 'parser').map(({ slug }) => slug))
  const slugs = slices
    .filter(({ slug, commentsHash }) => present.get(slug) !== commentsHash && !left.has(slug))
    .map(({ slug }) => slug)
  if (slugs.length === 0) return
  await tx
    .savepoint(async (sp) => {
      await sp`select set_config('lock_timeout', ${`${COMMENT_TIMEOUT_MS}ms`}, true)`
      await comment(sp, slugs)
      await sp`set local lock_timeout to default`
    })
    .catch((error) => {
      // A start does not wait for another process's statistics. The next start tries again.
      if (!isLockTimeout(error)) throw error
    })
}

export interface Differences {
  /** The version that made the database; null if the tables that record it are lost. */
  madeBy: MadeBy
  /** Migrations that were not applied yet. */
  pending: string[]
  /** Migrations of a newer version. */
  unknown: string[]
  /** Relations that migrations made and that are missing now. */
  lost: string[]
  /** Slices that were never made. */
  missing: string[]
  stale: Stale[]
}

/** Compares the database with the shape; changes nothing. */
export async function differencesFrom(
  sql: Sql,
  { migrations, slices }: Pick<Shape, 'migrations' | 'slices'>,
): Promise<Differences> {
  const applied = (await sql<{ name: string }[]>`select name from core.migration order by name`).map(({ name }) => name)
  const known = migrations.map(({ name }) => name)
  const lost = await lostOf(
    sql,
    migrations.filter(({ name }) => applied.includes(name)),
  )
  const hasRecords = !lost.includes('core.dataset')
  const { missing, stale } = hasRecords ? await compare(sql, slices) : { missing: [], stale: [] }
  return {
    madeBy: lost.includes('core.meta') ? { version: null, migration: applied.at(-1) ?? null } : await madeBy(sql),
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
    lost,
    missing,
    stale,
  }
}

/** The slices that a start rebuilds, and the slices whose views it replaces. */
export const outdatedAmong = (stale: readonly Stale[]): Pick<Lacking, 'outdated' | 'views'> => ({
  outdated: stale.filter(({ reason }) => reason === 'definition').map(({ slug }) => slug),
  views: stale.filter(({ reason }) => reason === 'views').map(({ slug }) => slug),
})

/** The differences that the next start removes. */
export const lackingOf = ({ stale, ...rest }: Differences): Lacking => ({
  ...rest,
  ...outdatedAmong(stale),
})

/**
 * Waits until no process changes the shape. There are at most `looks` checks, ten a second. @returns whether a check
 * found that no process was changing the shape
 */
export async function isAtRest(sql: Sql, looks: number): Promise<boolean> {
  for (let left = looks; left > 0; left--) {
    const [row] = await sql<{ free: boolean }[]>`select pg_try_advisory_xact_lock_shared(${SHAPE_LOCK}) as free`
    if (row!.free) return true
    await sleep(100)
  }
  return false
}

/**
 * Whether this is a database of ours, of any version.
 *
 * @throws UserError if the database was ours and has lost the schema `core`
 */
export async function isMade(sql: Sql | Transaction): Promise<boolean> {
  const [row] = await sql<{ made: boolean; was: boolean }[]>`
    select to_regclass('core.migration') is not null as made, to_regclass('edgar.filing') is not null as was`
  if (row!.was && !row!.made) throw new UserError(`the database has filings, but lacks the schema core: ${RESTORE}`)
  return row!.made
}

/** @returns whether anything changed */
async function migrateCore(tx: Transaction, migrations: readonly Migration[], version: string): Promise<boolean> {
  if (!(await isMade(tx))) {
    await tx`create schema if not exists core`
    await tx`create table core.migration (name text primary key, applied_at timestamptz not null default now())`
  }
  const applied = new Set((await tx<{ name: string }[]>`select name from core.migration`).map((row) => row.name))
  const unknown = [...applied].filter((name) => !migrations.some((each) => each.name === name))
  if (unknown.length > 0) assertNotNewer({ madeBy: await madeBy(tx), unknown }, version)
  const pending = migrations.filter(({ name }) => !applied.has(name))
  for (const { name } of pending) {
    await tx.unsafe(await readFile(migrationFile(name), 'utf8'))
    await tx`insert into core.migration ${tx({ name })}`
  }
  return pending.length > 0
}

/**
 * Updates `edgar.filing.family`, `has_text` and the queue of tasks so that they match the shape. A form is updated
 * (through the index on form and date) in three cases: it moved to another family, its family got a parser, or its
 * family is now available as text. Costs one small query if nothing has changed.
 */
export async function bringForms(sql: Sql, { forms }: Pick<Shape, 'forms'>): Promise<void> {
  for (const stored of await storedForms(sql)) {
    if (changeOf(stored, forms) === null) continue
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${SHAPE_LOCK})`
      // Another process that started at the same time may have updated the form meanwhile.
      const [form] = await storedForms(tx, stored.form_type)
      const change = form ? changeOf(form, forms) : null
      if (!form || change === null) return
      const { family, task, hasText, isTasked } = change
      await tx`
        update edgar.filing set family = ${family}, has_text = ${hasText} where form_type = ${form.form_type}`
      if (!isTasked) await changeTask(tx, { form: form.form_type, family, before: form.task, task })
      await dataChanged(tx, [SPINE])
    })
  }
}

interface StoredForm {
  form_type: string
  family: string | null
  task: string | null
  /** Null if no filing has the form. */
  has_text: boolean | null
}

/** The forms as the database has them; only one of them if `form` is given. */
const storedForms = (sql: Sql | Transaction, form: string | null = null) => sql<StoredForm[]>`
  select form_type, family, task,
    (select has_text from edgar.filing f where f.form_type = c.form_type limit 1) as has_text
  from edgar.coverage c where form_type = coalesce(${form}, form_type)`

/** The values that the form should have; null if it has them. */
function changeOf(stored: StoredForm, forms: Shape['forms']) {
  const { family, task } = Object.hasOwn(forms, stored.form_type)
    ? forms[stored.form_type]!
    : { family: null, task: null }
  const hasText = family !== null && READABLE.includes(family)
  const isTasked = family === stored.family && task === stored.task
  return isTasked && hasText === (stored.has_text ?? hasText) ? null : { family, task, hasText, isTasked }
}

async function changeTask(
  tx: Transaction,
  { form, family, before, task }: { form: string; family: string | null; before: string | null; task: string | null },
): Promise<void> {
  await tx`
    delete from edgar.task t using edgar.filing f
    where f.form_type = ${form} and t.accession = f.accession and t.dataset = ${before}`
  await tx`
    insert into edgar.task (accession, dataset, filed_date, state)
    select f.accession, ${task}, f.filed_date, case when s.accession is null then 'pending' else 'set' end
    from edgar.filing f left join bulk.set_filing s on s.dataset = ${task} and s.accession = f.accession and s.suffices
    where f.form_type = ${form} and ${task}::text is not null`
  await tx`update edgar.coverage set family = ${family}, task = ${task}, extracted = 0 where form_type = ${form}`
}
