/** `ingest`: indexes into the spine, pending filings through their parsers, and bulk files. */
import { type App, open, SAMPLE_URL } from '../app.ts'
import type { Config } from '../config.ts'
import { ingestBulk } from '../core/bulk/ingest.ts'
import type { BulkDataset } from '../core/dataset.ts'
import { crawl, resumeFrom } from '../core/edgar/crawl.ts'
import { UserError } from '../core/errors.ts'
import { drain, type IngestResult } from '../core/ingest.ts'
import { collectEarly } from '../core/memory.ts'
import { originOf, setOrigin } from '../core/meta.ts'
import { type Outcome, retryFailed, type Selection } from '../core/queue.ts'
import { emptyDatabase } from '../core/schema.ts'
import registry from '../registry.ts'
import { argumentsOf, countOption, dayOption } from './arguments.ts'
import { bulkDatasets, bulkNames, readBulk, readBulkIfListed } from './ingest-bulk.ts'

const OPTIONS = {
  from: { type: 'string' },
  to: { type: 'string' },
  'base-url': { type: 'string' },
  retry: { type: 'boolean' },
  again: { type: 'boolean' },
  'accept-gone': { type: 'boolean' },
  workers: { type: 'string' },
} as const

/** Failures printed one by one; all of them stay in the queue and in `status`. */
const FAILURES_SHOWN = 20

