/**
 * PDFs that are empty, too large, or contain themselves: the reading of each ends in bounded time, and the next PDF is
 * read.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { type PdfLimits, type PdfText, readPdf } from '../../src/read/pdf.ts'
import { lockedPdf } from '../support/pdf/locked.ts'
import {
  documentPdf,
  firstFree,
  lineAt,
  type Made,
  pagesPdf,
  pdfFile,
  RESOURCES,
  stream,
  textAt,
} from '../support/pdf/made.ts'

const WORDS = 'What the page says'
const good = pagesPdf([textAt(72, 700, WORDS)])

/** Reads the PDF, and then reads a valid PDF. */
async function readThenNext(bytes: Uint8Array, limits: Partial<PdfLimits> = {}): Promise<PdfText> {
  const read = await readPdf(bytes, limits)
  const next = await readPdf(good)
  assert.equal(next.kind === 'text' && next.markdown.text, `${WORDS}\n`)
  return read
}

const reasonOf = (read: PdfText) => (read.kind === 'text' ? '' : read.reason)

test('pages that are pictures are a scan, with the page count; so are pages with only a stamp', async () => {
  const image = stream(
    '\x80',
    '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
  )
  const scanOf = (content: string) =>
    pagesPdf([content, content, content], {
      more: `/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /Im ${firstFree(3)} 0 R >> >>`,
      objects: [image],
    })
  const picture = 'q 612 0 0 792 0 0 cm /Im Do Q '
  assert.deepEqual(await readThenNext(scanOf(picture)), {
    kind: 'scanned',
    pages: 3,
    reason: 'no page has text, and there are 3 images',
  })
  assert.deepEqual(await readThenNext(scanOf(picture + textAt(500, 770, '13025188'))), {
    kind: 'scanned',
    pages: 3,
    reason: '3 of 3 pages are pictures with at most the text of a stamp',
  })
  assert.deepEqual(await readThenNext(pagesPdf([''])), {
    kind: 'scanned',
    pages: 1,
    reason: 'no page has text or an image',
  })
})

test('a file that opens only with a password is reported as encrypted; a protected file that opens without a password is read', async () => {
  const locked = lockedPdf([textAt(72, 700, WORDS)], 'secret', 'owner')
  assert.deepEqual(await readThenNext(locked), {
    kind: 'encrypted',
    pages: null,
    reason: 'it opens only with a password',
  })
  const open = await readThenNext(lockedPdf([textAt(72, 700, WORDS)], '', 'owner'))
  assert.equal(open.kind === 'text' && open.markdown.text, `${WORDS}\n`)
})

test('an unknown kind of protection counts as encrypted', async () => {
  const bytes = pdfFile(
    ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>', '<< /Filter /Unheard /V 9 >>'],
    '/Encrypt 3 0 R /ID [<00> <00>]',
  )
  assert.deepEqual(await readThenNext(bytes), {
    kind: 'encrypted',
    pages: null,
    reason: 'its protection is of an unknown kind',
  })
})

test('an empty file, random bytes, and a header alone are broken', async () => {
  const random = Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 7919 + (i >> 3) * 104_729) & 0xff))
  for (const bytes of [Buffer.alloc(0), random]) {
    assert.deepEqual(await readThenNext(bytes), {
      kind: 'broken',
      pages: null,
      reason: 'it is not a PDF: it has no PDF header',
    })
  }
  for (const bytes of [Buffer.from('%PDF-1.7\n'), Buffer.concat([Buffer.from('%PDF-1.7\n'), random])])
    assert.equal((await readThenNext(bytes)).kind, 'broken')
})

test('a truncated file is broken, or is read if it lacks only its last lines', async () => {
  const whole = documentPdf({
    parts: Array.from({ length: 40 }, (_, i) => ({ text: `Paragraph ${i} of a document that is cut off.` })),
  })
  for (let share = 1; share < 10; share++) {
    const { kind } = await readPdf(whole.subarray(0, (whole.length * share) / 10))
    assert.equal(kind, 'broken', `${share} tenths`)
  }
  // The positions of the objects can be recovered as long as a trailer names the first object.
  const read = await readPdf(whole.subarray(0, whole.lastIndexOf('startxref')))
  assert.ok(read.kind === 'text' && read.markdown.text.includes('Paragraph 39'), JSON.stringify(read))
  await readThenNext(whole.subarray(0, 400))
})

