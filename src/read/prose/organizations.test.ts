/** Names of organizations in prose. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { organizationsIn } from './organizations.ts'

const names = (text: string, options = {}) => organizationsIn(text, options).map(({ name }) => name)

test('a name ends with its legal form, and the full stop of the sentence is not part of it', () => {
  assert.deepEqual(names('It bought Alpha Steel, Inc. from Beta Bank, N.A. and Gamma GmbH.'), [
    'Alpha Steel, Inc.',
    'Beta Bank, N.A.',
    'Gamma GmbH',
  ])
  assert.deepEqual(names('with HSBC Securities (USA) Inc., as agent'), ['HSBC Securities (USA) Inc.'])
  assert.deepEqual(names('and Delta Bank AG, Stamford Branch, as lender'), ['Delta Bank AG, Stamford Branch'])
  assert.deepEqual(names('The Sample Insurance Company of America agreed'), ['The Sample Insurance Company of America'])
})

test('known names with commas and "and" are not cut', () => {
  assert.deepEqual(names('by Merrill Lynch, Pierce, Fenner & Smith Incorporated and Goldman, Sachs & Co. LLC'), [
    'Merrill Lynch, Pierce, Fenner & Smith Incorporated',
    'Goldman, Sachs & Co. LLC',
  ])
})

test('a legal form alone is not a name, and capitalized words without a form count only in a list of parties', () => {
  assert.deepEqual(names('The Company and this Limited agreed with Harbor Steel'), [])
  const parties = 'among Harbor Steel, the Department of Labor and Alpha Trust, as Trustee'
  assert.deepEqual(names(parties), [])
  assert.deepEqual(names(parties, { isList: true }), ['Harbor Steel', 'Department of Labor', 'Alpha Trust'])
})

test('a word that begins a sentence is not part of the name after it, and the same word within a name is', () => {
  for (const opener of ['Concurrently', 'Then', 'Neither', 'Subsequently'])
    assert.deepEqual(names(`It met Alpha Steel, Inc. ${opener} Beta Holdings, Inc. agreed.`), [
      'Alpha Steel, Inc.',
      'Beta Holdings, Inc.',
    ])
  // A text may begin within a sentence.
  for (const text of ['Moreover Tools, Inc.', 'with Then Tools, Inc.', 'It met. Before Tools, Inc.'])
    assert.deepEqual(names(text), [text.replace(/^(?:with|It met\.) /, '')])
})

test('the position of a name is its position in the text', () => {
  const text = 'with Alpha Steel, Inc. today'
  const [one] = organizationsIn(text)
  assert.equal(text.slice(one!.start, one!.end), 'Alpha Steel, Inc.')
})
