/** Feeds and months of a few invented advisers, written and loaded like real ones, for tests of the resulting rows. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import Papa from 'papaparse'
import { diskStore } from '../../../src/archive/store.ts'
import adv from '../../../src/datasets/adv/index.ts'
import type { Rollup } from '../../../src/declare/table.ts'
import { edgarClient } from '../../../src/fetch/client.ts'
import { ingestBulk } from '../../../src/ingest/bulk/ingest.ts'
import { rebuildBulk } from '../../../src/ingest/bulk/rebuild.ts'
import { refreshing } from '../../../src/ingest/refresh.ts'
import type { Sql } from '../../../src/store/db.ts'
import { writeZip } from '../bulk-world.ts'
import { freshDatabase } from '../database.ts'
import { remake } from '../refreshed.ts'
import { temporaryFolder } from '../world.ts'
import { ADVISERS } from './rows.ts'

/** State, status and date of a registration or notice. */
type Standing = readonly [state: string, status: string, date?: string]

/** A firm of a feed; values left out here are missing in the feed. */
export interface FeedFirm {
  crd: string
  name?: string
  legal?: string
  number?: string
  type?: 'Registered' | 'ERA'
  status?: string
  registered?: string
  states?: readonly Standing[]
  era?: readonly Standing[]
  notices?: readonly Standing[]
  filed?: string
  city?: string
  state?: string
  country?: string
  zip?: string
  web?: readonly string[]
  region?: string
  umbrella?: 'Y' | 'N'
  fax?: string
  mailing?: { street?: string; city?: string; state?: string }
  /** Attributes by item: `{ '5F': { Q5F2C: '1000' } }`. */
  items?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

type Line = Readonly<Record<string, string>>

export interface AdvWorld {
  sql: Sql
  feed(name: 'IA_FIRM_SEC' | 'IA_FIRM_STATE', day: string, firms: readonly FeedFirm[]): Promise<void>
  /**
   * Loads the lines of a month such as `2026-06`, grouped by file: `{ IA_ADV_Base_A: [{ FilingID: '1', '1A': 'X' }] }`.
   */
  month(month: string, files: Readonly<Record<string, readonly Line[]>>): Promise<void>
  withdrawals(month: string, lines: readonly Line[]): Promise<void>
  adviser(crd: string): Promise<Record<string, unknown> | undefined>
  /** Returns every row of every rollup, in a fixed order. */
  rollups(): Promise<Record<string, string[]>>
  /** Refreshes everything, as after a rebuild. */
  refreshAll(): Promise<void>
  /** Reads everything again from the archive. */
  rebuild(): Promise<void>
}

/** A firm of the SEC’s feed. */
export const SPECIMEN: FeedFirm = {
  crd: '9000000401',
  name: 'OpenFilings Specimen Capital',
  legal: 'OpenFilings Specimen Capital LLC',
  number: '801-900401',
  type: 'Registered',
  status: 'APPROVED',
  registered: '2012-05-06',
  filed: '2026-03-31',
  city: 'NEW YORK',
  state: 'NY',
  country: 'United States',
  zip: '10282-1000',
}

/** A line of a base file: a filing of the firm above. */
export const filed = (id: string, day: string, more: Record<string, string> = {}) => {
  const [year, month, date] = day.split('-')
  const submitted = `${month}/${date}/${year} 09:31:51 AM`
  const named = { '1A': 'OpenFilings Specimen Capital LLC', '1B1': 'OpenFilings Specimen Capital' }
  return { FilingID: id, FormVersion: '10/2021', DateSubmitted: submitted, '1E1': SPECIMEN.crd, ...named, ...more }
}

/** Returns columns of the firm's merged row. */
export const facts = async (world: AdvWorld, ...columns: string[]) => {
  const row = await world.adviser(SPECIMEN.crd)
  assert.ok(row)
  return columns.map((column) => row[column])
}

/** Columns that a base file must have; a file without one of them is refused. */
const BASE = ['FilingID', 'FormVersion', 'DateSubmitted', '1A', '1B1', '1D', '1E1', '1F1-City', '1F1-State']
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  IA_ADV_Base_A: [...BASE, '5F2a', '5F2b', '5F2c', '11'],
  ERA_ADV_Base: BASE,
  IA_Schedule_D_7B1: ['FilingID', 'Fund Name', 'Fund ID', 'ReferenceID', 'Fund Type', 'Gross Asset Value'],
  ADVW: ['Filing ID', 'CRD Number', 'Filing Type', 'Filing Date'],
}

