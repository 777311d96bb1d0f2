/** Facts of inline XBRL: numbers by their format, scale and sign, texts that continue elsewhere, and broken markup. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../test/support/effort.ts'
import { inlineFacts } from './ixbrl.ts'

const HEADER = `<div style="display:none"><ix:header><ix:resources>
<xbrli:context id="c1"><xbrli:entity><xbrli:identifier scheme="x">1</xbrli:identifier>
<xbrli:segment><xbrldi:explicitMember dimension="ecd:IndividualAxis"> co:OneMember
</xbrldi:explicitMember><xbrldi:typedMember dimension="ecd:MeasureAxis"><ecd:d>1</ecd:d></xbrldi:typedMember></xbrli:segment></xbrli:entity>
<xbrli:period><xbrli:startDate>2022-10-01</xbrli:startDate><xbrli:endDate>2023-09-30</xbrli:endDate></xbrli:period></xbrli:context>
<xbrli:context id="c2"><xbrli:period><xbrli:instant>2023-09-30T00:00:00</xbrli:instant></xbrli:period></xbrli:context>
<xbrli:context id="c3"><xbrli:period><xbrli:forever/></xbrli:period></xbrli:context>
<xbrli:unit id="u"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>
<xbrli:unit id="p"><xbrli:divide><xbrli:unitNumerator><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unitNumerator>
<xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide></xbrli:unit>
</ix:resources></ix:header></div>`
const read = (body: string) =>
  inlineFacts(`<html><body>${HEADER}${body}</body></html>`, (name) => name.startsWith('a:'))
const number = (attributes: string, text: string) =>
  read(`<ix:nonFraction name="a:n" contextRef="c1" unitRef="u" ${attributes}>${text}</ix:nonFraction>`).facts[0]

test('computes a number exactly from its format, scale and sign', () => {
  const cases: [attributes: string, text: string, value: string | null][] = [
    ['format="ixt:numdotdecimal"', '74,609,802', '74609802'],
    ['format="ixt:num-dot-decimal" scale="6"', '391,035.5', '391035500000'],
    ['format="ixt:numdotdecimal" scale="-2"', '0.85', '0.0085'],
    ['format="ixt:numcommadecimal"', '1.234,5', '1234.5'],
    ['format="ixt:numdotdecimal" sign="-" scale="3"', '12', '-12000'],
    ['format="ixt:zerodash"', '—', '0'],
    ['format="ixt:fixed-zero" sign="-"', 'none', '0'],
    ['', '5', '5'],
    ['scale="-5"', '5', '0.00005'],
    ['xsi:nil="true"', '', null],
    ['format="ixt-sec:numwordsen"', 'Two', '2'],
    ['format="ixt-sec:numwordsen"', 'None', '0'],
    ['format="ixt-sec:numwordsen"', 'a dozen', null],
    ['format="ixt:numdotdecimal"', 'about 5', null],
    ['scale="99999"', '5', null],
  ]
  for (const [attributes, text, value] of cases) assert.equal(number(attributes, text)!.value, value, attributes + text)
  assert.match(number('format="ixt-sec:numwordsen"', 'a dozen')!.reason!, /not a number in the format/)
  assert.equal(number('xsi:nil="true"', '')!.reason, null)
})

test('a fact has the period and members of its context, and its unit', () => {
  const [fact] = read('<ix:nonFraction name="a:n" contextRef="c1" unitRef="p">5</ix:nonFraction>').facts
  assert.deepEqual(fact!.context, {
    start: '2022-10-01',
    end: '2023-09-30',
    members: { 'ecd:IndividualAxis': 'co:OneMember', 'ecd:MeasureAxis': '' },
  })
  assert.equal(fact!.unit, 'USD/shares')
  const [instant] = read('<ix:nonNumeric name="a:t" contextRef="c2">x</ix:nonNumeric>').facts
  assert.deepEqual([instant!.context.start, instant!.context.end, instant!.unit], [null, '2023-09-30', null])
})

test('reads nested facts and continued texts, leaves out excluded parts, and returns the spans of the content', () => {
  const html = `<html>${HEADER}<ix:nonNumeric name="a:block" contextRef="c1" continuedAt="k"><p>Tim&#160;<b>Cook</b>
    <ix:nonFraction name="a:n" contextRef="c1" unitRef="u">7</ix:nonFraction><ix:exclude>page 5</ix:exclude></p></ix:nonNumeric>
    between <ix:continuation id="k" continuedAt="k">and more</ix:continuation></html>`
  const { facts } = inlineFacts(html, () => true)
  assert.deepEqual(
    facts.map(({ name, value }) => [name, value]),
    [
      ['a:n', '7'],
      ['a:block', 'Tim Cook 7 and more'],
    ],
  )
  assert.deepEqual(
    facts[1]!.spans.map(({ start, end }) => html.slice(start, end).slice(0, 6)),
    ['<p>Tim', 'and mo'],
  )
})

test('boolean formats of the transformation registry give true and false', () => {
  const flag = (format: string) =>
    read(`<ix:nonNumeric name="a:f" contextRef="c1" format="${format}">☑</ix:nonNumeric>`).facts[0]!.value
  assert.deepEqual(['ixt:fixed-true', 'ixt-sec:booleanfalse', 'ixt:other'].map(flag), ['true', 'false', '☑'])
})

test('leaves out a fact whose context is missing or has no period, states the reason, and reads the other facts', () => {
  const { facts, problems } = read(
    ['c9', 'c3', 'c1'].map((of) => `<ix:nonNumeric name="a:t" contextRef="${of}">x</ix:nonNumeric>`).join(''),
  )
  assert.equal(facts.length, 1)
  assert.deepEqual(
    problems.map(({ reason }) => reason),
    ['has no period', 'there is no such context', 'there is no such context'],
  )
})

test('hostile documents are read in bounded time, whichever tags are never closed', async () => {
  const hostile = [
    '<ix:nonNumeric name="a:t" contextRef="c1">'.repeat(20_000),
    '<ix:continuation id="k" continuedAt="k">'.repeat(20_000),
    '</ix:nonNumeric>'.repeat(100_000),
    `<xbrli:context id="q">${'<x>'.repeat(100_000)}`,
    '<'.repeat(500_000),
    `<ix:nonFraction name="a:n" contextRef="c1">${'9'.repeat(500_000)}</ix:nonFraction>`,
  ]
  for (const body of hostile) {
    await assertQuick(body, () => read(body))
  }
})

test('leaves out and reports the facts after the first 100,000, more than any real document has', () => {
  const { facts, problems } = read('<ix:nonNumeric name="a:t" contextRef="c1">x</ix:nonNumeric>'.repeat(100_010))
  assert.equal(facts.length, 100_000)
  assert.match(problems.at(-1)!.reason, /more than 100000 facts/)
})
