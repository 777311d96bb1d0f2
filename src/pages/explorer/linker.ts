/** The links of one page to the things that its values name; the page has no link to itself. */
import type { Entity } from '../../declare/column.ts'
import type { Absent } from '../../serve/http/absent.ts'
import type { Place, Places } from './places.ts'
import { type Member, notesOf } from './shape.ts'

export interface Linker {
  /** @param name of the member that has the id */
  about(entity: Entity, value: string, name: string): string | null
  /** Whether nothing about that thing is loaded. Then it has no page. */
  isAbsent(entity: Entity, value: string): boolean
  /** Whether the current page is about that thing. */
  isHere(entity: Entity, value: string): boolean
  ofSeries(series: string): string | null
  pageOf(url: string): string | null
  titleAt(url: string): string | null
  /** The name of a family of forms; null for any other text. */
  familyOf(slug: string): string | null
  /** The operation at an address of the API; null if the operation has no page. */
  operationAt(url: string): string | null
  /**
   * The page about a row of this list as a whole: the filing in the dataset, or the brochure. Null if the row has no
   * such page.
   */
  ofRow(row: Readonly<Record<string, unknown>>): string | null
  /** The filing that evidence on this page quotes; null if unknown. */
  filing: string | null
  /**
   * The links of a row. In some rows an id that is made from a name gets no link: rows of a derivative, a short
   * position or a negative balance. Such a position is not a holding.
   */
  inRow(row: Readonly<Record<string, unknown>>): Linker
  /** The links of a part of the page that quotes this filing. */
  within(filing: string | null): Linker
}

/**
 * A filing in a list links to its page in the dataset: in a list of Form 144, to the page of that notice. On the page
 * of one thing a filing links to the general page, since such a page names filings of any form.
 *
 * @param here address of the page without its query
 * @param given.filing the filing that evidence on the page quotes
 * @param given.absent ids of things about which nothing is loaded; they have no page
 */
export function linkerOf(
  places: Places,
  { route }: Pick<Place, 'route'>,
  here: string,
  { filing = null, absent = {} }: { filing?: string | null; absent?: Absent } = {},
): Linker {
  const [, room] = route.path.split('/')
  const isRead = ({ route: { path } }: Place) =>
    path.endsWith('/by-accession/{accession}') && path.split('/')[1] === room
  const read = route.list === null ? undefined : places.all.find(isRead)
  const readPage = (accession: string) => read!.address.replace('{accession}', encodeURIComponent(accession))
  const elsewhere = (page: string | null) => (page === here ? null : page)
  const links: Linker = {
    ofRow: ({ accession, id }) => {
      if (room === 'brochures') return typeof id === 'string' ? elsewhere(places.pageOf(`/v1/brochures/${id}`)) : null
      return read && typeof accession === 'string' ? elsewhere(readPage(accession)) : null
    },
    filing,
    within: (other) => ({ ...links, filing: other }),
    inRow: (row) => {
      const own = typeof row.accession === 'string' ? links.within(row.accession) : links
      if (!isUnheld(row)) return own
      const about: Linker['about'] = (entity, value, name) =>
        /^name~/.test(value) ? null : own.about(entity, value, name)
      return { ...own, about }
    },
    about: (entity, value, name) => {
      if (absent[entity]?.has(value)) return null
      return elsewhere(name === 'accession' && read ? readPage(value) : places.about(entity, value))
    },
    isAbsent: (entity, value) => absent[entity]?.has(value) ?? false,
    isHere: (entity, value) => places.about(entity, value) === here,
    // A fund has a page only if it has filed a portfolio. The funds in answers below `/funds` have filed one.
    ofSeries: (series) => (room === 'funds' ? elsewhere(places.ofSeries(series)) : null),
    pageOf: (url) => elsewhere(places.pageOf(url)),
    titleAt: (url) => places.titleAt(url),
    familyOf: (slug) => places.families.get(slug) ?? null,
    operationAt: (url) => places.at(url)?.place.route.name ?? null,
  }
  return links
}

/** Categories of derivatives in Form N-PORT. */
const DERIVATIVES: readonly unknown[] = ['DCO', 'DCR', 'DE', 'DFE', 'DIR', 'DO']

const isUnheld = ({ asset_cat: category, payoff, balance }: Readonly<Record<string, unknown>>) =>
  DERIVATIVES.includes(category) || payoff === 'Short' || Number(balance) < 0

/**
 * The members that name a thing, by the kind of its id. These names belong only to an id without a role:
 * `issuer_cik` has the role `issuer`, `cik` has none.
 */
const NAMES: Readonly<Partial<Record<Entity, readonly string[]>>> = {
  cik: [
    'name',
    'company_name',
    'entity_name',
    'filer_name',
    'manager_name',
    'registrant_name',
    'trust_name',
    'company',
  ],
  crd: ['firm_name', 'adviser_name', 'name'],
  person: ['full_name', 'name'],
  cusip: ['security_name', 'issuer_name', 'name', 'title', 'title_of_class'],
}

export interface Named {
  id: Member
  entity: Entity
}

/**
 * Returns, by the member with a name, the id that the name belongs to. Ids with a role come first:
 * `issuer_name` belongs to `issuer_cik`, and never to the filer's `cik` next to it.
 *
 * @param members all declared members, including members without a value
 */
export function namedBy(members: readonly Member[]): Map<string, Named> {
  const pairs = new Map<string, Named>()
  const there = new Set(members.map(({ name }) => name))
  const ids = members.flatMap((id) => {
    const { entity, named } = notesOf(id.type)
    if (!entity || !NAMES[entity]) return []
    const role = id.name.endsWith(`_${entity}`) ? id.name.slice(0, -1 - entity.length) : null
    return [{ id, entity, role, named }]
  })
  // If several ids of one kind have no role, only the first is paired with a name: `sec_id` before `cusip`.
  const without = new Set<Entity>()
  for (const { id, entity, role, named } of [...ids].sort(
    (a, b) => Number(a.role === null) - Number(b.role === null),
  )) {
    const usual = role === null ? NAMES[entity]! : [`${role}_name`, role]
    const names = named === null ? usual : [named, ...usual]
    const name = names.find((each) => there.has(each) && !pairs.has(each) && each !== id.name)
    if (name === undefined || (role === null && without.has(entity))) continue
    if (role === null) without.add(entity)
    pairs.set(name, { id, entity })
  }
  return pairs
}
