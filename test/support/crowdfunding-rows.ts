/** Form C filings for tests: rows of a fixture with some values replaced by a test, through the real loader. */
import { readFileSync } from 'node:fs'
import crowdfunding from '../../src/datasets/crowdfunding/index.ts'
import { parse } from '../../src/datasets/crowdfunding/parse.ts'
import { load, type Parsed } from '../../src/ingest/load.ts'
import { storedName } from '../../src/names.ts'
import { fold } from '../../src/read/fold.ts'
import { parse as parseXml } from '../../src/read/xml.ts'
import type { Sql } from '../../src/store/db.ts'
import { filingOf } from './filing-made.ts'
import { listLoaded } from './spine-rows.ts'

const document = new URL(
  '../../src/datasets/crowdfunding/fixtures/9000000020-16-000001/primary_doc.xml',
  import.meta.url,
)

export interface Offer {
  accession: string
  filedDate: string
  form?: 'C' | 'C/A' | 'C-U' | 'C-AR' | 'C-TR' | 'C-W'
  name?: string
  cik?: string
  fileNumber?: string
  state?: string | null
  /** US dollars. */
  target?: string | null
  maximum?: string | null
  raised?: string | null
}

export async function loadOffers(sql: Sql, offers: readonly Offer[]): Promise<void> {
  const rows = [...parse(filingOf(parseXml(readFileSync(document))))] as Parsed['rows']
  const filings = offers.map((offer) => ({
    accession: offer.accession,
    filedDate: offer.filedDate,
    rows: rows.map(([table, row]) => [table, table === 'submission' ? { ...row, ...changes(offer) } : row] as const),
  }))
  await sql.begin((tx) => load(tx, crowdfunding, filings))
  await listLoaded(sql, crowdfunding)
}

function changes(offer: Offer): Record<string, unknown> {
  const { form = 'C', name = 'Specimen', cik = '0000000001', fileNumber = null, raised = null } = offer
  return {
    submission_type: form,
    entity_name: name,
    name_key: fold(name),
    name_words: storedName(name).words,
    cik,
    file_number: fileNumber,
    raised,
    ...(offer.state === undefined ? {} : { state: offer.state }),
    ...(offer.target === undefined ? {} : { target_amount: offer.target }),
    ...(offer.maximum === undefined ? {} : { maximum_amount: offer.maximum }),
  }
}
