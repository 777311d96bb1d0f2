/** One value as people read it: numbers with their unit, days, and links to the things that ids name. */
import { decodeHTML } from 'entities'
import { z } from 'zod'
import type { Entity, Unit } from '../../declare/table.ts'
import { thousands } from '../../declare/thousands.ts'
import { type Html, html, joined } from '../html.ts'
import { textHtml } from '../markdown.ts'
import { ACCOUNT_ASSETS, accountAssets, codeWords, formItem, seriesWords } from './codes.ts'
import { placeAddress, placeOf } from './evidence.ts'
import { type Linker, namedBy } from './linker.ts'
import { elementOf, isObject, isRows, type Member, membersOf, notesOf, plain } from './shape.ts'
import { codeOfWords } from './words.ts'

/** Maximum number of letters of a text that is shown without folding. */
const TEXT_SHOWN = 240
/** Maximum number of letters of a text in an opened cell. */
const CELL_SHOWN = 20_000
/** Number of values of a list that a cell shows before it is opened. */
const LISTED = 6
/** Maximum number of letters of these values together, if the list has more values. */
const LETTERS = 120
/** Maximum number of values of a list in an opened cell; the JSON has all of them. */
const OPENED = 200

/**
 * For a cell that is not opened: how many objects of a list it summarises, how many members of each object, and how
 * many letters of each member.
 */
const BRIEF = 2
const BRIEF_MEMBERS = 3
const BRIEF_TEXT = 60

export const NOTHING = html`<span class="none" title="Not stated">–</span>`

/** Shows a value in a form that fits in a cell. */
export function shown(name: string, value: unknown, type: z.ZodType | null, links: Linker): Html {
  if (value === null || value === undefined || value === '') return NOTHING
  if (typeof value === 'boolean') return html`${value ? 'Yes' : 'No'}`
  if (typeof value === 'number')
    return html`${isPart(type) ? percentOf(value) : numberOf(name, String(value), notesOf(type).unit)}`
  if (typeof value === 'string' && notesOf(type).isMarkdown) return markdownOf(value)
  if (typeof value === 'string') return textOf(name, value, type, links)
  if (Array.isArray(value)) return listOf(name, value, type, links)
  return isObject(value) ? objectOf(value, type, links) : NOTHING
}

/** Whether a value is right-aligned, like a number. */
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
  const linked = linkedText(name, text, entity, links)
  if (linked !== null) return linked
  if (name === 'fiscal_year_end' && MONTH_DAY.test(text)) return html`${monthDay(text)}`
  const words = codeWords(name, text, notesOf(type).meaning)
  if (words !== null && words.toLowerCase() === text) return html`${words}`
  if (words !== null) return html`${words} <small class="code">${text}</small>`
  const own = familyIn(name, text, links) ?? codeOfWords(text) ?? seriesWords(text)
  if (own !== null) return html`<span title="${text}">${own}</span>`
  if (text.length <= TEXT_SHOWN) return html`<span class="text">${withoutBars(text)}</span>`
  return html`<details class="long"><summary>${text.slice(0, TEXT_SHOWN).trimEnd()}…</summary><div class="text">${text}</div></details>`
}

/** A text with a link: an id, an address of this service or of a site, or a key of the log. Null for any other text. */
function linkedText(name: string, text: string, entity: Entity | undefined, links: Linker): Html | null {
  const page = entity ? links.about(entity, text, name) : /^S\d{9}$/.test(text) ? links.ofSeries(text) : null
  if (page !== null)
    return html`<a href="${page}">${entity === 'cik' ? text.replace(/^0+(?=\d)/, '') : briefId(text)}</a>`
  if (entity && links.isAbsent(entity, text))
    return html`<span title="${NOT_LOADED[entity] ?? 'Nothing about it is loaded here'}">${briefId(text)}</span>`
  if (text.startsWith('/v1/')) {
    const own = readerOf(text) ?? links.pageOf(text)
    return own === null ? html`<code>${text}</code>` : html`<a href="${own}">${links.titleAt(text) ?? own}</a>`
  }
  const site = siteOf(text)
  if (site !== null) return html`<a href="${site.href}" rel="noopener noreferrer">${site.shown}</a>`
  const logged = name === 'key' ? loggedThing(text, links) : null
  return logged === null ? null : html`<a href="${logged}">${seriesWords(text) ?? text}</a>`
}

