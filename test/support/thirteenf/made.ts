/** Invented reports for tests, loaded like one batch of ingest. */
import thirteenf from '../../../src/datasets/thirteenf/index.ts'
import type { Holding } from '../../../src/datasets/thirteenf/parse/types.ts'
import { nothingFound } from '../../../src/datasets/thirteenf/parse/values.ts'
import { rowsOf } from '../../../src/datasets/thirteenf/report.ts'
import { load, type Parsed } from '../../../src/ingest/load.ts'
import type { Sql, Transaction } from '../../../src/store/db.ts'
import { changing } from '../refreshed.ts'

export interface Filed {
  accession: string
  cik: string | null
  filed: string
  period: string | null
  form?: string
  amendment?: 'restatement' | 'new_holdings' | null
  number?: number | null
  name?: string | null
  /** CUSIPs with their dollars and other values of a line; null for a filing without a table. */
  lines: readonly FiledLine[] | null
}

export type FiledLine = readonly [cusip: string | null, value: number, more?: Partial<Holding>]

/** Returns rows like the parser's; by default 10 shares per line. */
async function rowsFor(filed: Filed): Promise<Parsed['rows']> {
  const { cik, period, form = '13F-HR', amendment = null, number = null, name = 'Specimen Capital', lines } = filed
  const header = { submissionType: form, filedDate: filed.filed, cik, period, name }
  const holdings =
    lines?.map(([cusip, value, more]) => ({
      ...{ issuer: cusip, title: 'COM', cusip, cusipFlag: null, figi: null, kind: 'SH' as const, putCall: null },
      ...{ value: String(value), amount: '10', discretion: null, managers: null, sole: null, shared: null, none: null },
      ...more,
    })) ?? null
  const rows: Parsed['rows'][number][] = []
  for await (const [table, row] of rowsOf({ header, cover: null, holdings, found: nothingFound(), source: 'xml' })) {
    const amended = table === 'report' ? { amendment_type: amendment, amendment_number: number } : {}
    rows.push([table, { ...row, ...amended }])
  }
  return rows
}

/** Stores the rows of reports, without rollups. */
export async function storeReports(tx: Transaction, ...filed: readonly Filed[]): Promise<void> {
  const filings: Parsed[] = []
  for (const one of filed) {
    filings.push({ accession: one.accession, filedDate: one.filed, rows: await rowsFor(one) })
  }
  await load(tx, thirteenf, filings)
}

/** Loads reports like one batch of ingest. */
export async function loadReports(sql: Sql, ...filed: readonly Filed[]): Promise<void> {
  const keys = filed.map(({ accession }) => accession)
  await changing(sql, thirteenf, { keys }, (tx) => storeReports(tx, ...filed))
}

export async function removeReport(sql: Sql, accession: string): Promise<void> {
  await changing(sql, thirteenf, { keys: [accession] }, async (tx) => {
    for (const table of Object.keys(thirteenf.tables)) {
      await tx`delete from ${tx(`thirteenf.${table}`)} where accession = ${accession}`
    }
  })
}
