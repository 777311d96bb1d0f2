/** The answer with a large text, or with a part of it: called in a process of its own, where its megabytes stay. */
import { unpack } from '../../read/packed.ts'
import type { DocumentText } from '../../read/readable.ts'
import { etagOf, JSON_TYPE, MARKDOWN_TYPE } from '../../serve/http/answer.ts'
import { partOf } from './part.ts'

export interface ToAnswer {
  packed: Uint8Array
  /** Within which bounds of the text; all of it when null. */
  section: { start: number; end: number } | null
  part: { offset?: number | undefined; max?: number | undefined }
  /** Whether the text alone is wanted. */
  isMarkdown: boolean
  /** Members of the answer, in their order; those of the text are filled in. */
  answer: Record<string, unknown>
}

export interface LargeAnswer {
  body: Uint8Array
  type: string
  etag: string
}

type Readable = Extract<DocumentText, { markdown: unknown }>

/** @throws HttpError 400 as `partOf` */
export function makeAnswer({ packed, section, part, isMarkdown, answer }: ToAnswer): LargeAnswer {
  const filled = { ...answer, ...textOf(unpack<Readable>(packed), section, part) }
  const body = Buffer.from(isMarkdown ? filled.text : JSON.stringify(filled))
  return { body, type: isMarkdown ? MARKDOWN_TYPE : JSON_TYPE, etag: etagOf(body) }
}

/** What an answer says of a text. @throws HttpError 400 as `partOf` */
export function textOf({ format, markdown, pages }: Readable, section: ToAnswer['section'], wanted: ToAnswer['part']) {
  const { text } = markdown
  const { offset, end, next } = partOf(text, section ?? { start: 0, end: text.length }, wanted)
  return { format, text: text.slice(offset, end), length: text.length, offset, next_offset: next, pages }
}
