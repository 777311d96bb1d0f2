/** Expense examples in invented prospectuses: each way in which filers lay them out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../../test/support/effort.ts'
import { examplesOf } from './written.ts'

const INTRO =
  '### Example\n\nThis example invests $10,000 at a return of 5% a year, and then you redeem all of your shares.'

const table = (rows: readonly (readonly string[])[]) => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
const YEARS = ['1 Year', '3 Years', '5 Years', '10 Years']

/** Lines as "class case: amounts", in the order of the table. */
function read(markdown: string): string[] {
  const lines = Map.groupBy(
    examplesOf(markdown).lines,
    ({ class_name, redemption }) => `${class_name ?? '–'} ${redemption ?? '?'}`,
  )
  return [...lines].map(([key, own]) => `${key}: ${own.map(({ value, reason }) => value ?? reason).join(' ')}`)
}
const below = (...parts: string[]) => read([INTRO, ...parts].join('\n\n'))
const problemsOf = (...parts: string[]) =>
  examplesOf([INTRO, ...parts].join('\n\n')).problems.map(({ reason }) => reason)

test('classes in rows and classes in columns give the same amounts', () => {
  const wanted = ['Class A redeemed: 610 902 1216 2104', 'Class I redeemed: 87 271 471 1049']
  const inRows = table([
    ['', ...YEARS],
    ['Class A', '$610', '$902', '$1,216', '$2,104'],
    ['Class I', '$ 87', '271', '471', '1,049'],
  ])
  assert.deepEqual(below(inRows), wanted)
  const inColumns = table([
    ['Expenses after', 'Class A', 'Class I'],
    ['1 year', '$610', '$87'],
    ['3 years', '$902', '$271'],
    ['5 years', '$1,216', '$471'],
    ['10 years', '$2,104', '$1,049'],
  ])
  assert.deepEqual(below(inColumns), wanted)
})

test('an amount has its row, its investment and the number of its table', () => {
  const markdown = `${INTRO}\n\n${table([YEARS.slice(0, 2), ['$66', '$208']])}`
  const { lines, problems } = examplesOf(markdown)
  assert.deepEqual(problems, [])
  assert.deepEqual(
    lines.map(({ years, value, table: number, investment }) => [years, value, number, investment]),
    [
      [1, '66', 1, '10000'],
      [3, '208', 1, '10000'],
    ],
  )
  for (const { start, end, stated } of lines) assert.ok(markdown.slice(start, end).includes(stated))
})

test('whether shares are sold or held is read from rows, from heads of columns, from lines between rows, and from a second table', () => {
  const wanted = ['Class C redeemed: 296 606', 'Class C held: 196 606']
  const [first, second] = [
    ['$296', '$606'],
    ['$196', '$606'],
  ] as const
  const years = YEARS.slice(0, 2)
  const shapes = [
    [
      ['Class', 'Share status', ...years],
      ['Class C', 'Sold', ...first],
      ['', 'Held', ...second],
    ],
    [
      ['', ...years],
      ['Class C (if redeemed)', ...first],
      ['Class C (if not redeemed)', ...second],
    ],
    [
      ['', ...years],
      ['Class C', '', ''],
      ['With redemption', ...first],
      ['Without redemption', ...second],
    ],
    [
      ['', ...years],
      ['Class C', ...first],
      ['If you did not sell your shares:', '', ''],
      ['Class C', ...second],
    ],
    [
      ['If you sold your shares', ...years],
      ['Class C', ...first],
      ['If you held your shares', ...years],
      ['Class C', ...second],
    ],
    [
      ['', 'If you sell your shares', '', 'If you keep your shares', ''],
      ['', ...years, ...years],
      ['Class C', ...first, ...second],
    ],
    [
      ['', 'Shares sold', 'Shares not sold'],
      ['', 'Class C', 'Class C'],
      ['1 year', '$296', '$196'],
      ['3 years', '$606', '$606'],
    ],
    [
      ['', 'Class C', ''],
      ['', 'Assuming redemption', 'Assuming no redemption'],
      ['1 year', '$296', '$196'],
      ['3 years', '$606', '$606'],
    ],
    [
      ['Class C', 'Sold', 'Held'],
      ['1 year', '$296', '$196'],
      ['3 years', '$606', '$606'],
    ],
  ]
  for (const shape of shapes) assert.deepEqual(below(table(shape)).toSorted(), wanted.toSorted(), JSON.stringify(shape))
  const twoTables = [first, second].map((amounts) =>
    table([
      ['', ...years],
      ['Class C', ...amounts],
    ]),
  )
  assert.deepEqual(below(twoTables[0]!, 'You would pay these expenses if you did not redeem:', twoTables[1]!), wanted)
})

