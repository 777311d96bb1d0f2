/** The SEC's data sets of Form N-CEN: the rows of filings, out of their submissions and out of lines written of them. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import ncen from '../src/datasets/ncen/index.ts'
import { quarterlySets } from '../src/datasets/ncen/sources.ts'
import { parse as parseXml } from '../src/read/xml.ts'
import { corpus } from './corpus.ts'
import { readNcen } from './ncen-made.ts'
import { everyLeaf } from './ncen-schema.ts'
import { linesOf } from './ncen-set-lines.ts'
import { byTable, rowsOfSet, without } from './sets-written.ts'

const here = (file: string) => path.join(import.meta.dirname, '..', file)
const SPEC = path.join(corpus.folder ?? '', 'schemas/sec_specs/form-n-cen-xml-tech-specs-31/EDGAR_Form_N-CEN_XML_Technical_Specification') // biome-ignore format: one line

/** Words that are boxes of the form, so a set has columns for them and for no others. */
const BOXES: Readonly<Record<string, string>> = {
  paymentToAgentManagerType: 'Other',
  relyOnRuleType: 'Rule 10f-3 (17 CFR 270.10f-3)',
  rightsOfferingType: 'Bonds',
  secondaryOfferingType: 'Warrants',
  repurchaseSecurityType: 'Preferred stock',
}

/** Documents by what they are called: our own, the SEC's samples, real ones, and one with every leaf of the schema. */
function documents(): Map<string, string> {
  const files = globSync([here('src/datasets/ncen/fixtures/*/primary_doc.xml'), here('sample/Archives/edgar/data/90000000{71,81,84}/*.txt')]) // biome-ignore format: one line
  if (corpus.skip === false) files.push(...globSync([path.join(SPEC, '*Samples/*.xml'), path.join(corpus.folder, 'sec/Archives/edgar/data/{81443,1496608}/0001410368-26-0109*.txt')])) // biome-ignore format: one line
  const texts = files.map((file) => [file, readFileSync(file, 'utf8')] as const).filter(([, text]) => text.includes('edgar/ncen')) // biome-ignore format: one line
  const found = new Map(texts.map(([file, text]) => [file, /<XML>\s*([\s\S]*?)<\/XML>/.exec(text)?.[1] ?? text.trimStart()])) // biome-ignore format: one line
  if (corpus.skip === false) {
    const { document } = everyLeaf(path.join(SPEC, 'EDGAR_Form_N-CEN_XML_schema_files'))
    const words = document.replace(/<(\w+)>text \d+/g, (all, name: string) =>
      name in BOXES ? `<${name}>${BOXES[name]}` : all,
    )
    // Sets separate the file numbers of a director by spaces, and no real one has any.
    found.set(
      'every leaf',
      words.replace(/fileNumber="text /g, 'fileNumber="811-').replace(/creditType="text \d+"/g, 'creditType="Shared"'),
    )
  }
  return found
}

/** What no set says. */
const LACKING = [
  ...['report.source', 'report.covers_all_series', 'report.series_ids', 'report.class_ids', 'person.phone'],
  ...['fund.has_changed_liquidity_service', 'adviser.rssd_id', 'provider.rssd_id', 'foreign_subsidiary.rssd_id'],
  // Liquidity services are counted among the others.
  'provider.n',
]

const comparable = (rows: ReturnType<typeof byTable>) => {
  const provider = (rows.provider ?? [])
    .filter(({ role }) => role !== 'liquidity_service')
    // A set has one column for an LEI or RSSD ID and for the number that is given without one.
    .map(({ other_id, ...row }) => (row.lei || row.rssd_id || !other_id ? row : { ...row, other_id }))
  // It has a column for each box, so the order in which they were ticked is lost.
  const sorted = (list: unknown) => [...new Set(list as string[])].sort()
  const fund = rows.fund?.map((row) => ({ ...row, rules: sorted(row.rules), lending_payments: sorted(row.lending_payments) })) // biome-ignore format: one line
  return without({ ...rows, provider, ...(fund && { fund }) }, LACKING)
}

test('the rows of a filing are the same out of its submission and out of a set, but for what no set says', async (t) => {
  const met = new Map<string, number>()
  for (const [name, document] of documents()) {
    const expected = comparable(byTable((await readNcen(document)).rows))
    const { rows, problems, unread } = await rowsOfSet(quarterlySets, linesOf(parseXml(document), '0000000700-26-000001', '2026-02-12')) // biome-ignore format: one line
    const found = comparable(byTable(rows))
    assert.deepEqual(Object.keys(found).sort(), Object.keys(expected).sort(), name)
    for (const [table, own] of Object.entries(expected)) {
      assert.deepEqual(found[table], own, `${name} ${table}`)
      met.set(table, (met.get(table) ?? 0) + own.length)
    }
    assert.deepEqual([unread, problems], [[], []], name)
  }
  t.diagnostic([...met].map(([table, count]) => `${table} ${count}`).join(', '))
  if (corpus.skip === false) assert.deepEqual(Object.keys(ncen.tables).filter((table) => !met.has(table)), []) // biome-ignore format: one line
})
