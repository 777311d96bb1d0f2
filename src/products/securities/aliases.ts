/**
 * The reviewed corrections of the clusters of private companies: `aliases.tsv` beside this file. A line joins a name to a
 * company, takes a company out of whatever it was joined with, or says what a company is called.
 */
import { readFileSync } from 'node:fs'
import { type Company, companyOf } from './issuer-name.ts'

export interface Correction {
  action: 'join' | 'split' | 'rename'
  /** Of a name without legal form every form is meant. */
  of: Company
  /** With which it is joined; of a rename the new name; null for a split. */
  to: Company | null
  reason: string
  date: string
  line: number
}

const COLUMNS = ['action', 'name', 'to', 'reason', 'date']

/**
 * Reads corrections: lines of five columns with tabs between them, the first line their names, `#` for remarks.
 *
 * @param file how errors call it
 * @throws Error that names the file, the number of the first wrong line and what is wrong with it
 */
export function readAliases(text: string, file: string): Correction[] {
  const found: Correction[] = []
  const seen = new Map<string, number>()
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
    const [action, name, to, reason, date] = cells.map((cell) => cell.trim()) as [
      string,
      string,
      string,
      string,
      string,
    ]
    if (action !== 'join' && action !== 'split' && action !== 'rename') {
      throw fail(`the action is ${action || 'missing'}: join, split or rename`)
    }
    const of = companyOf(name) ?? fail('no name')
    const other = companyOf(to)
    if (action === 'split' && to !== '') fail('a split has nothing in the column to')
    if (action !== 'split' && !other) fail(`a ${action} needs a name in the column to`)
    if (reason === '') fail('no reason')
    if (!isDay(date)) fail(`the date ${date || '(none)'} is no day such as 2026-11-22`)
    if (action === 'join' && other!.key === of.key && other!.form === of.form) fail('a name is joined with itself')
    const same = `${action} ${of.key} ${of.form}${action === 'join' ? ` ${other!.key} ${other!.form}` : ''}`
    if (seen.has(same)) fail(`says the same as line ${seen.get(same)}`)
    seen.set(same, line)
    found.push({ action, of, to: action === 'split' ? null : other, reason, date, line })
  })
  for (const { action, of, line } of found) {
    const split = found.find((each) => each.action === 'split' && each.of.key === of.key && each.of.form === of.form)
    if (action === 'join' && split) {
      refuse(file, Math.max(line, split.line), `${of.name} is both joined and split`)
    }
  }
  return found
}

function refuse(file: string, line: number, what: string): never {
  throw new Error(`${file}, line ${line}: ${what}`)
}

const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

const FILE = new URL('aliases.tsv', import.meta.url)

/** Read as the service starts, so that a wrong line ends the start and not a refresh. */
export const CORRECTIONS: readonly Correction[] = readAliases(readFileSync(FILE, 'utf8'), 'aliases.tsv')
