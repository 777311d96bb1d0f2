/** Covers, tables and values of Form 13F that deviate from the form. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse as parseXml } from '../../../read/xml.ts'
import { parseCover } from './cover.ts'
import { parseTable } from './table.ts'
import { fileNumber, nothingFound, whole } from './values.ts'

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')
const amendment = fixture('0000950123-15-009742/primary_doc.xml')
const specimen = fixture('9000000041-24-000001/infotable.xml')

function replaced(text: string, ...parts: readonly (readonly [string, string])[]): string {
  for (const [part, by] of parts) {
    assert.ok(text.includes(part), part)
    text = text.replace(part, by)
  }
  return text
}

function cover(...parts: readonly (readonly [string, string])[]) {
  const doc = parseXml(replaced(amendment, ...parts))
  return { cover: parseCover(doc), unread: doc.unread(), problems: doc.problems() }
}

async function table(text: string) {
  const found = nothingFound()
  async function* bytes() {
    const all = Buffer.from(text)
    for (let at = 0; at < all.length; at += 500) yield all.subarray(at, at + 500)
  }
  const lines = []
  for await (const line of parseTable(bytes(), found)) lines.push(line)
  return { lines, found, at: found.problems.map(({ path, value, reason }) => [path, value, reason]) }
}

const place = (n: number, path: string) => `/informationTable/infoTable[${n}]/${path}`

test('every element of the schema is read or ignored by name', () => {
  const {
    unread,
    problems,
    cover: read,
  } = cover(
    ['<liveTestFlag>LIVE</liveTestFlag>', '<liveTestFlag>LIVE</liveTestFlag><denovoRequest>Y</denovoRequest>'],
    ['</filer>', '<fileNumber>028-04545</fileNumber></filer><contact><contactName>A</contactName></contact>'],
    [
      '<periodOfReport>',
      '<notifications><notificationEmailAddress>a@b.example</notificationEmailAddress></notifications><periodOfReport>',
    ],
    ['<provideInfo', '<crdNumber>000000000</crdNumber><secFileNumber>801-999011</secFileNumber><provideInfo'],
    [
      '</provideInfoForInstruction5>',
      '</provideInfoForInstruction5><additionalInformation>Words</additionalInformation>',
    ],
    ['</formData>', '</formData><documents><document><contents>AAAA</contents></document></documents>'],
  )
  assert.deepEqual([unread, problems], [[], []])
  assert.deepEqual([read.crd, read.secFileNumber, read.additionalInformation], [null, '801-999011', 'Words'])
})

test('a leaf that the parser does not read is reported', () => {
  assert.deepEqual(cover(['</coverPage>', '<newLeaf>1</newLeaf></coverPage>']).unread, [
    '/edgarSubmission/formData/coverPage/newLeaf',
  ])
})

test('a wrong value of a cover is null, with its place and reason', () => {
  const { cover: read, problems } = cover(
    ['NEW HOLDINGS', 'SOME HOLDINGS'],
    ['13F COMBINATION REPORT', '13F STORY'],
    ['<tableValueTotal>2392467', '<tableValueTotal>-1'],
    ['<tableEntryTotal>2', '<tableEntryTotal>two'],
    ['<dateReported>08-14-2015', '<dateReported>2015-08-14'],
    ['<cik>0001067983', '<cik>unknown'],
  )
  assert.deepEqual(
    [read.amendmentType, read.reportType, read.declaredValue, read.declaredEntries, read.dateReported, read.cik],
    [null, null, null, null, null, null],
  )
  assert.equal(problems.length, 6)
  assert.ok(problems.some(({ path, value }) => path.endsWith('/amendmentType') && value === 'SOME HOLDINGS'))
})

test('if the header contradicts the period on the cover, the cover counts and the filing has a problem', () => {
  const { cover: read, problems } = cover(['<periodOfReport>06-30-2015', '<periodOfReport>03-31-2015'])
  assert.equal(read.period, '2015-06-30')
  assert.equal(problems.length, 1)
})

test('an amendment whose cover denies that it is one still counts as an amendment, with a problem', () => {
  const { cover: read, problems } = cover(['<isAmendment>true', '<isAmendment>false'])
  assert.deepEqual([read.isAmendment, problems.length], [true, 1])
})

test('a document of another form is refused, and the error names the form', () => {
  const other = '<edgarSubmission><headerData><submissionType>N-PX</submissionType></headerData></edgarSubmission>'
  assert.throws(() => parseCover(parseXml(other)), /not a Form 13F: <edgarSubmission> with submissionType N-PX/)
})

test('13F-CTR and its amendment are read as covers', () => {
  const read = parseCover(parseXml(replaced(amendment, ['<submissionType>13F-HR/A', '<submissionType>13F-CTR/A'])))
  assert.deepEqual([read.submissionType, read.isAmendment], ['13F-CTR/A', true])
})

test('all spellings of a file number give the same number', () => {
  for (const text of ['28-554', '028-554', '028-0554', '028-00554 ', '28- 554'])
    assert.equal(fileNumber(text), '028-00554')
  assert.deepEqual(['801-67314 ', '028-111324', null].map(fileNumber), ['801-67314', '028-111324', null])
})

test('a table is the same in any namespace, under any prefix', async () => {
  const { lines } = await table(specimen)
  const other = specimen.replaceAll('n1:', 'p:').replace('xmlns:n1="http://www.sec.gov/', 'xmlns:p="urn:elsewhere/')
  const bare = specimen.replaceAll('n1:', '').replace('xmlns:n1', 'xmlns')
  assert.deepEqual((await table(other)).lines, lines)
  assert.deepEqual((await table(bare)).lines, lines)
})

test('values with letters, and negative, fractional or too large values, are null with their places; other lines are read', async () => {
  const { lines, at } = await table(
    replaced(
      specimen,
      ['<n1:value>10000000', '<n1:value>ten'],
      ['<n1:value>4000000', '<n1:value>-4000000'],
      ['<n1:sshPrnamt>30000', '<n1:sshPrnamt>30000.5'],
      ['<n1:value>2000000', '<n1:value>2000000000000000'],
      ['<n1:sshPrnamt>50000', '<n1:sshPrnamt>50000000000000'],
    ),
  )
  assert.deepEqual(at, [
    [place(1, 'value'), 'ten', 'not a decimal number'],
    [place(1, 'shrsOrPrnAmt/sshPrnamt'), '50000000000000', 'has more than 13 digits'],
    [place(2, 'value'), '-4000000', 'is negative'],
    [place(3, 'shrsOrPrnAmt/sshPrnamt'), '30000.5', 'is not a whole number'],
    [place(4, 'value'), '2000000000000000', 'has more than 15 digits'],
  ])
  assert.deepEqual(
    lines.map(({ value }) => value),
    [null, null, '6000000', null, '5000000', '5000000', '10000000'],
  )
  assert.deepEqual([lines[0]!.amount, lines[2]!.amount], [null, null])
})

test('a table that is cut off yields the lines before the cut, and reports where it ends', async () => {
  const cut = specimen.slice(0, specimen.indexOf('SPECIMEN THREE') + 5)
  const { lines, found } = await table(cut)
  assert.equal(lines.length, 5)
  assert.match(found.cutOff!, /offset \d+/)
  assert.equal(found.problems.at(-1)!.path, '/informationTable/infoTable[6]')
})

test('throws the failure of a source, instead of ending the table', async () => {
  async function* failing() {
    yield Buffer.from(specimen.slice(0, 800))
    throw new Error('connection lost')
  }
  const found = nothingFound()
  const read = async () => {
    for await (const _ of parseTable(failing(), found)) {
      // Reads until the source fails.
    }
  }
  await assert.rejects(read, /connection lost/)
  assert.equal(found.cutOff, null)
})

test('a line in which an element occurs twice is counted and reported with its place, but yields no holding', async () => {
  const { lines, found, at } = await table(
    replaced(specimen, ['<n1:cusip>037833AA0</n1:cusip>', '<n1:cusip>037833AA0</n1:cusip><n1:cusip>1</n1:cusip>']),
  )
  assert.deepEqual([lines.length, found.looked, found.read], [6, 7, 6])
  assert.deepEqual(
    at.map(([path]) => path),
    [place(5, '')],
  )
})

test('an option that is neither Put nor Call stays apart from holdings, with a problem', async () => {
  const { lines, at } = await table(replaced(specimen, ['<n1:putCall>Put', '<n1:putCall>Straddle']))
  assert.equal(lines[2]!.putCall, 'Straddle')
  assert.deepEqual(at, [[place(3, 'putCall'), 'Straddle', 'neither Put nor Call']])
})

test('puts and calls in capitals, and units in lower case, are recognized', async () => {
  const { lines, at } = await table(
    replaced(specimen, ['<n1:putCall>Put', '<n1:putCall>PUT'], ['<n1:sshPrnamtType>PRN', '<n1:sshPrnamtType>prn']),
  )
  assert.deepEqual([lines[2]!.putCall, lines[4]!.kind, at], ['Put', 'PRN', []])
})

test('missing units, discretion and values are null with a problem each', async () => {
  const { lines, at } = await table(
    replaced(
      specimen,
      ['<n1:sshPrnamtType>SH</n1:sshPrnamtType>', ''],
      ['<n1:investmentDiscretion>SOLE', '<n1:investmentDiscretion>ALONE'],
      ['<n1:value>10000000</n1:value>', ''],
    ),
  )
  assert.deepEqual([lines[0]!.kind, lines[0]!.discretion, lines[0]!.value], [null, null, null])
  assert.deepEqual(at, [
    [place(1, 'value'), '', 'is missing'],
    [place(1, 'shrsOrPrnAmt/sshPrnamtType'), '', 'neither SH nor PRN'],
    [place(1, 'investmentDiscretion'), 'ALONE', 'not one of SOLE, DFND, OTR'],
  ])
})

test('a new leaf of a line is reported once', async () => {
  const { found } = await table(specimen.replaceAll('</n1:infoTable>', '<n1:lei>1</n1:lei></n1:infoTable>'))
  assert.deepEqual([...found.unread], ['/informationTable/infoTable/lei'])
})

test('a thousand problems of a table are kept, and one more states that there are others', async () => {
  const line = /<n1:infoTable>[\s\S]*?<\/n1:infoTable>/.exec(specimen)![0].replace('10000000', 'x')
  const { found } = await table(specimen.replace(line.replace('>x<', '>10000000<'), line.repeat(1_500)))
  assert.equal(found.problems.length, 1_001)
  assert.equal(found.problems.at(-1)!.reason, 'and more problems from here on')
})

test('whole numbers keep every digit, with commas, a dollar sign or a fraction of zeros', () => {
  for (const [text, digits] of [
    ['1,234', '1234'],
    ['$5', '5'],
    ['7.00', '7'],
    ['0012', '12'],
    ['999999999999999', '999999999999999'],
  ]) {
    assert.deepEqual(whole(text!), { digits })
  }
})
