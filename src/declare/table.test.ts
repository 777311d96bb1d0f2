import assert from 'node:assert/strict'
import { test } from 'node:test'
import formd from '../datasets/formd/index.ts'
import reps from '../datasets/reps/index.ts'
import thirteenf from '../datasets/thirteenf/index.ts'
import { bulkDataset, dataset } from './dataset.ts'
import { accession, integer, storedColumns, table, text } from './table.ts'

const columns = { crd: text('Firm'), feed: text('Feed') }

test('a table is known by the accession, with the day of filing where a filing has one row, or by the record that it declares', () => {
  const one = table('some.one', 'One row a filing', [], columns)
  const many = table('some.many', 'One row a firm', ['crd'], columns)
  const declared = table('some.declared', 'One row a firm and feed', ['feed'], columns, { record: 'crd' })
  const numbered = table('some.numbered', 'One row a line', ['feed'], columns, { record: 'crd', numbered: true })
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

test('a column that the loader adds is not declared, and the column of a record is', () => {
  assert.throws(
    () => table('some.one', 'One row a filing', [], { accession: accession('Filing') }),
    /some\.one\.accession is added by the loader/,
  )
  const record = { record: 'crd', numbered: true } as const
  assert.throws(
    () => table('some.line', 'One row a line', [], { ...columns, n: integer('Number') }, record),
    /some\.line\.n is added by the loader/,
  )
  assert.throws(
    () => table('some.firm', 'One row a firm', [], { feed: text('Feed') }, { record: 'crd' as 'feed' }),
    /some\.firm has no column crd, by which its records are known/,
  )
})

test('filings have tables by accession, bulk files and dictionaries tables by a key of their own', () => {
  const strange = table('formd.strange', 'One row a firm', [], columns, { record: 'crd' })
  assert.throws(
    () => dataset({ ...formd, tables: { ...formd.tables, strange } }),
    /slice formd: formd\.strange is known by crd, and its records are filings/,
  )
  const person = table('reps.person', 'One row a filing', [], columns)
  assert.throws(
    () => bulkDataset({ ...reps, tables: { ...reps.tables, person } }),
    /slice reps: reps\.person does not say by which column its records are known/,
  )
  const security = table('thirteenf.security', 'One row a filing', [], columns)
  assert.throws(
    () => dataset({ ...thirteenf, dictionaries: { security } }),
    /slice thirteenf: thirteenf\.security is a dictionary and has no key of its own/,
  )
})
