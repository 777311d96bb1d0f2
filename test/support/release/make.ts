/**
 * Makes the file of a release for tests of upgrades: loads a part of that version's own sample with that version's own
 * program, as real filings are loaded, and then dumps the database.
 *
 *     node bin/run.mjs test/support/release/make.ts --checkout FOLDER --name v0.2.0 --server postgres://postgres@127.0.0.1:5432/postgres
 *
 * FOLDER is a checkout of the version. The server is of the oldest PostgreSQL that OpenFilings supports, so that all
 * supported versions can read the dump. `pg_dump` of the same version is in PATH.
 */
import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { connect, type Sql } from '../../../src/store/db.ts'
import { freePort } from '../command.ts'
import { startHost } from '../edgar-host.ts'
import { receiver } from '../receiver.ts'
import { until } from '../until.ts'
import { packRelease } from './release.ts'
import { makeSite } from './site.ts'

const run = promisify(execFile)

/** The commands of the load. A command that a version lacks is skipped with a message. */
const LOADS: readonly (readonly string[])[] = [
  ['ingest', 'all', '--from', '1993-01-01'],
  ['ingest', 'companies', '--cik', '320193'],
  ['ingest', 'facts', '--cik', '320193'],
  ['ingest', 'brochures'],
  ['ingest', 'documents', 'tenx', '--from', '1993-01-01'],
  ...['thirteenf', 'nport', 'nmfp', 'ncen'].map((slug) => ['ingest', slug, '--sets']),
]
/** Reads again the index from which the removed filing is missing. */
const AGAIN = ['ingest', 'index', '--from', '2026-07-01', '--again']

const UNKNOWN = /: (\w+) is (?:no|not a) setting/

async function main(): Promise<void> {
  const string = { type: 'string' } as const
  const { checkout, name, server } = parseArgs({ options: { checkout: string, name: string, server: string } }).values
  if (!checkout || !name || !server) throw new Error('--checkout, --name and --server are needed')
  const folder = await mkdtemp(path.join(tmpdir(), 'openfilings-release-'))
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const database = `openfilings_release_${process.pid}`
    const admin = connect({ target: server, max: 1 })
    ends.push(() => admin.end())
    await admin`create database ${admin(database)} encoding 'UTF8' template template0`
    ends.push(() => admin`drop database ${admin(database)} with (force)`)
    const DATABASE_URL = Object.assign(new URL(server), { pathname: `/${database}` }).href
    const site = path.join(folder, 'site')
    const { index, ...texts } = await makeSite(path.join(checkout, 'sample'), site)
    await writeFile(index, texts.with)
    const host = await startHost({ root: site })
    ends.push(() => host.close())
    const hosts = ['EDGAR_BASE_URL', 'EDGAR_DATA_URL', 'ADVISERINFO_BASE_URL', 'ADVISERINFO_FILES_URL']
    const env: Record<string, string> & { DATA_DIR: string } = {
      ...{ PATH: process.env.PATH ?? '', DATA_DIR: path.join(folder, 'data'), DATABASE_URL, SAMPLE: 'off' },
      ...{ EDGAR_USER_AGENT: 'OpenFilings tests test@example.org', WEBHOOK_PRIVATE: 'on', PORT: `${await freePort()}` },
      ...Object.fromEntries(hosts.map((setting) => [setting, host.url])),
    }
    const program = path.join(path.resolve(checkout), 'bin/openfilings.mjs')
    const tried = async (args: readonly string[]): Promise<boolean> => {
      for (;;) {
        const failed = await run(process.execPath, [program, ...args], { env, cwd: checkout }).then(
          () => null,
          ({ stderr }) => String(stderr).trim(),
        )
        process.stdout.write(`${args.join(' ')}: ${failed === null ? 'done' : `left out: ${failed}`}\n`)
        // An older version refuses settings that came later.
        const [, setting] = UNKNOWN.exec(failed ?? '') ?? []
        if (!setting) return failed === null
        delete env[setting]
      }
    }
    const loaded: (readonly string[])[] = []
    for (const args of LOADS) if (await tried(args)) loaded.push(args)
    const sql = connect({ target: DATABASE_URL, max: 1 })
    ends.push(() => sql.end())
    for (const account of ['acme', 'globex']) await tried(['keys', 'create', '--account', account])
    await deliver(sql, tried, () =>
      spawn(process.execPath, [program, 'serve'], { env, cwd: checkout, stdio: 'ignore' }),
    )
    await writeFile(index, texts.without)
    await tried(AGAIN)
    await aDayLater(sql)
    await tried(AGAIN)
    await sql.end()
    const options = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=500']
    const { stdout } = await run('pg_dump', [...options, DATABASE_URL], { maxBuffer: 2 ** 28 })
    // Only psql knows these commands, and tests load the dump without psql.
    await writeFile(path.join(folder, 'dump.sql'), stdout.replaceAll(/^\\(un)?restrict .*\n/gm, ''))
    await writeFile(path.join(folder, 'loaded.json'), `${JSON.stringify(loaded)}\n`)
    await mkdir(path.join(env.DATA_DIR, 'archive'), { recursive: true })
    await cp(path.join(env.DATA_DIR, 'archive'), path.join(folder, 'archive'), { recursive: true })
    process.stdout.write(`test/releases/${name}.tar.zst: ${await packRelease(name, folder)} bytes\n`)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/**
 * Makes one webhook that is up to date, and one whose receiver refuses deliveries. Also stores that a delivery was
 * given up, since the service gives up only after three days.
 */
async function deliver(
  sql: Sql,
  tried: (args: readonly string[]) => Promise<boolean>,
  serve: () => ReturnType<typeof spawn>,
): Promise<void> {
  const ends: (() => Promise<void>)[] = []
  const [takes, refuses] = [
    await receiver({ after: (end) => void ends.push(end) }),
    await receiver({ after: (end) => void ends.push(end) }),
  ]
  refuses.next = Array.from({ length: 100 }, () => 500)
  const create = (url: string) => tried(['webhooks', 'create', '--url', url, '--source', 'formd,adv', '--after', '0'])
  try {
    if (!((await create(takes.url)) && (await create(refuses.url)))) return
    const server = serve()
    await until('one webhook has delivered, and another has failed', async () => {
      const [row] = await sql<{ done: boolean }[]>`
        select count(delivered_at) = 1 and max(failures) > 0 as done from core.webhook`
      return row!.done
    })
    server.kill('SIGTERM')
    await new Promise((resolve) => server.once('exit', resolve))
    await sql`
      insert into core.webhook_dead (webhook_id, after_event, to_event, tries, reason, given_up_at)
      select webhook_id, 0, 1, 30, 'HTTP 500', now() from core.webhook where failures > 0`
  } finally {
    for (const end of ends) await end()
  }
}

/** Later versions accept that a filing is gone when two indexes a day apart lack it. */
async function aDayLater(sql: Sql): Promise<void> {
  const [row] = await sql<{ waits: boolean }[]>`select to_regclass('edgar.unlisted') is not null as waits`
  if (!row!.waits) return
  await sql`update edgar.unlisted set made_at = made_at - interval '2 days', read_at = read_at - interval '2 days'`
  await sql`update edgar.filing set first_seen_at = first_seen_at - interval '3 days'`
}

await main()
