/**
 * Makes the title of a row from the declarations of its columns: the subject of the row, the form, other participants,
 * the action, and amounts. All lists use the same rules.
 */
import type { z } from 'zod'
import { columnType, labelOf } from '../../declare/table.ts'
import { thousands } from '../../declare/thousands.ts'

export type Row = Readonly<Record<string, unknown>>

/** Members that name the subject of a row, the most specific first. */
const SUBJECTS = [
  'company_name',
  'issuer_name',
  'entity_name',
  'firm_name',
  'fund_name',
  'series_name',
  'registrant_name',
  'person_name',
  'exchange_name',
  'name',
]
const FORMS = ['form_type', 'submission_type', 'form']
/** Members that describe the action in words. */
const DEEDS = ['code_meaning', 'title', 'stage', 'category', 'industry', 'description', 'report_type', 'what']
/** Members that name further participants. */
const OTHERS = /(^|_)(name|names|owners|sellers|officers|persons)$/
/**
 * Maximum number of further participants in a title. FIGURES_MAX is the maximum number of figures, and PART_MAX the
 * maximum length of a part.
 */
const NAMES_MAX = 1
const FIGURES_MAX = 2
const PART_MAX = 120

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** Text on one line, cut at a length that suits a title. */
function short(value: string): string {
  const line = value.replace(/\s+/g, ' ').trim()
  return line.length > PART_MAX ? `${beginning(line, PART_MAX - 1).trimEnd()}…` : line
}

/** The first characters of a text. Half of a surrogate pair is left out, since strict readers of JSON refuse it. */
const beginning = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')

/** Returns the name of the subject of a row, from the row's own members or else from its `filing`. */
export function subjectOf(row: Row): string | null {
  const found = SUBJECTS.map((name) => row[name]).find(isText)
  if (found !== undefined) return short(found)
  const { filing } = row
  return typeof filing === 'object' && filing !== null ? subjectOf(filing as Row) : null
}

/** Returns the form of a row: `Form 4`. */
function formOf(row: Row): string | null {
  const found = FORMS.map((name) => row[name]).find(isText)
  if (found !== undefined)
    return found.startsWith('SCHEDULE') ? found.replace('SCHEDULE', 'Schedule') : `Form ${short(found)}`
  const filing = row.filing ?? row.latest_filing
  return typeof filing === 'object' && filing !== null ? formOf(filing as Row) : null
}

/** The names in a member: a text, or a list of texts or of objects with a name. */
function namesIn(value: unknown): string[] {
  if (isText(value)) return [short(value)]
  if (!Array.isArray(value)) return []
  return value.flatMap((one) => {
    if (isText(one)) return [short(one)]
    const named = one && typeof one === 'object' ? subjectOf(one as Row) : null
    return named === null ? [] : [named]
  })
}

function othersIn(row: Row, subject: string | null): string[] {
  const members = Object.entries(row).filter(([name]) => OTHERS.test(name))
  const found = members
    .map(([, value]) => namesIn(value))
    .filter((names) => names.length > 0 && names[0] !== subject)
    .map(([first, ...more]) => (more.length === 0 ? first! : `${first} and ${more.length} more`))
  return found.slice(0, NAMES_MAX)
}

/** Returns `1,234,567.5` for `1234567.50`. The amount stays text, since a JavaScript number has only 15 digits. */
function amountOf(value: string): string {
  const [whole = '', part = ''] = value.split('.')
  const rest = part.replace(/(?<!0)0+$/, '')
  return rest === '' ? thousands(whole) : `${thousands(whole)}.${rest}`
}

const UNITS: Readonly<Record<string, (amount: string) => string>> = {
  USD: (amount) => `$${amount}`,
  shares: (amount) => `${amount} shares`,
  percent: (amount) => `${amount}%`,
}

/** Figures whose unit needs no explanation, in the order of the row's members. */
function figuresIn(row: Row, shape: z.ZodRawShape): string[] {
  const seen = new Set<string>()
  const found = Object.entries(shape).flatMap(([name, type]) => {
    const unit = columnType(type as z.ZodType)?.unit
    const write = unit === undefined ? undefined : UNITS[unit]
    const value = row[name]
    if (!write || (typeof value !== 'number' && !isText(value)) || Number(value) === 0) return []
    const amount = write(amountOf(String(value)))
    if (unit === 'USD') return [`${labelOf(name, type as z.ZodType).toLowerCase()} ${amount}`]
    // Only the first figure in shares and the first in percent are used: a further number of shares is a remainder, or
    // a number of lent shares.
    if (seen.has(unit!)) return []
    seen.add(unit!)
    return [amount]
  })
  return found.slice(0, FIGURES_MAX)
}

/** Returns a title: `Apple Inc. · Form 4 · Cook Timothy D · Open market or private sale · 100,000 shares`. */
export function titleOf(row: Row, shape: z.ZodRawShape): string {
  const subject = subjectOf(row)
  const form = formOf(row)
  const deed = DEEDS.map((name) => row[name]).find((text) => isText(text) && !form?.endsWith(text))
  const parts = [
    subject,
    form,
    ...othersIn(row, subject),
    isText(deed) ? short(deed) : null,
    ...figuresIn(row, shape),
  ].filter((part) => part !== null)
  return [...new Set(parts)].join(' · ') || 'A row without a name'
}

/** Maximum length of the text with the facts of a row. */
const TEXT_MAX = 4_000

/**
 * The facts of a row, a line each: `State: CA`. From a list, only its texts and names are shown. Other nested facts are
 * left out; the JSON has them.
 */
export function factsOf(row: Row, shape: z.ZodRawShape): string {
  const lines = Object.entries(shape).flatMap(([name, type]) => {
    const value = row[name]
    if (value === null || value === undefined || value === '' || value === false) return []
    const label = labelOf(name, type as z.ZodType)
    if (value === true) return [label]
    if (typeof value !== 'object') return [`${label}: ${value}`]
    const names = namesIn(value)
    return names.length > 0 ? [`${label}: ${names.join('; ')}`] : []
  })
  return beginning(lines.join('\n'), TEXT_MAX)
}
