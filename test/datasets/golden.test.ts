/**
 * Goldens of every dataset in the registry. A fixture is a folder `src/datasets/<slug>/fixtures/<accession>`:
 *
 * - the document, under the name that the dataset's source gives it, written by us in the form's schema. If the dataset
 *   reads several or all documents of a filing, each of these documents, and `header.json` with the facts of EDGAR's
 *   header
 * - `truth.json`, typed by hand from the document: `filed_date` (index) and, per table, values that rows must have
 * - `rows.json`, all rows of the parser, and `<route>.json`, the answer of each route by accession. This test writes an
 *   absent file, and then fails until a person has looked at it
 */
import assert from 'node:assert/strict'
import { cpSync, createReadStream, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { FilingsDataset } from '../../src/declare/dataset.ts'
import type { FiledDocument, Role, Roles, Tell } from '../../src/declare/documents.ts'
import { type Context, JsonText, type Route } from '../../src/declare/route.ts'
import type { Table } from '../../src/declare/table.ts'
import { load, type Parsed, removeRows } from '../../src/ingest/load.ts'
import { readText } from '../../src/read/document-text.ts'
import { fold } from '../../src/read/fold.ts'
import type { DocumentEntry } from '../../src/read/sgml/document.ts'
import { Element, parse as parseXml } from '../../src/read/xml.ts'
import registry from '../../src/registry.ts'
import type { Sql } from '../../src/store/db.ts'
import { freshDatabase } from '../support/database.ts'
import { headerWith } from '../support/filing-made.ts'
import { changing } from '../support/refreshed.ts'
import { listLoaded } from '../support/spine-rows.ts'
import { temporaryFolder } from '../support/world.ts'

type Row = Record<string, unknown>

/** Typed by a person: the filing date, and partial rows by table. Each partial row must match some row. */
interface Truth {
  filed_date: string
  [table: string]: string | Row[]
}

interface Fixture {
  accession: string
  folder: string
  truth: Truth
}

const rootOf = ({ slug }: FilingsDataset) =>
  fileURLToPath(new URL(`../../src/datasets/${slug}/fixtures/`, import.meta.url))
const isText = ({ source }: FilingsDataset) => Object.values(source.documents).every(({ reader }) => reader === 'lazy')

// A dataset that reads whole documents as text may have no fixtures: then there are typed truths of real documents, in
// test/project/corpus.test.ts or test/datasets/offerings/offerings-corpus.test.ts.
for (const dataset of registry.filings.filter((one) => !isText(one) || existsSync(rootOf(one)))) {
  test(`${dataset.slug}: each fixture is read completely and gives its golden rows and answers`, async (t) => {
    const read: Parsed[] = []
    const fixtures = fixturesOf(dataset)
    for (const fixture of fixtures) {
      await t.test(`${fixture.accession} rows`, async () => {
        read.push(await readFixture(dataset, fixture))
      })
    }
    assert.equal(read.length, fixtures.length, 'a fixture failed: its answers were not compared')
    await compareAnswers(t, dataset, fixtures, read)
  })
}

function fixturesOf(dataset: FilingsDataset): Fixture[] {
  const root = rootOf(dataset)
  const names = existsSync(root) ? readdirSync(root).sort() : []
  assert.notEqual(names.length, 0, `${dataset.slug} has no fixture: write one in ${root}`)
  return names.map((accession) => {
    const folder = `${root}${accession}/`
    assert.match(accession, /^\d{10}-\d{2}-\d{6}$/, `${folder} is not named by an accession`)
    assert.ok(existsSync(`${folder}truth.json`), `${folder}truth.json is missing: type what the document says by hand`)
    const truth = JSON.parse(readFileSync(`${folder}truth.json`, 'utf8')) as Truth
    // With several documents, header.json has the facts of the index too.
    if (existsSync(`${folder}header.json`)) {
      truth.filed_date = (JSON.parse(readFileSync(`${folder}header.json`, 'utf8')) as { filedDate: string }).filedDate
    }
    assert.match(truth.filed_date, /^\d{4}-\d\d-\d\d$/, `${folder}truth.json has no filed_date`)
    return { accession, folder, truth }
  })
}

interface Reading {
  rows: Parsed['rows']
  unread: readonly string[]
  problems: readonly unknown[]
}

/** `header.json`, if there is one, has the facts of EDGAR's header. */
async function readFiling(dataset: FilingsDataset, folder: string, { filed_date: filedDate }: Truth): Promise<Reading> {
  const { documents: roles, parse } = dataset.source
  const ownHeader = existsSync(`${folder}header.json`) ? JSON.parse(readFileSync(`${folder}header.json`, 'utf8')) : {}
  const header = headerWith({
    form: dataset.source.forms[0]!,
    family: dataset.slug,
    filedDate,
    ...ownHeader,
    ...ownHeader.header,
  })
  const reading = { rows: [] as Parsed['rows'][number][], unread: [] as string[], problems: [] as unknown[] }
  const tell: Tell = ({ problems = [], unread = [] }) => {
    reading.problems.push(...problems)
    reading.unread.push(...unread)
  }
  const documents = documentsIn(folder, roles, header.form)
  for await (const row of parse({ documents, header, tell })) reading.rows.push(row)
  for (const root of Object.values(documents)) {
    if (root instanceof Element) tell({ problems: root.problems(), unread: root.unread() })
  }
  return reading
}

/**
 * Returns the documents of a fixture by role. A role gets the file with its name, or else the file with the ending that
 * its reader needs; a lazy role gets all files that it reads.
 */
function documentsIn(folder: string, roles: Roles, form: string): Record<string, unknown> {
  const files = readdirSync(folder).filter((file) => !file.endsWith('.json'))
  const names = Object.values(roles).map(({ name }) => name)
  const documentFor = (role: string, { name, reader, optional, reads }: Role) => {
    if (reads)
      return files.map((file, at) => lazyOf(`${folder}${file}`, at + 1, form)).filter(({ entry }) => reads(entry))
    const ending = reader === 'text' ? '.txt' : '.xml'
    const file = files.find((own) => (name ? own === name : own.endsWith(ending) && !names.includes(own)))
    assert.ok(file !== undefined || optional, `${folder} lacks the document ${role}`)
    if (file === undefined) return null
    if (reader === 'stream') return createReadStream(`${folder}${file}`)
    return reader === 'xml' ? parseXml(readFileSync(`${folder}${file}`)) : readFileSync(`${folder}${file}`, 'utf8')
  }
  return Object.fromEntries(Object.entries(roles).map(([name, role]) => [name, documentFor(name, role)]))
}

function lazyOf(file: string, seq: number, type: string): FiledDocument {
  const mediaType = file.endsWith('.xml') ? 'application/xml' : 'text/plain'
  const { size } = statSync(file)
  const entry = { seq, filename: path.basename(file), type, mediaType, size, wrapper: null } as DocumentEntry
  const bytes = () => createReadStream(file)
  return { entry, bytes, text: () => readText(entry, bytes()) }
}

/** Parses the documents, compares with the hand-typed truth first and then with the golden rows. */
async function readFixture(dataset: FilingsDataset, { accession, folder, truth }: Fixture): Promise<Parsed> {
  const { rows, unread, problems } = await readFiling(dataset, folder, truth)
  const declared: Record<string, Table> = { ...dataset.tables, ...dataset.dictionaries }
  for (const [table, row] of rows) declared[table]!.parsed.strict().parse(row)
  const { filed_date: filedDate, ...expected } = truth
  assert.notEqual(Object.values(expected).flat().length, 0, `${folder}truth.json states nothing about rows`)
  for (const [table, partials] of Object.entries(expected)) {
    assert.ok(declared[table], `${folder}truth.json: ${dataset.slug} has no table ${table}`)
    const found = rows.filter(([name]) => name === table).map(([, row]) => row)
    for (const partial of partials as Row[]) {
      if (found.some((row) => contains(row, partial))) continue
      assert.fail(`no row of ${table} has ${JSON.stringify(partial)}; rows: ${JSON.stringify(found, null, 1)}`)
    }
  }
  assert.deepEqual(unread, [], 'leaves neither read nor ignored by name')
  assert.deepEqual(problems, [], 'unreadable values')
  compareGolden(`${folder}rows.json`, rows)
  return { accession, filedDate, rows }
}

const contains = (row: Row, partial: Row) =>
  Object.entries(partial).every(([name, value]) => JSON.stringify(row[name]) === JSON.stringify(value))

/**
 * Loads all fixtures together, so that filings refer to each other, and requests every route that takes an accession.
 */
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
  await t.test('names of 20,000 letters are stored, and neither an index nor a rollup refuses the filing', () =>
    loadLongNames(t, sql, dataset, fixtures, read),
  )
}

