/** Texts that nobody writes in good faith: each is read in time that grows with its length, and nothing is made of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scheduleOf } from '../src/datasets/schedule13/text.ts'
import { effortOf } from './effort.ts'

const SIZE = 10_000_000
/** Generous: the slowest of these takes a quarter of it here. */
const EFFORT_MAX = 2_000

const UNITS: Record<string, string> = {
  ...{ blanks: ' ', 'empty lines': '\n', pipes: '|', digits: '7', 'digits and commas': '7,', dashes: '- ', dots: '.' },
  ...{ 'one word': 'name ', brackets: '(', boxes: '[ ]', underlines: '_', escapes: '\\', capitals: 'A', letters: 'x ' },
  ...{ labels: 'NAME OF REPORTING PERSON ', 'halves of labels': 'check the appropriate ', numbers: 'i.r.s. ' },
  ...{ rows: '5 SOLE VOTING POWER 1 ', issuers: '(Name of Issuer) ', events: '(Date of Event which requires ' },
  ...{ rules: 'Check the appropriate box to designate the rule [X] Rule 13d-1(b) ', cusips: 'CUSIP No. 037833100 ' },
  ...{
    amendments: '(Amendment No. 1) ',
    'items of rows': 'Item 5: 0 ',
    tags: '&lt;PAGE>',
    letterheads: 'name of the issuer:',
  },
}
const PAGE = [
  'NAME OF REPORTING PERSON A\n',
  '5 SOLE VOTING POWER ',
  '6 SHARED VOTING POWER ',
  '7 SOLE DISPOSITIVE POWER ',
]

const context = { schedule: '13G', filedDate: '2010-01-01', issuerNames: ['Specimen'], filerNames: ['A'] } as const

for (const [name, unit] of Object.entries(UNITS)) {
  test(`ten million signs of ${name} are read in time, alone and within a page`, async () => {
    const filling = unit.repeat(Math.ceil(SIZE / unit.length))
    const within = PAGE.map((row) => row + filling.slice(0, 250_000)).join('\n')
    const effort = await effortOf(() => {
      for (const text of [filling, `SCHEDULE 13G\n${within}\n12 TYPE OF REPORTING PERSON IA`]) {
        const { persons, facts, leftOut } = scheduleOf(text, context)
        assert.ok(persons <= 500 && facts.length <= 20 * 500 && leftOut.length <= 20 * 501)
      }
    })
    assert.ok(effort < EFFORT_MAX, `${effort} ms`)
  })
}

test('more pages than any filing has are not read, and what stands behind a million signs is none', () => {
  const page = 'NAME OF REPORTING PERSON A\nSOLE VOTING POWER 1\nSHARED VOTING POWER 0\nPERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW 9 5%\nTYPE OF REPORTING PERSON IA\n\n' // biome-ignore format: one line
  assert.equal(scheduleOf(page.repeat(600), context).persons, 500)
  assert.equal(scheduleOf(`${'x\n'.repeat(500_000)}${page}`, context).persons, 0)
})
