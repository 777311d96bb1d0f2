/** Headers of answers, as the OpenAPI document describes them. */

const header = (description: string, type = 'string') => ({ description, schema: { type } })

export const HEADERS = {
  'RateLimit-Limit': header('Requests a minute that the key has in this bucket', 'integer'),
  'RateLimit-Remaining': header('Requests left in this minute', 'integer'),
  'RateLimit-Reset': header('Seconds until the bucket is full again, at most 60', 'integer'),
  'RateLimit-Policy': header(
    'Limit (q) and window in seconds (w) of the bucket, as a structured field: "search";q=10;w=60',
  ),
  RateLimit: header(
    'Requests left in the bucket (r) and seconds until it is full again (t), as a structured field: "search";r=9;t=42',
  ),
  'Retry-After': header('Seconds to wait before the next request', 'integer'),
  'X-Request-Id': header(
    'Identifies this request in the log; an id that the client sends is kept if it is short and plain',
  ),
  'X-Not-Loaded': header('Only on files: the sources of this list whose data was never loaded'),
  'OpenFilings-Sample': header(
    'true while the loaded data is the bundled sample, some of which is invented; otherwise absent',
  ),
  Link: header(
    'Address of the next page, with all parameters of the request: <…>; rel="next". Absent on the last page',
  ),
  ETag: header('Validator of the content, for If-None-Match'),
}

/** References to these headers. */
export const headersOf = (...names: (keyof typeof HEADERS)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Headers of every answer. */
export const EVERY = ['X-Request-Id', 'OpenFilings-Sample'] as const

/** Headers of every answer to a request with a valid key. */
export const RATE = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
] as const
