/** `ingest companies` from an operator's view. */
import assert from 'node:assert/strict'
import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { writeZip } from '../../support/bulk-world.ts'
import { assertRefused, beginHere, emptyEnv, run } from '../../support/command.ts'
import { startHost } from '../../support/edgar-host.ts'
import { sample, temporaryFolder } from '../../support/world.ts'

type After = { after(fn: () => Promise<void>): void }

const list = (...accessions: string[]) => ({
  accessionNumber: accessions,
  reportDate: accessions.map(() => ''),
  acceptanceDateTime: accessions.map(() => '2020-01-02T07:00:00.000Z'),
})

/** An EDGAR host with the sample's lists, a company with a second file, and a zip of two companies. */
async function edgar(t: After) {
  const root = await temporaryFolder(t)
  for (const folder of ['submissions', 'Archives/edgar/daily-index/bulkdata']) {
    await mkdir(path.join(root, folder), { recursive: true })
  }
  const files = [{ name: 'CIK0000000007-submissions-001.json', filingCount: 1 }, { name: '../../../etc/passwd' }]
  const seven = { cik: 7, name: 'Seven', filings: { recent: list('0000000007-20-000002'), files } }
  await writeFile(path.join(root, 'submissions/CIK0000000007.json'), JSON.stringify(seven))
  const more = JSON.stringify(list('0000000007-20-000001'))
  await writeFile(path.join(root, 'submissions/CIK0000000007-submissions-001.json'), more)
  const zip = path.join(root, 'Archives/edgar/daily-index/bulkdata/submissions.zip')
  const apple = await readFile(path.join(sample, 'submissions/CIK0000320193.json'), 'utf8')
  await writeZip(zip, { 'CIK0000320193.json': apple, 'CIK0000000008.json': '{"cik": 8, NaN}' })
  await utimes(zip, new Date('2026-07-01'), new Date('2026-07-01'))
  const host = await startHost({ root: [root, sample] })
  t.after(() => host.close())
  return host
}

test('ingest companies reads the bulk zip and the ticker lists; a bad file in the zip fails alone, and a second run fetches nothing', async (t) => {
  const host = await edgar(t)
  const env = await emptyEnv(t)
  const first = await run(['ingest', 'companies', '--base-url', host.url], env)
  assert.equal(first.status, 0, first.stderr)
  assert.match(
    first.stdout,
    /^submissions\.zip 2026-07-01 \w{12}: 2 records, 1 new, 0 changed, 0 back, 0 gone, 1 refused, 10 filings that no index lists$/m,
  )
  assert.match(
    first.stdout,
    /^submissions\.zip .*, CIK0000000008\.json: line 1, column 12 .*a name in quotes is needed$/m,
  )
  assert.match(first.stdout, /^company_tickers\.json [\d-]+ \w{12}: 23 records, 23 new/m)
  assert.match(first.stdout, /^ {2}files of companies +4 loaded, 0 known before, 0 failed$/m)
  const before = host.requests.length
  const second = await run(['ingest', 'companies', '--base-url', host.url], env)
  assert.match(second.stdout, /^there is no new file to load$/m)
  const statuses = () => host.requests.slice(before).map(({ status }) => status)
  assert.deepEqual(statuses(), [304, 304, 304, 304], 'a file that has not changed is one request without its bytes')
  await rm(path.join(env.DATA_DIR!, 'archive'), { recursive: true })
  assert.equal((await run(['ingest', 'companies', '--base-url', host.url], env)).status, 0)
  assert.deepEqual(statuses().slice(4), [200, 200, 200, 200], 'files that the archive has lost are fetched again')
  const server = beginHere(t, ['serve', '--port', '0'], env)
  const greeting = await server.until(/^API key: .*$/m)
  assert.match(greeting, /^Loaded: +Companies, as of \d{4}-\d\d-\d\d$/m)
  assert.doesNotMatch(greeting, /^Try:/m, 'no request is printed that was not tried')
  assert.equal(await server.end(), 0)
})

