import { Download } from './download.ts'
import { OpenFilingsError } from './errors.ts'
import type { RequestOptions } from './options.ts'
import { type QueryValues, queryText } from './query.ts'
import type { Requests } from './requests.ts'
import type { FeedFormat, FileFormat } from './types.ts'

/** How a list is requested. */
export interface ListRequest {
  /** Path below `/v1`, without a query. */
  path: string
  query: QueryValues
  /** Member of the answer that holds the rows; `.` if the answer is the rows. */
  member: string
  options: RequestOptions | undefined
}

/**
 * A list of rows. Nothing is requested until the list is used: `for await` gives all rows through all pages, and
 * `await` or `page()` the first page.
 */
export class List<Page, Row> implements AsyncIterable<Row>, PromiseLike<Page> {
  readonly #requests: Requests
  readonly #request: ListRequest

  constructor(requests: Requests, request: ListRequest) {
    this.#requests = requests
    this.#request = request
  }

  /**
   * Returns the first page: the answer as the service sends it.
   *
   * @throws OpenFilingsError
   */
  async page(): Promise<Page> {
    for await (const page of this.pages()) return page
    throw new TypeError('a list has at least one page')
  }

  /** Yields the pages. Each page is requested when the loop comes to it. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    const { path, query, options } = this.#request
    for (let next: string | null = path + queryText(query); next !== null; ) {
      const answer = await this.#requests.json(next, options)
      // The generated types describe what this path answers.
      yield answer.body as Page
      next = answer.next
    }
  }

  /** Yields the rows of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) yield* this.#rowsOf(page)
  }

  /**
   * Returns the rows of all pages as an array.
   *
   * @param max largest number of rows
   */
  async toArray(max = Number.POSITIVE_INFINITY): Promise<Row[]> {
    const rows: Row[] = []
    if (max <= 0) return rows
    for await (const page of this.pages()) {
      for (const row of this.#rowsOf(page)) rows.push(row)
      if (rows.length >= max) return rows.slice(0, max)
    }
    return rows
  }

  /**
   * Requests the whole list as a file. The file is one request, and the service reads each page of the list while it
   * sends the file. A `limit` of the query limits the rows of the file.
   *
   * @throws OpenFilingsError before the first byte; a later failure makes the stream of the file fail with this error
   */
  async download(format: FileFormat, options: RequestOptions = {}): Promise<Download<Row>> {
    return this.#file(format, options)
  }

  /**
   * Requests one page as a feed for feed readers: Atom, or JSON Feed 1.1. The newest rows come first, unless the query
   * has another order. `text()` of the result is the feed.
   *
   * @throws OpenFilingsError 400 if the rows of the list have no day, or if the query chooses fields
   */
  async feed(format: FeedFormat, options: RequestOptions = {}): Promise<Download> {
    return this.#file(format, options)
  }

  /** Requests the list in another format than JSON. An option of the call replaces the same option of the list. */
  async #file<R>(format: FileFormat | FeedFormat, options: RequestOptions): Promise<Download<R>> {
    const { path, query, options: own } = this.#request
    const wanted = { ...own, ...options, path: path + queryText({ ...query, format }), accept: '*/*' }
    const opened = await this.#requests.open(wanted)
    return new Download(opened, { format, stallMs: this.#requests.settings.stallMs })
  }

  /** Makes `await` give the first page. */
  // biome-ignore lint/suspicious/noThenProperty: an awaited list is its first page, as the class says
  then<A = Page, B = never>(
    onPage?: ((page: Page) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.page().then(onPage, onError)
  }

  #rowsOf(page: Page): readonly Row[] {
    const { member, path } = this.#request
    const rows: unknown = member === '.' ? page : (page as Readonly<Record<string, unknown>> | null)?.[member]
    if (rows === null) return []
    if (!Array.isArray(rows)) {
      const what = member === '.' ? 'an array' : `the member ${member}`
      throw new OpenFilingsError(`the answer lacks ${what}`, {
        code: 'invalid_answer',
        url: this.#requests.urlOf(path),
      })
    }
    return rows
  }
}
