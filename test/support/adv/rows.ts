/** Advisers for tests: rows like those of the parsers, and the rollups that a load makes from them. */

import adv from '../../../src/datasets/adv/index.ts'
import { JsonText, type Route } from '../../../src/declare/route.ts'
import { columnType, type Table } from '../../../src/declare/table.ts'
import links from '../../../src/products/links/index.ts'
import similar from '../../../src/products/similaradvisers/index.ts'
import type { Sql, Transaction } from '../../../src/store/db.ts'
import { testContext } from '../context.ts'
import { changing, remake } from '../refreshed.ts'

type Row = Record<string, unknown>

/** A firm of the SEC's feed; values left out here are blank. */
export interface Firm extends Row {
  crd: string
  /** Business name; also used as the legal name if no legal name is given. */
  name: string
}

/** The slices that are derived from the adviser files. */
export const ADVISERS = [adv, similar, links]

const FEED_DAY = '2026-07-23'

/** Builds the record of a firm in the feed. */
export function firmRow({ name, ...given }: Firm): Row {
  return {
    feed: 'IA_FIRM_SEC',
    business_name: name,
    legal_name: name,
    country: 'United States',
    registration_type: 'Registered',
    registration_status: 'APPROVED',
    registration_date: '2010-01-05',
    filing_date: '2026-03-31',
    state_registrations: [],
    era_states: [],
    notice_filings: [],
    web_addresses: [],
    social_addresses: [],
    clients: {},
    as_filed: {},
    ...given,
  }
}

/** Builds a filing of the data files. */
export const filingRow = (given: Row & { filing_id: string; crd: string }): Row => ({
  form: 'IA',
  clients: {},
  base_a: {},
  ...given,
})

/** Inserts rows into a table unchanged; numbers them in their order if the table has numbers. */
export async function put(tx: Transaction | Sql, table: string, rows: readonly Row[]): Promise<void> {
  const t: Table = adv.tables[table]!
  const numbers = new Map<unknown, number>()
  for (const row of rows) {
    const n = (numbers.get(row[t.record]) ?? 0) + 1
    numbers.set(row[t.record], n)
    const stored = Object.entries({ ...row, ...(t.numbered ? { n } : {}) }).map(([name, value]) => {
      const type = t.columns[name]
      const isJson = type !== undefined && columnType(type)!.kind === 'json'
      return [name, isJson && value !== null ? tx.json(value) : value] as const
    })
    await tx`insert into ${tx(t.id)} ${tx(Object.fromEntries(stored))}`
  }
}

/** Writes all rollups, or only the rollups that change when the given series is loaded. */
export async function refresh(
  sql: Sql,
  series?: string,
  keys: readonly string[] = [],
  change?: (tx: Transaction) => Promise<unknown>,
) {
  // Records an edition as loaded, because without a loaded edition every answer would state that nothing was loaded.
  // This edition is not from the feed whose dates decide which firms are gone.
  await sql`
    insert into bulk.edition (series, name, from_day, to_day, state, files, records)
    values ('IA_FIRM_STATE', 'rows of a test', ${FEED_DAY}, ${FEED_DAY}, 'done', '[]', 1) on conflict do nothing`
  if (series) await changing(sql, adv, { series, keys, day: FEED_DAY }, change, ADVISERS)
  else for (const slice of ADVISERS) await remake(sql, slice)
}

/** Puts firms of the SEC's feed, and refreshes the rollups. */
export async function putFirms(sql: Sql, firms: readonly Firm[]): Promise<void> {
  await put(sql, 'firm', firms.map(firmRow))
  await refresh(sql)
}

/** Returns the answer of a route; the parameters are given as text, as in an address. */
export async function ask<T>(sql: Sql, route: Route, input: Record<string, string> = {}): Promise<T> {
  const answer = await route.run(route.input.parse(input), testContext(sql))
  return (answer instanceof JsonText ? JSON.parse(answer.text) : answer) as T
}
