import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPlainId, withoutKeys } from './secrets.ts'

const SECRET = 'Zk3vQ9mT7xWcLr2HsUyBnD4fGaJe'
const KEY = `of_8fGh2KmP_${SECRET}`

test('logs a text that is not a key unchanged', () => {
  for (const url of [
    '/v1/filing/0000320193-24-000123',
    '/v1/formd/filings/by-accession/000032019324000123?format=json',
    '/v1/filings?q=International%20Business%20Machines+Corp&from=2024-01-01&sort=name',
    '/v1/filings?filters=%7B%22and%22%3A%5B%7B%22field%22%3A%22form_type%22%2C%22op%22%3A%22eq%22%7D%5D%7D',
    '/v1/adv/advisers/by-crd/105958?include=service_providers,filings',
    '/v1/feed?q=%zz%&x=\\u00',
  ]) {
    assert.equal(withoutKeys(url), url)
  }
})

test('a key loses its secret and keeps its id', () => {
  assert.equal(withoutKeys(`/v1/things?key=${KEY}&limit=2`), '/v1/things?key=of_8fGh2KmP_[redacted]&limit=2')
  assert.equal(withoutKeys(`/${KEY.replaceAll('_', '%5F')}/x`), '/of_8fGh2KmP_[redacted]/x')
  assert.equal(
    withoutKeys(`no key ${KEY}: what (${KEY})`),
    'no key of_8fGh2KmP_[redacted]: what (of_8fGh2KmP_[redacted])',
  )
})

test('nested encodings are decoded, and text with too many layers is redacted', () => {
  let text = Array.from(SECRET, (c) => `%${c.charCodeAt(0).toString(16)}`).join('')
  for (let round = 1; round < 40; round++) {
    assert.equal(withoutKeys(`/x?q=${text}`), '/x?q=[redacted]', `round ${round}`)
    text = text.replaceAll('%', '%25')
  }
})

test('a key with some encoded letters is redacted even if the whole key is encoded again as UTF-16', () => {
  const some = Array.from(KEY, (c, at) => (at % 3 === 0 ? `%${c.charCodeAt(0).toString(16)}` : c)).join('')
  const again = Array.from(some, (c) => `%00%${c.charCodeAt(0).toString(16)}`).join('')
  assert.equal(withoutKeys(`/x?q=${again}`), '/x?q=of_8fGh2KmP_[redacted]')
})

test('usual request ids are accepted, but no id that could be a key', () => {
  for (const id of [
    'trace.42_a-b',
    '4bf92f3577b34da6a3ce929d0e0e4736',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'e4642581-f549-4803-b6a0-ea76962759d0',
    '1-5759e988-bd862e3fe1be46a994272793',
  ]) {
    assert.equal(isPlainId(id), true, id)
  }
  for (const id of [
    KEY,
    SECRET,
    SECRET.toUpperCase(),
    SECRET.slice(0, 20),
    Buffer.from(SECRET).toString('hex'),
    'a b',
    '',
  ]) {
    assert.equal(isPlainId(id), false, id)
  }
})
