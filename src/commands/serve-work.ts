/** Does the work of `serve`: opens the database, listens, and prepares the data that cannot be queried yet. */

import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import { messageOf } from '../declare/errors.ts'
import type { ClientEvent } from '../fetch/client.ts'
import { sender } from '../fetch/post.ts'
import { marked } from '../ingest/marks.ts'
import { collectEarly } from '../ingest/memory.ts'
import { standingOf } from '../ingest/origin.ts'
import { mcp } from '../mcp/http.ts'
import { packageVersion, projectAddress } from '../package.ts'
import { pages } from '../pages/pages.ts'
import registry from '../registry.ts'
import { openLog } from '../serve/http/log.ts'
import { assertPort } from '../serve/http/port.ts'
import { createServer, type Server } from '../serve/http.ts'
import { PostgresCounts } from '../serve/limits/postgres.ts'
import { type CountStore, sharedLimiter } from '../serve/limits/shared.ts'
import { oldSchemaOf, schemasAmong } from '../store/gaps.ts'
import { whyOvertaken } from '../store/overtaken.ts'
import { isOutdated } from '../store/shape.ts'
import { Deliverer } from '../webhooks/deliverer.ts'
import { type Run, refuseMore, settingOption } from './command.ts'
import { documentOf } from './document.ts'
import { bringNamesOver } from './filer-names.ts'
import { greetAtChanges, whyNotReady } from './greeting.ts'
import { printLine } from './print.ts'
import { openReported } from './progress/recorded.ts'
import { type Reporter, reporterOf } from './progress/reporter.ts'
import { sampleDigest } from './sample-digest.ts'
import type { OPTIONS } from './serve.ts'

export const run: Run<typeof OPTIONS> = async ({ values, positionals }, config) => {
  refuseMore('serve', positionals)
  const port = settingOption('PORT', values.port) ?? config.PORT
  const host = settingOption('HOST', values.host) ?? config.HOST
  return serve({ ...config, PORT: port, HOST: host })
}

/** Opens the parts of a server in their order, and closes them in the reverse order. */
async function serve(config: Config): Promise<number> {
  // Checked before the database is opened: a server that cannot listen must not first load data.
  await assertPort(config.HOST, config.PORT)
  collectEarly()
  const log = openLog({ level: config.LOG_LEVEL })
  const reporter = reporterOf({})
  const stop = new AbortController()
  let removed: Error | undefined
  const app = await openReported(config, {
    make: true,
    reporter,
    onEdgar: (event) => log.warn(withIsoTime(event)),
    onRemoved(error) {
      removed = error
      stop.abort()
    },
  })
  // The handlers stay after the first signal. Ctrl-C reaches both the launcher and this process, and the launcher
  // passes the signal on. This second signal must not end the process immediately.
  process.on('SIGINT', () => stop.abort()).on('SIGTERM', () => stop.abort())
  stop.signal.addEventListener('abort', () => printLine('stopping'))
  const readiness: Readiness = { waitsFor: 'starting', unfinished: [] }
  const ready: ReadyKey = { key: null, token: randomBytes(18).toString('base64url') }
  let server: Server | undefined
  let webhooks: Deliverer | undefined
  let counts: CountStore | undefined
  try {
    readiness.unfinished = (await marked(app.sql)).filter(({ all }) => all).map(({ slug }) => slug)
    const sample = await sampleDigest()
    counts = await countsOf(app, config)
    server = await serverOf({ app, config, log, readiness, ready, sample, counts })
    const address = await server.listen({ host: config.HOST, port: config.PORT })
    await prepare({ app, config, reporter, readiness, sample, signal: stop.signal })
    reporter.close()
    webhooks = delivererOf({ app, config, log, server })
    const onKey = (key: string) => {
      ready.key = key
    }
    await greetAtChanges(app, { address, token: ready.token, sample, signal: stop.signal, onKey }, printLine)
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    reporter.close()
    await webhooks?.close()
    await server?.close()
    await counts?.close()
    await app.close()
  }
  if (removed) throw removed
  return 0
}

/** The key that a start prints, and the token of the page that shows it. */
interface ReadyKey {
  key: string | null
  token: string
}

interface Parts {
  app: App
  config: Config
  log: Logger
  readiness: Readiness
  ready: ReadyKey
  /** Digest of the bundled sample. */
  sample: string
  /**
   * The store in which several servers count requests together; undefined if this server counts only its own requests.
   */
  counts: CountStore | undefined
}

/**
 * Several servers cannot share the embedded database, so a server on the embedded database counts only its own
 * requests.
 */
async function countsOf(app: App, config: Config): Promise<CountStore | undefined> {
  if (config.VALKEY_URL) return new (await import('../serve/limits/valkey.ts')).ValkeyCounts(config.VALKEY_URL)
  return config.DATABASE_URL ? new PostgresCounts(app.keySql, () => performance.now()) : undefined
}

/** Counts requests together with the other servers; logs when the store becomes unavailable and when it is back. */
const countedTogether = (store: CountStore, log: Logger) =>
  sharedLimiter({
    store,
    steady: () => performance.now(),
    onChange: (change) =>
      change.away
        ? log.warn(
            { reason: messageOf(change.reason) },
            `${store.name} does not answer: this server counts requests by itself`,
          )
        : log.info(`${store.name} answers again: servers count requests together`),
  })

