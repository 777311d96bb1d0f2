/** Queries events in the log, with their filings. */
import { SPINE } from '../../declare/spine.ts'
import type { Sql } from '../../store/db.ts'
import type { EventRow } from './answers.ts'

interface WantedForms {
  codes: readonly string[]
  /**
   * Slugs of the datasets that read these forms: an event about a whole dataset concerns all forms that the dataset
   * reads.
   */
  readBy: readonly string[]
}

/** The requested events of the log; null means all. */
export interface EventFilter {
  /** Slugs of the log's sources. */
  sources: readonly string[] | null
  forms: WantedForms | null
  ciks: readonly string[] | null
}

export interface Wanted extends EventFilter {
  after: number
  limit: number
}

interface Walked {
  events: EventRow[]
  next_after: number
  is_end: boolean
}

type Row = Omit<EventRow, 'event_number' | 'filing'> &
  Partial<NonNullable<EventRow['filing']>> & { event_number: number | null }

/**
 * Returns the events after a number, oldest first. With filters, tests a limited number of events and returns the
 * number of the last tested event, so that a rare filer costs no more than a common one.
 */
export async function eventsAfter(
  sql: Sql,
  { after, limit, sources, forms, ciks }: Wanted,
  most = 5_000,
): Promise<Walked> {
  const isFiltered = sources !== null || forms !== null || ciks !== null
  const walks = isFiltered ? Math.max(most, limit) : limit
  // One statement finds both the events and the last tested number. With two statements, an event that is committed
  // between them would count as tested.
  const rows = await sql<(Row & { last: number | null; walked: number })[]>`
    with walked as materialized (
      select seq from core.event where seq > ${after} order by seq limit ${walks}
    ), met as (
      select ${columns(sql)} from ${withFilings(sql, after, walks)}
      where ${sources ? sql`w.slug = any(${sources as string[]})` : sql`true`}
        and ${forms ? sql`case when w.key is null then ${concerns(sql, forms)} else ${ofForms(sql, forms.codes)} end` : sql`true`}
        and (w.key is null or ${ciks ? ofFilers(sql, ciks) : sql`true`})
      order by w.seq
      limit ${limit}
    )
    select (select max(seq)::float8 from walked) as last, (select count(*)::int from walked) as walked, met.*
    from (select) as one left join met on true
    order by met.event_number`
  const { last, walked } = rows[0]!
  const events = rows.flatMap(({ last: _, walked: __, ...row }) =>
    row.event_number === null ? [] : [eventOf(row as Row & { event_number: number })],
  )
  const isFull = events.length === limit
  return {
    events,
    next_after: isFull ? events.at(-1)!.event_number : (last ?? after),
    is_end: walked < walks && (!isFull || events.at(-1)!.event_number === last),
  }
}

/** The properties of an event that the filters of a request test. */
export interface EventFact {
  source: string
  /** Whether the event names one filing or record. An event that names none passes every filter by filer. */
  isNamed: boolean
  /**
   * The filing's present form, and the form that the filing had until this event. An event that names no filing has all
   * forms that it concerns, or null if these forms are unknown.
   */
  forms: readonly (string | null)[] | null
  ciks: readonly (string | null)[]
}

interface NewsRead {
  events: EventRow[]
  facts: EventFact[]
  next: number
  isEnd: boolean
}

/** Columns that only filters need. */
interface Tested {
  former_form: string | null
  forms: string[] | null
  ciks: (string | null)[]
}

/** Returns the events after a number, oldest first, with the properties that filters test. */
export async function newsAfter(sql: Sql, after: number, limit: number): Promise<NewsRead> {
  const rows = await sql<(Row & { event_number: number } & Tested)[]>`
    select ${columns(sql)}, w.former_form, w.forms, case when f.accession is null then ${goneFilers(sql)}
      else array(select cik from edgar.filer r where r.accession = f.accession) end as ciks
    from ${withFilings(sql, after, limit)} order by w.seq`
  return {
    events: rows.map(eventOf),
    facts: rows.map(({ source, key, form_type = null, former_form, forms, ciks }) => ({
      ...{ source, isNamed: key !== null, forms: key === null ? forms : [form_type, former_form], ciks },
    })),
    next: rows.at(-1)?.event_number ?? after,
    isEnd: rows.length < limit,
  }
}

