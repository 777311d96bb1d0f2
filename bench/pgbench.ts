/** Captures the SQL of a request, and runs it with pgbench over the same database. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import postgres from '#postgres'
import type { Context } from '../src/declare/route.ts'
import registry from '../src/registry.ts'
import type { Connection, Sql } from '../src/store/db.ts'
import { measuredOf } from './program.ts'

export interface Statement {
  /** The SQL of a statement, with `$1`, `$2` … for its values. */
  text: string
  values: string[]
}

/** The statements that a request of a route runs. */
export async function sqlOf(
  target: Connection['target'],
  name: string,
  given: Record<string, string>,
): Promise<Statement[]> {
  const sent: { text: string; values: unknown[] }[] = []
  const debug = (_: number, text: string, values: unknown[]) => sent.push({ text, values })
  const options = { max: 1, debug, onnotice: () => {} }
  const sql = typeof target === 'string' ? postgres(target, options) : postgres({ ...options, ...socketOf(target) })
  const route = registry.routes.find((candidate) => candidate.name === name)!
  try {
    await route.run(route.input.parse(given), { sql: sql as unknown as Sql, catalog: registry } as Context)
  } finally {
    await sql.end()
  }
  // The first statement is the driver's own query for the types of arrays. The driver has converted the values to the
  // server's format.
  return sent.slice(1).map(({ text, values }) => ({ text, values: values.map(String) }))
}

const socketOf = ({ socket, host, ...rest }: Exclude<Connection['target'], string>) => ({
  ...rest,
  ...(host ? { host } : { path: `${socket}/.s.PGSQL.${rest.port}` }),
})

export interface Transactions {
  perSecond: number
  latenciesMs: number[]
  /** Processor time of pgbench, without the server; null if unknown. */
  processorMs: number | null
}

/**
 * Runs scripts of statements, a random one for each transaction, with their values as parameters.
 *
 * @param ms duration; pgbench counts whole seconds, so for a shorter duration it runs a fixed number of transactions
 * @param mode `prepared` if the service prepares its statement once, `extended` if it plans it for each request
 * @param at a folder for scripts and logs
 */
export async function pgbench(
  target: Connection['target'],
  scripts: readonly (readonly Statement[])[],
  { clients, ms, mode, at }: { clients: number; ms: number; mode: 'prepared' | 'extended'; at: string },
): Promise<Transactions> {
  const files: string[] = []
  for (const [i, statements] of scripts.entries()) {
    const file = path.join(at, `${i}.sql`)
    const texts = statements.map(({ text }, j) => text.replace(/\$(\d+)/g, `:v${i}_${j}_$1`))
    await writeFile(file, `${texts.join(';\n')};\n`)
    const defined = statements.flatMap(({ values }, j) => values.flatMap((v, n) => ['-D', `v${i}_${j}_${n + 1}=${v}`]))
    files.push(...defined, '-f', file)
  }
  const prefix = `log${Date.now()}`
  const { args, env } = connectionOf(target)
  const options = [
    '-n',
    '-c',
    `${clients}`,
    ...(ms < 1000 ? ['-t', `${Math.ceil(ms / 10)}`] : ['-T', `${Math.round(ms / 1000)}`]),
    '-M',
    mode,
    '-l',
    `--log-prefix=${path.join(at, prefix)}`,
  ]
  const { stdout, processorMs } = await measuredOf('pgbench', [...options, ...files, ...args], env)
  // Before PostgreSQL 14, pgbench prints another line, which includes the time of connecting.
  const match = /^tps = ([\d.]+) \((?:without|excluding)/m.exec(stdout)
  if (!match) throw new Error(`pgbench printed ${stdout}`)
  const latenciesMs: number[] = []
  for (const name of (await readdir(at)).filter((file) => file.startsWith(prefix))) {
    for (const line of (await readFile(path.join(at, name), 'utf8')).split('\n')) {
      if (line !== '') latenciesMs.push(Number(line.split(' ')[2]) / 1000)
    }
  }
  return { perSecond: Number(match[1]), latenciesMs, processorMs }
}

/** Returns arguments and environment for programs of PostgreSQL; a password stays off the command line. */
function connectionOf(target: Connection['target']): { args: string[]; env: Record<string, string> } {
  if (typeof target === 'string') {
    const url = new URL(target)
    const { password } = url
    url.password = ''
    return { args: [url.href], env: password ? { PGPASSWORD: decodeURIComponent(password) } : {} }
  }
  const { host, socket, port, user, password, database } = target
  return {
    args: ['-h', host ?? socket, '-p', `${port}`, '-U', user, database],
    env: password ? { PGPASSWORD: password } : {},
  }
}
