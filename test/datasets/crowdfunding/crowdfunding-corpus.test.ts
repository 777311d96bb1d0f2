/** Every real Form C that we have, and the SEC's own sample documents. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from '../../../src/datasets/crowdfunding/parse.ts'
import { parse as parseXml } from '../../../src/read/xml.ts'
import { corpus } from '../../support/corpus.ts'
import { filingOf } from '../../support/filing-made.ts'

/** Asserts that every value of a document is read. @returns the form of the document */
function read(file: string) {
  const text = readFileSync(path.join(corpus.folder!, file), 'utf8')
  const document = file.endsWith('.txt') ? /<XML>\s*([\s\S]*?)<\/XML>/.exec(text)![1]! : text.trimStart()
  const doc = parseXml(document)
  const [first] = [...parse(filingOf(doc))]
  assert.deepEqual([doc.unread(), doc.problems()], [[], []], file)
  return (first![1] as { submission_type: string }).submission_type
}

const countsOf = (forms: readonly string[]) =>
  Object.fromEntries([...new Set(forms)].sort().map((form) => [form, forms.filter((one) => one === form).length]))

test('all corpus filings and documents of Form C are read whole, every value of them', { skip: corpus.skip }, () => {
  const [, ...lines] = readFileSync(path.join(corpus.folder!, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n')
  const filings = lines.map((line) => line.split('\t')).filter(([, form]) => /^C($|\/A|-)/.test(form!))
  assert.deepEqual(countsOf(filings.map(([file]) => read(file!))), { C: 13, 'C/A': 1 })
  const documents = globSync('documents/formc/*/*.xml', { cwd: corpus.folder! })
  assert.deepEqual(countsOf(documents.map(read)), { C: 3, 'C-AR': 1, 'C-TR': 1, 'C-U': 1 })
})

test("the SEC's sample documents are read whole", { skip: corpus.skip }, () => {
  const samples = globSync('schemas/sec_specs/form-c-xml-tech-specs-*/*Samples/*.xml', { cwd: corpus.folder! })
  assert.deepEqual(countsOf(samples.map(read)), { C: 2, 'C-AR/A': 1, 'C-U': 1, 'C-W': 1, 'C/A': 1, 'C/A-W': 1 })
})
