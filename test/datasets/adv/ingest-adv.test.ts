/** `ingest adv` from an operator's view. */
import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { assertRefused, emptyEnv, newEnv, run } from '../../support/command.ts'
import { startHost } from '../../support/edgar-host.ts'
import { sample, temporaryFolder } from '../../support/world.ts'

const FEEDS = path.join(sample, 'reports/CompilationReports')
const FEED = path.join(FEEDS, 'IA_FIRM_SEC_Feed_07_23_2026.xml.gz')

test('ingest adv reads the files that a host lists, and a second run has nothing left to do', async (t) => {
  const host = await startHost({ root: sample })
  t.after(() => host.close())
  const env = await emptyEnv(t)
  const first = await run(['ingest', 'adv', '--base-url', host.url], env)
  assert.equal(first.status, 0, first.stderr)
  assert.match(first.stdout, /^IA_FIRM_SEC_Feed_12_29_2023\.xml\.gz: 81 records, 81 new, 0 changed/m)
  assert.match(first.stdout, /^IA_FIRM_SEC_Feed_07_23_2026\.xml\.gz: 81 records, 0 new, 1 changed/m)
  assert.match(first.stdout, /^IA_INDVL_Feed_07_23_2026\.xml\.zip: 62 records, 3 new, 14 changed, 0 back, 2 gone/m)
  assert.match(first.stdout, /^ADV_Filing_Data_20190301_20190331\.zip: 7 records/m)
  const second = await run(['ingest', 'adv', '--base-url', host.url], env)
  assert.equal(second.status, 0)
  assert.match(second.stdout, /^there is no new file to load$/m)
  assert.match(second.stdout, /^ {2}adviser files +0 loaded, 11 known before, 0 failed$/m)
  const { stdout } = await run(['status'], env)
  assert.match(stdout, /^ {2}ADV_W +ADVW_20190601_20190630\.zip +2019-06-30/m)
})

test('ingest adv accepts the address of a list, and local files', async (t) => {
  const env = await emptyEnv(t)
  const list = pathToFileURL(path.join(FEEDS, 'CompilationReports.manifest.json')).href
  const listed = await run(['ingest', 'adv', list], env)
  assert.equal(listed.status, 0, listed.stderr)
  assert.match(listed.stdout, /IA_FIRM_STATE_Feed_07_23_2026/)
  const given = await run(['ingest', 'adv', FEED], env)
  assert.match(given.stdout, /^there is no new file to load$/m)
})

test('ingest reps reads only the feed of individuals', async (t) => {
  const env = await newEnv(t)
  const { status, stdout } = await run(['ingest', 'reps', '--base-url', pathToFileURL(sample).href], env)
  assert.equal(status, 0)
  assert.deepEqual(stdout.match(/^\w+\.[\w.]+(?=:)/gm), [
    'IA_INDVL_Feed_12_29_2023.xml.zip',
    'IA_INDVL_Feed_07_23_2026.xml.zip',
  ])
})

test('a file with an unknown name, a missing file and a file of another dataset are each refused by name', async (t) => {
  const env = await emptyEnv(t)
  assertRefused(await run(['ingest', 'adv', '/nowhere/firms.xml'], env), /firms\.xml does not have a known file name/)
  assertRefused(
    await run(['ingest', 'adv', '/nowhere/IA_FIRM_SEC_Feed_07_23_2026.xml.gz'], env),
    /\/nowhere\/IA_FIRM_SEC_Feed_07_23_2026\.xml\.gz cannot be read/,
  )
  assertRefused(
    await run(['ingest', 'reps', FEED], env),
    /does not have a known file name; known names: IA_INDVL such as IA_INDVL_Feeds_07_23_2026\.xml\.zip$/m,
  )
})

test('a host without lists is refused by name; ingest all still reads its filings, reports the skipped datasets with reasons, and exits with 1', async (t) => {
  const root = await temporaryFolder(t)
  await cp(path.join(sample, 'Archives'), path.join(root, 'Archives'), { recursive: true })
  const host = await startHost({ root })
  t.after(() => host.close())
  const env = await emptyEnv(t)
  const alone = await run(['ingest', 'adv', '--base-url', host.url], env)
  assert.equal(alone.status, 1)
  assert.match(alone.stderr, /^openfilings: http:\S+ has no list at \/reports\//m)
  const all = await run(['ingest', '--from', '2025-01-01', '--to', '2025-12-31', '--base-url', host.url], env)
  assert.equal(all.status, 1)
  assert.match(all.stdout, /^ingest all: done, with problems, after/m)
  assert.match(all.stdout, /^ {2}filings +18 read, 0 failed/m)
  assert.match(all.stdout, /^ {2}skipped +adviser files: http:\S+ has no list at/m)
})

test('ingest all without a contact for the adviser files reads the filings, reports the skipped datasets, and exits with 1', async (t) => {
  const host = await startHost({ root: sample })
  t.after(() => host.close())
  const env = { ...(await emptyEnv(t)), EDGAR_BASE_URL: host.url }
  const all = await run(['ingest', '--from', '2018-10-01', '--to', '2018-12-31'], env)
  assert.equal(all.status, 1)
  assert.match(all.stdout, /^ {2}filings +5 read, 0 failed/m)
  assert.match(all.stdout, /^ {2}skipped +adviser files: reports\.adviserinfo\.sec\.gov requires a contact/m)
  assert.match(all.stdout, /^ {2}next +remove the cause of each skipped part/m)
})
