/**
 * Combines the slices of the registry into one catalog of families, forms, datasets and routes. No name in it is used
 * twice.
 */
import { READABLE } from './corpora.ts'
import {
  type BulkDataset,
  type Dataset,
  type FamilyFeed,
  type FilingsDataset,
  isBulk,
  isFilings,
  type Slice,
} from './dataset.ts'
import type { Product } from './product.ts'
import type { Route } from './route.ts'
import { inOrder } from './sources.ts'
import { BULK, HEADERS, SPINE } from './spine.ts'
import type { Table } from './table.ts'

export { BULK, HEADERS, SPINE }

/** The data that a route with filings of any family reads: the spine, headers, and every dataset of filings. */
export const everyFiling = ({ filings }: Pick<Catalog, 'filings'>) => [
  SPINE,
  HEADERS,
  ...filings.map(({ slug }) => slug),
]

/** A route, with the slices that it needs and reads. */
export type ServedRoute = Route & {
  /** Slices without which the route cannot answer. */
  readonly needs: readonly string[]
  /**
   * Slices whose data the answer uses. The answer needs some of them, and its links lead to the others. `catalog` gives
   * only the slices that it needs, and `withLinks` adds the others.
   */
  readonly reads: readonly string[]
}

/** What is served about a family's filings. `structured`: rows. `reader`: text. `listed`: only entries of the index. */
export type Tier = 'structured' | 'reader' | 'listed'

/** A family of forms without a parser: one line in `families.ts`. */
export interface FamilyLine {
  slug: string
  label: string
  group: string
  forms: readonly string[]
  /** Whether ingest reads each filing's header, because filters need what only the header has (8-K items). */
  header?: true
}

export interface Family extends Omit<FamilyLine, 'header'> {
  tier: Tier
  header: boolean
  dataset: FilingsDataset | null
  /** The table and columns that `/filings?family=` shows and filters by; null for a family without a parser. */
  feed: (Omit<FamilyFeed, 'table'> & { table: Table }) | null
  /** Path of the route `<slug>_detail`; null if the family has no such route. */
  bespokeRoute: string | null
}

export interface Catalog {
  families: readonly Family[]
  /**
   * Every slice that stores something, datasets and products, each after the slices that its rollups and views read.
   */
  slices: readonly Slice[]
  datasets: readonly Dataset[]
  /** Datasets of EDGAR's filings, and datasets of bulk files. */
  filings: readonly FilingsDataset[]
  bulk: readonly BulkDataset[]
  routes: readonly ServedRoute[]
  slice(slug: string): Slice | undefined
  family(slug: string): Family | undefined
  /**
   * Returns the family that claims exactly this form code, or undefined. Forms that no family claims are served under
   * `ledger`, which is not a tier of a family.
   */
  familyOfForm(form: string): Family | undefined
}

/**
 * Builds the catalog of all slices. Every route reads its own slice. A route of a dataset also reads the spine of
 * filings, or the editions, from which its rows come. A route also reads the slices that it declares (`reads`). A route
 * of a product that stores nothing reads only the slices that it declares. Long: it lists all names that slices must
 * not share, and asserts that each is unique.
 *
 * @param products the declaration of each product, or only its routes if the product stores nothing
 * @throws Error if two slices claim one slug, form, route path or route name, or if rollups follow each other in a
 *   circle
 */
export function catalog(
  given: readonly Dataset[],
  products: readonly (Product | readonly Route[])[],
  lines: readonly FamilyLine[],
): Catalog {
  const datasets = given.map((d) => withForms(d, given, lines))
  const filings = datasets.filter(isFilings)
  const bulk = datasets.filter(isBulk)
  const served = (route: Route, own: readonly string[]): ServedRoute => {
    const { reads = [] } = route
    const more = typeof reads === 'function' ? reads({ filings, bulk }) : reads
    const needs = [...new Set([...own, ...more])]
    return { ...route, needs, reads: needs }
  }
  const storing = products.filter((product) => 'slug' in product)
  const slices = inOrder([...datasets, ...storing])
  const routes = [
    ...datasets.flatMap((d) => d.routes.map((route) => served(route, [d.slug, isBulk(d) ? BULK : SPINE]))),
    ...products.flatMap((product) =>
      'slug' in product
        ? product.routes.map((route) => served(route, [product.slug]))
        : product.map((route) => served(route, [])),
    ),
  ]
  assertUnique([SPINE, BULK, HEADERS, ...slices.map(({ slug }) => slug)], (slug) => slug, 'slice')
  assertUnique(routes, (route) => route.path.replace(/\{\w+\}/g, '{}'), 'route path')
  assertUnique(routes, (route) => route.name, 'route name')
  const structured = filings.flatMap((d): Family[] => {
    if (!d.family) return []
    const { table, columns, facets, listed = [] } = d.family
    const family: Family = {
      slug: d.slug,
      label: d.label,
      group: d.group,
      forms: [...d.source.forms, ...listed],
      tier: 'structured',
      header: true,
      dataset: d,
      feed: { table: d.tables[table]!, columns, facets },
      bespokeRoute: routes.find((route) => route.name === `${d.slug}_detail`)?.path ?? null,
    }
    return [family]
  })
  const listed = lines.map((line): Family => {
    const bespokeRoute = routes.find((route) => route.name === `${line.slug}_detail`)?.path ?? null
    const tier = READABLE.includes(line.slug) ? 'reader' : 'listed'
    return { ...line, tier, header: line.header ?? false, dataset: null, feed: null, bespokeRoute }
  })
  const families = [...structured, ...listed]
  assertUnique(families, (family) => family.slug, 'family')
  const claims = families.flatMap((family) => family.forms.map((form) => ({ form, family })))
  assertUnique(claims, (claim) => claim.form, 'form')
  const bySlug = new Map(families.map((family) => [family.slug, family]))
  const byForm = new Map(claims.map(({ form, family }) => [form, family]))
  return {
    families,
    slices,
    datasets,
    filings,
    bulk,
    routes,
    slice: (slug) => slices.find((each) => each.slug === slug),
    family: (slug) => bySlug.get(slug),
    familyOfForm: (form) => byForm.get(form),
  }
}

/** Fills in the forms of a dataset that reads the filings of whole families: all forms that these families claim. */
function withForms(dataset: Dataset, datasets: readonly Dataset[], lines: readonly FamilyLine[]): Dataset {
  const { source } = dataset
  if (source.kind !== 'filings' || !source.families) return dataset
  const formsOf = (slug: string): readonly string[] => {
    const line = lines.find((each) => each.slug === slug)
    if (line) return line.forms
    const own = datasets.filter(isFilings).find((each) => each.slug === slug && each.family)
    if (!own) throw new Error(`slice ${dataset.slug} reads a family that does not exist: ${slug}`)
    return [...own.source.forms, ...(own.family?.listed ?? [])]
  }
  const families = new Map(source.families.flatMap((slug) => formsOf(slug).map((form) => [form, slug])))
  const familyOf = (form: string) => families.get(form)!
  return { ...dataset, source: { ...source, forms: [...families.keys()], familyOf } } as Dataset
}

function assertUnique<T>(items: readonly T[], name: (item: T) => string, what: string): void {
  const seen = new Set<string>()
  for (const item of items) {
    const own = name(item)
    if (seen.has(own)) throw new Error(`${what} ${own} is declared twice`)
    seen.add(own)
  }
}
