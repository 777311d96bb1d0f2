import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arranged } from './columns.ts'
import { membersOf } from './shape.ts'
import { wordsFor } from './words.ts'

const arrange = (rows: readonly Record<string, unknown>[]) => {
  const found = arranged(membersOf(null, Object.assign({}, ...rows)), rows, ({ name }) => name === 'accession')
  const names = (members: readonly { name: string }[]) => members.map(({ name }) => name)
  return { shown: names(found.shown), folded: names(found.folded), common: names(found.common) }
}

test('a value that all rows share is stated once, unless the table has only two rows or the value is the filing', () => {
  const row = (n: number) => ({ accession: 'A', form: '4', n, is_late: false, owners: [{ name: 'x' }] })
  assert.deepEqual(arrange([row(1), row(2), row(3)]), {
    shown: ['accession', 'n', 'owners'],
    folded: [],
    common: ['form', 'is_late'],
  })
  assert.deepEqual(arrange([row(1), row(2)]).common, [])
})

test('a wide table keeps days, figures and the filing, and folds flags and notes; no column is lost', () => {
  const row = (n: number) => ({
    is_late: n > 1,
    source: n > 1 ? 'xml' : 'text',
    code: n > 1 ? 'S' : 'P',
    ...Object.fromEntries(Array.from({ length: 8 }, (_, k) => [`value${k}`, n + k])),
    filed_date: `2026-01-0${n}`,
    notes: [{ id: n }],
    accession: String(n),
  })
  const { shown, folded, common } = arrange([row(1), row(2), row(3)])
  assert.ok(shown.includes('filed_date') && shown.includes('accession'), shown.join())
  assert.deepEqual(
    folded.filter((name) => ['is_late', 'source', 'code', 'notes'].includes(name)),
    ['is_late', 'source', 'code', 'notes'],
  )
  assert.deepEqual([...shown, ...folded, ...common].sort(), Object.keys(row(1)).sort())
})

test('a column that is filled in few of many rows is folded, unless it is a figure or names the row', () => {
  const rows = Array.from({ length: 12 }, (_, n) => ({
    accession: n === 0 ? 'A' : null,
    n,
    note: n === 5 ? 'x' : null,
  }))
  assert.deepEqual(arrange(rows), { shown: ['accession', 'n'], folded: ['note'], common: [] })
  assert.deepEqual(arrange(rows.slice(0, 7)).folded, [])
})

test('labels are words without the verb of a flag, and the label of a count is a plural', () => {
  for (const [name, words] of [
    ['is_director', 'Director'],
    ['has_website', 'Website'],
    ['holder_count', 'Holders'],
    ['company_count', 'Companies'],
    ['min_value', 'Value at least'],
    ['form_type', 'Form'],
    ['cusip', 'CUSIP'],
  ] as const)
    assert.equal(wordsFor(name), words)
})

test('offsets within a text are folded even in a narrow table, but not dates of the same name', () => {
  const place = { title: 'CEO', offset: 3, length: 9, start: '2026-01-01' }
  assert.deepEqual(arrange([place, { ...place, title: 'CFO' }]), {
    shown: ['title', 'start'],
    folded: ['offset', 'length'],
    common: [],
  })
})
