/** The sample's real filings against the documents that they render, value by value through the parsers. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse as parseSchedule } from '../src/datasets/schedule13/parse.ts'
import { parseCover } from '../src/datasets/thirteenf/parse-cover.ts'
import { parseTable } from '../src/datasets/thirteenf/parse-table.ts'
import { nothingFound } from '../src/datasets/thirteenf/parse-values.ts'
import { isWhole } from '../src/declare/dataset.ts'
import { parse as parseXml } from '../src/read/xml.ts'
import registry from '../src/registry.ts'
import { corpus } from './corpus.ts'
import { headOf, submissionsBelow } from './submission-files.ts'
import { sample } from './world.ts'

/** Free text, which the sample tells in its own words or leaves out. */
const OWN_WORDS: Record<string, Record<string, readonly string[]>> = {
  formd: {
    issuer: ['entity_type_other'],
    person: ['relationship_note'],
    offering: ['sales_note', 'commissions_note', 'proceeds_note', 'business_combination_note'],
  },
  rega: { offering: ['fees_note', 'unregistered_exemption'], unregistered: ['consideration'], sale: ['note'] },
  crowdfunding: {
    submission: ['amendment_note', 'compensation', 'financial_interest', 'price_method', 'over_subscription_note'],
  },
  schedule13: { item: ['answer'], person: ['comment'], report: ['exhibits', 'signature_comment'] },
  cfportal: { filing: ['compensation', 'amendment_explanation', 'other_business_note'] },
}

/** Where a person lives is left out. */
const HOME = ['street1', 'street2', 'city', 'state', 'state_name', 'zip']

/** Filings whose documents were compared when they were written and are not in the corpus. */
const ELSEWHERE = [
  '0000080424-26-000034',
  '0000036405-26-000323',
  '0000036405-26-000480',
  '0000919574-25-006931',
  '0000919574-26-001143',
  '0001103804-25-000010',
  '0001103804-26-000002',
  '0001172661-25-005039',
  '0001172661-26-001091',
  '0001410368-26-010417',
  '0001410368-26-089410',
  '0001667145-17-000003',
  '0001738868-18-000001',
  '0001751525-18-000001',
  '0001951877-22-000001',
  '0001951877-23-000001',
  '0002045724-25-000008',
  '0002045724-26-000002',
]

/** Filings of prose of which the corpus has the document alone. */
const DOCUMENTS: Record<string, string> = {
  '0000320193-24-000123': 'documents/10-K/aapl-10-k-2024-11-01.html',
  '0001193125-12-034517': 'documents/S-1/0001193125-12-034517_d287954ds1.htm',
  '0001206774-24-000007': 'documents/N-CSR/0001206774-24-000007.html',
  '0001308179-25-000008': 'documents/DEF-14A/apple_def14a.html',
}

/** A sentence; shorter answers are names, titles and terms. */
const SENTENCE = 60

type Row = Record<string, unknown>

/** Files by accession. */
const filingsBelow = (root: string) =>
  new Map(submissionsBelow(root).map((file) => [path.basename(file, '.txt'), path.join(root, 'Archives', file)]))

/** Of a filing of several documents null: those of Form 13F are compared below. */
function read(text: string): { slug: string; rows: (readonly [string, Row])[] } | null {
  const { form } = headOf(text)
  const whole = registry.filings.filter(isWhole).find(({ source }) => source.forms.includes(form))
  // Of both eras; those in text are compared in test/schedule13-text-corpus.test.ts.
  const dataset = whole ?? (form.startsWith('SCHEDULE 13') ? { slug: 'schedule13', parse: parseSchedule } : null)
  if (!dataset) return null
  const doc = parseXml(/<XML>\s*([\s\S]*?)<\/XML>/.exec(text)![1]!)
  const rows = [...dataset.parse(doc)] as [string, Row][]
  assert.deepEqual(doc.unread(), [], text.slice(0, 80))
  return { slug: dataset.slug, rows }
}

test('each value of a real filing of the sample is that of its document, but for texts in our own words and homes', {
  skip: corpus.skip,
}, () => {
  const documents = filingsBelow(path.join(corpus.folder!, 'sec'))
  let compared = 0
  for (const [accession, file] of filingsBelow(sample)) {
    const text = readFileSync(file, 'utf8')
    const document = documents.get(accession)
    if (!document) {
      const isSpecimen = /CONFORMED NAME:\s*OpenFilings Specimen /.test(text)
      const isKnown = isSpecimen || ELSEWHERE.includes(accession) || DOCUMENTS[accession] !== undefined
      assert.ok(isKnown, `${accession} is of no document at hand`)
      continue
    }
    const ours = read(text)
    if (ours === null) continue
    const theirs = read(readFileSync(document, 'utf8'))!
    assert.deepEqual(
      ours.rows.map(([table]) => table),
      theirs.rows.map(([table]) => table),
      accession,
    )
    for (const [at, [table, row]] of theirs.rows.entries()) {
      const own: Row = ours.rows[at]![1]
      for (const [column, value] of Object.entries(row)) {
        const where = `${accession} ${table}.${column}`
        if (OWN_WORDS[ours.slug]?.[table]?.includes(column)) {
          assert.ok(own[column] === null || value !== null, `${where}: the document has no such text`)
          assert.ok(String(value).length <= SENTENCE || own[column] !== value, `${where}: a sentence of the filer's`)
        } else if (!(table === 'person' && HOME.includes(column) && own[column] === null)) {
          assert.deepEqual(own[column], value, where)
        }
      }
    }
    compared++
  }
  assert.ok(compared >= 78, `${compared} filings`)
})

