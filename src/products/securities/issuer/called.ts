/** Decides the name of a company: the reviewer's name, or else the name that most of its securities have. */

import type { Company } from '../../../read/company-name.ts'
import type { Correction } from '../aliases.ts'
import type { Named } from './name.ts'

/** Returns the point of a company name in the graph that clusters.ts builds. */
export type PointOf = (company: Pick<Company, 'key' | 'form'>) => string

/**
 * Finds the names that corrections give to companies. A rename takes precedence over a join; if there are several lines
 * of one kind, the first line is used. A company that was itself joined to another company gives no name.
 *
 * @param reviewed points to which a reviewer joined other points
 * @returns a function that returns the name of the company with these points; null if no line names it
 */
export function givenNames(
  corrections: readonly Correction[],
  pointOf: PointOf,
  reviewed: ReadonlySet<string>,
): (points: ReadonlySet<string>) => string | null {
  const given = new Map<string, { place: number; name: string }>()
  const give = (point: string, place: number, name: string) => {
    if (!given.has(point)) given.set(point, { place, name })
  }
  corrections.forEach(({ action, of, to }, place) => {
    if (action === 'rename') give(pointOf(of), place, to!.name)
  })
  corrections.forEach(({ action, to }, place) => {
    if (action === 'join' && reviewed.has(pointOf(to!))) give(pointOf(to!), corrections.length + place, to!.name)
  })
  return (points) => {
    const found = [...points].flatMap((point) => given.get(point) ?? [])
    return found.sort((a, b) => a.place - b.place)[0]?.name ?? null
  }
}

/**
 * Returns the name that most securities of the company have. A name in mixed case precedes all names in capitals, even
 * if these are more frequent. The name of a vehicle is returned only if no security names the company itself.
 */
export function commonName(named: readonly Named[], isVehicle: (each: Named) => boolean): string {
  const companies = named.filter((each) => each.role === 'exposure' || (each.role === 'name' && !isVehicle(each)))
  const counts = new Map<string, number>()
  for (const { name } of companies.length > 0 ? companies : named) counts.set(name, (counts.get(name) ?? 0) + 1)
  const isLoud = (name: string) => Number(name === name.toUpperCase())
  const [first] = [...counts].sort(([a, m], [b, n]) => isLoud(a) - isLoud(b) || n - m || (a < b ? -1 : 1))
  return first![0]
}
