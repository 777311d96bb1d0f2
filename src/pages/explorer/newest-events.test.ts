import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventsBefore } from './newest-events.ts'

/** A log with these events. Like the API, this stub tests a limited number of events, so a page may be short. */
const logOf =
  (numbers: readonly number[], newest: number, tested = 5_000) =>
  async (after: number, limit: number) => {
    const events = numbers
      .filter((number) => number > after && number <= after + tested)
      .slice(0, limit)
      .map((event_number) => ({ event_number }))
    const isFull = events.length === limit
    const next_after = isFull ? events.at(-1)!.event_number : Math.min(newest, after + tested)
    return { events, next_after, is_end: next_after >= newest }
  }
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

async function walked(numbers: readonly number[], newest: number, limit: number, isFiltered: boolean) {
  const ask = logOf(numbers, newest)
  const seen: number[] = []
  for (let before: number | null = newest + 1; before !== null; ) {
    const page: Awaited<ReturnType<typeof eventsBefore>> = await eventsBefore(ask, { before, limit, isFiltered })
    assert.ok(page.events.length <= limit)
    seen.push(...page.events.map(({ event_number: number }) => number))
    before = page.older
  }
  return seen
}

test('older pages show every event once, the newest first', async () => {
  assert.deepEqual(await walked(range(1, 250), 250, 100, false), range(1, 250).reverse())
  assert.deepEqual(await walked([], 0, 100, false), [])
  // Numbers of transactions that were rolled back are missing.
  assert.deepEqual(await walked([3, 900], 901, 100, false), [900, 3])
})

test('a filter loses no event and shows none twice, whether few or many events pass the filter', async () => {
  const rare = [7, 12_000, 33_000, 33_001]
  assert.deepEqual(await walked(rare, 60_000, 2, true), [...rare].reverse())
  assert.deepEqual(await walked(range(1, 7_000), 7_000, 300, true), range(1, 7_000).reverse())
})

test('events that arrive while older pages are read do not appear on these pages', async () => {
  const { events } = await eventsBefore(logOf(range(1, 50), 50), { before: 31, limit: 5, isFiltered: true })
  assert.deepEqual(
    events.map(({ event_number: number }) => number),
    [30, 29, 28, 27, 26],
  )
})

test('with a filter that most events pass, only a few more events are requested than the page shows', async () => {
  const ask = logOf(range(1, 20_000), 20_000)
  let requested = 0
  const counting = (after: number, limit: number) => {
    requested += limit
    return ask(after, limit)
  }
  const { events } = await eventsBefore(counting, { before: 20_001, limit: 50, isFiltered: true })
  assert.equal(events.length, 50)
  assert.ok(requested <= 100, `${requested}`)
})
