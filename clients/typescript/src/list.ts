import { Download } from './download.ts'
import { OpenFilingsError } from './errors.ts'
import type { RequestOptions } from './options.ts'
import { PageSize } from './page-size.ts'
import { type QueryValues, queryText } from './query.ts'
import { type Answer, anyOf, type Requests } from './requests.ts'
import type { FeedFormat, FileFormat } from './types.ts'

/** A list of the OpenAPI document. */
export interface ListShape {
  /** Member of the answer that holds the rows; `.` if the answer is the rows. */
  member: string
  /** The maximum of `limit`, if the list has several pages and the default is smaller. */
  largest?: number
}

/** How a list is requested. */
export interface ListRequest extends ListShape {
  /** Path below `/v1`, without a query. */
  path: string
  query: QueryValues
  options: RequestOptions | undefined
}

/** A page that was requested. */
interface Coming {
  /** As the service named it. */
  path: string
  answer: Promise<Answer>
  /** Path of the page after it, known before the body arrives; null if there is none or the request failed. */
  next: Promise<string | null>
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
    for await (const page of this.#walk()) return page
    throw new TypeError('a list has at least one page')
  }

  /**
   * Yields the pages. The second page is requested when the loop comes to it. From then on, the next page is requested
   * while the loop uses a page, and this request is aborted if the loop ends early. Without a `limit` of the query, the
   * first page has the default size of the list, and later pages the largest size.
   */
  pages(): AsyncGenerator<Page, void, undefined> {
    return this.#walk({ isAhead: true })
  }

  /**
   * @param isAhead whether the next page is requested while a page is used
   * @param rows number of rows that are needed, if this is known: the first page then has as many, if possible
   */
  async *#walk({ isAhead = false, rows = 0 } = {}): AsyncGenerator<Page, void, undefined> {
    const { path, query, options } = this.#request
    const ended = new AbortController()
    const own = { ...options, signal: anyOf([options?.signal, ended.signal]) }
    const size = new PageSize(this.#request)
    const requested = (next: string, needed?: number) => this.#requested(next, size.enlarged(next, needed), size, own)
    const first = path + queryText(query)
    let page: Coming | null = rows > 0 ? requested(first, rows) : this.#requested(first, first, size, own)
    try {
      for (let isFirst = true; page !== null; isFirst = false) {
        const ahead: Promise<Coming | null> =
          isFirst || !isAhead
            ? Promise.resolve(null)
            : page.next.then((next) => (next === null ? null : requested(next)))
        const { body, next }: Answer = await page.answer
        // The generated types describe what this path answers.
        yield body as Page
        const coming: Coming | null = await ahead
        // A repeated request may lead on to another page than its first attempt.
        page = next === null ? null : coming?.path === next ? coming : requested(next)
      }
    } finally {
      ended.abort()
    }
  }

  #requested(path: string, enlarged: string, size: PageSize, options: RequestOptions): Coming {
    let known = (_next: string | null): void => {}
    const next = new Promise<string | null>((resolve) => (known = resolve))
    const answer = this.#requests.json(enlarged, options, known).catch((error: unknown) => {
      if (enlarged === path || !size.isRefused(error)) throw error
      return this.#requests.json(path, options, known)
    })
    // The loop gets the failure when it comes to this page, which leads to no other page.
    answer.catch(() => known(null))
    return { path, answer, next }
  }

  /** Yields the rows of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    // `yield*` would wait for more promises for each row.
    for await (const page of this.pages()) for (const row of this.#rowsOf(page)) yield row
  }

  /**
   * Returns the rows of all pages as an array. Without a `limit` of the query, the pages are as large as needed and
   * possible.
   *
   * @param max largest number of rows
   */
  async toArray(max = Number.POSITIVE_INFINITY): Promise<Row[]> {
    const rows: Row[] = []
    if (max <= 0) return rows
    for await (const page of this.#walk({ isAhead: max === Number.POSITIVE_INFINITY, rows: max })) {
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
