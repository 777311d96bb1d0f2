/** Tests the kinds of events: the items and facts that decide whether a report has an event of a kind. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ITEM_TITLES } from './item-titles.ts'
import { EVENTS, type EventKind, eventsOf, factsOfKind } from './kinds.ts'
import { EVENT_KINDS, FACTS } from './tables-words.ts'

const kindsOf = (item: string, ...names: (typeof FACTS)[number][]) =>
  eventsOf(
    names.map((name) => ({ item, name })),
    false,
  )

test('every kind has items of the form, and only facts that exist', () => {
  assert.deepEqual(Object.keys(EVENTS), EVENT_KINDS)
  for (const kind of EVENT_KINDS) {
    for (const item of EVENTS[kind].items) assert.ok(item in ITEM_TITLES, `${kind}: ${item}`)
    for (const name of factsOfKind(kind)) assert.ok(FACTS.includes(name), `${kind}: ${name}`)
  }
})

test('an event counts only if all facts that its kind needs are in an item of that kind', () => {
  const whole: [EventKind, string, (typeof FACTS)[number][]][] = [
    ['agreement', '1.01', ['agreement', 'agreement_party']],
    ['termination', '1.02', ['agreement']],
    ['deal', '2.01', ['acquired']],
    ['deal', '2', ['disposed']],
    ['exit', '2.05', ['exit_cost_low']],
    ['sale', '3.02', ['security']],
    ['amendment', '5.03', ['amended']],
    ['repurchase', '8.01', ['repurchase_shares']],
    ['dividend', '7.01', ['dividend']],
  ]
  for (const [kind, item, names] of whole) {
    assert.deepEqual(kindsOf(item, ...names), [{ kind, item }])
    assert.deepEqual(kindsOf('9.01', ...names), [], `${kind} in another item`)
    assert.deepEqual(kindsOf(item, ...names.slice(1)), [], `${kind} without ${names[0]}`)
  }
  assert.deepEqual(kindsOf('1.01', 'agreement', 'agreement_date'), [])
  assert.deepEqual(kindsOf('8.01', 'repurchase_expiry', 'dividend_record_date'), [])
  assert.deepEqual(eventsOf([], true), [{ kind: 'vote', item: '5.07' }])
  assert.deepEqual(eventsOf([], false), [])
})

test('needed facts must be of one item, and the first item that has them all states the event', () => {
  const split = [
    { item: '7.01', name: 'dividend' as const },
    { item: '8.01', name: 'dividend' as const },
  ]
  assert.deepEqual(eventsOf(split.toReversed(), false), [{ kind: 'dividend', item: '7.01' }])
  assert.deepEqual(
    eventsOf(
      [
        { item: '1.01', name: 'agreement' },
        { item: '1.02', name: 'agreement_party' },
      ],
      false,
    ),
    [],
  )
})
