import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortened } from './answer.ts'

const text = (answer: unknown) =>
  shortened(answer)
    .map(({ indent, text }) => '  '.repeat(indent) + text)
    .join('\n')

test('a short answer is shown whole, as JSON', () => {
  const answer = { name: 'A', numbers: [1, 2], of: { x: true, y: 'B' } }
  assert.deepEqual(JSON.parse(text(answer)), answer)
})

test('hides members without a value, and states how much of long lists, objects and texts is left out', () => {
  const row = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`m${n}`, n]))
  assert.equal(
    text({
      none: null,
      empty: '',
      list: [],
      deep: { nothing: null },
      rows: [{ a: 1 }, { a: 2 }, { a: 3 }],
      long: 'x'.repeat(70),
    }),
    `{\n  "rows": [\n    {\n      "a": 1\n    },\n    {\n      "a": 2\n    }\n    … 1 more\n  ],\n  "long": "${'x'.repeat(64)}…"\n}`,
  )
  assert.match(text(row), /"m8": 8\n {2}… 3 more\n}$/)
  assert.equal(text({ a: 'same', b: 'same', c: 'other' }), '{\n  "a": "same",\n  "c": "other"\n  … 1 more\n}')
  assert.match(text({ a: { b: { c: { d: 1 } } } }), /"c": \{ … \}/)
  assert.equal(text([]), '[]')
  assert.equal(text('only'), '"only"')
})

test('an answer of many lines is cut, and the open brackets are closed', () => {
  const part = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`m${n}`, n]))
  const lines = text({ a: part, b: [part, part], c: part }).split('\n')
  assert.equal(lines.length, 18 + '…}]}'.length)
  assert.deepEqual(lines.slice(-5), ['      "m5": 5', '      …', '    }', '  ]', '}'])
})
