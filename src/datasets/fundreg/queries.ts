import { apiError } from '../../declare/api-errors.ts'
import { meets } from '../../names.ts'
import { spellings, tickersOf } from '../../read/ticker.ts'
import { countOf } from '../../serve/count.ts'
import { type Filed, filedAs } from '../../serve/filed.ts'
import { filingsOf, OTHERS_MAX } from '../../serve/filings-of.ts'
import { fundCondition } from '../../serve/funds.ts'
import { cut, type Key, orderBy, type Paged, rangesOf, startOf } from '../../serve/keyset.ts'
import { unnamed } from '../../serve/page.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import type { LaunchDetail, LaunchPage } from './answers.ts'
import type { Stage } from './pipeline.ts'
import { earlierOf } from './queries-refresh.ts'

export const SORTS = ['date', 'name', 'stage_date'] as const

interface Search extends Paged, Filed {
  /** Name of the series or trust. */
  q?: string | undefined
  bucket?: 'etf' | 'cef' | undefined
  sort: (typeof SORTS)[number]
  dir: 'asc' | 'desc'
}

const COLUMNS: Readonly<Record<(typeof SORTS)[number], (dir: 'asc' | 'desc') => Key>> = {
  date: (dir) => ({ column: 'filed_date', dir, type: 'date' }),
  name: (dir) => ({ column: 'name_key', dir, type: 'text' }),
  stage_date: (dir) => ({ column: 'stage_date', dir, type: 'date' }),
}

const keysOf = ({ sort, dir }: Pick<Search, 'sort' | 'dir'>): Key[] => [
  COLUMNS[sort](dir),
  { column: 'accession', dir, type: 'text' },
  { column: 'fund', dir, type: 'text' },
]

/**
 * Returns a page of launches, read from the index of the requested order. The query is written by hand for two reasons:
 * the list shows only some of the rows as launches, and the requested name can be a ticker.
 */
export async function search(
  sql: Sql,
  { sort, dir, limit, offset, paginate: _, cursor, count, ...wanted }: Search,
): Promise<LaunchPage> {
  const keys = keysOf({ sort, dir })
  const start = startOf({ list: 'fund_launches', sort, dir, keys, filters: wanted }, { limit, offset, cursor, count })
  const order = sql.unsafe(orderBy(keys))
  const ranges = rangesOf(sql, start)
  const { q, bucket } = wanted
  const named = (typed: string) => meets(sql, typed, { words: sql`name_words`, folded: sql`name_key` })
  const anyNamed = (typed: string) => sql`from fundreg.launch where ${named(typed)} or ${hasTicker(sql, typed)}`
  const { wanted: meant } = await fundCondition(sql, q, {
    named: (typed) => sql`(${named(typed)} or ${hasTicker(sql, typed)})`,
    anyNamed,
  })
  const launches = sql`
      fundreg.launch f where (series_id is not null or not exists (${earlierOf(sql, 'f')})) and ${meant}
      ${bucket ? sql`and bucket = ${bucket === 'etf' ? 'ETF/OEF' : 'CEF'}` : sql``} ${filedAs(sql, wanted, 'f.')}`
  const page = (range: (typeof ranges)[number]) => sql`
    (select f.* from ${launches} and ${range}
    order by ${order} limit ${start.rowsMax + offset})`
  const found = await unnamed(sql<(LaunchPage['rows'][number] & Sorted)[]>`
    select accession, cik, form, filed_date, filed_date as filing_date, trust_name, series_id, series_name, class_count,
      tickers, bucket, stage, stage_date, name_key, fund
    from (${ranges.map((range, i) => (i > 0 ? sql` union all ${page(range)}` : page(range)))}) l
    order by ${order} limit ${start.rowsMax} offset ${offset}`)
  const counted = await countOf(sql, start, sql`from ${launches}`, {
    bucket: { value: sql`case bucket when 'ETF/OEF' then 'etf' else 'cef' end` },
    month: { value: sql`f.filed_date`, kind: 'day' },
  })
  const { rows, ...next } = cut(start, found, counted)
  return { rows: rows.map(({ filed_date: _, name_key: __, fund: ___, ...row }) => row), ...next }
}

/**
 * Tests for a ticker that the filing states: a new class has a ticker in the filing before any ticker list has the
 * class.
 */
const hasTicker = (sql: Sql, typed: string) => sql`tickers && ${tickersOf(typed).flatMap(spellings)}::text[]`

interface Sorted {
  filed_date: string
  name_key: string
  fund: string
}

/**
 * Returns one filing about a fund, with the known facts about the fund; null if the filing is unknown.
 *
 * @param wanted the series to show if the filing names several series
 * @throws HttpError 404 for a series that the filing does not name
 */
