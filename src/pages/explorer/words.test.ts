import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choiceWords, codeOfWords, forReaders } from './words.ts'

test('a code that consists of words is shown as words, and the name of a member as the label of the member', () => {
  assert.equal(codeOfWords('company_tickers'), 'Company tickers')
  assert.equal(codeOfWords('filed_date'), 'Filed')
  for (const text of ['Sale', 'sale', 'a_b.xml', 'Schedule_D', '_x', 'two words_here'])
    assert.equal(codeOfWords(text), null)
})

test('a description uses the words of the page for members, codes and series', () => {
  const given =
    'Null if `source` is `set`; `amended_by` and is_terminated say more (`sections.read_from`), see `/v1/a_b?x_y=1`'
  assert.equal(
    forReaders(given),
    'Null if “Source” is “Set”; “Replaced by” and “Terminated” say more (“Read from”), see /v1/a_b?x_y=1',
  )
  assert.equal(
    forReaders('`true` for `q`, by IA_FIRM_SEC, from primary_doc.xml'),
    'true for q, by “Feed of the SEC”, from primary_doc.xml',
  )
  assert.equal(forReaders('By member: {"a_b": "c_d"}; null has none'), 'By member; null has none')
  assert.equal(forReaders('Item, then text: {"5F": {"Q5F2C": "1"}}, as filed'), 'Item, then text, as filed')
  assert.equal(
    forReaders('see `raum`', (name) => name.toUpperCase()),
    'see “RAUM”',
  )
})

test('a chosen value is shown in words, followed by the code of a form', () => {
  assert.equal(choiceWords('adviser_type', 'IA', null), 'Registered adviser (IA)')
  assert.equal(choiceWords('sort', 'net_bought', null), 'net bought')
  assert.equal(choiceWords('sort', 'desc', null), 'Descending')
  assert.equal(choiceWords('state', 'NY', null), 'NY')
})
