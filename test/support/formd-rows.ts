/** Form D notices for tests: rows of a fixture with some values replaced by a test, through the real loader. */
import { readFileSync } from 'node:fs'
import formd from '../../src/datasets/formd/index.ts'
import { parse } from '../../src/datasets/formd/parse.ts'
import { load, type Parsed } from '../../src/ingest/load.ts'
import { storedName } from '../../src/names.ts'
import { fold } from '../../src/read/fold.ts'
import { parse as parseXml } from '../../src/read/xml.ts'
import type { Sql } from '../../src/store/db.ts'
import { filingOf } from './filing-made.ts'
import { listLoaded } from './spine-rows.ts'

const document = new URL('../../src/datasets/formd/fixtures/9000000001-09-000001/primary_doc.xml', import.meta.url)

export interface Notice {
  accession: string
  filedDate: string
  /** Form type: D, or D/A if the notice amends another. */
  form?: 'D' | 'D/A'
  amends?: string
  name?: string
  cik?: string
  state?: string | null
  industry?: string | null
  exemptions?: readonly string[]
  /** US dollars; null means indefinite. */
  offered?: string | null
  sold?: string
}

export async function loadNotices(sql: Sql, notices: readonly Notice[]): Promise<void> {
  const rows = [...parse(filingOf(parseXml(readFileSync(document))))] as Parsed['rows']
  const filings = notices.map((notice) => ({
    accession: notice.accession,
    filedDate: notice.filedDate,
    rows: rows.map(([table, row]) => [table, { ...row, ...changes(table, notice) }] as const),
  }))
  await sql.begin((tx) => load(tx, formd, filings))
  await listLoaded(sql, formd)
}

function changes(table: string, notice: Notice): Record<string, unknown> {
  const { amends = null, form = amends ? 'D/A' : 'D', name = 'Specimen', cik = '0000000001', offered, sold } = notice
  if (table === 'issuer') return { entity_name: name, cik }
  if (table !== 'offering') return {}
  return {
    submission_type: form,
    is_amendment: form === 'D/A',
    previous_accession: amends,
    entity_name: name,
    name_key: fold(name),
    name_words: storedName(name).words,
    cik,
    ...(notice.state === undefined ? {} : { state: notice.state }),
    ...(notice.industry === undefined ? {} : { industry: notice.industry }),
    ...(notice.exemptions && { exemptions: notice.exemptions }),
    ...(offered === undefined ? {} : { total_offered: offered, total_offered_indefinite: offered === null }),
    ...(sold === undefined ? {} : { total_sold: sold }),
  }
}
