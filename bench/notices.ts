/** Loads generated Form D filings into a database with the real parser and loader. */

import formd from '../src/datasets/formd/index.ts'
import { parse as rowsOf } from '../src/datasets/formd/parse.ts'
import { load, type Parsed } from '../src/ingest/load.ts'
import { parse } from '../src/read/xml.ts'
import type { Sql } from '../src/store/db.ts'
import { filingOf } from '../test/support/filing-made.ts'
import { formD } from './documents.ts'
import { Random } from './random.ts'

const BATCH = 500

/** Every tenth filing amends the filing before it. @returns the accessions */
export async function generateNotices(sql: Sql, count: number, seed: number): Promise<string[]> {
  const random = new Random(seed)
  const accessions: string[] = []
  for (let from = 0; from < count; from += BATCH) {
    const filings: Parsed[] = []
    for (let i = from; i < Math.min(count, from + BATCH); i++) {
      const amends = i % 10 === 9 ? accessions.at(-1) : undefined
      const issuer = amends ? i - 1 : i
      const text = formD(random, {
        cik: String(9_000_000_000 + (issuer % 5000)),
        name: `Generated Fund ${issuer}, L.P.`,
        amends,
      })
      const accession = `0009999998-24-${String(i).padStart(6, '0')}`
      accessions.push(accession)
      const filedDate = new Date(Date.UTC(2024, 0, 1 + Math.floor((i * 360) / count))).toISOString().slice(0, 10)
      filings.push({ accession, filedDate, rows: [...rowsOf(filingOf(parse(text)))] as Parsed['rows'] })
    }
    await sql.begin((tx) => load(tx, formd, filings))
  }
  await sql`vacuum (analyze) formd.offering, formd.issuer, formd.person, formd.recipient, formd.signature`
  return accessions
}
