/**
 * Makes the answer with a large text, or with a part of the text. Runs in a separate process, so that the server does
 * not hold megabytes of text.
 */
import { unpack } from '../../read/packed.ts'
import type { DocumentText } from '../../read/readable.ts'
import { etagOf, JSON_TYPE, MARKDOWN_TYPE } from '../../serve/http/answer.ts'
import { partOf } from './part.ts'

export interface ToAnswer {
  packed: Uint8Array
  /** Bounds of the text; null for all of it. */
  section: { start: number; end: number } | null
  part: { offset?: number | undefined; max?: number | undefined }
  /** Whether only the text is requested, without JSON. */
  isMarkdown: boolean
  /** Members of the answer, in their order. `makeAnswer` fills in the members about the text. */
  answer: Record<string, unknown>
}

export interface LargeAnswer {
  body: Uint8Array
  type: string
  etag: string
}

type Readable = Extract<DocumentText, { markdown: unknown }>

/** @throws HttpError 400 whenever `partOf` does */
export function makeAnswer({ packed, section, part, isMarkdown, answer }: ToAnswer): LargeAnswer {
  const filled = { ...answer, ...textOf(unpack<Readable>(packed), section, part) }
  const body = Buffer.from(isMarkdown ? filled.text : JSON.stringify(filled))
  return { body, type: isMarkdown ? MARKDOWN_TYPE : JSON_TYPE, etag: etagOf(body) }
}

/** Returns the members of an answer that describe a text. @throws HttpError 400 whenever `partOf` does */
export function textOf({ format, markdown, pages }: Readable, section: ToAnswer['section'], wanted: ToAnswer['part']) {
  const { text } = markdown
  const { offset, end, next } = partOf(text, section ?? { start: 0, end: text.length }, wanted)
  return { format, text: text.slice(offset, end), length: text.length, offset, next_offset: next, pages }
}
