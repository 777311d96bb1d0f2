/** The filters that an address has, each with a link that removes it. */
import type { Route } from '../../declare/route.ts'
import { type Html, html } from '../html.ts'
import { changed, PLACE, queryIn } from './addresses.ts'
import { PAGING } from './filters.ts'
import { type Parameter, parametersOf } from './parameters.ts'
import { choiceWords, parameterWords } from './words.ts'

/** Parameters that choose an order. */
const ORDER = ['sort', 'dir', 'order']

/** Null if the list is not filtered. */
export function givenOf(route: Route, url: string): Html | null {
  const query = queryIn(url)
  const given = parametersOf(route).filter(
    ({ name }) => query.has(name) && !PAGING.includes(name) && !ORDER.includes(name) && name !== 'filters',
  )
  if (given.length === 0) return null
  const chip = ({ name, help }: Parameter) => {
    const value = query.getAll(name).join(', ')
    const label = parameterWords(route.name, name)
    const shown = choiceWords(name, value, help)
    return html`<li>${label} <b>${shown}</b> <a href="${changed(url, {}, [name, ...PLACE])}" aria-label="${`Remove the filter ${label} ${shown}`}">×</a></li>\n`
  }
  return html`<ul class="given" aria-label="Filters in use">${given.map(chip)}</ul>`
}
