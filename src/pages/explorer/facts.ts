/** An object as facts, sections and tables: what is one value is a fact, and what is rows is a table. */
import { z } from 'zod'
import { thousands } from '../../declare/thousands.ts'
import { type Html, html } from '../html.ts'
import { textHtml } from '../markdown.ts'
import { filingWithin } from './evidence.ts'
import { type Linker, namedBy } from './linker.ts'
import { cutAfter } from './parts.ts'
import { tableOf } from './rows.ts'
import { elementOf, isMarkdownText, isNothing, isObject, isRows, type Member, membersOf, plain } from './shape.ts'
import { shown } from './value.ts'
import { wordsFor } from './words.ts'

/** Rows of one table within a page. The answer has all of them. */
const ROWS_SHOWN = 100
/** Sections within sections; deeper objects are values in a line. */
const DEPTH = 3
/** A longer text has a section of its own. */
const PROSE = 600
/** Objects of one shape become a table from this number on. */
const ALIKE_MIN = 3
/** Members about the answer and not about its subject: they are folded. */
const ABOUT_ANSWER = ['sources', 'read_from', 'sections']

export interface FactsOptions {
  links: Linker
  /** Members that the page shows elsewhere, at its top. */
  without: readonly string[]
  /** Address of the same answer as JSON. */
  json: string
  /** Stands between the facts and the sections. */
  between?: Html | null
  /** Members whose rows are drawn: their tables are folded. */
  drawn?: ReadonlySet<string>
}

type Values = Readonly<Record<string, unknown>>

export function factsOf(values: Values, type: z.ZodType | null, options: FactsOptions): Html {
  return sectionsOf(values, type, options, 2)
}

function sectionsOf(values: Values, type: z.ZodType | null, options: FactsOptions, level: number): Html {
  const members = membersOf(type, values).filter(({ name }) => !(level === 2 && options.without.includes(name)))
  const isFact = ({ name }: Member) => !isSection(values[name], level)
  const facts = members.filter(isFact).filter(({ name }) => values[name] !== undefined && !isAddress(values[name]))
  const sections = members.filter((member) => !isFact(member) && !isNothing(values[member.name]))
  const silent = members.filter(({ name }) => values[name] !== undefined && isNothing(values[name]))
  const stated = facts.filter((member) => !silent.includes(member))
  // On the page itself, what is not there comes after what is.
  const said = silentOf(silent, values)
  return html`${stated.length > 0 && factList(stated, members, values, options)}${level > 2 && said}${level === 2 && options.between}${sections.map((member) => sectionOf(member, values[member.name], within(member, values, options), level))}${level === 2 && said}`
}

/** The options of a member, which may be about another filing than what it is a member of. */
const within = ({ name, type }: Member, values: Values, options: FactsOptions): FactsOptions => ({
  ...options,
  links: options.links.within(filingWithin(type, values[name], values, options.links.filing)),
})

/** An address of the API: the page has a link with a name for it. */
const isAddress = (value: unknown) => typeof value === 'string' && value.startsWith('/v1/')

const isSection = (value: unknown, level: number): boolean =>
  (isRows(value) && value.length > 0) ||
  (isObject(value) && level < 2 + DEPTH && typeof value.sentence !== 'string') ||
  (typeof value === 'string' && value.length > PROSE)

function factList(
  members: readonly Member[],
  declared: readonly Member[],
  values: Values,
  { links }: FactsOptions,
): Html {
  const pairs = namedBy(declared)
  const hidden = new Set(
    [...pairs].flatMap(([by, { id }]) => (members.some(({ name }) => name === by) ? [id.name] : [])),
  )
  const line = ({ name, label, meaning, type }: Member) => {
    const value = shown(name, values[name], type, links)
    const pair = pairs.get(name)
    const id = pair && values[pair.id.name]
    const page = pair && !isNothing(id) ? links.about(pair.entity, String(id), pair.id.name) : null
    return html`<div><dt${meaning && html` title="${meaning}"`}>${label}</dt><dd>${page ? html`<a href="${page}">${value}</a>` : value}</dd></div>\n`
  }
  // If a thing has a name, the name is its link, and its number is shown without a link.
  const plainly = ({ name, label }: Member) => html`<div><dt>${label}</dt><dd>${String(values[name])}</dd></div>\n`
  return html`<dl class="facts">
${members.map((member) => (hidden.has(member.name) ? plainly(member) : line(member)))}</dl>`
}