export async function detail(sql: Sql, accession: string, wanted?: string): Promise<LaunchDetail | null> {
  const [row] = await sql<[DetailRow?]>`
    select f.accession, f.form as form_type, f.filed_date, f.kind, f.cik, f.trust_name, f.file_numbers, f.effective_date,
      f.series_count, f.new_series_count, f.has_fees, f.left_out,
      ${filingsOf(sql, { cik: sql`f.cik`, except: sql`f.accession`, max: OTHERS_MAX })} as other_filings
    from fundreg.filing f
    where f.accession = ${accession}`
  if (!row) return null
  const { other_filings, ...filing } = row
  const series = await sql<LaunchDetail['series']>`
    select n, status, owner_cik, owner_name, series_id, name, classes from fundreg.series
    where accession = ${accession} order by n`
  const named = wanted ? series.find(({ series_id }) => series_id === wanted) : undefined
  if (wanted && !named) throw apiError('not_found', { detail: `: ${accession} names no series ${wanted}` })
  const launches = await sql<{ fund: string; series_id: string | null; stage: Stage; stage_date: string }[]>`
    select fund, series_id, stage, stage_date from fundreg.launch o
    where accession = ${accession} and (series_id is not null or not exists (${earlierOf(sql, 'o')}))`
  const byId = new Map(launches.map((each) => [each.series_id, each]))
  const announced = series.find(({ series_id }) => series_id !== null && byId.has(series_id))
  const focus = named ?? announced ?? series.find(({ status }) => status === 'new') ?? series[0] ?? null
  const launch = byId.get(focus?.series_id ?? null) ?? null
  const seriesId = focus?.series_id ?? null
  const [stages, costs, narrative, advisers, known] = await Promise.all([
    sql<NonNullable<LaunchDetail['stages']>>`
      select stage, date, accession, form from fundreg.step
      where launch_accession = ${accession} and fund = ${launch?.fund ?? null} order by n`,
    costsOf(sql, accession, seriesId),
    sql<NonNullable<LaunchDetail['narrative']>>`
      select n, kind, series_id, title, text, is_cut, source, sequence, start, stop from fundreg.block
      where accession = ${accession} order by n`,
    sql<NonNullable<LaunchDetail['advisers']>>`
      select role, name, null as crd, 'prospectus' as source, json_build_object(
        'sequence', sequence, 'offset', start, 'length', stop - start, 'sentence', sentence) as evidence
      from fundreg.adviser
      where accession = ${accession} order by n`,
    knownOf(sql, filing.cik, seriesId),
  ])
  return {
    filing: { ...filing, stage: launch?.stage ?? null, stage_date: launch?.stage_date ?? null },
    series: [...series],
    focus_series: focus,
    ...some({ stages, narrative }),
    ...costs,
    ...some({ advisers: [...advisers, ...known.advisers], authorized_participants: known.authorized_participants }),
    ...some({ directors: known.directors, providers: known.providers }),
    ...known.worth,
    other_filings,
  }
}

type DetailRow = Omit<LaunchDetail['filing'], 'stage' | 'stage_date'> & Pick<LaunchDetail, 'other_filings'>

/** Omits empty lists, since the first filing of a new fund has only the list of its series. */
function some<T extends Record<string, readonly unknown[]>>(lists: T): { [K in keyof T]?: T[K] } {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as { [K in keyof T]?: T[K] }
}

type Costs = Pick<LaunchDetail, 'fees' | 'fees_accession' | 'expense_examples' | 'expense_examples_accession'>

/** Returns fees and expense examples, each from the newest filing that states figures. */
async function costsOf(sql: Sql, accession: string, seriesId: string | null): Promise<Costs> {
  const [feesAccession, examplesAccession] = await Promise.all([
    newestWith(
      sql,
      { rows: sql`fundreg.fee`, main: sql`e.item in ('management', 'total', 'net')` },
      accession,
      seriesId,
    ),
    newestWith(sql, { rows: sql`fundreg.expense_example`, main: sql`true` }, accession, seriesId),
  ])
  const of = (source: string) => (source === accession ? null : seriesId)
  const [fees, examples] = await Promise.all([
    feesAccession === null ? [] : feesOf(sql, feesAccession, of(feesAccession)),
    examplesAccession === null ? [] : examplesOf(sql, examplesAccession, of(examplesAccession)),
  ])
  return {
    ...(feesAccession !== null && fees.length > 0 ? { fees: [...fees], fees_accession: feesAccession } : {}),
    ...(examplesAccession !== null && examples.length > 0
      ? { expense_examples: [...examples], expense_examples_accession: examplesAccession }
      : {}),
  }
}