test('--cik requests only the file of that company and its continuation files', async (t) => {
  const host = await edgar(t)
  const env = await emptyEnv(t)
  const { status, stdout } = await run(['ingest', 'companies', '--cik', '7, 9', '--base-url', host.url], env)
  assert.equal(status, 1)
  assert.match(stdout, /^ {2}files of companies +2 loaded, 0 known before, 1 failed$/m)
  assert.match(stdout, /^ {2}next +the same command tries failed files again$/m)
  assert.match(stdout, /^CIK0000000007\.json [\d-]+ \w{12}: 1 records, 1 new/m)
  assert.match(stdout, /^CIK0000000007-submissions-001\.json [\d-]+ \w{12}: 1 records, 1 new/m)
  const requested = host.requests.map(({ path: at }) => at)
  assert.deepEqual(requested, [
    '/submissions/CIK0000000007.json',
    '/submissions/CIK0000000009.json',
    '/submissions/CIK0000000007-submissions-001.json',
  ])
  const doctor = await run(['doctor'], { ...env, EDGAR_BASE_URL: host.url, ADVISERINFO_BASE_URL: host.url })
  assert.match(
    doctor.stdout,
    /^warn {2}files of companies: 1 file could not be loaded.*the same "openfilings ingest" tries again/m,
  )
  assert.doesNotMatch(doctor.stdout, /^warn {2}adviser files: 1/m)
})

test('files that cannot be loaded do not stop the others: each is reported with its reason, and the status is 1', async (t) => {
  const env = await emptyEnv(t)
  const folder = await temporaryFolder(t)
  const facts = path.join(sample, 'api/xbrl/companyfacts/CIK0001045810.json')
  const others = ['snow_facts.json', '0001045810.json'].map((name) => path.join(folder, name))
  const missing = path.join(folder, 'CIK0000000007.json')
  const aFolder = path.join(folder, 'CIK0000000008.json')
  await mkdir(aFolder)
  const { status, stdout, stderr } = await run(['ingest', 'facts', others[0]!, facts, missing, aFolder], env)
  assert.equal(status, 1)
  assert.match(stdout, /^CIK0001045810\.json .*: 1 records, 1 new/m)
  assert.match(stdout, /^ {2}files of companies +1 loaded, 0 known before, 3 failed$/m)
  assert.match(
    stderr,
    /snow_facts\.json failed: does not have a known file name; known names: COMPANY_FACTS such as CIK/,
  )
  assert.match(stderr, /CIK0000000007\.json failed: cannot be read$/m)
  assert.match(stderr, /CIK0000000008\.json failed: is a folder: name the files in it$/m)
  assertRefused(
    await run(['ingest', 'facts', ...others], env),
    /snow_facts\.json does not have a known file name.*; the other 1 cannot be loaded either$/m,
  )
})

test('refuses an invalid --cik before any request', async (t) => {
  const env = await emptyEnv(t)
  assertRefused(await run(['ingest', 'companies', '--cik', 'apple'], env), /--cik "apple" is not a valid CIK/)
  assertRefused(
    await run(['ingest', 'adv', '--cik', '7'], env),
    /--cik can be used only with filings, as in .*, or with companies and facts/,
  )
  assertRefused(await run(['ingest', 'companies', 'x.json', '--cik', '7'], env), /--cik cannot be used with files/)
  const zip = 'http://127.0.0.1:9/Archives/edgar/daily-index/xbrl/companyfacts.zip'
  assertRefused(
    await run(['ingest', 'facts', zip], env),
    /companyfacts\.zip is not a local file; to read files of companies from another host, use --base-url/,
  )
  assertRefused(
    await run(['ingest', 'facts', '--from', '2024-01-01'], env),
    /--from and --to cannot be used here, since the file of a company has all its days/,
  )
})