/** Members without a value share a line: lists that are empty, and what is not stated. */
function silentOf(members: readonly Member[], values: Values): Html | null {
  const isEmpty = ({ name }: Member) => Array.isArray(values[name])
  const named = (some: readonly Member[]) => some.map(({ label }, n) => html`${n > 0 && ', '}${lower(label)}`)
  const [none, unstated] = [members.filter(isEmpty), members.filter((member) => !isEmpty(member))]
  if (members.length === 0) return null
  return html`<p class="silent">${none.length > 0 && html`None: ${named(none)}. `}${unstated.length > 0 && html`Not stated: ${named(unstated)}.`}</p>`
}

/** A label within a sentence: `State`, but not `CIK`. */
const lower = (label: string) =>
  /^[A-Z][a-z]+(?![A-Za-z])/.test(label) ? label[0]!.toLowerCase() + label.slice(1) : label

function sectionOf({ name, label, meaning, type }: Member, value: unknown, options: FactsOptions, level: number): Html {
  const head = headOf(level, label, isRows(value) ? value.length : null)
  const says = meaning && meaning !== label && html`<p class="says">${meaning}</p>`
  const content = contentOf(label, value, type, options, level)
  const isFolded = (level === 2 && options.drawn?.has(name)) || ABOUT_ANSWER.includes(name)
  return html`<section class="part"${level === 2 && html` id="${name}"`}>
${head}${says}
${isFolded ? html`<details class="folded"><summary>${isRows(value) ? 'Show the rows' : 'Show'}</summary>${content}</details>` : content}
</section>
`
}

function contentOf(label: string, value: unknown, type: z.ZodType | null, options: FactsOptions, level: number): Html {
  if (typeof value === 'string') return longText(value, type, options)
  const { links, json } = options
  const table = alikeOf(value, type)
  if (table) return tableOf(table.rows, table.type, { caption: label, links })
  if (!isRows(value)) return sectionsOf(value as Values, type, options, level + 1)
  const more = value.length - ROWS_SHOWN
  return html`${tableOf(value.slice(0, ROWS_SHOWN), elementOf(type), { caption: label, links })}${more > 0 && html`<p class="says">${String(more)} more are in the <a href="${json}">JSON</a>.</p>`}`
}

/**
 * Returns the rows of an object whose members are all objects with the same members, each a single value: clients by
 * type, each with a number and assets. Null for any other value.
 */
function alikeOf(value: unknown, type: z.ZodType | null): { rows: Values[]; type: z.ZodType | null } | null {
  if (!isObject(value)) return null
  const stated = Object.entries(value).filter((entry): entry is [string, Values] => !isNothing(entry[1]))
  const names = (row: Values) => Object.keys(row).join()
  const isAlike = ([, row]: [string, unknown]) =>
    isObject(row) &&
    names(row) === names(stated[0]![1]) &&
    Object.values(row).every((cell) => !isObject(cell) && !isRows(cell))
  if (stated.length < ALIKE_MIN || !stated.every(isAlike)) return null
  const first = membersOf(type, value).find(({ name }) => name === stated[0]![0])
  const shape = plain(first?.type ?? null)
  return {
    rows: stated.map(([name, row]) => ({ kind: wordsFor(name), ...row })),
    type: shape instanceof z.ZodObject ? z.object({ kind: z.string(), ...shape.shape }) : null,
  }
}

/** Letters of a text that a page shows: its JSON has all of it, and the reader all of a filing. */
const TEXT_SHOWN = 60_000

function longText(text: string, type: z.ZodType | null, { json }: FactsOptions): Html {
  const isMarkdown = isMarkdownText(type)
  const shownText = text.length > TEXT_SHOWN ? text.slice(0, cutAfter(text, TEXT_SHOWN)) : text
  const rest = text.length - shownText.length
  return html`<div class="long-text${isMarkdown ? ' filed' : ' text'}">${isMarkdown ? textHtml(shownText) : shownText}</div>${rest > 0 && html`<p class="says">${thousands(rest)} more letters are in the <a href="${json}">JSON</a>.</p>`}`
}

function headOf(level: number, label: string, count: number | null): Html {
  const text = html`${label}${count !== null && html` <span class="count">${String(count)}</span>`}`
  if (level === 2) return html`<h2>${text}</h2>`
  return level === 3 ? html`<h3>${text}</h3>` : html`<h4>${text}</h4>`
}
