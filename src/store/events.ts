/**
 * The log of changes to the data. Clients read events by their numbers, so the numbers must become visible in ascending
 * order.
 */
import type { Sql, Transaction } from './db.ts'

type What = 'added' | 'corrected' | 'removed' | 'restored'

/** Changes of one kind that one commit makes to one slice. */
export interface LoggedChange {
  slug: string
  what: What
  /** The keys of the changed filings or records; null if they are too many to be named. */
  keys: readonly string[] | null
  /** For a change without keys, the forms of its filings; undefined if they are unknown. */
  forms?: readonly string[]
  /** The former form of each filing whose form was corrected. */
  formerForms?: ReadonlyMap<string, string>
}

/** An event, as the log stores it. */
export interface Event {
  seq: number
  slug: string
  key: string | null
  what: What
  at: string
}

/** Lock that is held from the first event of a transaction until its commit. */
const EVENT_LOCK = 4_713_025

/**
 * Writes the changes of this transaction to the log, in the given order. Must be the last call before `dataChanged`,
 * since writers of events wait here for each other's commit. Without that wait, a client could read a later number
 * before an earlier number is visible. If the client then requests everything after the later number, it never sees the
 * earlier event.
 */
export async function append(tx: Transaction, changes: readonly LoggedChange[]): Promise<void> {
  const rows = changes.flatMap(({ slug, what, keys, forms, formerForms }) =>
    (keys ?? [null]).map((key) => ({
      ...{ slug, what, key },
      former: key === null ? null : (formerForms?.get(key) ?? null),
      forms: key === null && forms ? JSON.stringify(forms) : null,
    })),
  )
  if (rows.length === 0) return
  await tx`select pg_advisory_xact_lock(${EVENT_LOCK})`
  await tx`
    insert into core.event (slug, key, what, former_form, forms)
    select slug, key, what, former_form,
      case when forms is not null then array(select jsonb_array_elements_text(forms::jsonb)) end
    from unnest(
      ${rows.map(({ slug }) => slug)}::text[], ${rows.map(({ key }) => key)}::text[], ${rows.map(({ what }) => what)}::text[],
      ${rows.map(({ former }) => former)}::text[], ${rows.map(({ forms }) => forms)}::text[]
    ) with ordinality happened (slug, key, what, former_form, forms, n)
    order by n`
}

/** The changes to log for a transaction that removes everything: one for each slice in the log. */
export async function allRemoved(tx: Transaction): Promise<LoggedChange[]> {
  const rows = await tx<{ slug: string }[]>`select distinct slug from core.event order by slug`
  return rows.map(({ slug }) => ({ slug, what: 'removed', keys: null }))
}

/** The events after a number, oldest first. */
export const after = (sql: Sql, seq: number, limit: number) => sql<Event[]>`
  select seq::float8 as seq, slug, key, what, at from core.event where seq > ${seq} order by seq limit ${limit}`