/** Returns a function that tests whether `eventsAfter` would return an event. */
export function meeting(wanted: EventFilter): (fact: EventFact) => boolean {
  const has = (some: readonly string[] | null | undefined) => {
    const set = some && new Set<string | null>(some)
    return (own: readonly (string | null)[]) => !set || own.some((each) => set.has(each))
  }
  const { sources, forms, ciks } = wanted
  const [ofSource, ofFiler] = [has(sources), has(ciks)]
  const [ofForm, ofReader] = [has(forms?.codes), has(forms?.readBy)]
  const concerns = ({ source, forms: own }: EventFact) =>
    ofReader([source]) || (source === SPINE && (own === null || ofForm(own)))
  return (fact) =>
    ofSource([fact.source]) && (fact.isNamed ? ofForm(fact.forms ?? []) && ofFiler(fact.ciks) : concerns(fact))
}

/** Returns the number of the newest event; 0 without events. */
export async function newestEvent(sql: Sql): Promise<number> {
  const [row] = await sql<[{ newest: number }]>`select coalesce(max(seq), 0)::float8 as newest from core.event`
  return row.newest
}

/** Tests whether the database is a replica, which may have only a part of the log. */
export async function isReplica(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ is_replica: boolean }]>`select pg_is_in_recovery() as is_replica`
  return row.is_replica
}

/**
 * Selects the first `limit` events (`w`) after a number, each with its filing. `f` is the filing as the index has it
 * now, and `t` the filing as the index had it before EDGAR removed it. A fence (offset 0) makes PostgreSQL look up
 * filings event by event, so that PostgreSQL stops when the page is full. With a plain join, a page of one form would
 * look up the filings of all 5,000 events, and take 8 ms instead of 2 ms.
 */
const withFilings = (sql: Sql, after: number, limit: number) => sql`
  (select * from core.event where seq > ${after} order by seq limit ${limit}) w
  left join lateral (select * from edgar.filing where accession = w.key offset 0) f on true
  left join lateral (
    select * from edgar.tombstone where accession = w.key and f.accession is null offset 0
  ) t on true`

/** The columns of `Row`, as they are selected from `withFilings`. */
const columns = (sql: Sql) => sql`
  w.seq::float8 as event_number, w.what, w.slug as source, w.key, w.at as learned_at,
  coalesce(f.accession, t.accession) as accession, coalesce(f.form_type, t.form_type) as form_type,
  coalesce(f.filed_date, t.filed_date) as filed_date, coalesce(f.cik, t.cik) as cik,
  coalesce(f.company_name, t.company_name) as company_name, f.family`

/** Matches events whose filing has one of these forms, or had one of them until this event. */
const ofForms = (sql: Sql, forms: readonly string[]) => sql`
  (coalesce(f.form_type, t.form_type) = any(${forms as string[]}) or w.former_form = any(${forms as string[]}))`

/**
 * Matches events that name no filing and concern filings of these forms: events of a dataset that reads these forms, or
 * of the index.
 */
const concerns = (sql: Sql, { codes, readBy }: WantedForms) => sql`
  (w.slug = any(${readBy as string[]}) or w.slug = ${SPINE} and (w.forms is null or w.forms && ${codes as string[]}))`

/** Tests all filers, since a filing can have several. */
const ofFilers = (sql: Sql, ciks: readonly string[]) => sql`(${goneFilers(sql)} && ${ciks as string[]}
  or exists (select from edgar.filer r where r.accession = f.accession and r.cik = any(${ciks as string[]})))`

/**
 * All filers of a filing that EDGAR removed. If the removal was recorded before this service stored all filers, only
 * the first filer is known.
 */
const goneFilers = (sql: Sql) => sql`coalesce(t.ciks, array[t.cik])`

function eventOf({ event_number, what, source, key, learned_at, ...filing }: Row & { event_number: number }): EventRow {
  const { accession, form_type, filed_date, cik, company_name, family } = filing
  if (!accession) return { event_number, what, source, key, learned_at, filing: null }
  const url = `/v1/filing/${accession}`
  return {
    ...{ event_number, what, source, key, learned_at },
    filing: {
      accession,
      form_type: form_type!,
      filed_date: filed_date!,
      cik: cik!,
      company_name: company_name!,
      family: family ?? null,
      url,
    },
  }
}
