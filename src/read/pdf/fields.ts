/**
 * Returns the values of form fields as characters at the positions of their fields, as a person who opens the form sees
 * them.
 */
import type { Font, Glyph } from './content.ts'
import type { Frame } from './glyphs.ts'
import type { Library } from './library.ts'
import { ROOM } from './library.ts'

const WIDGET = 20
const [CHECKBOX, RADIO, COMBO, LIST, TEXT] = [2, 3, 4, 5, 6]
const FIELDS = 5_000
/** The key `AS`, with the terminating zero. */
const KEY = [0x41, 0x53, 0]
const FONT: Font = { name: '', bold: false, italic: false }

export function fieldsOf(pdf: Library, page: number, form: number, frame: Frame): Glyph[] {
  const glyphs: Glyph[] = []
  const count = Math.min(pdf.FPDFPage_GetAnnotCount(page), FIELDS)
  for (let i = 0; i < count; i++) {
    const annotation = pdf.FPDFPage_GetAnnot(page, i)
    if (annotation === 0) continue
    if (pdf.FPDFAnnot_GetSubtype(annotation) === WIDGET) {
      const value = fieldValue(pdf, form, annotation)
      if (value !== '' && pdf.FPDFAnnot_GetRect(annotation, pdf.room) !== 0) {
        const [left = 0, bottom = 0, right = 0, top = 0] = pdf.floats(pdf.room, 4)
        glyphs.push(...set(value, frame.shown(left, top), frame.shown(right, bottom)))
      }
    }
    pdf.FPDFPage_CloseAnnot(annotation)
  }
  return glyphs
}

function fieldValue(pdf: Library, form: number, annotation: number): string {
  const kind = pdf.FPDFAnnot_GetFormFieldType(form, annotation)
  if (kind === CHECKBOX || kind === RADIO) return isTicked(pdf, annotation) ? '☒' : '☐'
  if (kind !== COMBO && kind !== LIST && kind !== TEXT) return ''
  const bytes = pdf.FPDFAnnot_GetFormFieldValue(form, annotation, 0, 0)
  if (bytes <= ROOM) {
    pdf.FPDFAnnot_GetFormFieldValue(form, annotation, pdf.room, ROOM)
    return pdf.wide(pdf.room, bytes).trim()
  }
  const at = pdf.malloc(bytes)
  pdf.FPDFAnnot_GetFormFieldValue(form, annotation, at, bytes)
  const value = pdf.wide(at, bytes)
  pdf.free(at)
  return value.trim()
}

/** Whether the box is ticked: the state of the appearance that is shown is not `Off` (ISO 32000-1, 12.7.4.2.3). */
function isTicked(pdf: Library, annotation: number): boolean {
  pdf.bytes(pdf.room, 3).set(KEY)
  const bytes = pdf.FPDFAnnot_GetStringValue(annotation, pdf.room, pdf.room + 8, ROOM - 8)
  const state = bytes <= ROOM - 8 ? pdf.wide(pdf.room + 8, bytes) : ''
  return state !== '' && state !== 'Off'
}

/**
 * Returns the characters of a value within its field. One line is in the middle of the field; several lines fill the
 * field from the top.
 */
function set(value: string, [left, top]: [number, number], [right, bottom]: [number, number]): Glyph[] {
  const lines = value.split(/\r\n?|\n/)
  const high = Math.abs(bottom - top) / lines.length
  const size = Math.min(Math.max(high * 0.7, 4), 11)
  return lines.flatMap((line, row) => {
    const y = Math.min(top, bottom) + high * row + (high + size * 0.7) / 2
    const step = Math.min(size / 2, Math.abs(right - left) / Math.max(line.length, 1))
    let blank = true
    return [...line].flatMap((text, at) => {
      const x0 = Math.min(left, right) + at * step
      const glyph = { text, x0, x1: x0 + step, y, size, font: FONT, blank }
      blank = text.trim() === ''
      return blank ? [] : [glyph]
    })
  })
}
