import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { spellings, statedTickers, tickerKey, tickersOf } from './ticker.ts'

/** A key and the texts that mean it. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  'JPM.PR.C': ['JPM-PC', 'JPM.PC', 'JPMpC', 'JPM PRC', 'JPM.PR.C', 'JPM/PRC', 'JPM-PR-C', 'JPM PR C', 'JPM^C', 'NYSE: JPM-PC', '$JPM-PC', 'JPM/PC US', 'jpm-pc'], // biome-ignore format: a table
  'BRK.B': ['BRK-B', 'BRK.B', 'BRK/B', 'brk b', 'BRK‑B', 'BRK CL B', '$BRK.B', 'NYSE:BRK.B', 'BRK/B US Equity'],
  TWK: ['TWK', '$TWK', 'NASDAQ:TWK', 'Nasdaq: TWK', '(NASDAQ: TWK)', 'TWK US', 'TWK.US', 'TWK:US', 'TWK UW', '"TWK"'],
  'T.PR.C': ['T-PC', 'TpC', 'T PR C'],
  TPC: ['TPC', 'tpc', 'TPC US'],
  'ABC.WS': ['ABC-WT', 'ABC.WS', 'ABC/WS', 'ABC+'],
  'ABC.WS.A': ['ABC-WTA', 'ABC.WS.A'],
  'ABC.UN': ['ABC-UN', 'ABC.U', 'ABC/U', 'ABC='],
  'ABC.RT': ['ABC-RI', 'ABC.RT', 'ABC/R'],
  'ABC.PR': ['ABC-P', 'ABC PR', 'ABCp'],
}

describe('tickers by structure', () => {
  it('every spelling of one ticker has one key, and no two tickers share one', () => {
    const keys = Object.fromEntries(Object.entries(SAME).map(([key, texts]) => [key, texts.map(tickerKey)]))
    assert.deepEqual(keys, Object.fromEntries(Object.entries(SAME).map(([key, texts]) => [key, texts.map(() => key)])))
  })

  it('reads each spelling that sources use for a ticker as that ticker', () => {
    for (const [key, [text]] of Object.entries(SAME)) {
      const [ticker] = tickersOf(text!)
      const read = spellings(ticker!).map((each) => tickersOf(each).some((other) => other.key === key))
      assert.deepEqual(new Set(read), new Set([true]), `${key}: ${spellings(ticker!)}`)
    }
  })

  it('a letter directly after the root may be a class, but never a preferred series', () => {
    assert.deepEqual(
      tickersOf('BRKB').map(({ key }) => key),
      ['BRKB', 'BRK.B'],
    )
    assert.deepEqual(
      tickersOf('TPC').map(({ key }) => key),
      ['TPC'],
    )
  })

  it('"TWK UN" may mean TWK in New York or the units of TWK; "TWK LN" is of another market', () => {
    assert.deepEqual(
      tickersOf('TWK UN').map(({ key }) => key),
      ['TWK', 'TWK.UN'],
    )
    assert.deepEqual(tickersOf('TWK LN'), [])
  })

  it('names, numbers of other kinds and signs are not tickers', () => {
    const none = [
      '',
      '$',
      '-',
      'bank of america',
      'CUSIP:037833100',
      'cik: 320193',
      'ISIN:US0378331005',
      'x'.repeat(50),
    ]
    assert.deepEqual(none.flatMap(tickersOf), [])
  })

  it('a field of a form may name several tickers', () => {
    const keys = (text: string) => statedTickers(text).map(({ key }) => key)
    assert.deepEqual(keys('BRK.A, BRK.B'), ['BRK.A', 'BRK.B'])
    assert.deepEqual(keys('(NYSE: FOX and FOXA)'), ['FOX', 'FOXA'])
    assert.deepEqual(keys('GOOG; goog'), ['GOOG'])
    assert.deepEqual(keys('0'), [])
  })
})
