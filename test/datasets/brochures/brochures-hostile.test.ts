/** Brochures that are empty, too large or locked: each fails alone, with its reason; a killed load resumes. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { openLibrary, pdfOf } from '../../support/brochures-made.ts'
import { writeZip } from '../../support/bulk-world.ts'
import { begin, emptyEnv, queried as inPlace, run } from '../../support/command.ts'
import { startHost } from '../../support/edgar-host.ts'
import { lockedPdf } from '../../support/pdf/locked.ts'
import { pagesPdf, textAt } from '../../support/pdf/made.ts'
import { bytesOf, randomFor } from '../../support/random.ts'
import { often } from '../../support/soak.ts'
import { until } from '../../support/until.ts'
import { temporaryFolder } from '../../support/world.ts'

const GOOD = pdfOf('# Item 5 Fees and Compensation', 'We charge a fee.')
const ZIP = 'ADV_Brochures_2026_March.zip'

test('an encrypted, a scanned, a cut and an empty PDF are versions without text but with a reason, and the good PDF has its text', async (t) => {
  const { zip, versions } = await openLibrary(t)
  const [outcome] = await zip(ZIP, {
    '1_1_1_20260301.pdf': lockedPdf([textAt(72, 700, 'Words')], 'secret', 'owner'),
    '1_2_1_20260301.pdf': pagesPdf(['']),
    '1_3_1_20260301.pdf': GOOD.subarray(0, 200),
    '1_4_1_20260301.pdf': Buffer.alloc(0),
    '1_5_1_20260301.pdf': GOOD,
    '1_6_1_20260301.pdf': '<html><body>Not found</body></html>',
  })
  assert.deepEqual([outcome!.error, outcome!.result!.added, outcome!.result!.refused], [null, 6, 0])
  const found = await versions()
  assert.deepEqual(
    found.map(({ kind }) => kind),
    ['encrypted', 'scanned', 'broken', 'broken', 'text', 'broken'],
  )
  for (const { kind, problem, char_count, search } of found) {
    assert.deepEqual(
      [problem === null, char_count === 0, search === null],
      kind === 'text' ? [true, false, false] : [false, true, true],
    )
  }
})

test('a member that is a zip bomb, or does not match its zip entry, is refused by name, and the others are loaded', async (t) => {
  const { ingest, folder, versions } = await openLibrary(t)
  const file = path.join(folder, ZIP)
  await writeZip(file, {
    '1_1_1_20260301.pdf': GOOD,
    '1_2_1_20260301.pdf': pdfOf('# Second', 'Other words.'),
    '1_3_1_20260301.pdf': GOOD,
  })
  const bytes = await readFile(file)
  const at = bytes.indexOf(deflateRawSync(pdfOf('# Second', 'Other words.')))
  assert.ok(at > 0)
  bytes[at] = 0xff
  await writeFile(file, bytes)
  const [spoiled] = await ingest([file])
  assert.deepEqual(
    [spoiled!.error, spoiled!.result!.notes.refusals.map(({ place }) => place)],
    [null, ['1_2_1_20260301.pdf']],
  )
  assert.equal((await versions()).length, 2)
  const large = path.join(folder, 'ADV_Brochures_2026_May.zip')
  await writeZip(large, { '1_4_1_20260501.pdf': Buffer.alloc(100 * 1024 ** 2) })
  const [swollen] = await ingest([large])
  assert.match(
    swollen!.error!,
    /no record that can be read: 1_4_1_20260501\.pdf: .* is \d+ bytes that swell to 104857600/,
  )
  // One kilobyte of noise in every 64: the content compresses, but less than content that was made to swell.
  const noise = Buffer.concat([bytesOf(randomFor('noise'), 1024), Buffer.alloc(63 * 1024)])
  const random = Buffer.concat(Array.from({ length: 100 * 16 }, () => noise))
  const dense = path.join(folder, 'ADV_Brochures_2026_June.zip')
  await writeZip(dense, { '1_4_1_20260601.pdf': random, '1_5_1_20260601.pdf': GOOD })
  const [heavy] = await ingest([dense])
  assert.match(heavy!.result!.notes.refusals[0]!.reason, /larger than 100663296 bytes/)
  assert.equal((await versions()).length, 3)
})

test('ingest brochures, killed repeatedly, ends with every version and gives the same answers as an undisturbed load', async (t) => {
  const env = await emptyEnv(t)
  const KILLS = often('kills of an ingest of brochures', { usual: 2, soak: 10 })
  // Six batches of 20 for each kill: on a busy machine a kill came only after three batches.
  const COUNT = 20 * 6 * KILLS
  const file = path.join(await temporaryFolder(t), ZIP)
  const members = Array.from({ length: COUNT }, (_, at) => [
    `1_${at + 1}_1_20260301.pdf`,
    pdfOf(`# Brochure ${at}`, 'Its text.'),
  ])
  await writeZip(file, Object.fromEntries(members))
  const count = () =>
    inPlace(env, async (sql) => (await sql<{ n: number }[]>`select count(*)::int as n from brochures.version`)[0]!.n)
  let stored = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const ingest = begin(t, ['ingest', 'brochures', file], env)
    await until('another batch is stored', async () => (await count()) > stored)
    assert.equal(await ingest.end('SIGKILL'), 'SIGKILL', 'the ingest ended before it was killed')
    stored = await count()
  }
  assert.ok(stored < COUNT, `${stored} were stored: nothing was left for the next run`)
  const last = await run(['ingest', 'brochures', file], env)
  assert.equal(last.status, 0, last.stderr)
  assert.match(last.stdout, new RegExp(`^${ZIP}: ${COUNT} records, ${COUNT - stored} new`, 'm'))
  assert.equal(await count(), COUNT)
})

test('ingest brochures loads the zips that the list names', async (t) => {
  const root = await temporaryFolder(t)
  const env = await emptyEnv(t)
  const host = await startHost({ root })
  t.after(() => host.close())
  const folder = path.join(root, 'reports/foia/advBrochures/2026')
  await mkdir(folder, { recursive: true })
  const foia = { advBrochures: { 2026: { files: [{ fileName: ZIP, size: 10, uploadedOn: '2026-04-01' }] } } }
  await writeFile(path.join(root, 'reports/foia/reports_metadata.json'), JSON.stringify(foia))
  await writeZip(path.join(folder, ZIP), { '1_1_1_20260301.pdf': GOOD })
  const listed = await run(['ingest', 'brochures', '--base-url', host.url], env)
  assert.equal(listed.status, 0, listed.stderr)
  assert.match(listed.stdout, new RegExp(`^${ZIP}: 1 records, 1 new`, 'm'))
})

test('ingest brochures loads single PDFs of IAPD by number; invalid PDFs and other responses fail alone', async (t) => {
  const env = await emptyEnv(t)
  const requested: string[] = []
  const iapd = createServer(({ url = '' }, answer) => {
    requested.push(url)
    const id = new URL(url, 'http://iapd').searchParams.get('BRCHR_VRSN_ID')
    if (id === '404') answer.writeHead(404).end()
    else if (id === '200') answer.writeHead(200, { 'content-type': 'text/html' }).end('<html>no such brochure</html>')
    else
      answer
        .writeHead(200, { 'last-modified': 'Tue, 31 Mar 2026 10:00:00 GMT', 'content-length': GOOD.length })
        .end(GOOD)
  })
  await new Promise<void>((resolve) => iapd.listen(0, '127.0.0.1', resolve))
  t.after(() => iapd.close())
  const url = `http://127.0.0.1:${(iapd.address() as AddressInfo).port}`
  const wanted = '108102/1032747,108102/404,108102/200'
  const { stdout, stderr } = await run(['ingest', 'brochures', '--brochure', wanted], {
    ...env,
    ADVISERINFO_FILES_URL: url,
  })
  assert.deepEqual(
    requested.filter((each, at) => requested.indexOf(each) === at),
    ['1032747', '404', '200'].map((id) => `/IAPD/Content/Common/crd_iapd_Brochure.aspx?BRCHR_VRSN_ID=${id}`),
  )
  assert.match(stdout, /^108102_1032747\.pdf 2026-03-31 \w{12}: 1 records, 1 new/m)
  assert.match(stdout + stderr, /108102_404\.pdf failed: there is no http/)
  assert.match(stdout + stderr, /108102_200\.pdf [\d-]+ \w{12} failed: .*it is not a PDF/)
  const [row] = await asOf(env)
  assert.deepEqual(row, { id: '1032747', crd: '108102', filing_date: null, source_filename: '108102_1032747.pdf' })
  for (const wrong of ['108102', 'x/7', '108102/7/8']) {
    const refused = await run(['ingest', 'brochures', '--brochure', wrong], env)
    assert.match(refused.stderr, /is not a valid CRD\/ID such as 108102\/1032747/)
  }
  const misplaced = await run(['ingest', 'adv', '--brochure', '1/2'], env)
  assert.match(misplaced.stderr, /--brochure can be used only with brochures and without files/)
})

const asOf = (env: Parameters<typeof inPlace>[0]) =>
  inPlace(env, (sql) =>
    sql`select id, crd, filing_date, source_filename from brochures.version`.then((rows) => [...rows]),
  )