/** @returns 1 when an index line, a filing or an edition could not be read, 128 and its number after a signal, else 0 */
export async function ingest(args: string[], config: Config): Promise<number> {
  const { values, positionals } = argumentsOf(args, OPTIONS)
  const { datasets, bulk, sources } = selected(positionals)
  collectEarly()
  const range = { from: dayOption('from', values.from), to: dayOption('to', values.to) }
  if (range.from && range.to && range.from > range.to) {
    throw new UserError(`--from ${range.from} is after --to ${range.to}`)
  }
  const workers = countOption('workers', values.workers) ?? config.INGEST_WORKERS
  const again = values.again ?? false
  const app = await open(
    { ...config, INGEST_WORKERS: workers },
    { baseUrl: values['base-url'], log: warn, onEdgar: (event) => warn(JSON.stringify(event)) },
  )
  const stop = new AbortController()
  let status = 0
  const onSignal = (_: string, number: number) => {
    status = 128 + number
    stop.abort()
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  try {
    await claimOrigin(app)
    let problems = 0
    if (datasets) {
      problems += await ingestFilings(
        app,
        { datasets, ...range },
        { again, retry: values.retry ?? false, workers, signal: stop.signal },
      )
    }
    if (bulk.length > 0 && !stop.signal.aborted) {
      const selection = { sources, ...range, again, acceptGone: values['accept-gone'] ?? false, signal: stop.signal }
      problems += await (datasets ? readBulkIfListed : readBulk)(app, config, bulk, selection)
    }
    return status || (problems > 0 ? 1 : 0)
  } finally {
    process.removeListener('SIGINT', onSignal).removeListener('SIGTERM', onSignal)
    await app.close()
  }
}

/** @returns how many indexes were damaged and filings failed */
async function ingestFilings(
  app: App,
  selection: Selection,
  { again, retry, workers, signal }: { again: boolean; retry: boolean; workers: number; signal: AbortSignal },
): Promise<number> {
  const outdated = app.stale.find(
    ({ dataset, reason }) => reason === 'definition' && selection.datasets.includes(dataset.slug),
  )
  if (outdated) {
    const { slug } = outdated.dataset
    throw new UserError(`the tables of ${slug} are outdated: run "openfilings rebuild ${slug}"`)
  }
  if (retry) say(`${await retryFailed(app.sql, selection)} failed filings taken up again`)
  const damaged = await readIndexes(app, selection, again, signal)
  const { done, failed, unread } = await readFilings(app, selection, workers, signal)
  say(`${done} filings read, ${failed} failed, ${unread} unread leaves${signal.aborted ? '; stopped' : ''}`)
  return damaged + failed
}

/** Loads the bundled sample through the same steps; into an empty database alone. */
export async function ingestSample(app: App): Promise<IngestResult & { editions: number }> {
  await setOrigin(app.sql, 'sample')
  await crawl({ ...crawlOf(app), from: '1993-01-01', to: today(), now: new Date() })
  const filings = await drain({
    sql: app.sql,
    catalog: registry,
    submissions: app.submissions,
    selection: { datasets: allTasks() },
    workers: 2,
  })
  const editions = await ingestBulk({
    sql: app.sql,
    datasets: registry.bulk,
    store: app.store,
    client: app.adviserClient,
  })
  const failed = filings.failed + editions.filter(({ error }) => error !== null).length
  return { ...filings, failed, editions: editions.length }
}

/**
 * Bundled sample documents are our own rendering of public facts: they must not stand beside real ones, so the first real
 * ingest begins with an empty spine.
 */
async function claimOrigin(app: App): Promise<void> {
  const origin = app.client.baseUrl === SAMPLE_URL ? 'sample' : 'edgar'
  const held = await originOf(app.sql)
  if (held === origin) return
  if (held === 'edgar')
    throw new UserError('the database holds filings of EDGAR: the bundled sample would mix with them')
  if (held === 'sample') {
    say('removing the bundled sample')
    await emptyDatabase(app.sql, registry.datasets)
  }
  await setOrigin(app.sql, origin)
}

async function readIndexes(
  app: App,
  range: { from?: string | undefined; to?: string | undefined },
  again: boolean,
  signal: AbortSignal,
): Promise<number> {
  const now = new Date()
  const from = range.from ?? (await resumeFrom(app.sql, app.client, now))
  const results = await crawl({
    ...crawlOf(app),
    from,
    to: range.to ?? today(),
    now,
    again,
    signal,
    onIndex: ({ url, filings, added, changed, removed }) => {
      say(`${url}: ${filings} filings, ${added} new, ${changed} changed, ${removed} removed`)
    },
  })
  if (results.length === 0 && !signal.aborted) say(`no index from ${from} on that was not read before`)
  const damaged = results.filter((result) => result.problems > 0)
  for (const { index_url, line, reason, content } of await unreadLines(
    app,
    damaged.map(({ url }) => url),
  )) {
    warn(`${index_url} line ${line} ${reason}: ${JSON.stringify(content)}`)
  }
  return damaged.length
}

const unreadLines = ({ sql }: App, urls: string[]) => sql<
  { index_url: string; line: number; reason: string; content: string }[]
>`
  select index_url, line, reason, content from edgar.index_problem where index_url = any(${urls})
  order by index_url, line limit ${FAILURES_SHOWN}`

async function readFilings(
  app: App,
  selection: Selection,
  workers: number,
  signal: AbortSignal,
): Promise<IngestResult> {
  let read = 0
  let failed = 0
  const onBatch = (outcomes: readonly Outcome[]) => {
    read += outcomes.length
    for (const { task, error } of outcomes) {
      if (error !== null && ++failed <= FAILURES_SHOWN) warn(`${task.accession} (${task.form_type}) failed: ${error}`)
    }
    if (process.stderr.isTTY) process.stderr.write(`\r${read} filings read`)
  }
  const result = await drain({
    sql: app.sql,
    catalog: registry,
    submissions: app.submissions,
    selection,
    workers,
    onBatch,
    signal,
  })
  if (process.stderr.isTTY && read > 0) process.stderr.write('\n')
  if (failed > FAILURES_SHOWN) warn(`and ${failed - FAILURES_SHOWN} more; "openfilings status" lists them`)
  return result
}

const crawlOf = ({ sql, client }: App) => ({ sql, client, catalog: registry })
const allTasks = () => [...registry.filings.map(({ slug }) => slug), 'header']
const today = () => new Date().toISOString().slice(0, 10)
const say = (line: string) => process.stdout.write(`${line}\n`)
const warn = (line: string) => process.stderr.write(`openfilings: ${line}\n`)

interface Selected {
  /** Of EDGAR's filings; null when only bulk files are wanted. */
  datasets: string[] | null
  bulk: readonly BulkDataset[]
  /** Addresses of lists, or local files. */
  sources: readonly string[]
}

function selected([what = 'all', ...sources]: readonly string[]): Selected {
  const bulk = bulkDatasets(what)
  if (sources.length > 0 && (bulk.length === 0 || what === 'all')) {
    throw new UserError(`ingest ${what} takes one thing at a time, not also ${sources.join(', ')}`)
  }
  if (what === 'all') return { datasets: allTasks(), bulk, sources }
  if (what === 'index') return { datasets: [], bulk, sources }
  if (allTasks().includes(what)) return { datasets: [what], bulk, sources }
  if (bulk.length > 0) return { datasets: null, bulk, sources }
  const known = ['all', 'index', ...allTasks(), ...bulkNames()].join(', ')
  throw new UserError(`there is nothing called ${JSON.stringify(what)} to ingest; use one of ${known}`)
}
