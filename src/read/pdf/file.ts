/** Reads a PDF with PDFium: the content of its pages and its bookmarks, or the reason why it cannot be read. */
import type { Bookmark } from './content.ts'
import { fieldsOf } from './fields.ts'
import { frameOf, glyphsOf } from './glyphs.ts'
import { type LaidPage, laidPage } from './layout.ts'
import type { Library } from './library.ts'
import { ROOM } from './library.ts'
import { markdownOfPages } from './markdown.ts'
import { drawnOn } from './objects.ts'
import type { PdfBounds, PdfText } from './result.ts'

/** Two error codes of PDFium: the file needs a password, or has a kind of protection that PDFium does not support. */
const [PASSWORD, PROTECTION] = [4, 5]
const BOOKMARKS = 5_000
const BOOKMARK_DEPTH = 8
const PROBLEMS = 50

/** Reads a PDF. If PDFium crashes, the process ends. */
export function readFile(pdf: Library, bytes: Uint8Array, limits: PdfBounds): PdfText {
  const at = pdf.put(bytes)
  const file = pdf.FPDF_LoadMemDocument(at, bytes.length, 0)
  if (file === 0) {
    const error = pdf.FPDF_GetLastError()
    pdf.free(at)
    if (error === PASSWORD) return { kind: 'encrypted', pages: null, reason: 'it opens only with a password' }
    if (error === PROTECTION) return { kind: 'encrypted', pages: null, reason: 'its protection is of an unknown kind' }
    return { kind: 'broken', pages: null, reason: 'it is not a PDF that can be opened' }
  }
  const read = readPages(pdf, file, limits)
  pdf.FPDF_CloseDocument(file)
  pdf.free(at)
  return read
}

function readPages(pdf: Library, file: number, limits: PdfBounds): PdfText {
  const count = pdf.FPDF_GetPageCount(file)
  if (count <= 0) return { kind: 'broken', pages: null, reason: 'it has no pages' }
  if (count > limits.pages)
    return { kind: 'excessive', pages: count, reason: `it has ${count} pages, more than ${limits.pages}` }
  const problems: { place: string; reason: string }[] = []
  const problem = (page: number, reason: string) => {
    if (problems.length < PROBLEMS) problems.push({ place: `page ${page + 1}`, reason })
  }
  const info = pdf.FPDF_GetFormType(file) === 0 ? 0 : pdf.PDFiumExt_OpenFormFillInfo()
  const form = info === 0 ? 0 : pdf.PDFiumExt_InitFormFillEnvironment(file, info)
  const pages: LaidPage[] = []
  let [seen, unread, known, unknown] = [0, 0, 0, 0]
  for (let i = 0; i < count; i++) {
    const page = pdf.FPDF_LoadPage(file, i)
    if (page === 0) {
      unread++
      problem(i, 'it cannot be read')
      pages.push({ height: 0, rows: [], turned: [], rules: [], images: 0, pictured: false, signs: 0 })
      continue
    }
    const frame = frameOf(pdf, page)
    const found = glyphsOf(pdf, page, frame, limits.characters - seen)
    seen += found.seen
    const [glyphs, ...turned] = found.directions
    known += found.directions.reduce((sum, all) => sum + all.length, 0)
    unknown += found.unknown
    if (form !== 0) glyphs.push(...fieldsOf(pdf, page, form, frame))
    const drawn = drawnOn(pdf, page, frame)
    const laid = laidPage({ width: frame.width, height: frame.height, glyphs, turned, ...drawn })
    pages.push(laid)
    pdf.FPDF_ClosePage(page)
    if (seen > limits.characters)
      return { kind: 'excessive', pages: count, reason: `it has more than ${limits.characters} characters` }
    if (found.slanted > 0) problem(i, `${found.slanted} slanted characters are left out`)
    if (found.unknown > 0)
      problem(i, `${found.unknown} characters are in a font that does not state which letters they draw`)
    if (drawn.pictured && laid.signs === 0) problem(i, 'it is a picture without text')
  }
  if (form !== 0) {
    pdf.PDFiumExt_ExitFormFillEnvironment(form)
    pdf.PDFiumExt_CloseFormFillInfo(info)
  }
  if (unread === count) return { kind: 'broken', pages: count, reason: 'none of its pages can be read' }
  if (unknown > UNKNOWN * (known + unknown))
    return { kind: 'broken', pages: count, reason: 'its fonts do not state which letters they draw' }
  const scan = scanned(pages)
  if (scan !== null) return { kind: 'scanned', pages: count, reason: scan }
  const markdown = markdownOfPages(pages, bookmarksOf(pdf, file))
  return { kind: 'text', markdown: { ...markdown, problems: [...problems, ...markdown.problems] }, pages: count }
}

/**
 * Maximum share of unknown characters in a file that is read. For comparison, 851376-2016-02-29 (X-17A-5) has a share
 * of 0.65, and its other characters do not form words.
 */
const UNKNOWN = 0.3
/** A scanned page may have up to this many characters: a stamp, or a line that the scanner wrote. */
const STAMP = 60

/** Returns the reason why the file counts as a scan; null if it does not. */
function scanned(pages: readonly LaidPage[]): string | null {
  const images = pages.reduce((sum, page) => sum + page.images, 0)
  if (pages.every(({ signs }) => signs === 0))
    return images === 0 ? 'no page has text or an image' : `no page has text, and there are ${images} images`
  const pictures = pages.filter(({ pictured, signs }) => pictured && signs < STAMP).length
  if (pages.every(({ signs }) => signs < STAMP) && pictures > 0.8 * pages.length)
    return `${pictures} of ${pages.length} pages are pictures with at most the text of a stamp`
  return null
}

function bookmarksOf(pdf: Library, file: number): Bookmark[] {
  const found: Bookmark[] = []
  // An outline with a cycle ends at the limits.
  const walk = (parent: number, depth: number) => {
    let at = pdf.FPDFBookmark_GetFirstChild(file, parent)
    while (at !== 0 && found.length < BOOKMARKS) {
      const bytes = pdf.FPDFBookmark_GetTitle(at, pdf.room, ROOM)
      const title = bytes <= ROOM ? pdf.wide(pdf.room, bytes) : ''
      const target = pdf.FPDFBookmark_GetDest(file, at)
      const page = target === 0 ? -1 : pdf.FPDFDest_GetDestPageIndex(file, target)
      found.push({ title, depth, page: page < 0 ? null : page })
      if (depth < BOOKMARK_DEPTH) walk(at, depth + 1)
      at = pdf.FPDFBookmark_GetNextSibling(file, at)
    }
  }
  walk(0, 1)
  return found
}
