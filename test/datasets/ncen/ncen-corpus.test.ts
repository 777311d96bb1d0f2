/** Every real Form N-CEN of the corpus, the SEC's samples, its schema, and every element path seen in real filings. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { BOTH } from '../../../src/datasets/ncen/parse/values.ts'
import { corpus } from '../../support/corpus.ts'
import { type ReadDocument, readNcen } from '../../support/ncen/made.ts'
import { everyLeaf } from '../../support/ncen/schema.ts'

const SPEC = 'schemas/sec_specs/form-n-cen-xml-tech-specs-31/EDGAR_Form_N-CEN_XML_Technical_Specification'

const rowsOf = ({ rows }: ReadDocument, table: string) =>
  rows.filter(([name]) => name === table).map(([, row]) => row as Record<string, unknown>)

async function readFile(file: string): Promise<ReadDocument> {
  const text = readFileSync(path.join(corpus.folder!, file), 'utf8')
  return readNcen(file.endsWith('.txt') ? /<XML>\s*([\s\S]*?)<\/XML>/.exec(text)![1]! : text.trimStart())
}

function filings(): string[][] {
  const [, ...lines] = readFileSync(path.join(corpus.folder!, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n')
  return lines.map((line) => line.split('\t')).filter(([, form]) => /^N-CEN/.test(form!))
}

test('every value of every real N-CEN filing and document is read', {
  skip: corpus.skip,
}, async () => {
  const documents = globSync('documents/ncen/**/*.xml', { cwd: corpus.folder! })
  const files = [...filings().map(([file]) => file!), ...documents]
  assert.ok(files.length >= 2)
  for (const file of files) {
    const { rows, problems, unread } = await readFile(file)
    assert.deepEqual([unread, problems], [[], []], file)
    assert.equal(rows.filter(([table]) => table === 'report').length, 1, file)
  }
})

test("the SEC's sample documents are read whole, one for each form on which registrants are registered", {
  skip: corpus.skip,
}, async () => {
  const found: Record<string, [funds: number, parts: string]> = {}
  for (const file of globSync(`${SPEC}/*Samples/*.xml`, { cwd: corpus.folder! }).sort()) {
    const read = await readFile(file)
    assert.deepEqual([read.unread, read.problems], [[], []], file)
    const parts = ['closed_end', 'etf', 'unit_trust'].filter((table) => rowsOf(read, table).length > 0)
    found[String(rowsOf(read, 'report')[0]!.classification)] = [rowsOf(read, 'fund').length, parts.join(' ')]
  }
  assert.deepEqual(found, {
    'N-1A': [1, 'etf'],
    'N-2': [1, 'closed_end'],
    'N-3': [1, 'unit_trust'],
    'N-4': [1, 'unit_trust'],
    'N-5': [1, 'closed_end'],
    'N-6': [1, 'unit_trust'],
  })
})

test('every element path that was seen in real filings is read', { skip: corpus.skip }, async () => {
  const [, ...lines] = readFileSync(path.join(corpus.folder!, 'schemas/observed_paths/ncen.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
  assert.ok(lines.length > 300)
  const { problems, unread } = await readNcen(
    documentOf(lines.map((line) => line.split('\t')).map(([at, , , , seen]) => [at!, seen!.split(' | ')[0]!])),
  )
  assert.deepEqual(unread, [])
  assert.deepEqual(
    problems.filter(({ reason }) => !reason.endsWith(BOTH)),
    [],
  )
})

/** Returns a document with each path once, with the first value seen. */
function documentOf(seen: readonly (readonly [path: string, value: string])[]): string {
  interface Node {
    text: string
    attributes: Map<string, string>
    children: Map<string, Node>
  }
  const node = (): Node => ({ text: '', attributes: new Map(), children: new Map() })
  const root = node()
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  for (const [at, value] of seen) {
    let found = root
    for (const step of at.split('/').slice(1)) {
      if (step.startsWith('@')) found.attributes.set(step.slice(1), value)
      else {
        if (!found.children.has(step)) found.children.set(step, node())
        found = found.children.get(step)!
      }
    }
    if (!at.includes('@')) found.text = value
  }
  const written = (name: string, { text, attributes, children }: Node): string =>
    `<${name}${[...attributes].map(([key, value]) => ` ${key}="${escaped(value)}"`).join('')}>${escaped(text)}${[...children].map(([key, child]) => written(key, child)).join('')}</${name}>`
  return written('edgarSubmission', root.children.get('edgarSubmission')!)
}

/** Leaves that occur in no row: those of the transmission envelope, and repetitions of other leaves. */
const ENVELOPE =
  /^\/edgarSubmission\/(schemaVersion|documents|headerData\/(accessionNumber|filerInfo\/(liveTestFlag|filer|contact|notifications|flags|investmentCompanyType)))/

test("every leaf of the SEC's schema is read, and its value is in a row", { skip: corpus.skip }, async () => {
  const { document, leaves } = everyLeaf(path.join(corpus.folder!, `${SPEC}/EDGAR_Form_N-CEN_XML_schema_files`))
  assert.ok(leaves.length > 500)
  const { rows, problems, unread } = await readNcen(document)
  assert.deepEqual(unread, [])
  assert.deepEqual(
    problems.filter(({ reason }) => !reason.endsWith(BOTH)),
    [],
  )
  const stored = new Set(
    JSON.stringify(rows)
      .match(/"(?:[^"\\]|\\.)*"|\d+/g)!
      .map((text) => text.replaceAll('"', '')),
  )
  const plain = (value: string) => [value, value.replace(/^0+/, '')]
  const lost = leaves.filter(
    ({ path: at, value }) => !ENVELOPE.test(at) && /\d{3}/.test(value) && !plain(value).some((one) => stored.has(one)),
  )
  assert.deepEqual(lost, [])
})

test('the rows of AB Cap Fund (0001410368-26-010921) equal a person’s reading', { skip: corpus.skip }, async () => {
  const read = await readFile('sec/Archives/edgar/data/81443/0001410368-26-010921.txt')
  const truth = JSON.parse(
    readFileSync(
      new URL('../../../src/datasets/ncen/fixtures/0001410368-26-010921/truth.json', import.meta.url),
      'utf8',
    ),
  )
  holds(read, truth)
})

test('the rows of AB Active ETFs (0001410368-26-010918) equal a person’s reading', { skip: corpus.skip }, async () => {
  const read = await readFile('sec/Archives/edgar/data/1496608/0001410368-26-010918.txt')
  const truth = JSON.parse(
    readFileSync(
      new URL('../../../src/datasets/ncen/fixtures/0001410368-26-010918/truth.json', import.meta.url),
      'utf8',
    ),
  )
  holds(read, truth)
})

/** Asserts that the rows read from the real document include each hand-typed row. */
function holds(read: ReadDocument, { filed_date: _, ...truth }: Record<string, Record<string, unknown>[]>) {
  for (const [table, partials] of Object.entries(truth)) {
    for (const { n: __, ...partial } of partials) {
      const found = rowsOf(read, table).some((row) =>
        Object.entries(partial).every(([name, value]) => JSON.stringify(row[name]) === JSON.stringify(value)),
      )
      assert.ok(found, `no row of ${table} has ${JSON.stringify(partial)}`)
    }
  }
}
