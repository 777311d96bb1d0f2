/** Writes PDFs object by object: documents that look like brochures, and any page that a test needs. */

/** An object of a PDF: its whole text, or for a stream its dictionary (without `/Length`) and its bytes. */
export type Made = string | { dictionary: string; stream: Buffer }

/**
 * Returns a file with these objects, which are numbered from 1. The first object is the catalog.
 *
 * @param more further entries of the trailer
 */
export function pdfFile(objects: readonly Made[], more = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  let length = parts[0]!.length
  const places: number[] = []
  const add = (part: Buffer) => {
    parts.push(part)
    length += part.length
  }
  objects.forEach((object, i) => {
    places.push(length)
    if (typeof object === 'string') add(Buffer.from(`${i + 1} 0 obj\n${object}\nendobj\n`, 'latin1'))
    else {
      const dictionary = `<< ${object.dictionary} /Length ${object.stream.length} >>`
      add(Buffer.from(`${i + 1} 0 obj\n${dictionary}\nstream\n`, 'latin1'))
      add(object.stream)
      add(Buffer.from('\nendstream\nendobj\n', 'latin1'))
    }
  })
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R ${more} >>\nstartxref\n${length}\n%%EOF\n`
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1'))
  return Buffer.concat(parts)
}

export const stream = (content: string, dictionary = ''): Made => ({
  dictionary,
  stream: Buffer.from(content, 'latin1'),
})

/** Fonts of pages: `/F` text, `/B` bold, `/I` italic. No font is embedded, since every reader has these fonts. */
const FONTS = [
  ['F', 'Helvetica'],
  ['B', 'Helvetica-Bold'],
  ['I', 'Helvetica-Oblique'],
]
  .map(([name, font]) => `/${name} << /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`)
  .join(' ')
export const RESOURCES = `/Resources << /Font << ${FONTS} >> >>`
const LETTER = [612, 792] as const

export interface PageOptions {
  /** Further entries of every page. */
  more?: string
  /** Further objects: the first has the number `firstFree(pages)`. */
  objects?: readonly Made[]
  /** Further entries of the catalog. */
  catalog?: string
}

/** Returns the number of the first object after those of this many pages. */
export const firstFree = (pages: number): number => 3 + 2 * pages

/** Returns the objects of a file with a page for each of these contents. */
export function objectsOf(
  contents: readonly string[],
  { more = '', objects = [], catalog = '' }: PageOptions = {},
): Made[] {
  const kids = contents.map((_, i) => `${3 + 2 * i} 0 R`).join(' ')
  return [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    ...contents.flatMap((content, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${LETTER.join(' ')}] /Contents ${4 + 2 * i} 0 R ${/\/Resources/.test(more) ? '' : RESOURCES} ${more} >>`,
      stream(content),
    ]),
    ...objects,
  ]
}

/** Returns a file with a page for each of these contents. */
export const pagesPdf = (contents: readonly string[], options: PageOptions = {}): Buffer =>
  pdfFile(objectsOf(contents, options))

type FontName = 'F' | 'B' | 'I'

/** Draws text at a position, counted from the lower left. */
export const textAt = (x: number, y: number, text: string, size = 11, font: FontName = 'F'): string =>
  `BT /${font} ${size} Tf 1 0 0 1 ${x.toFixed(2)} ${y.toFixed(2)} Tm (${literal(text)}) Tj ET\n`

export const lineAt = (x0: number, y0: number, x1: number, y1: number): string =>
  `0.5 w ${x0} ${y0} m ${x1} ${y1} l S\n`

/** Characters of cp1252 above 0x7F in test documents. */
const CP1252: Record<string, number> = { '€': 0x80, '‘': 0x91, '’': 0x92, '“': 0x93, '”': 0x94, '•': 0x95, '–': 0x96, '—': 0x97 } // biome-ignore format: a table

function literal(text: string): string {
  return Array.from(text, (sign) => {
    const code = CP1252[sign] ?? sign.charCodeAt(0)
    if (code > 0xff) throw new Error(`${sign} is not in the fonts of these pages`)
    return /[\\()]/.test(sign) ? `\\${sign}` : String.fromCharCode(code)
  }).join('')
}

/** Widths of Helvetica from the blank to the tilde, in thousandths of its size. */
const WIDTHS =
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584'
    .split(' ')
    .map(Number)

