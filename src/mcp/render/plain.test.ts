import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFor } from '../../../test/support/random.ts'
import { inLine } from './plain.ts'

/** Does the same as `inLine`, character by character, without the shortcut for a text that needs no change. */
function slowly(text: string): string {
  const hidden =
    /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u
  const breaks = /[\t\n\v\f\r\u2028\u2029]/
  const shown = [...text].map((one) => (breaks.test(one) ? ' ' : hidden.test(one) ? '' : one)).join('')
  return shown.replace(/\s+/g, ' ').trim()
}

test('a text in one line has no hidden characters, line ends or repeated blanks, whatever it consists of', () => {
  const random = randomFor('texts in one line')
  const signs = [
    'a',
    'Z',
    '0',
    '.',
    '~',
    '!',
    ' ',
    ' ',
    '\t',
    '\n',
    '\u00a0',
    '\u200b',
    '\u202e',
    '\u{e0041}',
    '\u0000',
    'é',
  ]
  for (let n = 0; n < 20_000; n++) {
    const text = Array.from(
      { length: Math.floor(random() * 6) },
      () => signs[Math.floor(random() * signs.length)],
    ).join('')
    assert.equal(inLine(text), slowly(text), JSON.stringify(text))
  }
})
