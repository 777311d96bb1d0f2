/**
 * Finds routes of the catalog for tools. Everything that tools say about a route comes from the route's declaration.
 */
import type { z } from 'zod'
import type { Catalog } from '../declare/catalog.ts'
import { addressOf } from '../declare/examples.ts'
import { familyMeant } from '../declare/family-meant.ts'
import type { Route } from '../declare/route.ts'
import { meantBy } from '../misspelt.ts'
import { type Match, matcherOf } from '../serve/http/route-of.ts'
import { type Schema, schemaOf } from '../serve/openapi/schemas.ts'
import { CallError } from './api.ts'

/**
 * Parameters that a tool does not need: a tool requests the next page with a token, and the format of its answers is
 * fixed.
 */
const UNUSED = ['format', 'paginate', 'cursor', 'offset']

export type Values = Readonly<Record<string, string | readonly string[]>>

export class Routes {
  /** Routes that answer with data, without routes that send the bytes of a document. */
  readonly all: readonly Route[]
  readonly families: Catalog['families']
  readonly #match: (address: string) => Match<Route> | null
  readonly #ofBytes: (address: string) => Match<Route> | null
  readonly #byPathOrName: ReadonlyMap<string, Route>

  constructor({ routes, families }: Pick<Catalog, 'routes' | 'families'>) {
    this.all = routes.filter(({ output }) => output !== null)
    this.families = families
    this.#match = matcherOf(this.all)
    this.#ofBytes = matcherOf(routes.filter(({ output }) => output === null))
    this.#byPathOrName = new Map(
      this.all.flatMap((route) => [
        [route.path, route],
        [route.name, route],
      ]),
    )
  }

  /** Returns the route with this path, `/brokers/{cik}`, or this name. */
  template(pathOrName: string): Route | undefined {
    return this.#byPathOrName.get(pathOrName)
  }

  /** @throws Error if there is no such route */
  named(name: string): Route {
    const route = this.all.find((each) => each.name === name)
    if (!route) throw new Error(`a tool needs the route ${name}, which the catalog lacks`)
    return route
  }

  /** Finds the family that a word means: its slug, or a form as people write it (8-K, 8k, form 4, 13F). */
  family(word: string): Catalog['families'][number] | undefined {
    return familyMeant(word, this.families)
  }

  /**
   * Finds the route of an address without `/v1`.
   *
   * @throws CallError that names the nearest paths, if no route has this address
   */
  of(address: string): Match<Route> {
    const found = this.#match(address)
    if (found) return found
    const path = address.split('?', 1)[0]!
    const { accession } = this.#ofBytes(address)?.path ?? {}
    if (accession !== undefined) {
      throw new CallError(
        `path ${JSON.stringify(path.slice(0, 100))}: sends the bytes of a document, which no tool shows; read_filing(accession="${accession}") reads the text of the filing, and get_entity(kind="filing", id="${accession}") has its data`,
      )
    }
    throw new CallError(
      `path ${JSON.stringify(path.slice(0, 100))}: no such path${this.#entityAt(path) ?? this.meant(path)}`,
    )
  }

  /**
   * Agents mistake addresses of pages for paths of the API. For `/company/AAPL`, which is a page, returns a hint that
   * names the right call of `get_entity`.
   */
  #entityAt(path: string): string | null {
    const [, word, id, ...more] = path.split('/')
    if (!word || !id || more.length > 0) return null
    const { kind } = parametersOf(this.named('search'))
    const kinds = (kind?.enum ?? []) as readonly string[]
    const meant = kinds.find((each) => [each, each.replace(/y$/, 'ie').concat('s')].includes(word.replaceAll('-', '_')))
    return meant === undefined ? null : `; call get_entity(kind="${meant}", id=${JSON.stringify(id.slice(0, 60))})`
  }

  /**
   * Returns the end of an error message, which proposes the paths, or else the operations, whose names are nearest to a
   * word.
   */
  meant(word: string): string {
    const paths = this.all.map((route) => route.path)
    const begun = paths.filter((path) => path.startsWith(word.replace(/(?<!\/)\/+$/, '')))
    const near = begun.length > 0 ? begun : meantBy(word, paths)
    const names =
      near.length > 0
        ? near
        : meantBy(
            word,
            this.all.map(({ name }) => name),
          )
    return names.length > 0
      ? `; did you mean ${names.slice(0, 4).join(' or ')}? describe() lists all`
      : '; describe() lists all'
  }
}

/** Names of path parameters, by path. Each path of the catalog is read once. */
const NAMES = new Map<string, readonly string[]>()

/** Returns the names of the parameters in a path of the catalog. */
export function pathNames({ path }: Pick<Route, 'path'>): readonly string[] {
  const known = NAMES.get(path)
  if (known) return known
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!)
  NAMES.set(path, names)
  return names
}

/** JSON Schemas of a route's parameters, without path parameters and without parameters that tools do not take. */
export function parametersOf(route: Route, without: readonly string[] = []): Record<string, Schema> {
  const left = [...UNUSED, ...pathNames(route), ...without]
  const shape = route.input.shape as Record<string, z.ZodType>
  const all = Object.entries(shape).filter(([name]) => !left.includes(name))
  return Object.fromEntries(all.map(([name, type]) => [name, schemaOf(type)]))
}

/** Makes the address of a request, without `/v1`. */
export function addressFor(route: Route, values: Values): string {
  const single: [string, string][] = Object.entries(values).map(([name, value]) => [
    name,
    // Double quotes protect a comma within a list value.
    typeof value === 'string' ? value : value.map((each) => (each.includes(',') ? `"${each}"` : each)).join(),
  ])
  return addressOf(route, Object.fromEntries(single))
}