test('reading ends for a page tree that contains itself', async () => {
  const tree = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [2 0 R 3 0 R 2 0 R] /Count 3 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ${RESOURCES} >>`,
    stream(textAt(72, 700, WORDS)),
  ]
  const read = await readThenNext(pdfFile(tree), { milliseconds: 10_000 })
  assert.ok(read.kind === 'text' || read.kind === 'broken', JSON.stringify(read))
})

test('reading ends for a form that draws itself, and for forms that draw each other', async () => {
  const form = (draws: number): Made =>
    stream(
      `${textAt(72, 600, 'within')} /Fm Do`,
      `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /Fm ${draws} 0 R >> >>`,
    )
  const free = firstFree(1)
  for (const objects of [[form(free)], [form(free + 1), form(free)]]) {
    const bytes = pagesPdf([`${textAt(72, 700, WORDS)} /Fm Do`], {
      more: `/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /Fm ${free} 0 R >> >>`,
      objects,
    })
    const read = await readThenNext(bytes, { milliseconds: 10_000 })
    assert.ok(read.kind === 'text' && read.markdown.text.startsWith(WORDS), JSON.stringify(read))
  }
})

test('reading ends at the limit of time or memory for forms that each draw the next one twenty times', async () => {
  const free = firstFree(1)
  const objects = Array.from({ length: 12 }, (_, i) =>
    stream(
      i === 11 ? textAt(72, 600, 'again and again') : '/Fm Do '.repeat(20),
      `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> ${i === 11 ? '' : `/XObject << /Fm ${free + i + 1} 0 R >>`} >>`,
    ),
  )
  const bytes = pagesPdf(['/Fm Do'], { more: `/Resources << /XObject << /Fm ${free} 0 R >> >>`, objects })
  const read = await readThenNext(bytes, { milliseconds: 2_000, memory: 400_000_000 })
  assert.equal(read.kind, 'excessive', JSON.stringify(read))
})

test('reading ends for an outline that refers back to itself', async () => {
  const free = firstFree(1)
  const bytes = pagesPdf([textAt(72, 700, WORDS)], {
    catalog: `/Outlines ${free} 0 R`,
    objects: [
      `<< /Type /Outlines /First ${free + 1} 0 R /Last ${free + 1} 0 R /Count 1 >>`,
      `<< /Title (Round) /Parent ${free} 0 R /First ${free + 1} 0 R /Next ${free + 1} 0 R /Dest [3 0 R /Fit] >>`,
    ],
  })
  assert.equal((await readThenNext(bytes, { milliseconds: 10_000 })).kind, 'text')
})

test('a page with more lines, borders, fields and bookmarks than the limits is read in bounded time', async () => {
  const free = firstFree(1)
  const many = 6_000
  const lines = Array.from({ length: 30_000 }, (_, i) => lineAt(i % 600, 0, i % 600, 700)).join('')
  const path = `${Array.from({ length: 1_000 }, (_, i) => `${i % 500} ${i % 700} l`).join(' ')} S\n`
  const rows = Array.from({ length: 3_000 }, (_, i) => textAt(72 + (i % 2) * 200, 780 - i / 4, 'cell', 0.2)).join('')
  const deep = Array.from(
    { length: 40 },
    (_, i) => `<< /Title (Deep) /Parent ${free} 0 R /First ${free + 2 + many + i} 0 R >>`,
  )
  const bytes = pagesPdf([`${textAt(72, 785, WORDS)}${lines}0 0 m ${path}${rows}`], {
    more: `/Annots [${Array.from({ length: many }, (_, i) => `${free + 1 + i} 0 R`).join(' ')}]`,
    catalog: `/AcroForm << /Fields [] >> /Outlines ${free} 0 R`,
    objects: [
      `<< /Type /Outlines /First ${free + 1 + many} 0 R /Count 1 >>`,
      ...Array.from(
        { length: many },
        (_, i) =>
          `<< /Type /Annot /Subtype /Widget /FT /Tx /T (f${i}) /V (${'v'.repeat(i === 0 ? 9_000 : 1)}) /Rect [0 0 9 9] >>`,
      ),
      ...deep,
    ],
  })
  const read = await readThenNext(bytes, { milliseconds: 30_000 })
  assert.ok(read.kind === 'text' && read.markdown.text.includes(WORDS), JSON.stringify(read).slice(0, 300))
})

test('a million pages are refused, whether they exist or are only declared', async () => {
  const claimed = pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1000000 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>`,
  ])
  const kids = pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${'3 0 R '.repeat(1_000_000)}] /Count 1000000 >>`,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>`,
  ])
  for (const bytes of [claimed, kids]) {
    const read = await readThenNext(bytes)
    assert.ok(read.kind === 'excessive' || read.kind === 'broken', JSON.stringify(read).slice(0, 200))
    assert.match(reasonOf(read), /1000000 pages|no pages|cannot be/)
  }
})

