/** Tests that positions in a prospectus get the right series. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../test/support/effort.ts'
import { seriesAt } from './series-at.ts'

const ONE = { series_id: 'S000000001', name: 'Sample Growth Fund' }
const TWO = { series_id: 'S000000002', name: 'Sample Income Fund' }
const prose = 'The fund invests in shares of companies. '.repeat(20)
const place = (text: string, of: string, series = [ONE, TWO]) => seriesAt(text, series)(text.indexOf(of))

test('a position belongs to the series of the heading before it, in all usual wordings of headings', () => {
  for (const [first, second] of [
    ['# Sample Growth Fund', '# Sample Income Fund'],
    ['**SAMPLE GROWTH FUND (SMPGX)**', '**SAMPLE INCOME FUND (SMPIX)**'],
    ['## Fund Summary – Sample Growth Fund', '## Fund Summary – Sample Income Fund'],
    ['Sample Growth Fund® Summary', 'Sample Income Fund℠ Summary Section'],
  ] as const) {
    const text = `${prose}\n\n${first}\n\n${prose} here\n\n${second}\n\n${prose} there`
    assert.equal(place(text, ' here'), ONE.series_id, first)
    assert.equal(place(text, ' there'), TWO.series_id, second)
    assert.equal(place(text, 'The fund'), null)
  }
})

test('names in a list, on the cover or in the table of contents, are not headings', () => {
  const list = `Sample Growth Fund\n\nSample Income Fund\n\n${prose}`
  const text = `${list} before\n\n# Sample Growth Fund\n\n${prose} here\n\n# Sample Income Fund\n\n${prose}`
  assert.equal(place(text, ' before'), null)
  assert.equal(place(text, ' here'), ONE.series_id)
})

test('assigns nothing to any series if one of them has no known heading', () => {
  const text = `# Sample Growth Fund\n\n${prose} here\n\n# Our fund for income\n\n${prose} there`
  assert.equal(place(text, ' here'), null)
  assert.equal(place(text, ' there'), null)
})

test('assigns nothing to any series if two share a name, or one has no number', () => {
  const text = `# Sample Growth Fund\n\n${prose} here\n\n# Sample Income Fund\n\n${prose}`
  assert.equal(place(text, ' here', [ONE, { ...TWO, name: ONE.name }]), null)
  assert.equal(seriesAt(text, [ONE, { series_id: null, name: TWO.name }])(text.indexOf(' here')), null)
})

test('searches for two thousand series, and through a hostile line, in bounded time', async () => {
  const series = Array.from({ length: 2_000 }, (_, i) => ({
    series_id: `S${String(i).padStart(9, '0')}`,
    name: `Sample Fund ${i}`,
  }))
  const text = series.map(({ name }) => `# ${name}\n\n${prose}\n`).join('\n') + `\n${'('.repeat(199)}\n`.repeat(5_000)
  await assertQuick('series', () => {
    const at = seriesAt(text, series)
    assert.equal(at(text.indexOf('# Sample Fund 1999') + 100), 'S000001999')
  })
})

test('a name in a line of prose is not a heading, however the line begins', () => {
  const text = `# Sample Growth Fund\n\n${prose} here\n\nSample Income Fund ${'is a fund of which much is said '.repeat(8)}\n\n# Sample Income Fund\n\n${prose}`
  assert.equal(place(text, 'much is said'), ONE.series_id)
})
