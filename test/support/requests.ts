/** A request for each route, with values that exist in the sample, do not exist, or are malformed. */
import { filingTable } from '../../src/declare/dataset.ts'
import type { Route } from '../../src/declare/route.ts'
import registry from '../../src/registry.ts'
import type { Sql } from '../../src/store/db.ts'

/** Values for path parameters: one that does not exist in the sample, one that is malformed. */
export const EXAMPLES: Record<string, { none?: string; bad: string }> = {
  source: { bad: 'nope' },
  accession: { none: '0000000000-00-000000', bad: 'not-an-accession' },
  seq: { none: '99999', bad: 'x' },
  cik: { none: '9999999999', bad: 'abc' },
  series: { none: 'S000000000', bad: 'S1' },
  crd: { none: '999999999', bad: '12a' },
  indvlPk: { none: '999999999999', bad: '-1' },
  id: { none: '999999999', bad: '-1' },
  cusip: { none: '999999990', bad: 'a-b' },
}

/** Values of query parameters that a route requires. */
const NEEDED: Record<string, string> = {
  '/adv/advisers/search': 'q=openfilings',
  '/companies': 'q=openfilings',
  '/npx/votes': 'cusip=037833100',
  '/search': 'q=openfilings',
  '/text-search': 'q=risk',
  '/brochures/search': 'q=fees',
}

export const parametersOf = (route: Route) => [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
export const fill = (route: Route, values: Record<string, string>) =>
  route.path.replace(/\{(\w+)\}/g, (_, name) => values[name]!)

/** Returns the query that a route requires, with its question mark, or nothing. */
export const neededOf = ({ path }: Route) => (NEEDED[path] ? `?${NEEDED[path]}` : '')

/** A listed security, and a private one; only the private one has other names. */
export const APPLE = '037833100'
export const ANTHROPIC = 'name~YW50aHJvcGljIHBiYw'

/** Filers for slices that do not have the default filer, a broker. */
const CIKS: Record<string, string> = {
  facts: '320193',
  documents: '320193',
  companies: '320193',
  thirteenf: '9000000051',
  ncen: '9000000081',
  ownership: '1218363',
}

/** Returns path parameters that exist for the route in the sample. */
export async function existingFor(route: Route, sql: Sql): Promise<Record<string, string>> {
  const cik = CIKS[datasetOf(route)?.slug ?? route.path.split('/')[1]!] ?? '200403'
  const accession = await accessionFor(route, sql)
  const [filing] = await sql<{ corpus: string }[]>`select corpus from documents.filing where accession = ${accession}`
  return {
    source: filing?.corpus ?? 'tenx',
    accession,
    seq: '1',
    cik,
    series: '1843974',
    // Only private companies have aliases; the private security is Anthropic.
    cusip: route.path.endsWith('/aliases') ? ANTHROPIC : APPLE,
    crd: '999000001',
    indvlPk: '990000003',
    id: '1009900010002',
  }
}

/** Returns the dataset of filings that declares the route. */
export const datasetOf = (route: Route) =>
  registry.filings.find(({ routes }) => routes.some(({ name }) => name === route.name))

/** Selects an initial offering, because some routes need one and not every filing is part of one. */
async function newestIpo(sql: Sql): Promise<string> {
  const [newest] = await sql<{ accession: string }[]>`
    select accession from offerings.offering where listed_basis is null order by filed_date desc limit 1`
  return newest!.accession
}

/** Returns an accession that the route knows: the newest of its own dataset, else of Form D. */
async function accessionFor(route: Route, sql: Sql): Promise<string> {
  if (route.path.startsWith('/ipos/')) return newestIpo(sql)
  const dataset = datasetOf(route) ?? registry.family('formd')!.dataset!
  const [newest] = await sql<{ accession: string }[]>`
    select accession from ${sql(filingTable(dataset).id)} order by filed_date desc limit 1`
  return newest!.accession
}
