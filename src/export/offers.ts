/**
 * Everything that can be exported, derived from the declarations: the tables of every slice that stores something, and
 * the spine of filings.
 */
import { amendedBy, amendedOf, amendedSql } from '../declare/amended.ts'
import { type Catalog, SPINE } from '../declare/catalog.ts'
import { filingTable, isBulk, isFilings, relationsOf, type Slice } from '../declare/dataset.ts'
import { UserError } from '../declare/errors.ts'
import { didYouMeanFamily, familyMeant } from '../declare/family-meant.ts'
import { isInner, type Relation, type Rollup, storedColumns } from '../declare/table.ts'
import { didYouMean } from '../misspelt.ts'
import { between, type Days, type Offer } from './offer.ts'
import { SPINE_LABEL, spine } from './spine.ts'

export interface Family {
  slug: string
  label: string
  /** The main table of the family. */
  main: Offer
  tables: readonly Offer[]
  /** The command that loads the family. */
  loadedBy: string
}

/** Every family that stores something, the spine first. */
export function familiesOf(catalog: Catalog): Family[] {
  const main = spine
  const filings: Family = {
    slug: SPINE,
    label: SPINE_LABEL,
    main,
    tables: [main],
    loadedBy: 'openfilings ingest index',
  }
  return [filings, ...catalog.slices.map(familyOf)]
}

function familyOf(slice: Slice): Family {
  const { slug, label } = slice
  const tables = relationsOf(slice)
    .filter((relation) => (relation as Partial<Rollup>).inner !== true)
    .map((relation) => offerOf(slice, relation))
  const name = isFilings(slice) ? filingTable(slice).name : slice.main
  const main = tables.find(({ table }) => table === name) ?? tables[0]!
  const loads = isFilings(slice) || isBulk(slice)
  return { slug, label, main, tables, loadedBy: `openfilings ingest${loads ? ` ${slug}` : ''}` }
}

function offerOf(slice: Slice, relation: Relation): Offer {
  const columns = Object.entries(storedColumns(relation)).filter(([name, type]) => !isInner(name, type))
  const names = columns.map(([name]) => name)
  const { id, name, meaning, primaryKey, partition = null } = relation
  const days = withinOf(slice, names)
  const amended = isFilings(slice) && names.includes('accession') ? amendedOf(slice.slug, slice.views) : undefined
  return {
    family: slice.slug,
    table: name,
    id,
    meaning,
    columns: Object.fromEntries([...columns, ...(amended ? [['amended_by', amendedBy] as const] : [])]),
    order: primaryKey.map((column) => `t.${column}`),
    from: `${id} t`,
    reads: [id, ...(days?.reads ?? [])],
    within: days?.within ?? null,
    ...(amended ? { sqlOf: { amended_by: amendedSql(amended, 't') } } : {}),
    partition,
  }
}

/**
 * Returns the condition on filing dates. It uses the table's own column if there is one, else the table of the family's
 * filings. Returns null if the rows of the table do not belong to filings.
 */
function withinOf(
  slice: Slice,
  names: readonly string[],
): { within: NonNullable<Offer['within']>; reads: string[] } | null {
  if (names.includes('filed_date')) return { within: (days) => between('t.filed_date', days), reads: [] }
  if (!isFilings(slice) || !names.includes('accession')) return null
  const { id } = filingTable(slice)
  const within = (days: Days) => `t.accession in (select accession from ${id} f where ${between('f.filed_date', days)})`
  return { within, reads: [id] }
}

/**
 * Finds the table that the user names.
 *
 * @throws UserError that lists the existing names, and suggests a similar one
 */
export function offerFor(catalog: Catalog, slug: string, table: string | undefined): { family: Family; offer: Offer } {
  const families = familiesOf(catalog)
  const family = families.find((each) => each.slug === slug)
  if (!family) throw new UserError(noFamily(catalog, families, slug))
  if (table === undefined) return { family, offer: family.main }
  const offer = family.tables.find((each) => each.table === table)
  if (offer) return { family, offer }
  const names = family.tables.map((each) => each.table)
  const meant = didYouMean(table, names)
  throw new UserError(`${slug} has no table ${JSON.stringify(table)}${meant || `; it has ${names.join(', ')}`}`)
}

/**
 * Takes the family that the user means by a form. Returns it only if export has none of its tables, as for 10-K: the
 * filings of its family `tenx` are only listed.
 */
const onlyListed = (meant: Catalog['families'][number] | undefined, families: readonly Family[]) =>
  families.some(({ slug }) => slug === meant?.slug) ? undefined : meant

function noFamily(catalog: Catalog, families: readonly Family[], slug: string): string {
  const listed = catalog.family(slug) ?? onlyListed(familyMeant(slug, catalog.families), families)
  if (listed)
    return `${listed.slug} is a family whose filings are only listed: they are in the rows of "openfilings export ${SPINE}"`
  const slugs = families.map((each) => each.slug)
  const meant = didYouMeanFamily(slug, slugs, catalog.families)
  return `unknown family ${JSON.stringify(slug)}${meant || `; available: ${slugs.join(', ')}`}`
}
