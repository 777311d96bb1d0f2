/** Rollups of representatives are refreshed person by person from the feed, and equal a full rebuild. */
import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { diskStore } from '../../../src/archive/store.ts'
import reps from '../../../src/datasets/reps/index.ts'
import { edgarClient } from '../../../src/fetch/client.ts'
import { ingestBulk } from '../../../src/ingest/bulk/ingest.ts'
import type { Sql } from '../../../src/store/db.ts'
import { writeZip } from '../../support/bulk-world.ts'
import {
  flowsOf,
  headcountOf,
  movementsOf,
  movesOf,
  NEWEST,
  openReps,
  type Person,
  put,
  refresh,
  type Spell,
  stintsOf,
} from '../../support/reps-rows.ts'
import { temporaryFolder } from '../../support/world.ts'

const rollupsOf = async (sql: Sql) => ({
  stint: [...(await sql`select * from reps.stint order by indvl_pk, n`)],
  move: [...(await sql`select * from reps.move order by indvl_pk, n, direction`)],
  firm: [...(await sql`select * from reps.firm order by org_pk`)],
})

/** Pseudo-random numbers, repeatable so that a failure can be reproduced. */
function randomOf(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  return { below: (n: number) => Math.floor(next() * n), chance: (p: number) => next() < p }
}

const FIRMS = 6
const dayAt = (at: number) => new Date(Date.UTC(2014, 0, 1) + at * 86_400_000).toISOString().slice(0, 10)
/** Number of days from 2014-01-01 to NEWEST. */
const DAYS = 3818

test('refreshing some people at a time gives the same rows as a full rebuild, and the same numbers as a count in this test', async (t) => {
  const sql = await openReps(t)
  const random = randomOf(20_240_615)
  /** Uses few firms and few days, so that registrations touch, overlap and coincide. */
  const someDay = () => dayAt(random.chance(0.5) ? random.below(60) * 63 : random.below(DAYS))
  function spell(): Spell {
    const firm = 1 + random.below(FIRMS)
    const [a, b] = [someDay(), someDay()].sort() as [string, string]
    if (random.chance(0.05)) return [firm, random.chance(0.5) ? a : null, null]
    if (random.chance(0.03)) return [firm, null, b]
    if (random.chance(0.02)) return [firm, null]
    return random.chance(0.4) ? [firm, a] : [firm, a, b]
  }
  function someone(pk: number): Person {
    const spells = Array.from({ length: random.below(6) }, spell)
    return { pk, spells, ...(random.chance(0.15) ? { gone: NEWEST } : {}) }
  }
  /** Makes a merger: many people move from one firm to another on one day. */
  function together(pks: number[]): Person[] {
    const [from, to] = [1 + random.below(FIRMS), 1 + random.below(FIRMS)]
    const at = random.below(DAYS - 10)
    return pks.map((pk) => ({
      pk,
      spells: [
        [from, '2014-01-01', dayAt(at)],
        [to, dayAt(at + 5)],
      ],
    }))
  }
  const people = new Map<number, Person>()
  const seen = new Set<string | null>()
  async function change(changed: Person[]) {
    for (const person of changed) people.set(person.pk, person)
    await refresh(sql, await put(sql, changed))
  }
  await change(Array.from({ length: 60 }, (_, at) => someone(at + 1)))
  for (let round = 0; round < 25; round++) {
    const pks = [...new Set(Array.from({ length: 1 + random.below(14) }, () => 1 + random.below(80)))]
    await change(random.chance(0.5) ? together(pks) : pks.map(someone))
    const kept = await rollupsOf(sql)
    await refresh(sql, null)
    assert.deepEqual(kept, await rollupsOf(sql), `round ${round}`)
    for (const { kind, bulk_reason } of kept.move) seen.add(kind).add(bulk_reason)
  }
  assert.deepEqual([...seen].sort(), ['back', 'beside', 'firm', 'half_of_firm', 'industry', 'many_people', null])
  await compareWithCode(sql, [...people.values()])
})

