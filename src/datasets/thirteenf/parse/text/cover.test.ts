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

test("of several covers only the first, the filing's own, is read: boxes on the cover of an included manager do not count", () => {
  const open = COVER.replaceAll('[ X ]', '[   ]')
  const read = parseTextCover(open + COVER, '13F-HR', nothingFound())
  assert.equal(read.amendmentType, null)
})

const read = (text: string, form = '13F-HR') => {
  const found = nothingFound()
  return { found, cover: parseTextCover(text, form, found) }
}

test("a manager's name without its label is not read; the name of the person who signs does not replace it", () => {
  const { cover } = read(`Institutional Investment Manager Filing this Report:
Specimen Capital LLC
Person Signing this Report on Behalf of Reporting Manager:
Name:   Jane Specimen
Title:  Partner`)
  assert.deepEqual([cover.managerName, cover.signer, cover.signerTitle], [null, 'Jane Specimen', 'Partner'])
})

test('headings about who signs are found in the plural and with several blanks between their words', () => {
  const { cover } = read(`Institutional Investment Manager Filing this Report:
Specimen Capital LLC
Persons  Signing this  Report on Behalf of Reporting Manager:
Name:   Jane Specimen
Title:  Partner
Phone:  212-555-0100
Signature,  Place,  and  Date  of  Signing:
/s/ Jane Specimen       Danbury, CT       11/10/2011
Report  Type  (Check  only  one):`)
  assert.deepEqual(
    [cover.managerName, cover.signer, cover.signerTitle, cover.signerPhone, cover.signed],
    [null, 'Jane Specimen', 'Partner', '212-555-0100', '2011-11-10'],
  )
})

test('labels next to each other have a value each', () => {
  const { cover } = read(`Institutional Investment Manager Filing this Report:
Name:  Specimen Capital LLC     Address: 1 Hill Road
Person Signing this Report on Behalf of Reporting Manager:
Name:   Jane Specimen    Title:  Partner, Funds      Phone: 212-555-0100`)
  assert.deepEqual(
    [cover.managerName, cover.signer, cover.signerTitle, cover.signerPhone],
    ['Specimen Capital LLC', 'Jane Specimen', 'Partner, Funds', '212-555-0100'],
  )
  const empty = read('Person Signing this Report on Behalf of Reporting Manager:\nName:   Title:  Partner')
  assert.equal(empty.cover.signer, null)
})

test('boxes stand before their words or after them, on lines of their own or on one line', () => {
  const type = (text: string) => read(text).cover.reportType
  assert.equal(type('13F HOLDINGS REPORT [X]\n13F NOTICE [ ]\n13F COMBINATION REPORT [ ]'), 'holdings')
  assert.equal(type('13F HOLDINGS REPORT. [ ]\n13F NOTICE. [ ]\n13F COMBINATION REPORT. [x]'), 'combination')
  assert.equal(type('[ ] 13F HOLDINGS REPORT\n[X] 13F NOTICE\n[ ] 13F COMBINATION REPORT'), 'notice')
  assert.equal(type('[ ] 13F HOLDINGS REPORT [X] 13F NOTICE [ ] 13F COMBINATION REPORT'), 'notice')
  assert.equal(type('(X) 13F HOLDINGS REPORT\n( ) 13F NOTICE'), 'holdings')
  assert.equal(type('13F HOLDINGS REPORT [ ]\n13F NOTICE [ ]'), null)
  const amendment = (text: string) => read(text, '13F-HR/A').cover.amendmentType
  assert.equal(amendment('is a restatement [X]\nadds new holdings entries [ ]'), 'restatement')
  assert.equal(amendment('is a restatement [ ]  adds new holdings entries [X]'), 'new_holdings')
  assert.equal(amendment('[ ] is a restatement.  [X] adds new holdings entries.'), 'new_holdings')
})

test('the unit of the total may stand before it, and a total with two possible amounts is left out', () => {
  const total = (text: string) => {
    const { cover, found } = read(`Form 13F Information Table Value Total${text}\n`)
    return [cover.declaredValue, cover.declaredStep ?? 1, found.problems.length]
  }
  assert.deepEqual(total(' (x$1000): $234,567'), ['234567', 1, 0])
  assert.deepEqual(total(':\n(thousands)      $234,567'), ['234567', 1, 0])
  assert.deepEqual(total(": $234'567"), ['234567', 1, 0])
  assert.deepEqual(total(': $234.567 million'), ['234567', 1, 0])
  assert.deepEqual(total(': $6.2M'), ['6200', 100, 0])
  assert.deepEqual(total(': $234,567.50'), ['234567', 1, 0])
  for (const unclear of [': $234,567M', ': $234.567.890', ': $234.567']) assert.deepEqual(total(unclear), [null, 1, 1])
})

test('the name of another manager continues in a line that has nothing but the rest of the name', () => {
  const { cover } = read(`Form 13F Cover Page
List of Other Managers Reporting for this Manager:
   Form 13F File Number     Name
   28-1111                  Specimen Red - Northern
                                Harbor Management, Inc.

   Form 13F Summary Page
List of Other Included Managers:
No.  Form 13F File Number  Name
1.   28-2222               Specimen Life Insurance Co.
                           of Nevada
2.   28-3333               Specimen Oak Inc
3.   28-4444               Specimen Elm Inc
     ----                  -------
4.   28-5555               Specimen Ash Inc

                           Confidential positions are left out.
5.   28-6666               Specimen Fir Inc
  and this note begins at the left.
6.   28-7777               Specimen Yew Inc
                           (a)      of the Act`)
  assert.deepEqual(
    cover.managers.map(({ name }) => name),
    [
      'Specimen Red - Northern Harbor Management, Inc.',
      'Specimen Life Insurance Co. of Nevada',
      'Specimen Oak Inc',
      'Specimen Elm Inc',
      'Specimen Ash Inc',
      'Specimen Fir Inc',
      'Specimen Yew Inc',
    ],
  )
})

test('a list of included managers may have only one blank between a file number and a name', () => {
  const { cover } = read(`Form 13F Summary Page
List of Other Included Managers:
No.  Form 13F File Number  Name
1    28-1111    Specimen Red Inc
02   28-2222 Specimen Oak Inc
3    28- 3333`)
  assert.deepEqual(
    cover.managers.map(({ sequence, fileNumber, name }) => [sequence, fileNumber, name]),
    [
      [1, '028-01111', 'Specimen Red Inc'],
      [2, '028-02222', 'Specimen Oak Inc'],
    ],
  )
})
