/**
 * The name filter of lists if every word is in many names: its results, and the number of names that it reads.
 *
 * @server it checks which rows the plans of that server read
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Random } from '../../bench/random.ts'
import { list } from '../../src/datasets/adv/queries/list.ts'
import { refreshSearch } from '../../src/datasets/adv/queries/search-refresh.ts'
import { FILERS } from '../../src/ingest/filer-names.ts'
import { filterOf } from '../../src/names.ts'
import { fold } from '../../src/read/fold.ts'
import type { Fragment } from '../../src/store/db.ts'
import { freshDatabase } from '../support/database.ts'
import { isMet } from '../support/names/oracle.ts'
import { putFilers } from '../support/names/world.ts'

const { sql } = await freshDatabase({ after })

const WORDS = 'AMBER BAY CROSS EAGLE FALLS HAWK HILL KEY PIER TOWER'.split(' ')
const ENDS = ['CAPITAL', 'MGMT', "CHILDREN'S FUND", 'R&D']
const FORMS = ['LLC', 'L.P.', 'INC', '& CO., INC.', '']

// Every word is in hundreds of names, so that none of them is found by one rare word.
const random = new Random(7)
const names = Array.from({ length: 1500 }, () =>
  [
    random.pick(WORDS),
    random.pick(WORDS),
    random.below(2) ? random.pick(WORDS) : '',
    random.pick(ENDS),
    random.pick(FORMS),
  ]
    .filter(Boolean)
    .join(' '),
)
await putFilers(
  sql,
  names.map((name, at) => ({ id: String(at + 1), name, city: null, state: null, importance: 1 })),
)

const WAYS: Record<string, (name: string) => string> = {
  'the whole name': (name) => name,
  'some of its words in any order': (name) => name.split(' ').slice(random.below(2), 3).toReversed().join(' '),
  'its beginning': (name) => name.slice(0, 4 + random.below(name.length)),
  'a part that begins and ends within words': (name) => name.slice(1 + random.below(4), 6 + random.below(name.length)),
  'words of several names': () => Array.from({ length: 1 + random.below(3) }, () => random.pick(WORDS)).join(' '),
  'two words as one': (name) => name.replace(' ', ''),
  'a word that no name has': (name) => `${name.split(' ')[0]} xylem ${name.split(' ')[1]}`,
  'a word whose end is missing, and others': (name) => `${name.split(' ').slice(0, 3).join(' ').slice(0, -2)}`,
}

for (const [way, typedOf] of Object.entries(WAYS)) {
  test(`${way}: the filter finds the same names as a scan of all names`, async () => {
    let found = 0
    for (let i = 0; i < 20; i++) {
      const typed = fold(typedOf(random.pick(names)))
      if (typed === '') continue
      const { words, holds } = await filterOf(sql, FILERS, typed)
      const rows = await sql<{ cik: string }[]>`
        select n.cik from edgar.filer_search n
        where ${words ? words(sql) : sql`false`} or ${holds(sql, sql`n.name_key`)}`
      const expected = names.flatMap((name, at) => (isMet(typed, name) ? [String(at + 1).padStart(10, '0')] : []))
      assert.deepEqual(rows.map(({ cik }) => cik).sort(), expected, typed)
      found += expected.length
    }
    assert.ok(way.startsWith('a word that no') || found >= 20)
  })
}

interface Node {
  'Actual Rows': number
  'Index Cond'?: string
  Plans?: Node[]
}

/** Returns the index condition, and the number of names that the index returns. */
async function lookedUp(condition: Fragment): Promise<{ indexed: string; given: number }> {
  const plan = await sql.begin(async (tx) => {
    // For so few names a sequential read would be chosen.
    for (const way of ['seqscan', 'indexscan', 'indexonlyscan']) await tx.unsafe(`set local enable_${way} = off`)
    const [row] = await tx<[{ 'QUERY PLAN': [{ Plan: Node }] }]>`
      explain (analyze, format json) select n.cik from edgar.filer_search n where ${condition}`
    return row['QUERY PLAN'][0].Plan
  })
  const nodes: Node[] = [plan]
  for (const node of nodes) nodes.push(...(node.Plans ?? []))
  const lookups = nodes.filter((node) => node['Index Cond'] !== undefined)
  assert.ok(lookups.length > 0)
  return {
    indexed: lookups.map((node) => node['Index Cond']).join('\n'),
    given: lookups.reduce((sum, node) => sum + node['Actual Rows'], 0),
  }
}

const having = (...words: string[]) =>
  names.filter((name) => words.every((word) => name.split(' ').includes(word))).length

test('a name is looked up by its two rarest words, and only the few names with both are tested for the other words', async () => {
  const typed = WORDS.slice(0, 4).sort((a, b) => having(a) - having(b))
  const { words } = await filterOf(sql, FILERS, fold(`${typed.join(' ')} llc`))
  const { indexed, given } = await lookedUp(words!(sql))
  assert.equal(given, having(...typed.slice(0, 2)))
  for (const word of typed.slice(2)) assert.ok(!indexed.includes(`''${fold(word)}''`), indexed)
})

