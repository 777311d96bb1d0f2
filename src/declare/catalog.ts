/** What the registry's slices add up to: every family, form, dataset and route, each named once. */
import { type BulkDataset, type Dataset, type FamilyFeed, type FilingsDataset, isBulk, isFilings } from './dataset.ts'
import type { Route } from './route.ts'
import type { Table } from './table.ts'

/** How much of a family's filings can be read: rows, or only that they exist. */
export type Tier = 'structured' | 'listed'

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
  /** The table and columns bound to `/filings?family=`. */
  feed: (Omit<FamilyFeed, 'table'> & { table: Table }) | null
  /** Path of the route `<slug>_detail`, when there is one. */
  bespokeRoute: string | null
}

export interface Catalog {
  families: readonly Family[]
  datasets: readonly Dataset[]
  /** Datasets of EDGAR's filings, and datasets of bulk files. */
  filings: readonly FilingsDataset[]
  bulk: readonly BulkDataset[]
  routes: readonly Route[]
  family(slug: string): Family | undefined
  /** The family that claims exactly this form code. Undefined is the tier `ledger`. */
  familyOfForm(form: string): Family | undefined
}

/**
 * Builds the catalog of all slices.
 *
 * @throws Error when two slices claim one slug, form, route path or route name
 */
export function catalog(
  datasets: readonly Dataset[],
  products: readonly (readonly Route[])[],
  lines: readonly FamilyLine[],
): Catalog {
  const routes = [...datasets.flatMap((d) => d.routes), ...products.flat()]
  assertUnique(datasets, (d) => d.slug, 'dataset')
  assertUnique(routes, (route) => route.path.replace(/\{\w+\}/g, '{}'), 'route path')
  assertUnique(routes, (route) => route.name, 'route name')
  const filings = datasets.filter(isFilings)
  const structured = filings.map((d): Family => {
    const { table, columns, facets } = d.family
    return {
      slug: d.slug,
      label: d.label,
      group: d.group,
      forms: d.source.forms,
      tier: 'structured',
      header: true,
      dataset: d,
      feed: { table: d.tables[table]!, columns, facets },
      bespokeRoute: routes.find((route) => route.name === `${d.slug}_detail`)?.path ?? null,
    }
  })
  const listed = lines.map((line): Family => {
    const bespokeRoute = routes.find((route) => route.name === `${line.slug}_detail`)?.path ?? null
    return { ...line, tier: 'listed', header: line.header ?? false, dataset: null, feed: null, bespokeRoute }
  })
  const families = [...structured, ...listed]
  assertUnique(families, (family) => family.slug, 'family')
  const claims = families.flatMap((family) => family.forms.map((form) => ({ form, family })))
  assertUnique(claims, (claim) => claim.form, 'form')
  const bySlug = new Map(families.map((family) => [family.slug, family]))
  const byForm = new Map(claims.map(({ form, family }) => [form, family]))
  return {
    families,
    datasets,
    filings,
    bulk: datasets.filter(isBulk),
    routes,
    family: (slug) => bySlug.get(slug),
    familyOfForm: (form) => byForm.get(form),
  }
}

function assertUnique<T>(items: readonly T[], name: (item: T) => string, what: string): void {
  const seen = new Set<string>()
  for (const item of items) {
    const own = name(item)
    if (seen.has(own)) throw new Error(`${what} ${own} is claimed twice`)
    seen.add(own)
  }
}
