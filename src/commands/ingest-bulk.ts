/** `ingest adv` and its like: files of a publisher, from its lists or from disk. */
import { type App, clientOf } from '../app.ts'
import type { Config } from '../config.ts'
import { type EditionOutcome, ingestBulk } from '../core/bulk/ingest.ts'
import type { BulkDataset } from '../core/dataset.ts'
import { EdgarError } from '../core/edgar/client.ts'
import { UserError } from '../core/errors.ts'
import registry from '../registry.ts'

export interface BulkSelection {
  /** Addresses of lists, or local files; neither means the lists of the site. */
  sources: readonly string[]
  from?: string | undefined
  to?: string | undefined
  again: boolean
  acceptGone: boolean
  signal: AbortSignal
}

/** Datasets that a word of `ingest` means: one by its slug, or all of a collection. */
export function bulkDatasets(what: string): BulkDataset[] {
  return registry.bulk.filter(({ slug, source }) => what === 'all' || slug === what || source.collection === what)
}

/** What `ingest` calls them: `adv`, `reps`. */
export const bulkNames = () => [...new Set(registry.bulk.flatMap(({ slug, source }) => [source.collection, slug]))]

/** @returns how many editions failed */
export async function readBulk(
  app: App,
  config: Config,
  datasets: readonly BulkDataset[],
  { sources, ...selection }: BulkSelection,
): Promise<number> {
  const stale = app.stale.find(({ dataset }) => datasets.some(({ slug }) => slug === dataset.slug))
  // With another parser every record would seem changed.
  if (stale)
    throw new UserError(`${stale.dataset.slug} was read by other code: run "openfilings rebuild ${stale.dataset.slug}"`)
  const options = { sql: app.sql, datasets, store: app.store, ...selection, onEdition: tell }
  const addresses = sources.filter((source) => URL.canParse(source) && /^(https?|file):/.test(source))
  const files = sources.filter((source) => !addresses.includes(source))
  const outcomes: EditionOutcome[] = []
  if (files.length > 0) outcomes.push(...(await ingestBulk({ ...options, client: app.adviserClient, files })))
  for (const address of addresses) {
    const { base, path } = split(address)
    const client = clientOf(config, base)
    outcomes.push(...(await ingestBulk({ ...options, client, manifests: [path] }).finally(() => client.close())))
  }
  if (sources.length === 0) outcomes.push(...(await ingestBulk({ ...options, client: app.adviserClient })))
  if (outcomes.length === 0) say('no edition that was not loaded before')
  return outcomes.filter(({ error }) => error !== null).length
}

/** As `readBulk` for `ingest all`, where a host without lists has filings alone. */
export async function readBulkIfListed(...all: Parameters<typeof readBulk>): Promise<number> {
  try {
    return await readBulk(...all)
  } catch (error) {
    if (!(error instanceof EdgarError && error.kind === 'configuration')) throw error
    process.stderr.write(`openfilings: ${error.message}\n`)
    return 0
  }
}

/** A list's address as host and path; a folder's list stands at its root. */
function split(address: string): { base: string; path: string } {
  const url = new URL(address)
  if (url.protocol !== 'file:') return { base: url.origin, path: url.pathname }
  const folder = url.href.replace(/\/[^/]*$/, '')
  return { base: folder, path: url.href.slice(folder.length) }
}

function tell({ edition, result, error }: EditionOutcome): void {
  if (error !== null) return void process.stderr.write(`openfilings: ${edition.name} failed: ${error}\n`)
  const { records, added, changed, back, gone, refused, notes } = result!
  const unread = notes.unread.size > 0 ? `, ${notes.unread.size} unread paths` : ''
  const problems = notes.problemCount > 0 ? `, ${notes.problemCount} unreadable values` : ''
  say(
    `${edition.name}: ${records} records, ${added} new, ${changed} changed, ${back} back, ${gone} gone, ${refused} refused${unread}${problems}`,
  )
}

const say = (line: string) => process.stdout.write(`${line}\n`)
