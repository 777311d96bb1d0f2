/** Checks of the database for `doctor`. They change nothing in the database. */
import { readdirSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { dataDirOf, ownShape } from '../../database.ts'
import { messageOf } from '../../declare/errors.ts'
import * as backlog from '../../ingest/backlog.ts'
import { feedState } from '../../ingest/feed/gaps.ts'
import { marked } from '../../ingest/marks.ts'
import { standingOf } from '../../ingest/origin.ts'
import { latestRuns } from '../../ingest/runs.ts'
import {
  connect,
  databaseFacts,
  ENCODING,
  MAKE_ENCODED,
  type Sql,
  VERSION_MIN,
  withoutPassword,
} from '../../store/db.ts'
import { hasDatabase, openEmbedded } from '../../store/embedded.ts'
import { oldSchemaOf, schemasAmong } from '../../store/gaps.ts'
import { differencesFrom, gapText, isMade, lackingOf, RESTORE, type Shape } from '../../store/shape.ts'
import { nextStart, versionText } from '../../store/version.ts'
import { listWebhooks } from '../../webhooks/subscriptions.ts'
import { size } from '../progress.ts'
import { sampleDigest } from '../sample-digest.ts'
import { checkEntries } from './archive.ts'
import type { Check } from './check.ts'

/**
 * Age in days from which the newest index is too old. EDGAR publishes on working days, so after a long weekend the
 * newest index is four days old.
 */
const OLD_DAYS = 5
const RUNS_LOOKED_AT = 10
const DAY_MS = 86_400_000

/** Checks as much of the database as can be reached. */
export async function checkDatabase(config: Config): Promise<Check[]> {
  const { path: dataDir } = dataDirOf(config)
  const embedded = !config.DATABASE_URL
  if (embedded && !hasDatabase(dataDir)) {
    return [{ name: 'database', state: 'ok', found: `none in ${dataDir} yet: "serve", "ingest" or "sample" makes one` }]
  }
  const checks: Check[] = []
  try {
    const opened = embedded ? await openEmbedded({ dataDir }) : null
    const address = opened?.address ?? withoutPassword(config.DATABASE_URL!)
    const sql = connect({ target: opened?.target ?? config.DATABASE_URL!, max: 4 })
    try {
      checks.push(...serverChecks(await databaseFacts(sql), address))
      if (await isMade(sql)) checks.push(...(await checkContent(sql, config)))
      else
        checks.push({
          name: 'content',
          state: 'ok',
          found: 'the database has no tables of OpenFilings yet: "serve", "ingest" or "sample" makes them',
        })
    } finally {
      await sql.end({ timeout: 5 })
      await opened?.close()
    }
  } catch (error) {
    checks.push({
      name: 'database',
      state: 'FAIL',
      found: messageOf(error),
      wayOut: 'see docs/operating/database.md',
    })
  }
  if (embedded) checks.push(...checkLeftFiles(dataDir))
  if (config.DATABASE_READ_URL) checks.push(await checkReplica(config.DATABASE_READ_URL))
  return checks
}

type Facts = Awaited<ReturnType<typeof databaseFacts>>

/** Checks the facts of a server and its database. */
export function serverChecks(facts: Facts, address: string): Check[] {
  const { version, number, encoding, locale, bytes, trigrams, may_create } = facts
  const name = 'database'
  const found = `${address}: PostgreSQL ${version}, ${encoding}, locale ${locale}, ${size(bytes)}`
  if (number < VERSION_MIN) return [{ name, state: 'FAIL', found, wayOut: 'PostgreSQL 15 or later is needed' }]
  return [
    encoding === ENCODING ? { name, state: 'ok', found } : { name, state: 'FAIL', found, wayOut: MAKE_ENCODED },
    trigrams
      ? { name: 'pg_trgm', state: 'ok', found: trigrams }
      : {
          name: 'pg_trgm',
          state: 'FAIL',
          found: 'the database server does not have the extension',
          wayOut: 'install PostgreSQL’s contrib package on the machine of the server',
        },
    may_create
      ? { name: 'rights', state: 'ok', found: 'the role may create schemas' }
      : {
          name: 'rights',
          state: 'FAIL',
          found: 'the role may not create schemas',
          wayOut: 'grant the role CREATE on the database',
        },
  ]
}

async function checkContent(sql: Sql, config: Config): Promise<Check[]> {
  const wanted = await ownShape()
  const differences = await differencesFrom(sql, wanted)
  const { madeBy, pending, unknown, lost, missing, stale } = differences
  const shape: Check[] = []
  const is = versionText(madeBy)
  if (unknown.length > 0) {
    const found = `the database is of ${is}, which is newer than this version, ${wanted.version}: ${unknown.join(', ')}`
    return [{ name: 'shape', state: 'FAIL', found, wayOut: 'run that version or a newer one' }]
  }
  if (lost.length > 0) {
    const found = `the database lacks ${lost.join(', ')}, which it once had`
    return [{ name: 'shape', state: 'FAIL', found, wayOut: RESTORE }]
  }
  const next = nextStart(lackingOf(differences))
  if (next.length > 0) {
    const wayOut = `the next "serve" or "ingest" ${next.join(', ')}`
    shape.push({
      name: 'shape',
      state: 'warn',
      found: `the database is of ${is}, and this is version ${wanted.version}`,
      wayOut,
    })
  }
  for (const each of stale) {
    const { slug, reason } = each
    if (reason === 'missing') shape.push({ name: 'shape', state: 'FAIL', ...gapText(each) })
    if (reason === 'parser') {
      const wayOut = `run "openfilings rebuild ${slug}"`
      shape.push({ name: 'shape', state: 'warn', found: `${slug} was read by another version of its parser`, wayOut })
    }
  }
  // If the newer tables are missing, no further check can query the database.
  if (pending.length + missing.length > 0) return shape
  if (shape.length === 0)
    shape.push({ name: 'shape', state: 'ok', found: `the database is of ${is}, as this version expects` })
  return [...shape, await checkLoaded(sql), ...(await checkEntries(sql, config)), ...(await checkWork(sql, wanted))]
}

async function checkLoaded(sql: Sql): Promise<Check> {
  const name = 'content'
  const { holds } = await standingOf(sql, await sampleDigest())
  const { filings, newest } = await backlog.loaded(sql)
  if (holds === 'empty') {
    const wayOut = '"openfilings ingest" loads real filings, and "openfilings sample" loads the bundled sample'
    return { name, state: 'warn', found: 'nothing is loaded', wayOut }
  }
  if (holds === 'part' || holds === 'old sample') {
    const found =
      holds === 'part' ? 'only a part of the bundled sample is loaded' : 'the bundled sample is of another version'
    return { name, state: 'warn', found, wayOut: '"openfilings sample" loads it again' }
  }
  if (holds === 'sample') return { name, state: 'ok', found: 'the bundled sample' }
  const through = await backlog.readThrough(sql)
  const found = `${filings} filings, the newest of ${newest ?? '-'}; indexes read through ${through ?? '-'}`
  const isOld = through !== null && Date.now() - Date.parse(through) > OLD_DAYS * DAY_MS
  return isOld ? { name, state: 'warn', found, wayOut: 'run "openfilings ingest" daily' } : { name, state: 'ok', found }
}

type Warn = (name: string, found: string, wayOut: string) => void

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

/** Failed, interrupted and abandoned work. */
async function checkWork(sql: Sql, { slices }: Shape): Promise<Check[]> {
  const checks: Check[] = []
  const warn: Warn = (name, found, wayOut) => checks.push({ name, state: 'warn', found, wayOut })
  const failed = (await backlog.backlog(sql)).reduce((sum, each) => sum + each.failed, 0)
  if (failed > 0)
    warn(
      'filings',
      `${counted(failed, 'filing')} could not be read`,
      '"openfilings status" shows why, and "openfilings ingest --retry" tries again',
    )
  const editions = (await backlog.editionLines(sql, 100)).filter(({ state }) => state === 'failed')
  const own = editions.length > 0 ? await seriesOfCompanies() : new Set<string>()
  const companies = editions.filter(({ series }) => own.has(series)).length
  const advisers = editions.length - companies
  const shown = '"openfilings status" shows why, and'
  if (advisers > 0)
    warn(
      'adviser files',
      `${counted(advisers, 'file')} could not be loaded`,
      `${shown} the next "openfilings ingest adv" tries again`,
    )
  if (companies > 0)
    warn(
      'files of companies',
      `${counted(companies, 'file')} could not be loaded`,
      `${shown} the same "openfilings ingest" tries again`,
    )
  for (const { slug, waiting, refused, example } of await marked(sql)) {
    const cause = example ? `; ${refused} of these keys were refused, for example because: ${example.reason}` : ''
    warn('rollups', `${slug} lacks the rollups of ${waiting} keys${cause}`, 'the next ingest or rebuild makes them')
  }
  const { open } = await feedState(sql)
  if (open > 0)
    warn(
      'feed',
      `the feed of current filings has ${open} ${open === 1 ? 'gap' : 'gaps'}: filings may be missing`,
      'the daily indexes of the days of a gap close it; "openfilings status" lists the gaps',
    )
  const lines = await backlog.unreadLines(sql, null, 1)
  if (lines.length > 0)
    warn('indexes', `lines of ${lines[0]!.index_url} could not be read`, 'the next ingest reads that index again')
  const runs = await latestRuns(sql, RUNS_LOOKED_AT)
  for (const { command, what, outcome, summary } of runs) {
    if (outcome !== 'running' || !summary.failing) continue
    const { since, reason } = summary.failing
    warn('following', `"${command} ${what}" has failed since ${since}: ${reason}`, 'it tries again by itself')
  }
  await lookAtWebhooks(sql, warn)
  const killed = runs.find(({ outcome }) => outcome === 'killed')
  if (killed) {
    const found = `"${killed.command} ${killed.what}" of ${killed.started_at} was killed (process ${killed.pid} on ${killed.host})`
    warn('runs', found, 'run the command again: it continues where it stopped')
  }
  await lookAtShadows(sql, slices, warn)
  return checks.length > 0
    ? checks
    : [{ name: 'work', state: 'ok', found: 'nothing failed, and nothing was left over' }]
}

/** These series are declared in slices, which are loaded only if something failed. */
async function seriesOfCompanies(): Promise<ReadonlySet<string>> {
  const [{ isOfCompanies }, { default: registry }] = await Promise.all([
    import('../wanted.ts'),
    import('../../registry.ts'),
  ])
  return new Set(registry.bulk.filter(isOfCompanies).flatMap(({ source }) => Object.keys(source.series)))
}

/** Schemas of a rebuild that is running or was killed. */
async function lookAtShadows(sql: Sql, slices: Shape['slices'], warn: Warn): Promise<void> {
  const names = slices.flatMap((slice) => [`${slice.slug}_next`, oldSchemaOf(slice)])
  const shadows = await schemasAmong(sql, names)
  if (shadows.length === 0) return
  warn(
    'leftovers',
    `schema ${shadows.join(', ')} belongs to a rebuild that is running or was killed`,
    'the next "openfilings rebuild" of the dataset continues the rebuild and removes the schema; a start of "serve" removes schemas that end in _old',
  )
}

async function lookAtWebhooks(sql: Sql, warn: Warn): Promise<void> {
  const name = 'webhooks'
  for (const { webhook_id: id, state, last_error, failures, dead } of await listWebhooks(sql)) {
    const isPaused = state === 'paused'
    // A webhook that an operator paused has not failed.
    if (isPaused && last_error)
      warn(name, `${id} is paused: ${last_error}`, `"openfilings webhooks resume ${id}" continues it`)
    if (!isPaused && failures > 0) warn(name, `${id} failed ${failures} times: ${last_error}`, 'it is tried again')
    if (dead > 0) {
      const wayOut = `"openfilings webhooks replay ${id} --dead" sends the events once more`
      warn(
        name,
        `${dead} ${dead === 1 ? 'delivery' : 'deliveries'} to ${id} failed too often and will not be tried again`,
        wayOut,
      )
    }
  }
}

function checkLeftFiles(dataDir: string): Check[] {
  const left = readdirSync(dataDir).filter((name) => name.startsWith('.partial-'))
  if (left.length === 0) return []
  const found = `${dataDir} has ${left.length} folders .partial-… of starts that are running or were killed`
  return [
    { name: 'leftovers', state: 'warn', found, wayOut: 'the next start removes those that are older than an hour' },
  ]
}

async function checkReplica(address: string): Promise<Check> {
  const name = 'read replica'
  const sql = connect({ target: address, max: 1 })
  try {
    const { version, is_replica, lag_seconds } = await databaseFacts(sql)
    const lag = lag_seconds === null ? '' : `, ${Math.round(lag_seconds)} s behind`
    return {
      name,
      state: 'ok',
      found: `${withoutPassword(address)}: PostgreSQL ${version}${is_replica ? lag : ', which is not a replica'}`,
    }
  } catch (error) {
    return { name, state: 'FAIL', found: messageOf(error), wayOut: 'correct or unset DATABASE_READ_URL' }
  } finally {
    await sql.end({ timeout: 5 })
  }
}
