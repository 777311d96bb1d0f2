/** Every real file of company facts that we have, and figures typed by hand from annual reports. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counts } from '../src/datasets/facts/fact.ts'
import { FIGURES } from '../src/datasets/facts/parse-tags.ts'
import { statement } from '../src/datasets/facts/statement.ts'
import { corpus } from './corpus.ts'
import { type FactsFile, factsFiles, readFacts } from './facts-files.ts'

const { skip } = corpus

let reading: FactsFile[] | undefined
/** Read once for all tests below. */
const all = () => {
  reading ??= factsFiles().map(readFacts)
  return reading
}

test('every file of company facts of the corpus is read whole: no key unread, no value that is none', { skip }, () => {
  assert.equal(all().length, 16)
  for (const { name, unread, problems, facts } of all()) {
    assert.deepEqual([unread, problems], [[], []], name)
    assert.ok(facts.length > 60, name)
  }
})

/** Annual figures that a company's newest year lacks, with the reason. */
const NONE: Record<string, string[]> = {}

test('the newest year of each company has all eight figures', { skip }, () => {
  for (const { name, facts } of all()) {
    const [newest] = statement(facts, { choice: 'annual' }).history
    const none = FIGURES.filter((figure) => newest!.figures[figure].value === null)
    assert.deepEqual(none, NONE[name] ?? [], name)
  }
})
