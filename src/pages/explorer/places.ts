/** Addresses of pages. The page of `/v1/X` is `/X`. Things that people share have a shorter address. */
import { capital } from '../../declare/capital.ts'
import type { Catalog, ServedRoute } from '../../declare/catalog.ts'
import { ENTITIES, type Entity } from '../../declare/column.ts'

/** Short addresses, by the operation that the page shows. These addresses are permanent. */
const SHORT: Readonly<Record<string, string>> = {
  company: '/company/{cik}',
  adv_adviser: '/adviser/{crd}',
  security: '/security/{cusip}',
  thirteenf_holdings: '/manager/{cik}',
  fund_holdings: '/fund/{series}',
  filing: '/filing/{accession}',
  rep_movements: '/person/{indvlPk}',
  insider: '/insider/{cik}',
  broker: '/broker/{cik}',
}

export interface Place {
  route: ServedRoute
  /** The address of the page, with parameters in braces: `/company/{cik}`. */
  address: string
  /** The path of the route if `address` is a shorter address of the same page. Null if `address` is that path. */
  other: string | null
}

export class Places {
  readonly all: readonly Place[]
  /** The names of families of forms, by the code that filters and answers have. */
  readonly families: ReadonlyMap<string, string>
  /** Whether this service has accounts, to which pages link. */
  readonly hasAccounts: boolean
  readonly #patterns: readonly { place: Place; pattern: RegExp; names: readonly string[] }[]
  readonly #byPath: ReadonlyMap<string, string>

  /** Routes that send bytes of a document have no page. */
  constructor({ routes, families }: Catalog, { hasAccounts }: { hasAccounts: boolean }) {
    this.hasAccounts = hasAccounts
    this.families = new Map(families.map(({ slug, label }) => [slug, label]))
    this.all = routes
      .filter(({ output }) => output !== null)
      .map((route) => {
        const short = SHORT[route.name]
        return { route, address: short ?? route.path, other: short && short !== route.path ? route.path : null }
      })
    this.#byPath = new Map(this.all.map(({ route, address }) => [route.path, address]))
    // A path without parameters comes first: `/adv/advisers/list` also matches `/adv/advisers/{…}`.
    const sorted = [...this.all].sort((a, b) => namesOf(a.route.path).length - namesOf(b.route.path).length)
    this.#patterns = sorted.map((place) => ({
      place,
      pattern: new RegExp(`^${place.route.path.replace(/[.+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '([^/]+)')}$`),
      names: namesOf(place.route.path),
    }))
  }

  /** The page of an API address such as `/v1/companies/0000320193?limit=5`; null if it has no page. */
  pageOf(url: string): string | null {
    const found = this.at(url)
    if (!found) return null
    const { place, path, query } = found
    return Object.entries(path).reduce((text, [name, value]) => filled(text, name, value), place.address) + query
  }

  /** The route of an API address, and the values in its path, still encoded. */
  at(url: string): { place: Place; path: Readonly<Record<string, string>>; query: string } | null {
    const [, path = '', query = ''] = /^\/v1(\/[^?#]*)(\?[^#]*)?/.exec(url) ?? []
    for (const { pattern, names, place } of this.#patterns) {
      // A template such as `/v1/doc-text/{source}` is not an address.
      const match = path.includes('{') ? null : pattern.exec(path)
      if (match) return { place, path: Object.fromEntries(names.map((name, n) => [name, match[n + 1]!])), query }
    }
    return null
  }

  /** The title of the page for an address of the API: `Sales that insiders propose (Form 144)`. */
  titleAt(url: string): string | null {
    const found = this.at(url)
    return found && titleOf(found.place.route)
  }

  /** The page that shows things of a kind; undefined for kinds that have no page. */
  placeOf(entity: Entity): Place | undefined {
    return this.all.find(({ route }) => route.path === ENTITIES[entity].link)
  }

  /** The type of the answer of an operation; null if the operation has no page. */
  outputOf(operation: string): ServedRoute['output'] {
    return this.all.find(({ route }) => route.name === operation)?.route.output ?? null
  }

  /** The page about a thing by its id; null for kinds that have no page. */
  about(entity: Entity, value: string): string | null {
    const { link } = ENTITIES[entity]
    const address = link === null ? undefined : this.#byPath.get(link)
    return address === undefined ? null : filled(address, namesOf(address)[0]!, encodeURIComponent(value))
  }

  /** The page of a fund by its series. */
  ofSeries(series: string): string | null {
    const address = this.#byPath.get('/funds/{series}/holdings')
    return address === undefined ? null : filled(address, 'series', encodeURIComponent(series))
  }
}

const namesOf = (path: string) => Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!)

/** Fills in a parameter of an address. A CIK loses its leading zeros, since people write it without them. */
const filled = (address: string, name: string, value: string) =>
  address.replace(`{${name}}`, () => (name === 'cik' ? value.replace(/^0+(?=\d)/, '') : value))

/**
 * The title of a route's page: its summary without the verb and the subject of the page, for example `Figures by year
 * and quarter`.
 */
export function titleOf({ name, summary }: Pick<ServedRoute, 'name' | 'summary'>): string {
  const own = TITLES[name]
  if (own !== undefined) return own
  const text = summary
    .replace(/^(Show|List|Find|Read|Search|Count|Follow) (an? |the )?/, '')
    .replace(/^(Company|Adviser|Security|Fund|Firm|Representative)’s /i, '')
    .replace(/ (of|on) (an? )?(company|security|filer|adviser|firm|manager|fund)(?=$| \()/, '')
  return capital(text)
}

/**
 * Titles of some pages. The summary of such a page describes how to find one thing, or lacks words once its subject is
 * removed.
 */
const TITLES: Readonly<Record<string, string>> = {
  doc_text_by_cik: 'Filings with text',
  security_financials: 'Figures of the issuer',
  security_identifiers: 'CIK, ticker, ISIN and LEI',
  security_price_history: 'Prices that funds put on it',
  adv_adviser: 'Adviser',
  security: 'Security',
  adv_search: 'Advisers by name or number',
  companies: 'Companies by ticker, CIK or name',
  securities: 'Securities by number, ticker or name',
  adv_similar: 'Similar advisers',
}
