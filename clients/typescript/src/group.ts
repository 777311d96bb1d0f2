import { Download } from './download.ts'
import { List, type ListShape } from './list.ts'
import type { RequestOptions } from './options.ts'
import { pathText, type QueryValues, queryText } from './query.ts'
import type { Requests } from './requests.ts'
import type { Body, Operation } from './types.ts'

/** Base class of the generated groups of methods. */
export class Group {
  protected readonly requests: Requests

  constructor(requests: Requests) {
    this.requests = requests
  }

  /** One answer that is not a list. */
  protected async one<O extends Operation>(
    path: string,
    values: readonly (string | number)[],
    query: QueryValues = {},
    options?: RequestOptions,
  ): Promise<Body<O>> {
    const { body } = await this.requests.json(pathText(path, values) + queryText(query), options)
    // The generated types describe what this path answers.
    return body as Body<O>
  }

  protected rows<Page, Row>(
    path: string,
    values: readonly (string | number)[],
    shape: ListShape,
    query: QueryValues = {},
    options?: RequestOptions,
  ): List<Page, Row> {
    return new List(this.requests, { ...shape, path: pathText(path, values), query, options })
  }

  /** A document of a filing, in its own content type. */
  protected async file(
    path: string,
    values: readonly (string | number)[],
    query: QueryValues = {},
    options: RequestOptions = {},
  ): Promise<Download> {
    const wanted = { ...options, path: pathText(path, values) + queryText({ ...query, format: 'json' }), accept: '*/*' }
    const opened = await this.requests.open(wanted)
    return new Download(opened, { format: 'document', stallMs: this.requests.settings.stallMs })
  }
}
