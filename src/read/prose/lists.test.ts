/** Tests lists of persons that continue the sentence before them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinedList, listedEnd } from './lists.ts'

const listed = (head: string, rest: string) => (head + rest).slice(0, listedEnd(head + rest, 0, head.length))

test('a list follows a sentence that ends with a colon and announces events; a list of pay does not count', () => {
  const list = '\n\n- Ada Sample\n- Ben Sample'
  assert.equal(listed('The Board appointed:', `${list}\n\nIt met.`), `The Board appointed:${list}`)
  assert.equal(listed('The Board appointed.', list), 'The Board appointed.')
  assert.equal(listed('The salaries of those appointed:', list), 'The salaries of those appointed:')
  assert.equal(listed('The Board noted:', list), 'The Board noted:')
})

test('a list is read up to its fortieth point at most', () => {
  const end = listed('The Board appointed:', '\n- Ada Sample'.repeat(100))
  assert.equal(end.split('\n').length, 41)
})

test('the points of a list and the cells of a table become parts of one sentence of the same length', () => {
  const points = 'The Board appointed:\n\n- Ada Sample\n- Ben Sample'
  assert.equal(joinedList(points), 'The Board appointed:    Ada Sample;  Ben Sample')
  const rows = 'It elected:\n\n| Name | Age |\n| --- | --- |\n| Ada Sample | 51 |'
  assert.equal(joinedList(rows).length, rows.length)
  assert.match(joinedList(rows), /It elected:\s+Ada Sample\s+,$/)
  assert.equal(joinedList('no list'), 'no list')
})

test('if the words before a list give one office to all of its persons, further words about a person in a point are left out', () => {
  const said = 'It elected as directors:\n- Ada Sample, age 51, who founded Delta;\n- Ben Sample.'
  assert.match(joinedList(said), /^It elected as directors:\s+Ada Sample\s+;;\s+Ben Sample\.$/)
  assert.equal(joinedList(said).length, said.length)
})
