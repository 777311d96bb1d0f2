import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOneLine, visible, visibleJson } from '../declare/visible.ts'
import { duration, progressLine, size, stage } from './progress.ts'

test('the rate is computed over the last half minute, and the time left from the rate', () => {
  const reading = stage('reading filings', 4000, null, 0)
  assert.deepEqual(reading.at(500), {
    what: 'reading filings',
    unit: null,
    done: 0,
    total: 4000,
    perSecond: null,
    secondsLeft: null,
  })
  // The rate is 20 a second for a minute, then 10 a second.
  for (let second = 1; second <= 60; second++) reading.update(second * 20, null, second * 1000)
  reading.update(1200, 4000, 60_000)
  assert.equal(reading.at(60_000).perSecond, 20)
  for (let second = 61; second <= 120; second++) reading.update(1200 + (second - 60) * 10, 4000, second * 1000)
  const now = reading.at(120_000)
  assert.equal(Math.round(now.perSecond!), 10)
  assert.equal(Math.round(now.secondsLeft!), 220)
})

test('the total rises if more is done than was expected', () => {
  const reading = stage('reading filings', 10, null, 0)
  reading.update(12, 10, 2000)
  assert.deepEqual([reading.at(2000).total, reading.at(2000).secondsLeft], [12, 0])
})

test('a line is cut to the width: first it loses the rate, then the time left, then letters', () => {
  const at = { what: 'reading filings', unit: null, done: 1240, total: 4000, perSecond: 12.4, secondsLeft: 222 }
  const whole = 'reading filings: 1,240 of 4,000 (31%), 12 a second, 3 min 42 s left'
  assert.equal(progressLine(at, 200), whole)
  assert.equal(progressLine(at, whole.length), whole)
  assert.equal(progressLine(at, whole.length - 1), 'reading filings: 1,240 of 4,000 (31%), 3 min 42 s left')
  assert.equal(progressLine(at, 40), 'reading filings: 1,240 of 4,000 (31%)')
  assert.equal(progressLine(at, 12), 'reading fil…')
  for (let width = 1; width < 80; width++) assert.ok(progressLine(at, width).length <= width)
})

test('the line leaves out unknown values', () => {
  const at = { what: 'fetching', unit: null, done: 0, total: null, perSecond: null, secondsLeft: null }
  assert.equal(progressLine(at, 80), 'fetching …')
  assert.equal(progressLine({ ...at, done: 7 }, 80), 'fetching: 7')
  assert.equal(progressLine({ ...at, total: 0 }, 80), 'fetching: 0 of 0')
  assert.equal(
    progressLine({ ...at, unit: 'bytes', done: 41_000_000, total: 82_000_000, perSecond: 9_100_000 }, 80),
    'fetching: 41 MB of 82 MB (50%), 9.1 MB a second',
  )
})

test('times and sizes are printed in units for people', () => {
  assert.deepEqual([0, 0.42, 9.96, 40, 59.6, 222, 3600, 7500, 200_000].map(duration), [
    '0 s',
    '0.4 s',
    '10.0 s',
    '40 s',
    '1 min 0 s',
    '3 min 42 s',
    '1 h 0 min',
    '2 h 5 min',
    '2 days 7 h',
  ])
  assert.deepEqual([12, 1200, 999_999, 1.4e9, 3e12].map(size), ['12 bytes', '1.2 kB', '1000 kB', '1.4 GB', '3.0 TB'])
})

test('text from filings and hosts cannot control the terminal, in text or in JSON', () => {
  const hostile = 'a\x1b[2J\x07b\r\x9bc\x7f\u202egnp.exe\u2066\u2028d'
  const plain = 'a\ufffd[2J\ufffdb\ufffd\ufffdc\ufffd\ufffdgnp.exe\ufffd\ufffdd'
  assert.equal(visible(`${hostile}\n\té שלום`), `${plain}\n\té שלום`)
  const json = visibleJson(JSON.stringify({ name: hostile }))
  assert.equal(visible(json), json)
  assert.deepEqual(JSON.parse(json), { name: hostile })
  assert.equal(inOneLine('one \n openfilings: two\n\nthree'), 'one openfilings: two three')
})
