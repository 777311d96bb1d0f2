/** One value as people read it: numbers with their unit, days, and links to what a number names. */
import type { z } from 'zod'
import type { Unit } from '../../declare/table.ts'
import { thousands } from '../../declare/thousands.ts'
import { type Html, html, joined } from '../html.ts'
import { textHtml } from '../markdown.ts'
import { placeAddress, placeOf } from './evidence.ts'
import { type Linker, namedBy } from './linker.ts'
import { elementOf, isMarkdownText, isObject, isRows, membersOf, notesOf } from './shape.ts'

/** Longer texts are folded. */
const TEXT_SHOWN = 240
/** Letters of a text that a cell has when it is opened. */
const CELL_SHOWN = 20_000
/** Values of a list that a cell shows. */
const LISTED = 6
/** Longest list that a cell has whole when it is opened; the JSON has all of it. */
const OPENED = 200

export const NOTHING = html`<span class="none" title="Not stated">–</span>`

/** A value that fits in a cell. */
export function shown(name: string, value: unknown, type: z.ZodType | null, links: Linker): Html {
  if (value === null || value === undefined || value === '') return NOTHING
  if (typeof value === 'boolean') return html`${value ? 'Yes' : 'No'}`
  if (typeof value === 'number') return html`${numberOf(name, String(value), notesOf(type).unit)}`
  if (typeof value === 'string' && isMarkdownText(type)) return markdownOf(value)
  if (typeof value === 'string') return textOf(name, value, type, links)
  if (Array.isArray(value)) return listOf(name, value, type, links)
  return isObject(value) ? objectOf(value, type, links) : NOTHING
}

/** Whether values of a column stand at the right, as numbers do. */
export const isNumber = (value: unknown, type: z.ZodType | null): boolean =>
  typeof value === 'number' || (typeof value === 'string' && notesOf(type).unit !== undefined && DECIMAL.test(value))

const DECIMAL = /^-?\d+(\.\d+)?$/
const DAY = /^\d{4}-\d\d-\d\d$/
const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d(\.\d+)?)?(Z|\+00:00)$/

