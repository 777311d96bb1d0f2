/** Prices that funds put on securities: what is stored and answered is what the reports that count imply, counted plainly. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { History } from '../src/products/securities/answers-price.ts'
import { aliases, priceHistory } from '../src/products/securities/routes-price.ts'
import { securityId } from '../src/read/securityid.ts'
import { corpus } from './corpus.ts'
import { freshDatabase } from './database.ts'
import { loadDocument, loadFunds } from './nport-made.ts'
import { makeAll } from './securities-made.ts'
import { ask } from './thirteenf-submissions.ts'

const DESTINY = '0000894189-26-016628'
const idOf = (name: string) => securityId({ cusip: null, isin: null, name, title: null })!

test('Destiny Tech100: its holdings answer under their companies', { skip: corpus.skip }, async (t) => {
  const { sql } = await freshDatabase(t)
  const text = readFileSync(path.join(corpus.folder, `sec/Archives/edgar/data/1843974/${DESTINY}.txt`), 'utf8')
  await loadDocument(
    sql,
    { accession: DESTINY, filed: '2026-05-29' },
    text.slice(text.indexOf('<XML>') + 5, text.indexOf('</XML>')).trim(),
  )
  await makeAll(sql)
  console.log(await sql`select * from securities.alias limit 3`)
  console.log(
    await sql`select id, class, period, median, held_value from securities.price where id like 'issuer%' and id ~ 'space|openai|discord' order by 1`,
  )
})
