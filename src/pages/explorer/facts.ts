/** Shows an object as facts, sections and tables: a single value is a fact, and rows are a table. */
import { z } from 'zod'
import { thousands } from '../../declare/thousands.ts'
import { type Html, html } from '../html.ts'
import { textHtml } from '../markdown.ts'
import { filingWithin } from './evidence.ts'
import { type FactGroup, groupsOf, isRepeatedFact } from './fact-groups.ts'
import { type Linker, namedBy } from './linker.ts'
import { cutAfter } from './parts.ts'
import { tableOf } from './rows.ts'
import { elementOf, isNothing, isObject, isRows, type Member, membersOf, notesOf, plain } from './shape.ts'
import { shown } from './value.ts'
import { wordsFor } from './words.ts'

/** Maximum number of rows of one table on a page. The answer has all of them. */
const ROWS_SHOWN = 100
/** Maximum depth of nested sections; deeper objects are written in one line. */
const DEPTH = 3
/** A text longer than this gets its own section. */
const PROSE = 600
/** Minimum number of objects of one shape that become a table. */
const ALIKE_MIN = 2
/**
 * Members that are folded, because they are about the answer rather than its subject, or because they are raw files.
 */
const FOLDED = ['sources', 'read_from', 'sections', 'part1a', 'part1a_schedules']

export interface FactsOptions {
  links: Linker
  /** Members that the page shows elsewhere, at its top. */
  without: readonly string[]
  /** Address of the same answer as JSON. */
  json: string
  /** Content that is shown between the facts and the sections. */
  between?: Html | null
  /** Columns that come right after the name in every table of the page, and are never folded into its last cell. */
  first?: readonly string[]
  /** Members whose rows are drawn: their tables are folded. */
  drawn?: ReadonlySet<string>
}

type Values = Readonly<Record<string, unknown>>

export function factsOf(values: Values, type: z.ZodType | null, options: FactsOptions): Html {
  return sectionsOf(values, type, options, 2)
}

function sectionsOf(values: Values, type: z.ZodType | null, options: FactsOptions, level: number): Html {
  const shape = plain(type)
  const members = membersOf(type, values).filter(
    ({ name }) => !(level === 2 && options.without.includes(name)) && !isRepeatedFact(shape, name, values),
  )
  const isFact = ({ name }: Member) => !isSection(values[name], level)
  const facts = members
    .filter(isFact)
    .filter(({ name }) => values[name] !== undefined && !isAddress(values[name]) && !counterOf(name, members, values))
  const isEmpty = ({ name }: Member) => isNothing(values[name]) || isUnheld(values[name])
  const sections = members.filter((member) => !isFact(member) && !isEmpty(member))
  const silent = members.filter(
    (member) => values[member.name] !== undefined && isEmpty(member) && !counterOf(member.name, members, values),
  )
  const stated = facts.filter((member) => !silent.includes(member))
  // At the top level of the page, members without a value come last.
  const silentText = silentOf(silent, values, unreadIn(values))
  return html`${stated.length > 0 && groupedFacts(groupsOf(shape), stated, members, values, options, level)}${level > 2 && silentText}${level === 2 && options.between}${sections.map((member) => sectionOf(member, values[member.name], within(member, values, options), level))}${level === 2 && silentText}`
}

/** The options for a member; the member may quote a different filing than the object that contains the member. */
const within = ({ name, type }: Member, values: Values, options: FactsOptions): FactsOptions => ({
  ...options,
  links: options.links.within(filingWithin(type, values[name], values, options.links.filing)),
})

/** Whether a value is an address of the API: the page shows a named link instead. */
const isAddress = (value: unknown) => typeof value === 'string' && value.startsWith('/v1/')

const isSection = (value: unknown, level: number): boolean =>
  (isRows(value) && value.length > 0) ||
  (isObject(value) && level < 2 + DEPTH && typeof value.sentence !== 'string') ||
  (typeof value === 'string' && value.length > PROSE)

/** Whether an object has an empty list of holders and a count of zero. Such a part is not shown as a section. */
const isUnheld = (value: unknown): boolean =>
  isObject(value) &&
  Array.isArray(value.holders) &&
  value.holders.length === 0 &&
  (value.holder_count === 0 || value.fund_count === 0)