test('reports the address of a host without a zip, and retries a host that is down for a moment', async (t) => {
  const host = await edgar(t)
  const env = await emptyEnv(t)
  const output = async (faults: string, ...args: string[]) => {
    host.setFaults(faults)
    return run(['ingest', 'companies', '--base-url', host.url, ...args], env)
  }
  const missing = await output('access-denied:path=bulkdata')
  assert.equal(missing.status, 1)
  assert.match(missing.stdout, /there is no http\S+\/submissions\.zip/)
  const waits = await output('unavailable:path=bulkdata,first=1,after=1')
  assert.equal(waits.status, 0, waits.stderr)
  assert.match(waits.stdout, /^submissions\.zip 2026-07-01 \w{12}: 2 records, 1 new/m)
})

test('without a contact, no company files are requested, but local ones are read; a folder and an empty file are reported', async (t) => {
  const env = await emptyEnv(t)
  assertRefused(await run(['ingest', 'companies'], env), /requires a contact|EDGAR_USER_AGENT/)
  assertRefused(await run(['ingest', 'facts', '--cik', '7'], env), /requires a contact|EDGAR_USER_AGENT/)
  const folder = await temporaryFolder(t)
  const below = path.join(folder, 'CIK0000000008.json')
  await mkdir(below)
  const refused = await run(['ingest', 'companies', below], env)
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /CIK0000000008\.json is a folder: name the files in it$/m)
  const empty = path.join(folder, 'CIK0000000007.json')
  await writeFile(empty, '')
  const failed = await run(['ingest', 'companies', empty], env)
  assert.equal(failed.status, 1)
  assert.match(failed.stderr + failed.stdout, /failed: CIK0000000007\.json: line 1, column 1 .*the document is cut off/)
})

test('a member of a hundred megabytes or a zip bomb is refused, and the other members are loaded', async (t) => {
  const env = await emptyEnv(t)
  const folder = await temporaryFolder(t)
  const good = (cik: number) => JSON.stringify({ cik, name: 'Good', filings: { recent: list() } })
  // A part is noise: the content compresses, but less than content that was made to swell.
  const noise = Buffer.alloc(2 ** 20)
  for (let at = 0; at < noise.length / 32; at++) noise[at] = (at * at * 31) >> 7
  const large = Buffer.concat([Buffer.from('{"cik": 8, "name": "'), ...Array.from({ length: 100 }, () => noise)])
  const file = path.join(folder, 'submissions_2026-07-01.zip')
  await writeZip(file, { 'CIK0000000007.json': good(7), 'CIK0000000008.json': large, 'CIK0000000009.json': good(9) })
  const alone = await run(['ingest', 'companies', file], env)
  assert.equal(alone.status, 0, alone.stderr)
  assert.match(alone.stdout, /^submissions_2026-07-01\.zip \S+ \w+: 2 records, 2 new, .* 1 refused/m)
  const bomb = path.join(folder, 'submissions_2026-07-02.zip')
  await writeZip(bomb, { 'CIK0000000010.json': good(10), 'CIK0000000011.json': Buffer.alloc(100 * 2 ** 20, ' ') })
  const swells = await run(['ingest', 'companies', bomb], env)
  assert.equal(swells.status, 0, swells.stderr)
  assert.match(swells.stdout, /^submissions_2026-07-02\.zip \S+ \w+: 1 records, 1 new, .* 1 refused/m)
  assert.match(swells.stdout + swells.stderr, /CIK0000000011\.json is \d+ bytes that swell to \d+/)
})

test('ingest all skips the company files, since they are gigabytes in size', async (t) => {
  const host = await edgar(t)
  const env = await emptyEnv(t)
  // The first quarter of the sample has four filings.
  await run(['ingest', '--from', '2009-01-01', '--to', '2009-03-31', '--base-url', host.url], env)
  assert.equal(host.requests.filter(({ path: at }) => /edgar\/data/.test(at)).length, 4)
  assert.deepEqual(
    host.requests.filter(({ path: at }) => /submissions|tickers/.test(at)),
    [],
  )
})
