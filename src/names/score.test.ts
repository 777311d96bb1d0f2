import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFor } from '../../test/support/random.ts'
import type { NameKind } from './named.ts'
import { candidateOf, explainQuality, quality } from './score.ts'
import { COSTS, FORM, KIND, otherForms, WAYS, WRONG } from './signals.ts'
import { storedName } from './stored.ts'
import { cutReading, plainReading, type Reading, readingsOf, requiredOf } from './typed.ts'

const NEAR = new Map([
  ['vanguadr', new Map([['vanguard', 1]])],
  ['vangudra', new Map([['vanguard', 2]])],
])
const candidate = (name: string, kind: NameKind = 'now', place = '') => candidateOf(storedName(name).key, kind, place)
const explained = (typed: string | Reading, ...of: Parameters<typeof candidate>) => {
  const reading = typeof typed === 'string' ? plainReading(typed) : typed
  return explainQuality(reading, candidate(...of), NEAR)?.map(({ name }) => name)
}
const cut = (typed: string) => cutReading(plainReading(typed), () => true)

test('explains the score of a name by the way in which it matches and by the costs of the match', () => {
  const none = FORM.none.name
  const forms = otherForms(1).name
  assert.deepEqual(explained('goldman sachs', 'Goldman Sachs'), [WAYS.exact.name, none])
  assert.deepEqual(explained('eli lilly & co', 'Eli Lilly & Co'), [WAYS.exact.name, FORM.full.name])
  assert.deepEqual(explained('eli lilly co', 'Eli Lilly & Co LLC'), [WAYS.exact.name, FORM.some.name])
  assert.deepEqual(explained('goldman llc', 'Goldman Sachs'), [WAYS.begins.name, forms])
  assert.deepEqual(explained('musk elon', 'Elon Musk'), [WAYS.turned.name])
  assert.deepEqual(explained('gold', 'Goldman Sachs', 'former'), [WAYS.begins.name, COSTS.open.name, KIND.former.name])
  assert.deepEqual(explained('price rowe', 'Rowe Price Group', 'other'), [WAYS.beginsTurned.name, KIND.other.name])
  assert.deepEqual(explained('black rock', 'Blackrock'), [WAYS.exact.name, COSTS.blanks.name, none])
  assert.deepEqual(explained('g s a m', 'Goldman Sachs Asset Management'), [WAYS.apart.name])
  assert.deepEqual(explained('gsam', 'Goldman Sachs Asset Management'), [WAYS.initials.name])
  assert.deepEqual(explained('gs asset', 'Goldman Sachs Asset Management'), [WAYS.begins.name, COSTS.cut.name])
  assert.deepEqual(explained('baird', 'Robert Baird Inc'), [WAYS.ends.name])
  assert.deepEqual(explained('goldman asset', 'Goldman Sachs Asset Management'), [WAYS.leads.name])
  assert.deepEqual(explained('sachs asset', 'Goldman Sachs Asset Management'), [WAYS.within.name])
  assert.deepEqual(explained('sachs management', 'Goldman Sachs Asset Management'), [WAYS.ordered.name])
  assert.deepEqual(explained('management sachs', 'Goldman Sachs Asset Management'), [WAYS.scattered.name])
  assert.deepEqual(explained(cut('morg stanley'), 'Morgan Stanley'), [WAYS.exact.name, COSTS.cut.name])
  assert.deepEqual(explained('vanguard boston', 'Vanguard', 'now', 'boston'), [WAYS.exact.name, COSTS.place.name])
  assert.deepEqual(explained('vanguard bost', 'Vanguard', 'now', 'boston'), [WAYS.exact.name, COSTS.openPlace.name])
  assert.deepEqual(explained('llc vanguard', 'Vanguard LLC'), [WAYS.exact.name, COSTS.form.name])
  assert.deepEqual(explained('vanguadr', 'Vanguard Group'), [WAYS.begins.name, WRONG[1].name])
  assert.deepEqual(explained('vangudra', 'Vanguard Group'), [WAYS.begins.name, WRONG[2].name])
  assert.equal(explained('vanguard fidelity', 'Vanguard Group'), undefined)
})

test('the score of a name is the sum of the signals that explain it, for any typed text', () => {
  const random = randomFor('scores of names')
  const words =
    'goldman sachs asset management & co j p morgan stanley boston vanguard vanguadr vangudra inc llc'.split(' ')
  const text = () =>
    Array.from({ length: 1 + random() * 4 }, () => words[Math.floor(random() * words.length)]).join(' ')
  const names = Array.from({ length: 100 }, (_, at) =>
    candidate(text(), (['now', 'other', 'former'] as const)[at % 3], at % 2 ? 'boston ma' : ''),
  )
  let matches = 0
  for (let typed = 0; typed < 100; typed++) {
    const letters = text()
    const plain = plainReading(letters.slice(0, 1 + random() * letters.length))
    for (const reading of [...readingsOf(plain), cutReading(plain, () => true)]) {
      if (requiredOf(reading).length === 0) continue
      for (const name of names) {
        const score = quality(reading, name, NEAR)
        const signals = explainQuality(reading, name, NEAR)
        assert.equal(signals === null, score === null)
        if (!signals || score === null) continue
        matches++
        const sum = signals.reduce((all, { weight }) => all + weight, 0)
        assert.ok(Math.abs(sum - score) < 1e-9, `${JSON.stringify(signals)}: ${score}`)
      }
    }
  }
  assert.ok(matches > 500, `${matches}`)
})
