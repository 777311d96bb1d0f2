/** Messages of `serve` for the person at its terminal: at its start, and when the data changes. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import { UserError } from '../declare/errors.ts'
import type { Context } from '../declare/route.ts'
import { SCOPES } from '../declare/scopes.ts'
import { type Standing, standingOf } from '../ingest/origin.ts'
import registry from '../registry.ts'
import { keyring } from '../serve/keyring.ts'
import { createKey } from '../serve/keys.ts'
import { thingsToTry, whatIsLoaded } from './welcome.ts'

/** Requests a minute of the ready key: enough for a person and a script on their own machine. */
const READY_LIMIT = 1000

/**
 * The reason why data cannot be queried although this process has nothing left to prepare; null if data can be queried.
 */
export function whyNotReady({ holds }: Standing): string | null {
  if (holds === 'empty') return `nothing is loaded; ${WAYS_TO_LOAD}`
  return holds === 'part' ? 'only a part of the bundled sample is loaded; "openfilings sample" loads the rest' : null
}

const isSample = ({ holds }: Standing) => holds === 'sample' || holds === 'old sample'

const WAYS_TO_LOAD = '"openfilings ingest" loads real filings, and "openfilings sample" loads the bundled sample'

/** Interval between checks whether an ingest replaced the sample, or filled an empty database. */
const LOOK_MS = 3_000

/**
 * Prints what the database has and which requests can be tried, now and whenever that changes, until the signal aborts.
 * `onKey` gets the ready key. Pages may ask for that key with the token, which is part of the printed links.
 */
export async function greetAtChanges(
  app: App,
  at: {
    address: string
    token: string
    sample: string
    signal: AbortSignal
    onKey: (key: string) => void
    lookMs?: number
  },
  print: (text: string) => void,
): Promise<void> {
  const { sample, signal, lookMs = LOOK_MS } = at
  let before: Standing | null = null
  while (!signal.aborted) {
    // If the database does not respond, its content counts as unchanged; requests report that it does not respond.
    const now: Standing | null = await standingOf(app.sql, sample).catch(() => before)
    try {
      if (now && now.holds !== before?.holds) print(await greeting(app, at, now, before))
      before = now
    } catch (error) {
      // If the database could not be reached just now, the next check prints the greeting. If the key cannot be stored,
      // an operator must act, so this error ends the greeting.
      if (error instanceof UserError) throw error
    }
    await sleep(lookMs, undefined, { signal }).catch(() => {})
  }
}

async function greeting(
  app: App,
  { address, token, onKey }: Parameters<typeof greetAtChanges>[1],
  now: Standing,
  before: Standing | null,
): Promise<string> {
  const why = whyNotReady(now)
  if (why)
    return `\nOpenFilings listens at ${address}, but ${why}.\nOpen:      ${address}/\nReference: ${address}/docs\n`
  const key = await readyKey(app)
  onKey(key)
  const context: Context = {
    sql: app.sql,
    now: new Date(),
    key: { keyId: 'local', uid: 'local', scopes: SCOPES, limits: { search: 1, general: 1 }, selfServe: false },
    catalog: registry,
    submissions: app.submissions,
    headers: {},
  }
  const toTry = await thingsToTry(context, address, key)
  const replaced = before !== null && isSample(before) && now.holds === 'real'
  return [
    '',
    replaced ? 'Real filings have taken the place of the bundled sample.' : `OpenFilings is ready at ${address}`,
    // The token comes after "#", so it appears in neither logs nor Referer headers.
    `Open:      ${address}/#start=${token}`,
    `Loaded:    ${await whatIsLoaded(context, now)}`,
    `Reference: ${address}/docs#start=${token}`,
    `API key:   ${key}`,
    // There is nothing to try if the database has only files of companies.
    ...(toTry.length > 0 ? ['', 'Try:', ...toTry.map((command) => `  ${command}`)] : []),
    ...(isSample(now) ? ['', 'How to load real filings: README.md, or "openfilings ingest --help"'] : []),
    '',
  ].join('\n')
}

/**
 * The key that is printed at the start. The key is kept for the next start in a file that only the owner can read. If
 * the key was revoked, a new key is made.
 */
async function readyKey({ sql, dataDir }: App): Promise<string> {
  const file = path.join(dataDir, 'api-key')
  const kept = await readFile(file, 'utf8').catch((cause) => {
    if (cause.code === 'ENOENT') return null
    throw new UserError(`the API key of this data folder, ${file}, cannot be read`, { cause })
  })
  if (kept && (await keyring(sql, { now: () => new Date() }).find(kept.trim()))) return kept.trim()
  const { key } = await createKey(sql, {
    account: 'local',
    scopes: SCOPES,
    searchLimit: READY_LIMIT,
    generalLimit: READY_LIMIT,
    now: new Date(),
  })
  try {
    await writeFile(file, `${key}\n`, { mode: 0o600 })
  } catch (cause) {
    throw new UserError(`the API key of this data folder cannot be written to ${file}`, { cause })
  }
  return key
}
