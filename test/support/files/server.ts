/** Runs the service in a separate process that reports its memory: forked by files-memory.test.ts. */
import registry from '../../../src/registry.ts'
import { described } from '../../../src/serve/described.ts'
import { openLog } from '../../../src/serve/http/log.ts'
import { createServer } from '../../../src/serve/http.ts'
import { createKey } from '../../../src/serve/keys.ts'
import { openReaders } from '../../../src/serve/readers.ts'
import { type Connection, connect } from '../../../src/store/db.ts'
import { emptyArchive } from '../empty-archive.ts'
import { memoryInUse } from '../memory.ts'

export interface Memory {
  /** Heap and buffers in use. */
  used: number
  rss: number
}

const target = JSON.parse(process.argv[2]!) as Connection['target']
const sql = connect({ target, max: 2 })
const readers = openReaders({ target, max: 4 })
const server = await createServer({
  catalog: registry,
  sql,
  readers,
  submissions: emptyArchive(sql),
  now: () => new Date(),
  log: openLog({ level: 'silent' }),
  selfServeClosed: [],
  isReady: async () => null,
  openapi: described('', () => ({})),
})
const limits = { searchLimit: 10_000, generalLimit: 10_000 }
const { key } = await createKey(sql, { account: 'reader', scopes: ['api'], now: new Date(), ...limits })
process.send!({ origin: await server.listen({ host: '127.0.0.1', port: 0 }), key })
process.on('message', async () => {
  const used = await memoryInUse()
  process.send!({ used, rss: process.memoryUsage().rss } satisfies Memory)
})
process.on('disconnect', async () => {
  await server.close()
  await readers.end()
  await sql.end({ timeout: 5 })
})
