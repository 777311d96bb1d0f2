/** `ingest --follow` with chosen filers: their filings from the feed, and their profiles in place of indexes. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { EdgarError } from '../../src/fetch/client.ts'
import { following } from '../support/follow/following.ts'
import { accession, daysAgo, entry, feedingEdgar } from '../support/follow/made.ts'
import { listed } from '../support/profiles-made.ts'
import { until } from '../support/until.ts'
import { openWorld, temporaryFolder } from '../support/world.ts'

const CHOSEN = '0001968399'

const OTHER = '0000000012'

/** Formats a time like EDGAR. */
const stamp = (moment: number) => new Date(moment).toISOString().replace(/\.\d+Z$/, '+00:00')

/** Writes the profile of a filer. */
async function writeProfile(
  root: string,
  cik: string,
  filings: readonly { n: number; filed: string; formType?: string }[],
) {
  const lists = listed(
    filings.map(({ n, filed, formType = 'D' }) => ({ accession: accession(n), formType, filedDate: filed })),
  )
  const text = JSON.stringify({ cik: Number(cik), name: 'Model', filings: { recent: lists, files: [] } })
  await mkdir(path.join(root, 'submissions'), { recursive: true })
  await writeFile(path.join(root, `submissions/CIK${cik}.json`), text)
}

test('only the chosen filers are followed, no coverage of all filers is recorded, and after a gap in the feed their profiles are read again', async (t) => {
  const edgar = await feedingEdgar(t)
  const profile = (...some: number[]) =>
    writeProfile(
      edgar.root,
      CHOSEN,
      some.map((n) => ({ n, filed: daysAgo(1) })),
    )
  await profile(1)
  for (const n of [1, 2, 3, 4]) await edgar.release(n)
  const old = entry({ n: 99, cik: 12, filed: daysAgo(2) })
  await edgar.publish([old])
  const world = await openWorld(t, { root: edgar.root })
  const run = await following(t, world, { indexMs: 3_600_000, chosen: [CHOSEN], store: world.store })
  const read = async () =>
    (await world.sql`select accession from formd.offering order by 1`).map((row) => Number(row.accession.slice(-6)))
  await until('the profile is read', async () => (await read()).join() === '1')
  await edgar.publish([entry({ n: 2, updated: stamp(Date.now()) }), entry({ n: 98, cik: 13 }), old])
  await until('a filing of the feed is read', async () => (await read()).join() === '1,2')
  const all = await world.sql`select accession from edgar.filing order by 1`
  assert.equal(all.length, 2, 'filings of other filers are not listed')
  assert.equal(
    (await world.sql`select from edgar.feed`).length + (await world.sql`select from edgar.feed_gap`).length,
    0,
  )
  const profiles = () => world.host.requests.filter(({ path: at }) => at.startsWith('/submissions/')).length
  const before = profiles()
  await profile(3, 1)
  // The entry is an hour later than anything that was read: the entries before it are gone from the feed.
  await edgar.publish([entry({ n: 97, cik: 14, updated: stamp(Date.now() + 3_600_000) })])
  await until('the profile is read again', async () => (await read()).join() === '1,2,3')
  assert.ok(profiles() > before)
  assert.ok(run.reported.some((one) => one.event === 'gap_of_chosen'))
  await run.stop()
})

test('a filer whose profile becomes readable later is read from the operator’s first day, and an unreadable feed entry does not fail the poll', async (t) => {
  const edgar = await feedingEdgar(t)
  await writeProfile(edgar.root, CHOSEN, [{ n: 1, filed: daysAgo(1) }])
  for (const n of [1, 2]) await edgar.release(n)
  await edgar.publish(['<entry><title>unreadable</title></entry>', entry({ n: 99, cik: 13, filed: daysAgo(2) })])
  const world = await openWorld(t, { root: edgar.root })
  const run = await following(t, world, { indexMs: 100, chosen: [CHOSEN, OTHER], store: world.store })
  const all = async () =>
    (await world.sql`select accession from edgar.filing order by 1`).map((row) => Number(row.accession.slice(-6)))
  const polls = () => world.host.requests.filter(({ path: at }) => at.startsWith('/cgi-bin/')).length
  await until('the profile is read', async () => (await all()).join() === '1')
  const before = polls()
  await until('further turns poll the feed', () => polls() > before + 3)
  await writeProfile(edgar.root, OTHER, [
    { n: 2, filed: daysAgo(1) },
    { n: 3, filed: daysAgo(400) },
  ])
  await until('the other profile is read', async () => (await all()).length > 1)
  assert.deepEqual(await all(), [1, 2])
  const failed = run.reported.filter((one) => one.event === 'turn_failed')
  assert.deepEqual(failed, [])
  await run.stop()
})

test('if no profile can be read, the run reports a failure, and tries again soon', async (t) => {
  const edgar = await feedingEdgar(t)
  await edgar.release(1)
  await edgar.publish([entry({ n: 99, cik: 13, filed: daysAgo(2) })])
  const world = await openWorld(t, { root: edgar.root })
  const run = await following(t, world, { indexMs: 3_600_000, chosen: [CHOSEN], store: world.store })
  const reason = 'the profiles: no profile of the chosen filers could be read'
  await until('the turn fails', () => run.summary.failing?.reason === reason)
  await writeProfile(edgar.root, CHOSEN, [{ n: 1, filed: daysAgo(1) }])
  await until('the filing is read', async () => (await world.sql`select from formd.offering`).length === 1)
  await until('a turn succeeds', () => run.summary.failing === undefined)
  await run.stop()
})

