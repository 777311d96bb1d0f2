/** Reports of specimen funds for tests, read by the parser. */

import { parse } from '../../../src/datasets/nport/filing.ts'
import nport from '../../../src/datasets/nport/index.ts'
import type { Row } from '../../../src/datasets/nport/parse/types.ts'
import { load, removeRows } from '../../../src/ingest/load.ts'
import type { Sql } from '../../../src/store/db.ts'
import { headerWith } from '../filing-made.ts'
import { changing } from '../refreshed.ts'

export interface MadeLine {
  name: string
  cusip?: string
  isin?: string
  balance: string
  value: string
}

export interface Made {
  accession: string
  filed: string
  period: string
  fund?: { cik: string; series?: string; name?: string }
  lines?: readonly MadeLine[]
  /** Defaults to 1,000; null means none. */
  netAssets?: string | null
  /** The answer to Item A.4; the document lacks it by default. */
  isFinal?: boolean
}

const lineOf = ({ name, cusip = 'N/A', isin = 'N/A', balance, value }: MadeLine) =>
  `<invstOrSec><name>${name}</name><title>Common</title><cusip>${cusip}</cusip><identifiers><isin value="${isin}"/></identifiers><balance>${balance}</balance><units>NS</units>
  <curCd>USD</curCd><valUSD>${value}</valUSD><pctVal>0</pctVal><payoffProfile>Long</payoffProfile><assetCat>EC</assetCat>
  <issuerCat>CORP</issuerCat><isRestrictedSec>N</isRestrictedSec><fairValLevel>2</fairValLevel></invstOrSec>`

/** Returns a document of the form, as small as possible. */
export function documentOf({
  period,
  fund = { cik: '9000000001' },
  lines = [],
  netAssets = '1000',
  isFinal,
}: Made): string {
  const { cik, series, name = 'Specimen Fund' } = fund
  return `<edgarSubmission xmlns="http://www.sec.gov/edgar/nport"><formData><genInfo><regName>Specimen Trust</regName>
    <regCik>${cik}</regCik><seriesName>${name}</seriesName>${series ? `<seriesId>${series}</seriesId>` : ''}
    <repPdEnd>${period}</repPdEnd><repPdDate>${period}</repPdDate>${isFinal === undefined ? '' : `<isFinalFiling>${isFinal ? 'Y' : 'N'}</isFinalFiling>`}</genInfo>
    <fundInfo><totAssets>1000</totAssets>${netAssets === null ? '' : `<netAssets>${netAssets}</netAssets>`}</fundInfo>
    <invstOrSecs>${lines.map(lineOf).join('')}</invstOrSecs></formData></edgarSubmission>`
}

export async function rowsOf(document: string): Promise<Row[]> {
  async function* bytes() {
    yield Buffer.from(document)
  }
  const header = headerWith({ form: 'NPORT-P' })
  const rows = await Array.fromAsync(parse({ documents: { portfolio: bytes() }, header, tell() {} }))
  return rows as Row[]
}

/** Loads reports like ingest, with their rollups; replaces filings of the same accession. */
export async function loadReports(sql: Sql, made: readonly Made[]): Promise<void> {
  const filings = await Promise.all(
    made.map(async (one) => ({ accession: one.accession, filedDate: one.filed, rows: await rowsOf(documentOf(one)) })),
  )
  await changing(sql, nport, { keys: made.map(({ accession }) => accession) }, (tx) => load(tx, nport, filings))
}

export const removeReports = (sql: Sql, accessions: readonly string[]) =>
  changing(sql, nport, { keys: accessions }, (tx) => removeRows(tx, nport, accessions))
