/** Forms in typed text, alone (`8-K`, `form 4`) or with the name of a filer (`apple 10-K`), and the rows that lead to them. */
import { formKey } from '../../declare/family-meant.ts'
import type { Sql } from '../../store/db.ts'
import type { Match } from './answers.ts'

/** Maximum number of forms that a typed form may mean: 13F means 13F-HR, 13F-NT and their amendments. */
const FORMS_MAX = 4
/** Maximum number of filers that are tried: the best match of a name may never have filed the form. */
const FILERS_MAX = 3
/** Maximum number of words of a form: `SC 13D/A`, `Form DEF 14A`. */
const WORDS_MAX = 3

export interface TypedForms {
  /** Codes of loaded forms; the form with the most filings comes first. */
  forms: readonly string[]
  /** The text without the form: a name, or empty. */
  rest: string
  /** Whether the text says that it is a form. `144` may also be a number of a filer, and `effect` a name. */
  isClear: boolean
}

/** Reads a form at the end or at the beginning of a text. @returns null if no loaded form is there */
export async function formsTyped(sql: Sql, typed: string): Promise<TypedForms | null> {
  const parts = partsOf(typed)
  if (parts.length === 0) return null
  const rows = await sql<{ form: string }[]>`
    select form_type as form from edgar.coverage where filings > 0 order by filings desc, form_type`
  const loaded = rows.map(({ form }) => form)
  for (const { word, rest, isClear } of parts) {
    const forms = meant(word, loaded)
    if (forms.length > 0) return { forms: forms.slice(0, FORMS_MAX), rest, isClear }
  }
  return null
}

function meant(word: string, loaded: readonly string[]): string[] {
  const key = formKey(word)
  const same = loaded.filter((form) => formKey(form) === key)
  if (same.length > 0 || key.length === 1) return same
  return loaded.filter((form) => form.includes('-') && formKey(form.split('-', 1)[0]!) === key)
}

interface Part extends Omit<TypedForms, 'forms'> {
  word: string
}

/** Returns the parts of a text that may be a form: the whole text, then words at its end, then words at its beginning. */
function partsOf(typed: string): Part[] {
  const words = typed
    .replace(/(?<=\S)\s+filings?$/i, '')
    .split(/\s+/)
    .filter((word) => word !== '')
  const parts: Part[] = []
  const add = (form: readonly string[], rest: readonly string[]) => {
    const word = form.join(' ')
    const isClear = /^(?:form|schedule)\s/i.test(word) || (/[a-z]/i.test(word) && /[\d-]/.test(word))
    if (formKey(word) !== '' && (isClear || rest.length === 0)) parts.push({ word, rest: rest.join(' '), isClear })
  }
  if (words.length <= WORDS_MAX) add(words, [])
  for (let count = Math.min(WORDS_MAX, words.length - 1); count > 0; count--)
    add(words.slice(-count), words.slice(0, -count))
  for (let count = Math.min(WORDS_MAX, words.length - 1); count > 0; count--)
    add(words.slice(0, count), words.slice(count))
  return parts
}

interface Filed {
  form: string
  filed_date: string
}

/** Returns a row for each form, which leads to all its filings. */
export async function formRows(sql: Sql, forms: readonly string[]): Promise<Match[]> {
  const filed = await sql<Filed[]>`
    select w.form, n.filed_date
    from unnest(${forms as string[]}::text[]) with ordinality w (form, place),
      lateral (select filed_date from edgar.filing where form_type = w.form order by filed_date desc limit 1) n
    order by w.place`
  return filed.map((each) => rowOf(each, nameOf(each.form), {}))
}

/**
 * Returns a row for each form that the filer has filed; the row leads to these filings. If there are several filers,
 * the first that has filed any of the forms counts.
 */
export async function formRowsOf(
  sql: Sql,
  forms: readonly string[],
  filers: readonly Pick<Match, 'id' | 'name' | 'matched'>[],
): Promise<Match[]> {
  for (const { id, name, matched } of filers.slice(0, FILERS_MAX)) {
    // This statement reads the filings of the filer once. A look-up for each form would read all of them again for each
    // form that the filer never filed.
    const filed = await sql<Filed[]>`
      select f.form_type as form, max(r.filed_date) as filed_date
      from edgar.filer r join edgar.filing f using (accession)
      where r.cik = ${id} and f.form_type = any(${forms as string[]})
      group by f.form_type order by array_position(${forms as string[]}::text[], f.form_type)`
    if (filed.length > 0)
      return filed.map((each) => ({
        ...rowOf(each, `${nameOf(each.form)} of ${name}`, { cik: id }),
        // The search page opens the first row at once if a number or a ticker matched, but not if a name matched. So
        // the row states how the filer matched.
        matched,
      }))
  }
  return []
}

const nameOf = (form: string) => (/^SC(?:HEDULE)? /.test(form) ? form : `Form ${form}`)

const rowOf = ({ form, filed_date: day }: Filed, name: string, filer: { cik?: string }): Match => ({
  kind: 'form',
  id: form,
  name,
  matched: 'form',
  detail: `newest filing of ${day}`,
  url: `/v1/filings?${new URLSearchParams({ ...filer, form })}`,
})