test('amounts count for both cases if the text says that the shares may be sold or held; without such words the case is unknown', () => {
  const amounts = table([YEARS.slice(0, 2), ['$66', '$208']])
  const with5 = (words: string) => `Example: $10,000 that you invest grows 5% a year. ${words}`
  for (const [words, wanted] of [
    ['Costs are these whether or not you redeem your shares.', 'either'],
    ['At the end you hold or redeem all of your shares.', 'either'],
    ['You redeem your shares at the end or continue to hold them.', 'either'],
    ['You then sell all of your shares.', 'redeemed'],
    ['The shares are repurchased at the end of the period.', 'redeemed'],
    ['You do not sell your shares.', 'held'],
    ['Expenses stay as they are.', '?'],
  ] as const) {
    assert.deepEqual(read(`${with5(words)}\n\n${amounts}`), [`– ${wanted}: 66 208`], words)
  }
  const sold = table([
    ['Class', 'Share status', ...YEARS.slice(0, 2)],
    ['A', 'Sold or Held', '$66', '$208'],
  ])
  assert.deepEqual(below(sold), ['A either: 66 208'])
})

test('notes, signs in cells of their own, decimals of zero and tickers are not part of an amount or a name', () => {
  assert.deepEqual(
    below(
      table([
        ['Class', 'Ticker', '1 Year^1', '3 Years*'],
        ['Class A', 'SPCAX', '$1,234\\*', '$ 2,345 1'],
        ['Class I', 'SPCIX', '$87^(2)', '$271.00'],
      ]),
    ),
    ['Class A redeemed: 1234 2345', 'Class I redeemed: 87 271'],
  )
  assert.deepEqual(
    below(
      table([
        ['', '1 Year', '', '3 Years', ''],
        ['Class A', '$', '66', '$', '208'],
      ]),
    ),
    ['Class A redeemed: 66 208'],
  )
})

test('an amount that is not stated is null with its reason, and "none" is zero', () => {
  assert.deepEqual(
    below(
      table([
        ['', ...YEARS],
        ['Class A', '$66', '$208', 'N/A', '—'],
        ['Class C', '$\\_\\_', '$[●]', '$[66]', '$X,XXX'],
        ['Class I', 'None', '$0', '$0', '$0'],
        ['Class R', '$70', '$220', '', ''],
      ]),
    ),
    [
      'Class A redeemed: 66 208 stated as not applicable stated as not applicable',
      'Class C redeemed: left blank left blank is in brackets, which mark a figure that may change left blank',
      'Class I redeemed: 0 0 0 0',
      'Class R redeemed: 70 220',
    ],
  )
})

test('classes of several funds in one table have the name of their fund', () => {
  const rows = [
    ['', ...YEARS.slice(0, 2)],
    ['Bond Fund', '', ''],
    ['Class A', '$66', '$208'],
    ['Stock Fund', '', ''],
    ['Class A', '$91', '$284'],
  ]
  assert.deepEqual(below(table(rows)), ['Bond Fund Class A redeemed: 66 208', 'Stock Fund Class A redeemed: 91 284'])
  const inColumns = [
    ['Class A', ''],
    ['1 year', '$66'],
    ['3 years', '$208'],
    ['Class I', ''],
    ['1 year', '$51'],
    ['3 years', '$160'],
  ]
  assert.deepEqual(below(table(inColumns)), ['Class A redeemed: 66 208', 'Class I redeemed: 51 160'])
})

