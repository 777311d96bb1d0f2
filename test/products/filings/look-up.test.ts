/** The first look-up of a filing changes no later answer, and must not take capacity from other clients. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { dataVersions, versionOf, versionsOf } from '../../../src/store/meta.ts'
import { openIndexedWorld } from '../../support/sampled.ts'
import { serveWorld } from '../../support/served.ts'
import { until } from '../../support/until.ts'

// A spine of filings whose submissions were never requested; each test uses other filings.
const world = await openIndexedWorld({ after })
// Look-ups wait long enough for a slot on any machine; another test covers refusals.
const served = await serveWorld({ after }, world, { slotWaitMs: 30_000 })
const unread = (
  await world.sql<
    { accession: string }[]
  >`select accession from edgar.filing where form_type in ('D', 'D/A', 'C', '1-A', 'X-17A-5')`
).map(({ accession }) => accession)
/** A filing whose header gives the acceptance time, as few filings of the sample do. */
const TIMED = '0000919574-09-006093'
assert.equal(unread.splice(unread.indexOf(TIMED), 1)[0], TIMED)
const take = (count: number) => {
  assert.ok(unread.length >= count)
  return unread.splice(0, count)
}

const version = async () => versionOf(versionsOf(await dataVersions(world.sql)), ['filings'])

const acceptedAt = async (accession: string) => {
  const filters = JSON.stringify({ field: 'accession', op: 'eq', value: accession })
  const { rows } = await served.json<{ rows: { accepted_at: string | null }[] }>(
    `/filings?filters=${encodeURIComponent(filters)}`,
  )
  return rows[0]!.accepted_at
}

interface Looked {
  header: { accepted_at: string }
  timeline: { accession: string; accepted_at: string | null }[]
}

const metric = async (name: string) =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await (await fetch(`${served.origin}/metrics`)).text())?.[1])

test('twenty cold look-ups by one key leave capacity at EDGAR for another key, and hold no database connection', async () => {
  world.host.setFaults('slow:ms=2000')
  let answered = 0
  const [own, ...others] = take(21)
  const greedy = others.map(async (accession) => {
    const { status } = await served.get(`/edgar/doc/${accession}/1`)
    answered++
    return status
  })
  await until('fourteen look-ups wait', async () => (await metric('openfilings_places_waiting{class="fetch"}')) >= 14)
  assert.equal(await metric('openfilings_places_running{class="fetch"}'), 4)
  const headers = { 'x-api-key': served.keys.api }
  const other = await served.get(`/filing/${own}`, headers)
  assert.ok(((await other.json()) as { documents: unknown[] }).documents.length > 0)
  assert.ok(answered < 12, `${answered} of the others came first`)
  assert.equal(await metric('openfilings_places_running{class="point"}'), 0)
  world.host.setFaults('')
  assert.deepEqual([...new Set(await Promise.all(greedy))], [200])
})

test('equal simultaneous cold look-ups fetch a filing once', async () => {
  world.host.setFaults('slow:ms=100')
  const before = world.host.requests.length
  const [one] = take(1)
  const all = await Promise.all(Array.from({ length: 12 }, () => served.get(`/edgar/doc/${one}/1`)))
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [200])
  assert.equal(world.host.requests.length, before + 1)
})

test('a slow EDGAR gives 503 with Retry-After, and the filing is available once it has arrived', async (t) => {
  const impatient = await serveWorld(t, world, { fetchWaitMs: 200, slotWaitMs: 200 })
  const [one, other] = take(2)
  world.host.setFaults('slow:ms=1500')
  const late = await impatient.get(`/edgar/doc/${one}/1`, {
    'x-api-key': impatient.keys.full,
    accept: 'application/json',
  })
  assert.deepEqual([late.status, late.headers.get('retry-after')], [503, '5'])
  assert.deepEqual(await late.json(), {
    error: 'the request takes longer than 0.2 seconds; try again',
    code: 'took_too_long',
  })
  // The look-up itself answers with the data known without EDGAR, and names the missing part.
  const look = await impatient.json<{ documents: unknown[]; documents_note: string }>(`/filing/${other}`)
  assert.deepEqual([look.documents, look.documents_note], [[], 'the request takes longer than 0.2 seconds; try again'])
  await until('the document is there', async () => (await impatient.get(`/edgar/doc/${one}/1`)).status === 200)
})

// This test comes last, since it reads the filings of the other tests too.
test('a look-up changes no list, so that answers do not depend on earlier requests; ingest of the filing does change it', async () => {
  const before = await version()
  assert.equal(await acceptedAt(TIMED), null)
  const first = await served.json<Looked>(`/filing/${TIMED}`)
  const { header, timeline } = first
  assert.ok(header.accepted_at)
  assert.equal(timeline.find(({ accession }) => accession === TIMED)!.accepted_at, header.accepted_at)
  assert.deepEqual(await served.json<Looked>(`/filing/${TIMED}`), first)
  assert.equal((await served.get(`/edgar/doc/${TIMED}/1`)).status, 200)
  assert.deepEqual([await acceptedAt(TIMED), await version()], [null, before])
  // The filing is fetched again because its bytes were lost, and adds nothing new.
  await world.sql`update edgar.look_up set kept_sha256 = ${'0'.repeat(64)} where accession = ${TIMED}`
  assert.deepEqual(await served.json<Looked>(`/filing/${TIMED}`), first)
  await world.drain({ datasets: ['formd'] })
  assert.equal(
    world.host.requests.filter(({ path }) => path.includes(TIMED)).length,
    2,
    'a filing that was looked up is not fetched again',
  )
  await until('the list shows the time of acceptance', async () => (await acceptedAt(TIMED)) !== null)
  assert.equal(Date.parse((await acceptedAt(TIMED))!), Date.parse(header.accepted_at))
  assert.equal((await world.sql`select from edgar.look_up where accession = ${TIMED}`).count, 0)
})