/** Returns the width of a text, in points; bold letters are a little wider. */
export const widthOf = (text: string, size: number, font: FontName = 'F'): number =>
  Array.from(text).reduce((sum, sign) => sum + (WIDTHS[sign.charCodeAt(0) - 32] ?? 556), 0) *
  (size / 1000) *
  (font === 'B' ? 1.07 : 1)

/** Parts of a document, from top to bottom. */
export type Part =
  | { title: string }
  | { heading: string }
  | { subheading: string }
  | { text: string }
  | { bullets: readonly string[] }
  /**
   * A table with columns of equal width, whose first row has the titles; if `ruled`, lines are drawn around its cells.
   */
  | { table: readonly (readonly string[])[]; ruled?: boolean }
  | 'new page'

export interface Document {
  parts: readonly Part[]
  /** Stands above every page but the first. */
  header?: string
  /** A text at the bottom of every page, before the page number. */
  footer?: string
  /** Headings are bookmarks too. */
  bookmarks?: boolean
}

const [LEFT, RIGHT, TOP, BOTTOM] = [72, 540, 720, 80]

/** A document of several pages in the standard fonts. */
export function documentPdf({ parts, header, footer, bookmarks = false }: Document): Buffer {
  const pages: string[] = ['']
  const marks: { title: string; page: number }[] = []
  let y = TOP
  const turn = () => {
    pages.push('')
    y = TOP
  }
  const set = (content: string) => {
    pages[pages.length - 1] += content
  }
  const room = (points: number) => {
    if (y - points < BOTTOM) turn()
  }
  const lines = (text: string, size: number, font: FontName, left: number) => {
    for (const line of wrapped(text, RIGHT - left, size, font)) {
      room(size * 1.25)
      y -= size * 1.25
      set(textAt(left, y, line, size, font))
    }
  }
  const heading = (text: string, size: number, before: number) => {
    room(before + size * 4)
    y -= before
    lines(text, size, 'B', LEFT)
    y -= 4
  }
  for (const part of parts) {
    if (part === 'new page') turn()
    else if ('title' in part) heading(part.title, 20, 40)
    else if ('heading' in part) {
      heading(part.heading, 14, 14)
      marks.push({ title: part.heading, page: pages.length - 1 })
    } else if ('subheading' in part) heading(part.subheading, 11, 6)
    else if ('text' in part) {
      lines(part.text, 11, 'F', LEFT)
      y -= 8
    } else if ('bullets' in part) {
      for (const bullet of part.bullets) {
        room(14)
        const [begin, from] = [pages.length, y]
        lines(bullet, 11, 'F', LEFT + 36)
        const mark = textAt(LEFT + 18, (begin === pages.length ? from : TOP) - 13.75, '•', 11)
        set(mark)
        y -= 3
      }
      y -= 5
    } else {
      const width = (RIGHT - LEFT) / part.table[0]!.length
      const high = 18
      room(high * part.table.length)
      part.table.forEach((row, down) => {
        row.forEach((cell, at) => {
          set(textAt(LEFT + at * width + 4, y - 13, cell, 10, down === 0 ? 'B' : 'F'))
          if (part.ruled) set(`0.5 w ${LEFT + at * width} ${y - high} ${width} ${high} re S\n`)
        })
        y -= high
      })
      y -= 10
    }
  }
  const full = pages.map(
    (content, i) =>
      (header && i > 0 ? textAt(LEFT, 750, header, 9) : '') +
      content +
      (footer ? textAt(LEFT, 40, footer, 9) + textAt(RIGHT - 20, 40, String(i + 1), 9) : ''),
  )
  return pagesPdf(full, bookmarks ? outline(marks, full.length) : {})
}

function outline(marks: readonly { title: string; page: number }[], pages: number): PageOptions {
  const first = firstFree(pages)
  const entries = marks.map(({ title, page }, i) => {
    const next = i + 1 < marks.length ? `/Next ${first + i + 2} 0 R` : ''
    const previous = i > 0 ? `/Prev ${first + i} 0 R` : ''
    return `<< /Title (${literal(title)}) /Parent ${first} 0 R /Dest [${3 + 2 * page} 0 R /Fit] ${next} ${previous} >>`
  })
  const root = `<< /Type /Outlines /First ${first + 1} 0 R /Last ${first + marks.length} 0 R /Count ${marks.length} >>`
  return { objects: [root, ...entries], catalog: `/Outlines ${first} 0 R` }
}

/** Wraps text into lines no wider than `width`; a wider word is a line of its own. */
function wrapped(text: string, width: number, size: number, font: FontName): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthOf(longer, size, font) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}