test('examples are read from sentences, from lists, and from tables that are aligned with blanks', () => {
  const wanted = ['– redeemed: 66 208 362 810']
  assert.deepEqual(
    below('You would pay $66 after one year, $208 after three years, $362 after five years and $810 after ten years.'),
    wanted,
  )
  assert.deepEqual(below('- 1 Year: $66\n- 3 Years: $208\n- 5 Years: $362\n- 10 Years: $810'), wanted)
  assert.deepEqual(
    below('If you sold your shares: 1 year $66, 3 years $208', 'If you held your shares: 1 year $46, 3 years $188'),
    ['– redeemed: 66 208', '– held: 46 188'],
  )
  const set = '```\n              1 Year   3 Years\nClass A ......  $610     $902\nClass I ......   $87     $271\n```'
  assert.deepEqual(below(set), ['Class A redeemed: 610 902', 'Class I redeemed: 87 271'])
  const years = '```\nAfter 1 year .....  $66\nAfter 3 years ....  $208\n```'
  assert.deepEqual(below(years), ['– redeemed: 66 208'])
})

test('rows and tables that are not recognised are reported and never guessed', () => {
  const years = YEARS.slice(0, 2)
  const unknown = 'the amounts belong to no known year or class'
  for (const [what, shape, lines, problems] of [
    [
      'a word in place of an amount',
      [
        ['', ...years],
        ['Class A', '$66', 'about $200'],
        ['Class I', '$51', '$160'],
      ],
      ['Class I redeemed: 51 160'],
      [unknown],
    ],
    [
      'more amounts than years',
      [
        ['', ...years],
        ['Class A', '$66', '$208', '$300'],
        ['Class I', '$51', '$160'],
      ],
      ['Class I redeemed: 51 160'],
      [unknown],
    ],
    [
      'a row without a class',
      [
        ['', ...years],
        ['Class A', '$66', '$208'],
        ['', '$51', '$160'],
      ],
      ['Class A redeemed: 66 208'],
      [unknown],
    ],
    [
      'a column without a class',
      [
        ['', 'Class A', ''],
        ['1 year', '$66', '$51'],
        ['3 years', '$208', '$160'],
      ],
      [],
      ['no amounts by year were found'],
    ],
    [
      'a class twice',
      [
        ['', ...years],
        ['Class A', '$66', '$208'],
        ['Class A', '$51', '$160'],
      ],
      [],
      ['states a class twice, without saying for which case'],
    ],
    [
      'percentages',
      [
        ['', ...years],
        ['Class A', '6.10%', '9.02%'],
      ],
      [],
      ['no amounts by year were found'],
    ],
    [
      'other periods',
      [
        ['', '1 Year', '5 Years'],
        ['Class A', '$66', '$208'],
      ],
      [],
      ['no amounts by year were found'],
    ],
  ] as const) {
    assert.deepEqual(below(table(shape)), lines, what)
    assert.deepEqual(problemsOf(table(shape)), problems, what)
  }
  const second = table([
    ['', ...years],
    ['Class A', '$66', '$208'],
  ])
  assert.deepEqual(problemsOf(second, 'A second table.', second), [
    'states a class twice, without saying for which case',
  ])
  assert.deepEqual(problemsOf('You would pay $66 after one year and up to $900 later.'), [
    'no amounts by year were found',
  ])
})

test('other tables and other words about $10,000 are not examples', () => {
  const growth = 'The chart supposes that you invest $10,000.'
  const amounts = table([
    ['', ...YEARS],
    ['Class A', '$66', '$208', '$362', '$810'],
  ])
  assert.deepEqual(examplesOf(`${growth}\n\n${amounts}`), { lines: [], problems: [] })
  const far = `${INTRO}\n\n${'Words about something else. '.repeat(300)}\n\n${amounts}`
  assert.deepEqual(examplesOf(far).lines, [])
  const later = `${INTRO}\n\n${amounts}\n\n${'Words about something else. '.repeat(40)}\n\n${amounts}`
  assert.equal(examplesOf(later).lines.length, 4)
  const cell = 'Example, 5% a year\n\n| You invest $10,000 | 1 Year |\n| --- | --- |'
  assert.deepEqual(examplesOf(cell), { lines: [], problems: [] })
})

