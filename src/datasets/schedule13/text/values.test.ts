/** Tests values of real covers, and ambiguous values. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeCode } from '../places.ts'
import { areSame } from './name.ts'
import { amountOf, boxOf, codesOf, groupOf, isChecked, percentOf, TYPES } from './values.ts'

const textOf = (found: string | { value: string }) => (typeof found === 'string' ? found : found.value)

test('reads an amount if its row has exactly one figure, whatever words of the next column surround it', () => {
  const amounts: [string, string][] = [
    ['  26,940,499*', '26940499'],
    ['\n    SHARES            4,740\n', '4740'],
    [' NUMBER OF SHARES NONE BENEFICIALL Y OWNED BY ', '0'],
    [' -0-', '0'],
    [' - - 0 -', '0'],
    ['BENEFICIALLY    19,605,379 (1)(2) OWNED BY', '19605379'],
    [' 31,797.30', '31797.30'],
    [' 5’288’262.00 shares', '5288262'],
    ['1,264,756 shares, which includes 22,264 shares that warrants give', '1264756'],
    ['1,000,000 (includes 500,000 options)', '1000000'],
    ['657,000 shares', '657000'],
    ['   ', 'blank'],
    ['---', 'blank'],
    ['1,353,4681', 'uncertain'],
    ['1.234.567', 'uncertain'],
    ['See Item 5', 'uncertain'],
    ['N/A', 'uncertain'],
    ['100   200', 'uncertain'],
    ['361,710 (See Note 1) Persons who are officers vote 76,705 others', '361710'],
    ['1,000,000 Class A 500,000 Class B', 'uncertain'],
    ['1,000,000 shares of Class A (as converted) and 500,000 shares of Class B', 'uncertain'],
    ['5.5%', 'uncertain'],
    ['1,000 or 2,000', 'uncertain'],
    ['007', 'uncertain'],
    ['1.5 million', 'uncertain'],
    ['2,500 thousand shares', 'uncertain'],
    ['2.5M', 'uncertain'],
    ['2,500 member shares', '2500'],
    ['410,000 direct; 900 through a trust', 'uncertain'],
    ['500,000 (direct) and 300 indirectly', 'uncertain'],
    ['1,000,000 plus 500 warrants', 'uncertain'],
    ['1,000,000 shares of common stock and warrants', '1000000'],
    ['1,000,000 shares; 5.5% of the class', '1000000'],
    ['750,000 (consisting of 749,000 shares and 1,000 units)', '750000'],
  ]
  for (const [row, value] of amounts) assert.equal(textOf(amountOf(row)), value, row)
})

test('reads a percentage if its row has exactly one, and never a bound such as "less than 1%"', () => {
  const percentages: [string, string][] = [
    [' 34.6%*', '34.6'],
    ['9.78', '9.78'],
    ['.75%', '0.75'],
    ['(see Item 5) 15.6%', '15.6'],
    ['5.4% based on 9,033,585 shares outstanding on December 31, 1996', '5.4'],
    ['7.04% Refer to Item 4 below.', '7.04'],
    ['6.03 percent', '6.03'],
    ['See Item 4; 6.7%', '6.7'],
    ['See Item 5(a) 6.7%', '6.7'],
    ['6,7%', 'uncertain'],
    ['5.4 per cent of the class', '5.4'],
    ['less than 5 percent', 'uncertain'],
    ['None', '0'],
    ['', 'blank'],
    ['Less than 1%', 'uncertain'],
    ['&lt;5%', 'uncertain'],
    ['5.4% of Class A, 7.1% of Class B', 'uncertain'],
    ['101%', 'uncertain'],
    ['5.4 7.1', 'uncertain'],
  ]
  for (const [row, value] of percentages) assert.equal(textOf(percentOf(row)), value, row)
})

test('reads boxes of all eras as checked or not, and the boxes of a group before or after their letters', () => {
  for (const box of ['/X/', '[X]', '( X )', '[ x]', '☒', '☑', 'x', '✓']) assert.equal(isChecked(box), true, box)
  for (const box of ['/ /', '[ ]', '( )', '☐', 'o', '', '[ ] .']) assert.equal(isChecked(box), false, box)
  assert.equal(isChecked('Yes'), null)
  const groups: [string, string][] = [
    ['(a) [ ] (b) [X]', 'b'],
    ['(a) / X / (b) / /', 'a'],
    ['☐ (a) ☒ (b)', 'b'],
    ['(a): ☐ (b): ☒', 'b'],
    ['A. B. X', 'b'],
    ['(a) [ ] (b) [ X ] The persons that file hold 5,888,900 shares', 'b'],
    ['(a) [ ] Not applicable (b) [ ]', 'blank'],
    ['(a) [X] (b) [X]', 'uncertain'],
    ['a Member of a Group (b) [ ]', 'uncertain'],
  ]
  for (const [row, value] of groups) assert.equal(textOf(groupOf(row)), value, row)
  assert.deepEqual(
    ['[ ] N/A', '[X]', 'N/A', 'Yes No X'].map((row) => textOf(boxOf(row))),
    ['false', 'true', 'blank', 'uncertain'],
  )
})

test('reads codes of the form, whatever separates them', () => {
  const codes = (row: string) => {
    const found = codesOf(row, TYPES)
    return typeof found === 'string' ? found : found.values
  }
  assert.deepEqual(codes('BD-PN-IA'), ['BD', 'PN', 'IA'])
  assert.deepEqual(codes(' IA, OO (limited liability company)'), ['IA', 'OO'])
  assert.deepEqual(codes('HC; CO'), ['HC', 'CO'])
  assert.deepEqual(
    [codes('00'), codes('INdividual'), codes('CO of Delaware'), codes('  ')],
    ['uncertain', 'uncertain', 'uncertain', 'blank'],
  )
})

test('a text has a code only if it is the name of one state or country', () => {
  const places: [string, string | null][] = [
    ['Delaware', 'DE'],
    ['State of Delaware, U.S.A.', 'DE'],
    ['a Delaware limited partnership', 'DE'],
    ['United States of America', 'X1'],
    ['U.S.', 'X1'],
    ['Cayman Islands', 'E9'],
    ['England and Wales', 'X0'],
    ['Ontario, Canada', 'A6'],
    ['England & Wales', 'X0'],
    ['Cayman Islands, B.W.I.', 'E9'],
    ['Bermuda, British West Indies', 'D0'],
    ['Delaware limited liability partnership', 'DE'],
    ['a Massachusetts business trust', 'MA'],
    ['Canadian', 'Z4'],
    ['Swiss citizen', 'V8'],
    ['British West Indies', null],
    ['Asian', null],
    ['Georgia', null],
    ['U.S. Permanent Resident', null],
    ['Delaware and Nevada', null],
  ]
  for (const [name, code] of places) assert.equal(placeCode(name), code, name)
})

test('two names are the same if their words are, in any order and with any legal form', () => {
  assert.ok(areSame('GOULD FREDRIC H', 'Fredric H. Gould'))
  assert.ok(areSame('BlackRock Inc.', 'BlackRock, Inc.'))
  assert.ok(!areSame('Citadel LLC', 'Citadel Advisors LLC'))
})
