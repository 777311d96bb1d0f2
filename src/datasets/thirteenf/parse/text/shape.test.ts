/** Text tables without aligned cells, and numbers and CUSIPs as filers wrote them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../../../test/support/effort.ts'
import { parseText } from '../text.ts'
import { nothingFound } from '../values.ts'
import { parseTextCover } from './cover.ts'
import { plainText } from './shape.ts'

const ROWS = [
  ['RED RIVER INC', 'COM', '037833100', '2,550', '30,000', 'SH', '', 'SOLE', '', '30,000', '0', '0'],
  ['OAK & ELM CO', 'CL A', '594918104', '1,944', '100,000', 'SH', 'PUT', 'DFND', '1,2', '0', '100,000', '0'],
]
const READ = [
  ['RED RIVER INC', 'COM', '037833100', '2550', '30000', null, 'SOLE', null, '30000', '0'],
  ['OAK & ELM CO', 'CL A', '594918104', '1944', '100000', 'Put', 'DFND', '1,2', '0', '100000'],
]

const read = (text: string, declared?: { entries: number | null; value: string | null }) => {
  const found = nothingFound()
  const lines = parseText(text, found, declared)
  return {
    found,
    lines,
    rows: lines.map(({ issuer, title, cusip, value, amount, putCall, discretion, managers, sole, shared }) => [
      issuer,
      title,
      cusip,
      value,
      amount,
      putCall,
      discretion,
      managers,
      sole,
      shared,
    ]),
  }
}
const table = (rows: readonly string[]) => ['<TABLE>', ...rows, '</TABLE>'].join('\n')
const quoted = (cells: readonly string[], sign: string) => cells.map((cell) => `"${cell}"`).join(sign)

test('cells are read like columns whatever sign separates them, in quotes or not, inside or outside of a table', () => {
  for (const sign of [
    '|',
    ' | ',
    ';',
    '\t',
    '~',
    '^',
    '!',
    ' - ',
    ':',
    '#',
    '§',
    '→',
    '│',
    ' -- ',
    ' — ',
    ' . . . ',
    '...',
    '\u0001',
  ]) {
    const rows = ROWS.map((cells) => cells.join(sign))
    assert.deepEqual(read(table(rows)).rows, READ, sign)
    assert.deepEqual(read(['List of Other Included Managers: NONE', '', ...rows].join('\n')).rows, READ, sign)
  }
  for (const sign of [',', ';', ' ', '|', '\t'])
    assert.deepEqual(read(table(ROWS.map((cells) => quoted(cells, sign)))).rows, READ, sign)
  const framed = ['+----+', '| Name | Class | CUSIP | Value | Shares |', '+----+', ...ROWS.map((cells) => `| ${cells.join(' | ')} |`), '+----+'] // biome-ignore format: one table
  assert.deepEqual(read(table(framed)).rows, READ)
})

test('distinguishes commas between cells from commas in numbers: blanks show the difference, or an equal number of cells in each row', () => {
  const whole = (row: (string | null)[]) => row.slice(0, 5)
  const of = (rows: readonly (readonly string[])[], sign: string) =>
    read(table(rows.map((cells) => cells.join(sign)))).rows.map(whole)
  for (const sign of [', ', ' , ', ' ,']) assert.deepEqual(of(ROWS, sign), READ.map(whole), sign)
  assert.deepEqual(read(table(ROWS.map((cells) => cells.map((cell) => `'${cell}'`).join(',')))).rows, READ)
  const three = [['A', 'COM', '037833100', '421', '10,000', 'SH'], ['B', 'COM', '594918104', '1,944', '20,000', 'SH']] // biome-ignore format: one table
  assert.deepEqual(
    of(three, ',').map((row) => row.slice(3)),
    [
      ['421', '10000'],
      ['1944', '20000'],
    ],
  )
  // `421,100,7` is either 421 and 100, or 421,100 and 7. Since this is ambiguous, nothing is read.
  const either = [['A', 'COM', '037833100', '421,100', '7', 'SH'], ['B', 'COM', '594918104', '1,944', '200,000', '5,000']] // biome-ignore format: one table
  assert.deepEqual(of(either, ','), [])
})

test('thousands separated by a blank are one number; kinds attached to an amount, and dashes as votes, are read', () => {
  const of = (rows: readonly string[]) => read(table(rows)).rows.map((row) => row.slice(2))
  const wide = (name: string, cusip: string, more: string) => `${name.padEnd(20)}COM     ${cusip}      ${more}`
  assert.deepEqual(
    of([
      wide('RED RIVER INC', '037833100', '2 550      30 000   SH   SOLE   30 000   0   0'),
      wide('OAK CO', '594918104', '1\u00a0944     100\u00a0000   SH   SOLE'),
    ]).map((row) => row.slice(0, 3)),
    [
      ['037833100', '2550', '30000'],
      ['594918104', '1944', '100000'],
    ],
  )
  // The value is 421, the amount is 100, and the last number is the votes of these 100 shares.
  assert.deepEqual(of([wide('RED RIVER INC', '037833100', '421 100  100')])[0]!.slice(0, 3), [
    '037833100',
    '421',
    '100',
  ])
  assert.deepEqual(of([wide('RED RIVER INC', '037833100', '2,550   30,000SH   SOLE   30,000   -0-   —')])[0], [
    '037833100',
    '2550',
    '30000',
    null,
    'SOLE',
    null,
    '30000',
    '0',
  ])
})

test('a price next to value and amount shows which is which, in any order, and is itself neither', () => {
  for (const numbers of [
    '85.00   30,000   2,550',
    '30,000   85.00   2,550',
    '2,550   85.00   30,000',
    '85.00   2,550   30,000',
    '30,000   85.00   2,550,000',
  ]) {
    const [row] = read(table([`RED RIVER INC   COM   037833100   ${numbers}   SH   SOLE`])).rows
    assert.deepEqual(row!.slice(3, 5), [numbers.endsWith('2,550,000') ? '2550000' : '2550', '30000'], numbers)
  }
})

test('without a total, the headings decide which number is the value', () => {
  const of = (heading: string) =>
    read(
      table([`${''.padEnd(40)}${heading}`, `${'RED RIVER INC'.padEnd(24)}COM  037833100      30,000      2,550  SH`]),
    ).rows[0]!.slice(3, 5)
  assert.deepEqual(of('   Shares      Value'), ['2550', '30000'])
  assert.deepEqual(of('    Value     Shares'), ['30000', '2550'])
  assert.deepEqual(of('   Number      Price'), ['30000', '2550'])
})

test('row numbers before names are not read as part of the names', () => {
  const rows = ['RED RIVER INC', 'OAK CO', '3 ELM CO'].map(
    (name, at) => `${at + 1}. ${name}   COM   ${['037833100', '594918104', '172967101'][at]}   2,550   30,000   SH`,
  )
  assert.deepEqual(
    read(table(rows)).rows.map(([name]) => name),
    ['RED RIVER INC', 'OAK CO', '3 ELM CO'],
  )
  assert.deepEqual(
    read(table(rows.slice(1))).rows.map(([name]) => name),
    ['2. OAK CO', '3. 3 ELM CO'],
  )
})

test('rows of dots between columns are read as blanks', () => {
  const rows = ROWS.map(
    ([name, title, cusip, value, amount]) =>
      `${name}.......${title}.....${cusip}....${value}....${amount}...SH....SOLE...${amount}...0...0`,
  )
  assert.deepEqual(
    read(table(rows)).rows.map((row) => row.slice(0, 5)),
    READ.map((row) => row.slice(0, 5)),
  )
})

test('a table in HTML is read by its cells, with cells that span columns, separate dollar signs, and lines within cells', () => {
  const cell = (text: string) => `<td align="right">&nbsp;${text.replace('&', '&amp;')}</td>`
  const html = (rows: string) =>
    `<html><body><p>FORM 13F</p><table border="1"><tr><th>Name</th><th>Class</th><th>CUSIP</th><th colspan=2>Value</th><th>Shares</th></tr>${rows}</table></body></html>`
  const rows = ROWS.map(
    ([name, title, cusip, ...more]) => `<tr>${[name!, title!, cusip!, '$', ...more].map(cell).join('')}</tr>`,
  )
  assert.deepEqual(read(html(rows.join('\n'))).rows, READ)
  const columns = ROWS[0]!.map((_, at) => `<td>${ROWS.map((row) => row[at] || '-').join('<br>')}</td>`).slice(0, 5)
  assert.deepEqual(
    read(html(`<tr>${columns.join('')}</tr>`)).rows.map((row) => row.slice(2, 5)),
    READ.map((row) => row.slice(2, 5)),
  )
})

test('reads the declared totals from the cover of a report in HTML', () => {
  const html =
    '<table><tr><td>Form 13F Information Table Entry Total:</td><td>2</td></tr><tr><td>Form 13F Information Table Value Total:</td><td>$4,494</td></tr></table>'
  const { declaredEntries, declaredValue } = parseTextCover(plainText(html), '13F-HR', nothingFound())
  assert.deepEqual([declaredEntries, declaredValue], [2, '4494'])
})

test('a CUSIP is recognized if it is split, in quotes or preceded by zeros, and a CUSIP that lost its zeros stays as filed', () => {
  const of = (cusip: string) =>
    read(
      table([
        `RED RIVER INC    COM    ${cusip.padEnd(14)} 2550   30000   SH   SOLE   30000   0   0`,
        'OAK & ELM CO     COM    594918104      1944   10000   SH   SOLE   10000   0   0',
      ]),
    ).lines[0]
  for (const cusip of [
    '037833-10-0',
    '037833-100',
    '03783310-0',
    '037833 10-0',
    '037833 - 10 - 0',
    '037833.10.0',
    '037833/10/0',
    '0378331 00',
    '037833 1 00',
    '0037833100',
    '000037833100',
    '"037833100"',
    "'037833100",
    '="037833100"',
    '#037833100',
    '(037833100)',
    '037833100*',
    '037833100,',
    '037_833_100',
    '037-833-10-0',
    '037 833 100',
    '037833‑10‑0',
    'CUSIP 037833100',
  ])
    assert.deepEqual(
      [of(cusip)?.cusip, of(cusip)?.value, of(cusip)?.issuer],
      ['037833100', '2550', 'RED RIVER INC'],
      cusip,
    )
  assert.deepEqual([of('2824100')?.cusip, of('2824100')?.cusipFlag], ['2824100', 'length'])
  // With a wrong check digit, the two words are not a CUSIP, nor is the first word alone.
  assert.notEqual(of('0378331 01')?.cusip, '0378331')
})

test('numbers with a fraction are rounded and reported; with three digits after a single point, the line is left out and reported', () => {
  const of = (value: string, amount: string) =>
    read(table([`RED RIVER INC    COM    037833100  ${value}   ${amount}   SH   SOLE   ${amount}   0   0`]))
  for (const [value, amount, whole, shares] of [
    ['2,550.30', '30,000.00', '2550', '30000'],
    ['2550.5', '30000', '2551', '30000'],
    ['2,999.99', '30,000.49', '3000', '30000'],
  ] as const) {
    const { lines, found } = of(value, amount)
    assert.deepEqual([lines[0]!.value, lines[0]!.amount, found.problems.length], [whole, shares, 1], value)
    assert.match(found.problems[0]!.reason, /rounded/)
  }
  assert.deepEqual(of("2'550", "30'000").rows[0]!.slice(3, 5), ['2550', '30000'])
  assert.deepEqual(of('2.55E+03', '3E+04').rows[0]!.slice(3, 5), ['2550', '30000'])
  const { lines, found } = of('2.550', '30.000')
  assert.deepEqual([lines.length, found.looked, found.problems.length], [0, 1, 1])
})

test('in a line that begins with the CUSIP, the name is read after the CUSIP', () => {
  const rows = ROWS.map(
    ([name, title, cusip, value, amount]) => `${cusip}  ${name}   ${title}   ${value}  ${amount}  SH`,
  )
  assert.deepEqual(
    read(rows.join('\n')).rows.map((row) => row.slice(0, 5)),
    READ.map((row) => row.slice(0, 5)),
  )
})

test('if far fewer lines than declared are read, further attempts ignore the tables, then go by CUSIPs alone; they count only if they reach the totals', () => {
  const declared = { entries: 2, value: '4494' }
  const outside = ROWS.map(
    ([name, title, cusip, value, amount]) => `${name}   ${title}   ${cusip}   ${value}  ${amount}  SH`,
  )
  const outsideOfTable = `${table(['1  28-1234  Another manager'])}\n${outside.join('\n')}`
  assert.equal(read(outsideOfTable).lines.length, 0)
  assert.equal(read(outsideOfTable, declared).lines.length, 2)
  const broken = table(
    ROWS.flatMap(([name, title, cusip, value, amount]) => [name!, title!, cusip!, value!, `${amount} SH`]),
  )
  const { rows, found } = read(broken, declared)
  assert.deepEqual(
    rows.map((row) => row.slice(0, 5)),
    READ.map((row) => row.slice(0, 5)),
  )
  assert.deepEqual(
    [found.read, found.problems.map(({ reason }) => reason.slice(0, 22))],
    [2, ['was read a second way,']],
  )
  // The declared totals do not agree with the lines, so nothing proves which numbers are values.
  assert.equal(read(broken, { entries: 2, value: '9999' }).lines.length, 0)
  assert.equal(read(broken, { entries: 9, value: '4494' }).lines.length, 0)
})

test('a record that is found by its CUSIP takes no words of the cover, the headings or a page above it into its name', () => {
  const declared = { entries: 2, value: '4494' }
  const [red, oak] = ROWS.map(([name, title, cusip, value, amount]) => [
    `${name}   ${title}   ${cusip}`,
    `    ${value}  ${amount} SH`,
  ])
  const cover = ['(thousands)', '', 'List of Other Included Managers: NONE']
  const heads = ['NAME OF ISSUER   TITLE OF CLASS   CUSIP   VALUE   SHARES']
  for (const above of [
    [...cover, '', '<TABLE>', '<S> <C>'],
    [...cover, ''],
    [...cover, ...heads],
    [...cover, '-----'],
  ])
    for (const between of [[], ['<PAGE>'], ['Page 2 of 3', '<PAGE>'], ['<PAGE>', 'Form 13F Information Table', '']])
      assert.deepEqual(
        read([...above, ...red!, ...between, ...oak!].join('\n'), declared).rows.map((row) => row.slice(0, 5)),
        READ.map((row) => row.slice(0, 5)),
        [...above, ...between].join(' | '),
      )
})

test('only the declared total shows that the columns of values and amounts are swapped', () => {
  const rows = table(
    ROWS.map(([name, title, cusip, value, amount]) => `${name}   ${title}   ${cusip}   ${amount}  ${value}  SH`),
  )
  const of = (value: string | null) => read(rows, { entries: 2, value }).rows.map((row) => row.slice(3, 5))
  const READS = [['2550', '30000'], ['1944', '100000']] // biome-ignore format: a table
  assert.deepEqual(of('4494'), READS)
  assert.deepEqual(
    [of('4495'), of('130000'), of(null)],
    [READS, READS.map((row) => row.toReversed()), READS.map((row) => row.toReversed())],
  )
})

test('a total in millions is converted to thousands, with the step to which it is rounded', () => {
  const of = (total: string) => {
    const { declaredValue, declaredStep } = parseTextCover(
      `Form 13F Information Table Value Total: ${total}`,
      '13F-HR',
      nothingFound(),
    )
    return [declaredValue, declaredStep]
  }
  assert.deepEqual(of('$6.2\n      (million)'), ['6200', 100])
  assert.deepEqual(of('$1,234 (in millions)'), ['1234000', 1000])
  assert.deepEqual(of('$1.5 billion'), ['1500000', 100_000])
  assert.deepEqual(of('$4,494\n   (thousands)'), ['4494', undefined])
})

test('tables of any shape are read in linear time', async () => {
  for (const part of ['| a ', '"a" ', 'a,', '<td>', '<tr><td>a', '<table>', '....', '&amp;', '037833-', '="', 'Red\n', '\n', '037833 100 ', '5, 10,', "1'000 "]) // biome-ignore format: one list
    await assertQuick(part, () => void read(part.repeat(40_000)), 40_000)
})

test('headings of cells show which column has the values, also if the shares stand first', () => {
  const rows = [
    ['RED INC', 'COM', '037833100', '5,000', '100'],
    ['OAK INC', 'COM', '594918104', '2,000', '50'],
  ]
  const html = (heads: string[]) =>
    `<table><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`
  const cells = (heads: string[]) => [heads, ...rows].map((row) => row.join('|')).join('\n')
  const valuesOf = (text: string) => read(text).lines.map(({ value, amount }) => [value, amount])
  const swapped = [
    ['100', '5000'],
    ['50', '2000'],
  ]
  const asIs = swapped.map(([value, amount]) => [amount, value])
  for (const shape of [html, cells]) {
    assert.deepEqual(valuesOf(shape(['Name of Issuer', 'Class', 'CUSIP', 'Shares', 'Value (x$1000)'])), swapped)
    assert.deepEqual(valuesOf(shape(['Name of Issuer', 'Class', 'CUSIP', 'No. of Shares', 'Market Value'])), swapped)
    assert.deepEqual(valuesOf(shape(['Name of Issuer', 'Class', 'CUSIP', 'Value (x$1000)', 'Shares or Prn Amt'])), asIs)
    // The columns of headings are unknown if there are fewer headings than cells in a row.
    assert.deepEqual(valuesOf(shape(['Name of Issuer', 'Class', 'Shares', 'Value'])), asIs)
  }
})