test('hostile examples are read in bounded time', async () => {
  const hostile = [
    `${INTRO}\n\n`.repeat(20_000),
    `${INTRO}\n\n${'| 1 Year '.repeat(100_000)}|`,
    `${INTRO}\n\n${'| 1 Year | 3 Years | $1 |\n'.repeat(50_000)}`,
    `${INTRO}\n\n${'| $1 '.repeat(1_000)}|\n`.repeat(300),
    `${INTRO}\n\n\`\`\`\n${'1 Year ...... $1  '.repeat(40_000)}`,
    `${INTRO}\n\n${'$1 after one year '.repeat(50_000)}`,
    `${INTRO} ${'redeem or '.repeat(100_000)}`,
    `${'$10,000 '.repeat(100_000)}`,
    `Example 5% invest ${'$10,000 '.repeat(700)}\n`.repeat(100),
  ]
  for (const text of hostile) await assertQuick(text, () => examplesOf(text))
})

test('an example says whether the annuity contract is surrendered, and amounts for a contract that pays are left out with the reason', () => {
  const contract =
    '### Example\n\nThis example invests $100,000 in the contract at a return of 5% a year, with the highest charges.'
  const [first, second] = [
    ['$7,100', '$9,400'],
    ['$2,100', '$6,400'],
  ]
  const own = (...parts: string[]) => read([contract, ...parts].join('\n\n'))
  const problems = (...parts: string[]) => examplesOf([contract, ...parts].join('\n\n')).problems
  const rows = (...labels: string[]) =>
    table([['', ...YEARS.slice(0, 2)], ...labels.map((label, n) => [label, ...(n === 0 ? first! : second!)])])
  const wanted = ['– redeemed: 7100 9400', '– held: 2100 6400']
  const labels = ['If you surrender your contract', 'If you do not surrender your contract']
  assert.deepEqual(own(rows(...labels)), wanted)
  assert.deepEqual(
    own(rows('If the contract is surrendered', 'If the contract is not surrendered or is annuitized')),
    wanted,
  )
  const annuity = 'If you annuitize your contract'
  const three = [labels[0]!, annuity, labels[1]!]
  assert.deepEqual(own(rows(...three)), wanted)
  const years = (of: readonly string[]) => table([YEARS.slice(0, 2), of])
  const tables = three.flatMap((label, n) => [`${label}:`, years(n === 0 ? first! : second!)])
  for (const parts of [[rows(...three)], tables]) {
    assert.deepEqual(own(...parts), wanted)
    const [problem, ...others] = problems(...parts)
    assert.deepEqual([problem?.reason, others], ['is about a contract that pays an annuity', []])
  }
  const sentence = (label: string) => `${label}: 1 year $2,100, 3 years $6,400.`
  assert.deepEqual(own(sentence(annuity)), [])
  assert.equal(problems(sentence(annuity)).length, 1)
  assert.deepEqual(own(sentence('If you surrender, annuitize or do not surrender it')), ['– either: 2100 6400'])
  assert.deepEqual(
    own(
      table([
        ['', ...YEARS.slice(0, 2)],
        ['Class B with a surrender charge', ...second!],
      ]),
    ),
    ['Class B with a surrender charge ?: 2100 6400'],
  )
})

test('whether shares are sold or held is read from heads of columns, also if only the first column of each case states it', () => {
  const [sold, held] = ['If you surrender', 'If you do not surrender']
  for (const head of [
    [`${sold} 1 year`, '3 years', `${held}: 1 year`, '3 years'],
    [`${sold} 1 year`, `${sold} 3 years`, `${held} 1 year`, `${held} 3 years`],
  ])
    assert.deepEqual(
      below(
        table([
          ['', ...head],
          ['Class B', '$710', '$940', '$210', '$640'],
        ]),
      ),
      ['Class B redeemed: 710 940', 'Class B held: 210 640'],
    )
})