test('a text is looked up by the letters where its two rarest words meet, even if one of these words has three letters', async () => {
  const { holds } = await filterOf(sql, FILERS, 'cross key capital')
  const { indexed, given } = await lookedUp(holds(sql, sql`n.name_key`))
  assert.match(indexed, /%oss key%/)
  assert.ok(given <= having('CROSS', 'KEY'), `${given} names`)
})

test('an unfinished last word is as frequent as all words that begin with it together, so it does not count as rare', async () => {
  const { holds } = await filterOf(sql, FILERS, 'hawk pier capit')
  const { indexed } = await lookedUp(holds(sql, sql`n.name_key`))
  assert.match(indexed, /%awk pie%/)
})

test('a lower bound for the matches of one word is known without reading names; for several words the bound is 0', async () => {
  for (const typed of ['hawk', 'key', 'management', 'mgmt', 'fund', 'hawk llc', 'child', 'xylem', 'hawk pier', '&']) {
    const { least } = await filterOf(sql, FILERS, typed)
    assert.ok(least <= names.filter((name) => isMet(typed, name)).length, typed)
  }
  assert.equal((await filterOf(sql, FILERS, 'hawk')).least, having('HAWK'))
  assert.equal((await filterOf(sql, FILERS, 'mgmt')).least, having('MGMT'))
  assert.equal((await filterOf(sql, FILERS, 'hawk pier')).least, 0)
})

/** 36 words in groups of six that differ only in their last letter. */
const QU = [...'ABCDEF'].flatMap((a) => [...'KLMNOP'].map((b) => `QU${a}${b}`))
const newName = () => `${random.pick(WORDS)} ${random.pick(QU)} ${random.pick(ENDS)}`
const begun = () =>
  fold(
    random.pick([
      'QU',
      random.pick(QU).slice(0, 3),
      random.pick(QU),
      `${random.pick(WORDS)} ${random.pick(QU).slice(0, 3)}`,
      `${random.pick(ENDS)} ${random.pick(QU).slice(0, 3)}`,
    ]),
  )

test('after advisers were renamed, deleted and added, the beginning of a word finds the same names in the list as in a scan of all names', async () => {
  const firms = new Map<string, string>()
  let found = 0
  for (let round = 0; round < 25; round++) {
    const crds = Array.from({ length: 8 }, () => String(1 + random.below(60)))
    for (const crd of crds) {
      if (random.below(3) === 0) firms.delete(crd)
      else firms.set(crd, newName())
    }
    await sql.begin(async (tx) => {
      await tx`set local search_path to adv, public`
      await tx`delete from adviser where crd = any(${crds})`
      await tx`delete from adviser_name where crd = any(${crds})`
      for (const crd of new Set(crds)) {
        const name = firms.get(crd)
        if (name === undefined) continue
        await tx`
          insert into adviser (crd, firm_name, name_key, adviser_type, is_terminated, latest_id, fund_types, fund_values, fund_type_list, sources)
          values (${crd}, ${name}, ${fold(name)}, 'RIA', false, '1', '{}', '{}', '{}', '[]')`
        await tx`insert into adviser_name (crd, kind, name, name_key) values (${crd}, 'business', ${name}, ${fold(name)})`
      }
      await refreshSearch(tx, crds)
    })
    for (let i = 0; i < 6; i++) {
      const typed = begun()
      const { rows, total } = await list(sql, {
        q: typed,
        excludeTerminated: false,
        sort: 'raum',
        order: 'asc',
        limit: 100,
        offset: 0,
      })
      const expected = [...firms].flatMap(([crd, name]) => (isMet(typed, name) ? [crd] : [])).sort()
      assert.deepEqual(
        rows.map(({ crd }) => crd),
        expected,
        typed,
      )
      assert.equal(total, expected.length)
      found += total
    }
  }
  assert.ok(found > 300, `${found} found`)
})

test('after filer names were added, the beginning of a word finds the same names by the filter as by a scan of all names', async () => {
  const known = [...names]
  for (let round = 0; round < 6; round++) {
    const more = Array.from({ length: 6 }, (_, at) => ({
      id: String(known.length + at + 1),
      name: newName(),
      city: null,
      state: null,
      importance: 1,
    }))
    await putFilers(sql, more)
    known.push(...more.map(({ name }) => name))
    for (let i = 0; i < 10; i++) {
      const typed = begun()
      const { words } = await filterOf(sql, FILERS, typed)
      const rows = await sql<{ cik: string }[]>`select n.cik from edgar.filer_search n where ${words!(sql)}`
      const expected = known.flatMap((name, at) => (isMet(typed, name) ? [String(at + 1).padStart(10, '0')] : []))
      assert.deepEqual(rows.map(({ cik }) => cik).sort(), expected, typed)
    }
  }
})