test('a watch list that is changed while it is followed is read again: filers come and go, and an invalid list changes nothing', async (t) => {
  const edgar = await feedingEdgar(t)
  await writeProfile(edgar.root, CHOSEN, [{ n: 1, filed: daysAgo(1) }])
  await writeProfile(edgar.root, OTHER, [{ n: 2, filed: daysAgo(1) }])
  await edgar.release(1)
  await edgar.release(2, Number(OTHER))
  await edgar.publish([entry({ n: 99, cik: 13, filed: daysAgo(2) })])
  const world = await openWorld(t, { root: edgar.root })
  const watch = path.join(await temporaryFolder(t), 'watch.txt')
  await writeFile(watch, `${CHOSEN} # the first\n`)
  const run = await following(t, world, { indexMs: 3_600_000, watch, store: world.store })
  const all = async () =>
    (await world.sql`select accession from edgar.filing order by 1`)
      .map((row) => Number(row.accession.slice(-6)))
      .join()
  const polls = () => world.host.requests.filter(({ path: at }) => at.startsWith('/cgi-bin/')).length
  const invalid = () => run.reported.filter(({ event }) => event === 'watch_list')
  await until('the profile of the first filer is read', async () => (await all()) === '1')
  await writeFile(watch, '!!\n')
  await until('the invalid list is reported', () => invalid().length === 1)
  const before = polls()
  await until('further turns poll the feed', () => polls() > before + 2)
  assert.deepEqual([invalid().length, await all()], [1, '1'])
  assert.match(String(invalid()[0]!.reason), /^not a valid entry: line 1 of .*watch\.txt, "!!"/)
  await writeFile(watch, `${CHOSEN}\n${OTHER}\n`)
  await until('the profile of the new filer is read', async () => (await all()) === '1,2')
  await writeFile(watch, OTHER)
  await until('one filer is chosen', () => run.reported.filter(({ event }) => event === 'chosen_filers').length === 3)
  const later = polls()
  await edgar.publish([
    entry({ n: 3, updated: stamp(Date.now()) }),
    entry({ n: 4, cik: Number(OTHER), updated: stamp(Date.now()) }),
    entry({ n: 99, cik: 13, filed: daysAgo(2) }),
  ])
  await until('a filing of the filer that stayed is listed', async () => (await all()).endsWith('4'))
  assert.deepEqual([polls() > later, await all()], [true, '1,2,4'])
  await run.stop()
})

test('a turn in which the watch list cannot be read again has failed, though the feed and the filings are read', async (t) => {
  const edgar = await feedingEdgar(t)
  await writeProfile(edgar.root, CHOSEN, [{ n: 1, filed: daysAgo(1) }])
  await edgar.release(1)
  await edgar.publish([entry({ n: 99, cik: 13, filed: daysAgo(2) })])
  const world = await openWorld(t, { root: edgar.root })
  let isFailing = true
  const rechoose = async () => {
    if (isFailing) throw new EdgarError('unavailable', 'the list of tickers is not there')
    return null
  }
  const run = await following(t, world, { indexMs: 3_600_000, chosen: [CHOSEN], rechoose, store: world.store })
  const polls = () => world.host.requests.filter(({ path: at }) => at.startsWith('/cgi-bin/')).length
  await until('the filing is read', async () => (await world.sql`select from formd.offering`).length === 1)
  await until('turns poll the feed', () => polls() > 2)
  const reason = 'the watch list: the list of tickers is not there'
  assert.deepEqual([run.summary.failing?.reason, run.summary.followed_at], [reason, undefined])
  isFailing = false
  await until('the follower follows the feed', () => run.summary.followed_at !== undefined)
  assert.equal(run.summary.failing, undefined)
  await run.stop()
})

test('older filings of a filer who is added to the watch list are read, also if they were listed before', async (t) => {
  const edgar = await feedingEdgar(t)
  await writeProfile(edgar.root, CHOSEN, [{ n: 1, filed: daysAgo(1) }])
  await writeProfile(edgar.root, OTHER, [{ n: 2, filed: daysAgo(100), formType: '10-K' }])
  await edgar.publish([entry({ n: 99, cik: 13, filed: daysAgo(2) })])
  const world = await openWorld(t, { root: edgar.root })
  const all = async () =>
    (await world.sql`select accession from edgar.filing order by 1`)
      .map((row) => Number(row.accession.slice(-6)))
      .join()
  const options = { indexMs: 3_600_000, from: daysAgo(400), store: world.store }
  const before = await following(t, world, { ...options, chosen: [OTHER] })
  await until('the filing is listed', async () => (await all()) === '2')
  await before.stop()
  const watch = path.join(await temporaryFolder(t), 'watch.txt')
  await writeFile(watch, CHOSEN)
  const run = await following(t, world, { ...options, datasets: ['documents'], watch })
  await until('the profile of the first filer is read', async () => (await all()) === '1,2')
  const polls = () => world.host.requests.filter(({ path: at }) => at.startsWith('/cgi-bin/')).length
  const polled = polls()
  await until('turns poll the feed', () => polls() > polled + 2)
  const tasks = () => world.sql`select accession from edgar.task where dataset = 'documents'`
  assert.deepEqual([...(await tasks())], [])
  await writeFile(watch, `${CHOSEN}\n${OTHER}\n`)
  await until('the filing waits', async () => (await tasks()).length === 1)
  assert.equal((await tasks())[0]!.accession, accession(2))
  await run.stop()
})