/** @param originals true to keep all files in the archive */
export async function openAdv(t: { after(fn: () => Promise<void>): void }, originals = false): Promise<AdvWorld> {
  const { sql } = await freshDatabase(t)
  const root = await temporaryFolder(t)
  const client = edgarClient({ baseUrl: 'http://127.0.0.1:9', userAgent: null })
  t.after(async () => client.close())
  const store = diskStore(path.join(root, 'archive'))

  async function load(name: string) {
    const outcomes = await ingestBulk({
      sql,
      slices: ADVISERS,
      datasets: [adv],
      store,
      client,
      originals,
      files: [path.join(root, name)],
    })
    for (const { error, result } of outcomes) {
      assert.equal(error, null)
      assert.deepEqual([result?.notes.refusals, result?.notes.problems], [[], []])
    }
  }

  return {
    sql,
    async feed(series, day, firms) {
      const [year, month, date] = day.split('-')
      const name = `${series}_Feed_${month}_${date}_${year}.xml.gz`
      const report = series === 'IA_FIRM_SEC' ? 'IAPDFirmSECReport' : 'IAPDFirmStateReport'
      const xml = `<${report} GenOn="${day}"><Firms>${firms.map(firmXml).join('\n')}</Firms></${report}>`
      await writeFile(path.join(root, name), gzipSync(xml))
      await load(name)
    },
    async month(month, files) {
      const days = daysOf(month)
      const name = `ADV_Filing_Data_${days}.zip`
      const all = { IA_ADV_Base_A: [], ...files }
      const given = Object.entries(all).filter(([file, lines]) => lines.length > 0 || HEADERS[file])
      const members = given.map(([file, lines]) => [`${file}_${days}.csv`, csv(file, lines)] as const)
      await writeZip(path.join(root, name), Object.fromEntries(members))
      await load(name)
    },
    async withdrawals(month, lines) {
      const days = daysOf(month)
      await writeZip(path.join(root, `ADVW_${days}.zip`), { [`ADVW_${days}.csv`]: csv('ADVW', lines) })
      await load(`ADVW_${days}.zip`)
    },
    async adviser(crd) {
      const [row] = await sql`select * from adv.adviser where crd = ${crd}`
      return row
    },
    async rollups() {
      const found: Record<string, string[]> = {}
      for (const { id } of ADVISERS.flatMap(({ rollups }) => Object.values<Rollup>(rollups))) {
        const rows = await sql.unsafe<{ row: string }[]>(`select to_jsonb(t)::text as row from ${id} t order by 1`)
        found[id] = rows.map(({ row }) => row)
      }
      return found
    },
    async refreshAll() {
      for (const slice of ADVISERS) await remake(sql, slice)
    },
    async rebuild() {
      await rebuildBulk({ sql, slices: ADVISERS, store }, adv)
      await refreshing({ sql, slices: ADVISERS }, async () => {})
    },
  }
}

function daysOf(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate()
  const compact = month.replace('-', '')
  return `${compact}01_${compact}${last}`
}

const csv = (file: string, lines: readonly Line[]) => {
  const fields = new Set([...(HEADERS[file] ?? []), ...lines.flatMap((line) => Object.keys(line))])
  const columns = [...fields]
  return Papa.unparse({ fields: columns, data: lines.map((line) => columns.map((column) => line[column] ?? '')) })
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

const attributes = (values: Readonly<Record<string, string | undefined>>) =>
  Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escaped(value)}"`))
    .join('')

const standings = (element: string, code: string, all: readonly Standing[]) =>
  all.map(([state, St, Dt]) => `<${element}${attributes({ [code]: state, St, Dt })}/>`).join('')

function firmXml(firm: FeedFirm): string {
  const { crd, name, legal = name, number, type, status, registered, states, era, notices = [], filed } = firm
  const { city, state, country, zip, web = [], items = {}, region, umbrella, fax, mailing } = firm
  const answers = Object.entries({ '1': {}, ...items }).map(([item, values]) => {
    const inside =
      item === '1' ? `<WebAddrs>${web.map((a) => `<WebAddr>${escaped(a)}</WebAddr>`).join('')}</WebAddrs>` : ''
    return `<Item${item}${attributes(values)}>${inside}</Item${item}>`
  })
  return `<Firm>
    <Info${attributes({ SECRgnCD: region, FirmCrdNb: crd, SECNb: number, BusNm: name, LegalNm: legal, UmbrRgstn: umbrella })}/>
    <MainAddr${attributes({ City: city, State: state, Cntry: country, PostlCd: zip, FaxNb: fax })}/>
    <MailingAddr${attributes({ Strt1: mailing?.street, City: mailing?.city, State: mailing?.state })}/>
    ${type ? `<Rgstn${attributes({ FirmType: type, St: status, Dt: registered })}/>` : ''}
    ${states ? `<StateRgstn><Rgltrs>${standings('Rgltr', 'Cd', states)}</Rgltrs></StateRgstn>` : ''}
    ${era ? `<ERA><Rgltrs>${standings('Rgltr', 'Cd', era)}</Rgltrs></ERA>` : ''}
    <NoticeFiled>${standings('States', 'RgltrCd', notices)}</NoticeFiled>
    <Filing${attributes({ Dt: filed, FormVrsn: '10/2021' })}/>
    <FormInfo><Part1A>${answers.join('')}</Part1A></FormInfo>
  </Firm>`
}
