/**
 * An EDGAR with filer profiles that a test writes. The filings in the profiles are those of the bundled sample, under
 * the same paths.
 */
import { globSync, readFileSync } from 'node:fs'
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type EdgarClient, edgarClient } from '../../src/fetch/client.ts'
import { type IndexEntry, parseLine } from '../../src/read/master-index.ts'
import { type Host, startHost } from './edgar-host.ts'
import { sample, temporaryFolder } from './world.ts'

type After = Parameters<typeof temporaryFolder>[0]

export const APPLE = '0000320193'
export const NVIDIA = '0001045810'
export const MICROSOFT = '0000789019'

export interface ProfilesEdgar {
  host: Host
  root: string
  /** Writes the profile of a filer; by default it lists the filings of the sample's index. */
  profile(cik: string, options?: Made): Promise<void>
  /** Writes a file below `submissions/`. */
  put(name: string, text: string): Promise<void>
  remove(name: string): Promise<void>
  /** A client of this host with short delays. */
  clientFor(t: After): EdgarClient
  /** Paths and status of the requests since the last call, without requests for filings. */
  asked(): string[]
}

interface Made {
  name?: string
  filings?: readonly Listed[]
  formerNames?: readonly { name: string; to: string }[]
  /** The continuation files that the profile names. */
  files?: readonly { name: string; filingFrom?: string; filingTo?: string; filingCount?: number }[]
}

export type Listed = Pick<IndexEntry, 'accession' | 'formType' | 'filedDate'>

/** Returns those filings of a filer in the sample whose submissions are under its own CIK, newest first. */
export function filingsOf(cik: string): Listed[] {
  const folder = `edgar/data/${Number(cik)}/`
  return globSync('Archives/edgar/full-index/*/QTR*/master.idx', { cwd: sample })
    .flatMap((file) => readFileSync(path.join(sample, file), 'latin1').split('\n'))
    .map((line) => parseLine(line))
    .filter((entry) => typeof entry !== 'string')
    .filter((entry) => entry.cik === cik && entry.path.startsWith(folder))
    .sort((a, b) => (a.filedDate < b.filedDate ? 1 : -1))
}

/** Returns the lists of a profile or of a continuation file, in EDGAR's format. */
export const listed = (filings: readonly Listed[]) => ({
  accessionNumber: filings.map(({ accession }) => accession),
  filingDate: filings.map(({ filedDate }) => filedDate),
  reportDate: filings.map(() => ''),
  acceptanceDateTime: filings.map(({ filedDate }) => `${filedDate}T07:00:00.000Z`),
  form: filings.map(({ formType }) => formType),
})

export async function profilesEdgar(t: After): Promise<ProfilesEdgar> {
  const root = await temporaryFolder(t)
  const folder = path.join(root, 'submissions')
  await mkdir(folder, { recursive: true })
  const host = await startHost({ root: [root, sample] })
  t.after(() => host.close())
  let seconds = Date.parse('2026-06-30T00:00:00Z') / 1000
  const put = async (name: string, text: string) => {
    await writeFile(path.join(folder, name), text)
    // Files that are written within a short time must have different ETags, so each gets a different modification time.
    seconds += 60
    await utimes(path.join(folder, name), seconds, seconds)
  }
  let seen = 0
  return {
    host,
    root,
    put,
    remove: (name) => rm(path.join(folder, name)),
    profile: (cik, { name = `Filer ${Number(cik)}`, filings = filingsOf(cik), formerNames = [], files = [] } = {}) => {
      const lists = { recent: listed(filings), files }
      return put(`CIK${cik}.json`, JSON.stringify({ cik: Number(cik), name, formerNames, filings: lists }))
    },
    clientFor(t) {
      const sleep = (ms: number) => delay(Math.min(ms, 5))
      const client = edgarClient({
        baseUrl: host.url,
        userAgent: null,
        sleep,
        pauseMs: 10,
        timeoutMs: 5_000,
        attempts: 2,
      })
      t.after(() => client.close())
      return client
    },
    asked() {
      const some = host.requests.slice(seen)
      seen = host.requests.length
      return some.filter((each) => !/\/edgar\/data\//.test(each.path)).map((each) => `${each.status} ${each.path}`)
    },
  }
}
