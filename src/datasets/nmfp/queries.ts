/** Queries one report of a money market fund with its lists, and a page of its portfolio. */
import { apiError } from '../../declare/api-errors.ts'
import { amendedColumn } from '../../serve/amended.ts'
import { otherFilings } from '../../serve/filings-of.ts'
import { decodeCursor, encodeCursor } from '../../serve/page.ts'
import type { Sql } from '../../store/db.ts'
import { BEHIND_MAX, CLASSES_MAX, type Detail, LINES_MAX } from './answers.ts'
import { SLIP } from './rollups-slip.ts'
import { nmfpAmended } from './views.ts'

interface DetailParams {
  accession: string
  limit: number
  /** A page has a cursor without this parameter too. */
  paginate?: 'cursor' | undefined
  cursor?: string | undefined
}

type Report = Detail['filing'] & Pick<Detail, 'is_counted' | 'other_filings'> & { name_key: string; name_words: string }

/** Returns one filing; null if unknown. */
export async function detail(sql: Sql, { accession, limit, cursor }: DetailParams): Promise<Detail | null> {
  const after = cursor === undefined ? 0 : lineAfter(cursor, accession)
  const [row] = await sql<[Report?]>`
    select r.*, ${amendedColumn(sql, nmfpAmended, 'r')}, coalesce(not (${sql.unsafe(SLIP)}) and not exists (
        select from nmfp.report o
        where o.fund = r.fund and o.period = r.period and (o.filed_date, o.accession) > (r.filed_date, r.accession)
      ), false) and r.fund is not null as is_counted,
      ${otherFilings(sql, 'r', {
        slug: 'nmfp',
        table: 'nmfp.report',
        amended: nmfpAmended,
        facts: sql`t.submission_type, t.series_id, t.period, t.net_assets::text as net_assets,
          t.seven_day_gross_yield::text as seven_day_gross_yield`,
      })} as other_filings
    from nmfp.report r where r.accession = ${accession}`
  if (!row) return null
  const { name_key: _, name_words: __, is_counted, other_filings, ...filing } = row
  const list = <T extends object>(table: string, order: string) =>
    sql<
      T[]
    >`select * from nmfp.${sql(table)} where accession = ${accession} order by ${sql.unsafe(order)} limit ${LINES_MAX}`
  const providers = await list<Detail['providers'][number]>('provider', 'position')
  const related = await list<Detail['related_funds'][number]>('related_fund', 'position')
  const liquidity = await list<Detail['liquidity'][number]>('liquidity', 'n')
  const fees = await list<Detail['liquidity_fees'][number]>('liquidity_fee', 'n')
  const disposed = await list<Detail['dispositions'][number]>('disposition', 'n')
  const { classes, yields, navs } = await classesOf(sql, accession)
  const page = await holdingsOf(sql, accession, after, limit)
  return {
    filing,
    is_counted,
    providers: plain(providers, 'name_key', 'number_key'),
    related_funds: plain(related),
    liquidity: plain(liquidity),
    yields,
    navs,
    liquidity_fees: plain(fees),
    dispositions: plain(disposed),
    classes,
    ...page,
    other_filings,
  }
}

/** Prepares rows of a table for the answer: removes the accession, which is the filing's. */
function plain<T extends object>(rows: readonly T[], ...more: string[]): T[] {
  const hidden = new Set(['accession', ...more])
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.has(name))) as T)
}

interface Placed {
  class_position: number
}

type Classes = Pick<Detail, 'classes' | 'yields' | 'navs'>

/** Returns the classes with their lists, and the lists of the series, which is class 0. */
async function classesOf(sql: Sql, accession: string): Promise<Classes> {
  const rows = <T extends object>(table: string) => sql<(T & Placed)[]>`
    select * from nmfp.${sql(table)}
    where accession = ${accession} and class_position <= ${CLASSES_MAX} and n <= ${LINES_MAX}
    order by class_position, n`
  type Class = Detail['classes'][number]
  type Row = Omit<Class, 'yields' | 'navs' | 'flows' | 'cancelled' | 'holders'> & { accession: string }
  const classes = await sql<Row[]>`
    select * from nmfp.share_class where accession = ${accession} and class_position <= ${CLASSES_MAX}
    order by class_position`
  const lists = {
    yields: byClass(await rows<Class['yields'][number]>('seven_day_yield')),
    navs: byClass(await rows<Class['navs'][number]>('nav')),
    flows: byClass(await rows<Class['flows'][number]>('flow')),
    cancelled: byClass(await rows<Class['cancelled'][number]>('cancelled')),
    holders: byClass(await rows<Class['holders'][number]>('holder')),
  }
  return {
    classes: plain(classes).map((one) => ({
      ...one,
      yields: lists.yields(one.class_position),
      navs: lists.navs(one.class_position),
      flows: lists.flows(one.class_position),
      cancelled: lists.cancelled(one.class_position),
      holders: lists.holders(one.class_position),
    })),
    yields: lists.yields(0),
    navs: lists.navs(0),
  }
}

function byClass<T extends Placed>(rows: readonly T[]): (position: number) => T[] {
  const found = Map.groupBy(rows, ({ class_position }) => class_position)
  return (position) => plain(found.get(position) ?? [], 'class_position')
}

type Security = Detail['holdings'][number]
type SecurityRow = Omit<Security, 'collateral' | 'supports' | 'ratings'> & { accession: string }

async function holdingsOf(sql: Sql, accession: string, after: number, limit: number) {
  const found = await sql<SecurityRow[]>`
    select h.*, (select count(*)::int from nmfp.collateral c where c.accession = h.accession and c.n = h.n) as collateral_count
    from nmfp.holding h where h.accession = ${accession} and h.n > ${after} order by h.n limit ${limit + 1}`
  const page = plain(found.slice(0, limit))
  const last = page.at(-1)?.n ?? after
  const behind = async <T extends object>(table: string) => {
    const rows = await sql<(T & { n: number })[]>`
      select * from nmfp.${sql(table)}
      where accession = ${accession} and n > ${after} and n <= ${last} and position <= ${BEHIND_MAX} order by n, position`
    const byN = Map.groupBy(rows, ({ n }) => n)
    return (n: number) => plain(byN.get(n) ?? [], 'n')
  }
  const collateral = await behind<Security['collateral'][number]>('collateral')
  const supports = await behind<Security['supports'][number]>('support')
  const ratings = await behind<Security['ratings'][number]>('rating')
  return {
    holdings: page.map((one) => ({
      ...one,
      collateral: collateral(one.n),
      supports: supports(one.n),
      ratings: ratings(one.n),
    })),
    next_cursor: found.length > limit ? encodeCursor([accession, String(last)]) : null,
  }
}

function lineAfter(cursor: string, accession: string): number {
  const [of, n] = decodeCursor(cursor, 2)
  if (of !== accession || !/^\d{1,9}$/.test(n ?? ''))
    throw apiError('invalid_cursor', { reason: 'not a next_cursor of this filing' })
  return Number(n)
}
