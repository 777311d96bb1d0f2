/** Shows how many rows of a list have each value of a field; each value links to the list of its rows. */
import type { Route } from '../../declare/route.ts'
import { thousands } from '../../declare/thousands.ts'
import { type Html, html, verbatim } from '../html.ts'
import { changed, PLACE, queryIn } from './addresses.ts'
import { parametersOf } from './parameters.ts'
import { isObject, isRows } from './shape.ts'
import { choiceWords, parameterWords, wordsFor } from './words.ts'

/** Maximum number of values that are shown; the JSON has all of them. */
const SHOWN = 40

/** Fields by which a list can be counted only if another parameter has a certain value. */
const COUNTED_WITH: Readonly<Record<string, { field: string; parameter: string; value: string }>> = {
  // For other kinds, the API refuses to count by this field. Without the parameter `kind`, the kind is `officer`.
  eightk_events: { field: 'event', parameter: 'kind', value: 'officer' },
}

/** Shows links that count the rows by a field, and the counts that were requested. */
export function talliesOf(
  route: Route,
  url: string,
  counts: unknown,
  families: ReadonlyMap<string, string>,
): Html | null {
  const parameters = parametersOf(route)
  const query = queryIn(url)
  const only = COUNTED_WITH[route.name]
  const isLeftOut = (field: string) => only?.field === field && (query.get(only.parameter) ?? only.value) !== only.value
  const fields = (parameters.find(({ name }) => name === 'count')?.choices ?? []).filter(
    (word) => word !== 'exact' && word !== 'estimate' && !isLeftOut(word),
  )
  if (fields.length === 0) return null
  const by = query.get('count')
  const address = (set: Readonly<Record<string, string>>) => changed(url, set, ['count', ...PLACE])
  const link = (field: string) =>
    html`<li><a href="${address({ count: field })}"${field === by && verbatim(' aria-current="true"')}>${parameterWords(route.name, field)}</a></li>`
  const filter = parameters.find(({ name }) => name === by)
  // In a parameter that lists values, a value with a comma needs quotes.
  const given = (value: string) => (filter?.isList && value.includes(',') ? `"${value.replaceAll('"', '""')}"` : value)
  // A month gets no link, since no filter takes a month.
  const linkOf = (value: string) => (filter ? address({ [filter.name]: given(value) }) : null)
  return html`<div class="facets"><div class="tallies"><p id="tallies">Count by</p><ul class="chips" aria-labelledby="tallies">${fields.map(link)}</ul></div>
${isRows(counts) && by !== null && tableOf(parameterWords(route.name, by), counts, linkOf, (value) => choiceWords(by, value, filter?.help ?? null, families))}</div>`
}

type Row = Readonly<Record<string, unknown>>

/**
 * Counts that an answer has although the request does not ask for them. `member` has the counts. Each table is made
 * from one of its own members, such as `by_form`. The values of a table link to their rows.
 */
const AT_SIDE: Readonly<
  Record<
    string,
    { member: string; tables: Readonly<Record<string, (value: string) => Readonly<Record<string, string>>>> }
  >
> = {
  text_search: {
    member: 'document_counts',
    tables: {
      form: (form) => ({ form }),
      year: (year) => ({ from: `${year}-01-01`, to: `${year}-12-31` }),
    },
  },
}

/**
 * The counts next to the rows of a list, and the members of the answer that hold the counts; null if the list has no
 * counts.
 */
export function countsAtSide(
  { name }: Pick<Route, 'name'>,
  url: string,
  answer: Row,
): { tables: Html; members: readonly string[] } | null {
  const atSide = AT_SIDE[name]
  const counts = atSide && answer[atSide.member]
  if (!atSide || !isObject(counts)) return null
  const tables = Object.entries(atSide.tables).flatMap(([by, filter]) => {
    const rows = counts[`by_${by}`]
    if (!isRows(rows)) return []
    const values = rows.map((row) => ({ value: row[by], count: row.count }))
    return [tableOf(wordsFor(by), values, (value) => changed(url, filter(value), PLACE))]
  })
  return { tables: html`<div class="facets beside">${tables}</div>`, members: [atSide.member] }
}

function tableOf(
  label: string,
  counts: readonly Row[],
  linkOf: (value: string) => string | null,
  wordsOf: (value: string) => string = (value) => value,
): Html {
  const most = Math.max(...counts.map(({ count }) => Number(count)))
  const line = ({ value, count }: Row) => {
    const text = value === null ? 'none' : String(value)
    const page = value === null ? null : linkOf(text)
    const words = value === null ? text : wordsOf(text)
    const name = page === null ? words : html`<a href="${page}">${words}</a>`
    return html`<tr><th scope="row">${name}</th><td class="number">${thousands(Number(count))}</td><td class="bar"><meter min="0" max="${most}" value="${Number(count)}">${String(count)}</meter></td></tr>\n`
  }
  const more = counts.length - SHOWN
  return html`<div class="wide" tabindex="0" role="region" aria-label="${`Rows by ${label}`}"><table class="rows counts"><caption class="unseen">Rows by ${label}</caption>
<thead><tr><th scope="col">${label}</th><th scope="col" class="number">Rows</th><td></td></tr></thead>
<tbody>
${counts.slice(0, SHOWN).map(line)}</tbody></table></div>
${more > 0 && html`<p class="says">${String(more)} more values are in the JSON.</p>`}`
}
