/** Reads what is drawn on a page besides text: counts the images, and keeps the straight lines of tables. */
import type { Rule } from './content.ts'
import type { Frame } from './glyphs.ts'
import type { Library } from './library.ts'

const [PATH, IMAGE, FORM] = [2, 3, 5]
/** Maximum number of levels of nested forms, so that reading a form that draws itself ends. */
const DEPTH = 8
/**
 * Maximum number of objects that are examined on a page, and of lines that are kept. Pages of the corpus have up to
 * 500.
 */
const OBJECTS = 20_000
const RULES = 4_000
/** Maximum number of segments of one path: a table whose borders are one path has a few hundred. */
const SEGMENTS = 400
/** A shape that is thinner than this is a line; a thicker shape is an area. */
const THIN = 3

export interface Drawn {
  images: number
  pictured: boolean
  rules: Rule[]
}

type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export function drawnOn(pdf: Library, page: number, frame: Frame): Drawn {
  const drawn: Drawn = { images: 0, pictured: false, rules: [] }
  let left = OBJECTS
  const walk = (count: number, objectAt: (i: number) => number, matrix: Matrix, depth: number) => {
    for (let i = 0; i < count && left > 0; i++) {
      left--
      const object = objectAt(i)
      const kind = pdf.FPDFPageObj_GetType(object)
      if (kind === IMAGE) {
        drawn.images++
        const box = boundsOf(pdf, object, matrix, frame)
        if ((box.x1 - box.x0) * (box.y1 - box.y0) > 0.5 * frame.width * frame.height) drawn.pictured = true
      } else if (kind === PATH && drawn.rules.length < RULES) {
        drawn.rules.push(...rulesOf(pdf, object, matrix, frame))
      } else if (kind === FORM && depth < DEPTH) {
        const inner = product(matrixOf(pdf, object), matrix)
        walk(pdf.FPDFFormObj_CountObjects(object), (i) => pdf.FPDFFormObj_GetObject(object, i), inner, depth + 1)
      }
    }
  }
  walk(pdf.FPDFPage_CountObjects(page), (i) => pdf.FPDFPage_GetObject(page, i), [1, 0, 0, 1, 0, 0], 1)
  return drawn
}

/** Whether a path is visible. Some paths are not: programs draw a white area behind each line of text. */
function isSeen(pdf: Library, object: number): boolean {
  if (pdf.FPDFPath_GetDrawMode(object, pdf.room, pdf.room + 4) === 0) return false
  if (pdf.integer(pdf.room + 4) !== 0) return true
  if (pdf.integer(pdf.room) === 0) return false
  const at = pdf.room
  if (pdf.FPDFPageObj_GetFillColor(object, at, at + 4, at + 8, at + 12) === 0) return true
  return [0, 4, 8].some((offset) => pdf.integer(at + offset) < 250)
}

function rulesOf(pdf: Library, object: number, matrix: Matrix, frame: Frame): Rule[] {
  if (!isSeen(pdf, object)) return []
  const box = boundsOf(pdf, object, matrix, frame)
  const [wide, high] = [box.x1 - box.x0, box.y1 - box.y0]
  if (wide < THIN && high < THIN) return []
  if (wide < THIN || high < THIN) return [box]
  const count = pdf.FPDFPath_CountSegments(object)
  if (count > SEGMENTS) return []
  const own = product(matrixOf(pdf, object), matrix)
  const rules: Rule[] = []
  let [fromX, fromY] = [0, 0]
  for (let i = 0; i < count; i++) {
    const segment = pdf.FPDFPath_GetPathSegment(object, i)
    pdf.FPDFPathSegment_GetPoint(segment, pdf.room, pdf.room + 4)
    const [px = 0, py = 0] = pdf.floats(pdf.room, 2)
    const [x, y] = through(px, py, own, frame)
    const line = pdf.FPDFPathSegment_GetType(segment) === 0
    if (line && (Math.abs(x - fromX) < 1 || Math.abs(y - fromY) < 1) && Math.abs(x - fromX) + Math.abs(y - fromY) > 8) {
      rules.push(ordered(fromX, fromY, x, y))
    }
    fromX = x
    fromY = y
  }
  return rules
}

function boundsOf(pdf: Library, object: number, matrix: Matrix, frame: Frame): Rule {
  if (pdf.FPDFPageObj_GetBounds(object, pdf.room, pdf.room + 4, pdf.room + 8, pdf.room + 12) === 0)
    return { x0: 0, y0: 0, x1: 0, y1: 0 }
  const [left = 0, bottom = 0, right = 0, top = 0] = pdf.floats(pdf.room, 4)
  const [ax, ay] = through(left, bottom, matrix, frame)
  const [bx, by] = through(right, top, matrix, frame)
  return ordered(ax, ay, bx, by)
}

const ordered = (ax: number, ay: number, bx: number, by: number): Rule => ({
  x0: Math.min(ax, bx),
  y0: Math.min(ay, by),
  x1: Math.max(ax, bx),
  y1: Math.max(ay, by),
})

const through = (x: number, y: number, [a, b, c, d, e, f]: Matrix, frame: Frame) =>
  frame.shown(a * x + c * y + e, b * x + d * y + f)

function matrixOf(pdf: Library, object: number): Matrix {
  if (pdf.FPDFPageObj_GetMatrix(object, pdf.room) === 0) return [1, 0, 0, 1, 0, 0]
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = pdf.floats(pdf.room, 6)
  return [a, b, c, d, e, f]
}

/** Multiplies two matrices: the result applies the first matrix and then the second. */
function product([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix {
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F]
}