async function serverOf({ app, config, log, readiness, ready, sample, counts }: Parts): Promise<Server> {
  const version = await packageVersion()
  const accounts = await accountsOf({ app, config, log })
  const document = documentOf({
    version,
    showsData: config.HOME_PAGE,
    report: (reason) => log.warn({ reason }, 'an example for the reference could not be made'),
  })
  return createServer({
    catalog: registry,
    sql: app.keySql,
    metricsSql: app.sql,
    dataDir: app.dataDir,
    readers: app.readers,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_SECONDS * 1000,
    submissions: app.lookUps,
    now: () => new Date(),
    log,
    selfServeClosed: config.SELF_SERVE_CLOSED,
    isReady: async () =>
      readiness.waitsFor ?? whyNotReady(await standingOf(app.sql, sample)) ?? (await whyOvertaken(app.sql)),
    whyClosed: (slugs) => whyClosed(slugs, app, readiness),
    openapi: document,
    pages: pages({
      openapi: document,
      catalog: registry,
      readyKey: { key: () => ready.key, token: ready.token, hasProxy: config.TRUST_PROXY },
      showsData: config.HOME_PAGE,
      waitsFor: () => readiness.waitsFor,
      project: await projectAddress(),
      ...accounts?.pages,
    }),
    mcp: mcp(version),
    ...accounts?.server,
    publicPages: config.PAGES === 'public',
    cacheBytes: config.CACHE_MB * 1024 * 1024,
    trustProxy: config.TRUST_PROXY,
    allowedHosts: [config.HOST, ...config.ALLOWED_HOSTS, ...(accounts?.names ?? [])],
    ...(counts && { limiter: countedTogether(counts, log) }),
  })
}

/** The parts of a server where people can sign in; a start without `OIDC_ISSUER` loads nothing for it. */
async function accountsOf({ app, config, log }: Pick<Parts, 'app' | 'config' | 'log'>) {
  if (config.OIDC_ISSUER === null) return undefined
  const { openAccounts } = await import('./accounts.ts')
  return openAccounts({ config, sql: app.keySql, log })
}

/** Tables of another version are never queried, since a column of the same name may have another meaning. */
function whyClosed(slugs: readonly string[], { stale }: App, readiness: Readiness): string | null {
  const outdated = stale.find((each) => isOutdated(each) && slugs.includes(each.slug))
  const unfinished = readiness.unfinished.find((slug) => slugs.includes(slug))
  if (outdated)
    return `the tables of ${outdated.slug} were made by another version and are being rebuilt; try again later`
  return unfinished ? `the rollups of ${unfinished} are being made; try again later` : null
}

const delivererOf = ({ app, config, log, server }: Pick<Parts, 'app' | 'config' | 'log'> & { server: Server }) =>
  new Deliverer({
    catalog: registry,
    sql: app.sql,
    post: sender({ allowPrivate: config.WEBHOOK_PRIVATE }),
    now: () => new Date(),
    steady: () => performance.now(),
    onOutcome: server.metrics.webhook,
    changes: server.changes,
    log,
  })

interface Readiness {
  /**
   * The part of the preparations that is running, in words. After the preparations: null, or the slice that could not
   * be rebuilt and the reason.
   */
  waitsFor: string | null
  /** Slices whose rollups were not made yet, so that they would seem to have no data. */
  unfinished: readonly string[]
}

interface Preparing {
  app: App
  config: Config
  reporter: Reporter
  readiness: Readiness
  /** Digest of the bundled sample. */
  sample: string
  signal: AbortSignal
}

/**
 * Work that must be done before data can be queried; meanwhile `/readyz` names the part that is running. Most starts
 * have nothing to do, so the code for the work is loaded only when it is needed.
 */
async function prepare(parts: Preparing): Promise<void> {
  const { app, config, reporter, readiness, sample, signal } = parts
  await bringNamesOver(app, reporter, (stage) => {
    readiness.waitsFor = stage
  })
  const { holds, origin } = await standingOf(app.sql, sample)
  // If real data was loaded once, the operator does not want the sample.
  if (config.SAMPLE && origin !== 'edgar' && holds !== 'sample' && holds !== 'real') {
    const onBegin = () => {
      readiness.waitsFor = 'loading the bundled sample'
    }
    onBegin()
    const onWait = () => {
      readiness.waitsFor = 'another process is loading the first data'
      reporter.note(`${readiness.waitsFor}: waiting for it`)
    }
    const { loadSample } = await import('./sample-work.ts')
    await loadSample(parts, onWait, onBegin)
  }
  for (const { slug, reason } of app.stale) {
    if (reason === 'parser')
      reporter.note(`the parser of ${slug} changed: "openfilings rebuild ${slug}" reads the archive again`)
  }
  const onStage = (stage: string) => {
    readiness.waitsFor = stage
  }
  const failed = app.stale.some(isOutdated)
    ? await (await import('./upgrade-work.ts')).rebuildOutdated({ app, reporter, signal, onStage })
    : new Map<string, string>()
  if ((await schemasAmong(app.sql, registry.slices.map(oldSchemaOf))).length > 0) {
    const { dropLeftOld } = await import('../ingest/rebuild/swap.ts')
    await dropLeftOld(app.sql, registry.slices)
  }
  // Keys stay marked if a load was killed, or if their rollups are new in this version.
  if ((await marked(app.sql)).some(({ waiting }) => waiting > 0)) {
    readiness.waitsFor = 'making rollups'
    const { refreshing } = await import('../ingest/refresh.ts')
    const onMaking = (slug: string) => {
      readiness.waitsFor = `making rollups of ${slug}`
    }
    await refreshing({ sql: app.sql, slices: registry.slices, onMaking, signal }, async () => {})
  }
  readiness.unfinished = []
  // The other slices are served; the next start tries this slice again.
  const [first] = failed
  readiness.waitsFor = first ? `${first[0]} could not be rebuilt: ${first[1]}` : null
}

/** Logs have ISO 8601 for every moment. */
const withIsoTime = (event: ClientEvent) =>
  event.event === 'edgar.pause' ? { ...event, until: new Date(event.until).toISOString() } : event
