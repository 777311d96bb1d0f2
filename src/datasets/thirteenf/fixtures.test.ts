/**
 * Fixtures of Form 13F: `header.json` as EDGAR would have it, `primary_doc.xml` and `infotable.xml` or `form.txt`, written
 * by us from true facts, `truth.json` typed by hand, `rows.json` the golden of all rows. Those of CIK 9000000041 are a
 * specimen.
 */
import assert from 'node:assert/strict'
import { createReadStream, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse as parseXml } from '../../read/xml.ts'
import { parseCover } from './parse-cover.ts'
import { parseTable } from './parse-table.ts'
import { parseText } from './parse-text.ts'
import { parseTextCover } from './parse-textcover.ts'
import { nothingFound } from './parse-values.ts'
import { type Filing, rowsOf } from './report.ts'

type Row = Record<string, unknown>

const root = fileURLToPath(new URL('fixtures/', import.meta.url))

function filingIn(folder: string): { filing: Filing; unread: () => string[]; problems: () => unknown[] } {
  const header = JSON.parse(readFileSync(`${folder}header.json`, 'utf8')) as Filing['header']
  const found = nothingFound()
  if (existsSync(`${folder}form.txt`)) {
    const text = readFileSync(`${folder}form.txt`, 'utf8')
    const cover = parseTextCover(text, header.submissionType, found)
    const filing: Filing = { header, cover, holdings: parseText(text, found), found, source: 'text' }
    return { filing, unread: () => [], problems: () => found.problems }
  }
  const doc = parseXml(readFileSync(`${folder}primary_doc.xml`))
  const table = `${folder}infotable.xml`
  const holdings = existsSync(table) ? parseTable(createReadStream(table), found) : null
  const filing: Filing = { header, cover: parseCover(doc), holdings, found, source: 'xml' }
  return {
    filing,
    unread: () => [...doc.unread(), ...found.unread],
    problems: () => [...doc.problems(), ...found.problems],
  }
}

const contains = (row: Row, partial: Row) =>
  Object.entries(partial).every(([name, value]) => JSON.stringify(row[name]) === JSON.stringify(value))

for (const accession of readdirSync(root).sort()) {
  test(`13F ${accession} is read whole, as a person read it, and gives its golden rows`, async () => {
    const folder = `${root}${accession}/`
    const { filing, unread, problems } = filingIn(folder)
    const rows: (readonly [string, Row])[] = []
    for await (const row of rowsOf(filing)) rows.push(row)
    const truth = JSON.parse(readFileSync(`${folder}truth.json`, 'utf8')) as Record<string, Row[]>
    for (const [table, partials] of Object.entries(truth)) {
      const found = rows.filter(([name]) => name === table).map(([, row]) => row)
      for (const partial of partials) {
        if (found.some((row) => contains(row, partial))) continue
        assert.fail(`no row of ${table} has ${JSON.stringify(partial)}; rows: ${JSON.stringify(found, null, 1)}`)
      }
    }
    assert.deepEqual([unread(), problems()], [[], []])
    const golden = `${folder}rows.json`
    if (!existsSync(golden)) {
      writeFileSync(golden, `${JSON.stringify(rows, null, 2)}\n`)
      assert.fail(`${golden} was missing and has been written: review before committing`)
    }
    assert.deepEqual(JSON.parse(JSON.stringify(rows)), JSON.parse(readFileSync(golden, 'utf8')))
  })
}
