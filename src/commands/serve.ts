/** `serve`: the API, after the sample is loaded where nothing else is. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type App, open, root, SAMPLE_URL, withSource } from '../app.ts'
import type { Config } from '../config.ts'
import type { Sql } from '../core/db.ts'
import { messageOf, UserError } from '../core/errors.ts'
import { openLog } from '../core/http/log.ts'
import { createServer, type Server } from '../core/http.ts'
import { createKey, keyring } from '../core/keys.ts'
import { originOf } from '../core/meta.ts'
import { openapi } from '../core/openapi.ts'
import registry from '../registry.ts'
import { argumentsOf } from './arguments.ts'
import { ingestSample } from './ingest.ts'
import { rebuildOne } from './rebuild.ts'

/** Requests a minute of the ready key: enough for a person and a script on their own machine. */
const READY_LIMIT = 1000

export async function serve(args: string[], config: Config): Promise<number> {
  const { positionals } = argumentsOf(args, {})
  if (positionals.length > 0) throw new UserError(`serve does not take ${positionals.join(', ')}`)
  const log = openLog({ level: config.LOG_LEVEL })
  const app = await open(config, { log: say, onEdgar: (event) => log.warn(event) })
  let waiting: string | null = 'starting'
  let server: Server | undefined
  const stopped = new Promise<void>((resolve) => {
    // Kept on: Ctrl-C reaches the launcher and us, and the launcher passes it on; the second must not end us at once.
    process.on('SIGINT', resolve).on('SIGTERM', resolve)
  })
  try {
    server = await createServer({
      catalog: registry,
      sql: app.keySql,
      readers: app.readers,
      statementTimeoutMs: config.STATEMENT_TIMEOUT_SECONDS * 1000,
      submissions: app.lookUps,
      now: () => new Date(),
      log,
      selfServeClosed: config.SELF_SERVE_CLOSED,
      isReady: async () => waiting,
      openapi: openapi(registry, await packageVersion()),
      cacheBytes: config.CACHE_MB * 1024 * 1024,
      trustProxy: config.TRUST_PROXY,
    })
    const address = await server.listen({ host: config.HOST, port: config.PORT })
    await prepare(app, config, (reason) => {
      waiting = reason
    })
    say(await welcome(app, address))
    await stopped
    say('stopping')
    return 0
  } finally {
    await server?.close()
    await app.close()
  }
}

/** What must be done before data can be queried; meanwhile `/readyz` says which of it is under way. */
async function prepare(app: App, config: Config, waitingFor: (reason: string | null) => void): Promise<void> {
  for (const { dataset, reason } of app.stale) {
    if (reason === 'parser') {
      say(`the parser of ${dataset.slug} changed: "openfilings rebuild ${dataset.slug}" reads the archive again`)
      continue
    }
    waitingFor(`rebuilding ${dataset.slug}`)
    say(`rebuilding ${dataset.slug}: its tables changed`)
    await rebuildOne(app, dataset)
  }
  if (config.SAMPLE && (await originOf(app.sql)) === null) {
    waitingFor('loading the sample')
    const source = withSource(app, config, SAMPLE_URL)
    const { done, failed, editions } = await ingestSample(source)
    await source.client.close()
    say(`bundled sample loaded: ${done} filings and ${editions} adviser files read, ${failed} failed`)
  }
  waitingFor(null)
}

async function welcome(app: App, address: string): Promise<string> {
  const key = await readyKey(app)
  const [form] = await app.sql<{ accession: string }[]>`
    select accession from edgar.task where dataset = 'formd' and state = 'done' order by filed_date desc, accession desc limit 1`
  const curl = (route: string) => `  curl -H 'Authorization: Bearer ${key}' '${address}/v1${route}'`
  return [
    '',
    `OpenFilings is ready at ${address}`,
    `Reference: ${address}/docs`,
    `API key:   ${key}`,
    '',
    'Try:',
    curl('/filings?limit=3'),
    curl('/feed?type=formd&sort=amount&limit=3'),
    curl(form ? `/formd/filings/by-accession/${form.accession}` : '/filings/coverage'),
    '',
  ].join('\n')
}

/** The key printed at start, kept for the next one in a file that only the owner reads. A new one is made when it was revoked. */
async function readyKey({ sql, dataDir }: App): Promise<string> {
  const file = path.join(dataDir, 'api-key')
  const kept = await readFile(file, 'utf8').catch(() => null)
  if (kept && (await isValid(sql, kept.trim()))) return kept.trim()
  const { key } = await createKey(sql, {
    account: 'local',
    scopes: ['api', 'brochures', 'mcp'],
    searchLimit: READY_LIMIT,
    generalLimit: READY_LIMIT,
    now: new Date(),
  })
  try {
    await writeFile(file, `${key}\n`, { mode: 0o600 })
  } catch (cause) {
    throw new UserError(`the ready key cannot be kept in ${file}`, { cause })
  }
  return key
}

async function isValid(sql: Sql, key: string): Promise<boolean> {
  const ring = keyring(sql, { now: () => new Date() })
  return ring.find(key).then(
    (found) => found !== null,
    () => false,
  )
}

async function packageVersion(): Promise<string> {
  try {
    return JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')).version
  } catch (error) {
    throw new UserError(`package.json cannot be read: ${messageOf(error)}`)
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`)
