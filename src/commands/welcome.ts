/** The lines that `serve` prints at its start: what is loaded, and requests that were tried before they are printed. */

import type { Context } from '../declare/route.ts'
import { loaded } from '../ingest/backlog.ts'
import type { Standing } from '../ingest/origin.ts'
import { type Ask, advisersLoaded, asker, firstRequests } from '../serve/first-requests.ts'
import { number } from './progress.ts'

/** What is loaded, in a sentence. */
export async function whatIsLoaded(context: Context, { holds }: Standing): Promise<string> {
  const { filings, newest, through } = await loaded(context.sql)
  const advisers = await advisersLoaded(context.catalog, askerOf(context))
  const parts = [
    ...(newest ? [`${number(filings)} filings, the newest of ${newest}`] : []),
    ...(advisers ? [`${number(advisers)} advisers${through ? `, as of ${through}` : ''}`] : []),
  ]
  const kinds = { 'old sample': 'the bundled sample of another version: ', sample: 'the bundled sample: ' }
  const kind = holds === 'sample' || holds === 'old sample' ? kinds[holds] : ''
  return `${kind}${parts.join('; ')}`
}

/** Requests that have rows in this database, the most telling first, as commands of a shell. */
export async function thingsToTry(context: Context, base: string, key: string): Promise<string[]> {
  const tried = await firstRequests(context.catalog, askerOf(context))
  return tried.map(
    ({ address, file }) => `curl -H 'Authorization: Bearer ${key}' '${base}${address}'${file ? ` -o ${file}` : ''}`,
  )
}

const askerOf = (context: Context): Ask => asker((route, values) => route.run(values, context))
