/** Headers and documents from before 2001: values and spellings on the edge of what EDGAR accepted. All are made up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HeaderFiler, readHeader } from './header.ts'
import { decodeDocument, readSubmission } from './submission.ts'

const company = (name: string, cik: string, more = '') =>
  `\tCOMPANY DATA:\t\n\t\tCOMPANY CONFORMED NAME:\t\t\t${name}\n\t\tCENTRAL INDEX KEY:\t\t\t${cik}\n${more}\n`
const header = (more: string, tag = 'SEC') =>
  `<${tag}-DOCUMENT>0000912057-96-012345.txt : 19960620
<${tag}-HEADER>0000912057-96-012345.hdr.sgml : 19960620
ACCESSION NUMBER:\t\t0000912057-96-012345
CONFORMED SUBMISSION TYPE:\tSC 13D
FILED AS OF DATE:\t\t19960619
${more}</${tag}-HEADER>\n`
const withFiler = (more: string) => readHeader(header(`\nFILER:\n\n${company('SPECIMEN CO', '0000000001', more)}`))
const filerOf = (more: string): HeaderFiler => withFiler(more).filers[0]!

test('a header of 1996 with the tags of IMS, stock exchanges and a bare industry code is read whole', () => {
  const more = '\t\tSTANDARD INDUSTRIAL CLASSIFICATION:\t3711\n\t\tIRS NUMBER:\t\t\t\t131234567\n'
  const read = readHeader(header(`SROS:\t\t\tNASD\n\nFILER:\n\n${company('SPECIMEN CO', '0000000001', more)}`, 'IMS'))
  const { sic, irsNumber } = read.filers[0]!
  assert.deepEqual([read.filedDate, sic, irsNumber, read.problems], ['1996-06-19', '3711', '131234567', []])
})

test('a target and its bidders keep their own values', () => {
  const target =
    '\n\tFILING VALUES:\n\t\tSEC FILE NUMBER:\t005-12345\n\n\tBUSINESS ADDRESS:\t\n\t\tSTREET 1:\t\tONE ROAD\n'
  const { filers, problems } = readHeader(
    header(
      [
        `\nSUBJECT COMPANY:\t\n\n${company('TARGET INC', '0000000001', target)}`,
        `\nFILED BY:\t\t\n\n${company('BIDDER LP', '0000000002')}`,
        `\nFILED BY:\n\n${company('BIDDER GP', '0000000003', '\t\tIRS NUMBER:\t\t\t000000000\n')}`,
      ].join(''),
    ),
  )
  assert.deepEqual(
    filers.map(({ role, cik, fileNumber, irsNumber, businessAddress }) => [
      role,
      Number(cik),
      fileNumber,
      irsNumber,
      businessAddress?.street1,
    ]),
    [
      ['subject company', 1, '005-12345', null, 'ONE ROAD'],
      ['filed by', 2, null, null, undefined],
      ['filed by', 3, null, null, undefined],
    ],
  )
  assert.deepEqual(problems, [])
})

test('a day of six digits or of zeros is null and reported, and a former name with such a day stays', () => {
  const short = readHeader(header('CONFORMED PERIOD OF REPORT:\t00000000\n').replace('\t19960619', '\t960619'))
  assert.deepEqual([short.filedDate, short.periodOfReport, short.problems.length], [null, null, 2])
  const former = withFiler(
    '\n\tFORMER COMPANY:\t\n\t\tFORMER CONFORMED NAME:\tB CORP\n\t\tDATE OF NAME CHANGE:\t920703\n',
  )
  assert.deepEqual(former.filers[0]!.formerNames, [{ name: 'B CORP', changedDate: null }])
  assert.deepEqual(former.problems, ['DATE OF NAME CHANGE is not a valid day: 920703'])
})

test('the end of a fiscal year is a month and a day; zeros are null, and another text is null and reported', () => {
  for (const [filed, end, problems] of [
    ['0229', '0229', 0],
    ['0630', '0630', 0],
    ['0000', null, 0],
    ['1331', null, 1],
    ['630', null, 1],
    ['0231', null, 1],
  ] as const) {
    const read = withFiler(`\t\tFISCAL YEAR END:\t\t\t${filed}\n`)
    assert.deepEqual([read.filers[0]!.fiscalYearEnd, read.problems.length], [end, problems], filed)
  }
})

test('the accession is read from a paper filing, from a header without an accession line, and from a number without dashes', () => {
  const paper = readHeader(
    '<SEC-DOCUMENT>9999999997-02-012345.paper : 20020301\n<PAPER>\nACCESSION NUMBER:\t\t9999999997-02-012345\n',
  )
  assert.deepEqual([paper.accession, paper.problems], ['9999999997-02-012345', []])
  for (const text of [
    header('').replace(/ACCESSION.*\n/, ''),
    header('').replace('\t0000912057-96-012345', '\t000091205796012345'),
  ])
    assert.deepEqual([readHeader(text).accession, readHeader(text).problems], ['0000912057-96-012345', []])
})

test('blanks in place of tabs, a colon in a name, and a former name above the addresses change nothing', () => {
  const spaced = readHeader(
    header('')
      .replace('DATE:\t\t', 'DATE :   ')
      .replace('CONFORMED SUBMISSION TYPE:\t', 'CONFORMED  SUBMISSION TYPE:   '),
  )
  assert.deepEqual([spaced.filedDate, spaced.form, spaced.problems], ['1996-06-19', 'SC 13D', []])
  const named = readHeader(header(`\nFILER:\n\n${company('SMITH: A TRUST &lt;NEW&gt; AT&amp;T', '1')}`))
  assert.equal(named.filers[0]!.name, 'SMITH: A TRUST <NEW> AT&T')
  const { formerNames, mailAddress, businessAddress } = filerOf(
    '\n\tFORMER COMPANY:\t\n\t\tFORMER CONFORMED NAME:\tB CORP\n\t\tDATE OF NAME CHANGE:\t19920703\n\n\tMAIL ADDRESS:\t\n\t\tZIP:\t\t\t02110-1234\n',
  )
  assert.deepEqual(formerNames, [{ name: 'B CORP', changedDate: '1992-07-03' }])
  assert.deepEqual([mailAddress!.zip, businessAddress], ['02110-1234', null])
})

test('a name that continues in a second line, and keys in small letters, are reported', () => {
  const cut = readHeader(header(`\nFILER:\n\n${company('A NAME THAT IS NOT\n\t\t\t\tSHORT INC', '0000000001')}`))
  assert.deepEqual(cut.problems, ['unreadable line: SHORT INC'])
  const small = readHeader(header('').replace('FILED AS OF DATE', 'Filed as of Date'))
  assert.deepEqual([small.filedDate, small.problems.length], [null, 1])
})

const uuencoded = (bytes: Buffer, begin: string, zero = '`') => {
  const char = (n: number) => (n === 0 ? zero : String.fromCharCode(n + 32))
  const lines = [begin]
  for (let at = 0; at < bytes.length; at += 45) {
    const part = bytes.subarray(at, at + 45)
    let line = char(part.length)
    for (let k = 0; k < part.length; k += 3) {
      const [a = 0, b = 0, c = 0] = part.subarray(k, k + 3)
      line += char(a >> 2) + char(((a & 3) << 4) | (b >> 4)) + char(((b & 15) << 2) | (c >> 6)) + char(c & 63)
    }
    lines.push(line)
  }
  return [...lines, zero, 'end', ''].join('\n')
}
const filled = (start: string, count: number) =>
  Buffer.concat([Buffer.from(start, 'latin1'), Buffer.from(Array.from({ length: count }, (_, n) => (n * 37) & 255))])
const [GIF, OLE, PDF] = [filled('GIF89a', 400), filled('\xd0\xcf\x11\xe0', 700), filled('%PDF-1.3\n', 900)]

async function* stream(text: string) {
  yield Buffer.from(text, 'latin1')
}
/** Returns encoding, type and content of the only document, and the problems of its submission. */
async function documentOf(content: string, filename: string | null = null) {
  const name = filename === null ? '' : `<FILENAME>${filename}\n`
  const text = `${header('')}<DOCUMENT>\n<TYPE>EX-99\n<SEQUENCE>1\n${name}<TEXT>${content}</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>\n`
  const { header: read, documents } = await readSubmission(stream(text))
  const entry = documents[0]!
  const parts: Buffer[] = []
  for await (const part of decodeDocument(stream(text.slice(entry.start, entry.end)), entry))
    parts.push(Buffer.from(part))
  return { encoding: entry.encoding, type: entry.mediaType, bytes: Buffer.concat(parts), problems: read.problems }
}

