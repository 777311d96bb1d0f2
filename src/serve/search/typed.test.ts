/** Queries as people type them: what they mean, and the errors that they cause. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../test/support/effort.ts'
import type { Tree } from './tree.ts'
import { QUERY_LENGTH_MAX, readQuery } from './typed.ts'

/** A tree as text: (a & b), (a | b), !a, "a b", a*, a~5~b. */
function shown(tree: Tree): string {
  if (tree.kind === 'all') return `(${tree.of.map(shown).join(' & ')})`
  if (tree.kind === 'any') return `(${tree.of.map(shown).join(' | ')})`
  if (tree.kind === 'none') return `!${shown(tree.of)}`
  if (tree.kind === 'beginning') return `${tree.letters}*`
  if (tree.kind === 'near') return `${shown(tree.one)}~${tree.within}~${shown(tree.other)}`
  return tree.words.length > 1 ? `"${tree.words.join(' ')}"` : tree.words[0]!
}

const MEANINGS: readonly (readonly [q: string, meaning: string])[] = [
  ['Material Weaknesses', '(material & weakness)'],
  ['“going concern” -tesla', '("going concern" & !tesla)'],
  ['ford OR gm AND recall', '(ford | (gm & recall))'],
  ['(ford OR gm) recall NOT truck', '((ford | gm) & recall & !truck)'],
  ['and or not near', '(and & or & not & near)'],
  ['cyber NEAR/5 incident', 'cyber~5~incident'],
  ['NEAR("cyber attack" incident, 3) cost', '("cyber attack"~3~incident & cost)'],
  ['a NEAR b', 'a~10~b'],
  ['-cash -(debt OR loan) fees', '(!cash & !(debt | loan) & fee)'],
  ['fees - cash', '(fee & cash)'],
  ['non-reliance 10-K AT&T', '("non reliance" & "10 k" & "at t")'],
  ['restat*, compan*', '(restat* & compan*)'],
  ['$1,234,567.89 037833100 #7', '(1234567.89 & 037833100 & 7)'],
  ['NOT NOT cash', 'cash'],
  ['tesla, inc.', '(tesla & inc)'],
  ['the', 'the'],
  ['"and the of"', '"and the of"'],
]

test('operators of a query have their documented meaning', () => {
  for (const [q, meaning] of MEANINGS) assert.equal(shown(readQuery(q)), meaning, q)
})

const WRONG: readonly (readonly [q: string, message: RegExp])[] = [
  ['', /^q: has no word$/],
  ['  ... & "" ', /^q: has no word$/],
  ['AND OR NOT', /only operators.* at character 1$/],
  ['()', /only operators.* at character 1$/],
  ['cash AND', /a word or a phrase is missing at the end, at character 9$/],
  ['OR cash', /OR has nothing on one side, at character 1$/],
  ['cash (AND debt)', /AND has nothing on one side, at character 7$/],
  ['cash () debt', /nothing between parentheses, at character 6$/],
  ['say "going concern', /the quote is not closed, at character 5$/],
  ['(cash (debt)', /the parenthesis is not closed, at character 1$/],
  ['cash) debt', /a closing parenthesis without an opening one, at character 5$/],
  ['-cash', /states only what documents must not have/],
  ['cash OR NOT debt', /states only what documents must not have/],
  ['NOT (cash AND debt)', /states only what documents must not have/],
  ['ca* debt', /at least 3 letters before it, at character 1$/],
  ['*', /has no word$/],
  ['20* x', /not a number, at character 1$/],
  ['c*sh', /must follow the beginning of one word, at character 1$/],
  ['"going conc* doubt"', /a star may follow only a word outside of quotes, at character 1$/],
  ['cash NEAR/0 debt', /NEAR can be from 1 to 24 words here, at character 6$/],
  ['cash NEAR/9999 debt', /NEAR can be from 1 to 24 words here/],
  ['NEAR(cash debt fees, 3)', /NEAR takes two words or phrases, not 3, at character 1$/],
  ['NEAR(cash debt, x)', /comma of NEAR must be followed by a number of words, at character 17$/],
  ['cash NEAR (debt OR loan)', /NEAR takes only words and phrases, at character 6$/],
  ['cash NEAR debt NEAR loan', /between two words or phrases, not three, at character 16$/],
  ['a NEAR b OR '.repeat(4).concat('c NEAR d'), /more than 4 times NEAR, at character 51$/],
  ['NEAR cash', /NEAR has nothing before it, at character 1$/],
  ['cash\0debt', /a NUL character cannot be searched for, at character 5$/],
  ['x'.repeat(41), /a word is too long, at character 1$/],
  [`"${'a '.repeat(26)}"`, /a phrase has more than 25 words, at character 1$/],
  ['a '.repeat(65), /more than 64 words/],
  ['('.repeat(21) + 'a' + ')'.repeat(21), /more than 20 nested parentheses and NOTs, at character 21$/],
  [`a ${'-('.repeat(999)}`, /nested parentheses|too many operators/],
  ['OR '.repeat(600), /too many operators|only operators/],
  ['a'.repeat(QUERY_LENGTH_MAX + 1), /more than 2000 characters/],
]

test('reports an error in a query with its position, as a 400', () => {
  for (const [q, message] of WRONG) assert.throws(() => readQuery(q), { status: 400, message }, q.slice(0, 80))
})

test('any text is parsed or refused immediately', async () => {
  const SIGNS = [
    '(',
    ')',
    '"',
    '-',
    'AND',
    'OR',
    'NOT',
    'NEAR',
    'NEAR(',
    'NEAR/3',
    ',',
    '*',
    'cash',
    'a b',
    '\ud800',
    'é',
    ' ',
    '5',
    '“',
  ]
  let seed = 1
  const next = (bound: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor((seed / 2147483648) * bound)
  }
  let readOnes = 0
  await assertQuick('queries', () => {
    for (let i = 0; i < 5000; i++) {
      const q = Array.from({ length: 1 + next(30) }, () => SIGNS[next(SIGNS.length)]! + (next(2) ? ' ' : '')).join('')
      try {
        readQuery(q)
        readOnes++
      } catch (error) {
        assert.equal((error as { status?: number }).status, 400, q)
      }
    }
  })
  assert.ok(readOnes > 50, `${readOnes}`)
})