/** Compares the rollups with a count in this test, day by day, for the people whose days are all known. */
async function compareWithCode(sql: Sql, people: readonly Person[]) {
  const whole = people.filter(({ spells }) => spells.every(([, begin, end]) => begin !== null && end !== null))
  const others = people.filter((person) => !whole.includes(person)).map(({ pk }) => ({ pk, spells: [] }))
  await refresh(sql, await put(sql, others))
  const lastDay = DAYS + 1
  for (let firm = 1; firm <= FIRMS; firm++) {
    const months = new Map<string, number>()
    const moves = { gained: 0, lost: 0, current: 0 }
    for (const { spells, gone } of whole) {
      const own = spells.filter(([at]) => at === firm).map(([, begin, end]) => [begin!, end ?? gone ?? '9999'] as const)
      let before: boolean[] = [false, false]
      for (let at = 0; at <= lastDay + 1; at++) {
        const day = dayAt(at)
        const is = own.some(([begin, end]) => begin <= day && day <= end)
        if (is && day.endsWith('-01')) months.set(day, (months.get(day) ?? 0) + 1)
        // Stints are joined only if no full day is between them, so a stint that ends counts as over on the next day.
        if (is && !before[0]) moves.gained++
        if (!is && before[0]) moves.lost++
        before = [is, before[0]!]
      }
      if (before[0]) moves.current++
    }
    const flows = await flowsOf(sql, firm, { include_bulk: 'true' })
    const heads = await headcountOf(sql, firm)
    assert.deepEqual(
      { gained: flows!.summary.gained, lost: flows!.summary.lost, current: heads!.current },
      moves,
      `firm ${firm}`,
    )
    assert.equal(flows!.summary.net, heads!.current)
    for (const { month, headcount } of heads!.series)
      assert.equal(headcount, months.get(month) ?? 0, `${firm} ${month}`)
    assert.equal(heads!.peak, Math.max(...months.values()))
    assert.equal(
      flows!.byYear.reduce((sum, year) => sum + year.gained, 0),
      moves.gained,
    )
    const plain = await flowsOf(sql, firm)
    assert.equal(plain!.summary.gained! + plain!.bulk.gained, moves.gained)
    assert.equal(
      plain!.byYear.reduce((sum, year) => sum + year.lost, 0),
      plain!.summary.lost,
    )
  }
}

test('if more people changed than the limit for single refreshes, everything is refreshed', async (t) => {
  const sql = await openReps(t)
  await put(sql, [{ pk: 1, spells: [[1, '2020-01-01']] }])
  await refresh(
    sql,
    Array.from({ length: 100_001 }, (_, at) => String(at)),
  )
  assert.deepEqual(await stintsOf(sql, 1), ['1 2020-01-01'])
})

const person = (pk: number, inner = '') =>
  `<Indvl><Info lastNm="PERSON ${pk}" firstNm="SAMPLE" indvlPK="${pk}" actvAGReg="N" link="https://example.org/${pk}"/><OthrNms/>${inner}</Indvl>`
const at = (firm: number, since: string) =>
  `<CrntEmps><CrntEmp orgNm="FIRM ${firm}" orgPK="${firm}"><CrntRgstns><CrntRgstn regAuth="NY" regCat="RA" st="APPROVED" stDt="${since}"/></CrntRgstns></CrntEmp></CrntEmps>`
const formerly = (firm: number, from: string, to: string) =>
  `<PrevRgstns><PrevRgstn orgNm="FIRM ${firm}" orgPK="${firm}" regBeginDt="${from}" regEndDt="${to}"/></PrevRgstns>`