test('an image, a PDF and a workbook are decoded whatever stands between the tag of the text and their first line', async () => {
  for (const [content, name, type, bytes] of [
    [`\n${uuencoded(GIF, 'begin 644 logo.gif')}`, 'logo.jpg', 'image/gif', GIF],
    [`\n${uuencoded(GIF, 'begin 644')}`, 'logo.gif', 'image/gif', GIF],
    [`\n${uuencoded(OLE, 'begin 644 book.xls')}`, 'book.xls', 'application/vnd.ms-excel', OLE],
    [`<PDF>\n${uuencoded(PDF, 'begin 644 a.pdf')}</PDF>\n`, 'a.pdf', 'application/pdf', PDF],
    [`\n<PDF>\n\n\n${uuencoded(PDF, 'begin 644 a.pdf', ' ')}</PDF>\n`, 'a.pdf', 'application/pdf', PDF],
  ] as const)
    assert.deepEqual(await documentOf(content, name), { encoding: 'uuencode', type, bytes, problems: [] }, content)
})

test('if a document has no file name, the name in the first line of uuencode gives its type', async () => {
  const { type } = await documentOf(`\n${uuencoded(OLE, 'begin 644 book.xls')}`)
  assert.equal(type, 'application/vnd.ms-excel')
})

test('text that begins like uuencode is text, and is kept whole', async () => {
  for (const text of ['begin 2001 with a plan\nand end\n', 'begin 644 words\n\nwhich are text\n']) {
    const read = await documentOf(`\n${text}`, 'a.txt')
    assert.deepEqual([read.encoding, read.bytes.toString(), read.problems], ['text', text, []])
  }
  const empty = await documentOf('\nbegin 644 x\n`\nend\n', 'x.bin')
  assert.deepEqual([empty.encoding, empty.bytes.length], ['uuencode', 0])
})

