/** The links of one page: to the things that its values name, but not to the page itself. */
import type { Entity } from '../../declare/column.ts'
import type { Place, Places } from './places.ts'
import { type Member, notesOf } from './shape.ts'

export interface Linker {
  about(entity: Entity, value: string): string | null
  /** Whether the page is about that thing. */
  isHere(entity: Entity, value: string): boolean
  ofSeries(series: string): string | null
  pageOf(url: string): string | null
  titleAt(url: string): string | null
}

/**
 * A filing in a list leads to the page of its dataset: in a list of Form 144, to the page of that notice.
 *
 * @param here address of the page without its query
 */
export function linkerOf(places: Places, { route }: Place, here: string): Linker {
  const [, room] = route.path.split('/')
  const read = places.all.find(
    ({ route: { path } }) => path.endsWith('/by-accession/{accession}') && path.split('/')[1] === room,
  )
  const elsewhere = (page: string | null) => (page === here ? null : page)
  return {
    about: (entity, value) =>
      elsewhere(
        entity === 'accession' && read
          ? read.address.replace('{accession}', encodeURIComponent(value))
          : places.about(entity, value),
      ),
    isHere: (entity, value) => places.about(entity, value) === here,
    // A fund has a page if it has filed a portfolio, as the funds of this list have.
    ofSeries: (series) => (room === 'funds' ? elsewhere(places.ofSeries(series)) : null),
    pageOf: (url) => elsewhere(places.pageOf(url)),
    titleAt: (url) => places.titleAt(url),
  }
}

/**
 * Columns that have the name of what a number names, if the number has no column of its own name (`issuer_cik`,
 * `issuer_name`).
 */
const NAMES: Readonly<Partial<Record<Entity, readonly string[]>>> = {
  cik: [
    'name',
    'company_name',
    'entity_name',
    'filer_name',
    'manager_name',
    'registrant_name',
    'issuer_name',
    'company',
    'issuer',
  ],
  crd: ['firm_name', 'adviser_name', 'name'],
  person: ['full_name', 'name'],
  cusip: ['security_name', 'title_of_class', 'title', 'name', 'issuer_name'],
}

/** The number that each name stands for: a reader follows the name, and the number needs no column. */
export function namedBy(members: readonly Member[]): Map<string, { id: Member; entity: Entity }> {
  const pairs = new Map<string, { id: Member; entity: Entity }>()
  const there = new Set(members.map(({ name }) => name))
  for (const id of members) {
    const { entity } = notesOf(id.type)
    const known = entity && NAMES[entity]
    if (!known) continue
    const role = id.name.endsWith(`_${entity}`) ? id.name.slice(0, -1 - entity.length) : null
    const names = role === null ? known : [`${role}_name`, role]
    const name = names.find((each) => there.has(each) && !pairs.has(each) && each !== id.name)
    if (name !== undefined && ![...pairs.values()].some((pair) => pair.id.name === id.name))
      pairs.set(name, { id, entity })
  }
  return pairs
}
