/** Text tables of every known shape, each in the smallest form that shows it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../../test/support/effort.ts'
import { parseText } from './text.ts'
import { nothingFound } from './values.ts'

function lines(text: string) {
  const found = nothingFound()
  return { found, lines: parseText(text, found) }
}

const HEAD =
  '<S>              <C>      <C>         <C>         <C>         <C>    <C>      <C>       <C>              <C>         <C>       <C>'
const table = (...rows: string[]) =>
  lines(['<TABLE>', '<CAPTION>', 'Name of Issuer', HEAD, ...rows, '</TABLE>'].join('\n'))

const COCA_COLA =
  'Coca Cola        Com      191216 10 0     19,184     400,000           X                4, 14               400,000'

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

test('lines below a security share its name, title and CUSIP; a sum below them is not read as a line', () => {
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

test('an amount of more than 13 digits is null with the reason, since sums of such amounts have no room', () => {
  const { lines, found } = table(
    'Coca Cola        Com      191216 10 0     19,184  40000000000000           X                4, 14               400,000',
    COCA_COLA,
  )
  assert.deepEqual(
    lines.map(({ value, amount }) => [value, amount]),
    [
      ['19184', null],
      ['19184', '400000'],
    ],
  )
  assert.deepEqual(found.problems, [
    { path: 'text table, amount', value: '40000000000000', reason: 'has more than 13 digits' },
  ])
})

test('several headings of sectors are not parts of names; a single heading of a sector, or one below a row, may be a part of one', () => {
  const row = (name: string, cusip: string) =>
    `${name.padEnd(17)}Com      ${cusip}     19,184     400,000           X                4, 14               400,000`
  const [coke, apple] = [row('Coca Cola Co', '191216 10 0'), row('Apple Inc', '037833 10 0')]
  const names = (...rows: string[]) => table(...rows).lines.map(({ issuer }) => issuer)
  for (const heading of ['TECHNOLOGY', 'Oil & Gas:', 'Health Care'])
    assert.deepEqual(names('CONSUMER STAPLES', coke, '', heading, apple), ['Coca Cola Co', 'Apple Inc'], heading)
  assert.deepEqual(names(coke, '', 'Technology', apple), ['Coca Cola Co', 'Technology Apple Inc'])
  assert.deepEqual(names(row('Duke', '26441C 20 4'), '   Energy', row('Seagate', 'G7945J 10 4'), '   Technology'), [
    'Duke Energy',
    'Seagate Technology',
  ])
})

test('a name, a title and a list of managers may continue on the next line, and so may votes that were moved down', () => {
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

test('the column of a vote decides whether it is sole, shared or none', () => {
  const read = table(
    'Washington Post  Cl B     939640 10 8    516,852     894,304           X                4, 11, 14                             894,304',
  )
  const { sole, shared, none } = read.lines[0]!
  assert.deepEqual([sole, shared, none], [null, null, '894304'])
})

test('headings decide which kind of votes a column states, if they are fewer than three or in another order', () => {
  const COLUMNS = '<S>         <C>    <C>         <C>      <C>      <C>  <C>  <C>     <C>      <C>      <C>      <C>'
  const NAMES = 'Issuer      Class  CUSIP       Value    Shares   SH   Opt  Discr   Mgr      '
  const APPLE = 'APPLE INC   COM    037833100   1,215    20,810   SH        SOLE    4        '
  const votes = (heads: string, row: string, columns = COLUMNS) => {
    const text = ['<TABLE>', '<CAPTION>', NAMES + heads, columns, APPLE + row, '</TABLE>']
    const { managers, sole, shared, none } = lines(text.join('\n')).lines[0]!
    return [managers, sole, shared, none]
  }
  const of = (count: number) => COLUMNS.slice(0, NAMES.length + count * 9 - 6)
  assert.deepEqual(votes('Sole', '20,810', of(1)), ['4', '20810', null, null])
  assert.deepEqual(votes('Sole     None', '20,000   810', of(2)), ['4', '20000', null, '810'])
  assert.deepEqual(votes('None     Shared   Sole', '10       0        20,800'), ['4', '20800', '0', '10'])
  assert.deepEqual(votes('None     Shared   Sole', '10       0        20,800', ''), ['4', '20800', '0', '10'])
  // Headings decide nothing if two of them stand over one column, or if they do not reach the last column.
  assert.deepEqual(votes('Sole None', '20,000   0        810'), ['4', '20000', '0', '810'])
  assert.deepEqual(votes('None     Sole', '20,000   0        810'), ['4', '20000', '0', '810'])
})

test('without a line of columns, votes are read if there are three, and an ambiguous X is not read', () => {
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

test('distinguishes SH from PRN, and puts from calls', () => {
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

test('tabs separate columns, and amounts may have a fraction of zeros', () => {
  const read = lines('APPLE INC\tCOM\t037833100\t$1,215.00\t2081.0\tSH\tSOLE\t\t2,081.00\t0\t0')
  assert.deepEqual(read.lines.map(short), [['APPLE INC', 'COM', '037833100', '1215', '2081']])
  assert.deepEqual([read.lines[0]!.sole, read.found.looked, read.found.read], ['2081', 1, 1])
})

test('eight digits are a CUSIP without its leading zero, flagged, only if the check digit fits and they stand in the column of CUSIPs', () => {
  const MICROSOFT = 'MICROSOFT CORP       COM   594918104   9,215     5,081  SH  SOLE   5081  0  0'
  const of = (cusip: string, ...more: string[]) =>
    lines([`APPLE COMPUTER INC   COM   ${cusip}   1,215     2,081  SH  SOLE   2081  0  0`, ...more].join('\n')).lines
  for (const cusip of ['37833100 ', ' 37833100']) {
    assert.deepEqual(
      of(cusip, MICROSOFT).map(({ issuer, cusip: read, cusipFlag: flag }) => [issuer, read, flag]),
      [
        ['APPLE COMPUTER INC', '37833100', 'length'],
        ['MICROSOFT CORP', '594918104', null],
      ],
    )
    assert.deepEqual(of(cusip), [], 'no other CUSIP')
    assert.deepEqual(of(cusip, `     ${MICROSOFT}`).length, 1, 'another CUSIP elsewhere')
  }
  assert.equal(of('37833101 ', MICROSOFT).length, 1)
  // A number that is split in three parts like this has the form of a CUSIP.
  assert.equal(of('37833 10 0')[0]!.cusip, '37833100')
  assert.deepEqual(lines(`     37833100    1,215     2,081\n${MICROSOFT}`).lines.length, 1)
  const inColumns = (row: string) => table(COCA_COLA, row).lines.map(({ cusip }) => cusip)
  assert.deepEqual(
    inColumns(
      'Apple            Com      37833100          1,215       2,081           X                4, 14                 2,081',
    ),
    ['191216100', '37833100'],
  )
  assert.deepEqual(inColumns('Apple            37833100   1,215   2,081'), ['191216100'], 'not in the column of CUSIPs')
})

test('a total of eight digits that passes as a CUSIP is not a holding, and the lines below do not belong to it', () => {
  const read = lines(
    [
      'MICROSOFT CORP       COM  594918104   921500   508100   508100 0 0',
      '    Total common           10000008   900000   900000   0      0',
    ].join('\n'),
  )
  assert.deepEqual(
    read.lines.map(({ cusip }) => cusip),
    ['594918104'],
  )
})

test('a line with a CUSIP that cannot be read is counted, with its text, and never guessed', () => {
  const read = table(
    'Block H & R      Com      093671105      n/a       1,000',
    'Coca Cola        Com      191216 10 0     19,184     400,000           X                4, 14               400,000',
  )
  assert.deepEqual([read.lines.length, read.found.looked, read.found.read], [1, 2, 1])
  assert.match(read.found.problems[0]!.value, /^Block H & R/)
})

test('an X is not read as discretion if sole and shared have one column', () => {
  const merged = HEAD.replace(
    '<C>    <C>      <C>       <C>              <C>',
    '<C>            <C>       <C>              <C>',
  )
  const row =
    'Coca Cola        Com      191216 10 0     19,184     400,000           X                4, 14               400,000'
  const read = lines(['<TABLE>', merged, row, '</TABLE>'].join('\n'))
  assert.deepEqual([read.lines[0]!.discretion, read.lines[0]!.managers, read.lines[0]!.sole], [null, '4,14', '400000'])
})

test('text below a new line of columns in the same table does not continue the line above it', () => {
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

test('a second security without a name gets the name above only if its CUSIP has the same issuer', () => {
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

test('a heading of a section is not read as part of a name', () => {
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

test('if a table was cut in two, its lines get the managers and votes of the lower half, which may be in the same table or in the next', () => {
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

test('a lower half may state the discretion, and may have only names and votes', () => {
  const upper = ['<S>              <C>     <C>           <C>        <C>', 'Nucor Corp.      Com     670340 10 5     63,395   1,267,900'] // biome-ignore format: a table
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

test('a lower half with a missing row, another name, or votes that do not add up is not joined, and the problem says why', () => {
  for (const [part, by, reason] of [
    [
      '                         5, 10,                   7,900,000   94,634',
      '',
      /^are not as many as the lines above$/,
    ],
    [
      ' Assoc.  ',
      ' Asset.  ',
      /^row 3 is of Federal National Mortgage Asset\. and not Federal National Mortgage Assoc\.$/,
    ],
    ['American Express Co.     5', '                         5', /^row 1 is of no name/],
    ['94,634', '94,635', /^row 2 has votes that do not add up to its shares$/],
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

test('managers and votes that are shifted against their holdings are null from there on, and are reported', () => {
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
  assert.match(read.found.problems[0]!.reason, /^are on other lines than their holdings/)
  assert.equal(read.found.problems.length, 1)
})

test('votes of other lines stay correct next to a line that is not read, such as a total or a line without a value', () => {
  for (const row of [
    'Block H & R      Com      093671 10 5         --       1,000           X                4, 14                 1,000',
    'Block H & R      Com      093671 10 5    (1,234)       1,000           X                4, 14                 1,000',
    'Block H & R      Com      N/A         1,234            1,000           X                4, 14                 1,000',
    'GRAND TOTAL                               1,234    SH    19,678   180    4460',
  ]) {
    const read = table(COCA_COLA, row, COCA_COLA)
    assert.deepEqual(
      read.lines.map(({ managers, sole }) => [managers, sole]),
      [
        ['4,14', '400000'],
        ['4,14', '400000'],
      ],
      row,
    )
    assert.deepEqual(
      read.found.problems.filter(({ path }) => path === 'text table, managers and votes'),
      [],
      row,
    )
  }
})

test('a total without a CUSIP is not a holding; a new name at the margin without a CUSIP is a holding without CUSIP', () => {
  const read = lines(
    [
      'APPLE INC        COM   037833100   1,234   5,678',
      'CISCO FUND COM                     2,345   6,789',
      'GRAND TOTAL                        3,579  12,467',
      'BANK OF AMER     COM   060505104   1,234   5,678',
      'Corp. Del                          2,345   6,789',
    ].join('\n'),
  )
  assert.deepEqual(read.lines.map(short), [
    ['APPLE INC', 'COM', '037833100', '1234', '5678'],
    ['CISCO FUND COM', null, null, '2345', '6789'],
    ['BANK OF AMER Corp. Del', 'COM', '060505104', '1234', '5678'],
    ['BANK OF AMER Corp. Del', 'COM', '060505104', '2345', '6789'],
  ])
})

test('numbers below a security do not belong to it if a CUSIP or a large number stands before them', () => {
  for (const row of [
    '   CISCO FUND COM   17275R102   12.50   2,345   6,789',
    '   CISCO FUND COM   17275R102   12.00   2,345   6,789',
    '   Subtotal          10000008           2,345   6,789',
    '   Large caps   10000008                2,345   6,789',
  ]) {
    const read = lines(`APPLE INC    COM    037833100           1,234   5,678\n${row}`)
    assert.deepEqual([read.lines.length, read.lines[0]!.issuer], [1, 'APPLE INC'], row)
  }
})

test('twenty thousand lines that could continue a name are read fast; a name ends after 20 lines, which is reported', async () => {
  const first = 'APPLE INC        COM   037833100   1,234   5,678'
  for (const more of [
    ' CISCO FUND COM                    2,345   6,789',
    'Corp. CISCO FUND COM               2,345   6,789',
    ' CISCO FUND COM',
    `Next Inc.\n${' more of it\n'.repeat(3)}`,
  ]) {
    let read!: ReturnType<typeof lines>
    const act = () => {
      read = lines([first, ...Array<string>(20_000).fill(more)].join('\n'))
    }
    // When the name was joined again for every line, 2,000 lines took 11 s.
    await assertQuick(more, act, 10_000)
    assert.ok(read.lines[0]!.issuer!.length < 1_000)
    if (more.startsWith('Next')) continue
    assert.match(read.found.problems[0]!.reason, /^goes on over more than 20 lines/)
    assert.equal(read.found.problems.length, 1)
  }
})

test('a line of dollar signs and rules alone is not read', () => {
  for (const row of ['   $', '  $          $', '  $  -----', '$ ======']) {
    assert.equal(table(row, COCA_COLA, row, COCA_COLA, row).lines.length, 2, row)
  }
})

test('dashes after the amount are votes of 0, and dashes of a rule are skipped', () => {
  const plain = lines('APPLE INC   COM   037833100   1,215   5,678   SH   SOLE   5,678   ---   ---').lines[0]!
  assert.deepEqual([plain.sole, plain.shared, plain.none], ['5678', '0', '0'])
  const votes = (of: ReturnType<typeof lines>) => of.lines.map(({ sole, shared, none }) => [sole, shared, none])
  assert.deepEqual(
    votes(
      table(
        'Coca Cola        Com      191216 10 0     19,184     400,000           X                4, 14               400,000        ---        ---',
        '                                          19,184     400,000           X                4, 14                   ---    400,000        ---',
        '                                          ------     -------                            11                      ---        ---        ---',
      ),
    ),
    [
      ['400000', '0', '0'],
      ['0', '400000', '0'],
    ],
  )
  const upper = ['<S>              <C>     <C>           <C>        <C>', 'Nucor Corp.      Com     670340 10 5     63,395       5,678'] // biome-ignore format: a table
  const lower = ['<S>              <C>         <C>       <C>', 'Nucor Corp.              ---       ---     5,678']
  assert.deepEqual(votes(lines(['<TABLE>', ...upper, ...lower, '</TABLE>'].join('\n'))), [['0', '0', '5678']])
  const wide = [
    '<S>              <C>    <C>     <C>     <C>          <C>         <C>       <C>',
    'Nucor Corp.       X     ---     ---     4, 11          5,678       ---       ---',
  ]
  const [line] = lines(['<TABLE>', ...upper, ...wide, '</TABLE>'].join('\n')).lines
  assert.deepEqual([line!.discretion, line!.managers, line!.sole, line!.none], ['SOLE', '4,11', '5678', '0'])
})

test('amounts of puts and calls may have a fraction of zeros', () => {
  const read = lines('APPLE INC   COM   037833100   1,215.00   5,678.00(p)   SH   SOLE   5,678.00(p)   0   0')
  assert.deepEqual(
    read.lines.map(({ amount, putCall, sole }) => [amount, putCall, sole]),
    [['5678', 'Put', '5678']],
  )
})

test('a line with a price in place of the value is left out and reported, even if the cents are zeros', () => {
  const read = lines(
    'APPLE INC   COM   037833100   12.00   1,234   5,678\nBANK CORP   COM   060505104   12.50   1,234   5,678',
  )
  assert.deepEqual([read.lines.length, read.found.looked, read.found.problems.length], [0, 2, 2])
})

test('the line of a number of more than fifteen digits is left out and reported', () => {
  for (const [value, amount] of [
    ['12345678901234567890', '5,678'],
    ['1,234', '12345678901234567890'],
    ['1234567890123456', '1234567890123456'],
  ] as const) {
    const read = lines(`APPLE INC   COM   037833100   ${value}   ${amount}`)
    assert.deepEqual([read.lines.length, read.found.looked, read.found.problems.length], [0, 1, 1], value)
  }
  assert.equal(lines('APPLE INC   COM   037833100   123456789012345   5,678').lines[0]!.value, '123456789012345')
})

test('two lower halves after two upper halves are not joined, and both are reported', () => {
  const second = UPPER.map((line) => line.replace('American Express', 'American Exports'))
  const read = lines(['<TABLE>', ...UPPER, ...second, ...LOWER, ...LOWER, '</TABLE>'].join('\n'))
  assert.deepEqual(
    read.found.problems.map(({ reason }) => reason),
    ['stand further below', 'row 1 is of American Express Co. and not American Exports Co.'],
  )
  assert.deepEqual(tailsOf(read), Array(6).fill(UNKNOWN))
})

test('managers and votes may continue on the line of the rule above a total', () => {
  const read = table(
    'US Bancorp       Com      911596 10 4      4,161     216,132           X                4, 1, 2, 6,',
    '                                      ----------                                        11, 14                       216,132',
  )
  assert.deepEqual(
    read.lines.map(({ managers, sole, shared, none }) => [managers, sole ?? shared ?? none]),
    [['4,1,2,6,11,14', '216132']],
  )
})

test('text without any table yields no lines, and counts no line that looks like a holding', () => {
  const read = lines('The manager holds nothing that must be reported, 12 times 1,000.')
  assert.deepEqual([read.lines, read.found.looked], [[], 0])
})

test('numbers that add up to the amount are votes of an unknown kind, and not numbers of managers', () => {
  const read = lines(
    [
      '<TABLE>',
      'RED INC     COM   037833100   100   500 SH  SOLE   500',
      'OAK INC     COM   594918104   50    200 SH  DFND   150   50',
      'ELM INC     COM   191216100   12    300 SH  DFND   1   2',
      '</TABLE>',
    ].join('\n'),
  )
  assert.deepEqual(
    read.lines.map(({ managers, sole }) => [managers, sole]),
    [
      [null, null],
      [null, null],
      ['1,2', null],
    ],
  )
  assert.deepEqual(
    read.found.problems.map(({ path, reason }) => [path, reason]),
    [['text table, managers and votes', 'are under no heading that shows which kind of votes they are']],
  )
  const whole = lines('RED INC     COM   037833100   100   500 SH  DFND  1,2   500  0  0')
  assert.deepEqual([whole.lines[0]!.managers, whole.lines[0]!.sole, whole.found.problems], ['1,2', '500', []])
})

test('a title that says put or call marks an option, and so does the heading of a section up to the next heading', () => {
  const row = (title: string, cusip: string) =>
    `RED INC         ${title.padEnd(14)} ${cusip}   100   5,000 SH  SOLE   5,000  0  0`
  const titles = ['PUT', 'CALL', 'COM PUT', 'CALL OPTIONS', 'OPTION - PUT', 'COM', 'CALLABLE PFD', 'PUTNAM FD']
  assert.deepEqual(
    lines(['<TABLE>', ...titles.map((title) => row(title, '037833100')), '</TABLE>'].join('\n')).lines.map(
      ({ putCall }) => putCall,
    ),
    ['Put', 'Call', 'Put', 'Call', 'Put', null, null, null],
  )
  const sections = [
    row('COM', '037833100'),
    'CALL OPTIONS',
    row('COM', '594918104'),
    'Puts:',
    row('COM', '191216100'),
    'COMMON STOCK',
    row('COM', '67066G104'),
  ]
  assert.deepEqual(
    lines(['<TABLE>', ...sections, '</TABLE>'].join('\n')).lines.map(({ issuer, putCall }) => [issuer, putCall]),
    [
      ['RED INC', null],
      ['RED INC', 'Call'],
      ['RED INC', 'Put'],
      ['RED INC', null],
    ],
  )
})

test('numbers without a name that are the sum of the lines above are a total; with a kind or discretion they are another lot', () => {
  const own = 'RED INC         COM    037833100       100      5,000  SH  SOLE     5,000  0  0'
  const more = (value: string, amount: string, tail = '') => `${value.padStart(42)}${amount.padStart(11)}  ${tail}`
  const of = (...rows: string[]) =>
    lines(['<TABLE>', own, ...rows, '</TABLE>'].join('\n')).lines.map(({ value, amount }) => `${value} ${amount}`)
  const lot = more('50', '2,500', 'SH  SOLE     2,500  0  0')
  assert.deepEqual(of(lot, more('150', '7,500')), ['100 5000', '50 2500'])
  // Each value is rounded, and so is their sum.
  assert.deepEqual(of(lot, more('151', '7,500')), ['100 5000', '50 2500'])
  const other = 'OAK INC         COM    594918104        70      7,000  SH  SOLE     7,000  0  0'
  assert.deepEqual(of(lot, other, more('220', '14,500')), ['100 5000', '50 2500', '70 7000'])
  for (const last of [more('150', '7,500', 'SH  SOLE     7,500  0  0'), more('150', '7,400'), more('100', '5,000')])
    assert.equal(of(lot, last).length, 3, last)
})

test('SHR means shares before a word for discretion, and means shared discretion elsewhere', () => {
  const row = (words: string) => `APPLE INC        COM      037833100     1,234       6,543 ${words}    6,543 0 0`
  const tails = ['SHR SOLE', 'Shrs SOLE', 'SHARES DEFINED 1', 'SHR PUT SOLE', 'SHR SHARED 2', 'SHR DFND 1', 'SHR 1']
  const read = table(...tails.map(row))
  assert.deepEqual(
    read.lines.map(({ kind, putCall, discretion, managers }) => [kind, putCall, discretion, managers]),
    [
      ['SH', null, 'SOLE', null],
      ['SH', null, 'SOLE', null],
      ['SH', null, 'DFND', '1'],
      ['SH', 'Put', 'SOLE', null],
      ['SH', null, null, '2'],
      [null, null, 'DFND', '1'],
      [null, null, null, '1'],
    ],
  )
})

test('the word SHARED alone leaves the discretion unknown with a reason, and the managers after it are read', () => {
  const head = [
    'NAME OF ISSUER          TITLE OF CLASS  CUSIP     (X$1000)     PRN AMT   PRN CALL DSCRETN  MANAGERS  SOLE     SHARED  NONE',
    '<S>                     <C>             <C>       <C>          <C>       <C> <C>  <C>      <C>       <C>      <C>     <C>',
  ]
  const rowsOf = (...discretions: string[]) =>
    discretions.map(
      (one) =>
        `APPLE INC               COM             037833100       1,234   6,543 SH       ${one}       0     6,543    0`,
    )
  const read = (...discretions: string[]) => {
    const { lines: all, found } = lines(
      ['<TABLE>', '<CAPTION>', ...head, ...rowsOf(...discretions), '</TABLE>'].join('\n'),
    )
    return { rows: all.map(({ discretion, managers, shared }) => [discretion, managers, shared]), found }
  }
  const alone = read('SHARED   1,2', 'SHRD     1', 'SHARED   3')
  assert.deepEqual(alone.rows, [
    [null, '1,2', '6543'],
    [null, '1', '6543'],
    [null, '3', '6543'],
  ])
  assert.deepEqual(
    alone.found.problems.map(({ path, reason }) => `${path}: ${reason}`),
    ['text table, discretion: names no kind of shared discretion'],
  )
  const named = read('SHARED/DEFINED 2', 'SHR-DFND 2', 'DEFINED-SHARED 2', 'SHARED/OTHER 2', 'SHRD OTR 2')
  assert.deepEqual(
    named.rows.map(([discretion, managers]) => [discretion, managers]),
    [...Array.from({ length: 3 }, () => ['DFND', '2']), ['OTR', '2'], ['OTR', '2']],
  )
  assert.deepEqual(named.found.problems, [])
})

const EXXON =
  'Exxon            Com      30231G 10 2      9,184     123,456           X                4                   123,456'
const pairs = (read: ReturnType<typeof lines>) => read.lines.map(({ cusip, value, amount }) => [cusip, value, amount])

test('a number with a blank after its comma is read as one number if a column, a vote or a cell shows that it is one', () => {
  const parted = (value: string, amount: string, vote = '400,000') =>
    `Coca Cola        Com      191216 10 0${value.padStart(11)}${amount.padStart(12)}           X                101, 102${vote.padStart(19)}`
  const whole = ['30231G102', '9184', '123456']
  assert.deepEqual(pairs(table(parted('19, 184', '400, 000'), EXXON)), [['191216100', '19184', '400000'], whole])
  assert.deepEqual(pairs(table(parted('1,234, 567', '2, 400, 000'), EXXON)), [
    ['191216100', '1234567', '2400000'],
    whole,
  ])
  assert.deepEqual(pairs(table(parted('19,184', '400, 000'))), [['191216100', '19184', '400000']])
  assert.equal(table(parted('19, 184', '400, 000'), EXXON).lines[0]!.managers, '101,102')
  const left = ['19, 184     400, 000    SH   SOLE', '9,184       123,456     SH   SOLE']
  assert.deepEqual(pairs(lines(`Coca Cola   Com   191216100   ${left[0]}\nExxon       Com   30231G102   ${left[1]}`)), [
    ['191216100', '19184', '400000'],
    whole,
  ])
  const cells = [
    'Coca Cola|Com|191216100|19, 184|400, 000|SH|SOLE|101, 102|0',
    'Exxon|Com|30231G102|9,184|123,456|SH|SOLE|4|0',
  ]
  const read = lines(cells.join('\n'))
  assert.deepEqual(pairs(read), [['191216100', '19184', '400000'], whole])
  assert.equal(read.lines[0]!.managers, '101,102')
})

test('a number with a blank that nothing shows to be one number is counted and noted, and its end is not a value', () => {
  const alone = table('Coca Cola        Com      191216 10 0     19,184    400, 000           X                4')
  assert.deepEqual([alone.lines, alone.found.looked, alone.found.read], [[], 1, 0])
  assert.match(alone.found.problems[0]!.reason, /numbers with blanks/)
  const below = table(
    'Coca Cola        Com      191216 10 0        184     400,000           X                4                   400,000',
    '                                          8, 967   7,994,634           X                4                   7,994,634',
  )
  assert.deepEqual(pairs(below), [['191216100', '184', '400000']])
  assert.deepEqual([below.found.looked, below.found.read], [2, 1])
})
