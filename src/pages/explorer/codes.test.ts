import assert from 'node:assert/strict'
import { test } from 'node:test'
import { owner as portalOwner } from '../../datasets/cfportal/tables.ts'
import { item as currentItem, filing as currentReport } from '../../datasets/eightk/tables.ts'
import { security as insiderLine } from '../../datasets/ownership/tables.ts'
import { meaningOf } from '../../declare/table.ts'
import registry from '../../registry.ts'
import { accountAssets, codeWords, formItem, seriesWords, sourceWords } from './codes.ts'
import { wordsFor } from './words.ts'

test('the words for a code depend on the member that has the code, and an unknown code has no words', () => {
  assert.equal(codeWords('kind', 'SH', null), 'Shares')
  assert.equal(codeWords('discretion', 'DFND', null), 'Shared-defined')
  assert.equal(codeWords('kind', 'officer', null), null)
  assert.equal(codeWords('state', 'FL', null), null)
  // Every JavaScript object has members with these names.
  for (const name of ['constructor', 'toString']) {
    assert.equal(codeWords(name, 'x', null), null)
    assert.equal(codeWords('kind', name, null), null)
  }
})

test('the code of a trade is shown in words only if the description of its member says that it is a transaction code', () => {
  assert.equal(codeWords('code', 'P', 'Transaction code: P purchase, S sale'), 'Purchase')
  assert.equal(codeWords('code', 'P', 'Stable code of an error'), null)
  assert.equal(codeWords('code', 'P', null), null)
})

test('the code of an item or of an ownership is shown in words only if the description of its member names the form', () => {
  const items = String(meaningOf(currentReport.columns.items))
  assert.equal(codeWords('items', '2.02', items), 'Results')
  assert.equal(codeWords('item', '5.02', String(meaningOf(currentItem.columns.item))), 'Directors and officers')
  // The header of a filing of any form has these members. Items of Forms SD and ABS-15G have the same numbers as items
  // of Form 8-K.
  for (const code of ['1.01', '2.02']) assert.equal(codeWords('items', code, 'Item codes'), null)
  assert.equal(codeWords('item', '5.02', null), null)
  assert.equal(codeWords('ownership', 'D', String(meaningOf(insiderLine.columns.ownership))), 'Held directly')
  const portal = String(meaningOf(portalOwner.columns.ownership))
  assert.equal(codeWords('ownership', 'D', portal), '50 to 75 %')
  assert.equal(codeWords('ownership', 'G', portal), 'other')
  assert.equal(codeWords('ownership', 'F', portal), null)
  assert.equal(codeWords('ownership', 'D', null), null)
})

test('the label of a count is in the plural only if its last word has a plural', () => {
  for (const [name, label] of Object.entries({
    left_out_count: 'Left out',
    non_accredited_count: 'Non-accredited',
    not_compared_count: 'Not compared',
    new_series_count: 'New series',
    sold_count: 'Sold',
    company_count: 'Companies',
    class_count: 'Classes',
    holding_count: 'Holdings',
  }))
    assert.equal(wordsFor(name), label)
})

test('columns of the data files of Form ADV are named as items of the form', () => {
  for (const [column, item] of [
    ['5F2c', 'Item 5.F(2)(c)'],
    ['11H1a', 'Item 11.H(1)(a)'],
    ['7B', 'Item 7.B'],
    ['5D1n', 'Item 5.D(1)(n)'],
  ] as const) {
    assert.equal(formItem(column), item)
    assert.equal(wordsFor(column), item)
  }
  for (const name of ['2024', '11', 'FilingID', 'n', '5K(1)(a)(i)MID']) assert.equal(formItem(name), null, name)
})

test('columns of Section 5.K.(1) name the kind of asset and the time of the year', () => {
  assert.deepEqual(accountAssets('5K(1)(a)(i)MID'), { assets: 'Exchange-traded shares', isMidYear: true })
  assert.deepEqual(accountAssets('5K(1)(a)vi)EOY'), {
    assets: 'Investment-grade bonds of companies',
    isMidYear: false,
  })
  assert.equal(accountAssets('5K(1)(b)(iiii)'), null)
  assert.equal(wordsFor('5K(1)(b)(xi)'), 'Cash, end of the year, %')
})

test('each series of bulk files has words, even if a key or a day follows its name', () => {
  const series = registry.bulk.flatMap(({ source }) => Object.keys(source.series))
  assert.ok(series.length > 4)
  for (const name of series) assert.notEqual(seriesWords(name), null, name)
  assert.equal(seriesWords('IA_FIRM_SEC/361'), 'Feed of the SEC 361')
  assert.equal(seriesWords('IA_FIRM_STATE 2026-07-23'), 'Feed of the states 2026-07-23')
  for (const other of ['IA_FIRM', 'constructor', 'IA_FIRM_SEC2', 'filing 2107670'])
    assert.equal(seriesWords(other), null)
})

test('each source of the log has words, and an unknown source is shown unchanged', () => {
  const families = new Map(registry.families.map(({ slug, label }) => [slug, label]))
  const familyOf = (slug: string) => families.get(slug) ?? null
  const sources = ['filings', ...registry.datasets.map(({ slug }) => slug), ...registry.bulk.map(({ slug }) => slug)]
  for (const source of sources) assert.notEqual(sourceWords(source, familyOf), source)
  assert.equal(sourceWords('constructor', familyOf), 'constructor')
  assert.equal(codeWords('source', 'both', null), 'Header and text')
})
