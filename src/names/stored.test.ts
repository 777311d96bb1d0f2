import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedName, storedPlace, wordsOfNames, wordsOfNamesWithWords } from './stored.ts'
import { coreOf } from './words.ts'

test('a word that is a property of every JavaScript object is treated like any other word, in a name and in a place', () => {
  assert.equal(storedName('General Constructor LLC').key, 'general constructor|llc|gc')
  assert.equal(storedPlace('Constructor', 'constructor').place, 'constructor')
})

test('the words of several names are stored together, and no word is next to a word of another name', () => {
  const first = "'~generatedfund' '!gf' 'generated':1 'fund':2 'lp':3"
  assert.equal(wordsOfNames(['Generated Fund, L.P.']), first)
  assert.equal(storedName('Generated Fund, L.P.').words, first)
  assert.equal(wordsOfNames(['Generated Fund, L.P.', '---', 'Élan']), `${first}  '~elan' 'elan':201`)
})

test('counts each word of a name once, an abbreviated word also in its full spelling', () => {
  assert.deepEqual(storedName('Oak Mgmt Oak Management Inc').counted, ['oak', 'management', 'mgmt', 'inc'])
})

test('names without words do not move the words of the names after them', () => {
  const names = ['Generated Fund, L.P.', '---', 'Élan', '']
  assert.equal(wordsOfNamesWithWords(names), wordsOfNames(names.filter((name) => storedName(name).words !== '')))
  assert.match(wordsOfNamesWithWords(names), /'elan':101$/)
})

test('the first part of the stored key has the words without the legal form', () => {
  for (const name of ['Oak Mgmt Inc', 'AT&T Corp /DE/', 'J. P. Morgan & Co', '---', 'The And', 'Élan PLC', '']) {
    assert.equal(storedName(name).key.split('|', 1)[0], coreOf(name).join(' '))
  }
})

test('the key of any name fits into an index, and a name of 150 letters is whole in it', () => {
  const names = {
    'many long words': Array.from({ length: 60 }, (_, n) => String.fromCodePoint(0x4e00 + n).repeat(200)).join(' '),
    'legal forms': 'partnership '.repeat(1_000),
    ampersands: '& '.repeat(1_000),
    'letters outside the basic plane': '\u{1d7d8}\u{20000}'.repeat(1_000),
  }
  for (const [what, name] of Object.entries(names)) {
    const { key } = storedName(name)
    assert.ok(Buffer.byteLength(key) < 2_600, `${what}: ${Buffer.byteLength(key)} bytes`)
    assert.ok(key.isWellFormed(), what)
  }
  const real = `${'Longest Name Of A Form '.repeat(6)}Limited`.slice(0, 150)
  assert.equal(storedName(real).key.split('|', 1)[0], coreOf(real).join(' '))
})
