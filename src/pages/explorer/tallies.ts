/** How many rows of a list have each value of a field: each leads to the list of these rows. */
import type { z } from 'zod'
import { isList, type Route } from '../../declare/route.ts'
import { labelOf } from '../../declare/table.ts'
import { schemaOf } from '../../serve/openapi/schemas.ts'
import { type Html, html, verbatim } from '../html.ts'
import { isRows } from './shape.ts'

/** Maximum number of values that are shown; the JSON has all of them. */
const SHOWN = 40

/** Fields that rows of the list can be counted by. */
function fieldsOf({ input }: Route): string[] {
  const type = input.shape.count as z.ZodType | undefined
  const words = type ? ((schemaOf(type).enum as string[] | undefined) ?? []) : []
  return words.filter((word) => word !== 'exact' && word !== 'estimate')
}

/** Links that count the rows by a field, and the counts that were requested. */
export function talliesOf(route: Route, url: string, counts: unknown): Html | null {
  const fields = fieldsOf(route)
  if (fields.length === 0) return null
  const [path = '', query = ''] = url.split('?')
  const asked = new URLSearchParams(query)
  const by = asked.get('count')
  const address = (changed: Readonly<Record<string, string>>) => {
    const next = new URLSearchParams(query)
    for (const name of ['count', 'cursor', 'offset', 'paginate']) next.delete(name)
    for (const [name, value] of Object.entries(changed)) next.set(name, value)
    return next.size === 0 ? path : `${path}?${next}`
  }
  const link = (field: string) =>
    html`<li><a href="${address({ count: field })}"${field === by && verbatim(' aria-current="true"')}>${labelOf(field)}</a></li>`
  return html`<div class="tallies"><p id="tallies">Count by</p><ul class="chips" aria-labelledby="tallies">${fields.map(link)}</ul></div>
${isRows(counts) && by !== null && tableOf(by, counts, route.input.shape[by] as z.ZodType, (value) => address({ [by]: value }))}`
}

type Row = Readonly<Record<string, unknown>>

function tableOf(field: string, counts: readonly Row[], type: z.ZodType, address: (value: string) => string): Html {
  const most = Math.max(...counts.map(({ count }) => Number(count)))
  const line = ({ value, count }: Row) => {
    const number = Number(count)
    const text = value === null ? 'none' : String(value)
    // A month is not a filter.
    // In a list of values a comma stands in quotes.
    const quoted = text.includes(',') && type && isList(type) ? `"${text.replaceAll('"', '""')}"` : text
    const name = value === null || field === 'month' ? text : html`<a href="${address(quoted)}">${text}</a>`
    return html`<tr><th scope="row">${name}</th><td class="number">${number.toLocaleString('en-US')}</td><td class="bar"><meter min="0" max="${most}" value="${number}">${String(count)}</meter></td></tr>\n`
  }
  const more = counts.length - SHOWN
  return html`<div class="wide" tabindex="0" role="region" aria-label="${`Rows by ${labelOf(field)}`}"><table class="rows counts"><caption class="unseen">Rows by ${labelOf(field)}</caption>
<thead><tr><th scope="col">${labelOf(field)}</th><th scope="col" class="number">Rows</th><td></td></tr></thead>
<tbody>
${counts.slice(0, SHOWN).map(line)}</tbody></table></div>
${more > 0 && html`<p class="says">${String(more)} more values are in the JSON.</p>`}`
}
