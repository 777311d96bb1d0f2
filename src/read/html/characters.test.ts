import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../test/support/effort.ts'
import { decoded } from './characters.ts'

test('a reference without a semicolon is decoded, wherever the next semicolon is', () => {
  const far = 'x'.repeat(60)
  for (const rest of ['', ` ${far}`, ` ${far};`, ` ${far}; Fir &amp; Elm;`]) {
    const shown = rest.replace('&amp;', '&')
    assert.equal(decoded(`Oak&amp T and R&D${rest}`), `Oak& T and R&D${shown}`)
    assert.equal(decoded(`&copy 2026, &#146 and &lt 5${rest}`), `© 2026, ’ and < 5${shown}`)
    assert.equal(decoded(`AT&T, A & B, && and &${rest}`), `AT&T, A & B, && and &${shown}`)
  }
  assert.equal(decoded('&lt; A&B &amp;amp; &nosuch;'), '< A&B &amp; &nosuch;')
})

test('many ampersands far from a semicolon are decoded in linear time', async () => {
  for (const rest of ['', ';', `${' '.repeat(50)};`])
    await assertQuick(rest, () => decoded(`${'&a'.repeat(1_000_000)}${rest}`))
})
