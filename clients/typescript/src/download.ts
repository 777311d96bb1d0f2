import { OpenFilingsError } from './errors.ts'
import { failureOf, type Opened } from './requests.ts'

export interface DownloadFacts {
  /**
   * `csv`, `ndjson` or `parquet`, whose end states the number of rows; or `atom`, `jsonfeed`, or `document` for a
   * document of a filing, whose end does not.
   */
  format: string
  stallMs: number
}

/** Number of bytes at the end of a file in which the number of its rows is looked for. Its end is far shorter. */
const TAIL_BYTES = 64 * 1024

/** Content types of the formats of a list. A document of a filing has its own type. */
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  atom: 'application/atom+xml',
  jsonfeed: 'application/feed+json',
}

/** Longest line of NDJSON, in characters. */
const LINE_CHARS_MAX = 64 * 1024 * 1024

/** A file that is being received. The file is read once, by `stream`, `bytes`, `text` or `rows`. */
export class Download<Row = never> {
  readonly format: string
  /** Header `Content-Type`. */
  readonly type: string
  /** Sources that the list lacks because they were never loaded (header `X-Not-Loaded`); null if none is missing. */
  readonly notLoaded: string | null
  /**
   * The bytes of the file. The stream fails with `incomplete_file` if the file lacks its end, with `timeout` if nothing
   * comes for `stallMs`, and with `network` if the connection breaks.
   */
  readonly stream: ReadableStream<Uint8Array>
  readonly #url: string
  #rowCount: number | null = null

  /** @throws OpenFilingsError `invalid_answer` if the answer has another type, such as the login page of a proxy */
  constructor(opened: Opened, { format, stallMs }: DownloadFacts) {
    this.format = format
    this.type = opened.response.headers.get('content-type') ?? 'application/octet-stream'
    this.notLoaded = opened.response.headers.get('x-not-loaded')
    this.#url = opened.url
    const expected = TYPES[format]
    if (expected && this.type.split(';', 1)[0]!.trim().toLowerCase() !== expected) {
      opened.deadline.abort()
      const type = this.type.slice(0, 100)
      throw this.#error(
        `the answer is ${type} instead of ${expected}: is baseUrl the address of the service?`,
        'invalid_answer',
      )
    }
    this.stream = this.#checked(opened, stallMs)
  }

  /** Number of rows, as the end of the file states it; null until the file was received, and for a document. */
  get rowCount(): number | null {
    return this.#rowCount
  }

  /**
   * Returns the whole file.
   *
   * @throws OpenFilingsError `answer_too_large` if the file has more bytes than this limit; by default 512 MB
   */
  async bytes(maxBytes = 512 * 1024 * 1024): Promise<Uint8Array<ArrayBuffer>> {
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of partsOf(this.stream)) {
      size += part.byteLength
      if (size > maxBytes) throw this.#error(`the file has more than ${maxBytes} bytes`, 'answer_too_large')
      parts.push(part)
    }
    const whole = new Uint8Array(size)
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.byteLength
    }
    return whole
  }

  /** Returns the whole file as text. */
  async text(maxBytes?: number): Promise<string> {
    return new TextDecoder().decode(await this.bytes(maxBytes))
  }

  /**
   * Yields the rows of a file of NDJSON while it is received.
   *
   * @throws OpenFilingsError `invalid_answer` for a line that is not JSON, `incomplete_file` if rows are missing
   */
  async *rows(): AsyncGenerator<Row, void, undefined> {
    if (this.format !== 'ndjson') throw this.#error('rows can be read only from a file of NDJSON', 'invalid_option')
    let count = 0
    // The last line counts the rows, so each line is a row only if another one follows it.
    let line: string | null = null
    for await (const next of this.#lines()) {
      if (line !== null) {
        count += 1
        // The generated types describe the rows of this list.
        yield this.#parsed(line) as Row
      }
      line = next
    }
    if (count !== this.#rowCount)
      throw this.#error(`the file has ${count} rows instead of ${this.#rowCount}`, 'incomplete_file')
  }

  async *#lines(): AsyncGenerator<string, void, undefined> {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const part of partsOf(this.stream)) {
      const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > LINE_CHARS_MAX) throw this.#error('a line is too long', 'invalid_answer')
      yield* lines
    }
    if (rest !== '') yield rest
  }

  #parsed(line: string): unknown {
    try {
      return JSON.parse(line)
    } catch (cause) {
      throw new OpenFilingsError('a line is not valid JSON', { code: 'invalid_answer', url: this.#url, cause })
    }
  }

  /** Passes the bytes on, limits each wait for them, and checks the end. */
  #checked(opened: Opened, stallMs: number): ReadableStream<Uint8Array> {
    const { response, deadline } = opened
    const reader = response.body?.getReader()
    let tail: Uint8Array = new Uint8Array(0)
    deadline.pause()
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          deadline.start(stallMs)
          try {
            const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
            deadline.pause()
            if (!done) {
              tail = endOf(tail, value)
              controller.enqueue(value)
              return
            }
            deadline.end()
            this.#end(new TextDecoder(this.format === 'parquet' ? 'latin1' : 'utf-8').decode(tail))
            controller.close()
          } catch (error) {
            deadline.abort()
            controller.error(failureOf(error, opened))
          }
        },
        cancel: () => deadline.abort(),
      },
      // Reads nothing before the caller asks for it, so the time of the caller does not count.
      { highWaterMark: 0 },
    )
  }

  /** Reads the number of rows from the end of the file. */
  #end(tail: string): void {
    const pattern = ENDS[this.format]
    if (!pattern) return
    const [, rows] = pattern.exec(tail) ?? []
    if (rows === undefined) throw this.#error('the file is cut off: its end is missing', 'incomplete_file')
    this.#rowCount = Number(rows)
  }

  #error(message: string, code: string): OpenFilingsError {
    return new OpenFilingsError(message, { code, url: this.#url })
  }
}

/**
 * The end of a complete file. The end of a Parquet file is its footer: the last entry of the footer's metadata counts
 * the rows.
 */
const ENDS: Readonly<Record<string, RegExp>> = {
  csv: /(?:^|\n)# rows: (\d+)\r?\n$/,
  ndjson: /(?:^|\n)\{"_end":\{"rows":(\d+)[,}][^\n]*\n$/,
  parquet: /openfilings\.rows\x18[\x01-\x0f](\d{1,15})\x00[\s\S]{0,200}PAR1$/,
}

/** Returns the last bytes of two parts that follow each other. */
function endOf(before: Uint8Array, part: Uint8Array): Uint8Array {
  if (part.byteLength >= TAIL_BYTES) return part.slice(-TAIL_BYTES)
  const kept = before.subarray(Math.max(0, before.byteLength + part.byteLength - TAIL_BYTES))
  const end = new Uint8Array(kept.byteLength + part.byteLength)
  end.set(kept)
  end.set(part, kept.byteLength)
  return end
}

/** Yields the parts of a stream, and cancels it if the loop ends before. Not every browser iterates streams itself. */
export async function* partsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // A stream that ended or failed is not affected.
    await reader.cancel().catch(() => {})
  }
}
