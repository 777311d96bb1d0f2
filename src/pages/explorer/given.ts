/** The filters that an address has, each with a link that removes it. */
import type { Route } from '../../declare/route.ts'
import { type Html, html } from '../html.ts'
import { changed, PLACE, queryIn } from './addresses.ts'
import { PAGING } from './filters.ts'
import { parametersOf } from './parameters.ts'
import { choiceWords, parameterWords } from './words.ts'

/** Parameters that choose an order. */
const ORDER = ['sort', 'dir', 'order']

/**
 * Parameters that a list accepts only with another parameter, by operation. `needs` has these other parameters; the
 * address must have at least one of them.
 */
const ONLY_WITH: Readonly<Record<string, readonly { name: string; value?: string; needs: readonly Filter[] }[]>> = {
  eightk_events: [
    { name: 'kind', value: 'item', needs: [{ name: 'item' }] },
    { name: 'item', needs: [{ name: 'kind', value: 'item' }] },
  ],
  // A tree may name fields that only filings of the family have.
  filings: [{ name: 'filters', needs: [{ name: 'family' }] }],
  npx_votes: ['how', 'management'].map((name) => ({ name, needs: [{ name: 'cusip' }, { name: 'series' }] })),
}

interface Filter {
  name: string
  /** The value that the parameter must have; absent if any value suffices. */
  value?: string
}

/** The address without a filter, and without the filters that the list accepts only together with this filter. */
function withoutFilter(operation: string, url: string, name: string): string {
  const left = changed(url, {}, [name, ...PLACE])
  const has = (address: string, filter: Filter) => {
    const query = queryIn(address)
    return query.has(filter.name) && (filter.value === undefined || query.get(filter.name) === filter.value)
  }
  const isMet = (address: string, { needs }: { needs: readonly Filter[] }) => needs.some((one) => has(address, one))
  const stray = (ONLY_WITH[operation] ?? []).filter((one) => has(left, one) && isMet(url, one) && !isMet(left, one))
  return changed(
    left,
    {},
    stray.map((one) => one.name),
  )
}

interface Given {
  name: string
  label: string
  /** The values in words. */
  shown: string
}

function givenIn(route: Route, url: string, families: ReadonlyMap<string, string>): Given[] {
  const query = queryIn(url)
  const given = parametersOf(route).filter(
    ({ name }) => query.has(name) && !PAGING.includes(name) && !ORDER.includes(name) && name !== 'filters',
  )
  return given.map(({ name, help, isList }) => {
    const values = query.getAll(name).flatMap((value) => (isList ? value.split(',') : [value]))
    const shown = values.map((value) => choiceWords(name, value, help, families)).join(', ')
    return { name, label: parameterWords(route.name, name), shown }
  })
}

/** The filters of a list in words, for the title of its page. */
export const givenWords = (route: Route, url: string, families: ReadonlyMap<string, string>): string[] =>
  givenIn(route, url, families).map(({ label, shown }) => `${label} ${shown}`)

/** Null if the list is not filtered. */
export function givenOf(route: Route, url: string, families: ReadonlyMap<string, string>): Html | null {
  const given = givenIn(route, url, families)
  if (given.length === 0) return null
  const chip = ({ name, label, shown }: Given) =>
    html`<li>${label} <b>${shown}</b> <a href="${withoutFilter(route.name, url, name)}" aria-label="${`Remove the filter ${label} ${shown}`}">×</a></li>\n`
  return html`<ul class="given" aria-label="Filters in use">${given.map(chip)}</ul>`
}
