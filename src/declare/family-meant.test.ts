import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMeanFamily, familyMeant } from './family-meant.ts'

const FAMILIES = [
  { slug: 'formd', forms: ['D', 'D/A'] },
  { slug: 'thirteenf', forms: ['13F-HR', '13F-NT'] },
  { slug: 'schedule13', forms: ['SC 13D', 'SCHEDULE 13D'] },
  { slug: 'ownership', forms: ['3', '4'] },
  { slug: 'eightk', forms: ['8-K', '8-K/A'] },
  { slug: 'form144', forms: ['144'] },
  { slug: 'nport', forms: ['NPORT-P'] },
  { slug: 'x17a5', forms: ['X-17A-5'] },
]

test('a form, in each spelling that people use, gives its family', () => {
  const meant = (word: string) => familyMeant(word, FAMILIES)?.slug
  for (const [word, slug] of Object.entries({
    ...{ '8-K': 'eightk', '8k': 'eightk', 'Form 8-K': 'eightk', 'form-8K/A': 'eightk', EIGHTK: 'eightk' },
    ...{ form4: 'ownership', 'Form 4': 'ownership', '4': 'ownership', 'form d': 'formd', d: 'formd', '144': 'form144' },
    ...{ '13F': 'thirteenf', '13f-hr': 'thirteenf', '13D': 'schedule13', 'Schedule 13D': 'schedule13' },
    ...{ 'N-PORT': 'nport' },
  }))
    assert.equal(meant(word), slug, word)
  for (const word of ['', ' ', 'form', '13', 'x', 'formx', 'D/B', 'nonsense'])
    assert.equal(meant(word), undefined, word)
})

test('for a form in place of a family, suggests the form’s family if that is a possible word, else the nearest possible word', () => {
  assert.equal(didYouMeanFamily('form4', ['formd', 'ownership'], FAMILIES), '; did you mean ownership?')
  assert.equal(didYouMeanFamily('form4', ['formd'], FAMILIES), '; did you mean formd?')
  assert.equal(didYouMeanFamily('nonsense', ['formd'], FAMILIES), '')
})
