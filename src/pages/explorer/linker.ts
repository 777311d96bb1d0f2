/** The links of one page: to the things that its values name, but not to the page itself. */
import type { Entity } from '../../declare/column.ts'
import type { Place, Places } from './places.ts'
import { type Member, notesOf } from './shape.ts'

export interface Linker {
  /** @param name of the member that has the number */
  about(entity: Entity, value: string, name: string): string | null
  /** Whether the page is about that thing. */
  isHere(entity: Entity, value: string): boolean
  ofSeries(series: string): string | null
  pageOf(url: string): string | null
  titleAt(url: string): string | null
  /** The filing whose text an evidence is about; null if that is not known. */
  filing: string | null
  /** The links of a part of the page that is about this filing. */
  within(filing: string | null): Linker
}

/**
 * A filing in a list leads to the page of its dataset: in a list of Form 144, to the page of that notice. The page of one
 * thing names filings of any form, such as those that followed an offering.
 *
 * @param here address of the page without its query
 */
export function linkerOf(
  places: Places,
  { route }: Pick<Place, 'route'>,
  here: string,
  filing: string | null = null,
): Linker {
  const [, room] = route.path.split('/')
  const isRead = ({ route: { path } }: Place) =>
    path.endsWith('/by-accession/{accession}') && path.split('/')[1] === room
  const read = route.list === null ? undefined : places.all.find(isRead)
  const elsewhere = (page: string | null) => (page === here ? null : page)
  const links: Linker = {
    filing,
    within: (other) => ({ ...links, filing: other }),
    about: (entity, value, name) =>
      elsewhere(
        name === 'accession' && read
          ? read.address.replace('{accession}', encodeURIComponent(value))
          : places.about(entity, value),
      ),
    isHere: (entity, value) => places.about(entity, value) === here,
    // A fund has a page if it has filed a portfolio, as the funds of this list have.
    ofSeries: (series) => (room === 'funds' ? elsewhere(places.ofSeries(series)) : null),
    pageOf: (url) => elsewhere(places.pageOf(url)),
    titleAt: (url) => places.titleAt(url),
  }
  return links
}

/**
 * The members with the name of a thing, by the kind of its number. They apply only to a number without a role:
 * `issuer_cik` has the role `issuer`, `cik` has none.
 */
const NAMES: Readonly<Partial<Record<Entity, readonly string[]>>> = {
  cik: ['name', 'company_name', 'entity_name', 'filer_name', 'manager_name', 'registrant_name', 'company'],
  crd: ['firm_name', 'adviser_name', 'name'],
  person: ['full_name', 'name'],
  cusip: ['security_name', 'issuer_name', 'name', 'title'],
}

export interface Named {
  id: Member
  entity: Entity
}

/**
 * Returns, by the member with a name, the number that the name belongs to. Numbers with a role come first: `issuer_name`
 * belongs to `issuer_cik`, and never to the `cik` next to it, which is that of the filer.
 *
 * @param members all that are declared, also those without a value
 */
export function namedBy(members: readonly Member[]): Map<string, Named> {
  const pairs = new Map<string, Named>()
  const there = new Set(members.map(({ name }) => name))
  const ids = members.flatMap((id) => {
    const { entity } = notesOf(id.type)
    if (!entity || !NAMES[entity]) return []
    const role = id.name.endsWith(`_${entity}`) ? id.name.slice(0, -1 - entity.length) : null
    return [{ id, entity, role }]
  })
  // Only the first number without a role has a name: `sec_id` before `cusip`.
  const without = new Set<Entity>()
  for (const { id, entity, role } of [...ids].sort((a, b) => Number(a.role === null) - Number(b.role === null))) {
    const names = role === null ? NAMES[entity]! : [`${role}_name`, role]
    const name = names.find((each) => there.has(each) && !pairs.has(each) && each !== id.name)
    if (name === undefined || (role === null && without.has(entity))) continue
    if (role === null) without.add(entity)
    pairs.set(name, { id, entity })
  }
  return pairs
}