/** Facts under the headings of their groups; facts without a group come first. */
function groupedFacts(
  groups: readonly FactGroup[],
  stated: readonly Member[],
  declared: readonly Member[],
  values: Values,
  options: FactsOptions,
  level: number,
): Html {
  const loose = stated.filter(({ name }) => !groups.some(({ members }) => name in members))
  const each = groups.flatMap((group) => {
    const members = stated.filter(({ name }) => name in group.members)
    if (members.length === 0) return []
    const own = Object.keys(group.members).flatMap((name) => {
      const member = members.find((each) => each.name === name)
      return member ? [{ ...member, label: group.members[name] ?? member.label }] : []
    })
    const content = group.isChoice ? choicesOf(own, values) : factList(own, declared, values, options)
    return [html`<section class="fact-group">${headOf(level, group.title, null)}${content}</section>\n`]
  })
  return html`${loose.length > 0 && factList(loose, declared, values, options)}${each}`
}

/**
 * Returns the count that belongs to a list of texts (`left_out_count` for `left_out`), if both have the same label: the
 * page shows such a list and its count as one fact. Undefined for any other member.
 */
function counterOf(name: string, members: readonly Member[], values: Values): Member | undefined {
  if (!Array.isArray(values[name]) || isRows(values[name])) return undefined
  const [list, count] = [name, `${name}_count`].map((each) => members.find((member) => member.name === each))
  return count && count.label === list?.label && typeof values[count.name] === 'number' ? count : undefined
}

/** The list that belongs to a count; undefined if the list is empty. */
const countedBy = (name: string, members: readonly Member[], values: Values): Member | undefined =>
  members.find((list) => !isNothing(values[list.name]) && counterOf(list.name, members, values)?.name === name)

/** A list of kinds that apply or do not apply; the kinds that apply come first. */
function choicesOf(members: readonly Member[], values: Values): Html {
  const [yes, no] = [
    members.filter(({ name }) => values[name] === true),
    members.filter(({ name }) => values[name] !== true),
  ]
  const item = (applies: boolean) => (member: Member) =>
    html`<li class="${applies ? 'applies' : 'applies-not'}"${member.meaning && html` title="${member.meaning}"`}><span class="unseen">${applies ? 'Yes: ' : 'No: '}</span>${member.label}</li>`
  return html`<ul class="choices">${yes.map(item(true))}${no.map(item(false))}</ul>`
}

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
    const counted = countedBy(name, declared, values)
    const value = html`${shown(name, values[name], type, links)}${counted && html`: ${shown(counted.name, values[counted.name], counted.type, links)}`}`
    const pair = pairs.get(name)
    const id = pair && values[pair.id.name]
    const page = pair && !isNothing(id) ? links.about(pair.entity, String(id), pair.id.name) : null
    return html`<div><dt${meaning && html` title="${meaning}"`}>${label}</dt><dd>${page ? html`<a href="${page}">${value}</a>` : value}</dd></div>\n`
  }
  // If a thing has a name, the name is the link, and the id is shown without a link.
  const plainly = ({ name, label }: Member) => html`<div><dt>${label}</dt><dd>${String(values[name])}</dd></div>\n`
  return html`<dl class="facts">
${members.map((member) => (hidden.has(member.name) ? plainly(member) : line(member)))}</dl>`
}

/** Members that were computed from a section of the same answer. */
const MADE_OF: Readonly<Record<string, readonly string[]>> = { funds: ['funds_by_type', 'fund_values_by_type'] }

/** Members of an answer whose source is not loaded. If such a member is empty, this does not mean "none". */
function unreadIn({ sections }: Values): ReadonlySet<string> {
  const from = isObject(sections) ? sections.read_from : null
  const unread = (isRows(from) ? from : []).flatMap(({ name, source }) => (source === null ? [String(name)] : []))
  return new Set(unread.flatMap((name) => [name, ...(MADE_OF[name] ?? [])]))
}

