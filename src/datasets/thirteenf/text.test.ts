/** Text tables of every shape that was met, each in the smallest form that shows it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseText } from './parse-text.ts'
import { parseTextCover } from './parse-textcover.ts'
import { nothingFound } from './parse-values.ts'

function lines(text: string) {
  const found = nothingFound()
  return { found, lines: parseText(text, found) }
}

const HEAD =
  '<S>              <C>      <C>         <C>         <C>         <C>    <C>      <C>       <C>              <C>         <C>       <C>'
const table = (...rows: string[]) =>
  lines(['<TABLE>', '<CAPTION>', 'Name of Issuer', HEAD, ...rows, '</TABLE>'].join('\n'))

const short = ({
  issuer,
  title,
  cusip,
  value,
  amount,
}: {
  issuer: string | null
  title: string | null
  cusip: string | null
  value: string | null
  amount: string | null
}) => [issuer, title, cusip, value, amount]

test('lines below a security share its name, title and CUSIP; a sum below them is no line', () => {
  const read = table(
    'American',
    '   Express Co.   Com      025816 10 9    234,782  17,225,400           X                4, 2, 17          17,225,400',
    '                                         108,967   7,994,634           X                4, 13, 17         7,994,634',
    '                                         -------',
    '                                         343,749',
    '                                         =======',
  )
  assert.deepEqual(read.lines.map(short), [
    ['American Express Co.', 'Com', '025816109', '234782', '17225400'],
    ['American Express Co.', 'Com', '025816109', '108967', '7994634'],
  ])
  assert.deepEqual(
    read.lines.map(({ discretion, managers, sole }) => [discretion, managers, sole]),
    [
      ['DFND', '4,2,17', '17225400'],
      ['DFND', '4,13,17', '7994634'],
    ],
  )
  assert.deepEqual([read.found.looked, read.found.read], [2, 2])
})

test('a name, a title and a list of managers go on below, and so do votes that were moved down', () => {
  const read = table(
    'American Stand   Com      029712 10 6    205,620   3,232,000           X                4, 8, 9, 11,      3,232,000',
    '  Companies                                                                             14, 15',
    'Torchmark Corp.  Com      891027 10 4      4,121      77,551           X                4, 1, 14,',
    '                                                                                        17                   77,551',
  )
  assert.deepEqual(
    read.lines.map(({ issuer, managers, sole }) => [issuer, managers, sole]),
    [
      ['American Stand Companies', '4,8,9,11,14,15', '3232000'],
      ['Torchmark Corp.', '4,1,14,17', '77551'],
    ],
  )
})

test('votes stand in the column that says whose they are', () => {
  const read = table(
    'Washington Post  Cl B     939640 10 8    516,852     894,304           X                4, 11, 14                             894,304',
  )
  const { sole, shared, none } = read.lines[0]!
  assert.deepEqual([sole, shared, none], [null, null, '894304'])
})

test('without a line of columns three votes are read, and an X that could mean anything is not', () => {
  const read = lines(
    'APPLE INC   COM   037833100   1215   2081   SH   SOLE   2081   0   0\nBANK CORP   COM   060505104   100   200   X   200\n',
  )
  assert.deepEqual(
    read.lines.map(({ kind, discretion, sole, shared, none }) => [kind, discretion, sole, shared, none]),
    [
      ['SH', 'SOLE', '2081', '0', '0'],
      [null, null, null, null, null],
    ],
  )
})

test('SH and PRN, puts and calls are told apart', () => {
  const read = lines(
    [
      'APPLE INC   COM            037833100   1215   2081   SH    PUT   SOLE   2081   0   0',
      'APPLE INC   COM            037833100   1215   2081   SH    CALL  SOLE   2081   0   0',
      'SOME CORP   NOTE 2% 12/0   037833AA0   1000   1000   PRN         SOLE   1000   0   0',
    ].join('\n'),
  )
  assert.deepEqual(
    read.lines.map(({ kind, putCall }) => [kind, putCall]),
    [
      ['SH', 'Put'],
      ['SH', 'Call'],
      ['PRN', null],
    ],
  )
})

test('tabs are gaps, and amounts may have a fraction of noughts', () => {
  const read = lines('APPLE INC\tCOM\t037833100\t$1,215.00\t2081.0\tSH\tSOLE\t\t2,081.00\t0\t0')
  assert.deepEqual(read.lines.map(short), [['APPLE INC', 'COM', '037833100', '1215', '2081']])
  assert.deepEqual([read.lines[0]!.sole, read.found.looked, read.found.read], ['2081', 1, 1])
})

test('a CUSIP that lost its leading nought is read where its check digit holds, and is flagged; other eight digits are none', () => {
  const of = (cusip: string) =>
    lines(`APPLE COMPUTER INC   COM   ${cusip}    1,215     2,081  SH  SOLE   2081  0  0`).lines
  assert.deepEqual(
    of('37833100').map(({ issuer, cusip, cusipFlag: flag }) => [issuer, cusip, flag]),
    [['APPLE COMPUTER INC', '37833100', 'length']],
  )
  assert.deepEqual(of('37833101'), [])
  // In three parts it is one for its form.
  assert.equal(of('37833 10 0')[0]!.cusip, '37833100')
  assert.deepEqual(lines('     37833100    1,215     2,081').lines, [])
})

test('a line with a CUSIP that cannot be read is counted, with its text, and never guessed', () => {
  const read = table(
    'Block H & R      Com      093671105      n/a       1,000',
    'Coca Cola        Com      191216 10 0     19,184     400,000           X                4, 14               400,000',
  )
  assert.deepEqual([read.lines.length, read.found.looked, read.found.read], [1, 2, 1])
  assert.match(read.found.problems[0]!.value, /^Block H & R/)
})

test('an X is no discretion where sole and shared have one column', () => {
  const merged = HEAD.replace(
    '<C>    <C>      <C>       <C>              <C>',
    '<C>            <C>       <C>              <C>',
  )
  const row =
    'Coca Cola        Com      191216 10 0     19,184     400,000           X                4, 14               400,000'
  const read = lines(['<TABLE>', merged, row, '</TABLE>'].join('\n'))
  assert.deepEqual([read.lines[0]!.discretion, read.lines[0]!.managers, read.lines[0]!.sole], [null, '4,14', '400000'])
})

test('what stands under other columns in the same table goes on with nothing above', () => {
  const read = table(
    'Coca Cola        Com      191216 10 0     19,184     400,000           X                4, 14               400,000',
    '<S>              <C>            <C>',
    '  Company        5, 11, 13      400,000',
  )
  assert.deepEqual(
    read.lines.map(({ issuer, managers }) => [issuer, managers]),
    [['Coca Cola', '4,14']],
  )
})

test('a second security below one of the same issuer has its name', () => {
  const read = table(
    'Sealed Air       Com      81211K 10 0     42,103   2,492,800           X                4, 11, 14         2,492,800',
    '                 PFD CVA  81211K 20 9     15,499     679,500           X                4, 11, 14           679,500',
    '                 Com      191216 10 0     19,184     400,000           X                4, 14               400,000',
  )
  assert.deepEqual(
    read.lines.map(({ issuer, title }) => [issuer, title]),
    [
      ['Sealed Air', 'Com'],
      ['Sealed Air', 'PFD CVA'],
      [null, 'Com'],
    ],
  )
})

test('a heading of a section is no part of a name', () => {
  const read = table(
    'COMMON STOCK',
    'Coca Cola        Com      191216 10 0     19,184     400,000           X                4, 14               400,000',
  )
  assert.equal(read.lines[0]!.issuer, 'Coca Cola')
})

const UPPER = [
  '<S>                      <C>     <C>           <C>         <C>          <C>    <C>     <C>',
  'American Express Co.     Com     025816 10 9      720,194   17,225,400            X',
  '                                                  334,256    7,994,634            X',
  'Federal National Mortgage',
  '  Assoc.                 Com     313586 10 9      410,861    5,580,500            X',
  '                                                ---------',
  '                                                1,465,311',
]
const LOWER = [
  '<CAPTION>',
  'Column 1                 Column 7                   Column 8',
  '<S>                      <C>                     <C>         <C>      <C>',
  'American Express Co.     5, 2, 6, 13             17,225,400',
  '                         5, 10,                   7,900,000   94,634',
  '                         13',
  'Federal National Mortgage',
  ' Assoc.                  4, 11, 14                5,580,500',
]
const tailsOf = (of: ReturnType<typeof lines>) =>
  of.lines.map(({ managers, sole, shared, none }) => [managers, sole, shared, none])
const UNKNOWN = [null, null, null, null]

test('a table cut in two gives its lines the managers and votes of its lower half, in the same table or the next', () => {
  for (const between of [[], ['</TABLE>', '<PAGE>', '<TABLE>']]) {
    const read = lines(['<TABLE>', ...UPPER, ...between, ...LOWER, '</TABLE>'].join('\n'))
    assert.deepEqual(tailsOf(read), [
      ['5,2,6,13', '17225400', null, null],
      ['5,10,13', '7900000', '94634', null],
      ['4,11,14', '5580500', null, null],
    ])
    assert.deepEqual([read.found.problems, read.found.looked, read.found.read], [[], 3, 3])
  }
})

test('a lower half may say whose discretion it is; the names of votes alone are enough', () => {
  const upper = ['<S>              <C>     <C>           <C>        <C>', 'Nucor Corp.      Com     670340 10 5     63,395   1,267,900'] // biome-ignore format: one line
  const read = (...rows: string[]) =>
    lines(['<TABLE>', ...upper, '</TABLE>', '<TABLE>', ...rows, '</TABLE>'].join('\n')).lines.map((line) => [
      ...[line.discretion, line.managers, line.sole, line.shared, line.none],
    ])
  assert.deepEqual(
    read(
      '<S>              <C>    <C>     <C>     <C>          <C>         <C>       <C>',
      'Nucor Corp.               X             4, 11, 14    1,267,900',
    ),
    [['DFND', '4,11,14', '1267900', null, null]],
  )
  assert.deepEqual(
    read('<S>              <C>         <C>       <C>', 'Nucor Corp.                            1,267,900'),
    [[null, null, null, null, '1267900']],
  )
})

test('a lower half that has a row less, another name, or votes that are not the shares is not joined, and says why', () => {
  for (const [part, by, reason] of [
    [
      '                         5, 10,                   7,900,000   94,634',
      '',
      /^are not as many as the lines above$/,
    ],
    [
      ' Assoc.  ',
      ' Asset.  ',
      /^row 3 is of Federal National Mortgage Asset\. and no Federal National Mortgage Assoc\.$/,
    ],
    ['American Express Co.     5', '                         5', /^row 1 is of no name/],
    ['94,634', '94,635', /^row 2 has other votes than shares$/],
  ] as const) {
    const lower = LOWER.join('\n')
    assert.ok(lower.includes(part))
    const read = lines(['<TABLE>', ...UPPER, lower.replace(part, by), '</TABLE>'].join('\n'))
    assert.deepEqual(tailsOf(read), [UNKNOWN, UNKNOWN, UNKNOWN])
    assert.deepEqual(
      read.found.problems.map(({ path }) => path),
      ['text table, managers and votes'],
    )
    assert.match(read.found.problems[0]!.reason, reason)
  }
})

test('managers and votes that were moved against their holdings belong to none, from there on, and are told', () => {
  const read = table(
    'Citigroup        Com      172967 10 1      9,117     142,736           X                4, 1, 2, 6,                  142,736',
    '                                                                                        11, 14',
    'Gardner                                                                                 4, 11, 14                      3,229',
    ' Denver                                                                                 4, 8, 9, 11,               4,000,000',
    ' Inc.            Com      365558 10 5      3,229     203,400           X                14, 15',
    'Great Lakes      Com      390568 10 3    147,000   4,000,000           X                4, 11, 14                    122,500',
  )
  assert.deepEqual(
    read.lines.map(({ issuer, managers, sole, shared, none }) => [issuer, managers, sole ?? shared ?? none]),
    [
      ['Citigroup', '4,1,2,6,11,14', '142736'],
      ['Gardner Denver Inc.', null, null],
      ['Great Lakes', null, null],
    ],
  )
  assert.match(read.found.problems[0]!.reason, /^stand on other lines than their holdings/)
  assert.equal(read.found.problems.length, 1)
})

test('managers and votes go on below a rule for the total', () => {
  const read = table(
    'US Bancorp       Com      911596 10 4      4,161     216,132           X                4, 1, 2, 6,',
    '                                      ----------                                        11, 14                       216,132',
  )
  assert.deepEqual(
    read.lines.map(({ managers, sole, shared, none }) => [managers, sole ?? shared ?? none]),
    [['4,1,2,6,11,14', '216132']],
  )
})

test('text without any table gives nothing, and says so', () => {
  const read = lines('The manager holds nothing that must be reported, 12 times 1,000.')
  assert.deepEqual([read.lines, read.found.looked], [[], 0])
})

const COVER = `
THIS FILING LISTS SECURITIES HOLDINGS REPORTED ON THE FORM 13F FILED ON FEBRUARY
14, 2003 PURSUANT TO A REQUEST FOR CONFIDENTIAL TREATMENT AND FOR WHICH
CONFIDENTIAL TREATMENT IS NO LONGER WARRANTED.
                              Form 13F COVER PAGE
Report for the Calendar Year or Quarter Ended: December 31, 2002
Check here if Amendment [ X ]; Amendment Number:               3
  This Amendment (Check only one.):           [   ]  is a restatement.
                                              [ X ]  adds new holdings entries.
`

test('an amendment in text says what was confidential, since when and why', () => {
  const found = nothingFound()
  const read = parseTextCover(COVER, '13F-HR/A', found)
  assert.deepEqual(
    [read.period, read.amendmentNo, read.amendmentType, read.confidentialEnded, read.dateReported, read.reasonEnded],
    ['2002-12-31', 3, 'new_holdings', true, '2003-02-14', 'CONFIDENTIAL TREATMENT IS NO LONGER WARRANTED'],
  )
  assert.deepEqual(found.problems, [])
})

test('an amendment with both boxes or none says neither, with a problem', () => {
  for (const boxes of [
    ['[   ]', '[ X ]'],
    ['[ X ]', '[   ]'],
  ] as const) {
    const found = nothingFound()
    const text = COVER.replaceAll(boxes[0], boxes[1])
    assert.equal(parseTextCover(text, '13F-HR/A', found).amendmentType, null)
    assert.equal(found.problems.length, 1)
  }
})

test('a day that there is not is null', () => {
  const text = COVER.replace('December 31, 2002', 'February 30, 2002')
  assert.equal(parseTextCover(text, '13F-HR/A', nothingFound()).period, null)
})

test("of several covers the first is the filing's: boxes of a manager included in it say nothing", () => {
  const open = COVER.replaceAll('[ X ]', '[   ]')
  const read = parseTextCover(open + COVER, '13F-HR', nothingFound())
  assert.equal(read.amendmentType, null)
})
