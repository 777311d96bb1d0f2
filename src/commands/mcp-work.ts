/** Does the work of `mcp`. Standard output belongs to the protocol: everything else goes to standard error. */
import { readFile } from 'node:fs/promises'
import { open } from '../app.ts'
import type { Config, Environment } from '../config.ts'
import { messageOf, UserError } from '../declare/errors.ts'
import type { KeyContext } from '../declare/ports.ts'
import { SCOPES } from '../declare/scopes.ts'
import type { Api } from '../mcp/api.ts'
import { innerApi } from '../mcp/inner.ts'
import { remoteApi } from '../mcp/remote.ts'
import { agentOf } from '../mcp/server.ts'
import { stdio } from '../mcp/stdio.ts'
import { packageVersion } from '../package.ts'
import registry from '../registry.ts'
import { openLog } from '../serve/http/log.ts'
import { createServer } from '../serve/http.ts'
import { isOutdated } from '../store/shape.ts'
import { olderError } from '../store/version.ts'
import { type Run, refuseMore } from './command.ts'
import { documentOf } from './document.ts'
import type { OPTIONS } from './mcp.ts'
import { complain } from './print.ts'

/** A user with access to the data folder may send any request, without a rate limit. */
const OWNER: KeyContext = {
  keyId: 'owner',
  uid: 'owner',
  scopes: SCOPES,
  limits: { search: 1_000_000, general: 1_000_000 },
  selfServe: false,
}

export const run: Run<typeof OPTIONS> = async ({ values, positionals }, config, environment) => {
  refuseMore('mcp', positionals)
  const stop = new AbortController()
  process.on('SIGINT', () => stop.abort()).on('SIGTERM', () => stop.abort())
  if (values.url === undefined) {
    if (values['key-file'] !== undefined)
      throw new UserError('--key-file needs --url: without it, the data folder answers, which needs no key')
    return local(config, stop.signal)
  }
  const origin = originOf(values.url)
  const key = await keyOf(values['key-file'], environment)
  await answer(remoteApi({ origin, key }), stop.signal)
  return 0
}

/** Answers a client from the data folder. The server that it uses for this listens on no port. */
async function local(config: Config, signal: AbortSignal): Promise<number> {
  const log = openLog({ level: config.LOG_LEVEL })
  const app = await open(config, { only: 'write', command: 'mcp' })
  try {
    if (app.lacking.missing.length > 0) throw olderError(app.lacking, app.shape.version, 'mcp')
    const server = await createServer({
      catalog: registry,
      sql: app.keySql,
      dataDir: app.dataDir,
      readers: app.readers,
      statementTimeoutMs: config.STATEMENT_TIMEOUT_SECONDS * 1000,
      submissions: app.lookUps,
      now: () => new Date(),
      log,
      selfServeClosed: [],
      isReady: async () => null,
      whyClosed: (slugs) => {
        const stale = app.stale.find((each) => isOutdated(each) && slugs.includes(each.slug))
        return stale
          ? `the tables of ${stale.slug} were made by another version; "openfilings serve" rebuilds them`
          : null
      },
      openapi: documentOf({ version: await packageVersion(), showsData: false, report: () => {} }),
      cacheBytes: config.CACHE_MB * 1024 * 1024,
    })
    try {
      // Citations link to the pages of a server that runs on the same data folder.
      const origin = `http://${config.HOST}:${config.PORT}`
      await answer(innerApi(server.agentRequests, { key: OWNER, origin, requestId: 'mcp' }), signal)
    } finally {
      await server.close()
    }
  } finally {
    await app.close()
  }
  return 0
}

async function answer(api: Api, signal: AbortSignal): Promise<void> {
  const version = await packageVersion()
  const onFault = (error: unknown) => complain(`mcp: ${messageOf(error)}`)
  await stdio(agentOf(registry, { version, onFault }), api, signal)
}

/** @throws UserError if the text is not a valid address */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.username || url.password) {
    throw new UserError(`--url ${JSON.stringify(text)} is not an address such as https://filings.example.org`)
  }
  return url.origin
}

/** @throws UserError if there is no key */
async function keyOf(file: string | undefined, environment: Environment): Promise<string> {
  try {
    const text = file === undefined ? environment.OPENFILINGS_KEY : await readFile(file, 'utf8')
    const key = text?.trim() ?? ''
    // The key is sent as a header, so the content of a file that has no key must not be sent.
    if (/^[\w-]{1,200}$/.test(key)) return key
  } catch (error) {
    throw new UserError(`--key-file cannot be read: ${messageOf(error)}`)
  }
  throw new UserError('no valid API key was found: name a file that has one with --key-file, or set OPENFILINGS_KEY')
}
