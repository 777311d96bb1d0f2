/**
 * SQL of the search. Conditions are tsquery texts from conditions.ts, passed as parameters. The value of each LIMIT is
 * in a separate select, which hides the value from the planner. Otherwise the planner would make the same plan again
 * for each query's values; this planning took a third of the time of a search for a rare word.
 */
import type { Fragment, Sql } from '../../store/db.ts'
import type { DocumentDays } from './effort.ts'

/**
 * Tables that store documents. A search that names corpora reads only the tables that have documents of these corpora.
 */
export type TextSource = 'documents' | 'brochures'

/** The form of all brochures. */
export const BROCHURE = 'ADV Part 2'

/**
 * Returns documents of these tables as one relation. Each part of the relation is a plain select, so that each index is
 * used.
 */
function documents(sql: Sql, places: readonly TextSource[]): Fragment {
  const filed = sql`
    select accession || '/' || sequence as name, corpus, form, filed_date, search from pub.documents_document`
  const brochures = sql`
    select id || '/1' as name, 'brochures' as corpus, ${BROCHURE} as form, filing_date as filed_date, search
    from pub.brochures_version
    where is_newest and filing_date is not null`
  return joined(sql, places, filed, brochures)
}

function passages(sql: Sql, places: readonly TextSource[]): Fragment {
  const filed = sql`
    select accession || '/' || sequence as name, corpus, n, section, start, text, search from pub.documents_passage`
  const brochures = sql`
    select id || '/1' as name, 'brochures' as corpus, n, section, start, text, search from pub.brochures_passage`
  return joined(sql, places, filed, brochures)
}

const joined = (sql: Sql, places: readonly TextSource[], filed: Fragment, brochures: Fragment): Fragment => {
  if (places.length === 1) return places[0] === 'documents' ? filed : brochures
  return sql`${filed} union all ${brochures}`
}

/** A search for one condition; its documents come newest first. */
export interface Step {
  condition: string
  /** Finds only documents that come after this document. */
  after: { filed_date: string; name: string } | null
}

export interface DocumentHit {
  /** Number of the step that found the document. */
  step: number
  name: string
  corpus: string
  filed_date: string
}

/**
 * Runs the steps one after the other and returns their documents, until enough are found; later steps then do not run.
 * The index alone tests the condition, before any sort. Otherwise the planner would read documents in order of days and
 * test each of them.
 */
export async function found(
  sql: Sql,
  places: readonly TextSource[],
  steps: readonly Step[],
  most: number,
): Promise<DocumentHit[]> {
  return sql<DocumentHit[]>`
    select s.step::int, f.*
    from unnest(
      (select ${steps.map(({ condition }) => condition)}::text[]),
      (select ${steps.map(({ after }) => after?.filed_date ?? null)}::date[]),
      (select ${steps.map(({ after }) => after?.name ?? null)}::text[])
    ) with ordinality as s(condition, after_date, after_name, step)
    cross join lateral (
      with met as materialized (
        select name, corpus, filed_date
        from (${documents(sql, places)}) d
        where search @@ s.condition::tsquery
          and (s.after_date is null or filed_date < s.after_date
            or filed_date = s.after_date and name collate "C" < s.after_name)
      )
      select * from met order by filed_date desc, name collate "C" desc limit (select ${most}::int)
    ) f
    limit (select ${most}::int)`
}

/**
 * Returns three days that divide the documents up to a given day. They are the newest day of the documents, the first
 * day of the block that ends on the newest day, and the oldest day.
 */
export async function documentDays(
  sql: Sql,
  places: readonly TextSource[],
  to: string | null,
  block: number,
): Promise<DocumentDays> {
  const days = sql`select filed_date from (${documents(sql, places)}) d where filed_date <= coalesce(${to}::date, 'infinity')`
  const [row] = await sql<[DocumentDays]>`
    select
      (${days} order by filed_date desc limit 1) as newest,
      (${days} order by filed_date desc offset (select ${block}::int) limit 1) as since,
      (${days} order by filed_date limit 1) as oldest`
  return row
}

/**
 * Counts the documents that meet each condition. Reads all of these documents, so the caller must limit the number of
 * documents.
 */
