/** Former names of a firm, from every feed day and from filings, in the profile and in the search. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { profile, search } from '../../../src/datasets/adv/routes.ts'
import { type AdvWorld, filed, openAdv, SPECIMEN } from '../../support/adv/load.ts'
import { ask } from '../../support/adv/rows.ts'
import { randomFor } from '../../support/random.ts'

interface Former {
  name: string
  kinds: string[]
  from: string | null
  to: string | null
  source: string
}

async function formerNames(world: AdvWorld): Promise<unknown[][]> {
  const { adviser } = await ask<{ adviser: { former_names: Former[]; former_name_count: number } }>(
    world.sql,
    profile,
    {
      crd: SPECIMEN.crd,
    },
  )
  assert.equal(adviser.former_name_count, adviser.former_names.length)
  return adviser.former_names.map(({ name, kinds, from, to, source }) => [name, kinds.join(), from, to, source])
}

const finds = async ({ sql }: AdvWorld, q: string) =>
  (await ask<{ id: string }[]>(sql, search, { q })).map(({ id }) => id)

const named = (name: string, legal = `${name} LLC`) => ({ ...SPECIMEN, name, legal })
const other = { ...SPECIMEN, crd: '9000000499', name: 'Unrelated Partners', legal: 'Unrelated Partners LP' }

test('a name that changes between two daily feeds becomes a former name with its dates, and still finds the firm', async (t) => {
  const world = await openAdv(t)
  await world.feed('IA_FIRM_SEC', '2026-07-20', [named('Zephyr Advisers'), other])
  assert.deepEqual(await formerNames(world), [])
  await world.feed('IA_FIRM_SEC', '2026-07-21', [named('Zephyr Advisers'), other])
  await world.feed('IA_FIRM_SEC', '2026-07-22', [named('Quokka Capital', 'Zephyr Advisers LLC'), other])
  assert.deepEqual(await formerNames(world), [
    ['Zephyr Advisers', 'business', '2026-07-20', '2026-07-22', 'IA_FIRM_SEC 2026-07-20'],
  ])
  await world.feed('IA_FIRM_SEC', '2026-07-24', [named('Quokka Capital'), other])
  const both = [
    ['Zephyr Advisers LLC', 'legal', '2026-07-20', '2026-07-24', 'IA_FIRM_SEC 2026-07-20'],
    ['Zephyr Advisers', 'business', '2026-07-20', '2026-07-22', 'IA_FIRM_SEC 2026-07-20'],
  ]
  assert.deepEqual(await formerNames(world), both)
  assert.deepEqual(await finds(world, 'zephyr'), [SPECIMEN.crd])
  const kinds = await world.sql`select kind from adv.adviser_name where name = 'Zephyr Advisers'`
  assert.deepEqual([...kinds], [{ kind: 'former' }])
  await world.rebuild()
  assert.deepEqual(await formerNames(world), both)
  assert.deepEqual(await finds(world, 'zephyr'), [SPECIMEN.crd])
  // The firm leaves the feed: its names are still known.
  await world.feed('IA_FIRM_SEC', '2026-07-25', [other])
  assert.deepEqual(await formerNames(world), both)
})

test('a name that returns is not a former name; a change of capitals alone is not a new name', async (t) => {
  const world = await openAdv(t)
  await world.feed('IA_FIRM_SEC', '2026-07-20', [named('Zephyr Advisers')])
  await world.feed('IA_FIRM_SEC', '2026-07-21', [named('Quokka Capital')])
  await world.feed('IA_FIRM_SEC', '2026-07-22', [named('ZEPHYR ADVISERS')])
  assert.deepEqual(
    (await formerNames(world)).map(([name, , from, to]) => [name, from, to]),
    [
      ['Quokka Capital', '2026-07-21', '2026-07-22'],
      ['Quokka Capital LLC', '2026-07-21', '2026-07-22'],
    ],
  )
})

test('for filings and feeds alike, a name lasts from the first that states it to the first that states another', async (t) => {
  const world = await openAdv(t)
  const filing = (id: string, day: string, name: string) => filed(id, day, { '1A': `${name} LLC`, '1B1': name })
  await world.month('2019-03', { IA_ADV_Base_A: [filing('10', '2019-03-05', 'Ångström Advisers')] })
  await world.month('2020-03', { IA_ADV_Base_A: [filing('20', '2020-03-05', 'ANGSTROM ADVISERS')] })
  await world.month('2026-06', { IA_ADV_Base_A: [filing('30', '2026-06-05', 'Zephyr Advisers')] })
  await world.feed('IA_FIRM_SEC', '2026-07-20', [{ ...named('Zephyr Advisers'), filed: '2026-06-05' }])
  await world.feed('IA_FIRM_SEC', '2026-07-21', [{ ...named('Quokka Capital'), filed: '2026-07-20' }])
  assert.deepEqual(
    (await formerNames(world)).filter(([, kinds]) => kinds === 'business'),
    [
      ['Zephyr Advisers', 'business', '2026-06-05', '2026-07-21', 'IA_FIRM_SEC 2026-07-20'],
      ['ANGSTROM ADVISERS', 'business', '2019-03-05', '2026-06-05', 'filing 20'],
    ],
  )
})

test('if a firm has more former names than the core shows, the linked section has all of them', async (t) => {
  const world = await openAdv(t)
  for (let day = 1; day <= 12; day++) {
    const iso = `2026-07-${String(day).padStart(2, '0')}`
    await world.feed('IA_FIRM_SEC', iso, [{ ...SPECIMEN, name: `Name ${day}`, legal: 'Specimen LLC' }])
  }
  type Answer = { adviser: { former_names: Former[]; former_name_count: number }; former_names: Former[] }
  const { adviser, former_names } = await ask<Answer>(world.sql, profile, { crd: SPECIMEN.crd, include: 'linked' })
  assert.deepEqual([adviser.former_name_count, adviser.former_names.length], [11, 10])
  assert.deepEqual([adviser.former_names[0]!.name, former_names.at(-1)!.name], ['Name 11', 'Name 1'])
  assert.equal(former_names.length, 11)
})

test('a firm whose names and file number are too long for an index is found by its first words, and stops no rebuild', async (t) => {
  const world = await openAdv(t)
  const random = randomFor('long names')
  const word = () => Array.from({ length: 180 }, () => String.fromCharCode(97 + random() * 26)).join('')
  const words = (count: number) => Array.from({ length: count }, word).join(' ')
  const long = { ...named(`Zanzibar ${words(60)}`, `Mombasa ${words(60)}`), number: `801-${words(60)}` }
  const reasons = async () => [...(await world.sql`select slug, key, reason from core.mark`)]
  await world.feed('IA_FIRM_SEC', '2026-07-20', [long, other])
  await world.feed('IA_FIRM_SEC', '2026-07-21', [{ ...long, name: `Nairobi ${words(60)}` }, other])
  assert.deepEqual(await reasons(), [])
  const isFound = async () => [
    await finds(world, 'nairobi'),
    await finds(world, 'zanzibar'),
    await finds(world, 'mombasa'),
  ]
  const found = [[long.crd], [long.crd], [long.crd]]
  assert.deepEqual(await isFound(), found)
  const before = await world.rollups()
  await world.rebuild()
  assert.deepEqual([await reasons(), await isFound()], [[], found])
  assert.deepEqual(await world.rollups(), before)
  assert.equal((await world.adviser(long.crd))!.number_key, null)
})

test('a load and a rebuild leave out and name only a firm whose state is too long for an index; a corrected feed stores it', async (t) => {
  const world = await openAdv(t)
  const random = randomFor('long state')
  const letters = Array.from({ length: 4_000 }, () => String.fromCharCode(65 + random() * 26)).join('')
  const wrong = { ...named('Zanzibar Advisers'), state: letters }
  const marks = async () =>
    (await world.sql`select slug, key, reason from core.mark where reason is not null`).map((row) => ({ ...row }))
  const names = async () => [(await world.adviser(wrong.crd))?.legal_name, (await world.adviser(other.crd))?.legal_name]
  await world.feed('IA_FIRM_SEC', '2026-07-20', [wrong, other])
  const [refused] = await marks()
  assert.deepEqual([refused!.slug, refused!.key], ['adv', wrong.crd])
  assert.match(String(refused!.reason), /index row size/)
  assert.deepEqual(await names(), [undefined, other.legal])
  await world.rebuild()
  assert.deepEqual(
    (await marks()).map(({ slug, key }) => [slug, key]),
    [['adv', wrong.crd]],
  )
  assert.deepEqual(await names(), [undefined, other.legal])
  await world.feed('IA_FIRM_SEC', '2026-07-21', [named('Zanzibar Advisers'), { ...other, name: 'Renamed Partners' }])
  assert.deepEqual(await marks(), [])
  assert.deepEqual(await names(), ['Zanzibar Advisers LLC', other.legal])
})
