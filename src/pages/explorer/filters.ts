/** The HTML form of a list: every parameter of its route as a field. It is sent as the address of the page. */
import type { Route } from '../../declare/route.ts'
import { type Html, html, verbatim } from '../html.ts'
import { PLACE, pathIn, queryIn } from './addresses.ts'
import { type Parameter, parametersOf } from './parameters.ts'
import { wordsFor } from './words.ts'

/** Parameters that choose the page or its presentation, and so are not filters. */
const PAGING = [...PLACE, 'limit', 'count', 'fields', 'omit', 'format']

/**
 * @param url address of the page
 * @param isOpen whether all fields are shown
 * @returns null if the route has no filter
 */
export function filtersOf(route: Route, url: string, isOpen = false): Html | null {
  const fields = parametersOf(route).filter(({ name }) => !PAGING.includes(name))
  if (fields.length === 0) return null
  const query = queryIn(url)
  const isFirst = ({ name, required }: Parameter) => name === 'q' || required
  const first = fields.filter(isFirst)
  const others = fields.filter((field) => !isFirst(field))
  const isUsed = others.some(({ name }) => query.has(name))
  const kept = query.get('limit')
  return html`<form class="filters" action="${pathIn(url)}" method="get">
${kept !== null && html`<input type="hidden" name="limit" value="${kept}">`}
${first.length > 0 && html`<div class="fields first">${first.map((field) => fieldOf(field, query))}<button class="button main" type="submit">Search</button></div>`}
${
  others.length > 0 &&
  html`<details class="more-filters"${(isUsed || isOpen) && verbatim(' open')}><summary>Filters</summary>
<div class="fields">${others.map((field) => fieldOf(field, query))}</div>
<p class="actions"><button class="button" type="submit">Apply</button> <a href="${pathIn(url)}">Reset</a></p></details>`
}
</form>`
}

function fieldOf(parameter: Parameter, query: URLSearchParams): Html {
  const { name, help, required, choices, type } = parameter
  const id = `filter-${name}`
  const value = query.getAll(name).join(',')
  const control = choices
    ? selectOf(id, parameter, choices, value)
    : html`<input id="${id}" name="${name}" type="${type}" value="${value}"${required && verbatim(' required')}${help && html` aria-describedby="${id}-help"`} autocomplete="off">`
  return html`<div class="field"><label for="${id}">${name === 'q' ? 'Search' : wordsFor(name)}</label>${control}${help && html`<p class="help" id="${id}-help">${firstSentence(help)}</p>`}</div>\n`
}

const WORDS: Readonly<Record<string, string>> = { true: 'Yes', false: 'No', asc: 'Ascending', desc: 'Descending' }

function selectOf(id: string, { name, default: standard }: Parameter, choices: readonly string[], value: string): Html {
  const option = (choice: string) =>
    html`<option value="${choice}"${choice === value && verbatim(' selected')}>${WORDS[choice] ?? choice.replaceAll('_', ' ')}</option>`
  // A value that is not a choice, such as several at once, stays as it is.
  const given = value === '' || choices.includes(value) ? choices : [value, ...choices]
  const none = standard === null ? 'Any' : `Usual (${WORDS[standard] ?? standard})`
  return html`<select id="${id}" name="${name}"><option value="">${none}</option>${given.map(option)}</select>`
}

const firstSentence = (text: string) => text.split(/(?<=\.) |\n/)[0]!.replace(/\.$/, '')