export async function counts(
  sql: Sql,
  places: readonly TextSource[],
  conditions: readonly string[],
): Promise<number[]> {
  const rows = await sql<{ count: number }[]>`
    select (select count(*)::int from (${documents(sql, places)}) d where search @@ c.condition::tsquery)
    from unnest((select ${conditions as string[]}::text[])) with ordinality as c(condition, n)
    order by c.n`
  return rows.map(({ count }) => count)
}

/**
 * Counts forms and years of the documents that meet a condition. Reads all of them. The condition is hidden from the
 * planner. For a common word, the planner would otherwise read the vectors of all documents one by one, at a cost that
 * it underestimates.
 */
export async function facets(
  sql: Sql,
  places: readonly TextSource[],
  condition: string,
): Promise<{ form: string; year: number; count: number }[]> {
  return sql`
    select form, extract(year from filed_date)::int as year, count(*)::int as count
    from unnest((select ${[condition]}::text[])) as c(condition)
    join (${documents(sql, places)}) d on d.search @@ c.condition::tsquery
    group by 1, 2`
}

/** A leaf of the query as a condition on passages. */
export interface Test {
  condition: string
  /**
   * The words that a matching passage must have, for the index. Null for a leaf such as `restat*`, since the index
   * would have to combine the passages of all words with that prefix.
   */
  words: string | null
}

/** Returns, for each document and each test, whether one of the document's passages meets the test. */
export async function met(
  sql: Sql,
  places: readonly TextSource[],
  documents: readonly Pick<DocumentHit, 'name' | 'corpus'>[],
  named: readonly string[],
  tests: readonly Test[],
): Promise<boolean[][]> {
  const rows = await sql<{ met: boolean[] }[]>`
    select array(
      select exists (
        select from (${passages(sql, places)}) p
        where p.corpus = d.corpus
          and p.search @@ case when t.words is null then d.named::tsquery else d.named::tsquery && t.words::tsquery end
          and not p.search @@ !! t.condition::tsquery
      )
      from unnest((select ${tests.map(({ condition }) => condition)}::text[]), (select ${tests.map(({ words }) => words)}::text[]))
        with ordinality as t(condition, words, n)
      order by t.n
    ) as met
    from unnest((select ${documents.map(({ corpus }) => corpus)}::text[]), (select ${named as string[]}::text[]))
      with ordinality as d(corpus, named, n)
    order by d.n`
  return rows.map(({ met }) => met)
}

export interface PassageHit {
  /** Position of the passage's document among the requested documents; the first has position 1. */
  at: number
  n: number
  section: string | null
  start: number
  text: string
}

/** The criteria for choosing passages. */
export interface Wanted {
  /**
   * `close` is the condition that words that were typed next to each other are a phrase in the passage. `all` is the
   * condition that the passage meets the whole query.
   */
  close: string
  all: string
  /** The condition that the passage meets at least one leaf of the query. */
  any: string
  isIndexed: boolean
}

/**
 * Maximum numbers of passages of a document that are compared: `all` of passages with all words, `any` of passages with
 * any word.
 */
const LOOKED_AT = { all: 20, any: 40 }

/**
 * Returns the best passages of each document. First come passages that meet both `close` and `all`, then those that
 * meet only `close`, then only `all`. Among passages that meet the same conditions, those with the words of the query
 * most often come first.
 */
export async function bestPassages(
  sql: Sql,
  places: readonly TextSource[],
  documents: readonly Pick<DocumentHit, 'name' | 'corpus'>[],
  named: readonly string[],
  { close, all, any, isIndexed }: Wanted,
  most: number,
): Promise<PassageHit[]> {
  const own = (condition: string, few: number) => sql`
    (select n, section, start, text, search from (${passages(sql, places)}) p
    where p.corpus = d.corpus
      and p.search @@ ${isIndexed ? sql`(d.named::tsquery && ${condition}::tsquery)` : sql`d.named::tsquery`}
      and ${isIndexed ? sql`true` : sql`not p.search @@ !! ${condition}::tsquery`}
    limit (select ${few}::int))`
  return sql<PassageHit[]>`
    select d.at::int, b.n, b.section, b.start, b.text
    from unnest((select ${documents.map(({ corpus }) => corpus)}::text[]), (select ${named as string[]}::text[]))
      with ordinality as d(corpus, named, at)
    cross join lateral (
      with with_any as materialized ${own(any, LOOKED_AT.any)},
      looked_at as materialized (
        select * from with_any
        union all
        select * from ${own(all, LOOKED_AT.all)} a where (select count(*) from with_any) = ${LOOKED_AT.any}
      )
      select *, (search @@ ${close}::tsquery)::int * 2 + (search @@ ${all}::tsquery)::int as meets,
        ts_rank(search, ${any}::tsquery) as rank
      from looked_at
      order by meets desc, rank desc, n
      limit (select ${2 * most}::int)
    ) b
    order by d.at, b.meets desc, b.rank desc, b.n`
}