/** Hints for ids of things that are not loaded. */
const NOT_LOADED: Partial<Readonly<Record<Entity, string>>> = {
  accession: 'This filing is not loaded here; “openfilings ingest --cik” loads the filings of a filer',
  crd: 'No adviser with this number is loaded here; “openfilings ingest adv” loads advisers',
}

/** The name of the family of forms whose code the text is, if the member has such codes; null for any other text. */
const familyIn = (name: string, text: string, links: Linker): string | null =>
  FAMILY.includes(name) ? links.familyOf(text) : null

/** Members that have codes of families of forms. */
const FAMILY = ['family', 'families', 'dataset', 'source']

/**
 * Number of letters that are shown of an id that is made from a name or an ISIN: nobody reads such an id to its end.
 */
const ID_SHOWN = 16
const briefId = (id: string): string =>
  /^(name|isin)~/.test(id) && id.length > ID_SHOWN ? `${id.slice(0, ID_SHOWN)}…` : id

/** The reader page of the document that an address of the API returns as text; null for any other address. */
function readerOf(url: string): string | null {
  const [, accession, sequence] = /^\/v1\/doc-text\/\w+\/(\d{10}-\d\d-\d{6})\?sequence=(\d+)$/.exec(url) ?? []
  return accession === undefined ? null : `/filing/${accession}/text?sequence=${sequence}`
}

/** A web site as people type it: with or without a scheme, in lower or upper case. */
const SITE = /^(?:(https?):\/\/)?((?:www\.)?[a-z\d-]+(?:\.[a-z\d-]+)+(?::\d+)?)(\/[^\s"<>]*)?$/i

function siteOf(text: string): { href: string; shown: string } | null {
  const [, scheme, host, path = ''] = SITE.exec(text) ?? []
  if (host === undefined || (scheme === undefined && !/^www\./i.test(host))) return null
  const site = host.toLowerCase()
  const shown = `${site.replace(/^www\./, '')}${path === '/' ? '' : path}`
  return { href: `${scheme?.toLowerCase() ?? 'http'}://${site}${path}`, shown: shown.slice(0, 60) }
}

/** The kind of thing that a row of a bulk file is about, by the series of the file. */
const SERIES: Readonly<Record<string, Entity>> = {
  COMPANY_FACTS: 'cik',
  SUBMISSIONS: 'cik',
  IA_FIRM_SEC: 'crd',
  IA_FIRM_STATE: 'crd',
  IA_INDVL: 'person',
}

/** The thing that an entry of the event log names: a filing, or a row of a bulk file. */
export function loggedEntity(key: string): { entity: Entity; id: string } | null {
  const [, series = '', id] = /^(\w+)\/(\d{1,10})$/.exec(key) ?? []
  const entity = Object.hasOwn(SERIES, series) ? SERIES[series] : undefined
  if (entity !== undefined && id !== undefined) return { entity, id }
  return /^\d{10}-\d\d-\d{6}$/.test(key) ? { entity: 'accession', id: key } : null
}

/** The page of the thing that an entry of the event log names. */
function loggedThing(key: string, links: Linker): string | null {
  const logged = loggedEntity(key)
  return logged && links.about(logged.entity, logged.id, 'key')
}

const MONTH_DAY = /^(0[1-9]|1[0-2])[0-3]\d$/
const months = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })

/** Writes `0926` as `26 September`. */
const monthDay = (text: string): string =>
  `${Number(text.slice(2))} ${months.format(Date.UTC(2000, Number(text.slice(0, 2)) - 1, 1))}`

/** Joins the cells of a table's line with dots, since the sentence of evidence may be a line of a table. */
const withoutBars = (text: string): string =>
  text.startsWith('| ') && text.endsWith(' |') ? text.slice(2, -2).replaceAll(' | ', ' · ') : text

