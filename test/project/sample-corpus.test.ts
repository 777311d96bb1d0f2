/** Compares the sample's real filings with the original documents of the corpus, value by value through the parsers. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parseCover } from '../../src/datasets/thirteenf/parse/cover.ts'
import { parseTable } from '../../src/datasets/thirteenf/parse/table.ts'
import { nothingFound } from '../../src/datasets/thirteenf/parse/values.ts'
import { parse as parseXml } from '../../src/read/xml.ts'
import { corpus } from '../support/corpus.ts'
import { HOME, OWN_WORDS, type Row, read, SENTENCE } from '../support/sample-values.ts'
import { headOf, submissionsBelow } from '../support/submission-files.ts'
import { sample } from '../support/world.ts'

/**
 * Filings whose documents are not in the corpus. These filings were compared with their documents when the sample was
 * written.
 */
const ELSEWHERE = [
  '0000036405-26-000323',
  '0000036405-26-000480',
  '0000080424-26-000033',
  '0000789019-26-000075',
  '0000867773-24-000086',
  '0000867773-24-000093',
  '0000902664-24-000299',
  '0000919574-25-006931',
  '0000919574-26-001143',
  '0000950103-26-007492',
  '0000950170-25-061032',
  '0001021408-25-003152',
  '0001046179-26-000288',
  '0001103804-25-000010',
  '0001103804-26-000002',
  '0001104659-23-108985',
  '0001104659-26-047678',
  '0001140361-26-017175',
  '0001140361-26-020298',
  '0001172661-25-005039',
  '0001172661-26-001091',
  '0001193125-04-159572',
  '0001193125-05-193220',
  '0001193125-05-200837',
  '0001193125-21-289903',
  '0001193125-21-328239',
  '0001193125-24-011295',
  '0001193125-24-066744',
  '0001199039-26-000003',
  '0001213900-24-000867',
  '0001225208-26-005409',
  '0001410368-26-010417',
  '0001410368-26-089410',
  '0001628280-24-006294',
  '0001628280-24-010137',
  '0001628280-24-012110',
  '0001628280-24-012380',
  '0001667145-17-000003',
  '0001738868-18-000001',
  '0001751525-18-000001',
  '0001951877-22-000001',
  '0001951877-23-000001',
  '0001969223-26-000271',
  '0002045724-25-000008',
  '0002045724-26-000002',
  '0002085091-25-000009',
]

/** Filings for which the corpus has only one document, with the glob for the file of this document. */
const DOCUMENTS: Record<string, string> = {
  '0000080424-26-000034': 'documents/4_A/0000080424-26-000034_0000080424-26-000034.xml',
  '0000320193-24-000102': 'documents/5/*_form5_wagner.xml',
  '0000320193-24-000123': 'documents/10-K/aapl-10-k-2024-11-01.html',
  '0001032210-99-000051': 'documents/PRE-14A/0001032210-99-000051.txt',
  '0001104659-24-000347': 'documents/DEFM14A/0001104659-24-000347.html',
  '0001140361-26-025622': 'documents/4/*_form4_newstead.xml',
  '0001193125-12-034517': 'documents/S-1/0001193125-12-034517_d287954ds1.htm',
  '0001193125-26-207021': 'documents/4/*_form4_davita_joint.xml',
  '0001193125-26-242636': 'documents/4/0001193125-26-242636_0001193125-26-242636.xml',
  '0001206774-24-000007': 'documents/N-CSR/0001206774-24-000007.html',
  '0001308179-25-000008': 'documents/DEF-14A/apple_def14a.html',
  '0001374545-26-000008': 'documents/4/0001374545-26-000008_0001374545-26-000008.xml',
  '0001780525-26-000003': 'documents/3/*_form3_newstead.xml',
  '0001950047-26-001584': 'documents/form144/1823951_sample_form_144/sample_form_144.xml',
  '0001958244-23-000454': 'documents/form144/1513362_apple.144/apple.144.xml',
  '0002100119-26-000139': 'documents/SCHEDULE-13G/*_schedule13g_vanguard.xml',
}