/** Incompressible text: a server would compress repeated letters in its indexes. */
const noise = Array.from({ length: 20_000 }, (_, at) =>
  String.fromCharCode(97 + ((((at + 1) ** 3 * 7919) % 65_537) % 26)),
).join('')

/**
 * Loads the same fixtures with a name of 20,000 letters in place of each name that is stored for search. Then makes all
 * their rollups.
 */
async function loadLongNames(
  t: TestContext,
  sql: Sql,
  dataset: FilingsDataset,
  fixtures: readonly Fixture[],
  read: readonly Parsed[],
) {
  const copies = await temporaryFolder(t)
  const rowsRead = read.flatMap(({ rows }) => rows.map(([, row]) => row as Row))
  // The index of a facet has the text as filed.
  const facets = new Set(
    rowsRead.flatMap((row) => (dataset.family?.facets ?? []).map((facet) => fold(String(row[facet])))),
  )
  const keys = new Set(
    rowsRead.flatMap(({ name_key, auditor_key }) =>
      [name_key, auditor_key].filter((key) => typeof key === 'string' && !facets.has(key)),
    ),
  )
  const long: Parsed[] = []
  for (const { accession, folder, truth } of fixtures) {
    const copy = `${copies}/${accession}/`
    cpSync(folder, copy, { recursive: true })
    for (const file of readdirSync(folder).filter((name) => /\.(?:xml|txt)$/.test(name))) {
      const text = readFileSync(`${folder}${file}`, 'utf8')
      const named = (name: string) => keys.has(fold(name.trim().replaceAll('&amp;', '&')))
      writeFileSync(
        `${copy}${file}`,
        text.replace(/(?<=>)[^<>]+(?=<)/g, (name) => (named(name) ? noise : name)),
      )
    }
    const { rows } = await readFiling(dataset, copy, truth)
    long.push({ accession, filedDate: truth.filed_date, rows })
  }
  const lengths = long.flatMap(({ rows }) =>
    rows.flatMap(([, row]) => Object.values(row).map((value) => String(value).length)),
  )
  if (keys.size > 0) assert.ok(Math.max(...lengths) >= noise.length, 'no name was made long')
  await changing(sql, dataset, { keys: long.map(({ accession }) => accession) }, async (tx) => {
    await removeRows(
      tx,
      dataset,
      long.map(({ accession }) => accession),
    )
    await load(tx, dataset, long)
  })
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
