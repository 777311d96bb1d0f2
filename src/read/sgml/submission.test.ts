/** @alone the memory of its process is measured */
import assert from 'node:assert/strict'
import { createReadStream, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { corpus } from '../../../test/support/corpus.ts'
import { effortOf } from '../../../test/support/effort.ts'
import { memoryInUse } from '../../../test/support/memory.ts'
import { decodeDocument, readSubmission, type Submission, SubmissionError } from './submission.ts'

const HEADER = `ACCESSION NUMBER:		0001999999-24-000007
CONFORMED SUBMISSION TYPE:	10-K
FILED AS OF DATE:		20240313

FILER:

	COMPANY DATA:	
		COMPANY CONFORMED NAME:			SMITH &amp; SONS
		CENTRAL INDEX KEY:			0001999999
`
const document = (seq: string | null, name: string | null, text: string, type = '10-K') =>
  `<DOCUMENT>\n<TYPE>${type}\n${seq === null ? '' : `<SEQUENCE>${seq}\n`}${name === null ? '' : `<FILENAME>${name}\n`}<TEXT>\n${text}</TEXT>\n</DOCUMENT>\n`
const wrapped = (...documents: string[]) =>
  `<SEC-DOCUMENT>0001999999-24-000007.txt : 20240313\n<SEC-HEADER>0001999999-24-000007.hdr.sgml : 20240313\n${HEADER}</SEC-HEADER>\n${documents.join('')}</SEC-DOCUMENT>\n`

const PDF = 'begin 644 letter.pdf\n*)5!$1BTQ+C0*"@``\n`\nend\n'
const THREE = wrapped(
  document('1', 'main.htm', '<HTML>\n<BODY>Main</BODY>\n</HTML>\n'),
  document(
    '2',
    'primary_doc.xml',
    '<XML>\n<?xml version="1.0" encoding="UTF-8"?>\n<edgarSubmission/>\n</XML>\n',
    'XML',
  ),
  document('3', 'letter.pdf', `<PDF>\n${PDF}</PDF>\n`, 'EX-99'),
)
const CONTENTS = [
  '<HTML>\n<BODY>Main</BODY>\n</HTML>\n',
  '<XML>\n<?xml version="1.0" encoding="UTF-8"?>\n<edgarSubmission/>\n</XML>\n',
  '%PDF-1.4\n\n',
]

const PEM =
  '-----BEGIN PRIVACY-ENHANCED MESSAGE-----\nProc-Type: 2001,MIC-CLEAR\nOriginator-Name: nobody@example.com\nOriginator-Key-Asymmetric:\n MFkwCgYEVQgBAQIC\n p==\nMIC-Info: RSA-MD5,RSA,\n papaXys0z88/rLlb==\n\n'
const PEM_END = '-----END PRIVACY-ENHANCED MESSAGE-----\n'

async function* pieces(bytes: Buffer, size = bytes.length || 1): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const read = (text: string, size?: number) => {
  const bytes = Buffer.from(text, 'latin1')
  return readSubmission(pieces(bytes, size))
}
async function contents(text: string, submission: Submission): Promise<string[]> {
  const bytes = Buffer.from(text, 'latin1')
  const all: string[] = []
  for (const entry of submission.documents) {
    const parts: Buffer[] = []
    for await (const part of decodeDocument(pieces(bytes.subarray(entry.start, entry.end)), entry)) parts.push(part)
    assert.equal(Buffer.concat(parts).length, entry.size, `size of document ${entry.seq}`)
    all.push(Buffer.concat(parts).toString('latin1'))
  }
  return all
}

test('a submission gives its header, its length and each document with its offsets', async () => {
  const submission = await read(THREE)
  assert.equal(submission.bytes, THREE.length)
  assert.equal(submission.header.accession, '0001999999-24-000007')
  assert.equal(submission.header.filers[0]!.name, 'SMITH & SONS')
  assert.deepEqual(submission.header.problems, [])
  assert.deepEqual(
    submission.documents.map(({ start, end, ...entry }) => entry),
    [
      {
        seq: 1,
        type: '10-K',
        filename: 'main.htm',
        description: null,
        wrapper: null,
        encoding: 'text',
        mediaType: 'text/html',
        size: 33,
        escaped: false,
      },
      {
        seq: 2,
        type: 'XML',
        filename: 'primary_doc.xml',
        description: null,
        wrapper: 'XML',
        encoding: 'text',
        mediaType: 'application/xml; charset=utf-8',
        size: 71,
        escaped: false,
      },
      {
        seq: 3,
        type: 'EX-99',
        filename: 'letter.pdf',
        description: null,
        wrapper: 'PDF',
        encoding: 'uuencode',
        mediaType: 'application/pdf',
        size: 10,
        escaped: false,
      },
    ],
  )
  assert.deepEqual(await contents(THREE, submission), CONTENTS)
})

/** The same three documents in each container. Every container must give the same facts and contents. */
const CONTAINERS: Record<string, string> = {
  'SEC-DOCUMENT': THREE,
  'IMS-DOCUMENT': THREE.replaceAll('SEC-DOCUMENT', 'IMS-DOCUMENT').replaceAll('SEC-HEADER', 'IMS-HEADER'),
  'SEC-DOCUMENT in privacy-enhanced mail': PEM + THREE + PEM_END,
  'IMS-DOCUMENT in privacy-enhanced mail':
    PEM + THREE.replaceAll('SEC-DOCUMENT', 'IMS-DOCUMENT').replaceAll('SEC-HEADER', 'IMS-HEADER') + PEM_END,
  '.nc SUBMISSION, leaf tags never closed': THREE.replace(
    /^<SEC-DOCUMENT>[\s\S]*?<\/SEC-HEADER>\n/,
    () =>
      '<SUBMISSION>\n<ACCESSION-NUMBER>0001999999-24-000007\n<TYPE>10-K\n<FILING-DATE>20240313\n<FILER>\n<COMPANY-DATA>\n<CONFORMED-NAME>SMITH &amp; SONS\n<CIK>0001999999\n</COMPANY-DATA>\n</FILER>\n',
  ).replace('</SEC-DOCUMENT>', '</SUBMISSION>'),
  'closing tag twice': THREE + '</SEC-DOCUMENT>\n',
  'no line end at the end': THREE.trimEnd(),
  'doubled lines in the header': THREE.replace(HEADER, HEADER.replaceAll('\n', '\n\n')),
  'stray closing tags in the header': THREE.replace(
    '</SEC-HEADER>',
    '</COMPANY-DATA>\n</FILER>\n</REPORTING-OWNER>\n</SEC-HEADER>',
  ),
  'every line is indented except the lines of documents': THREE.replace(
    /^<(?=\/?(?:SEC|DOCUMENT|TYPE|SEQ|FILEN|\/TEXT|TEXT))/gm,
    '    <',
  ),
}
for (const [name, text] of Object.entries(CONTAINERS)) {
  test(`container: ${name}`, async () => {
    const submission = await read(text)
    assert.deepEqual(submission.header.problems, [])
    const { accession, form, filedDate, filers } = submission.header
    assert.deepEqual(
      [accession, form, filedDate, filers[0]?.cik],
      ['0001999999-24-000007', '10-K', '2024-03-13', '0001999999'],
    )
    assert.equal(submission.bytes, text.length)
    assert.deepEqual(
      (await contents(text, submission)).map((content) => content.trimEnd()),
      CONTENTS.map((content) => content.trimEnd()),
    )
  })
}

for (const eol of ['\r\n', '\r']) {
  test(`lines may end with ${JSON.stringify(eol)}, in header, titles, text and uuencode alike`, async () => {
    const text = THREE.replaceAll('\n', eol)
    const submission = await read(text)
    const expected = await read(THREE)
    assert.deepEqual(submission.header, expected.header)
    assert.deepEqual(await contents(text, submission), [
      ...CONTENTS.slice(0, 2).map((content) => content.replaceAll('\n', eol)),
      CONTENTS[2]!,
    ])
    assert.deepEqual(
      submission.documents.map(({ seq, type, filename, mediaType }) => ({ seq, type, filename, mediaType })),
      expected.documents.map(({ seq, type, filename, mediaType }) => ({ seq, type, filename, mediaType })),
    )
  })
}

test('removes the escapes of dashes by privacy-enhanced mail, also in uuencode', async () => {
  // 13 bytes make a uuencoded line that begins with a dash.
  const text =
    PEM +
    wrapped(
      document('1', null, '- -----\nA line - - of text\n- - item\n-- \n'),
      document('2', 'x.bin', 'begin 644 x.bin\n- -86)C9&5F9VAI:FML;0``\n`\nend\n'),
    ) +
    PEM_END
  const submission = await read(text)
  assert.deepEqual(await contents(text, submission), ['-----\nA line - - of text\n- item\n-- \n', 'abcdefghijklm'])
  assert.deepEqual(submission.header.problems, [])
  for (const size of [1, 2, 3, 5]) assert.deepEqual(await read(text, size), submission)
})

test('text that quotes the tags of a submission does not end its document', async () => {
  const quotes = [
    'He wrote </TEXT> and then went on\n',
    '</TEXT>\nmore\n',
    '</DOCUMENT>\nmore\n',
    '<DOCUMENT>\n<TYPE>EX-1\n<TEXT>\nmore\n',
    '</TEXT>\n</DOCUMENT>\nmore\n',
    '</SEC-DOCUMENT>\nmore\n',
    '</TEXT></DOCUMENT>x<DOCUMENT>\n',
    // 0000037996-02-000015 has a whole document inside a document.
    '<DOCUMENT>\n<TYPE>10-K\n<SEQUENCE>1\n<TEXT>\nAnnual report\n</TEXT>\n</DOCUMENT>\n',
    '</TEXT>\n</DOCUMENT>\n</SUBMISSION>\n',
  ]
  for (const quote of quotes) {
    const text = wrapped(document('1', 'a.txt', quote), document('2', 'b.txt', 'second\n'))
    const submission = await read(text)
    assert.deepEqual(await contents(text, submission), [quote, 'second\n'], quote)
    assert.deepEqual(await read(text, 1), submission)
  }
})

test('accepts blank lines between </TEXT>, </DOCUMENT> and <DOCUMENT>, and text that has no line end before its closing tag', async () => {
  const text = wrapped(
    '<DOCUMENT>\n<TYPE>10-K\n<SEQUENCE>1\n<TEXT>first</TEXT>\n\n\n</DOCUMENT>\n\n',
    '<DOCUMENT>\n<TYPE>EX-1\n<SEQUENCE>2\n<TEXT>  \n</TEXT>  </DOCUMENT>',
    '<DOCUMENT>\n<TYPE>EX-2\n<SEQUENCE>3\n</DOCUMENT>\n',
  )
  const submission = await read(text)
  assert.deepEqual(await contents(text, submission), ['first', '', ''])
})

test('joins a description of two lines and decodes its references, and FLAWED is not a problem', async () => {
  const title =
    '<DOCUMENT>\n<TYPE>EX-27\n<SEQUENCE>1\n<DESCRIPTION>ART. 5 FDS &amp; MORE \nFORM 10-K\n<FLAWED>\n<TEXT>\nx\n</TEXT>\n</DOCUMENT>\n'
  const { documents, header } = await read(wrapped(title))
  assert.equal(documents[0]!.description, 'ART. 5 FDS & MORE FORM 10-K')
  assert.equal(documents[0]!.filename, null)
  assert.deepEqual(header.problems, [])
})

test('if a title has a key twice, the first value is kept, and the second value is reported', async () => {
  const title = '<DOCUMENT>\n<TYPE>10-K\n<SEQUENCE>1\n<TYPE>EX-99\n<TEXT>\nx\n</TEXT>\n</DOCUMENT>\n'
  const { documents, header } = await read(wrapped(title))
  assert.equal(documents[0]!.type, '10-K')
  assert.deepEqual(header.problems, ['document 1: TYPE twice, the first is kept: EX-99'])
})

test('a name does not decide the type: a .jpg that is a GIF is a GIF', async () => {
  const gif = 'begin 644 logo.jpg\n&1TE&.#EA\n`\nend\n'
  const { documents } = await read(wrapped(document('1', 'logo.jpg', gif, 'GRAPHIC')))
  assert.equal(documents[0]!.mediaType, 'image/gif')
})

test('sequence numbers are unique: a unique number is kept; otherwise the position is used, or else the first free number', async () => {
  const seqs = async (...given: (string | null)[]) =>
    (await read(wrapped(...given.map((seq) => document(seq, 'a', 'x\n'))))).documents.map(({ seq }) => seq)
  assert.deepEqual(await seqs('1', '2', '7'), [1, 2, 7])
  assert.deepEqual(await seqs(null, null), [1, 2])
  assert.deepEqual(await seqs('1', '1', '2'), [1, 4, 2])
  assert.deepEqual(await seqs('2', null, 'x'), [2, 4, 3])
  assert.deepEqual(await seqs('0', '-1', '99999999999'), [1, 2, 3])
  assert.deepEqual((await read(wrapped(document('1', 'a', 'x\n'), document('1', 'b', 'x\n')))).header.problems, [
    'sequence 1 appears 2 times',
  ])
})

test('reports that fewer documents were found than announced', async () => {
  const announced = (count: number, name: string) =>
    read(wrapped(document('1', name, 'x\n')).replace('FILED AS', `PUBLIC DOCUMENT COUNT:\t\t${count}\nFILED AS`))
  assert.deepEqual((await announced(1, 'a.txt')).header.problems, [])
  assert.deepEqual((await announced(2, 'a.txt')).header.problems, ['2 documents announced, 1 found'])
  // If EDGAR rendered XBRL, it announces one document too many.
  assert.deepEqual((await announced(2, 'FilingSummary.xml')).header.problems, [])
})

test('reports uuencoded text without an end, and its invalid lines', async () => {
  const { header } = await read(wrapped(document('1', 'a.bin', 'begin 644 a.bin\n#0V%T\nxyz\n')))
  assert.deepEqual(header.problems, [
    'document 1: uuencoded text without its end line',
    'document 1: 1 unreadable lines of uuencoded text',
  ])
})

test('a submission cut off anywhere in its header is an error with its length as offset', async () => {
  const whole = CONTAINERS['SEC-DOCUMENT in privacy-enhanced mail']!
  for (let length = PEM.length + '<SEC-DOCUMENT>'.length; length < whole.indexOf('<DOCUMENT>') + 10; length++) {
    await assert.rejects(
      read(whole.slice(0, length)),
      (error) => error instanceof SubmissionError && error.offset === length,
      `cut at ${length}`,
    )
  }
})

test('a submission cut off after its header gives the documents before the cut, and always states where it is cut off', async () => {
  const whole = CONTAINERS['SEC-DOCUMENT in privacy-enhanced mail']!
  const end = whole.indexOf('</SEC-DOCUMENT>') + '</SEC-DOCUMENT>'.length
  const { header: facts, documents: all } = await read(whole)
  /** The offset at which the closing tags of each document end. */
  const closed = all.map((entry) => whole.indexOf('</DOCUMENT>', entry.end) + '</DOCUMENT>'.length)
  for (let length = whole.indexOf('<DOCUMENT>') + 10; length < end; length++) {
    const note = `cut at ${length}`
    const { header, documents, bytes } = await read(whole.slice(0, length), 97)
    const before = closed.filter((at) => at <= length).length
    const isIn = length >= whole.indexOf('<TEXT>', closed[before - 1] ?? 0) + 6 && before < all.length
    assert.equal(bytes, length, note)
    assert.match(
      header.cutOff!,
      new RegExp(`cut off (in|after|in the title of) document \\d, at byte ${length}$`),
      note,
    )
    assert.equal(header.problems[0], header.cutOff, note)
    assert.deepEqual(
      { ...header, problems: [], cutOff: undefined },
      { ...facts, problems: [], cutOff: undefined },
      note,
    )
    assert.deepEqual(documents.slice(0, before), all.slice(0, before), note)
    assert.equal(documents.length, before + (isIn ? 1 : 0), note)
    if (isIn) assert.deepEqual([documents.at(-1)!.cutOff, documents.at(-1)!.seq], [true, all[before]!.seq], note)
  }
  const { header, documents } = await read(whole.slice(0, end))
  assert.deepEqual([header.cutOff, documents], [undefined, all])
})

test('removes and reports a NUL in the title of a document', async () => {
  const { header, documents } = await read(wrapped(document('1', 'a\0.htm', 'x\n')))
  assert.equal(documents[0]!.filename, 'a.htm')
  assert.deepEqual(header.problems, ['document 1: NUL removed from: <FILENAME>a.htm'])
})

test('if a title is extremely long, only a part of it is kept, and the title is reported', async () => {
  const { header, documents } = await read(wrapped(document('1', 'a'.repeat(20_000), 'x\n')))
  assert.equal(documents[0]!.filename!.length, 1000)
  assert.deepEqual(header.problems, ['document 1: FILENAME of 20000 characters, of which 1000 are kept'])
})

test('bytes that are not a submission are an error', async () => {
  const rubbish = [
    '',
    '\n\n',
    '<!DOCTYPE html><html><body>SEC-DOCUMENT</body></html>',
    '{"a":1}',
    '%PDF-1.4',
    `${'x'.repeat(100_000)}<SEC-DOCUMENT>`,
    'see <SEC-DOCUMENT>',
    PEM,
  ]
  for (const text of rubbish)
    await assert.rejects(read(text), (error) => error instanceof SubmissionError && error.offset === 0)
})

test('endless headers and titles are errors before they fill the memory', async () => {
  async function* endless(start: string): AsyncGenerator<Buffer> {
    yield Buffer.from(start)
    const line = Buffer.from('FORMER CONFORMED NAME:\tx\n'.repeat(4000))
    for (let n = 0; n < 10_000; n++) yield line
  }
  await assert.rejects(readSubmission(endless('<SEC-DOCUMENT>\n')), /the header does not end/)
  await assert.rejects(readSubmission(endless('<SEC-DOCUMENT>\n<DOCUMENT>\n')), /document 1 has no <TEXT>/)
})

test('reads bytes that were designed to be slow in bounded time', async () => {
  const line = `\t\tSTANDARD INDUSTRIAL CLASSIFICATION:\ta${' '.repeat(1_000_000)}b`
  for (const reading of [
    () => assert.rejects(read(`-----BEGIN PRIVACY-ENHANCED MESSAGE-----${'\n'.repeat(100_000)}x`), SubmissionError),
    async () =>
      assert.equal((await read(THREE.replace('<DOCUMENT>', `${line}\n<DOCUMENT>`))).header.problems.length, 1),
    () => read(wrapped(document('1', 'a.htm', `</TEXT>${' '.repeat(4000)}</DOCUMENT>x\n`.repeat(500)))),
  ]) {
    const ms = await effortOf(reading)
    assert.ok(ms < 2000, `${ms} ms: ${reading}`)
  }
})

test('the result is the same for every chunk size', async () => {
  for (const [name, text] of Object.entries(CONTAINERS)) {
    const whole = await read(text)
    for (const size of [1, 7, 64]) assert.deepEqual(await read(text, size), whole, `${name} in chunks of ${size}`)
  }
})

test('finds tags that begin in one piece of a large document and end in the next', async () => {
  const piece = 128 * 1024
  for (let shift = -60; shift <= 10; shift++) {
    const first = 'x'.repeat(piece + shift - wrapped().indexOf('</SEC-DOCUMENT>') - 45)
    const text = wrapped(document('1', null, `${first}\n`), document('2', null, 'second\n'))
    const { documents } = await read(text)
    assert.deepEqual(
      documents.map(({ size }) => size),
      [first.length + 1, 7],
      `shift ${shift}`,
    )
  }
})

test('reading 300 MB takes no more memory than the pieces in which they are read', async () => {
  const bytes = Buffer.from('<p>text &#160; and </TEXT> or </DOCUMENT> and more</p>\n'.repeat(5000))
  const count = Math.ceil(300e6 / bytes.length)
  const before = await memoryInUse()
  let peak = 0
  async function* large(): AsyncGenerator<Buffer> {
    const [start, end] = wrapped(document('1', 'a.htm', '')).split('</TEXT>') as [string, string]
    yield Buffer.from(start)
    for (let n = 0; n < count; n++) {
      if (n % 100 === 99) peak = Math.max(peak, await memoryInUse())
      yield Buffer.from(bytes)
    }
    yield Buffer.from(`</TEXT>${end}`)
  }
  const submission = await readSubmission(large())
  assert.equal(submission.documents[0]!.size, count * bytes.length)
  // 300 MB pass through, and must not be kept; 0.5 MB more memory were measured.
  assert.ok(peak - before < 30e6, `${Math.round((peak - before) / 1e6)} MB more`)
})

/** Accessions of the corpus that differ from all other files, each with the reason. */
const CUT_OFF = '0000320193-97-000011' // lies in its source repository without its last 80 lines
const WITHOUT_DOCUMENTS = '0001140361-25-045534' // its source repository kept the header alone
const TWO_HEADERS = '0000891020-95-000433' // EDGAR itself serves its header twice

test('a document without </TEXT> or </DOCUMENT> ends before the document of the next number or at the end, and is reported', async () => {
  for (const lacks of ['</TEXT>', '</DOCUMENT>']) {
    for (const at of [0, 1, 2]) {
      const documents = ['first', 'second', 'third'].map((text, n) => {
        const whole = document(String(n + 1), null, `${text}\n`)
        return n === at ? whole.replace(`${lacks}\n`, '') : whole
      })
      const source = wrapped(...documents)
      for (const size of [7, 65_536]) {
        const submission = await read(source, size)
        assert.deepEqual(await contents(source, submission), ['first\n', 'second\n', 'third\n'], `${at} ${lacks}`)
        assert.deepEqual(submission.header.problems, [`document ${at + 1} has no ${lacks}`])
      }
    }
  }
  // The document does not end before the quoted document, since the number of that document is not the next number.
  const quoted = document('1', null, 'says\n</DOCUMENT>\n<DOCUMENT>\n<TYPE>EX-1\n<SEQUENCE>7\nmore\n')
  assert.equal((await read(wrapped(quoted))).documents.length, 1)
})

test('if a text is full of one closing tag, it is searched for the other tag only once', async () => {
  for (const tag of ['</TEXT>', '</DOCUMENT>', '</TEXT></DOCUMENT>', '</DOCUMENT><DOCUMENT>']) {
    const source = wrapped(document('1', null, `x${tag.repeat(100_000)}\n`), document('2', null, 'second\n'))
    const before = process.cpuUsage()
    const { documents } = await read(source)
    const { user } = process.cpuUsage(before)
    assert.equal(documents.length, 2)
    // If the text were searched again at each tag, the first case would take 15 s.
    assert.ok(user < 5_000_000, `${tag}: ${user} µs`)
  }
})

test('every corpus submission splits, and its form, accession and day are read', { skip: corpus.skip }, async (t) => {
  const [, ...rows] = readFileSync(path.join(corpus.folder, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n')
  let documents = 0
  for (const row of rows) {
    const [file, form, cik, accession] = row.split('\t') as [string, string, string, string]
    const stream = () => createReadStream(path.join(corpus.folder, file))
    const { header, documents: entries } = await readSubmission(stream())
    assert.deepEqual([header.form, header.accession], [form, accession])
    assert.match(header.filedDate ?? '', /^\d{4}-\d{2}-\d{2}$/, accession)
    assert.ok(
      header.filers.some((filer) => Number(filer.cik) === Number(cik)),
      accession,
    )
    const odd = header.problems.filter((problem) => !/documents announced/.test(problem))
    const isCut = accession === CUT_OFF
    const cutOff = 'the submission is cut off in document 6, at byte 233472'
    const known: Record<string, string[]> = { [CUT_OFF]: [cutOff], [TWO_HEADERS]: ['the header appears twice'] }
    assert.deepEqual([odd, header.cutOff], [known[accession] ?? [], isCut ? cutOff : undefined], accession)
    assert.deepEqual(
      entries.map((entry) => entry.cutOff ?? false),
      entries.map((_, n) => isCut && n === 5),
      accession,
    )
    if (accession === TWO_HEADERS) assert.equal(header.filers.length, 1)
    if (accession !== WITHOUT_DOCUMENTS) assert.ok(entries.length > 0, accession)
    assert.equal(new Set(entries.map(({ seq }) => seq)).size, entries.length)
    documents += entries.length
  }
  t.diagnostic(`${documents} documents`)
})

test('a document that lacks both closing tags ends before the document of the next number or at the end, and is reported', async () => {
  const without = (text: string) => text.replace('</TEXT>\n</DOCUMENT>\n', '')
  for (const text of ['<html>%</html>\n', '<XML>\n<a>%</a>\n</XML>\n', '<PDF>%</PDF>\n']) {
    const texts = ['1', '2', '3'].map((n) => text.replace('%', n))
    for (const at of [0, 1, 2]) {
      const source = wrapped(
        ...texts.map((own, n) => (n === at ? without : String)(document(String(n + 1), null, own))),
      )
      for (const size of [7, 65_536]) {
        const submission = await read(source, size)
        assert.deepEqual(submission.header.cutOff, undefined)
        assert.deepEqual(await contents(source, submission), texts, `${at} ${text}`)
        assert.deepEqual(submission.header.problems, [`document ${at + 1} has no </TEXT> and </DOCUMENT>`])
      }
    }
  }
  // Plain text does not show where a document ends, but the header may show it.
  const plain = [without(document('1', null, 'first\n')), document('2', null, 'second\n')]
  const counted = wrapped(...plain).replace('</SEC-HEADER>', 'PUBLIC DOCUMENT COUNT:\t\t2\n</SEC-HEADER>')
  assert.deepEqual(await contents(counted, await read(counted)), ['first\n', 'second\n'])
  assert.equal((await read(wrapped(...plain))).documents.length, 1)
  // Without the container's end, the submission is cut off.
  const cut = wrapped(without(document('1', null, '<html>1</html>\n'))).replace('</SEC-DOCUMENT>\n', '')
  assert.match((await read(cut)).header.cutOff!, /cut off in document 1/)
})
