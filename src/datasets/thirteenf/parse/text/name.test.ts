/** Names of several lines in text tables, and the rows that they belong to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseText } from '../text.ts'
import { nothingFound } from '../values.ts'

const HEAD = '<S>                   <C>      <C>         <C>         <C>           <C>  <C>  <C>         <C>      <C>'
const CUSIPS = ['037833100', '594918104', '67066G104', '172967101', '191216100']

/** Returns a row of a table; `at` is its index among the rows. */
const row = (name: string, at: number, title = 'Common') =>
  `${name.padEnd(22)}${title.padEnd(9)}${CUSIPS[at]!.padEnd(12)}${`${at + 1},000`.padStart(9)}  ${`${at + 2}0,000`.padStart(11)}    SH        Sole`

function namesOf(rows: readonly string[], head = HEAD) {
  const found = nothingFound()
  const lines = parseText(['<TABLE>', '<CAPTION>', 'Name of Issuer', head, ...rows, '</TABLE>'].join('\n'), found)
  return { names: lines.map(({ issuer }) => issuer), found, lines }
}

test('a line right below numbers belongs to the row above, a line after a blank line to the row below', () => {
  const below = [row('Red', 0), 'River', '', row('Oak', 1), 'Forest', '', row('Blue', 2), 'Lake', 'Works', '', row('Elm', 3)] // biome-ignore format: one table
  assert.deepEqual(namesOf(below).names, ['Red River', 'Oak Forest', 'Blue Lake Works', 'Elm'])
  const above = ['Red', row('River', 0), '', 'Oak', 'Grove', row('Forest', 1), '', row('Elm', 2)]
  assert.deepEqual(namesOf(above).names, ['Red River', 'Oak Grove Forest', 'Elm'])
  const both = ['Red', row('River', 0), 'Works', '', 'Oak', row('Forest', 1), 'Mill', '', row('Elm', 2)]
  assert.deepEqual(namesOf(both).names, ['Red River Works', 'Oak Forest Mill', 'Elm'])
})

test('a line right below the last numbers belongs to them if lines right below other numbers belong to those numbers', () => {
  const both = ['Red', row('River', 0), 'Works', '', 'Oak', row('Forest', 1), 'Mill']
  assert.deepEqual(namesOf(both).names, ['Red River Works', 'Oak Forest Mill'])
  const above = [row('Elm', 0), 'Red River', row('Inc.', 1), 'Oak', row('Corp.', 2), 'Printed on paper']
  assert.deepEqual(namesOf(above).names, ['Elm', 'Red River Inc.', 'Oak Corp.'])
})

test('without blank lines, words decide: words such as Inc end a name, and words that never begin a name continue it', () => {
  const below = [row('Red River', 0), 'Holdings Inc', row('Oak Forest', 1), 'Mill Corp', row('Elm', 2)]
  assert.deepEqual(namesOf(below).names, ['Red River Holdings Inc', 'Oak Forest Mill Corp', 'Elm'])
  const above = [row('Red Inc.', 0), 'Oak', 'Forest,', row('Inc.', 1), 'Blue', row('Company', 2), row('Elm Ltd', 3)]
  assert.deepEqual(namesOf(above).names, ['Red Inc.', 'Oak Forest, Inc.', 'Blue Company', 'Elm Ltd'])
  const parted = [row('Red Co.', 0), 'Wood-', 'land', row('Group', 1), row('Elm', 2), 'and Ash', row('Fir', 3)]
  assert.deepEqual(namesOf(parted).names, ['Red Co.', 'Wood-land Group', 'Elm and Ash', 'Fir'])
})

test('indentation decides which lines belong to one name, whatever the margin of the table is', () => {
  for (const margin of ['', '  ']) {
    const of = (...rows: string[]) =>
      namesOf(
        rows.map((line) => margin + line),
        margin + HEAD,
      ).names
    assert.deepEqual(of(row('Red', 0), ' River', row('Oak', 1), ' Forest', ' Mill', row('Elm', 2), ' Grove'), [
      'Red River',
      'Oak Forest Mill',
      'Elm Grove',
    ])
    assert.deepEqual(of(row('Elm', 0), 'Red', row(' River', 1), 'Oak', ' Forest', row(' Mill', 2)), [
      'Elm',
      'Red River',
      'Oak Forest Mill',
    ])
  }
})

test('a line without evidence is assigned like the other lines of the text', () => {
  const above = ['Red', row('Inc.', 0), 'Blue', row('Lake', 1), 'Oak', row('Corp.', 2)]
  assert.deepEqual(namesOf(above).names, ['Red Inc.', 'Blue Lake', 'Oak Corp.'])
  const below = [row('Red', 0), 'Corp.', row('Blue', 1), 'Lake', row('Oak', 2), 'Corp.', row('Elm', 3)]
  assert.deepEqual(namesOf(below).names, ['Red Corp.', 'Blue Lake', 'Oak Corp.', 'Elm'])
})

test('if a line could belong to two rows, the name in another row with the same CUSIP decides', () => {
  const again = row('Blue Lake', 1).replace('2,000', '7,000')
  const { names, found } = namesOf([row('Red', 0), 'Blue', row('Lake', 1), row('Elm', 2), again])
  assert.deepEqual([names, found.problems], [['Red', 'Blue Lake', 'Elm', 'Blue Lake'], []])
})

