/** How many rows of a list have each value of a field: each leads to the list of these rows. */
import type { Route } from '../../declare/route.ts'
import { thousands } from '../../declare/thousands.ts'
import { type Html, html, verbatim } from '../html.ts'
import { changed, PLACE, queryIn } from './addresses.ts'
import { parametersOf } from './parameters.ts'
import { isRows } from './shape.ts'
import { wordsFor } from './words.ts'

/** Maximum number of values that are shown; the JSON has all of them. */
const SHOWN = 40

/** Links that count the rows by a field, and the counts that were requested. */
export function talliesOf(route: Route, url: string, counts: unknown): Html | null {
  const parameters = parametersOf(route)
  const fields = (parameters.find(({ name }) => name === 'count')?.choices ?? []).filter(
    (word) => word !== 'exact' && word !== 'estimate',
  )
  if (fields.length === 0) return null
  const by = queryIn(url).get('count')
  const address = (set: Readonly<Record<string, string>>) => changed(url, set, ['count', ...PLACE])
  const link = (field: string) =>
    html`<li><a href="${address({ count: field })}"${field === by && verbatim(' aria-current="true"')}>${wordsFor(field)}</a></li>`
  const filter = parameters.find(({ name }) => name === by)
  // In a list of values, a value with a comma stands in quotes.
  const given = (value: string) => (filter?.isList && value.includes(',') ? `"${value.replaceAll('"', '""')}"` : value)
  // A month is not a filter.
  const linkOf = (value: string) => (filter ? address({ [filter.name]: given(value) }) : null)
  return html`<div class="tallies"><p id="tallies">Count by</p><ul class="chips" aria-labelledby="tallies">${fields.map(link)}</ul></div>
${isRows(counts) && by !== null && tableOf(wordsFor(by), counts, linkOf)}`
}

type Row = Readonly<Record<string, unknown>>

function tableOf(label: string, counts: readonly Row[], linkOf: (value: string) => string | null): Html {
  const most = Math.max(...counts.map(({ count }) => Number(count)))
  const line = ({ value, count }: Row) => {
    const text = value === null ? 'none' : String(value)
    const page = value === null ? null : linkOf(text)
    const name = page === null ? text : html`<a href="${page}">${text}</a>`
    return html`<tr><th scope="row">${name}</th><td class="number">${thousands(Number(count))}</td><td class="bar"><meter min="0" max="${most}" value="${Number(count)}">${String(count)}</meter></td></tr>\n`
  }
  const more = counts.length - SHOWN
  return html`<div class="wide" tabindex="0" role="region" aria-label="${`Rows by ${label}`}"><table class="rows counts"><caption class="unseen">Rows by ${label}</caption>
<thead><tr><th scope="col">${label}</th><th scope="col" class="number">Rows</th><td></td></tr></thead>
<tbody>
${counts.slice(0, SHOWN).map(line)}</tbody></table></div>
${more > 0 && html`<p class="says">${String(more)} more values are in the JSON.</p>`}`
}