/** Files by accession. */
const filingsBelow = (root: string) =>
  new Map(submissionsBelow(root).map((file) => [path.basename(file, '.txt'), path.join(root, 'Archives', file)]))

/** Returns the text of the submission, or of its one document; undefined if the corpus has neither. */
function documentOf(accession: string, submissions: Map<string, string>): string | undefined {
  const alone = DOCUMENTS[accession]
  if (!alone) return submissions.get(accession)
  const found = globSync(alone, { cwd: corpus.folder! })
  assert.equal(found.length, 1, alone)
  return path.join(corpus.folder!, found[0]!)
}

test('each value of a real filing in the sample equals the value of its document, except summarized texts and home addresses', {
  skip: corpus.skip,
}, () => {
  const documents = filingsBelow(path.join(corpus.folder!, 'sec'))
  let compared = 0
  for (const [accession, file] of filingsBelow(sample)) {
    const text = readFileSync(file, 'utf8')
    const document = documentOf(accession, documents)
    if (!document) {
      const isSpecimen = /CONFORMED NAME:\s*OpenFilings Specimen /.test(text)
      assert.ok(isSpecimen || ELSEWHERE.includes(accession), `${accession} is of no document at hand`)
      continue
    }
    const ours = read(text)
    if (ours === null) continue
    const theirs = read(readFileSync(document, 'utf8'), headOf(text))!
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
  assert.ok(compared >= 96, `${compared} filings`)
})

/** Titles that are printed on the form. */
const IS_TITLE = /\bItem \d|^ ?FORM /

/** Returns the visible words and numbers of HTML or plain text, separated by single blanks. */
const seenOf = (text: string) =>
  text
    .replace(/^[\s\S]*?<TEXT>/, '')
    .replace(/<(ix:header|title)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<sup>\d+<\/sup>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&[a-z]+;/g, ' ')
    .replace(/\s+/g, ' ')

test('prose of a real filing in the sample has no number that its document lacks, and copies no sentence of the document', {
  skip: corpus.skip,
}, () => {
  const documents = filingsBelow(path.join(corpus.folder!, 'sec'))
  let compared = 0
  for (const [accession, file] of filingsBelow(sample)) {
    const ours = readFileSync(file, 'utf8')
    if (!/Written for the OpenFilings sample/.test(ours) || /Specimen/.test(ours)) continue
    if (ELSEWHERE.includes(accession)) continue
    const theirs = seenOf(readFileSync(documentOf(accession, documents)!, 'utf8'))
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
  assert.equal(compared, 43)
})

/** Returns cover and lines of a Form 13F in XML. */
async function reportOf(submission: string) {
  const [cover, table] = [...submission.matchAll(/<XML>\s*([\s\S]*?)<\/XML>/g)].map(([, xml]) => xml!)
  const doc = parseXml(cover!)
  const parsed = parseCover(doc)
  const found = nothingFound()
  const lines: unknown[] = []
  const bytes = async function* () {
    yield Buffer.from(table!)
  }
  for await (const line of parseTable(bytes(), found)) lines.push(line)
  assert.deepEqual([doc.unread(), [...found.unread], found.problems], [[], [], []])
  return { cover: parsed, lines }
}

test('all values of the cover and the lines of each real Form 13F in the sample equal those of its documents', {
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
  // The corpus has only the table of this report.
  const tiger = await reportOf(readFileSync(filingsBelow(sample).get('0000919574-26-001143')!, 'utf8'))
  const table = readFileSync(path.join(corpus.folder!, 'documents/13F-HR/0000919574-26-001143-infotable.xml'), 'utf8')
  const cover =
    '<XML><edgarSubmission><headerData><submissionType>13F-HR</submissionType><filerInfo/></headerData><formData><coverPage/></formData></edgarSubmission></XML>'
  assert.deepEqual(tiger.lines, (await reportOf(`${cover}<XML>${table.replace(/^<\?xml.*\n/, '')}</XML>`)).lines)
})

test('the filing dates in the sample agree with the corpus', {
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
  assert.equal(seen.size, 52)
  for (const [accession, day] of seen)
    assert.equal(headOf(readFileSync(ours.get(accession)!, 'utf8')).day, day, accession)
})
