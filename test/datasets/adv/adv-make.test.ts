/** Runs the files of adv's `make/` like a person who pastes them into psql. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { adviser } from '../../../src/datasets/adv/rollups.ts'
import { within } from '../../../src/store/path.ts'
import { filed, openAdv, SPECIMEN } from '../../support/adv/load.ts'

const folder = new URL('../../../src/datasets/adv/make/', import.meta.url)
const text = (name: string) => readFileSync(new URL(`${name}.sql`, folder), 'utf8')

/** Names of files in the order that touched.sql gives. */
const ORDER = text('touched')
  .split('\n')
  .flatMap((line) => /^-- {3}([a-z_ ]+?)(?: \(| {2}|$)/.exec(line)?.[1]?.split(' ') ?? [])

test('the merge writes every column of an adviser', () => {
  const [, written] = /^insert into adviser \(([^)]+)\)\nselect/m.exec(text('adviser'))!
  const columns = written!
    .replaceAll(/--.*$/gm, '')
    .split(',')
    .map((name) => name.trim())
  assert.deepEqual(columns.sort(), Object.keys(adviser.columns).sort())
})

test('running the files by hand in the order of touched.sql gives the same rows of a firm as a load', async (t) => {
  const world = await openAdv(t)
  const other = { ...SPECIMEN, crd: '9000000402', name: 'Another', legal: 'Another LLC' }
  await world.month('2026-03', {
    IA_ADV_Base_A: [filed('10', '2026-03-31', { '5F2c': '700', '1C-New Name': 'Newly Named' })],
    IA_Schedule_D_7B1: [{ FilingID: '10', 'Fund Name': 'A Fund', 'Fund ID': '805-1', 'Fund Type': 'Hedge Fund' }],
  })
  await world.feed('IA_FIRM_SEC', '2026-07-22', [{ ...SPECIMEN, name: 'Before' }, other])
  await world.feed('IA_FIRM_SEC', '2026-07-23', [SPECIMEN, other])
  const before = await world.rollups()

  assert.ok(ORDER.length > 8, ORDER.join(' '))
  const helping = ['spoken', 'everybody', 'unlisted']
  assert.deepEqual(
    readdirSync(folder)
      .map((file) => file.replace('.sql', ''))
      .sort(),
    [...ORDER, ...helping].sort(),
  )
  await world.sql.begin((tx) =>
    within(tx, 'adv', async () => {
      // The tables that outside.sql leaves empty are filled here from stored data.
      const stored = await tx<{ name: string; name_key: string }[]>`
        select distinct name, name_key from adviser_name where kind not in ('crd', 'sec_number', 'cik')
        union select city, city_key from adviser where city is not null`
      const places = await tx<{ postal_code: string; lat: string; lng: string }[]>`
        select distinct postal_code, lat, lng from adviser where lat is not null`
      for (const name of ORDER) {
        await tx.unsafe(text(name))
        if (name === 'touched') await tx`insert into touched values (${SPECIMEN.crd})`
        if (name === 'outside') await tx`insert into folded ${tx(stored)}`
        if (name === 'outside') await tx`insert into place ${tx(places)}`
      }
    }),
  )
  const after = await world.rollups()
  assert.equal(after['adv.adviser']!.length, 2)
  assert.equal(after['adv.former_name']!.length, 1)
  assert.deepEqual(after, before)
})
