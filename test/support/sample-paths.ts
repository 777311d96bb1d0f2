/** Addresses for which the sample has an answer. */
import { filingTable } from '../../src/declare/dataset.ts'
import type { Route } from '../../src/declare/route.ts'
import registry from '../../src/registry.ts'
import { ANTHROPIC, APPLE, datasetOf, fill } from './requests.ts'
import type { Served } from './served.ts'

/** Columns with the filers of a slice, for slices without the default filers, which are brokers. */
const FILERS: Record<string, string> = {
  thirteenf: 'thirteenf.filer',
  ncen: 'ncen.standing',
  ownership: 'ownership.owner',
  companies: 'companies.company',
  facts: 'facts.company',
  documents: 'documents.filing',
  '/companies/{cik}/securities': 'identifiers.best',
}

/** Returns addresses of a route with path parameters that exist in the sample, several if answers differ. */
export async function pathsOf(served: Served, route: Route): Promise<string[]> {
  const own = datasetOf(route)
  const isIpo = route.path === '/ipos/by-accession/{accession}'
  const accessions = isIpo
    ? await served.sql<{ accession: string }[]>`
        select m.accession from offerings.member m join offerings.offering o on o.accession = m.offering_accession
        where o.listed_basis is null order by m.accession`
    : own
      ? await served.sql<{ accession: string }[]>`
        select accession from ${served.sql(filingTable(own).id)} order by accession`
      : await served.sql<{ accession: string }[]>`select accession from edgar.filing order by accession`
  const filers = served.sql(FILERS[route.path] ?? FILERS[own?.slug ?? route.path.split('/')[1]!] ?? 'x17a5.broker')
  const known: Record<string, readonly string[]> = {
    accession: accessions.map(({ accession }) => accession),
    seq: ['1'],
    cik: (
      await served.sql<{ cik: string }[]>`select distinct cik from ${filers} where cik is not null order by cik`
    ).map(({ cik }) => cik),
    series: ['1843974', '9000000082', 'S999000082'],
    crd: ['361', '105958', '999000001', '999000003', '999000005', '999000010'],
    cusip: /aliases$/.test(route.path)
      ? [ANTHROPIC]
      : /financials$|identifiers$/.test(route.path)
        ? [APPLE]
        : [APPLE, ANTHROPIC],
    indvlPk: ['990000003', '990000001'],
    id: ['1009900010002'],
  }
  const query: Record<string, string[]> = {
    '/companies': ['?q=specimen', '?q=brk-b'],
    '/search': ['?q=specimen', '?q=brk-b', '?q=vanguard&kind=fund'],
    '/adv/advisers/search': ['?q=specimen'],
    '/adv/advisers/by-crd/{crd}': ['', '?include=all'],
    '/adv/securities/{cusip}/holders': ['', '?source=nport&period=2021-12-31'],
    '/text-search': ['?q=iphone', '?q=fees&corpora=brochures', '?q=nobodywrotethis'],
    '/brochures/search': ['?q=fees'],
    '/npx/votes': ['?cusip=88025U109', '?cik=9000000151'],
    '/thirteenf/movers': ['', '?period=2019-09-30'],
    '/feed': ['', '?type=rega', '?type=crowdfunding'],
    '/filings': ['', ...registry.families.filter(({ feed }) => feed).map(({ slug }) => `?family=${slug}`)],
  }
  if (route.path.includes('{source}')) {
    const filings = await served.sql<{ corpus: string; accession: string }[]>`
      select corpus, accession from documents.filing order by accession`
    return filings.map(({ corpus, accession }) => fill(route, { source: corpus, accession }))
  }
  const name = /\{(\w+)\}/.exec(route.path)?.[1]
  const filled = name
    ? known[name]!.map((value) => route.path.replace(`{${name}}`, value).replace('{seq}', '1'))
    : [route.path]
  return filled.flatMap((path) => (query[route.path] ?? ['']).map((params) => path + params))
}