test('reads none of 800,000 characters outside the page, but counts them towards the limit', async () => {
  // The text is within a form, as in printed web pages.
  const outside = Array.from({ length: 8_000 }, (_, i) => textAt(72, -50 - 12 * i, 'x'.repeat(100))).join('')
  const fonts = '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>'
  const bytes = pagesPdf([`${textAt(72, 700, WORDS)} /Fm Do`], {
    more: `/Resources << ${fonts} /XObject << /Fm ${firstFree(1)} 0 R >> >>`,
    objects: [stream(outside, `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << ${fonts} >>`)],
  })
  const read = await readThenNext(bytes)
  assert.equal(read.kind === 'text' && read.markdown.text, `${WORDS}\n`)
  const limited = await readThenNext(bytes, { characters: 100_000 })
  assert.deepEqual(limited, { kind: 'excessive', pages: 1, reason: 'it has more than 100000 characters' })
})

test('a short stream that inflates to 200 MB is read if memory suffices, and is reported as excessive under a small memory limit', async () => {
  const inner = deflateSync(Buffer.alloc(200_000_000, ' '), { level: 1 })
  const bomb: Made = { dictionary: '/Filter [/FlateDecode /FlateDecode]', stream: deflateSync(inner, { level: 9 }) }
  const bytes = pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ${RESOURCES} >>`,
    bomb,
  ])
  const roomy = await readThenNext(bytes)
  assert.equal(roomy.kind, 'scanned', 'the pages have only blanks')
  const narrow = await readThenNext(bytes, { memory: 300_000_000 })
  assert.equal(narrow.kind, 'excessive', JSON.stringify(narrow))
  assert.match(reasonOf(narrow), /^it needs more than \d+ MB of memory$/)
})

test('reports a missing page, and reads the other pages; a file without pages is broken', async () => {
  const fileOf = (kids: string, count: number) =>
    pdfFile([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ${RESOURCES} >>`,
      stream(textAt(72, 700, WORDS)),
    ])
  const read = await readThenNext(fileOf('3 0 R 9 0 R', 2))
  assert.ok(read.kind === 'text' && read.markdown.text === `${WORDS}\n`, JSON.stringify(read))
  assert.deepEqual(read.markdown.problems, [{ place: 'page 2', reason: 'it cannot be read' }])
  assert.equal(reasonOf(await readThenNext(fileOf('9 0 R 9 0 R', 2))), 'none of its pages can be read')
  assert.equal(reasonOf(await readThenNext(fileOf('', 0))), 'it has no pages')
})

test('a file that is too large is not read at all', async () => {
  assert.deepEqual(await readThenNext(good, { bytes: 100 }), {
    kind: 'excessive',
    pages: null,
    reason: `it has ${good.length} bytes, more than 100`,
  })
})

test('a file whose fonts do not state which letters they draw is reported as broken', async () => {
  const free = firstFree(1)
  const map = stream(
    'begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <00> <ff> <E000> endbfrange endcmap',
  )
  const bytes = pagesPdf(['BT /F 11 Tf 72 700 Td (What the page says) Tj ET'], {
    more: `/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode ${free} 0 R >> >> >>`,
    objects: [map],
  })
  assert.deepEqual(await readThenNext(bytes), {
    kind: 'broken',
    pages: 1,
    reason: 'its fonts do not state which letters they draw',
  })
})
