/**
 * Reviewed corrections of the clusters of private companies. Reads `aliases.tsv` next to this file, and the operator's
 * own lines. A line joins a name to a company, splits a company from its cluster, or renames a company.
 */
import { readFileSync } from 'node:fs'
import type { Corrections } from '../../declare/corrections.ts'
import { type Company, companyOf } from '../../read/company-name.ts'

export interface Correction {
  action: 'join' | 'split' | 'rename'
  /**
   * The company of the line. If companies with this name have two kinds of legal form, a line without a legal form
   * means the securities whose name has no legal form.
   */
  of: Company
  /** The company that `of` joins; if the line is a rename, the new name; if it is a split, null. */
  to: Company | null
  reason: string
  date: string
  line: number
}

const COLUMNS = ['action', 'name', 'to', 'reason', 'date']
/** Maximum length of a name or a reason; the form has 150 characters for a name. */
const CELL_MAX = 300

/**
 * Reads corrections: lines of five columns separated by tabs, column names in the first line, `#` for remarks.
 *
 * @param file name in error messages
 * @throws Error with the file, the number of the first wrong line and the error in this line
 */
export function readAliases(text: string, file: string): Correction[] {
  const found: Correction[] = []
  const seen = new Map<string, number>()
  /** Branches: each one tests a fault that a line may have. */
  text.split('\n').forEach((raw, index) => {
    const line = index + 1
    const fail = (what: string): never => refuse(file, line, what)
    const cells = raw.replace(/\r$/, '').split('\t')
    if (index === 0) {
      if (cells.join('\t') !== COLUMNS.join('\t')) fail(`the columns must be ${COLUMNS.join(', ')}`)
      return
    }
    if (raw.trim() === '' || raw.startsWith('#')) return
    if (cells.length !== COLUMNS.length) fail(`${cells.length} columns instead of ${COLUMNS.length}`)
    if (/\p{C}/u.test(cells.join(''))) fail('has a control character')
    if (cells.some((cell) => cell.length > CELL_MAX)) fail(`has a column of more than ${CELL_MAX} characters`)
    const [action, name, to, reason, date] = cells.map((cell) => cell.trim()) as [
      string,
      string,
      string,
      string,
      string,
    ]
    if (action !== 'join' && action !== 'split' && action !== 'rename') {
      throw fail(`the action ${action || '(none)'} is not one of join, split and rename`)
    }
    const of = companyOf(name) ?? fail('the column "name" has no name')
    const other = companyOf(to)
    if (action === 'split' && to !== '') fail('a split must leave the column "to" empty')
    if (action !== 'split' && !other) fail(`a ${action} needs a name in the column "to"`)
    if (reason === '') fail('the column "reason" is empty')
    if (!isDay(date)) fail(`the date ${date || '(none)'} is not a day such as 2026-11-22`)
    if (action === 'join' && other!.key === of.key && other!.form === of.form) fail('a name is joined with itself')
    const same = `${action} ${of.key} ${of.form}${action === 'join' ? ` ${other!.key} ${other!.form}` : ''}`
    if (seen.has(same)) fail(`repeats line ${seen.get(same)}`)
    seen.set(same, line)
    found.push({ action, of, to: action === 'split' ? null : other, reason, date, line })
  })
  const splits = new Map(found.flatMap((each) => (each.action === 'split' ? [[nameIn(each), each.line] as const] : [])))
  for (const each of found) {
    const split = each.action === 'join' ? splits.get(nameIn(each)) : undefined
    if (split) refuse(file, Math.max(each.line, split), `${each.of.name} is both joined and split`)
  }
  return found
}

const nameIn = ({ of: { key, form } }: Correction) => `${key} ${form}`

function refuse(file: string, line: number, what: string): never {
  throw new Error(`${file}, line ${line}: ${what}`)
}

const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

const FILE = new URL('aliases.tsv', import.meta.url)

/** The file is read at the start of the service, so that a wrong line stops the start and not a refresh. */
export const CORRECTIONS: readonly Correction[] = readAliases(readFileSync(FILE, 'utf8'), 'aliases.tsv')

/**
 * Returns the corrections that apply: the built-in lines and the operator's lines. The operator's lines override
 * built-in lines about the same name.
 */
export function correctionsWith(lines: readonly string[]): readonly Correction[] {
  const own = readAliases([COLUMNS.join('\t'), ...lines].join('\n'), 'core.correction')
  const keyOf = (each: Correction) => `${each.action === 'rename'} ${nameIn(each)}`
  const theirs = new Set(own.map(keyOf))
  return [...own, ...CORRECTIONS.filter((each) => !theirs.has(keyOf(each)))]
}

/** Prefix of refresh keys that identify a company by the key of its name. */
export const NAMED = 'named '

export const corrections: Corrections = {
  setting: 'COMPANY_ALIASES',
  read(text, file) {
    const lines = text.split(/\r?\n/)
    return readAliases(text, file).map(({ line }) => lines[line - 1]!)
  },
  // Returns all names in the old lines and in the new lines, even names whose line stays the same. The order of the
  // lines decides which of two names a company has, so a line that only moves may change a name.
  touched: (before, after) => [...new Set([before, after].flatMap((lines) => correctionsWith(lines).flatMap(namesOf)))],
}

/** Returns the names of a correction. Omits the new name of a renamed company, since the new name is not a key. */
const namesOf = ({ action, of, to }: Correction) =>
  [of.key, ...(action === 'join' ? [to!.key] : [])].map((key) => `${NAMED}${key}`)
