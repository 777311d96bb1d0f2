/**
 * Ids of companies of private securities. Each name of a company, by key and legal form, makes an id, so a stored id
 * leads to its company as long as a report or a reviewer states that name. The form stays in the id, because a second
 * company of the same name may be found later.
 */
import { COMPANY_ID, type Company, companyOf } from '../../../read/company-name.ts'
import type { Correction } from '../aliases.ts'
import type { PointOf } from './called.ts'
import type { Named } from './name.ts'

export interface CompanyId {
  /** `company~spacex`, `company~discord-inc`. */
  id: string
  key: string
  form: string
  issuer: string
  /** True for a new name that only a reviewer gives the company; filed names take precedence. */
  is_renamed: boolean
}

/**
 * Returns the id of a name. A key has blanks only between digits, and only there `·` stands for a dot. Elsewhere `·` is
 * a letter of the name (Col·lecció): with a dot instead, the id would lead to the company whose name lacks the letter.
 */
const idOf = ({ key, form }: Pick<Company, 'key' | 'form'>): string =>
  `${COMPANY_ID}${key.replaceAll(' ', '-').replace(/(?<=\d)·(?=\d)/g, '.')}${form && `-${form}`}`

/**
 * Returns all ids of a company, in the order of their letters.
 *
 * @param points of its cluster (clusters.ts)
 * @param statements about its securities
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
 * Returns the id that answers give a company: that of its name, else that of the name by which it is identified. The
 * new name of a renamed company is only used if it is a name of the company without the reviewer's line too.
 */
export function shownId(ids: readonly CompanyId[], company_name: string, isIssuer: (id: CompanyId) => boolean) {
  const stated = ids.filter(({ is_renamed }) => !is_renamed)
  const called = companyOf(company_name)
  const own = called && idOf(called)
  return (stated.find(({ id }) => id === own) ?? stated.find(isIssuer))?.id ?? null
}