/** A text of a filing in a cell: first only its beginning; the whole text after the cell is opened. */
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

/**
 * Formats a number: `$1,234.50`, `12.5%`, `1,234`. The shown number keeps the digits of the answer, except in long
 * percentages.
 */
export function numberOf(name: string, given: string, unit: Unit | undefined): string {
  if (!DECIMAL.test(given)) return given
  const text = unit === 'percent' ? rounded(given) : given
  // A number without a unit may be a year or a code.
  const grouped = /(^|_)year$/.test(name) || (unit === undefined && text.length < 6) ? text : groupedOf(text)
  if (unit === 'USD' || unit === 'USD_per_share') return grouped.replace(/^(-?)/, '$1$$')
  return unit === 'percent' ? `${grouped}%` : grouped
}

/** Decimals of a percentage that are shown; more decimals do not help people, and the JSON has them. */
const DECIMALS = 4

const rounded = (text: string): string =>
  (text.split('.')[1]?.length ?? 0) > DECIMALS ? String(Number(Number(text).toFixed(DECIMALS))) : text

/**
 * Whether a number is a fraction that this service computed: such a number is shown in percent. Ratios that filings
 * state are decimal strings in answers, and are shown as filed, since some filers state percent.
 */
function isPart(type: z.ZodType | null): boolean {
  const own = plain(type)
  return notesOf(type).unit === 'ratio' && own instanceof z.ZodNumber && own.maxValue === 1
}

const percentOf = (part: number): string => `${Number((part * 100).toFixed(2))}%`

/** Adds separators between groups of three digits before the point. */
function groupedOf(text: string): string {
  const [whole = '', fraction] = text.split('.')
  return fraction === undefined ? thousands(whole) : `${thousands(whole)}.${fraction}`
}

function listOf(name: string, values: readonly unknown[], type: z.ZodType | null, links: Linker): Html {
  if (values.length === 0) return NOTHING
  // A list of ids declares once the kind of thing that all of them name.
  const element = notesOf(type).entity ? type : elementOf(type)
  const one = (value: unknown) =>
    isObject(value)
      ? (nameOf(value, element, links) ?? objectOf(value, element, links))
      : shown(name, value, element, links)
  if (isRows(values) && values.every(({ html: text }) => typeof text === 'string')) {
    return html`<ul class="excerpts">${values.slice(0, LISTED).map(({ html: text }) => html`<li>${excerptOf(String(text))}</li>`)}</ul>`
  }
  const isNamed = isRows(values) && values.every((value) => nameOf(value, element, links) !== null)
  if (isRows(values) && !isNamed) {
    const brief = values.slice(0, BRIEF).map((value) => briefOf(value))
    const rest = values.length - brief.length
    const summary = brief.every((text) => text !== null)
      ? `${brief.join('; ')}${rest > 0 ? ` and ${rest} more` : ''}`
      : null
    return foldedOf(values.map(one), summary)
  }
  const inLine = (some: readonly unknown[]) => joined(some.map((value, n) => html`${n > 0 && ', '}${one(value)}`))
  if (values.length <= LISTED) return inLine(values)
  const beyond = values.length - OPENED
  const first = listedOf(values)
  const more = html`and ${String(values.length - first)} more`
  const rest = html`${inLine(values.slice(first, OPENED))}${beyond > 0 && ` and ${beyond} more in the JSON`}`
  const begin = inLine(values.slice(0, first))
  // A control in HTML must not contain another control, so a text with links comes before the summary.
  if (begin.text.includes('<a ')) return html`${begin}<details class="long"><summary>${more}</summary>${rest}</details>`
  return html`<details class="long"><summary>${begin} ${more}</summary>${rest}</details>`
}

/** Number of values that a long list shows at first: at least one, and fewer if the values are sentences. */
function listedOf(values: readonly unknown[]): number {
  let letters = 0
  const some = values.slice(0, LISTED)
  const end = some.findIndex((value) => {
    letters += typeof value === 'string' ? value.length : 0
    return letters > LETTERS
  })
  return end < 0 ? LISTED : Math.max(end, 1)
}