/**
 * Returns the filing itself if its table has a figure. Otherwise returns the newest filing about the series whose table
 * has a figure. Without such a filing, returns the filing itself, or null if it has no table. A draft has blanks, which
 * the prospectus fills when it becomes effective.
 *
 * @param table `rows` is the relation with the rows of the table. `main` is a condition that selects some of these
 *   rows; at least one row that meets it must have a figure
 */
async function newestWith(
  sql: Sql,
  { rows, main }: { rows: Fragment; main: Fragment },
  accession: string,
  seriesId: string | null,
): Promise<string | null> {
  const [found] = await sql<[{ accession: string }?]>`
    select accession from (
      select f.accession, f.filed_date, case when exists (select from ${rows} e where e.accession = f.accession
          and ${main} and e.value is not null
          and (e.series_id is null or ${seriesId}::text is null or e.series_id = ${seriesId})) then 1 else 3 end as rank
      from fundreg.filing f where f.accession = ${accession}
        and exists (select from ${rows} e where e.accession = f.accession)
      union all
      select f.accession, f.filed_date, 2 from fundreg.series s join fundreg.filing f using (accession)
      where s.series_id = ${seriesId} and f.accession <> ${accession}
        and exists (select from ${rows} e where e.accession = f.accession and e.series_id = ${seriesId}
          and ${main} and e.value is not null)
    ) t order by rank, filed_date desc, accession desc limit 1`
  return found?.accession ?? null
}

const feesOf = (sql: Sql, accession: string, seriesId: string | null) => sql<NonNullable<LaunchDetail['fees']>>`
  select n, table_number, column_number, item, series_id, class_id, class_name, value::text as value, stated, reason, source,
    json_build_object('sequence', sequence, 'offset', start, 'length', stop - start, 'sentence', sentence) as evidence
  from fundreg.fee where accession = ${accession} ${seriesId === null ? sql`` : sql`and series_id = ${seriesId}`}
  order by n`

const examplesOf = (sql: Sql, accession: string, seriesId: string | null) => sql<
  NonNullable<LaunchDetail['expense_examples']>
>`
  select n, table_number, series_id, class_id, class_name, is_redeemed, years, value::text as value, stated, reason,
    investment::text as investment, source,
    json_build_object('sequence', sequence, 'offset', start, 'length', stop - start, 'sentence', sentence) as evidence
  from fundreg.expense_example where accession = ${accession} ${seriesId === null ? sql`` : sql`and series_id = ${seriesId}`}
  order by n`

interface Known {
  advisers: NonNullable<LaunchDetail['advisers']>
  authorized_participants: NonNullable<LaunchDetail['authorized_participants']>
  directors: NonNullable<LaunchDetail['directors']>
  providers: NonNullable<LaunchDetail['providers']>
  worth: Worth | undefined
}

type Worth = Pick<LaunchDetail, 'net_assets' | 'net_assets_date' | 'net_assets_accession'>

/** Returns facts from the newest Forms N-CEN and N-PORT of the fund. */
async function knownOf(sql: Sql, cik: string | null, seriesId: string | null): Promise<Known> {
  const which = seriesId === null ? sql`cik = ${cik} and series_id is null` : sql`series_id = ${seriesId}`
  const [[report], [worth]] = await Promise.all([
    sql<[{ accession: string; fund: string }?]>`
      select accession, fund from pub.ncen_fund where ${which} and is_newest order by period desc limit 1`,
    sql<[Worth?]>`
      select net_assets::text as net_assets, period as net_assets_date, accession as net_assets_accession
      from pub.nport_fund where ${which} order by period desc limit 1`,
  ])
  if (!report) return { advisers: [], authorized_participants: [], directors: [], providers: [], worth }
  const of = sql`accession = ${report.accession} and (fund = ${report.fund} or fund is null)`
  const [advisers, providers, directors] = await Promise.all([
    sql<Known['advisers']>`
      select role, name, crd, 'ncen' as source, null as evidence
      from pub.ncen_adviser where ${of} and is_current order by n`,
    sql<(Known['providers'][number] & { amount: string | null; redeemed: string | null })[]>`
      select role, name, lei, amount::text as amount, redeemed::text as redeemed
      from pub.ncen_provider where ${of} order by n limit 500`,
    sql<Known['directors']>`
      select name, is_interested from pub.ncen_director where accession = ${report.accession} order by n`,
  ])
  const isParticipant = ({ role }: { role: string }) => role === 'authorized_participant'
  return {
    advisers: [...advisers],
    authorized_participants: providers
      .filter(isParticipant)
      .map(({ name, lei, amount, redeemed }) => ({ name, lei, purchased: amount, redeemed })),
    directors: [...directors],
    providers: providers.filter((each) => !isParticipant(each)).map(({ role, name, lei }) => ({ role, name, lei })),
    worth,
  }
}
