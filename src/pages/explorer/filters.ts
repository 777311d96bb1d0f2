/**
 * The HTML form of a list: every parameter of its route as a field. Sending the form opens the page with the parameters
 * in its address.
 */
import { capital } from '../../declare/capital.ts'
import type { Route } from '../../declare/route.ts'
import { type Html, html, verbatim } from '../html.ts'
import { PLACE, pathIn, queryIn } from './addresses.ts'
import { conditionRows, type Field } from './conditions.ts'
import { type Parameter, parametersOf } from './parameters.ts'
import { choiceWords, forReaders, parameterWords } from './words.ts'

/** Parameters that choose the page or how it is shown, and so are not filters. */
export const PAGING = [...PLACE, 'limit', 'count', 'fields', 'omit', 'format']

export interface FiltersOptions {
  /** Whether the fields that are usually folded are shown. */
  isOpen?: boolean
  /** Fields that the filter tree of the list may name. */
  fields?: readonly Field[] | undefined
  /** Names of families of forms, by code. */
  families?: ReadonlyMap<string, string>
}

/** @returns null if the route has no filter */
export function filtersOf(
  route: Route,
  url: string,
  { isOpen = false, fields: named, families }: FiltersOptions = {},
): Html | null {
  const conditions = named ? conditionRows(url, named) : null
  const isTree = ({ name }: Parameter) => name === 'filters' && conditions !== null
  const fields = parametersOf(route).filter((field) => !PAGING.includes(field.name) && !isTree(field))
  if (fields.length === 0) return null
  const query = queryIn(url)
  const isFirst = ({ name, required }: Parameter) => name === 'q' || required
  const first = fields.filter(isFirst)
  const others = fields.filter((field) => !isFirst(field))
  const kept = ['limit', 'fields'].filter((name) => query.has(name))
  return html`<form class="filters" action="${pathIn(url)}" method="get">
${kept.map((name) => html`<input type="hidden" name="${name}" value="${query.getAll(name).join(',')}">`)}
${first.length > 0 && html`<div class="fields first">${first.map((field) => fieldOf(route.name, field, query, families))}<button class="button main" type="submit">Search</button></div>`}
${
  others.length > 0 &&
  html`<details class="more-filters"${isOpen && verbatim(' open')}><summary>Filters</summary>
<div class="fields">${others.map((field) => fieldOf(route.name, field, query, families))}</div>
${conditions}
<p class="actions"><button class="button main" type="submit">Apply</button> <a href="${pathIn(url)}">Reset</a></p></details>`
}
</form>`
}

function fieldOf(
  operation: string,
  parameter: Parameter,
  query: URLSearchParams,
  families?: ReadonlyMap<string, string>,
): Html {
  const { name, help, required, type } = parameter
  const choices = parameter.choices ?? (name === 'family' && families ? byName(families) : null)
  const id = `filter-${name}`
  const value = query.getAll(name).join(',')
  const control = choices
    ? selectOf(id, parameter, choices, value, families)
    : html`<input id="${id}" name="${name}" type="${type}" value="${value}"${required && verbatim(' required')}${help && html` aria-describedby="${id}-help"`} autocomplete="off">`
  return html`<div class="field"><label for="${id}">${parameterWords(operation, name)}</label>${control}${help && html`<p class="help" id="${id}-help">${forReaders(firstSentence(help), (other) => parameterWords(operation, other))}</p>`}</div>\n`
}

/** Families of forms, in the order of their names. */
const byName = (families: ReadonlyMap<string, string>): string[] =>
  [...families].sort(([, a], [, b]) => a.localeCompare(b, 'en')).map(([slug]) => slug)

function selectOf(
  id: string,
  { name, help, default: standard }: Parameter,
  choices: readonly string[],
  value: string,
  families?: ReadonlyMap<string, string>,
): Html {
  const wordsOf = (choice: string) => choiceWords(name, choice, help, families)
  const option = (choice: string) =>
    html`<option value="${choice}"${choice === value && verbatim(' selected')}>${wordsOf(choice)}</option>`
  // A value that is not one of the choices, such as several values together, stays unchanged.
  const given = value === '' || choices.includes(value) ? choices : [value, ...choices]
  const none = standard === null ? 'Any' : `${capital(wordsOf(standard))} (usual)`
  return html`<select id="${id}" name="${name}"><option value="">${none}</option>${given.map(option)}</select>`
}

const firstSentence = (text: string) => text.split(/(?<=\.) |\n/)[0]!.replace(/\.$/, '')
