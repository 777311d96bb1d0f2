/**
 * Compares clients of the API that read a list to its end with one process of curl that requests the same pages one
 * after the other on one connection, knows their addresses beforehand, and parses nothing.
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
const PAGE = 50
const ROUNDS = 5

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const count = part(ROWS, share, PAGE * 3)
  const { server } = await served(scope, count)
  const { origin, key } = server.value
  const addresses: string[] = []
  const options = { apiKey: key, baseUrl: origin }
  const known = new OpenFilings({ ...options, onAnswer: ({ url }) => void addresses.push(url) })
  if ((await known.offerings.list({ limit: PAGE }).toArray()).length !== count) throw new Error('rows are missing')

  const config = path.join(await folder(scope), 'curl.txt')
  const lines = addresses.map((url) => `url = "${url}"\noutput = "/dev/null"`)
  await writeFile(config, [`header = "x-api-key: ${key}"`, 'silent', 'fail', ...lines].join('\n'))
  const client = new OpenFilings(options)
  const python = await pythonWithPackages(undefined, 'httpx')
  const works = {
    typescript: () => walked(client, count),
    python: python === null ? undefined : () => walkedByPython(python, server.value, count),
    curl: () => curled(config, count),
  }
  await alternate(1, works) // until all is compiled
  const found = await alternate(part(ROUNDS, share), works)
  await server.stop()
  const row = (name: string, walks: readonly number[]): Row => ({
    section: 'clients',
    what: `walk of ${count.toLocaleString('en-US')} rows of the feed in pages of ${PAGE}: ${name}`,
    ours: walks.length > 0 ? median(walks) : null,
    peer: walks.length > 0 ? median(found.curl) : null,
    unit: 'rows/s',
    note: walks.length > 0 ? CURL : 'python3-httpx is not installed',
    dependsOnMachine: true,
  })
  return [row('TypeScript', found.typescript), row('Python', found.python)]
}

const CURL = 'curl on one connection, with the addresses of all pages; target 0.8'

async function walked(client: OpenFilings, count: number): Promise<number> {
  let rows = 0
  const took = await seconds(async () => {
    for await (const row of client.offerings.list({ limit: PAGE })) if (row.accession) rows += 1
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
async function walkedByPython(python: string, { origin, key }: Served, count: number): Promise<number> {
  const env = {
    PYTHONPATH: path.join(import.meta.dirname, '../clients/python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
    OPENFILINGS_URL: origin,
    OPENFILINGS_KEY: key,
  }
  const { stdout } = await promisify(execFile)(python, [path.join(import.meta.dirname, 'walk.py'), String(PAGE)], {
    env,
  })
  const [rows, took] = stdout.trim().split(' ').map(Number)
  if (rows !== count) throw new Error(`${rows} rows of ${count}`)
  return count / took!
}