/** Titles that the form itself gives. */
const IS_TITLE = /\bItem \d|^ ?FORM /

/** Words and numbers that people see of HTML or plain text, blanks joined. */
const seenOf = (text: string) =>
  text
    .replace(/^[\s\S]*?<TEXT>/, '')
    .replace(/<(ix:header|title)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<sup>\d+<\/sup>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&[a-z]+;/g, ' ')
    .replace(/\s+/g, ' ')

test('prose of a real filing of the sample has no number that its document lacks, and no sentence of it', {
  skip: corpus.skip,
}, () => {
  const documents = filingsBelow(path.join(corpus.folder!, 'sec'))
  let compared = 0
  for (const [accession, file] of filingsBelow(sample)) {
    const ours = readFileSync(file, 'utf8')
    if (!/Written for the OpenFilings sample/.test(ours) || /Specimen/.test(ours)) continue
    const document = DOCUMENTS[accession] ? path.join(corpus.folder!, DOCUMENTS[accession]) : documents.get(accession)!
    const theirs = seenOf(readFileSync(document, 'utf8'))
    const numbers = new Set(theirs.match(/\d[\d,.]*\d|\d/g))
    for (const part of ours.split('<DOCUMENT>').slice(1)) {
      const text = seenOf(part)
      for (const [number] of text.matchAll(/\d[\d,.]*\d|\d/g)) {
        assert.ok(numbers.has(number), `${accession}: ${number} is not in the document`)
      }
      for (const sentence of text.split(/[.!?] /)) {
        if (sentence.length > SENTENCE && !IS_TITLE.test(sentence))
          assert.ok(!theirs.includes(sentence), `${accession}: a sentence of the filer's: ${sentence}`)
      }
    }
    compared++
  }
  assert.equal(compared, 21)
})

/** Cover and lines of a Form 13F in XML. */
async function reportOf(submission: string) {
  const [cover, table] = [...submission.matchAll(/<XML>\s*([\s\S]*?)<\/XML>/g)].map(([, xml]) => xml!)
  const doc = parseXml(cover!)
  const said = parseCover(doc)
  const found = nothingFound()
  const lines: unknown[] = []
  const bytes = async function* () {
    yield Buffer.from(table!)
  }
  for await (const line of parseTable(bytes(), found)) lines.push(line)
  assert.deepEqual([doc.unread(), [...found.unread], found.problems], [[], [], []])
  return { said, lines }
}

test('each value of the cover and of each line of a real Form 13F of the sample is that of its documents', {
  skip: corpus.skip,
}, async () => {
  const documents = filingsBelow(path.join(corpus.folder!, 'sec'))
  let lines = 0
  for (const accession of ['0001193125-25-282901', '0001193125-26-054580', '0001951757-25-000093']) {
    const ours = await reportOf(readFileSync(filingsBelow(sample).get(accession)!, 'utf8'))
    const theirs = await reportOf(readFileSync(documents.get(accession)!, 'utf8'))
    assert.deepEqual(ours, theirs, accession)
    lines += ours.lines.length
  }
  assert.equal(lines, 115 + 110 + 77)
  // Of this one the corpus has the table alone.
  const tiger = await reportOf(readFileSync(filingsBelow(sample).get('0000919574-26-001143')!, 'utf8'))
  const table = readFileSync(path.join(corpus.folder!, 'documents/13F-HR/0000919574-26-001143-infotable.xml'), 'utf8')
  const cover =
    '<XML><edgarSubmission><headerData><submissionType>13F-HR</submissionType><filerInfo/></headerData><formData><coverPage/></formData></edgarSubmission></XML>'
  assert.deepEqual(tiger.lines, (await reportOf(`${cover}<XML>${table.replace(/^<\?xml.*\n/, '')}</XML>`)).lines)
})

test('the days on which the corpus saw a filing of the sample filed are those on which the sample has it', {
  skip: corpus.skip,
}, () => {
  const ours = filingsBelow(sample)
  const seen = new Map<string, string>()
  const [, ...manifest] = readFileSync(path.join(corpus.folder!, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n')
  for (const [file, , , accession, kind] of manifest.map((line) => line.split('\t'))) {
    if (kind !== 'full submission' || !ours.has(accession!)) continue
    seen.set(accession!, headOf(readFileSync(path.join(corpus.folder!, file!), 'latin1')).day)
  }
  for (const file of globSync('index/{daily,full}-index/*.idx', { cwd: corpus.folder! })) {
    for (const line of readFileSync(path.join(corpus.folder!, file), 'latin1').split('\n')) {
      const found = /[|\s](\d{4})-?(\d\d)-?(\d\d)[|\s].*\/(\d{10}-\d\d-\d{6})\.txt/.exec(line)
      if (found && ours.has(found[4]!)) seen.set(found[4]!, found.slice(1, 4).join('-'))
    }
  }
  assert.equal(seen.size, 33)
  for (const [accession, day] of seen)
    assert.equal(headOf(readFileSync(ours.get(accession)!, 'utf8')).day, day, accession)
})
