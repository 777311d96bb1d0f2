/** Makes Forms N-CEN for tests, each as short as the parser allows, and stores their rows. */
import ncen from '../../../src/datasets/ncen/index.ts'
import type { Tell } from '../../../src/declare/documents.ts'
import { load, type Parsed } from '../../../src/ingest/load.ts'
import type { Problem } from '../../../src/read/xml.ts'
import type { Sql } from '../../../src/store/db.ts'
import { headerWith } from '../filing-made.ts'
import { changing } from '../refreshed.ts'
import { loadFilings } from '../spine-rows.ts'

export interface MadeAdviser {
  role?: 'adviser' | 'subadviser'
  name?: string
  crd?: string
  file?: string
  lei?: string
  state?: string
  /** The day on which the adviser was dismissed. */
  ended?: string
}

export interface MadeFund {
  series?: string
  name?: string
  types?: readonly string[]
  assets?: string
  advisers?: readonly MadeAdviser[]
  /** Elements of the form, inserted without changes. */
  more?: string
  /** Omits the types of the fund: `more` contains the types, or the fund has no types. */
  noTypes?: boolean
}

export interface MadeReport {
  accession: string
  filed: string
  cik?: string
  form?: 'N-CEN' | 'N-CEN/A'
  name?: string
  fileNumber?: string
  period: string
  classification?: string
  last?: boolean
  /** Series that ended. */
  ended?: readonly string[]
  funds: readonly MadeFund[]
  /** Parts of the form after its funds. */
  more?: string
}

const TRUST = '0000000700'

function adviserXml({ role = 'adviser', name = 'Adviser', ended, ...who }: MadeAdviser): string {
  const { crd = 'N/A', file = 'N/A', lei = 'N/A', state = 'US-NY' } = who
  const [list, element, stem, numbers, date] =
    role === 'adviser'
      ? ended
        ? [
            'investmentAdvisersTerminated',
            'investmentAdviserTerminated',
            'investmentAdviserTerminated',
            'investAdviserTerminated',
            'investAdviserTerminationDate',
          ]
        : ['investmentAdvisers', 'investmentAdviser', 'investmentAdviser', 'investmentAdviser', '']
      : ended
        ? [
            'subAdvisersTerminated',
            'subAdviserTerminated',
            'subAdviserTerminated',
            'subAdviserTerminated',
            'subAdviserTerminationDate',
          ]
        : ['subAdvisers', 'subAdviser', 'subAdviser', 'subAdviser', '']
  return `<${list}><${element}><${stem}Name>${name}</${stem}Name><${numbers}FileNo>${file}</${numbers}FileNo>
    <${numbers}CrdNo>${crd}</${numbers}CrdNo><${numbers}Lei>${lei}</${numbers}Lei>
    <${stem}StateCountry ${stem}State="${state}" ${stem}Country="US"/>
    ${ended ? `<${date}>${ended}</${date}>` : ''}</${element}></${list}>`
}

function fundXml({
  series,
  name = `Fund ${series}`,
  types = [],
  assets,
  advisers = [],
  more = '',
  noTypes = false,
}: MadeFund): string {
  const kinds =
    types.length === 0 ? '<fundType>N/A</fundType>' : types.map((type) => `<fundType>${type}</fundType>`).join('')
  return `<managementInvestmentQuestion><mgmtInvFundName>${name}</mgmtInvFundName>
    ${series ? `<mgmtInvSeriesId>${series}</mgmtInvSeriesId>` : ''}
    ${noTypes ? '' : types.length === 0 ? kinds : `<fundTypes>${kinds}</fundTypes>`}
    ${advisers.map(adviserXml).join('')}
    ${assets ? `<mnthlyAvgNetAssets>${assets}</mnthlyAvgNetAssets>` : ''}${more}</managementInvestmentQuestion>`
}

export function xmlOf({
  cik = TRUST,
  form = 'N-CEN',
  name = 'Made Trust',
  period,
  ended = [],
  funds,
  ...rest
}: MadeReport): string {
  const { fileNumber = '811-00700', classification = 'N-1A', last = false, more = '' } = rest
  return `<?xml version="1.0"?><edgarSubmission xmlns="http://www.sec.gov/edgar/ncen"><headerData>
    <submissionType>${form}</submissionType><filerInfo><liveTestFlag>LIVE</liveTestFlag><filer><issuerCredentials>
    <cik>${cik}</cik><ccc>XXXXXXXX</ccc></issuerCredentials></filer>
    <investmentCompanyType>${classification}</investmentCompanyType></filerInfo></headerData><formData>
    <generalInfo reportEndingPeriod="${period}" isReportPeriodLt12="N"/>
    <registrantInfo><registrantFullName>${name}</registrantFullName>
    <investmentCompFileNo>${fileNumber}</investmentCompFileNo><registrantCik>${cik}</registrantCik>
    <isRegistrantLastFiling>${last ? 'Y' : 'N'}</isRegistrantLastFiling>
    <registrantClassificationType>${classification}</registrantClassificationType>
    <terminatedSeries>${ended.map((id) => `<terminatedSeriesInfo seriesName="Series ${id}" seriesId="${id}" terminationDate="09/2024"/>`).join('')}</terminatedSeries>
    </registrantInfo>
    <managementInvestmentQuestionSeriesInfo>${funds.map(fundXml).join('')}</managementInvestmentQuestionSeriesInfo>
    ${more}</formData></edgarSubmission>`
}

export interface ReadDocument {
  rows: Parsed['rows']
  problems: Problem[]
  unread: string[]
}

/** Reads a document at once, or in pieces of a few bytes like a slow connection. */
export async function readNcen(document: string | Uint8Array, size = 4_096): Promise<ReadDocument> {
  const bytes = Buffer.from(document)
  const reading: ReadDocument = { rows: [], problems: [], unread: [] }
  const form = (async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  })()
  const rows: Parsed['rows'][number][] = []
  const tell: Tell = ({ problems = [], unread = [] }) => {
    reading.problems.push(...problems)
    reading.unread.push(...unread)
  }
  const header = headerWith({ form: 'N-CEN', filedDate: '2026-02-12' })
  for await (const row of ncen.source.parse({ header, documents: { form }, tell })) rows.push(row)
  return { ...reading, rows }
}

/** Loads the reports one after the other, each with its refresh, and adds them to the spine. */
export async function loadReports(sql: Sql, reports: readonly MadeReport[]): Promise<void> {
  for (const report of reports) {
    const { rows } = await readNcen(xmlOf(report))
    const parsed: Parsed = { accession: report.accession, filedDate: report.filed, rows }
    await loadFilings(sql, [
      {
        accession: report.accession,
        form: report.form ?? 'N-CEN',
        filed: report.filed,
        filers: [[String(Number(report.cik ?? TRUST)), report.name ?? 'Made Trust']],
      },
    ])
    await changing(sql, ncen, { keys: [report.accession] }, (tx) => load(tx, ncen, [parsed]))
  }
}
