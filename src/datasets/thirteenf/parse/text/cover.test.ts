/** Covers in text, as filers wrote them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nothingFound } from '../values.ts'
import { parseTextCover } from './cover.ts'

const COVER = `
THIS FILING LISTS SECURITIES HOLDINGS REPORTED ON THE FORM 13F FILED ON FEBRUARY
14, 2003 PURSUANT TO A REQUEST FOR CONFIDENTIAL TREATMENT AND FOR WHICH
CONFIDENTIAL TREATMENT IS NO LONGER WARRANTED.
                              Form 13F COVER PAGE
Report for the Calendar Year or Quarter Ended: December 31, 2002
Check here if Amendment [ X ]; Amendment Number:               3
  This Amendment (Check only one.):           [   ]  is a restatement.
                                              [ X ]  adds new holdings entries.
`

test('an amendment in text says what was confidential, since when and why', () => {
  const found = nothingFound()
  const read = parseTextCover(COVER, '13F-HR/A', found)
  assert.deepEqual(
    [read.period, read.amendmentNo, read.amendmentType, read.confidentialEnded, read.dateReported, read.reasonEnded],
    ['2002-12-31', 3, 'new_holdings', true, '2003-02-14', 'CONFIDENTIAL TREATMENT IS NO LONGER WARRANTED'],
  )
  assert.deepEqual(found.problems, [])
})

test('an amendment with both boxes checked, or none, has no type, and a problem', () => {
  for (const boxes of [
    ['[   ]', '[ X ]'],
    ['[ X ]', '[   ]'],
  ] as const) {
    const found = nothingFound()
    const text = COVER.replaceAll(boxes[0], boxes[1])
    assert.equal(parseTextCover(text, '13F-HR/A', found).amendmentType, null)
    assert.equal(found.problems.length, 1)
  }
})

test('a day that does not exist is null', () => {
  const text = COVER.replace('December 31, 2002', 'February 30, 2002')
  assert.equal(parseTextCover(text, '13F-HR/A', nothingFound()).period, null)
})

test("reads the filing's own cover first of several: boxes of a manager included in it say nothing", () => {
  const open = COVER.replaceAll('[ X ]', '[   ]')
  const read = parseTextCover(open + COVER, '13F-HR', nothingFound())
  assert.equal(read.amendmentType, null)
})
