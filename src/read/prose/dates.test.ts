/** Days in words and in figures, as reports, statements and covers write them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANY_DAY, DAY, dayInFigures, dayOf, monthsFirst } from './dates.ts'

test('reads a day in words, whether the month or the day comes first', () => {
  const days: [string, string | null][] = [
    ['May 14, 2001', '2001-05-14'],
    ['Sept. 2nd, 2005', '2005-09-02'],
    ['DECEMBER 31, 2002', '2002-12-31'],
    ['December  31,2002.', '2002-12-31'],
    ['14 May 2001', '2001-05-14'],
    ['the 14th day of May, 2024', '2024-05-14'],
    ['the 14th of May 2024', '2024-05-14'],
    ['14 of May 2024', null],
    ['2d May 2001', null],
    ['June 31, 2010', null],
    ['31 June 2010', null],
    ['14 Mayor 2010', null],
    ['Mayor 1, 2010', null],
    ['May 2010', null],
    ['on May 14, 2001', null],
    ['2010', null],
    ['', null],
  ]
  assert.deepEqual(
    days.map(([words]) => [words, dayOf(words)]),
    days,
  )
  assert.equal(dayOf(undefined), null)
})

test('reads a day in figures; a year of two digits is not after the filing', () => {
  const days: [string, string | null][] = [
    ['3/10/16', '2016-03-10'],
    ['12/18/2020', '2020-12-18'],
    ['12-18-2020', '2020-12-18'],
    ['1/5/97', '1997-01-05'],
    ['2001-05-14', '2001-05-14'],
    ['2010-06-31', null],
    ['18/12/2020', null],
    ['May 14, 2001', null],
  ]
  assert.deepEqual(
    days.map(([text]) => [text, dayInFigures(text, '2016-03-20')]),
    days,
  )
})

test('each day that a pattern matches is read, and names that resemble months are not matched', () => {
  const found = (pattern: string, flags: string, text: string) =>
    Array.from(text.matchAll(new RegExp(pattern, flags)), ([, day]) => [day, dayOf(day)])
  const text = 'On May 2, 2005 Mar 3, 2005 and Dec. 4th, 2006 Jan Sample met; June 31, 2010; the 14th day\nof May, 2024'
  assert.deepEqual(found(DAY, 'g', text), [
    ['May 2, 2005', '2005-05-02'],
    ['Dec. 4th, 2006', '2006-12-04'],
    ['June 31, 2010', null],
  ])
  assert.deepEqual(found(ANY_DAY, 'gi', text), [
    ['May 2, 2005', '2005-05-02'],
    ['Mar 3, 2005', '2005-03-03'],
    ['Dec. 4th, 2006', '2006-12-04'],
    ['June 31, 2010', null],
    ['the 14th day\nof May, 2024', '2024-05-14'],
  ])
})

test('days of a sentence are rewritten with the month first, without the weekday', () => {
  assert.equal(
    monthsFirst('On Monday, 3 June 2019, by 06/07/2019, on the 3rd day of June, 2019 and on 13/01/2019'),
    'On Monday, June 3, 2019, by June 7, 2019, on June 3, 2019 and on 13/01/2019',
  )
  assert.equal(monthsFirst('On Tuesday, June 4, 2019'), 'On June 4, 2019')
})
