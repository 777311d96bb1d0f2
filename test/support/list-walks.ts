/**
 * Pages through lists by cursor and by offset, and inserts rows for these tests; the inserted rows are part of no
 * filing.
 */
import assert from 'node:assert/strict'
import type { Context, Route } from '../../src/declare/route.ts'
import { encodeCursor } from '../../src/serve/page.ts'
import type { Sql } from '../../src/store/db.ts'

/** A list to page through. */
export interface Listed {
  route: Route
  context: Context
  /** Returns the identifier of a row. */
  idOf: (row: Record<string, unknown>) => string
}

export type Query = Readonly<Record<string, string>>

export interface Page {
  ids: string[]
  next: string | null | undefined
  total: number | undefined
}

/** @param given values that replace parsed ones, as from an internal caller */
export async function pageOf(list: Listed, query: Query, given: Record<string, unknown> = {}): Promise<Page> {
  const { route, context, idOf } = list
  const answer = (await route.run({ ...route.input.parse(query), ...given }, context)) as Record<string, unknown>
  const { next_cursor, total } = answer as { next_cursor?: string | null; total?: number }
  const rows = answer[route.list!.member!] as Record<string, unknown>[]
  // Checking the shape of tens of thousands of rows takes longer than finding them.
  if (rows.length <= 100) assert.equal(route.output!.safeParse(answer).error?.issues[0], undefined)
  return { ids: rows.map(idOf), next: next_cursor, total }
}

/** Returns all rows by offset, for comparison with a walk by cursor. */
export async function byOffset(list: Listed, query: Query): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const page = await pageOf(list, { ...query, limit: '50', offset: String(ids.length) })
    if (page.ids.length === 0) return ids
    ids.push(...page.ids)
  }
}

/** Returns all rows by cursor. Each page except the last is full, unless the list may have short pages. */
export async function byCursor(
  list: Listed,
  query: Query,
  { limit, between, short = false }: { limit: number; between?: () => Promise<unknown>; short?: boolean },
): Promise<string[]> {
  const ids: string[] = []
  const totals = new Set<number | undefined>()
  let page = await pageOf(list, { ...query, paginate: 'cursor' }, { limit })
  for (;;) {
    ids.push(...page.ids)
    totals.add(page.total)
    assert.notEqual(page.next, undefined)
    assert.ok(page.ids.length <= limit)
    if (page.next === null) break
    if (!short) assert.equal(page.ids.length, limit)
    await between?.()
    page = await pageOf(list, { ...query, cursor: page.next! }, { limit })
  }
  assert.equal(totals.size, 1, 'the total is that of the first page')
  return ids
}

/** Returns a cursor with a valid checksum and one changed value. */
export const forged = (cursor: string, at: number, value: string | null): string =>
  encodeCursor(valuesIn(cursor).with(at, value))

/** Returns the values in a cursor. */
export const valuesIn = (cursor: string): (string | null)[] =>
  JSON.parse(Buffer.from(cursor, 'base64url').toString().slice(8)).slice(1)

/** Returns the sort keys of a cursor, which are its last values. */
export const keysIn = (cursor: string): (string | null)[] => valuesIn(cursor).slice(5)

const BLANK: Record<string, unknown> = {
  text: '',
  tsvector: '',
  date: '2024-01-01',
  'timestamp with time zone': '2024-01-01T00:00:00Z',
  boolean: false,
  ARRAY: [],
  jsonb: {},
}

/** Inserts rows into a table whose other columns are blank. */
export async function putRows(sql: Sql, table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  const columns = await sql<{ name: string; type: string }[]>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema || '.' || table_name = ${table} and is_nullable = 'NO'`
  const blank = Object.fromEntries(columns.map(({ name, type }) => [name, BLANK[type] ?? 0]))
  // The rows of tests have only values that JSON can represent.
  const json = sql.json(rows.map((row) => ({ ...blank, ...row })) as never)
  await sql`
    insert into ${sql(table)}
    select * from jsonb_populate_recordset(${sql.unsafe(`null::${table}`)}, ${json})`
}

/**
 * Returns the number of index entries and scanned rows of tables read during an action.
 *
 * Counts the reads of one transaction: the counts of a whole database include reads of other sessions of the last ten
 * seconds.
 *
 * @param one a pool of one connection, which the action uses
 */
export async function readOf(one: Sql, tables: readonly string[], act: () => Promise<unknown>): Promise<number> {
  // Statistics that the session has not reported yet would be counted with this transaction.
  await one`select pg_stat_force_next_flush()`
  await one`begin`
  try {
    await act()
    const [row] = await one<[{ read: number }]>`
      select sum(pg_stat_get_xact_tuples_returned(oid))::int as read from pg_class
      where oid = any(${tables as string[]}::regclass[])
        or oid in (select indexrelid from pg_index where indrelid = any(${tables as string[]}::regclass[]))`
    return row.read
  } finally {
    await one`rollback`
  }
}
