/**
 * Goldens of every dataset in the registry. A fixture is a folder `src/datasets/<slug>/fixtures/<accession>`:
 *
 * - the document, under the name that the dataset's source gives it, written by us in the form's schema
 * - `truth.json`, typed by hand from the document: `filed_date` (index) and, per table, values that rows must have
 * - `rows.json`, all rows of the parser, and `<route>.json`, the answer of each route by accession: written by this test
 *   when absent, in which case it fails until a person has looked at them
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import test, { type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { FilingsDataset } from '../src/declare/dataset.ts'
import { type Context, JsonText, type Route } from '../src/declare/route.ts'
import { load, type Parsed } from '../src/ingest/load.ts'
import { parse as parseXml } from '../src/read/xml.ts'
import registry from '../src/registry.ts'
import { freshDatabase } from './database.ts'
import { listLoaded } from './spine-rows.ts'

type Row = Record<string, unknown>

/** What a person typed: the filing date, and by table partial rows, each of which some row must contain. */
interface Truth {
  filed_date: string
  [table: string]: string | Row[]
}

interface Fixture {
  accession: string
  folder: string
  truth: Truth
}

for (const dataset of registry.filings) {
  test(`${dataset.slug}: each fixture is read whole and gives its golden rows and answers`, async (t) => {
    const read: Parsed[] = []
    const fixtures = fixturesOf(dataset)
    for (const fixture of fixtures) {
      await t.test(`${fixture.accession} rows`, () => {
        read.push(readFixture(dataset, fixture))
      })
    }
    assert.equal(read.length, fixtures.length, 'a fixture failed: its answers were not compared')
    await compareAnswers(t, dataset, fixtures, read)
  })
}

function fixturesOf(dataset: FilingsDataset): Fixture[] {
  const root = fileURLToPath(new URL(`../src/datasets/${dataset.slug}/fixtures/`, import.meta.url))
  const names = existsSync(root) ? readdirSync(root).sort() : []
  assert.notEqual(names.length, 0, `${dataset.slug} has no fixture: write one in ${root}`)
  return names.map((accession) => {
    const folder = `${root}${accession}/`
    assert.match(accession, /^\d{10}-\d{2}-\d{6}$/, `${folder} is not named by an accession`)
    assert.ok(existsSync(`${folder}truth.json`), `${folder}truth.json is missing: type what the document says by hand`)
    const truth = JSON.parse(readFileSync(`${folder}truth.json`, 'utf8')) as Truth
    assert.match(truth.filed_date, /^\d{4}-\d\d-\d\d$/, `${folder}truth.json has no filed_date`)
    return { accession, folder, truth }
  })
}

/** Parses the document, compares with the hand-typed truth first and then with the golden rows. */
function readFixture(dataset: FilingsDataset, { accession, folder, truth }: Fixture): Parsed {
  const doc = parseXml(readFileSync(`${folder}${dataset.source.document}`))
  const rows = [...dataset.parse(doc)] as Parsed['rows']
  for (const [table, row] of rows) dataset.tables[table]!.parsed.strict().parse(row)
  const { filed_date: filedDate, ...expected } = truth
  assert.notEqual(Object.values(expected).flat().length, 0, `${folder}truth.json states nothing about rows`)
  for (const [table, partials] of Object.entries(expected)) {
    assert.ok(dataset.tables[table], `${folder}truth.json: ${dataset.slug} has no table ${table}`)
    const found = rows.filter(([name]) => name === table).map(([, row]) => row)
    for (const partial of partials as Row[]) {
      if (found.some((row) => contains(row, partial))) continue
      assert.fail(`no row of ${table} has ${JSON.stringify(partial)}; rows: ${JSON.stringify(found, null, 1)}`)
    }
  }
  assert.deepEqual(doc.unread(), [], 'leaves neither read nor ignored by name')
  assert.deepEqual(doc.problems(), [], 'unreadable values')
  compareGolden(`${folder}rows.json`, rows)
  return { accession, filedDate, rows }
}

const contains = (row: Row, partial: Row) =>
  Object.entries(partial).every(([name, value]) => JSON.stringify(row[name]) === JSON.stringify(value))

/** Loads all fixtures together, so that filings refer to each other, and asks every route that takes an accession. */
async function compareAnswers(
  t: TestContext,
  dataset: FilingsDataset,
  fixtures: readonly Fixture[],
  read: readonly Parsed[],
) {
  const { sql } = await freshDatabase(t)
  await sql.begin((tx) => load(tx, dataset, read))
  await listLoaded(sql, dataset)
  for (const route of dataset.routes.filter((candidate) => 'accession' in candidate.input.shape)) {
    for (const { accession, folder } of fixtures) {
      await t.test(`${accession} ${route.name}`, async () => {
        const answer = await ask(route, accession, { sql } as Context)
        route.output?.parse(answer)
        compareGolden(`${folder}${route.name}.json`, answer)
      })
    }
  }
}

async function ask(route: Route, accession: string, context: Context): Promise<unknown> {
  const answer = await route.run(route.input.parse({ accession }), context)
  assert.notEqual(answer, null, `${route.path} does not find ${accession}`)
  return JSON.parse(answer instanceof JsonText ? answer.text : JSON.stringify(answer))
}

function compareGolden(file: string, actual: unknown): void {
  const plain = JSON.parse(JSON.stringify(actual))
  if (!existsSync(file)) {
    writeFileSync(file, `${JSON.stringify(plain, null, 2)}\n`)
    assert.fail(`${file} was missing and has been written: review before committing`)
  }
  assert.deepEqual(
    plain,
    JSON.parse(readFileSync(file, 'utf8')),
    `differs from ${file}; delete it to have it written anew`,
  )
}
