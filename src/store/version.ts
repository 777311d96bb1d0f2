/** Determines which version made a database, and which steps the next start of this version will take. */
import { UserError } from '../declare/errors.ts'
import type { Sql, Transaction } from './db.ts'

export interface MadeBy {
  /** `0.1.0`; null if the database was made before versions were recorded. */
  version: string | null
  /** The last migration, `021_event_filters.sql`. */
  migration: string | null
}

/** Differences between a database and this version's shape. */
export interface Lacking {
  madeBy: MadeBy
  /** Migrations that were not applied yet. */
  pending: readonly string[]
  /** Migrations of a newer version. */
  unknown: readonly string[]
  /** Slices without tables. */
  missing: readonly string[]
  /** Slices whose tables have another definition. */
  outdated: readonly string[]
  /** Slices of which only the views have another definition. */
  views: readonly string[]
}

/** Records in the database the version that brought it to its shape. */
export async function recordVersion(tx: Transaction, version: string): Promise<void> {
  await tx`
    insert into core.meta (name, value) values ('version', ${version})
    on conflict (name) do update set value = excluded.value where meta.value <> excluded.value`
}

export async function madeBy(sql: Sql | Transaction): Promise<MadeBy> {
  const [row] = await sql<MadeBy[]>`
    select (select max(name) from core.migration) as migration,
      (select value from core.meta where name = 'version') as version`
  return row!
}

/** `version 0.1.0 (021_event_filters)` */
export function versionText({ version, migration }: MadeBy): string {
  const last = migration?.replace('.sql', '') ?? 'nothing'
  return version === null ? `a version that was not recorded (${last})` : `version ${version} (${last})`
}

/** The steps of the next start, in their order; empty if the shape is this version's. */
export function nextStart({ pending, missing, outdated, views }: Lacking): string[] {
  const [first = '', last = first] = [pending[0], pending.at(-1)].map((name) => name?.replace('.sql', ''))
  return [
    ...(pending.length === 1 ? [`applies the migration ${first}`] : []),
    ...(pending.length > 1 ? [`applies ${pending.length} migrations, ${first} to ${last}`] : []),
    ...(missing.length > 0 ? [`makes the tables of ${missing.join(', ')}`] : []),
    ...(views.length > 0 ? [`replaces the views of ${views.join(', ')}`] : []),
    ...(outdated.length > 0 ? [`rebuilds ${outdated.join(', ')} from the archive`] : []),
  ]
}

/** @throws UserError if a newer version has changed the database, because this code must not write to it */
export function assertNotNewer({ madeBy, unknown }: Pick<Lacking, 'madeBy' | 'unknown'>, own: string): void {
  if (unknown.length === 0) return
  const has = `it has migration ${unknown.join(', ')}, which this version lacks`
  throw new UserError(
    `the database is of ${versionText(madeBy)}, and this is version ${own}; ${has}: run a newer OpenFilings; nothing was changed`,
  )
}

/**
 * The error for a command that needs tables or columns that the database does not have yet.
 *
 * @param command the requested command
 */
export const olderError = (lacking: Lacking, own: string, command: string, cause?: unknown): UserError =>
  new UserError(
    `${command} needs a database of version ${own}, and this one is of ${versionText(lacking.madeBy)}: ` +
      `the next "openfilings serve" or "openfilings ingest" ${nextStart(lacking).join(', ')}; nothing was changed`,
    { cause },
  )

/** Whether the error means that a statement names a table or column that does not exist. */
export const isUnknownName = (error: unknown): boolean =>
  ['42P01', '42703', '3F000'].includes(String((error as { code?: unknown } | null)?.code))
