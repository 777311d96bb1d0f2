/** Invented holdings for tests of securities, loaded like batches of ingest, with their rollups. */
import companies from '../../src/datasets/companies/index.ts'
import nmfp from '../../src/datasets/nmfp/index.ts'
import nport from '../../src/datasets/nport/index.ts'
import { securityKey } from '../../src/datasets/nport/security.ts'
import schedule13 from '../../src/datasets/schedule13/index.ts'
import thirteenf from '../../src/datasets/thirteenf/index.ts'
import { storedQuarter } from '../../src/declare/quarter.ts'
import { columnType, type Table } from '../../src/declare/table.ts'
import { load, type Parsed } from '../../src/ingest/load.ts'
import identifiers from '../../src/products/identifiers/index.ts'
import securities from '../../src/products/securities/index.ts'
import { isPrivate, securityId, validCusip } from '../../src/read/securityid.ts'
import type { Sql, Transaction } from '../../src/store/db.ts'
import { changing, remake } from './refreshed.ts'
import { type Filed, storeReports } from './thirteenf/made.ts'

export const SLICES = [thirteenf, schedule13, nport, nmfp, companies, identifiers, securities]
const DATASETS = { thirteenf, nport, nmfp }

export async function loadManagers(sql: Sql, ...filed: readonly Filed[]): Promise<void> {
  const keys = filed.map(({ accession }) => accession)
  await changing(sql, thirteenf, { keys }, (tx) => storeReports(tx, ...filed), SLICES)
}

export interface FundLine {
  cusip?: string
  isin?: string
  lei?: string
  ticker?: string
  name: string
  title?: string
  asset?: string
  restricted?: boolean
  payoff?: 'Long' | 'Short'
  /** Null: not stated. */
  value: number | null
  balance?: number
  /** Principal in a report of a money market fund, as in the first generation of its form. */
  principal?: number
}

export interface FundReport {
  accession: string
  fund: string
  filed: string
  period: string
  lines: readonly FundLine[]
}

/** Reports of funds, or of money market funds. */
export async function loadFunds(sql: Sql, form: 'nport' | 'nmfp', ...reports: readonly FundReport[]): Promise<void> {
  const keys = reports.map(({ accession }) => accession)
  const rows = form === 'nport' ? nportRows : nmfpRows
  const parsed = reports.map(
    (report): Parsed => ({ accession: report.accession, filedDate: report.filed, rows: rows(report) }),
  )
  await changing(sql, DATASETS[form], { keys }, (tx) => load(tx, DATASETS[form], parsed), SLICES)
}

/** Returns a row with these values; other columns that may not be null get an empty value of their type. */
export function filled(t: Table, values: Record<string, unknown>): Record<string, unknown> {
  const empty = { text: '', number: 0, date: '2000-01-01', boolean: false, list: [], json: {} }
  const rest = Object.entries(t.columns).map(([name, type]) => {
    const { nullable, kind } = columnType(type)!
    return [name, nullable ? null : empty[kind]]
  })
  return { ...Object.fromEntries(rest), ...values }
}

const idOf = ({ cusip = null, isin = null, name, title = null }: Nulls<FundLine>) =>
  securityId({ cusip, isin, name, title })
type Nulls<T> = { [K in keyof T]: T[K] | null }

const ofFund = ({ fund, period }: FundReport) => ({
  ...{ fund, cik: fund.slice(0, 10), series_id: fund.slice(11) || null, fund_name: `Fund ${fund}`, period },
  ...{ registrant_name: 'Specimen Trust', name_key: fund },
})

function nportRows(report: FundReport): Parsed['rows'] {
  const { tables, dictionaries } = nport
  const quarter = storedQuarter(report.period)
  const lines = report.lines.flatMap((line, at): Parsed['rows'] => {
    const { cusip = null, isin = null, lei = null, ticker = null, name, title = null, asset = 'EC' } = line
    const own = { cusip, isin, ticker, lei, issuer_name: name, title_of_class: title, asset_cat: asset }
    const more = { asset_description: null, issuer_cat: 'CORP', issuer_description: null, country: 'US', risk_country: null } // biome-ignore format: a table
    const security = securityKey({ ...own, ...more })
    const isOurs = { cusip, isin, ticker, assetCat: asset, issuerCat: 'CORP', isRestricted: line.restricted ?? false }
    return [
      ['security', filled(dictionaries.security!, { security, ...own, ...more, sec_id: idOf(line) })],
      [
        'holding',
        filled(tables.holding!, {
          ...{
            n: at + 1,
            quarter,
            sec_id: idOf(line),
            security,
            value: line.value === null ? null : String(line.value),
            units: 'NS',
            percent: '1',
          },
          ...{
            balance: String(line.balance ?? 10),
            is_restricted: line.restricted ?? false,
            payoff: line.payoff ?? null,
          },
          is_private: isPrivate({ ...isOurs, level: null }),
        }),
      ],
    ] as Parsed['rows']
  })
  return [['report', filled(tables.report!, { ...ofFund(report), submission_type: 'NPORT-P' })], ...lines]
}

function nmfpRows(report: FundReport): Parsed['rows'] {
  const { tables } = nmfp
  const lines = report.lines.map((line, at): Parsed['rows'][number] => [
    'holding',
    filled(tables.holding!, {
      ...{
        n: at + 1,
        sec_id: idOf(line),
        cusip: line.cusip ?? null,
        cusip_flag: validCusip(line.cusip ?? null) && null,
      },
      ...{
        isin: line.isin ?? null,
        issuer_name: line.name,
        title: line.title ?? null,
        value: line.value === null ? null : String(line.value),
      },
      ...{ category: line.asset ?? null, principal: line.principal === undefined ? null : String(line.principal) },
    }),
  ])
  const own = { ...ofFund(report), submission_type: 'N-MFP2', generation: 'N-MFP2' }
  return [['report', filled(tables.report!, own)], ...lines]
}

/** Removes a filing, like an index that no longer lists it. */
export async function remove(sql: Sql, form: keyof typeof DATASETS, accession: string): Promise<void> {
  const dataset = DATASETS[form]
  const drop = async (tx: Transaction) => {
    for (const table of Object.keys(dataset.tables))
      await tx`delete from ${tx(`${form}.${table}`)} where accession = ${accession}`
  }
  await changing(sql, dataset, { keys: [accession] }, drop, SLICES)
}

/** A column with a lower bound: the bound depends on the order of the loads, so two runs may give different values. */
const BOUND = 'lead'

/** Returns every row of the product's rollups. */
export async function stored(sql: Sql): Promise<Record<string, readonly unknown[]>> {
  const rows = Object.values(securities.rollups).map(async (of) => {
    const order = sql.unsafe(of.primaryKey.join(', '))
    const columns = Object.keys(of.columns).filter((name) => name !== BOUND)
    return [of.name, [...(await sql`select ${sql(columns)} from ${sql(of.id)} order by ${order}`)]] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}

/** Makes every row from scratch. */
export const makeAll = (sql: Sql) => remake(sql, securities)
