/** The log of what happened to the data. Its numbers become visible in their order: the log is read by them. */
import type { Sql, Transaction } from './db.ts'

type What = 'added' | 'corrected' | 'removed' | 'restored'

/** Changes of one commit to things of one slice. */
export interface LoggedChange {
  slug: string
  what: What
  /** Null: too many to be named. */
  keys: readonly string[] | null
  /** Without keys: the forms of the filings it is about. Undefined: not known. */
  forms?: readonly string[]
  /** The former form of each filing whose form was corrected. */
  formerForms?: ReadonlyMap<string, string>
}

/** An event as the log has it. */
export interface Event {
  seq: number
  slug: string
  key: string | null
  what: What
  at: string
}

/** Held from the first event of a transaction to its commit. */
const EVENT_LOCK = 4_713_025

/**
 * Writes what this transaction did, in the order given. To be called last before `dataChanged`: writers of events wait here
 * for each other's commit. Without that a later number could be read before an earlier one, and who asks for everything
 * after it would never see the earlier.
 */
export async function append(tx: Transaction, happened: readonly LoggedChange[]): Promise<void> {
  const rows = happened.flatMap(({ slug, what, keys, forms, formerForms }) =>
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

/** For a transaction that removes everything: the change of every slice in the log. */
export async function allRemoved(tx: Transaction): Promise<LoggedChange[]> {
  const rows = await tx<{ slug: string }[]>`select distinct slug from core.event order by slug`
  return rows.map(({ slug }) => ({ slug, what: 'removed', keys: null }))
}

/** The events after a number, the oldest first. */
export const after = (sql: Sql, seq: number, limit: number) => sql<Event[]>`
  select seq::float8 as seq, slug, key, what, at from core.event where seq > ${seq} order by seq limit ${limit}`
