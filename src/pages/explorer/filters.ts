/** The form of a list: every parameter of its route as a field. It is sent as the address of the page. */
import type { z } from 'zod'
import type { Route } from '../../declare/route.ts'
import { labelOf } from '../../declare/table.ts'
import { schemaOf } from '../../serve/openapi/schemas.ts'
import { type Html, html, verbatim } from '../html.ts'

/** Parameters that say which page it is or in which form, and so are not filters. */
const PAGING = ['limit', 'offset', 'page', 'cursor', 'paginate', 'count', 'fields', 'omit', 'format', 'after']
/** If a parameter has more values, the reader types one instead of choosing it. */
const CHOICES = 80

interface Field {
  name: string
  label: string
  help: string
  required: boolean
  schema: {
    type?: string | string[]
    enum?: unknown[]
    format?: string
    default?: unknown
    items?: { enum?: unknown[] }
  }
}

function fieldsOf({ path, input }: Route): Field[] {
  return Object.entries(input.shape as Record<string, z.ZodType>).flatMap(([name, type]) => {
    if (PAGING.includes(name) || path.includes(`{${name}}`)) return []
    const schema = schemaOf(type) as Field['schema'] & { description?: string }
    const required = !type.safeParse(undefined).success
    const label = name === 'q' ? 'Search' : labelOf(name)
    return [{ name, label, help: schema.description ?? '', required, schema }]
  })
}

/**
 * @param query the parameters of the page
 * @returns null if the route has no filter
 */
export function filtersOf(
  route: Route,
  action: string,
  query: URLSearchParams,
  { isOpen = false }: { isOpen?: boolean | undefined } = {},
): Html | null {
  const fields = fieldsOf(route)
  if (fields.length === 0) return null
  const isFirst = ({ name, required }: Field) => name === 'q' || required
  const first = fields.filter(isFirst)
  const others = fields.filter((field) => !isFirst(field))
  const isUsed = others.some(({ name }) => (query.get(name) ?? '') !== '')
  const kept = query.get('limit')
  return html`<form class="filters" action="${action}" method="get">
${kept !== null && html`<input type="hidden" name="limit" value="${kept}">`}
${first.length > 0 && html`<div class="fields first">${first.map((field) => fieldOf(field, query))}<button class="button main" type="submit">Search</button></div>`}
${
  others.length > 0 &&
  html`<details class="more-filters"${(isUsed || isOpen) && verbatim(' open')}><summary>Filters</summary>
<div class="fields">${others.map((field) => fieldOf(field, query))}</div>
<p class="actions"><button class="button" type="submit">Apply</button> <a href="${action}">Reset</a></p></details>`
}
</form>`
}

function fieldOf({ name, label, help, required, schema }: Field, query: URLSearchParams): Html {
  const id = `filter-${name}`
  const value = query.getAll(name).join(',')
  const choices = schema.enum ?? (schema.type === 'array' ? schema.items?.enum : undefined)
  const control =
    choices && choices.length <= CHOICES
      ? selectOf(id, name, choices.map(String), value, schema.default)
      : schema.type === 'boolean'
        ? selectOf(id, name, ['true', 'false'], value, schema.default)
        : html`<input id="${id}" name="${name}" type="${typeOf(schema)}" value="${value}"${required && verbatim(' required')}${help && html` aria-describedby="${id}-help"`} autocomplete="off">`
  return html`<div class="field"><label for="${id}">${label}</label>${control}${help && html`<p class="help" id="${id}-help">${firstSentence(help)}</p>`}</div>\n`
}

const typeOf = ({ type, format }: Field['schema']) =>
  format === 'date' ? 'date' : type === 'integer' || type === 'number' ? 'number' : 'text'

const WORDS: Readonly<Record<string, string>> = { true: 'Yes', false: 'No', asc: 'Ascending', desc: 'Descending' }

function selectOf(id: string, name: string, choices: readonly string[], value: string, standard: unknown): Html {
  const option = (choice: string) =>
    html`<option value="${choice}"${choice === value && verbatim(' selected')}>${WORDS[choice] ?? choice.replaceAll('_', ' ')}</option>`
  // A value that is not a choice, such as several at once, stays as it is.
  const given = value === '' || choices.includes(value) ? choices : [value, ...choices]
  const none = standard === undefined ? 'Any' : `Usual (${WORDS[String(standard)] ?? String(standard)})`
  return html`<select id="${id}" name="${name}"><option value="">${none}</option>${given.map(option)}</select>`
}

const firstSentence = (text: string) => text.split(/(?<=\.) |\n/)[0]!.replace(/\.$/, '')
