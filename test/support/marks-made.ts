/** Invented reports of funds for tests, read by the parser and loaded like one batch of ingest. */

import { parse } from '../../src/datasets/nport/filing.ts'
import nport from '../../src/datasets/nport/index.ts'
import { load, type Parsed } from '../../src/ingest/load.ts'
import securities from '../../src/products/securities/index.ts'
import type { Sql, Transaction } from '../../src/store/db.ts'
import { headerWith } from './filing-made.ts'
import { changing } from './refreshed.ts'

export interface FundReport {
  accession: string
  cik: string
  /** Series: S and nine digits; none for a closed-end fund. */
  series?: string
  filed: string
  /** The as-of date, repPdDate. */
  period: string
  lines: readonly FundLine[]
}

export interface FundLine {
  name: string
  title?: string
  cusip?: string
  lei?: string
  isin?: string
  /** N/A for null. */
  balance?: string | null
  units?: 'NS' | 'PA' | 'NC' | 'OU'
  value: string
  payoff?: 'Long' | 'Short' | 'N/A'
  category?: string
  restricted?: boolean
  level?: number
}

const SLICES = [nport, securities]
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function lineOf({
  name,
  title = name,
  cusip = 'N/A',
  lei = 'N/A',
  isin,
  balance = '10',
  units = 'NS',
  value,
  payoff = 'Long',
  category = 'EC',
  restricted = false,
  level = 3,
}: FundLine): string {
  const asset =
    category === 'OTHER'
      ? '<assetConditional desc="Special Purpose Vehicle" assetCat="OTHER"/>'
      : `<assetCat>${category}</assetCat>`
  return `<invstOrSec><name>${escaped(name)}</name><lei>${lei}</lei><title>${escaped(title)}</title><cusip>${cusip}</cusip>
    <identifiers>${isin ? `<isin value="${isin}"/>` : '<other otherDesc="Internal ID" value="X1"/>'}</identifiers>
    <balance>${balance ?? 'N/A'}</balance><units>${units}</units><curCd>USD</curCd><valUSD>${value}</valUSD><pctVal>1.0</pctVal>
    <payoffProfile>${payoff}</payoffProfile>${asset}<issuerCat>CORP</issuerCat><invCountry>US</invCountry>
    <isRestrictedSec>${restricted ? 'Y' : 'N'}</isRestrictedSec><fairValLevel>${level}</fairValLevel></invstOrSec>`
}

export const documentOf = ({ cik, series, period, lines }: FundReport) => `<?xml version="1.0"?>
<edgarSubmission xmlns="http://www.sec.gov/edgar/nport"><headerData><submissionType>NPORT-P</submissionType></headerData><formData>
  <genInfo><regName>Specimen Trust ${cik}</regName><regFileNumber>811-00001</regFileNumber><regCik>${cik}</regCik>
    <seriesName>${series ? `Specimen Fund ${series}` : 'N/A'}</seriesName>${series ? `<seriesId>${series}</seriesId>` : ''}
    <repPdEnd>${period}</repPdEnd><repPdDate>${period}</repPdDate><isFinalFiling>N</isFinalFiling></genInfo>
  <fundInfo><totAssets>1000</totAssets><totLiabs>0</totLiabs><netAssets>1000</netAssets></fundInfo>
  <invstOrSecs>${lines.map(lineOf).join('')}</invstOrSecs></formData></edgarSubmission>`

async function rowsOf(report: FundReport, document = documentOf(report)): Promise<Parsed['rows']> {
  async function* stream() {
    yield Buffer.from(document)
  }
  const rows: Parsed['rows'][number][] = []
  const header = headerWith({ accession: report.accession, form: 'NPORT-P', filedDate: report.filed })
  for await (const row of parse({ documents: { portfolio: stream() }, header, tell() {} })) rows.push(row)
  return rows
}

/** Loads reports and brings all rollups up to date. */
export async function loadFunds(sql: Sql, ...reports: readonly FundReport[]): Promise<void> {
  const filings: Parsed[] = []
  for (const report of reports)
    filings.push({ accession: report.accession, filedDate: report.filed, rows: await rowsOf(report) })
  await changing(
    sql,
    nport,
    { keys: filings.map(({ accession }) => accession) },
    (tx) => load(tx, nport, filings),
    SLICES,
  )
}

/** Loads a real document. */
export async function loadDocument(
  sql: Sql,
  report: Pick<FundReport, 'accession' | 'filed'>,
  document: string,
): Promise<void> {
  const rows = await rowsOf(report as FundReport, document)
  const filing = { accession: report.accession, filedDate: report.filed, rows }
  await changing(sql, nport, { keys: [report.accession] }, (tx) => load(tx, nport, [filing]), SLICES)
}

export async function removeFunds(sql: Sql, ...accessions: readonly string[]): Promise<void> {
  await changing(sql, nport, { keys: accessions }, (tx) => withoutRows(tx, accessions), SLICES)
}

async function withoutRows(tx: Transaction, accessions: readonly string[]): Promise<void> {
  for (const table of Object.keys(nport.tables)) {
    await tx`delete from ${tx(`nport.${table}`)} where accession = any(${accessions as string[]})`
  }
}
