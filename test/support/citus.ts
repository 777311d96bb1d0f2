/**
 * A database on a server with Citus and its workers, for tests of distribution. The database is created new and not
 * cloned from a template: the Citus daemon keeps connections to each of its databases open, and a template must have no
 * connections.
 */
import { randomBytes } from 'node:crypto'
import registry from '../../src/registry.ts'
import { connect } from '../../src/store/db.ts'
import { migrate } from '../../src/store/schema.ts'
import type { FreshDatabase } from './database.ts'

/** The reason why no such database can be made here; undefined if one can be made. */
export async function noCitus(): Promise<string | undefined> {
  const url = process.env.TEST_DATABASE_URL
  if (!url) return 'TEST_DATABASE_URL names no server that has Citus'
  const sql = connect({ target: url, max: 1 })
  try {
    const [row] = await sql<{ has: boolean }[]>`select exists (select from pg_extension where extname = 'citus') as has`
    return row!.has ? undefined : 'the database of TEST_DATABASE_URL has no extension citus'
  } finally {
    await sql.end()
  }
}

/** Creates the database, on the coordinator and the workers of the database that TEST_DATABASE_URL names. */
export async function openCitus(t: { after(fn: () => Promise<void>): void }): Promise<FreshDatabase> {
  const url = process.env.TEST_DATABASE_URL!
  const name = `openfilings_citus_${process.pid}_${randomBytes(6).toString('hex')}`
  const at = (host: string, port: number | string, database: string) => {
    const own = new URL(url)
    own.host = `${host}:${port}`
    own.pathname = `/${database}`
    return own.href
  }
  const { hostname, port, pathname } = new URL(url)
  const admin = connect({ target: url, max: 1 })
  const workers = await admin<{ host: string; port: number }[]>`
    select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 and noderole = 'primary' order by 1, 2`
  await admin.end()
  const nodes = [{ host: hostname, port: Number(port || 5432) }, ...workers]
  for (const node of nodes) {
    const server = connect({ target: at(node.host, node.port, pathname.slice(1)), max: 1 })
    await server`create database ${server(name)}`
    await server.end()
    const own = connect({ target: at(node.host, node.port, name), max: 1 })
    await own`create extension citus`
    await own.end()
    t.after(async () => {
      const last = connect({ target: at(node.host, node.port, pathname.slice(1)), max: 1 })
      await last`drop database ${last(name)} with (force)`
      await last.end()
    })
  }
  const target = at(hostname, port || 5432, name)
  const sql = connect({ target })
  t.after(() => sql.end({ timeout: 5 }))
  if (workers.length > 0) await sql`select citus_set_coordinator_host(${hostname}, ${Number(port || 5432)})`
  for (const worker of workers) await sql`select citus_add_node(${worker.host}, ${worker.port})`
  await migrate(sql, registry.slices)
  return { sql, target, url: target }
}
