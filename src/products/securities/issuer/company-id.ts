/**
 * Ids of companies of private securities. Each name of a company makes an id from its key and legal form. So a stored
 * id leads to its company as long as a report or a reviewer states that name. The form stays in the id, because a
 * second company of the same name may be found later.
 */
import { COMPANY_ID, type Company, companyOf } from '../../../read/company-name.ts'
import type { Correction } from '../aliases.ts'
import type { PointOf } from './called.ts'
import type { Named } from './name.ts'

export interface CompanyId {
  /** The id that a name makes: `company~spacex`, `company~discord-inc`. */
  id: string
  key: string
  form: string
  issuer: string
  /** True for a new name of the company that only a reviewer states; filed names take precedence. */
  is_renamed: boolean
}

/**
 * Returns the id of a name. A key has blanks only between digits. A `·` between digits stands for a dot, so the id has
 * a dot. Any other `·` is a letter of the name (Col·lecció). It stays, since with a dot the id would lead to the
 * company whose name lacks the letter.
 */
const idOf = ({ key, form }: Pick<Company, 'key' | 'form'>): string =>
  `${COMPANY_ID}${key.replaceAll(' ', '-').replace(/(?<=\d)·(?=\d)/g, '.')}${form && `-${form}`}`

/**
 * Returns all ids of a company, in alphabetical order.
 *
 * @param points points of the company's cluster (clusters.ts)
 * @param statements statements about the company's securities
 */
export function idsOf(
  issuer: string,
  points: ReadonlySet<string>,
  statements: readonly Named[],
  corrections: readonly Correction[],
  pointOf: PointOf,
): CompanyId[] {
  const found = new Map<string, CompanyId>()
  const add = (company: Pick<Company, 'key' | 'form'>, is_renamed: boolean) => {
    const id = idOf(company)
    if (!found.has(id)) found.set(id, { id, key: company.key, form: company.form, issuer, is_renamed })
  }
  // A security whose texts name no company has its own id as key.
  for (const each of statements)
    if (each.role !== 'lei' && each.key !== each.sec_id && points.has(pointOf(each))) add(each, false)
  for (const { action, of, to } of corrections)
    if (action === 'join') for (const each of [of, to!]) if (points.has(pointOf(each))) add(each, false)
  for (const { action, of, to } of corrections) if (action === 'rename' && points.has(pointOf(of))) add(to!, true)
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/**
 * Returns the id that answers show for a company: the id of the company's name, else the id of the name that identifies
 * the company. The new name of a renamed company is only used if the company has this name even without the reviewer's
 * line.
 */
export function shownId(ids: readonly CompanyId[], company_name: string, isIssuer: (id: CompanyId) => boolean) {
  const stated = ids.filter(({ is_renamed }) => !is_renamed)
  const called = companyOf(company_name)
  const own = called && idOf(called)
  return (stated.find(({ id }) => id === own) ?? stated.find(isIssuer))?.id ?? null
}
