/** Names of persons in prose. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentionsOf } from './people.ts'

const names = (text: string) => mentionsOf(text).found.map(({ name }) => name)

test('a name needs evidence: an honorific, a given name, an office, an age, or an act of an officer', () => {
  assert.deepEqual(names('Mr. Quill Vane spoke.'), ['Quill Vane'])
  assert.deepEqual(names('Robert Vane spoke.'), ['Robert Vane'])
  assert.deepEqual(names('Quill Vane, age 51, spoke.'), ['Quill Vane'])
  assert.deepEqual(names('Chief Financial Officer Quill Vane spoke.'), ['Quill Vane'])
  assert.deepEqual(names('Quill Vane tendered his resignation.'), ['Quill Vane'])
  assert.deepEqual(mentionsOf('Quill Harbor spoke.'), { found: [], leftOut: ['Quill Harbor'] })
})

test('an abbreviated given name is evidence, and a name that ends with "St." is incomplete', () => {
  assert.deepEqual(names('Robt. Vane spoke.'), ['Robt. Vane'])
  assert.deepEqual(names('Mr. Robert St. spoke.'), [])
})

test('firms, bodies and places are not persons, even if they are named like a person', () => {
  assert.deepEqual(names('Charles Schwab & Co. met Harbor Steel Corporation and the Audit Committee in New York.'), [])
})

test('a surname after an honorific is read as the full name, and a longer name replaces a shorter one', () => {
  assert.deepEqual(names('Robert Vane resigned. Mr. Vane spoke.'), ['Robert Vane', 'Robert Vane'])
  assert.deepEqual(names('Robert Vane met. Robert Q. Vane resigned.'), ['Robert Q. Vane', 'Robert Q. Vane'])
})

test('particles, suffixes, nicknames and abbreviations within a surname belong to a name', () => {
  assert.deepEqual(names('Mr. Robert van der Vane, Jr. spoke.'), ['Robert van der Vane Jr.'])
  assert.deepEqual(names('Ms. Jane St. Claire spoke.'), ['Jane St. Claire'])
})

test('a word that begins a sentence is not part of the name after it, and the same word within a name is', () => {
  for (const opener of ['Concurrently', 'Subsequently', 'Then', 'Neither', 'Meanwhile'])
    assert.deepEqual(names(`It met. ${opener} Robert Vane was appointed.`), ['Robert Vane'], opener)
  assert.deepEqual(names('It met Mr. Then Wai Vane and Robert Later.'), ['Then Wai Vane', 'Robert Later'])
  assert.deepEqual(names('It met. Connolly Vane, age 51, spoke.'), ['Connolly Vane'])
})

test('a trace gets each run of words with the evidence for a person, or with null if there is none', () => {
  const told: unknown[] = []
  mentionsOf('Robert Vane met Quill Harbor.', { person: (...one) => told.push(one) })
  assert.deepEqual(told, [
    ['Robert Vane', 'given name'],
    ['Quill Harbor', null],
  ])
})
