/** Passages: no part of a text is lost, and no phrase is cut. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OVERLAP_WORDS, passagesOf } from './passages.ts'
import { wordsOf } from './words.ts'

/** Numbers from 0 to below 1; the same seed gives the same numbers. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
}

function document(seed: number, length: number): string {
  const next = random(seed)
  let text = ''
  while (text.length < length) {
    text += `w${Math.floor(next() * 1000)}`
    const end = next()
    text += end < 0.01 ? '.\n\n' : end < 0.03 ? '\n' : end < 0.08 ? '. ' : ' '
  }
  return text
}

const keys = (text: string) => [...wordsOf(text)].map(({ key }) => key)

test('passages contain every word, begin in order, and have about 1,500 characters', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const text = document(seed, 20_000)
    const passages = passagesOf({ text }, [])
    const next = [...passages.slice(1).map(({ start }) => start), text.length]
    passages.forEach(({ start, end }, i) => {
      assert.ok(start < end && start < next[i]!)
      assert.ok(end - start <= 3600, `${end - start}`)
      assert.match(text.slice(next[i], passages[i + 1]?.start ?? text.length), /^\s*$/)
    })
    assert.deepEqual(
      passages.flatMap(({ start }, i) => keys(text.slice(start, next[i]))),
      keys(text),
    )
  }
})

test('every phrase of 25 words is completely in one passage', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const text = document(seed, 10_000)
    const all = keys(text)
    const within = passagesOf({ text }, []).map(({ start, end }) => ` ${keys(text.slice(start, end)).join(' ')} `)
    for (let i = 0; i + OVERLAP_WORDS < all.length; i++) {
      const phrase = ` ${all.slice(i, i + OVERLAP_WORDS + 1).join(' ')} `
      assert.ok(
        within.some((words) => words.includes(phrase)),
        phrase,
      )
    }
  }
})

test('no passage crosses the start or the end of a section, and each has the id of its innermost section', () => {
  const text = `Cover page\n\n# Item 1\n\nbusiness words here\n\n## Item 1A\n\nrisk words here\n\n# Item 2\n\nproperties`
  const at = (words: string) => text.indexOf(words)
  const sections = [
    { id: '2', start: at('# Item 2'), end: text.length },
    { id: '1', start: at('# Item 1'), end: at('# Item 2') },
    { id: '1A', start: at('## Item 1A'), end: at('# Item 2') },
  ]
  assert.deepEqual(
    passagesOf({ text }, sections).map(({ start, end, section }) => [section, text.slice(start, end)]),
    [
      [null, 'Cover page'],
      ['1', '# Item 1\n\nbusiness words here'],
      ['1A', '## Item 1A\n\nrisk words here'],
      ['2', '# Item 2\n\nproperties'],
    ],
  )
})

test('splits a huge line without a blank, but never within a character of two UTF-16 units', () => {
  const text = `${'a'.repeat(1499)}${'😀'.repeat(200_000)}`
  const passages = passagesOf({ text }, [])
  for (const { start, end } of passages) assert.ok(text.slice(start, end).isWellFormed())
  assert.ok(passages.length >= 130)
  assert.deepEqual(passagesOf({ text: '' }, []), [])
  assert.deepEqual(passagesOf({ text: ' \n\n ' }, []), [])
})