test('if nothing decides to which of two rows a line belongs, both rows lose their names, the line is reported, and other rows keep theirs', () => {
  const { names, found, lines } = namesOf([row('Red', 0), 'Blue', row('Lake', 1), row('Elm', 2)])
  assert.deepEqual(names, [null, null, 'Elm'])
  assert.deepEqual(
    found.problems.map(({ path, value, reason }) => [path, value, /above or below/.test(reason)]),
    [['text table, name', 'Blue', true]],
  )
  assert.deepEqual(
    lines.map(({ value }) => value),
    ['1000', '2000', '3000'],
  )
  // Half of the names continue below their numbers, and half begin above them.
  assert.deepEqual(
    namesOf([row('Red', 0), 'Corp.', row('Blue', 1), 'Grey', row('Lake', 2), 'Oak', row('Inc.', 3)]).names,
    ['Red Corp.', null, null, 'Oak Inc.'],
  )
})

test('no name continues across a total, a rule, a heading or a new line of columns', () => {
  for (const between of ['               SUBTOTAL       9,999', '-----------------', 'COMMON STOCK', HEAD])
    assert.deepEqual(
      namesOf([row('Red', 0), 'River', between, 'Blue', row('Lake', 1), row('Elm Co.', 2)]).names.slice(1),
      ['Blue Lake', 'Elm Co.'],
      between,
    )
})

test('a list of managers that begins above the row of its holding belongs to that holding', () => {
  const head = [0, 14, 23, 35, 46, 57, 61, 65, 70, 90, 102, 110].map((at, n) => [at, n === 0 ? '<S>' : '<C>'] as const)
  const put = (...words: (readonly [number, string])[]) =>
    words.reduce((line, [at, word]) => line.padEnd(at) + word, '')
  const of = (name: string, cusip: string, managers: string) =>
    put([0, name], [14, 'Com'], [23, cusip], [37, '1,000'], [48, '20,000'], [61, 'X'], [70, managers], [92, '20,000'])
  const { lines } = namesOf(
    [of('Red Inc.', CUSIPS[0]!, '5, 16'), put([0, 'Blue'], [70, '5, 10, 11,']), of('Lake Co.', CUSIPS[1]!, '17')],
    put(...head),
  )
  assert.deepEqual(
    lines.map(({ issuer, managers }) => [issuer, managers]),
    [
      ['Red Inc.', '5,16'],
      ['Blue Lake Co.', '5,10,11,17'],
    ],
  )
})

test('an X means the discretion of the nearest heading above it, and is not read if two headings are equally near', () => {
  const heads = [
    '                                              (a)  Shared-   Shared-    Other',
    'Name          Title    CUSIP       Value Shares Sole  Defined   Other    Managers   Sole  Shared None',
  ]
  const of = (column: number) =>
    parseText(
      [
        '<TABLE>',
        '<CAPTION>',
        ...heads,
        '<S>           <C>      <C>         <C>   <C>',
        `${'Red Inc.      Com      037833100   1,000 20,000'.padEnd(column)}X`,
        '</TABLE>',
      ].join('\n'),
      nothingFound(),
    )[0]!.discretion
  assert.deepEqual([of(50), of(57), of(67), of(53)], ['SOLE', 'DFND', 'OTR', null])
})

test('a name wider than its column is one name, above or below a row that has only numbers', () => {
  const names = ['ALDER PARTS HOLDINGS INC', 'BIRCH CAPITAL AGENCY CORP', 'CEDAR TOWER']
  assert.deepEqual(namesOf(names.flatMap((name, at) => [name, row('', at)])).names, names)
  assert.deepEqual(namesOf(names.flatMap((name, at) => [row('', at), name, ''])).names, names)
})

test('a line between numbers and a rule as wide as the table belongs to the numbers above', () => {
  const rule = '-'.repeat(90)
  const rows = [row('ALDER PARTS', 0), 'HOLDINGS INC', rule, row('BIRCH CAPITAL', 1), 'AGENCY CORP', rule, row('ELM', 2)] // biome-ignore format: one table
  assert.deepEqual(namesOf(rows).names, ['ALDER PARTS HOLDINGS INC', 'BIRCH CAPITAL AGENCY CORP', 'ELM'])
  // A short rule is the line below a heading, so `ENERGY` is not part of a name.
  assert.deepEqual(namesOf([row('ALDER', 0), 'ENERGY', '------', row('BIRCH', 1)]).names, ['ALDER', 'BIRCH'])
})

test('a blank line ends a name also below a row that has only numbers and shares the name with the row above', () => {
  const again = row('', 0).replace(CUSIPS[0]!, '         ')
  const rows = [row('ALDER PARTS', 0), again, 'HOLDINGS INC', '', row('BIRCH CAPITAL', 1), 'AGENCY CORP', '', row('ELM', 2)] // biome-ignore format: one table
  assert.deepEqual(namesOf(rows).names, [
    'ALDER PARTS HOLDINGS INC',
    'ALDER PARTS HOLDINGS INC',
    'BIRCH CAPITAL AGENCY CORP',
    'ELM',
  ])
})

test('in a table without a line of columns, the first name may have several lines like the others', () => {
  const rows = ['ALDER', 'PARTS', row('HOLDINGS INC', 0), '', 'BIRCH', 'CAPITAL', row('AGENCY CORP', 1), '', row('ELM', 2)] // biome-ignore format: one table
  const lines = parseText(['<TABLE>', ...rows, '</TABLE>'].join('\n'), nothingFound())
  assert.deepEqual(
    lines.map(({ issuer }) => issuer),
    ['ALDER PARTS HOLDINGS INC', 'BIRCH CAPITAL AGENCY CORP', 'ELM'],
  )
})
