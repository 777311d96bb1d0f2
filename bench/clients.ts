/**
 * Compares clients of the API with one process of curl. The clients read a list to its end. curl requests the same
 * pages one after the other on one connection. It knows their addresses beforehand, and parses nothing.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { OpenFilings } from '../clients/typescript/src/index.ts'
import { pythonWithPackages } from '../test/support/clients/python.ts'
import { served } from './files.ts'
import { alternate, median, seconds } from './measure.ts'
import type { Row } from './report.ts'
import { folder, type Scope } from './scope.ts'
import type { Served } from './servers.ts'
import { part } from './share.ts'

const ROWS = 20_000
const ROUNDS = 5

/** Two lists of the same filings: the feed has pages of at most 50 rows, and notices have pages of 50 to 200. */
const FEED = { group: 'offerings' } as const
const NOTICES = { group: 'formd' } as const
type Walked = typeof FEED | typeof NOTICES

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const count = part(ROWS, share, 600)
  const { server } = await served(scope, count)
  const { origin, key } = server.value
  const client = new OpenFilings({ apiKey: key, baseUrl: origin })
  const python = await pythonWithPackages(undefined, 'httpx')
  const curl = async (list: Walked, size: number) => {
    const config = await configured(scope, server.value, { list, size, count })
    return () => curled(config, count)
  }
  const byPython = (list: Walked) =>
    python === null ? undefined : () => walkedByPython(python, server.value, list, count)
  const works = {
    feed: () => walked(client, FEED, count),
    feedByPython: byPython(FEED),
    feedByCurl: await curl(FEED, 50),
    notices: () => walked(client, NOTICES, count),
    noticesByPython: byPython(NOTICES),
    noticesByCurl: await curl(NOTICES, 200),
    smallByCurl: await curl(NOTICES, 50),
  }
  await alternate(1, works) // until all is compiled
  const found = await alternate(part(ROUNDS, share), works)
  await server.stop()
  const row = (name: string, what: string, ours: keyof typeof works, peer: keyof typeof works, note: string): Row => ({
    section: 'clients',
    what: `walk of ${count.toLocaleString('en-US')} rows ${what}: ${name}`,
    ours: found[ours].length > 0 ? median(found[ours]) : null,
    peer: found[ours].length > 0 ? median(found[peer]) : null,
    unit: 'rows/s',
    note: found[ours].length > 0 ? note : 'python3-httpx is not installed',
    dependsOnMachine: true,
  })
  const [feed, notices] = ['of the feed in pages of 50', 'of Form D in pages of 200']
  return [
    row('TypeScript', feed, 'feed', 'feedByCurl', CURL),
    row('Python', feed, 'feedByPython', 'feedByCurl', CURL),
    row('TypeScript', notices, 'notices', 'noticesByCurl', CURL),
    row('Python', notices, 'noticesByPython', 'noticesByCurl', CURL),
    row('TypeScript', `${notices}, against pages of 50`, 'notices', 'smallByCurl', SMALL),
    row('Python', `${notices}, against pages of 50`, 'noticesByPython', 'smallByCurl', SMALL),
  ]
}

const CURL = 'curl on one connection, with the addresses of all pages; target 0.8'
const SMALL = 'curl as above, in pages of the default size; no target'

const listOf = (
  client: OpenFilings,
  { group }: Walked,
  query: { limit?: number } = {},
): AsyncIterable<{ accession: string }> => (group === 'formd' ? client.formd.list(query) : client.offerings.list(query))

/** Writes what curl requests: the addresses of all pages, which the client finds once. */
async function configured(
  scope: Scope,
  { origin, key }: Served,
  { list, size, count }: { list: Walked; size: number; count: number },
): Promise<string> {
  const addresses: string[] = []
  const client = new OpenFilings({ apiKey: key, baseUrl: origin, onAnswer: ({ url }) => void addresses.push(url) })
  let rows = 0
  for await (const row of listOf(client, list, { limit: size })) if (row.accession) rows += 1
  if (rows !== count) throw new Error('rows are missing')
  const file = path.join(await folder(scope), 'curl.txt')
  const lines = addresses.map((url) => `url = "${url}"\noutput = "/dev/null"`)
  await writeFile(file, [`header = "x-api-key: ${key}"`, 'silent', 'fail', ...lines].join('\n'))
  return file
}

/**
 * Reads the list without a `limit`, as users do: the first page of the notices has 50 rows, and later pages have 200.
 */
async function walked(client: OpenFilings, list: Walked, count: number): Promise<number> {
  let rows = 0
  const took = await seconds(async () => {
    for await (const row of listOf(client, list)) if (row.accession) rows += 1
  })
  if (rows !== count) throw new Error(`${rows} rows of ${count}`)
  return count / took
}

async function curled(config: string, count: number): Promise<number> {
  const took = await seconds(async () => {
    const child = spawn('curl', ['-K', config], { stdio: ['ignore', 'ignore', 'inherit'] })
    const [status] = await once(child, 'close')
    if (status !== 0) throw new Error(`curl ended with ${status}`)
  })
  return count / took
}

/** Reads the list in a separate process, whose start is not measured. */
async function walkedByPython(
  python: string,
  { origin, key }: Served,
  { group }: Walked,
  count: number,
): Promise<number> {
  const env = {
    PYTHONPATH: path.join(import.meta.dirname, '../clients/python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
    OPENFILINGS_URL: origin,
    OPENFILINGS_KEY: key,
  }
  const { stdout } = await promisify(execFile)(python, [path.join(import.meta.dirname, 'walk.py'), group], { env })
  const [rows, took] = stdout.trim().split(' ').map(Number)
  if (rows !== count) throw new Error(`${rows} rows of ${count}`)
  return count / took!
}