test('an end line in capitals is reported as missing', async () => {
  const { problems } = await documentOf(`\n${uuencoded(GIF, 'begin 644 a.gif').replace(/end\n$/, 'END\n')}`, 'a.gif')
  assert.match(problems.join(), /without its end line/)
})

test('mail with CR LF, with tabs before the lines that continue its keys, or after blank lines is a submission', async () => {
  const mail = `-----BEGIN PRIVACY-ENHANCED MESSAGE-----
Proc-Type: 2001,MIC-CLEAR
Originator-Key-Asymmetric:
 MFgwCgYEVQgBAQICAf8DSgAwRwJAW2sNKK9AVtBzYZmr6aGjlWyK3XmZv3dTINen
MIC-Info: RSA-MD5,RSA,
 Rk0P1wF7T1F0eVn7K1RQxA==

`
  const rest = `${header('')}<DOCUMENT>\n<TYPE>10-K\n<SEQUENCE>1\n<TEXT>\ntext\n- ----\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>\n-----END PRIVACY-ENHANCED MESSAGE-----\n`
  for (const text of [
    `${mail}${rest}`.replaceAll('\n', '\r\n'),
    `${mail.replaceAll('\n ', '\n\t')}${rest}`,
    `\n\n${mail}${rest}\n`,
  ]) {
    const { documents, header: read } = await readSubmission(stream(text))
    assert.deepEqual([documents.length, read.problems], [1, []])
  }
})

test('the lines of a title may stand in any order, with blanks around their values', async () => {
  const text = `${header('')}<DOCUMENT>\n<DESCRIPTION>ANNUAL REPORT\n<TYPE> 10-K405 \n<SEQUENCE> 01\n<TEXT>first\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>\n`
  const { documents, header: read } = await readSubmission(stream(text))
  const [{ type, seq, description, size }] = documents as [(typeof documents)[number]]
  assert.deepEqual([type, seq, description, size, read.problems], ['10-K405', 1, 'ANNUAL REPORT', 6, []])
})