/** Lists members without a value in one line: empty lists, data that is not loaded, and values that are not stated. */
function silentOf(members: readonly Member[], values: Values, unread: ReadonlySet<string>): Html | null {
  const isEmpty = ({ name }: Member) => (Array.isArray(values[name]) || isUnheld(values[name])) && !unread.has(name)
  const named = (some: readonly Member[]) => some.map(({ label }, n) => html`${n > 0 && ', '}${lower(label)}`)
  const none = members.filter(isEmpty)
  const missing = members.filter(({ name }) => unread.has(name))
  const unstated = members.filter((member) => !none.includes(member) && !missing.includes(member))
  if (members.length === 0) return null
  return html`<p class="silent">${missing.length > 0 && html`Not loaded here: ${named(missing)}. `}${none.length > 0 && html`None: ${named(none)}. `}${unstated.length > 0 && html`Not stated: ${named(unstated)}.`}</p>`
}

/** A label within a sentence: `State`, but not `CIK`. */
const lower = (label: string) =>
  /^[A-Z][a-z]+(?![A-Za-z])/.test(label) ? label[0]!.toLowerCase() + label.slice(1) : label

function sectionOf({ name, label, meaning, type }: Member, value: unknown, options: FactsOptions, level: number): Html {
  const head = headOf(level, label, isRows(value) ? value.length : null)
  const says = meaning && meaning !== label && html`<p class="says">${meaning}</p>`
  const content = contentOf(label, value, type, options, level)
  const isFolded = (level === 2 && options.drawn?.has(name)) || FOLDED.includes(name)
  return html`<section class="part"${level === 2 && html` id="${name}"`}>
${head}${says}
${isFolded ? html`<details class="folded"><summary>${isRows(value) ? 'Show the rows' : 'Show'}</summary>${content}</details>` : content}
</section>
`
}

function contentOf(label: string, value: unknown, type: z.ZodType | null, options: FactsOptions, level: number): Html {
  if (typeof value === 'string') return longText(value, type, options)
  const { links, json, first = [] } = options
  const table = alikeOf(value, type)
  if (table) return tableOf(table.rows, table.type, { caption: label, links, first })
  if (!isRows(value)) return sectionsOf(value as Values, type, options, level + 1)
  const more = value.length - ROWS_SHOWN
  return html`${tableOf(value.slice(0, ROWS_SHOWN), elementOf(type), { caption: label, links, first })}${more > 0 && html`<p class="says">${String(more)} more are in the <a href="${json}">JSON</a>.</p>`}`
}

/**
 * Returns rows for an object whose members are all objects with the same members, each with a single value. Example:
 * clients by type, each with a number and assets. Null for any other value.
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
    type: shape instanceof z.ZodObject ? kindsOf(shape) : null,
  }
}

/**
 * Shapes of rows with an added `kind`, by the shape of the objects from which the rows are made. These shapes are
 * cached, since labels are cached for each shape: a new shape for each page would have no cached labels.
 */
const KINDS = new WeakMap<z.ZodObject, z.ZodObject>()

function kindsOf(shape: z.ZodObject): z.ZodObject {
  const known = KINDS.get(shape) ?? z.object({ kind: z.string(), ...shape.shape })
  KINDS.set(shape, known)
  return known
}

/**
 * Maximum number of letters of a text on a page. The JSON has the whole text, and the reader page has the whole filing.
 */
const TEXT_SHOWN = 60_000

function longText(text: string, type: z.ZodType | null, { json }: FactsOptions): Html {
  const isMarkdown = notesOf(type).isMarkdown
  const shownText = text.length > TEXT_SHOWN ? text.slice(0, cutAfter(text, TEXT_SHOWN)) : text
  const rest = text.length - shownText.length
  return html`<div class="long-text${isMarkdown ? ' filed' : ' text'}" tabindex="0" role="region" aria-label="Text">${isMarkdown ? textHtml(shownText) : shownText}</div>${rest > 0 && html`<p class="says">${thousands(rest)} more letters are in the <a href="${json}">JSON</a>.</p>`}`
}

function headOf(level: number, label: string, count: number | null): Html {
  const text = html`${label}${count !== null && html` <span class="count">${String(count)}</span>`}`
  if (level === 2) return html`<h2>${text}</h2>`
  return level === 3 ? html`<h3>${text}</h3>` : html`<h4>${text}</h4>`
}
