import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asked } from './asked.ts'

const queryOf = (q: string) => asked(q)?.tsquery ?? null

test('words are all wanted, in quotes they follow each other, "or" takes one of its neighbours, and - takes away', () => {
  assert.equal(queryOf('fees'), "(('fee'))")
  assert.equal(queryOf('Performance FEES'), "(('performance')) & (('fee'))")
  assert.equal(queryOf('"soft dollars" custody'), "(('soft' <-> 'dollar')) & (('custody'))")
  assert.equal(queryOf('wrap or bundled fee'), "(('wrap') | ('bundled')) & (('fee'))")
  assert.equal(queryOf('fee -hourly'), "(('fee')) & (!(('hourly')))")
  assert.equal(queryOf('10-K advis*'), "(('10' <-> 'k')) & (('advis':*))")
})

test('what has no word to look for is nothing: signs, or only what is not wanted', () => {
  for (const q of ['&&', '-fee', '"" or', '--', '***', '( | !', '- -']) assert.equal(queryOf(q), null, q)
})

test('unbalanced signs and operators at the ends are passed over', () => {
  assert.equal(queryOf('or fee or'), "(('fee'))")
  assert.equal(queryOf('"wrap fee'), "(('wrap' <-> 'fee'))")
  assert.equal(queryOf("fee' | !custody:* & <->"), "(('fee')) & (('custody':*))")
})
