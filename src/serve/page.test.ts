import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpError } from '../declare/api-errors.ts'
import { chosenIn, cursorAfter, startOf, type Walk } from './keyset.ts'
import { decodeCursor, encodeCursor } from './page.ts'

const refused = (text: string, length: number) =>
  assert.throws(
    () => decodeCursor(text, length),
    (error: unknown) => error instanceof HttpError && error.status === 400 && error.message.startsWith('cursor: '),
    text.slice(0, 40),
  )

test('a cursor decodes to the values from which it was made, including null and any characters', () => {
  for (const values of [['2024-01-31', null, 'formd'], [''], ['Ärger "und" \\ 株式会社', '0'], []]) {
    const text = encodeCursor(values)
    assert.match(text, /^[\w-]+$/)
    assert.deepEqual(decodeCursor(text, values.length), values)
  }
})

test('a cursor with any one character changed, added or missing is refused with 400', () => {
  for (const accession of ['0000000001-24-000001', '0000000001-24-00001', '0000000001-24-0001']) {
    const text = encodeCursor(['2024-01-31', accession])
    for (let i = 0; i < text.length; i++) {
      for (const other of 'AQgw-_9') {
        if (other !== text[i]) refused(text.slice(0, i) + other + text.slice(i + 1), 2)
      }
      refused(text.slice(0, i), 2)
    }
    refused(`${text}AAAA`, 2)
  }
})

test('refuses with 400: garbage, a wrong number of values, another version, values that are not text, and NUL', () => {
  const forged = (...body: unknown[]) => encodeBody(JSON.stringify(body))
  for (const text of [
    '',
    '!',
    'eyJhIjoxfQ',
    '%00',
    'A'.repeat(5000),
    forged(2, 'a'),
    forged(1, 5),
    forged(1, 'a\0'),
    forged(),
  ])
    refused(text, 1)
  assert.deepEqual(decodeCursor(forged(1, 'a'), 1), ['a'])
  refused(encodeCursor(['a', 'b']), 1)
  refused(encodeCursor(['a', 'b']), 3)
})

test('a cursor stays valid if the order of the filters changes, but not if their values change', () => {
  const walk = (filters: object): Walk => ({
    ...{ list: 'a', sort: 'date', dir: 'desc', filters },
    keys: [{ column: 'accession', dir: 'desc', type: 'text' }],
  })
  const cursor = cursorAfter(walk({ state: ['NY'], form: 'D', q: undefined }), ['x'])
  const started = (filters: object) => startOf(walk(filters), { limit: 1, offset: 0, cursor }).after
  assert.deepEqual(started({ form: 'D', state: ['NY'] }), ['x'])
  for (const other of [{ form: 'NY', state: ['D'] }, { form: 'D' }, { form: 'D', state: ['NY'], q: 'x' }])
    assert.throws(() => started(other), /belongs to other filters/)
})

/** Forges a cursor: a correct checksum over any body, as a reader of the source code could make it. */
function encodeBody(body: string): string {
  let crc = 0xffffffff
  for (const byte of Buffer.from(body)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  const sum = ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0')
  return Buffer.from(sum + body).toString('base64url')
}

test('a cursor keeps the filter that the first page chose, and a cursor with more values is refused', () => {
  const walk = (chosen: string | null = null): Walk => ({
    ...{ list: 'a', sort: 'date', dir: 'desc', filters: { quarter: '2023-12-31' } },
    ...{ keys: [{ column: 'accession', dir: 'desc', type: 'text' }], chosen },
  })
  const cursor = cursorAfter(walk('2023-12-31'), ['x'])
  const isQuarter = (text: string) => text.startsWith('2023')
  assert.equal(chosenIn(cursor, isQuarter), '2023-12-31')
  const started = (own: Walk, from: string) => startOf(own, { limit: 1, offset: 0, cursor: from }).after
  assert.deepEqual(started(walk('2023-12-31'), cursor), ['x'])
  // The first page had the parameter, or it was made by an older version.
  const plain = cursorAfter(walk(), ['x'])
  assert.equal(chosenIn(plain, isQuarter), null)
  assert.deepEqual(started(walk('2023-12-31'), plain), ['x'])
  // A later request may state what the first page chose.
  assert.deepEqual(started(walk(), cursor), ['x'])
  const { chosen: _, ...others } = walk()
  assert.throws(() => started(others, cursor), HttpError)
  assert.throws(() => started(walk(), encodeCursor([...decodeCursor(cursor), '2023-12-31'])), HttpError)
  assert.equal(chosenIn(undefined, isQuarter), null)
  assert.throws(() => chosenIn('damaged', isQuarter), HttpError)
})
