/** The tables of Form 13F accept rows with the largest values. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import thirteenf from '../../../src/datasets/thirteenf/index.ts'
import { nothingFound } from '../../../src/datasets/thirteenf/parse/values.ts'
import { rowsOf } from '../../../src/datasets/thirteenf/report.ts'
import { load } from '../../../src/ingest/load.ts'
import { freshDatabase } from '../../support/database.ts'

test('the database accepts values of fifteen digits in thousands', async (t) => {
  const { sql } = await freshDatabase(t)
  const line = {
    ...{
      issuer: 'A',
      title: 'COM',
      cusip: '037833100',
      cusipFlag: null,
      figi: null,
      kind: 'SH' as const,
      putCall: null,
    },
    ...{ value: '999999999999999', amount: '999999999999999', discretion: null, managers: null },
    ...{ sole: null, shared: null, none: '0' },
  }
  const header = {
    submissionType: '13F-HR',
    filedDate: '2020-02-14',
    cik: '9000000041',
    period: '2019-12-31',
    name: 'A',
  }
  const filing = { header, cover: null, holdings: [line], found: nothingFound(), source: 'xml' as const }
  const rows = await Array.fromAsync(rowsOf(filing))
  await sql.begin((tx) => load(tx, thirteenf, [{ accession: '9000000041-20-000001', filedDate: '2020-02-14', rows }]))
  const [found] = await sql`
    select p.value::text, s.issuer_name from thirteenf.position p join thirteenf.security s using (security)`
  assert.deepEqual({ ...found }, { value: '999999999999999000', issuer_name: 'A' })
})
