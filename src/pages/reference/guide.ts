/**
 * The introduction as Markdown, for both `/docs` and `/docs.md`. Its facts about the API come from the OpenAPI
 * document.
 */
import { API_ERRORS, CODES_SENT, type Code } from '../../declare/api-errors.ts'
import type { Operation, Reference } from './model.ts'
import { firstAddress, ORIGIN } from './request.ts'

/** Escapes text as a cell of a table, in which a bar would end the cell. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const has = ({ parameters }: Operation, name: string) => parameters.some((parameter) => parameter.name === name)

/** Returns the first list that needs no parameter, else the first operation that needs none. */
function firstOperation(operations: readonly Operation[]): Operation | undefined {
  const open = operations.filter(({ parameters }) => !parameters.some(({ required }) => required))
  return open.find((operation) => has(operation, 'limit')) ?? open[0]
}

/**
 * The sections of the introduction. Features that a server does not have (files, pages) get no section in the guide.
 */
export function guide(reference: Reference): string {
  const operations = reference.groups.flatMap((group) => group.operations)
  return [
    begin(operations),
    guides(reference),
    conventions(reference),
    errors(reference),
    limits(),
    finding(operations),
    paging(operations),
    rows(operations),
    files(operations),
    provenance(reference),
    clients(operations),
    machines(),
  ]
    .filter((section) => section !== null)
    .join('\n\n')
}

function begin(operations: readonly Operation[]): string {
  const first = firstOperation(operations)
  const address = first ? firstAddress(first) : ''
  const short = first && has(first, 'limit') && !address.includes('limit=') ? '?limit=2' : ''
  return `## Begin

Every request needs an API key. \`openfilings serve\` prints a key at its start, and a link: pages that you open by this link use the key. \`openfilings keys create\` makes more keys. Send the key in one of two headers:

\`\`\`
Authorization: Bearer <key>
X-Api-Key: <key>
\`\`\`

Then send requests. Every request is a GET. Answers are JSON, except lists that are requested as files, and documents, which are sent as filed.

\`\`\`sh
export OPENFILINGS_KEY=<key>
curl '${ORIGIN}${address}${short}' \\
  -H "Authorization: Bearer $OPENFILINGS_KEY"
\`\`\`

Keys are for servers and scripts. The service sends no CORS headers, so a page of another site cannot use a key.`
}

function guides({ guides, data }: Reference): string | null {
  const items = [...guides, ...data.slice(0, 1)].map(({ title, href, lead }) => `- [${title}](${href}): ${lead}`)
  return items.length === 0 ? null : `## Guides\n\n${items.join('\n')}`
}

/** The description in the OpenAPI document, without its first paragraph, which is at the top of the page. */
function conventions({ description }: Reference): string | null {
  const lines = description.split('\n').filter((line) => line.trim() !== '')
  return lines.length < 2
    ? null
    : `## Conventions\n\n${lines
        .slice(1)
        .map((line) => `- ${line.replace(/^- /, '')}`)
        .join('\n')}`
}

function errors({ failures }: Reference): string {
  return `## Errors

Every error has a status and the same shape. \`error\` is for people and may change; \`code\` is for programs and keeps its meaning. \`X-Request-Id\` names the request in the service's log; quote it when you report a problem.

\`\`\`json
{ "error": "limit: must be a whole number from 1 to 50", "code": "invalid_parameter" }
\`\`\`

With \`Accept: application/problem+json\`, the error has the shape of RFC 9457, and also the members \`error\` and \`code\`.

| Status | Meaning |
| --- | --- |
${failures.map(({ status, meaning }) => `| ${status} | ${cell(meaning)} |`).join('\n')}

| Code | Status | When | What to do |
| --- | --- | --- | --- |
${CODES_SENT.map(codeLine).join('\n')}`
}

function codeLine(code: Code): string {
  const { status, when, wayOut } = API_ERRORS[code]
  return `| \`${code}\` | ${status} | ${cell(when)} | ${cell(wayOut)} |`
}

function limits(): string {
  return `## Limits

A key may send a certain number of requests a minute in each of two buckets, search and general. The reference states the bucket of each operation. The answer to each counted request states how many requests are left:

| Header | Meaning |
| --- | --- |
| \`RateLimit-Limit\` | Requests a minute in this bucket |
| \`RateLimit-Remaining\` | Requests that are left in this minute |
| \`RateLimit-Reset\` | Seconds until the bucket is full again |
| \`Retry-After\` | Seconds to wait, on 429 and 503 |

\`RateLimit\` and \`RateLimit-Policy\` state the same as structured fields. If you already have an answer, send its \`ETag\` as \`If-None-Match\`: if nothing changed, the answer is only the status 304.`
}

const named = (operations: readonly Operation[]) =>
  operations.map(({ id, path }) => `[\`${path}\`](/docs/${id})`).join(', ')

