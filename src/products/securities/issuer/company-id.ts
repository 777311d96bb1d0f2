/**
 * Ids of companies of private securities. Each name of a company, by key and legal form, is an id, so an id that was
 * given once leads to its company as long as a report or a reviewer states that name. The form stays in the id, because
 * a second company of the same name may be found later.
 */
import type { Correction } from '../aliases.ts'
import type { PointOf } from './called.ts'
import { type Company, companyOf, type Named } from './name.ts'

export interface CompanyId {
  /** `company~spacex`, `company~discord-inc`. */
  id: string
  key: string
  form: string
  issuer: string
  /** Only a reviewer's new name for the company; a name that is filed takes precedence. */
  is_renamed: boolean
}

const PREFIX = 'company~'

/**
 * Returns the id of a name. A key has blanks only between digits, and there `·` for a dot. Elsewhere `·` is a letter of
 * the name (Col·lecció): a dot in its place would lead to the company that has the name without it.
 */
const idOf = ({ key, form }: Pick<Company, 'key' | 'form'>): string =>
  `${PREFIX}${key.replaceAll(' ', '-').replace(/(?<=\d)·(?=\d)/g, '.')}${form && `-${form}`}`

/** Returns the name in an id, in any spelling (`company~Discord, Inc.`); null if it has no letter or digit. */
export const companyOfId = (id: string): Company | null => companyOf(id.slice(PREFIX.length).replaceAll('-', ' '))

export const isCompanyId = (id: string): boolean => id.slice(0, PREFIX.length).toLowerCase() === PREFIX

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
