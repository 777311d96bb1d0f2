/** `ingest companies` of one zip, killed in the middle and run twice at once. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect } from '../../../src/store/db.ts'
import { openEmbedded } from '../../../src/store/embedded.ts'
import { writeZip } from '../../support/bulk-world.ts'
import { begin, emptyEnv, run } from '../../support/command.ts'
import { often } from '../../support/soak.ts'
import { until } from '../../support/until.ts'
import { everyRow, temporaryFolder } from '../../support/world.ts'

const KILLS = often('kills of an ingest of a zip', { usual: 2, soak: 8 })
/**
 * From this member on, each member lists many filings and has many blanks, so that a batch has about 300 members.
 */
const LARGE = 1_501
/** One batch of small members, then batches of large members: two more than the number of kills. */
const MEMBERS = 1_500 + 350 * (KILLS + 2)
const [LISTED, BLANKS] = [20, 48_000]

const accessionOf = (cik: number, n: number) => `${String(cik).padStart(10, '0')}-24-${String(n).padStart(6, '0')}`

function companyOf(cik: number): string {
  const accessions = Array.from({ length: cik >= LARGE ? LISTED : 1 }, (_, n) => accessionOf(cik, n))
  const company = {
    cik,
    name: `Company ${cik}`,
    tickers: [`T${cik}`],
    exchanges: ['NYSE'],
    filings: {
      recent: {
        accessionNumber: accessions,
        reportDate: accessions.map(() => '2023-12-31'),
        acceptanceDateTime: accessions.map(() => '2024-01-02T07:00:00.000Z'),
      },
      files: [],
    },
  }
  return JSON.stringify(company) + ' '.repeat(cik >= LARGE ? BLANKS : 0)
}

async function zipOf(t: TestContext, members = MEMBERS): Promise<string> {
  const file = path.join(await temporaryFolder(t), 'submissions_2026-07-01.zip')
  const ciks = Array.from({ length: members }, (_, at) => at + 1)
  await writeZip(
    file,
    Object.fromEntries(ciks.map((cik) => [`CIK${String(cik).padStart(10, '0')}.json`, companyOf(cik)])),
  )
  return file
}

/** Opens a database that stays open while commands run on it and are killed. */
async function watched(t: TestContext) {
  const env = await emptyEnv(t)
  const server = env.DATABASE_URL ? null : await openEmbedded({ dataDir: env.DATA_DIR! })
  const sql = connect({ target: env.DATABASE_URL ?? server!.target, max: 2 })
  t.after(async () => {
    await sql.end()
    await server?.close()
  })
  const count = async () => (await sql<{ n: number }[]>`select count(*)::int as n from bulk.record`)[0]!.n
  const edition = async () => [
    ...(await sql<{ state: string; records: number }[]>`select state, records from bulk.edition`),
  ]
  return { env, sql, count, edition, ingest: (file: string) => begin(t, ['ingest', 'companies', file], env) }
}

const WHOLE = [{ state: 'done', records: MEMBERS }]

test('a zip ingest that is killed twice ends with the same rows as an undisturbed one', async (t) => {
  const file = await zipOf(t)
  const left = await watched(t)
  const undisturbed = await run(['ingest', 'companies', file], left.env)
  assert.equal(undisturbed.status, 0, undisturbed.stderr)
  assert.equal(await left.count(), MEMBERS)

  const killed = await watched(t)
  let stored = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const ingest = killed.ingest(file)
    await until('another batch is stored', async () => (await killed.count()) > stored)
    assert.equal(await ingest.end('SIGKILL'), 'SIGKILL', 'the ingest ended before it was killed')
    stored = await killed.count()
    assert.ok(stored < MEMBERS, `${stored} were stored: nothing was left for the next run`)
    assert.deepEqual(await killed.edition(), [{ state: 'failed', records: 0 }])
    t.diagnostic(`killed with ${stored} of ${MEMBERS} stored`)
  }
  const last = await run(['ingest', 'companies', file], killed.env)
  assert.equal(last.status, 0, last.stderr)
  const printed = new RegExp(
    `^submissions_2026-07-01\\.zip \\S+ \\w+: ${MEMBERS} records, ${MEMBERS - stored} new`,
    'm',
  )
  assert.match(last.stdout, printed)
  assert.deepEqual(await killed.edition(), WHOLE)
  assert.deepEqual(await everyRow(killed.sql), await everyRow(left.sql))
})

/** Number of members that make three batches. */
const SOME = LARGE + 700

test('two simultaneous ingests of one zip store each company once, and both succeed', async (t) => {
  const file = await zipOf(t, SOME)
  const { ingest, count, edition, sql } = await watched(t)
  const both = [ingest(file), ingest(file)]
  for (const each of both) assert.equal(await each.ended, 0, each.stderr())
  assert.equal(await count(), SOME)
  assert.deepEqual(await edition(), [{ state: 'done', records: SOME }])
  const [rows] = await sql`
    select (select count(*) from companies.company)::int as companies, (select count(*) from companies.listing)::int as listed`
  assert.deepEqual({ ...rows }, { companies: SOME, listed: LARGE - 1 + (SOME - LARGE + 1) * LISTED })
})
