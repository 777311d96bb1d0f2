/** The lines that `serve` prints at its start: what is loaded, and requests that were tried before they are printed. */

import type { BulkDataset } from '../declare/dataset.ts'
import type { Context } from '../declare/route.ts'
import { loaded, newestEditions, setCounts } from '../ingest/backlog.ts'
import type { Standing } from '../ingest/origin.ts'
import { advisersLoaded, firstRequests, type SendRequest, senderOf } from '../serve/first-requests.ts'
import { number } from './progress.ts'
import { isApart } from './wanted.ts'

/** Describes the loaded data in a sentence. */
export async function whatIsLoaded(context: Context, { holds }: Standing): Promise<string> {
  const { sql, catalog } = context
  const [{ filings, newest }, sets, editions] = await Promise.all([loaded(sql), setCounts(sql), newestEditions(sql)])
  const advisers = await advisersLoaded(catalog, requestsOf(context))
  const [apart, ofAdvisers] = [catalog.bulk.filter(isApart), catalog.bulk.filter((one) => !isApart(one))]
  const asOf = (datasets: readonly BulkDataset[]) => {
    const names = datasets.flatMap(({ source }) => Object.keys(source.series))
    const days = editions.filter(({ series }) => names.includes(series)).map(({ through }) => through)
    return days.length > 0 ? `, as of ${days.sort().at(-1)}` : ''
  }
  const parts = [
    ...(newest ? [`${number(filings)} filings, the newest of ${newest}`] : []),
    ...sets
      .filter((set) => set.done > 0)
      .map(
        (set) =>
          `${number(set.filings)} filings from quarterly sets of ${catalog.family(set.dataset)?.label ?? set.dataset}`,
      ),
    ...(advisers ? [`${number(advisers)} advisers${asOf(ofAdvisers)}`] : []),
    ...apart.filter((one) => asOf([one]) !== '').map((one) => `${one.label}${asOf([one])}`),
  ]
  const kinds = { 'old sample': 'the bundled sample of another version: ', sample: 'the bundled sample: ' }
  const kind = holds === 'sample' || holds === 'old sample' ? kinds[holds] : ''
  return `${kind}${parts.join('; ')}`
}

/** Requests that have rows in this database, most interesting first, as commands for a shell. */
export async function thingsToTry(context: Context, base: string, key: string): Promise<string[]> {
  const tried = await firstRequests(context.catalog, requestsOf(context))
  return tried.map(
    ({ address, file }) => `curl -H 'Authorization: Bearer ${key}' '${base}${address}'${file ? ` -o ${file}` : ''}`,
  )
}

const requestsOf = (context: Context): SendRequest => senderOf((route, values) => route.run(values, context))