export interface Described {
  name: string
  accession: string | null
  sequence: number | null
  brochure: string | null
  corpus: string
  form: string
  filed_date: string
  cik: string | null
  crd: string | null
  company_name: string | null
  type: string | null
  title: string | null
}

/**
 * Returns all data of documents except their text.
 *
 * @param cik the requested filer: the documents are shown under its name, also if other filers filed them too
 */
export async function described(sql: Sql, names: readonly string[], cik: string | null): Promise<Described[]> {
  const of = (place: TextSource) =>
    names
      .filter((name) => /^\d{10}-/.test(name) === (place === 'documents'))
      .map((name) => name.split('/') as [string, string])
  const filed = of('documents')
  const brochures = of('brochures')
  const parts = [
    filed.length > 0
      ? sql<Described[]>`
        select accession || '/' || sequence as name, accession, sequence, null as brochure, corpus, form, filed_date,
          coalesce(${cik}::text, cik) as cik, null as crd, coalesce((
            select n.name from edgar.filer r join edgar.filer_name n using (name_id)
            where r.accession = d.accession and r.cik = ${cik}::text), company_name) as company_name, type, title
        from pub.documents_document d
        where (accession, sequence) in (
          select * from unnest((select ${filed.map(([accession]) => accession)}::text[]), (select ${filed.map(([, n]) => n)}::int[])))`
      : [],
    brochures.length > 0
      ? sql<Described[]>`
        select v.id || '/1' as name, null as accession, null::int as sequence, v.id as brochure, 'brochures' as corpus,
          ${BROCHURE} as form, v.filing_date as filed_date, null as cik, v.crd, a.firm_name as company_name, null as type,
          v.brochure_name as title
        from pub.brochures_version v
        left join pub.adv_adviser a on a.crd = v.crd
        where v.id = any(${brochures.map(([id]) => id)}::text[])`
      : [],
  ]
  return (await Promise.all(parts)).flat()
}

/** Tests whether any document of any filing was read. */
export async function isAnyRead(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ is_read: boolean }]>`select exists (select from pub.documents_document) as is_read`
  return row.is_read
}

/** First and last day of documents; null if there are no documents, or if there is no last day. */
export interface Days {
  first: string | null
  last: string | null
}

/** Returns the first and the last day of the given filings, restricted to filings with the requested form and filer. */
export async function daysOfFilings(
  sql: Sql,
  { form, cik }: { form?: readonly string[] | undefined; cik?: string | undefined },
  accessions: readonly string[],
): Promise<Days> {
  const [days] = await sql<[Days]>`
    select min(d.filed_date) as first, max(d.filed_date) as last from pub.documents_document d
    where accession = any(${accessions as string[]})
      ${form ? sql`and form = any(${form as string[]})` : sql``}
      ${
        cik
          ? sql`and (cik = ${cik} or exists (
              select from edgar.filer r where r.accession = d.accession and r.cik = ${cik}))`
          : sql``
      }`
  return days
}

/** Returns the days of brochures; only the newest version of each brochure counts. */
export async function daysOfBrochures(sql: Sql, ids: readonly string[]): Promise<Days> {
  if (ids.length === 0) return { first: null, last: null }
  const [days] = await sql<[Days]>`
    select min(filing_date) as first, max(filing_date) as last from pub.brochures_version
    where id = any(${ids as string[]}) and is_newest`
  return days
}