/** Members that hold the id of a thing or a link to it. */
const NUMBERS = ['n', 'line', 'sequence', 'accession', 'url']

/**
 * Summarises an object by its first texts: `Dina Powell McCormick, director, resigned`; null if the object has no text,
 * or if its first text is a number.
 */
function briefOf(value: unknown): string | null {
  if (!isObject(value)) return null
  const [first, ...others] = Object.entries(value).filter(
    ([name, own]) => typeof own === 'string' && own !== '' && !NUMBERS.includes(name) && !DAY.test(own),
  )
  if (!first || DECIMAL.test(String(first[1]))) return null
  const words = [first, ...others].slice(0, BRIEF_MEMBERS).map(([name, own]) => {
    const text = codeOfWords(String(own)) ?? seriesWords(String(own)) ?? String(own)
    return DECIMAL.test(text)
      ? numberOf(name, text, undefined)
      : text.length > BRIEF_TEXT
        ? `${text.slice(0, BRIEF_TEXT - 1)}…`
        : text
  })
  return words.join(', ')
}

/** Shows how many things there are and, when opened, each thing on its own line. */
const foldedOf = (things: readonly Html[], summary: string | null = null): Html =>
  html`<details class="long"><summary>${summary ?? String(things.length)}</summary><ul class="plain-list">${things.slice(0, OPENED).map((thing) => html`<li>${thing}</li>`)}${things.length > OPENED && html`<li>${String(things.length - OPENED)} more are in the JSON</li>`}</ul></details>`

/** The name of an object with a name and an id, as a link; null for any other object. */
function nameOf(value: Readonly<Record<string, unknown>>, type: z.ZodType | null, links: Linker): Html | null {
  const [pair] = namedBy(membersOf(type, value))
  if (!pair) return null
  const [name, { id, entity }] = pair
  if (typeof value[name] !== 'string' || value[name] === '') return null
  const page = typeof value[id.name] === 'string' ? links.about(entity, value[id.name] as string, id.name) : null
  const text = html`<span class="text">${value[name]}</span>`
  return page === null ? text : html`<a href="${page}">${text}</a>`
}

/** An excerpt of a text in which the found words are marked: these marks are the only tags in the excerpt. */
function excerptOf(text: string): Html {
  const parts = text.split(/<mark>([^<]*)<\/mark>/).map((part) => decodeHTML(part))
  return html`<span class="text">${parts.map((part, n) => (n % 2 === 1 ? html`<mark>${part}</mark>` : part))}</span>`
}

/** Puts columns of a form in the order of the form's items; other members keep their order. */
function inFormOrder(members: readonly Member[]): readonly Member[] {
  const isForm = members.some(({ name }) => formItem(name) !== null || accountAssets(name) !== null)
  if (!isForm) return members
  const order = Object.values(ACCOUNT_ASSETS)
  const place = ({ name }: Member) => order.indexOf(accountAssets(name)?.assets ?? '')
  return members.toSorted((a, b) => place(a) - place(b) || natural.compare(a.name, b.name))
}

const natural = new Intl.Collator('en', { numeric: true })

/**
 * An object in one line: the sentence if the object is evidence, else its members. An object whose members are all
 * objects is folded like rows.
 */
function objectOf(value: Readonly<Record<string, unknown>>, type: z.ZodType | null, links: Linker): Html {
  if (typeof value.sentence === 'string') {
    const place = placeOf(value, links.filing)
    const words = html`<q class="text">${withoutBars(value.sentence)}</q>`
    return place
      ? html`<a class="quote" href="${placeAddress(place)}" title="In the text of the filing">${words}</a>`
      : words
  }
  const members = inFormOrder(
    membersOf(type, value).filter(({ name }) => value[name] !== null && value[name] !== undefined),
  )
  if (members.length === 0) return NOTHING
  const labelled = members.map(
    ({ name, label, type: own }) => html`<span class="label">${label}</span> ${shown(name, value[name], own, links)}`,
  )
  if (members.length > 1 && members.every(({ name }) => isObject(value[name]))) return foldedOf(labelled)
  return joined(labelled.map((member, n) => html`${n > 0 && '; '}${member}`))
}
