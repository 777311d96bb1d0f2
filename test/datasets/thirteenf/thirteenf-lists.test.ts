/** `ingest thirteenf` of quarterly sets from a user's view: from the publisher's list, from another list, from disk. */
import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { filings } from '../../../bench/thirteenf-sets.ts'
import thirteenf from '../../../src/datasets/thirteenf/index.ts'
import { writeZip } from '../../support/bulk-world.ts'
import { assertRefused, begin, emptyEnv, queried, type Run, run } from '../../support/command.ts'
import { type Host, startHost } from '../../support/edgar-host.ts'
import { membersOf, setOf } from '../../support/thirteenf/set-files.ts'
import { until } from '../../support/until.ts'
import { everyRow, temporaryFolder } from '../../support/world.ts'

const LIST = thirteenf.sets!.list
const FOLDER = '/files/structureddata/data/form-13f-data-sets'
const SETS = ['2023q4_form13f.zip', '01dec2023-29feb2024_form13f.zip'] as const

/** A host with the list and its sets. Generated filings are numbered by year. */
async function publisher(t: TestContext, faults?: string): Promise<{ host: Host; root: string }> {
  const root = await temporaryFolder(t)
  await mkdir(path.join(root, FOLDER), { recursive: true })
  await mkdir(path.dirname(path.join(root, LIST)), { recursive: true })
  const links = [...SETS].reverse().map((name) => `<li><a href="${FOLDER}/${name}" download="">${name}</a>`)
  await writeFile(path.join(root, LIST), `<html><a href="/about">About</a><ul>${links.join('')}</ul></html>`)
  for (const [n, period] of ['2022-09-30', '2023-12-31'].entries()) {
    const all = [...filings(n === 0 ? 4 : 60, { seed: n + 1, period, lines: 30 })]
    await writeZip(path.join(root, FOLDER, SETS[n]!), membersOf(all))
  }
  const host = await startHost(faults === undefined ? { root } : { root, faults })
  t.after(() => host.close())
  return { host, root }
}

const requestedOf = ({ requests }: Host) => requests.splice(0).map(({ path: at }) => path.basename(at))
/** Returns the error output without the progress lines that a slow machine prints. */
const complaints = ({ stderr }: Run) =>
  stderr.replace(/^openfilings: (reading|fetching|storing|making rollups of) .*\n/gm, '')
const setsIn = (stdout: string) =>
  [...stdout.matchAll(/^(\S+\.zip): (\d+) filings, (\d+) stored/gm)].map(([, ...of]) => of)
const ARGS = ['ingest', 'thirteenf', '--sets']

test('sets that the SEC lists are fetched and loaded once, in date order, and a date option selects among them', async (t) => {
  const env = await emptyEnv(t)
  const { host } = await publisher(t)
  const args = [...ARGS, '--base-url', host.url]
  const early = await run([...args, '--to', '2023-12-15'], env)
  assert.deepEqual([early.status, complaints(early), setsIn(early.stdout).length], [0, '', 2])
  assert.deepEqual(requestedOf(host), [path.basename(LIST), ...SETS])
  const none = await run([...args, '--to', '2023-09-30'], env)
  assert.match(none.stdout, /^ {2}sets +0 loaded, 0 known before, 0 failed$/m)
  const again = await run(args, env)
  assert.match(again.stdout, /^ {2}sets +0 loaded, 2 known before, 0 failed$/m)
  assert.deepEqual(requestedOf(host), [path.basename(LIST), path.basename(LIST)])
  const whole = await run([...args, '--again', '--from', '2024-01-01'], env)
  assert.deepEqual(setsIn(whole.stdout), [[SETS[1], '60', '60']])
  assert.deepEqual(requestedOf(host), [path.basename(LIST), SETS[1]])
  const status = await run(['status'], env)
  assert.match(
    status.stdout,
    /^Quarterly data sets of filings\n.*\n {2}thirteenf +01dec2023-29feb2024_form13f\.zip +2024-02-29 +done +60 +0$/m,
  )
})

test('a listed set that does not exist fails alone, is reported by `status`, and is requested again by the next run', async (t) => {
  const env = await emptyEnv(t)
  const { host, root } = await publisher(t)
  const file = path.join(root, FOLDER, SETS[0])
  await rm(file)
  const args = [...ARGS, '--base-url', host.url]
  const first = await run(args, env)
  assert.equal(first.status, 1)
  assert.match(first.stderr, /2023q4_form13f\.zip failed: http.* is listed but does not exist/)
  assert.match(first.stdout, /^ {2}sets +1 loaded, 0 known before, 1 failed$/m)
  assert.match((await run(['status'], env)).stdout, /^ {2}2023q4_form13f\.zip +http\S+ is listed but does not exist$/m)
  await writeZip(file, membersOf([...filings(2, { seed: 1, period: '2022-09-30', lines: 30 })]))
  const second = await run(args, env)
  assert.deepEqual([second.status, setsIn(second.stdout)], [0, [[SETS[0], '2', '2']]])
})

