/** Whole PDFs made by test/support/pdf/made.ts, read in a separate process. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PdfText, readPdf } from '../../src/read/pdf.ts'
import { documentPdf, firstFree, lineAt, pagesPdf, stream, textAt } from '../support/pdf/made.ts'

/** Returns the Markdown of a PDF that must have text. */
function textOf(read: PdfText) {
  assert.equal(read.kind, 'text', JSON.stringify(read))
  return (read as Extract<PdfText, { kind: 'text' }>).markdown
}

const SENTENCE = 'The adviser manages accounts of people and of pension plans, and its fee depends on what it manages.'

test('a brochure keeps its headings in order, its paragraphs across pages, its lists and its tables', async () => {
  const items = ['Cover Page', 'Material Changes', 'Table of Contents', 'Advisory Business', 'Fees and Compensation']
  const bytes = documentPdf({
    header: 'Made Adviser LLC',
    footer: 'Form ADV Part 2A',
    bookmarks: true,
    parts: [
      { title: 'Made Adviser LLC' },
      ...items.flatMap((item, i) => [
        { heading: `Item ${i + 1} ${item}` },
        { text: Array.from({ length: 25 }, () => SENTENCE).join(' ') },
        { subheading: `Details of ${item}` },
        { bullets: ['assets of more than $1,000,000;', `${SENTENCE} ${SENTENCE}`, 'nothing else.'] },
      ]),
      { table: [['Assets', 'Fee'], ['First $1,000,000', '1.00%'], ['Above $1,000,000', '0.75%']], ruled: true }, // biome-ignore format: a table
      { text: SENTENCE },
    ],
  })
  const read = await readPdf(bytes)
  const { text, headings, tables } = textOf(read)
  assert.ok(read.kind === 'text' && read.pages >= 4, 'it has several pages')
  assert.deepEqual(
    headings.map(({ level, text }) => `${level} ${text}`),
    ['1 Made Adviser LLC', ...items.flatMap((item, i) => [`2 Item ${i + 1} ${item}`, `3 Details of ${item}`])],
  )
  const paragraphs = text.split('\n\n').filter((part) => part.startsWith(`${SENTENCE} ${SENTENCE} ${SENTENCE}`))
  assert.deepEqual(
    paragraphs.map((part) => part.split(SENTENCE).length - 1),
    [25, 25, 25, 25, 25],
  )
  assert.equal(text.match(new RegExp(`^- ${SENTENCE} ${SENTENCE}$`, 'gm'))!.length, 5)
  assert.equal(tables, 1)
  assert.match(text, /^\| First \$1,000,000 \| 1\.00% \|$/m)
  assert.doesNotMatch(text.slice(20), /Made Adviser|Form ADV Part 2A|^\d+$/m)
})

test('values of form fields are at their positions, and checkboxes show whether they are ticked', async () => {
  const free = firstFree(1)
  const widget = (more: string, rect: string) =>
    `<< /Type /Annot /Subtype /Widget /Rect [${rect}] ${more} /P 3 0 R /F 4 >>`
  const bytes = pagesPdf([textAt(72, 700, 'Name of the firm:') + textAt(72, 660, 'Is it registered?')], {
    more: `/Annots [${free} 0 R ${free + 1} 0 R ${free + 2} 0 R]`,
    catalog: `/AcroForm << /Fields [${free} 0 R ${free + 1} 0 R ${free + 2} 0 R] >>`,
    objects: [
      widget('/FT /Tx /T (firm) /V (Made Adviser LLC)', '180 695 400 712'),
      widget(
        `/FT /Btn /T (registered) /V /Yes /AS /Yes /AP << /N << /Yes ${free + 3} 0 R /Off ${free + 3} 0 R >> >>`,
        '180 655 192 667',
      ),
      widget('/FT /Tx /T (note) /V (First line\nSecond line)', '72 500 400 560'),
      stream('', '/Type /XObject /Subtype /Form /BBox [0 0 12 12]'),
    ],
  })
  const { text } = textOf(await readPdf(bytes))
  assert.match(text, /Name of the firm: Made Adviser LLC/)
  assert.match(text, /Is it registered\? ☒/)
  assert.match(text, /First line[ \n]+Second line/)
})

test('images are counted, including those in nested forms', async () => {
  const free = firstFree(1)
  const image = '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8'
  const bytes = pagesPdf([`${textAt(72, 700, SENTENCE.slice(0, 60))} q 9 0 0 9 20 20 cm /Im Do Q /Fm Do`], {
    more: `/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /Im ${free} 0 R /Fm ${free + 1} 0 R >> >>`,
    objects: [
      stream('\x80', image),
      stream(
        '/Fm Do',
        `/Type /XObject /Subtype /Form /BBox [0 0 600 700] /Resources << /XObject << /Fm ${free + 2} 0 R >> >>`,
      ),
      stream(
        'q 9 0 0 9 50 50 cm /Im Do Q q 9 0 0 9 70 50 cm /Im Do Q',
        `/Type /XObject /Subtype /Form /BBox [0 0 600 700] /Resources << /XObject << /Im ${free} 0 R >> >>`,
      ),
    ],
  })
  assert.equal(textOf(await readPdf(bytes)).images, 3)
})

test('reads a rotated page as displayed, and leaves out and reports a slanted watermark', async () => {
  const upright = [0, 1, 2].map((i) => `BT /F 11 Tf 0 1 -1 0 ${100 + 14 * i} 72 Tm (Line ${i} of a turned page) Tj ET`)
  const turned = textOf(await readPdf(pagesPdf([upright.join('\n')], { more: '/Rotate 90' })))
  assert.match(turned.text, /^Line 0 of a turned page\s+Line 1 of a turned page\s+Line 2/)
  const watermark = 'BT /B 60 Tf 0.7 0.7 -0.7 0.7 100 100 Tm (DRAFT) Tj ET'
  const marked = textOf(await readPdf(pagesPdf([`${textAt(72, 700, 'What it says')} ${watermark}`])))
  assert.equal(marked.text, 'What it says\n')
  assert.deepEqual(marked.problems, [{ place: 'page 1', reason: '5 slanted characters are left out' }])
})

test('text crossed by white lines does not become a table', async () => {
  const rows = [0, 1, 2].map((i) => {
    const y = 700 - 14 * i
    return `1 1 1 rg 72 ${y - 4} 100 14 re f 172 ${y - 4} 100 14 re f 0 g ${textAt(74, y, `Row ${i} is a line`)}`
  })
  const { tables } = textOf(await readPdf(pagesPdf([rows.join('\n') + lineAt(72, 500, 300, 500)])))
  assert.equal(tables, 0)
})
