/**
 * Makes the examples of `generate`: loads the bundled sample into a separate database, and sends requests to a service
 * that runs on it.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import { inventedOf } from '../ingest/specimens.ts'
import registry from '../registry.ts'
import { described } from '../serve/described.ts'
import { collectExamples, type Examples, exampleKeys, type Reply } from '../serve/examples.ts'
import type { ServerOptions } from '../serve/http.ts'
import { limiter } from '../serve/limits.ts'
import { openReaders } from '../serve/readers.ts'
import { opened } from './progress/recorded.ts'
import { reporterOf } from './progress/reporter.ts'
import { sampleDigest } from './sample-digest.ts'
import { loadSample } from './sample-work.ts'

/** A fixed time, so that the examples are the same on every day. */
const NOW = new Date('2026-01-02T03:04:05Z')
/** An address on which no server listens. */
const UNREACHABLE = 'postgres://nobody@127.0.0.1:1/none'

/**
 * Loads the sample, requests every example, and passes the answers on.
 *
 * @returns the exit status
 * @throws Error if an example is not answered as expected
 */
export async function withExamples(config: Config, act: (examples: Examples) => Promise<void>): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'openfilings-examples-'))
  // A database server that runs as another user must reach its data folder.
  await chmod(folder, 0o755)
  const scratch = { ...config, DATA_DIR: folder, DATABASE_URL: null, DATABASE_READ_URL: null }
  try {
    return await opened({ config: scratch, make: true, reporter: reporterOf({ quiet: true }) }, async (parts) => {
      const outcome = await loadSample({ ...parts, config: scratch, sample: await sampleDigest() }, () => {})
      if (outcome !== 'done') return 'failed'
      await act(await collected(parts.app))
      return 'done'
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Requests every example from a service on a database with the bundled sample. */
export async function collected(app: App): Promise<Examples> {
  const readers = openReaders({ target: UNREACHABLE, max: 1 })
  const [whole, broken] = [await serviceOver(app, {}), await serviceOver(app, { readers })]
  try {
    const keys = await exampleKeys(app.sql, NOW)
    const service = { send: whole.send, sendToBroken: broken.send, keys, invented: await inventedOf(app.sql) }
    return await collectExamples(registry.routes, service)
  } finally {
    await Promise.all([whole.close(), broken.close()])
    await readers.end()
  }
}

async function serviceOver(app: App, options: Partial<ServerOptions>) {
  // Imported only here, since a comparison of the examples needs no service.
  const [{ createServer }, { openLog }] = await Promise.all([
    import('../serve/http.ts'),
    import('../serve/http/log.ts'),
  ])
  const server = await createServer({
    catalog: registry,
    sql: app.keySql,
    readers: app.readers,
    submissions: app.lookUps,
    now: () => NOW,
    limiter: limiter(() => NOW.getTime()),
    log: openLog({ level: 'silent' }),
    selfServeClosed: [],
    isReady: async () => null,
    openapi: described('', () => ({})),
    ...options,
  })
  const send = async (address: string, headers: Readonly<Record<string, string>>): Promise<Reply> => {
    const { statusCode, body } = await server.fastify.inject({
      url: `/v1${address}`,
      headers: { host: 'localhost', ...headers },
    })
    return { status: statusCode, text: body }
  }
  return { send, close: () => server.close() }
}
