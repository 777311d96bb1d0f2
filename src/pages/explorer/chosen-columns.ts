/** The columns of a list that its reader chose: the parameter `fields`, as a form of checkboxes. */
import type { ServedRoute } from '../../declare/catalog.ts'
import { type Html, html, verbatim } from '../html.ts'
import { changed, pathIn, queryIn } from './addresses.ts'
import { namedBy } from './linker.ts'
import { type Member, membersOf } from './shape.ts'

/** Members that a row needs in addition to its columns, since the link to its filing or brochure uses them. */
const NEEDED = ['accession', 'id']

/** The names in `fields`; null if the address chooses none. */
export function chosenIn(url: string): readonly string[] | null {
  const given = queryIn(url)
    .getAll('fields')
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return given.length === 0 ? null : given
}

/**
 * Adds to `fields` the columns with the ids of the things that the chosen columns name, since a name links to the page
 * of its id.
 */
export function withNeeded({ list }: Pick<ServedRoute, 'list'>, url: string): string {
  const chosen = chosenIn(url)
  if (list === null || chosen === null) return url
  const pairs = namedBy(membersOf(list.row, {}))
  const ids = chosen.flatMap((name) => pairs.get(name)?.id.name ?? [])
  const there = NEEDED.filter((name) => name in list.row.shape)
  return changed(url, { fields: [...new Set([...chosen, ...ids, ...there])].join(',') })
}

/**
 * The form that chooses columns.
 *
 * @param shown names of the columns that the table has
 */
export function columnsForm(columns: readonly Member[], shown: ReadonlySet<string>, url: string): Html {
  const kept = [...queryIn(url)].filter(([name]) => name !== 'fields' && name !== 'omit')
  const box = ({ name, label, meaning }: Member) =>
    html`<label${meaning && html` title="${meaning}"`}><input type="checkbox" name="fields" value="${name}"${shown.has(name) && verbatim(' checked')}> ${label}</label>\n`
  return html`<details class="choose"><summary>Columns</summary>
<form action="${pathIn(url)}" method="get">${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="boxes">${columns.map(box)}</div>
<p class="actions"><button class="button" type="submit">Show these</button>${chosenIn(url) !== null && html` <a href="${changed(url, {}, ['fields', 'omit'])}">Usual columns</a>`}</p></form></details>`
}