test('a link to a set with an impossible date fails alone, and the other sets of the list are loaded', async (t) => {
  const env = await emptyEnv(t)
  const { host, root } = await publisher(t)
  await writeFile(
    path.join(root, 'mixed.html'),
    `<a href="/01dec2023-31feb2024_form13f.zip">Q1</a> <a href="${FOLDER}/${SETS[0]}">Q4</a>`,
  )
  const mixed = await run(['ingest', 'thirteenf', `${host.url}/mixed.html`], env)
  assert.equal(mixed.status, 1)
  assert.match(mixed.stderr, /01dec2023-31feb2024_form13f\.zip failed: 31feb2024 is not a valid day/)
  assert.match(mixed.stdout, /^ {2}sets +1 loaded, 0 known before, 1 failed$/m)
  assert.deepEqual(setsIn(mixed.stdout), [[SETS[0], '4', '4']])
})

test('a list that does not exist, has no set or must not be requested is reported by its address, and yields nothing', async (t) => {
  const env = await emptyEnv(t)
  const { host, root } = await publisher(t)
  await writeFile(path.join(root, 'other.html'), '<a href="/about">About</a>')
  assertRefused(
    await run(['ingest', 'thirteenf', `${host.url}/other.html`], env),
    /other\.html cannot be read as a list: it does not link to any set such as 2013q2/,
  )
  assertRefused(await run(['ingest', 'thirteenf', `${host.url}/none.html`], env), /has no list at \/none\.html/)
  await writeFile(path.join(root, 'february.html'), '<a href="/01dec2023-31feb2024_form13f.zip">Q1</a>')
  assertRefused(
    await run(['ingest', 'thirteenf', `${host.url}/february.html`], env),
    /february\.html.*31feb2024 is not a valid day/,
  )
  assertRefused(
    await run(['ingest', 'thirteenf', '/x/01dec2023-31feb2024_form13f.zip'], env),
    /^.*31feb2024 is not a valid day$/m,
  )
  assertRefused(await run(ARGS, env), /EDGAR_USER_AGENT/)
  assertRefused(
    await run(['ingest', 'rega', '--sets'], env),
    /ingest rega has no quarterly data sets: use --sets with .*thirteenf/,
  )
})

test('sets from disk are loaded, other files are refused by name, and a set loaded from disk is not fetched later', async (t) => {
  const env = await emptyEnv(t)
  const { host, root } = await publisher(t)
  const file = path.join(root, FOLDER, SETS[0])
  const first = await run(['ingest', 'thirteenf', file], env)
  assert.deepEqual([first.status, complaints(first), setsIn(first.stdout)], [0, '', [[SETS[0], '4', '4']]])
  assert.match(
    (await run(['ingest', 'thirteenf', file], env)).stdout,
    /^ {2}sets +0 loaded, 1 known before, 0 failed$/m,
  )
  assertRefused(
    await run(['ingest', 'thirteenf', '/nowhere/13f.zip'], env),
    /13f\.zip does not have the name of a set, such as 2013q2/,
  )
  const mixed = await run(['ingest', 'thirteenf', '/x/01dec2023-31feb2024_form13f.zip', file], env)
  assert.equal(mixed.status, 1)
  assert.match(
    mixed.stderr,
    /^openfilings: 01dec2023-31feb2024_form13f\.zip failed: is not the name of a quarterly data set: .*31feb2024/m,
  )
  assert.match(mixed.stdout, /^ {2}sets +0 loaded, 1 known before, 1 failed$/m)
  assertRefused(await run(['ingest', 'thirteenf', '/nowhere/2013q2_form13f.zip'], env), /cannot be read/)
  const args = [...ARGS, '--base-url', host.url, '--to', '2023-11-30']
  for (const expected of [[path.basename(LIST), SETS[0]], [path.basename(LIST)]]) {
    assert.match((await run(args, env)).stdout, /^ {2}sets +0 loaded, 1 known before, 0 failed$/m)
    assert.deepEqual(requestedOf(host), expected)
  }
})

test('a killed load of a set resumes after its last batch, and gives the same rows as an uninterrupted load', async (t) => {
  const [left, killed] = [await emptyEnv(t), await emptyEnv(t)]
  const all = [...filings(300, { seed: 3, period: '2023-12-31', lines: 30 })]
  const file = await setOf(t, membersOf(all))
  // The first set of a quarter is stored in one transaction; later ones find its partition and are stored batch by
  // batch.
  const early = await setOf(t, membersOf(all.slice(0, 10)), '2023q4_form13f.zip')
  for (const env of [left, killed]) await run(['ingest', 'thirteenf', early], env)
  await run(['ingest', 'thirteenf', file], left)
  const work = begin(t, ['ingest', 'thirteenf', file], killed)
  const stored = () => queried(killed, (sql) => sql<[{ n: number }]>`select count(*)::int as n from thirteenf.report`)
  await until('a batch is committed', async () => (await stored())[0].n > 10)
  await work.end('SIGKILL')
  const rest = await run(['ingest', 'thirteenf', file], killed)
  const [[, total, more] = []] = setsIn(rest.stdout)
  assert.deepEqual([rest.status, total], [0, '300'])
  assert.ok(Number(more) > 0 && Number(more) < 290, `${more} were left`)
  const rowsOf = async (env: typeof left) => JSON.stringify(await queried(env, (sql) => everyRow(sql)))
  assert.ok((await rowsOf(killed)) === (await rowsOf(left)))
})
