import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { Lexicon, lexiconRows, ownLexicon } from './lexicon.ts'
import { formOf, VERB_FORMS } from './verb-forms.ts'

const HEAD = 'voice\tevent\twords\tbefore\tafter\tneeds\texample'
const rowsOf = (...lines: string[]) => lexiconRows(`${[HEAD, ...lines].join('\n')}\n`)
const LINE = 'leaves\tdeparted\tstep~ down\t\t\t\tJane Sample stepped down.'

test('a line with a fault is refused with its number and the fault', () => {
  const faults: [string, string][] = [
    [LINE.replace('leaves', 'goes'), 'voice must be one of leaves, .*: goes'],
    [LINE.replace('departed', 'gone'), 'event must be one of .*: gone'],
    [LINE.replace('\t\tJane', '\tday\tJane'), 'needs must be one of seat, .*: day'],
    [LINE.replace('step~ down', ''), 'words and example must not be empty'],
    [LINE.replace(/Jane.*/, ''), 'words and example must not be empty'],
    [LINE.replace('step~', '[step~ [all]]'), 'cannot be read: \\[step~ \\[all\\]\\] down'],
    [`${LINE}\tmore`, 'has 8 cells, not 7'],
    [LINE.replace('down', 'down.*'), 'cannot be read: step~ down\\.\\*'],
    [LINE.replace('down', '(down'), 'cannot be read: step~ \\(down'],
    [LINE.replace('down', '{down}'), 'a class of words must be one of his, .*: down'],
    [LINE.replace('~ down\t\t', '~ down\tnot [a\t'), 'cannot be read: not \\[a'],
  ]
  for (const [line, fault] of faults)
    assert.throws(() => rowsOf(LINE, line), { message: new RegExp(`^officers/lexicon\\.tsv, line 3: ${fault}$`) }, line)
  assert.throws(() => lexiconRows('voice\twords\n'), /line 1: the columns must be voice, event, words/)
})

test('words match in all forms of their verb, with and without optional words, and only next to the words that they need', () => {
  const wordsIn = (cells: string, text: string) =>
    new Lexicon(rowsOf(`leaves\tdeparted\t${cells}\t\tJane`)).find('leaves', text).map(({ words }) => words)
  const text = 'take office, takes the office, took an office, taken offices, taking re-election, took reelection'
  assert.deepEqual(wordsIn('take~ [(the|an)] office[s]\t\t', text), text.split(', ').slice(0, 4))
  assert.deepEqual(wordsIn('take~ re-election\t\t', text), text.split(', ').slice(4))
  assert.deepEqual(wordsIn('take~[ an] (office|role)\t\t', 'take office, take an office'), [
    'take office',
    'take an office',
  ])
  assert.deepEqual(wordsIn('office\t(take|an)\t', text), ['office', 'office'])
  assert.deepEqual(wordsIn('take~\t\tnot {his} office', 'took his office, took the Company’s office'), ['took'])
  assert.deepEqual(wordsIn('take~ the Company’s\t\t', "took the Company's, takes the Company’s"), [
    "took the Company's",
    'takes the Company’s',
  ])
})

test('verbs have their regular and irregular forms', () => {
  const formsOf = (base: string) => VERB_FORMS.map((form) => formOf(base, form)).join(' ')
  for (const forms of [
    'resign resigns resigned resigned resigning',
    'retire retires retired retired retiring',
    'carry carries carried carried carrying',
    'relinquish relinquishes relinquished relinquished relinquishing',
    'agree agrees agreed agreed agreeing',
    'step steps stepped stepped stepping',
    'leave leaves left left leaving',
    'begin begins began begun beginning',
    'die dies died died dying',
    'quit quits quit quit quitting',
    'lay lays laid laid laying',
    'transfer transfers transferred transferred transferring',
    'make makes made made making',
  ])
    assert.equal(formsOf(forms.split(' ')[0]!), forms)
})

test('a line that needs another word of its frame matches only next to that word', () => {
  const rows = ownLexicon().rows.filter(({ voice }) => voice !== 'departure')
  assert.deepEqual(new Lexicon(rows).find('nounOf', 'the resignation of \uE0000\uE001'), [])
})

test('loading the dataset does not read the lexicon, and the first use reads it once', () => {
  const dataset = new URL('../index.ts', import.meta.url).href
  const lexicon = new URL('lexicon.ts', import.meta.url).href
  const program = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const read = fs.readFileSync
    fs.readFileSync = (file, ...rest) => {
      if (String(file).endsWith('lexicon.tsv')) console.log('read')
      return read(file, ...rest)
    }
    syncBuiltinESMExports()
    await import(${JSON.stringify(dataset)})
    const { ownLexicon } = await import(${JSON.stringify(lexicon)})
    console.log('started')
    ownLexicon()
    ownLexicon()`
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  assert.equal(out, 'started\nread\n')
})