function paging(operations: readonly Operation[]): string | null {
  const paged = operations.filter((operation) => has(operation, 'paginate'))
  const first = firstOperation(paged)
  if (!first) return null
  return `## Paging

Follow the header \`Link: <…>; rel="next"\` of each answer. It leads to the next page of the same request; the last page has no such header. Rows that are added meanwhile cause no row to be repeated or left out.

\`\`\`sh
curl -i '${ORIGIN}${first.path}?limit=50' \\
  -H "Authorization: Bearer $OPENFILINGS_KEY"
curl '${ORIGIN}${first.path}?paginate=cursor&limit=50&cursor=<next_cursor>' \\
  -H "Authorization: Bearer $OPENFILINGS_KEY"
\`\`\`

With \`paginate=cursor\`, every answer also has \`next_cursor\`, which is \`null\` on the last page. For the next page, send it as \`cursor\`, with the same other parameters. Without \`paginate=cursor\`, a few lists have no \`next_cursor\`, or it is always \`null\`.

These lists have cursors: ${named(paged)}.`
}

/** The section that lists the operations which find a thing by its name, its number or its text. */
function finding(operations: readonly Operation[]): string | null {
  const items = operations
    .filter(({ summary }) => /^(?:Find|Search)\b/.test(summary))
    .map(({ id, path, summary }) => `- [\`${path}\`](/docs/${id}): ${summary}`)
  return items.length === 0
    ? null
    : `## Search\n\nThese operations find a thing by its name, its number or its text.\n\n${items.join('\n')}`
}

function rows(operations: readonly Operation[]): string | null {
  const parts = [
    operations.some((operation) => has(operation, 'fields')) &&
      '- `fields=` names the fields that rows have, and `omit=` the fields that are left out. Both also apply to files.',
    operations.some((operation) => has(operation, 'count')) &&
      '- `count=exact` adds `total`, the number of all rows that match; `count=estimate` adds an estimate at once, which can be far off.',
    operations.some((operation) => has(operation, 'sort')) && '- `sort=` and `dir=` choose the order.',
  ].filter((part) => part !== false)
  return parts.length === 0 ? null : `## Rows, fields and counts\n\n${parts.join('\n')}`
}

/** Whether the rows are available as a file. */
const isFile = ({ parameters, contents }: Operation) =>
  parameters.some(({ name, choices }) => name === 'format' && choices.includes('csv')) ||
  contents.some(({ type }) => type.startsWith('text/csv'))

function files(operations: readonly Operation[]): string | null {
  const kept = operations.filter(isFile)
  const first = firstOperation(kept)
  if (!first) return null
  return `## Files

Every list can be downloaded as a file: with \`format=csv\`, \`format=ndjson\` or \`format=parquet\`, or with the header \`Accept: text/csv\`, \`application/x-ndjson\` or \`application/vnd.apache.parquet\`. The file has all rows that meet the filters, and not only one page of them.

\`\`\`sh
curl -o rows.csv '${ORIGIN}${first.path}?format=csv' \\
  -H "Authorization: Bearer $OPENFILINGS_KEY"
\`\`\`

These lists can be downloaded: ${named(kept)}.`
}

function provenance({ entities, units }: Reference): string | null {
  if (entities.length === 0 && units.length === 0) return null
  const rows = entities.map(
    ({ name, meaning, link }) => `| \`${name}\` | ${cell(meaning)} | ${link === null ? '–' : `\`${link}\``} |`,
  )
  return `## Provenance and units

You can trace values back to what a filer wrote: rows have the accession number of their filing, and the descriptions of fields name the item of the form. If a value identifies a thing, the reference states the kind of the thing and links to more about it.

| Kind | What the value identifies | More at |
| --- | --- | --- |
${rows.join('\n')}

Each number has a unit:

| Unit | Meaning |
| --- | --- |
${units.map(([name, meaning]) => `| \`${name}\` | ${cell(meaning)} |`).join('\n')}`
}

/**
 * The section about generated clients. A list is JSON, or a file on request, so a generator that makes one type for all
 * content types must be configured to use a single content type.
 */
function clients(operations: readonly Operation[]): string | null {
  const list = firstOperation(operations.filter(isFile))
  if (!list) return null
  const path = list.path.replace(/^\/v1(?=\/)/, '')
  return `## Generated clients

A list is answered as JSON, CSV, NDJSON or Parquet, as the request states. Most generators use only the JSON. Generators that make one type of all these formats (\`FilingPage | string\`) have an option that selects JSON. For openapi-typescript with openapi-fetch:

\`\`\`ts
const client = createClient<paths, 'application/json'>({ baseUrl: '${ORIGIN}/v1', headers: { 'x-api-key': key } })
const { data } = await client.GET('${path}')
const file = await client.GET('${path}', { params: { query: { format: 'csv' } }, parseAs: 'text' })
\`\`\`

For orval, put \`override: { contentType: { include: ['application/json'] } }\` into the configuration. The rows of every list have a named type: \`components['schemas']['AdviserRow']\`.`
}

function machines(): string {
  return `## For machines

- The [OpenAPI document](/v1/openapi.json) describes the whole API; clients can be generated from it.
- Each page of this reference is also available as Markdown: add \`.md\` to its address. [/llms.txt](/llms.txt) lists them.`
}
