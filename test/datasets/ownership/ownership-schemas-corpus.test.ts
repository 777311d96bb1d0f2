/** Every element that the SEC's schemas allow in a Form 3, 4, 5, 144, N-PX or Schedule 13D, 13G is read, or ignored by name. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { parse as parseNotice } from '../../../src/datasets/form144/parse.ts'
import { coverRows } from '../../../src/datasets/npx/parse-cover.ts'
import { parseVotes } from '../../../src/datasets/npx/parse-votes.ts'
import { parse as parseReport } from '../../../src/datasets/ownership/parse.ts'
import { parse as parseSchedule } from '../../../src/datasets/schedule13/parse.ts'
import { type Element, parse } from '../../../src/read/xml.ts'
import { corpus } from '../../support/corpus.ts'
import { filingOf } from '../../support/filing-made.ts'
import { documentOf, VALUE } from '../../support/xsd.ts'

const SPECS = 'schemas/sec_specs'
const SCHEDULES =
  'schedule-13d-13g-tech-specs-22/EDGAR_Schedule_13D_and_13G_XML_Technical_Specification/EDGAR_Schedule_13D_and_13G_XML_Schema_Files'
const NPX =
  'edgar-form-n-px-xml-technical-specification-31/EDGAR_Form_N-PX_XML_Technical_Specification/EDGAR_Form_N-PX_Schema_Files'
const REPORTS = 'ownershipxmltechspec-v5-5/EDGAR_Reduced_Content_XML_Schema_Files'

const made = (file: string, root: string, values: Record<string, string>) =>
  documentOf(path.join(corpus.folder, SPECS, file), root, values)

/** Returns the number of values that the schema allows, and the paths that the parser left unread. */
function unreadOf(
  file: string,
  root: string,
  values: Record<string, string>,
  read: (doc: Element) => Iterable<unknown>,
) {
  const document = made(file, root, values)
  const doc = parse(document)
  for (const _ of read(doc));
  return [document.split(VALUE).length - 1, doc.unread()]
}

const about = (form: string) => ({ form, filedDate: '2024-01-02', cik: null, name: null, period: null })

test('both schedules (13D and 13G) are read to their last element', { skip: corpus.skip }, () => {
  for (const [kind, count] of [
    ['13D', 78],
    ['13G', 73],
  ] as const) {
    const values = { submissionType: `SCHEDULE ${kind}` }
    const read = unreadOf(`${SCHEDULES}/eis_Schedule${kind}_Filer.xsd`, 'edgarSubmission', values, parseSchedule)
    assert.deepEqual(read, [count, []], kind)
  }
})

test('Forms 3, 4 and 5 and their amendments are read to their last element', { skip: corpus.skip }, () => {
  for (const form of ['3', '4', '5', '3/A', '4/A', '5/A']) {
    const file = `${REPORTS}/ownership${form.replace('/', '')}Document.xsd.xml`
    const [count, unread] = unreadOf(file, 'ownershipDocument', { documentType: form }, (doc) =>
      parseReport(filingOf(doc, about(form))),
    )
    assert.deepEqual(unread, [], form)
    assert.ok((count as number) > 40, String(count))
  }
})

test('Form 144 is read to its last element', { skip: corpus.skip }, () => {
  const file = 'form144xmltechspec2-0/EDGAR_Form_144_XML_Schema_Files/eis_Form_144_Ownership.xsd'
  const [count, unread] = unreadOf(file, 'edgarSubmission', { submissionType: '144' }, (doc) =>
    parseNotice(filingOf(doc, about('144'))),
  )
  assert.deepEqual([count, unread], [62, []])
})

test('Form N-PX and its table are read to their last element', { skip: corpus.skip }, async () => {
  const read = (doc: Element) => coverRows(doc, about('N-PX')).rows
  const [count, unread] = unreadOf(`${NPX}/eis_NPX_Filer.xsd`, 'edgarSubmission', { submissionType: 'N-PX' }, read)
  assert.deepEqual([count, unread], [82, []])
  const found = { lines: 0, cutOff: null, unread: new Set<string>(), note: () => {} }
  const table = Buffer.from(made(`${NPX}/eis_NPX_PROXY_VOTING_RECORD.xsd`, 'proxyVoteTable', {}))
  await Array.fromAsync(
    parseVotes(
      (async function* () {
        yield table
      })(),
      { cik: null, filedDate: '2024-01-02' },
      found,
    ),
  )
  assert.deepEqual([found.lines, [...found.unread]], [1, []])
})

test('an element that no parser knows is detected', { skip: corpus.skip }, () => {
  const file = `${REPORTS}/ownership3Document.xsd.xml`
  const document = made(file, 'ownershipDocument', { documentType: '3' }).replace(
    '</issuer>',
    '<issuerMotto>x</issuerMotto></issuer>',
  )
  const doc = parse(document)
  for (const _ of parseReport(filingOf(doc, about('3'))));
  assert.deepEqual(doc.unread(), ['/ownershipDocument/issuer/issuerMotto'])
})
