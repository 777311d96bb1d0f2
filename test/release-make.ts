/**
 * Makes the file of a release for tests of upgrades: loads that version's own sample by that version's own program, as real
 * filings are loaded, then dumps what it left.
 *
 *     node bin/run.mjs test/release-make.ts --checkout FOLDER --name v0.2.0 --server postgres://postgres@127.0.0.1:5432/postgres
 *
 * FOLDER is a checkout of the version. The server is of the oldest PostgreSQL that OpenFilings supports, so that all can read
 * the dump, and `pg_dump` of the same version is in PATH.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { connect } from '../src/store/db.ts'
import { startHost } from './edgar-host.ts'
import { packRelease } from './release.ts'

const run = promisify(execFile)

/** What is loaded and made. A version that lacks a command is left without it, and that is printed. */
const COMMANDS: readonly (readonly string[])[] = [
  ['ingest', 'all', '--from', '1993-01-01'],
  ['ingest', 'companies', '--cik', '320193'],
  ['ingest', 'facts', '--cik', '320193'],
  ['ingest', 'brochures'],
  ['ingest', 'documents', '--from', '1993-01-01'],
  ['ingest', 'ncen', '--sets'],
  ['keys', 'create', '--account', 'acme'],
  ['webhooks', 'create', '--url', 'https://example.org/hook'],
]

const UNKNOWN = /: (\w+) is no setting/

async function main(): Promise<void> {
  const string = { type: 'string' } as const
  const { checkout, name, server } = parseArgs({ options: { checkout: string, name: string, server: string } }).values
  if (!checkout || !name || !server) throw new Error('--checkout, --name and --server are needed')
  const folder = await mkdtemp(path.join(tmpdir(), 'openfilings-release-'))
  const database = `openfilings_release_${process.pid}`
  const admin = connect({ target: server, max: 1 })
  await admin`create database ${admin(database)} encoding 'UTF8' template template0`
  const DATABASE_URL = Object.assign(new URL(server), { pathname: `/${database}` }).href
  const site = path.join(folder, 'site')
  await cp(path.join(checkout, 'sample'), site, { recursive: true })
  const host = await startHost({ root: site })
  const hosts = ['EDGAR_BASE_URL', 'EDGAR_DATA_URL', 'ADVISERINFO_BASE_URL', 'ADVISERINFO_FILES_URL']
  const env: Record<string, string> & { DATA_DIR: string } = {
    ...{ PATH: process.env.PATH ?? '', DATA_DIR: path.join(folder, 'data'), DATABASE_URL, SAMPLE: 'off' },
    ...Object.fromEntries(hosts.map((setting) => [setting, host.url])),
    EDGAR_USER_AGENT: 'OpenFilings tests test@example.org',
  }
  try {
    for (const command of COMMANDS) {
      const args = [path.join(path.resolve(checkout), 'bin/openfilings.mjs'), ...command]
      const tried = () =>
        run(process.execPath, args, { env, cwd: checkout }).then(
          () => 'done',
          (error) => `left out: ${error.stderr.trim().split('\n').at(-1)}`,
        )
      let outcome = await tried()
      // An older version refuses settings that came later.
      for (let found = UNKNOWN.exec(outcome); found; found = UNKNOWN.exec(outcome)) {
        delete env[found[1]!]
        outcome = await tried()
      }
      process.stdout.write(`${command.join(' ')}: ${outcome}\n`)
    }
    const options = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=500']
    const { stdout } = await run('pg_dump', [...options, DATABASE_URL], { maxBuffer: 2 ** 28 })
    // For psql alone.
    await writeFile(path.join(folder, 'dump.sql'), stdout.replaceAll(/^\\(un)?restrict .*\n/gm, ''))
    await mkdir(path.join(env.DATA_DIR, 'archive'), { recursive: true })
    await cp(path.join(env.DATA_DIR, 'archive'), path.join(folder, 'archive'), { recursive: true })
    process.stdout.write(`test/releases/${name}.tar.zst: ${await packRelease(name, folder)} bytes\n`)
  } finally {
    await host.close()
    await admin`drop database ${admin(database)} with (force)`
    await admin.end()
    await rm(folder, { recursive: true, force: true })
  }
}

await main()
