/** Generated submissions in EDGAR's container, with documents of the kinds and sizes that filings have. */
import { Random } from './random.ts'
import { part } from './share.ts'

/**
 * Yields a filing of some 40 KB: a report and an exhibit as HTML, and a picture.
 *
 * @param seed a number from 1 on, which is also the filer's number; no filer has the number 0
 */
export function* smallSubmission(seed: number): Generator<Buffer> {
  const random = new Random(seed)
  const block = uuencoded(random, 8 * 1024)
  yield opening(seed, 3)
  yield* document(1, '8-K', 'report.htm', [html(12 * 1024)])
  yield* document(2, 'EX-99.1', 'release.htm', [html(16 * 1024)])
  yield* document(3, 'GRAPHIC', 'logo.jpg', [Buffer.from('begin 644 logo.jpg\n'), block, Buffer.from('`\nend\n')])
  yield closing
}

/** Yields a report of some 210 MB: one long HTML document, pictures and a PDF, like the largest filings of funds. */
export function* largeSubmission(seed: number, share: number): Generator<Buffer> {
  const random = new Random(seed)
  const pictures = part(50, share)
  const block = uuencoded(random, 1024 * 1024)
  yield opening(seed, pictures + 2)
  yield* document(1, 'N-CSR', 'report.htm', repeated(html(1024 * 1024), part(60, share)))
  for (let seq = 2; seq < pictures + 2; seq++) {
    const pieces = [Buffer.from(`begin 644 g${seq}.jpg\n`), ...repeated(block, 2), Buffer.from('`\nend\n')]
    yield* document(seq, 'GRAPHIC', `g${seq}.jpg`, pieces)
  }
  yield* document(pictures + 2, 'EX-99', 'report.pdf', [
    Buffer.from('<PDF>\nbegin 644 report.pdf\n'),
    ...repeated(block, part(45, share)),
    Buffer.from('`\nend\n</PDF>\n'),
  ])
  yield closing
}

const opening = (seed: number, documents: number) => {
  const accession = `0009999999-25-${String(seed).padStart(6, '0')}`
  return Buffer.from(`<SEC-DOCUMENT>${accession}.txt : 20250102
<SEC-HEADER>${accession}.hdr.sgml : 20250102
<ACCEPTANCE-DATETIME>20250102160000
ACCESSION NUMBER:		${accession}
CONFORMED SUBMISSION TYPE:	8-K
PUBLIC DOCUMENT COUNT:		${documents}
CONFORMED PERIOD OF REPORT:	20241231
ITEM INFORMATION:		Other Events
FILED AS OF DATE:		20250102
DATE AS OF CHANGE:		20250102

FILER:

	COMPANY DATA:	
		COMPANY CONFORMED NAME:			GENERATED COMPANY ${seed}
		CENTRAL INDEX KEY:			${String(seed).padStart(10, '0')}
		STATE OF INCORPORATION:			DE

	FILING VALUES:
		FORM TYPE:		8-K
		SEC ACT:		1934 Act
</SEC-HEADER>
`)
}

const closing = Buffer.from('</SEC-DOCUMENT>\n')

function* document(seq: number, type: string, filename: string, content: Iterable<Buffer>): Generator<Buffer> {
  yield Buffer.from(
    `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>${seq}\n<FILENAME>${filename}\n<DESCRIPTION>${type}\n<TEXT>\n`,
  )
  yield* content
  yield Buffer.from('</TEXT>\n</DOCUMENT>\n')
}

const repeated = (block: Buffer, times: number): Buffer[] => Array.from({ length: times }, () => block)

/** Returns an HTML document of about this size. */
function html(bytes: number): Buffer {
  const line = '<p style="margin:0">Net assets of the generated fund were $1,234,567 at the end of the period.</p>\n'
  return Buffer.from(line.repeat(Math.ceil(bytes / line.length)))
}

/** Returns whole lines of uuencoded random bytes, of about this size. */
function uuencoded(random: Random, bytes: number): Buffer {
  const lines: number[] = []
  for (let count = 0; count < bytes; count += 62) {
    lines.push(0x20 + 45)
    for (let i = 0; i < 60; i++) lines.push(0x20 + (random.below(64) || 0x40))
    lines.push(0x0a)
  }
  return Buffer.from(lines)
}
