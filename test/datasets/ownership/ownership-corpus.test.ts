/**
 * Every real Form 3, 4, 5 and 144 of the corpus, and the SEC's own sample documents. Some are compared with a person's
 * reading.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse as parseNotice } from '../../../src/datasets/form144/parse.ts'
import { parse, textOnly } from '../../../src/datasets/ownership/parse.ts'
import { parse as parseXml } from '../../../src/read/xml.ts'
import { corpus } from '../../support/corpus.ts'
import { filingOf } from '../../support/filing-made.ts'
import { NOTICES, REPORTS } from './ownership-truth.ts'

type Row = Record<string, unknown>
interface Reading {
  file: string
  unread: string[]
  problems: unknown[]
  rows: (readonly [string, Row])[]
}

/** Returns the XML document of a submission, or a file that is only the document; null if the submission has no XML. */
function documentOf(file: string): string | null {
  const text = readFileSync(path.join(corpus.folder!, file), 'utf8')
  return file.endsWith('.txt') ? (/<XML>\s*([\s\S]*?)<\/XML>/.exec(text)?.[1] ?? null) : text.trimStart()
}

const about = (form: string) => ({ form, filedDate: '2020-01-02', cik: null, period: null })

function read(file: string, document = documentOf(file)!): Reading {
  const doc = parseXml(document)
  const form = doc.text('documentType') ?? doc.text('headerData/submissionType')!
  const rows = [...(doc.name === 'ownershipDocument' ? parse : parseNotice)(filingOf(doc, about(form)))]
  return { file, unread: doc.unread(), problems: doc.problems(), rows: rows as Reading['rows'] }
}

const filed = (forms: RegExp) =>
  readFileSync(path.join(corpus.folder!, 'MANIFEST.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
    .flatMap(([file, form]) => (forms.test(form!) ? file! : []))
const documents = (pattern: string) => globSync(pattern, { cwd: corpus.folder! }).sort()

/** A Form 4 of 2000, as text. */
const TEXT = 'sec/Archives/edgar/data/911787/0001094891-00-000193.txt'

test('all corpus filings and documents of Forms 3, 4 and 5 are read completely, and no value is left out', {
  skip: corpus.skip,
}, () => {
  const files = [...filed(/^[345](\/A)?$/), ...documents('documents/{3,4,4_A,5,ownership345/*}/*.xml')]
  const readings = files.filter((file) => file !== TEXT).map((file) => read(file))
  for (const { file, unread, problems } of readings) assert.deepEqual([unread, problems], [[], []], file)
  const count = (table: string) =>
    readings.reduce((sum, { rows }) => sum + rows.filter(([name]) => name === table).length, 0)
  assert.equal(readings.length, 105)
  assert.ok(count('security') > 300 && count('derivative') > 150 && count('footnote') > 300)
})

test('a Form 4 of 2000 has no XML: its row has the source `text`, and no values are read from its prose', {
  skip: corpus.skip,
}, () => {
  assert.equal(documentOf(TEXT), null)
  const { source, form, issuer_name, owner_ciks, plan_10b5_1 } = textOnly({ ...about('4'), cik: '0000911787' })
  assert.deepEqual([source, form, issuer_name, owner_ciks, plan_10b5_1], ['text', '4', null, [], null])
})

test("the SEC's samples of Forms 3, 4 and 5 are refused, since they are not well-formed; with mended tags they are read whole", {
  skip: corpus.skip,
}, () => {
  const files = documents('schemas/sec_specs/ownershipxmltechspec-*/*/doc*.xml')
  assert.equal(files.length, 6)
  for (const file of files) {
    const document = documentOf(file)!
    assert.throws(() => read(file), /unexpected close tag/, file)
    const mended = document
      .replace(/(<rptOwnerCounrty>\w+)<\/\w+>/g, '$1</rptOwnerCounrty>')
      .replace(/(<\/reportingOwnerId>\s*)(?=<rptOwner)/g, '$1<reportingOwnerAddress>')
    const { unread, problems } = read(file, mended)
    assert.deepEqual([unread, problems], [[], []], file)
  }
})

test("all documents of Form 144 and the SEC's samples are read whole", { skip: corpus.skip }, () => {
  const files = [...filed(/^144(\/A)?$/), ...documents('documents/form144/*/*.xml')]
  const samples = documents('schemas/sec_specs/form144*/*/*.xml')
  assert.deepEqual([files.length, samples.length], [2, 2])
  for (const { file, unread, problems } of [...files, ...samples].map((file) => read(file)))
    assert.deepEqual([unread, problems], [[], []], file)
})

for (const [file, expected] of Object.entries({ ...REPORTS, ...NOTICES })) {
  test(`the rows of ${path.basename(file)} equal a person’s reading`, { skip: corpus.skip }, () => {
    const { rows } = read(file)
    for (const [table, partials] of Object.entries(expected)) {
      const found = rows.filter(([name]) => name === table).map(([, row]) => row)
      assert.equal(found.length, partials.length, table)
      for (const [at, partial] of partials.entries()) {
        for (const [column, value] of Object.entries(partial))
          assert.deepEqual(found[at]![column], value, `${table} ${at + 1}: ${column}`)
      }
    }
  })
}
