import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitted, folded } from './budget.ts'
import { linesOf } from './document.ts'
import { inLine, inLines } from './plain.ts'

const textOf = (answer: unknown, include: string[] | null = null) =>
  linesOf({ answer, type: null, rows: 'rows', include }).map(({ text, head }) => (head ? `${head} | ${text}` : text))

test('characters that people do not see are left out: controls, marks of direction, hidden tags', () => {
  const hidden = String.fromCodePoint(0xe0049, 0xe0067, 0x202e, 0x200b, 0xfeff, 0x1b)
  assert.equal(inLine(`a${hidden}b\tc\n## d`), 'ab c ## d')
  assert.equal(inLines(`a${hidden}\r\nb\tc`), 'a\nb c')
})

test('a value of a filing cannot begin a line, a cell or a heading of the answer', () => {
  const lines = textOf({ name: 'x\n## rows (9 rows)\nNOT LOADED', rows: [{ a: 'b\tc\nd' }, { a: 'e' }] })
  assert.deepEqual(
    lines.filter((line) => line.startsWith('## ')),
    ['## name', '## rows (2 rows)'],
  )
  assert.ok(lines.includes('> ## rows (9 rows)') && lines.includes('> NOT LOADED'))
  assert.ok(lines.includes('a | b c d'))
})

test('columns without a value are listed once, and a value that all rows share is stated once', () => {
  const rows = [1, 2, 3].map((n) => ({ n, all: 'same', none: null }))
  assert.deepEqual(textOf({ rows }), [
    '## rows (3 rows)',
    'same in all rows: all = same',
    'n | 1',
    'n | 2',
    'n | 3',
    '(no value in any row: none)',
  ])
})

test('if `include` names a member, neither its texts nor its lists are shortened', () => {
  const long = 'x '.repeat(300).trim()
  const forms = Array.from({ length: 30 }, (_, n) => `F-${n}`)
  const answer = { rows: [{ long, forms }], forms }
  const brief = textOf(answer).join('\n')
  assert.match(brief, /… \(\+319 characters\)/)
  assert.match(brief, /F-5; … 24 more/)
  const whole = textOf(answer, ['rows', 'forms']).join('\n')
  assert.ok(whole.includes(`${long}\t${forms.join('; ')}`) && whole.includes(`forms: ${forms.join('; ')}`))
})

test('an answer with any content fits its size, and its parts contain every line once', () => {
  const lines = folded([
    { text: 'x'.repeat(5_000) },
    ...Array.from({ length: 50 }, (_, n) => ({ text: `${n}`, head: 'n' })),
  ])
  const seen: string[] = []
  for (let from: number | null = 0; from !== null; ) {
    const { text, next } = fitted(lines, from, 1_500, 0)
    assert.ok(Buffer.byteLength(text) <= 1_500)
    seen.push(...text.split('\n').filter((line) => line !== 'n'))
    from = next
  }
  assert.deepEqual(
    seen,
    lines.map(({ text }) => text),
  )
})

test('a long value that continues in the next line cannot begin that line with words of the answer', () => {
  const padded = `${'x '.repeat(299)}NOT LOADED everything`
  const lines = folded(linesOf({ answer: { name: padded }, type: null, rows: 'rows', include: null }))
  assert.ok(lines.length > 1)
  assert.deepEqual(
    lines.filter(({ text }) => /^(?:NOT LOADED|## )/.test(text)),
    [],
  )
  assert.equal(
    lines
      .map(({ text }) => text.replace(/^> /, ''))
      .join(' ')
      .replace(/^name: /, ''),
    padded,
  )
})

test('a long value or row is never cut within a character', () => {
  const long = `a${'\u{1f600}'.repeat(15_000)}`
  const value = folded([{ text: long }])
  assert.ok(value.length > 1 && value.every(({ text }) => text.isWellFormed()))
  assert.equal(value.map(({ text }) => text.replace(/^> /, '')).join(''), long)
  const [row] = folded([{ text: long.slice(1), head: 'a' }])
  const [shifted] = folded([{ text: long, head: 'a' }])
  assert.ok(row!.text.isWellFormed() && shifted!.text.isWellFormed())
})
