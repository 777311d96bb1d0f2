import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserError } from '../../declare/errors.ts'
import { entryOf, listOf } from './watch-list.ts'

const lines = (texts: readonly string[]) => texts.map((text, at) => ({ text, place: `line ${at + 1} of w.txt` }))
const list = (...texts: string[]) => listOf('--watch', lines(texts), 'w.txt')
const longList = (texts: readonly string[]) => listOf('--watch', lines(texts), 'w.txt')
const refusal = (...texts: string[]) => refusalOf(texts)

function refusalOf(texts: readonly string[]): string {
  try {
    longList(texts)
  } catch (error) {
    assert.ok(error instanceof UserError)
    return error.message
  }
  return assert.fail('the list was accepted')
}

test('an entry is a CIK, a ticker in any spelling, an adviser, or a series or class of a fund', () => {
  const kinds = {
    '320193': 'cik 0000320193',
    '0000320193': 'cik 0000320193',
    'CIK 320193': 'cik 0000320193',
    CIK0000320193: 'cik 0000320193',
    'cik:320193': 'cik 0000320193',
    'CRD 106482': 'crd CRD 106482',
    'crd:000106482': 'crd CRD 106482',
    S000002839: 'series S000002839',
    c000007773: 'class C000007773',
    aapl: 'ticker AAPL',
    $AAPL: 'ticker AAPL',
    'NASDAQ:AAPL': 'ticker AAPL',
    'BRK.B': 'ticker BRK.B',
    'brk-b': 'ticker BRK.B',
  }
  for (const [written, expected] of Object.entries(kinds)) {
    const entry = entryOf(written, '')
    assert.equal(entry && `${entry.kind} ${entry.text}`, expected, written)
  }
})

test('text that cannot be an entry gives null: zeros, too many digits, names, control characters', () => {
  for (const written of [
    '0',
    '00000',
    '12345678901',
    'CRD 0',
    'Apple Inc.',
    'AAPL\u0000',
    '1.5',
    '-1',
    '🍎',
    'x'.repeat(300),
  ])
    assert.equal(entryOf(written, ''), null, JSON.stringify(written))
})

test('comments, blank lines and repeated entries are left out, and the repeated ones are counted', () => {
  const { entries, repeated } = list('# mine', 'AAPL # Apple', '', '  ', '320193', 'aapl', '0000320193', '#')
  assert.deepEqual(
    entries.map(({ text, place }) => [text, place]),
    [
      ['AAPL', 'line 2 of w.txt'],
      ['0000320193', 'line 5 of w.txt'],
    ],
  )
  assert.equal(repeated, 2)
})

test('the error names at most ten lines that cannot be entries, and the valid forms', () => {
  assert.equal(
    refusal('AAPL', 'Apple Inc.', '12345678901'),
    'not a valid entry: line 2 of w.txt, "Apple Inc."; line 3 of w.txt, "12345678901"; write a CIK (320193), a ticker (AAPL), "CRD 106482", or the id of a fund’s series or class (S000002839)',
  )
  const many = refusalOf(Array.from({ length: 100_000 }, () => '???'))
  assert.match(many, /line 10 of w\.txt, "\?\?\?"; and 99990 more; write /)
  assert.ok(many.length < 1_000)
})

test('a list without entries is refused', () => {
  assert.match(refusal(), /^w\.txt names no filer: write /)
  assert.match(refusal('# nothing yet', ''), /^w\.txt names no filer: write /)
})

test('a list of a hundred thousand lines is read, in the order of its lines', () => {
  const { entries, repeated } = longList(Array.from({ length: 100_000 }, (_, at) => String((at % 99_999) + 1)))
  assert.equal(entries.length, 99_999)
  assert.equal(repeated, 1)
  assert.deepEqual(entries.at(-1), { kind: 'cik', cik: '0000099999', text: '0000099999', place: 'line 99999 of w.txt' })
})