test('daily feeds of twenty parts give the moves between the days; a feed that lacks a part changes nothing; additional parts are read', async (t) => {
  const sql = await openReps(t)
  await sql`delete from bulk.edition`
  const folder = await temporaryFolder(t)
  await mkdir(path.join(folder, 'feeds'))
  const client = edgarClient({ baseUrl: 'http://127.0.0.1:1', userAgent: null })
  t.after(() => client.close())
  const store = diskStore(path.join(folder, 'archive'))
  async function feed(day: string, people: string[], parts = 20, { without = 0, acceptGone = false } = {}) {
    const [year, month, date] = day.split('-')
    const file = path.join(folder, 'feeds', `IA_INDVL_Feed_${month}_${date}_${year}.xml.zip`)
    const members = Array.from({ length: parts }, (_, part) => {
      const own = people.filter((_, index) => index % 20 === part).join('\n')
      return [
        `IA_Indvl_Feeds${part + 1}.xml`,
        `<?xml version="1.0" encoding="ISO-8859-1"?>\n<IAPDIndividualReport GenOn="${day}"><Indvls>${own}</Indvls></IAPDIndividualReport>`,
      ]
    })
    await writeZip(file, Object.fromEntries(members.filter((_, part) => part + 1 !== without)))
    const [outcome] = await ingestBulk({
      sql,
      slices: [reps],
      datasets: [reps],
      store,
      client,
      files: [file],
      acceptGone,
    })
    return outcome!
  }
  const stays = person(1, at(10, '2020-01-01'))
  await feed('2026-07-22', [stays, person(2, at(10, '2021-01-01')), person(3, at(10, '2022-01-01'))])
  const before = await rollupsOf(sql)
  assert.match((await feed('2026-07-23', [stays], 19)).error!, /19 of 20 parts .*--accept-gone/)
  assert.match((await feed('2026-07-23', [stays], 21, { without: 7 })).error!, /part 7 of 21 is missing/)
  assert.deepEqual(await rollupsOf(sql), before)

  const next = [stays, person(2, at(11, '2026-07-24') + formerly(10, '2021-01-01', '2026-07-23'))]
  const { result } = await feed('2026-07-24', next)
  assert.deepEqual([result!.added, result!.changed, result!.gone, [...result!.notes.unread]], [0, 1, 1, []])
  assert.deepEqual(movesOf((await flowsOf(sql, 10))!.recentOut), ['3 2026-07-24 -', '2 2026-07-23 11'])
  assert.deepEqual(movesOf((await flowsOf(sql, 11))!.recentIn), ['2 2026-07-24 10'])
  assert.equal((await headcountOf(sql, 10))!.series.at(-1)!.month, '2026-07-01')

  const after = await rollupsOf(sql)
  assert.equal((await feed('2026-08-02', next)).result!.changed, 0)
  assert.deepEqual(await rollupsOf(sql), after)
  const series = (await headcountOf(sql, 10))!.series
  assert.deepEqual(series.at(-1), { month: '2026-08-01', headcount: 1 })
  const last = [...next, person(3, at(10, '2022-01-01'))]
  // A feed with more parts than before is accepted. From then on a feed with fewer parts is refused.
  assert.equal((await feed('2026-08-03', last, 21)).error, null)
  assert.match((await feed('2026-08-04', last, 20)).error!, /20 of 21 parts .*--accept-gone/)
  assert.equal((await feed('2026-08-04', last, 20, { acceptGone: true })).error, null)
  assert.equal((await feed('2026-08-05', last, 20)).error, null)
  assert.deepEqual(await stintsOf(sql, 3), ['10 2022-01-01'])
})

test('the fixture is loaded without unread elements, and is served', async (t) => {
  const sql = await openReps(t)
  await sql`delete from bulk.edition`
  const folder = await temporaryFolder(t)
  const fixture = new URL(
    '../../../src/datasets/reps/fixtures/IA_INDVL_Feed_07_23_2026/IA_Indvl_Feeds1.xml',
    import.meta.url,
  )
  const empty = '<IAPDIndividualReport><Indvls/></IAPDIndividualReport>'
  const members = Array.from({ length: 20 }, (_, at) => [`IA_Indvl_Feeds${at + 1}.xml`, Buffer.from(empty)] as const)
  const file = path.join(folder, 'IA_INDVL_Feed_07_23_2026.xml.zip')
  await writeZip(file, { ...Object.fromEntries(members), 'IA_Indvl_Feeds1.xml': await readFile(fixture) })
  const client = edgarClient({ baseUrl: 'http://127.0.0.1:1', userAgent: null })
  t.after(() => client.close())
  const store = diskStore(path.join(folder, 'archive'))
  const [outcome] = await ingestBulk({ sql, slices: [reps], datasets: [reps], store, client, files: [file] })
  assert.deepEqual([outcome!.error, outcome!.result!.records, [...outcome!.result!.notes.unread]], [null, 2, []])
  assert.equal((await movementsOf(sql, 9900002))!.person.last_nm, 'PÉRSON 0002')
  assert.deepEqual(await stintsOf(sql, 9900001), ['990001 2019-06-05', '990003 2008-01-02 2012-03-04', '990004 ? ?'])
})
