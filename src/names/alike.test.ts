import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areAlike } from './alike.ts'

const ALIKE = [
  ['APPLE INC', 'Apple Inc.'],
  ['JPMORGAN CHASE & CO', 'JPMorgan Chase & Co.'],
  ['DISNEY WALT CO', 'Walt Disney Co'],
  ['INTERNATIONAL BUSINESS MACHS', 'INTERNATIONAL BUSINESS MACHINES CORP'],
  ['ALPHABET INC CAP STK CL A', 'Alphabet Inc.'],
  ['BERKSHIRE HATHAWAY INC DEL', 'BERKSHIRE HATHAWAY INC'],
  ['AT&T INC', 'AT&T INC.'],
  ['3M CO', '3M CO'],
  ['Landsea Homes Corporation', 'Landsea Homes Corp'],
  ['black rock inc', 'BlackRock, Inc.'],
] as const

const APART = [
  ['Stripe Inc', 'Square Inc'],
  ['Ciena Corporation', 'Cienega Partners'],
  ['General Motors', 'General Electric'],
  ['First Bank', 'First Solar'],
  ['A B', 'A C'],
  ['', 'Apple Inc'],
  ['&', '&'],
] as const

test('names of one company are alike in another order, shortened, with a class after them, or written as one word', () => {
  for (const [one, other] of ALIKE) {
    assert.equal(areAlike(one, other), true, `${one} and ${other}`)
    assert.equal(areAlike(other, one), true, `${other} and ${one}`)
  }
})

test('names that share only one word, only a beginning, or nothing are not alike', () => {
  for (const [one, other] of APART) assert.equal(areAlike(one, other), false, `${one} and ${other}`)
})
