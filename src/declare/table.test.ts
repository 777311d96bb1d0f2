import assert from 'node:assert/strict'
import { test } from 'node:test'
import formd from '../datasets/formd/index.ts'
import reps from '../datasets/reps/index.ts'
import thirteenf from '../datasets/thirteenf/index.ts'
import { bulkDataset, dataset } from './dataset.ts'
import { accession, integer, storedColumns, table, text } from './table.ts'

const columns = { crd: text('Firm'), feed: text('Feed') }

test('a table without a declared record column has the accession, and has the filing date too if each filing has one row', () => {
  const one = table('some.one', 'One row per filing', [], columns)
  const many = table('some.many', 'One row per firm', ['crd'], columns)
  const declared = table('some.declared', 'One row per firm and feed', ['feed'], columns, { record: 'crd' })
  const numbered = table('some.numbered', 'One row per line', ['feed'], columns, { record: 'crd', numbered: true })
  assert.deepEqual(
    [one, many, declared, numbered].map((t) => [t.record, t.primaryKey, Object.keys(storedColumns(t))]),
    [
      ['accession', ['accession'], ['accession', 'filed_date', 'crd', 'feed']],
      ['accession', ['accession', 'crd'], ['accession', 'crd', 'feed']],
      ['crd', ['crd', 'feed'], ['crd', 'feed']],
      ['crd', ['crd', 'feed', 'n'], ['crd', 'feed', 'n']],
    ],
  )
  for (const t of [one, many, declared, numbered]) assert.deepEqual(Object.keys(t.parsed.shape), ['crd', 'feed'])
})

test('refuses a declared column that the loader adds, and a record column that is not declared', () => {
  assert.throws(
    () => table('some.one', 'One row per filing', [], { accession: accession('Filing') }),
    /some\.one\.accession is added by the loader/,
  )
  const record = { record: 'crd', numbered: true } as const
  assert.throws(
    () => table('some.line', 'One row per line', [], { ...columns, n: integer('Number') }, record),
    /some\.line\.n is added by the loader/,
  )
  assert.throws(
    () => table('some.firm', 'One row per firm', [], { feed: text('Feed') }, { record: 'crd' as 'feed' }),
    /some\.firm lacks the column crd, which identifies its records/,
  )
})

test('tables of filings have the accession as record; tables of bulk files and dictionaries have their own key', () => {
  const strange = table('formd.strange', 'One row per firm', [], columns, { record: 'crd' })
  assert.throws(
    () => dataset({ ...formd, tables: { ...formd.tables, strange } }),
    /slice formd: formd\.strange has the record column crd, but its records are filings/,
  )
  const person = table('reps.person', 'One row per filing', [], columns)
  assert.throws(
    () => bulkDataset({ ...reps, tables: { ...reps.tables, person } }),
    /slice reps: reps\.person does not declare the column that identifies its records/,
  )
  const security = table('thirteenf.security', 'One row per filing', [], columns)
  const named = table(
    'thirteenf.security',
    'One row per firm and name',
    ['name'],
    { ...columns, name: text('Name') },
    { record: 'crd' },
  )
  for (const dictionary of [security, named])
    assert.throws(
      () => dataset({ ...thirteenf, dictionaries: { security: dictionary } }),
      /slice thirteenf: thirteenf\.security is a dictionary, so one column of its own must be its key/,
    )
})
