/** Reads Server-Sent Events (WHATWG HTML, 9.2). */
import { partsOf } from './download.ts'
import { OpenFilingsError } from './errors.ts'

export interface Message {
  /** Undefined if the message has none. */
  id?: string
  data?: string
  /** Milliseconds after which a client should connect again. */
  retry?: number
}

/** Longest message, in characters. Messages of the service have some hundred. */
const MESSAGE_CHARS_MAX = 1024 * 1024

/**
 * Yields the messages of a stream, also those that have only an id.
 *
 * @param onBytes called for every part, also for the comments that show that the service is alive
 * @throws OpenFilingsError `invalid_answer` for a message that does not end
 */
export async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<Message, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  let message: Message = {}
  let length = 0
  for await (const part of partsOf(body)) {
    onBytes()
    // A CR at the end may be the first half of CR LF.
    const lines = (rest + decoder.decode(part, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      length += line.length
      if (line !== '') addLine(message, line)
      else {
        if (Object.keys(message).length > 0) yield message
        message = {}
        length = 0
      }
    }
    if (rest.length + length > MESSAGE_CHARS_MAX) {
      throw new OpenFilingsError('a message of the stream is too long', { code: 'invalid_answer' })
    }
  }
}

function addLine(message: Message, line: string): void {
  const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
  if (field === 'id' && !value.includes('\0')) message.id = value
  if (field === 'data') message.data = message.data === undefined ? value : `${message.data}\n${value}`
  if (field === 'retry' && /^\d{1,9}$/.test(value)) message.retry = Number(value)
}