function textOf(name: string, text: string, type: z.ZodType | null, links: Linker): Html {
  const { unit, entity } = notesOf(type)
  if (unit !== undefined && DECIMAL.test(text)) return html`${numberOf(name, text, unit)}`
  if (DAY.test(text)) return html`<time datetime="${text}">${text}</time>`
  const moment = MOMENT.exec(text)
  if (moment) return html`<time datetime="${text}">${moment[1]!} ${moment[2]!} UTC</time>`
  const page = entity ? links.about(entity, text, name) : /^S\d{9}$/.test(text) ? links.ofSeries(text) : null
  if (page !== null) return html`<a href="${page}">${entity === 'cik' ? text.replace(/^0+(?=\d)/, '') : text}</a>`
  if (text.startsWith('/v1/')) {
    const own = links.pageOf(text)
    return own === null ? html`<code>${text}</code>` : html`<a href="${own}">${own}</a>`
  }
  if (/^https:\/\/[^\s"<>]+$/.test(text)) {
    return html`<a href="${text}" rel="noopener noreferrer">${text.replace(/^https:\/\/(www\.)?/, '').slice(0, 60)}</a>`
  }
  if (text.length <= TEXT_SHOWN) return html`<span class="text">${text}</span>`
  return html`<details class="long"><summary>${text.slice(0, TEXT_SHOWN).trimEnd()}…</summary><div class="text">${text}</div></details>`
}

/** A text of a filing in a cell: its beginning, and when it is opened all of it. */
function markdownOf(text: string): Html {
  if (text.length <= TEXT_SHOWN && !/[\\\n*|]/.test(text)) return html`<span class="text">${text}</span>`
  const begin = text
    .slice(0, TEXT_SHOWN)
    .replace(/\\(?=[!-/:-@[-`{-~])|\*\*|[|\n]+/g, ' ')
    .trimEnd()
  const shownText = text.slice(0, CELL_SHOWN)
  const rest = text.length - shownText.length
  return html`<details class="long"><summary>${begin}…</summary><div class="filed">${textHtml(shownText)}${rest > 0 && html`<p>${thousands(rest)} more letters are in the JSON.</p>`}</div></details>`
}

/** `$1,234.50`, `12.5%`, `1,234`: the digits are those of the answer. */
export function numberOf(name: string, text: string, unit: Unit | undefined): string {
  if (!DECIMAL.test(text)) return text
  // A number without a unit may be a year or a code.
  const grouped = /(^|_)year$/.test(name) || (unit === undefined && text.length < 6) ? text : groupedOf(text)
  if (unit === 'USD' || unit === 'USD_per_share') return grouped.replace(/^(-?)/, '$1$$')
  return unit === 'percent' ? `${grouped}%` : grouped
}

/** Groups of three digits before the point. */
function groupedOf(text: string): string {
  const [whole = '', fraction] = text.split('.')
  return fraction === undefined ? thousands(whole) : `${thousands(whole)}.${fraction}`
}

function listOf(name: string, values: readonly unknown[], type: z.ZodType | null, links: Linker): Html {
  if (values.length === 0) return NOTHING
  // A list of numbers of things says for all of them what they are.
  const element = notesOf(type).entity ? type : elementOf(type)
  const one = (value: unknown) =>
    isObject(value)
      ? (nameOf(value, element, links) ?? objectOf(value, element, links))
      : shown(name, value, element, links)
  const isNamed = isRows(values) && values.every((value) => nameOf(value, element, links) !== null)
  if (isRows(values) && !isNamed) {
    return foldedOf(values.map(one))
  }
  const inLine = (some: readonly unknown[]) => joined(some.map((value, n) => html`${n > 0 && ', '}${one(value)}`))
  if (values.length <= LISTED) return inLine(values)
  const beyond = values.length - OPENED
  return html`<details class="long"><summary>${inLine(values.slice(0, LISTED))} and ${String(values.length - LISTED)} more</summary>${inLine(values.slice(LISTED, OPENED))}${beyond > 0 && ` and ${beyond} more in the JSON`}</details>`
}

/** How many things there are, and when it is opened each on a line. */
const foldedOf = (things: readonly Html[]): Html =>
  html`<details class="long"><summary>${String(things.length)}</summary><ul class="plain-list">${things.slice(0, OPENED).map((thing) => html`<li>${thing}</li>`)}${things.length > OPENED && html`<li>${String(things.length - OPENED)} more are in the JSON</li>`}</ul></details>`

/** The name of an object that is something with a name and a number, as a link; null if it is not. */
function nameOf(value: Readonly<Record<string, unknown>>, type: z.ZodType | null, links: Linker): Html | null {
  const [pair] = namedBy(membersOf(type, value))
  if (!pair) return null
  const [name, { id, entity }] = pair
  if (typeof value[name] !== 'string' || value[name] === '') return null
  const page = typeof value[id.name] === 'string' ? links.about(entity, value[id.name] as string, id.name) : null
  const text = html`<span class="text">${value[name]}</span>`
  return page === null ? text : html`<a href="${page}">${text}</a>`
}

/** An object in a line: the sentence of an evidence, else its members. Objects by name are folded as rows are. */
function objectOf(value: Readonly<Record<string, unknown>>, type: z.ZodType | null, links: Linker): Html {
  if (typeof value.sentence === 'string') {
    const place = placeOf(value, links.filing)
    const words = html`<q class="text">${value.sentence}</q>`
    return place
      ? html`<a class="quote" href="${placeAddress(place)}" title="In the text of the filing">${words}</a>`
      : words
  }
  const members = membersOf(type, value).filter(({ name }) => value[name] !== null && value[name] !== undefined)
  if (members.length === 0) return NOTHING
  const labelled = members.map(
    ({ name, label, type: own }) => html`<span class="label">${label}</span> ${shown(name, value[name], own, links)}`,
  )
  if (members.length > 1 && members.every(({ name }) => isObject(value[name]))) return foldedOf(labelled)
  return joined(labelled.map((member, n) => html`${n > 0 && '; '}${member}`))
}
