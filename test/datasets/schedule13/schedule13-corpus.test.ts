/** Every real Schedule 13D and 13G in XML of the corpus, and the SEC's own sample documents. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { readLeniently } from '../../../src/datasets/schedule13/filing-xml.ts'
import { parse } from '../../../src/datasets/schedule13/parse.ts'
import { type Problem, parse as parseXml } from '../../../src/read/xml.ts'
import { corpus } from '../../support/corpus.ts'

interface Reading {
  file: string
  form: string
  unread: string[]
  problems: Problem[]
  rows: (readonly [string, Record<string, unknown>])[]
}

function read(file: string): Reading {
  const text = readFileSync(path.join(corpus.folder!, file), 'utf8')
  const document = file.endsWith('.txt') ? /<XML>\s*([\s\S]*?)<\/XML>/.exec(text)![1]! : text.trimStart()
  const doc = parseXml(document)
  const rows = [...parse(doc)] as Reading['rows']
  return { file, form: rows[0]![1].submission_type as string, unread: doc.unread(), problems: doc.problems(), rows }
}

const filings = () => {
  const [, ...lines] = readFileSync(path.join(corpus.folder!, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n')
  return lines.map((line) => line.split('\t')).flatMap(([file, form]) => (/^SCHEDULE 13/.test(form!) ? file! : []))
}
const documents = (pattern: string) => globSync(pattern, { cwd: corpus.folder! }).sort()

/** This document was filed with a closing tag that lacks its last character. */
const CUT = 'documents/sched13dg/1713153_sc13da-zivo-truncated-endtag/sc13da-zivo-truncated-endtag.xml'

const countsOf = (readings: readonly Reading[]) =>
  Object.fromEntries(
    [...Map.groupBy(readings, ({ form }) => form)].map(([form, of]) => [form, of.length] as const).sort(),
  )

test('all corpus filings and documents of Schedules 13D and 13G are read completely', { skip: corpus.skip }, () => {
  const readings = [...filings(), ...documents('documents/{sched13dg/*,SCHEDULE*}/*.xml')]
    .filter((file) => file !== CUT)
    .map(read)
  for (const { file, unread } of readings) assert.deepEqual(unread, [], file)
  assert.deepEqual(countsOf(readings), {
    'SCHEDULE 13D': 9,
    'SCHEDULE 13D/A': 5,
    'SCHEDULE 13G': 52,
    'SCHEDULE 13G/A': 4,
  })
  // The shares of a Swiss filer, 5'274'370, are read as well.
  const problems = readings.flatMap(({ file, problems }) => problems.map(({ value }) => [path.basename(file), value]))
  assert.deepEqual(problems, [])
})

test('reads the malformed document completely and reports the repair; the strict reader refuses it', {
  skip: corpus.skip,
}, () => {
  assert.throws(() => read(CUT), /line 155, column 14.*disallowed character in closing tag.*item3\/fundsSource/)
  const { doc, repairs } = readLeniently(readFileSync(path.join(corpus.folder, CUT)))
  const rows = [...parse(doc, repairs)] as Reading['rows']
  const [report] = rows.flatMap(([table, row]) => (table === 'report' ? [row] : []))
  assert.deepEqual(doc.unread(), [])
  assert.deepEqual(
    [report!.submission_type, report!.issuer_name, report!.is_malformed],
    ['SCHEDULE 13D/A', 'Zivo Bioscience, Inc.', true],
  )
  assert.deepEqual(report!.repairs, ['line 154, column 1167: closing tag without >'])
  const answers = rows.flatMap(([table, row]) => (table === 'item' ? [row] : []))
  assert.match(
    answers.find(({ what }) => what === 'fundsSource')!.answer as string,
    /^On December 26, 2024.*this Amendment\.$/s,
  )
  assert.match(answers.find(({ item }) => item === '4')!.answer as string, /^The Reporting Persons acquired/)
})

test("the SEC's sample documents are read whole", { skip: corpus.skip }, () => {
  const readings = documents('schemas/sec_specs/schedule-13d-13g-tech-specs-*/*/*Samples/*.xml').map(read)
  for (const { file, unread, problems } of readings) assert.deepEqual([unread, problems], [[], []], file)
  assert.equal(readings.length, 4)
})

test('reads every CUSIP of real covers but one, which is stored as filed with the reason', {
  skip: corpus.skip,
}, () => {
  const readings = [...filings(), ...documents('documents/{sched13dg/*,SCHEDULE*}/*.xml')].filter(
    (file) => file !== CUT,
  )
  const securities = readings.flatMap((file) => read(file).rows.filter(([table]) => table === 'security'))
  const flagged = securities.filter(([, row]) => row.cusip_flag !== null)
  assert.deepEqual(
    flagged.map(([, { cusip, cusip_flag }]) => [cusip, cusip_flag]),
    [['1850532047', 'length']],
  )
  assert.equal(securities.length, 69)
})
