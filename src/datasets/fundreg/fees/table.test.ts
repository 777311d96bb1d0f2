/** Fee tables in the layouts that filers use, with made-up funds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../../test/support/effort.ts'
import { markdownOfHtml } from '../../../read/html.ts'
import { markdownOfText } from '../../../read/plain.ts'
import { itemOf } from './items.ts'
import { feesIn, feesOf, type WrittenFee } from './table.ts'

const tableOf = (rows: readonly (readonly string[])[]) =>
  `<table>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`
const CAPTION = '<p><b>Annual Fund Operating Expenses</b> (expenses that you pay each year)</p>'
const read = (...rows: string[][]) => feesOf(markdownOfHtml(CAPTION + tableOf(rows)).text)
const summary = (fees: readonly WrittenFee[]) =>
  fees.map(({ class_name, item, value }) => `${class_name ?? '–'} ${item} ${value}`)
const MANAGEMENT = ['Management fees', '0.60%']
const TOTAL = ['Total annual fund operating expenses', '1.00%']

test('all wordings of a label mean the same line', () => {
  const labels = {
    management: [
      'Management Fee',
      'Advisory fees',
      'Investment advisory fee',
      'Adviser’s fees',
      'Unitary management fee',
      'Base management fees',
      'Management Fees (after waiver)',
    ],
    distribution: [
      'Distribution (12b-1) Fees',
      'Rule 12b-1 fee',
      'Distribution and Service Fee',
      'Service (12b-1) fees',
    ],
    acquired_funds: [
      'Acquired Fund Fees and Expenses',
      'Acquired (Underlying) Portfolio Fees and Expenses',
      'Fees and expenses of the acquired funds',
    ],
    other: ['Other expenses', 'Total Other Expenses', 'Other Annual Expenses', 'Estimated other expenses'],
    total: [
      'Total Annual Fund Operating Expenses',
      'Total Fund Operating Expenses',
      'Total expenses before waiver',
      'Gross Total Annual Expenses',
      'Total annual expenses',
      'Total Annual Fund and Underlying Fund Operating Expenses',
    ],
    waiver: [
      'Fee Waiver and/or Expense Reimbursement',
      'Fees waived and/or expenses reimbursed',
      'Less: expense limitation',
      '(Less waivers/reimbursements)',
      'Fees and Expenses Contractually Waived or Reimbursed',
      'Management fee waiver',
      'Fee recoupment',
    ],
    net: [
      'Net expenses',
      'Total Net Annual Expenses',
      'Total annual fund operating expenses (after fee waiver)',
      'Total annual fund operating expenses less waivers and reimbursements',
      'Expenses after fee waiver',
    ],
    interest: ['Interest payments on borrowed funds'],
    incentive: ['Incentive fees'],
  }
  for (const [item, all] of Object.entries(labels)) for (const label of all) assert.equal(itemOf(label), item, label)
})

test('labels of other lines, or of a part of a line, are skipped', () => {
  for (const label of [
    'Operating Expenses',
    'All other expenses',
    'Remainder of other expenses',
    'Shareholder servicing (non-12b-1) fee',
    'Other expenses of the Subsidiary',
    'Management fee of the Subsidiary',
    'Maximum deferred sales charge',
    'Interest expense',
    'Net asset value',
    'Expense example',
  ]) {
    assert.equal(itemOf(label), null, label)
  }
})

test('names of classes are read if they stand only once above both tables, or in several rows', () => {
  const charges = ['Maximum sales charge (load)', '5.00%', 'None']
  const rows = [['Management fees', '0.60%', '0.60%'], ['Total annual fund operating expenses', '1.00%', '0.80%']] // biome-ignore format: a table
  const expected = ['Class A management 0.6', 'Class I management 0.6', 'Class A total 1', 'Class I total 0.8']
  const heads = ['', 'Class A', 'Class I']
  const apart = `<p>Shareholder fees</p>${tableOf([heads, charges])}${CAPTION}${tableOf(rows)}`
  assert.deepEqual(summary(feesOf(markdownOfHtml(apart).text)), expected)
  const within = tableOf([heads, charges, ['Annual fund operating expenses', '', ''], ...rows])
  assert.deepEqual(summary(feesOf(markdownOfHtml(within).text)), expected)
  const twoRows = tableOf([['', 'Class', 'Class'], ['', 'A', 'I'], ...rows])
  assert.deepEqual(summary(feesOf(markdownOfHtml(CAPTION + twoRows).text)), expected)
  const otherWidth = `${tableOf([
    ['', 'Class A', 'Class C', 'Class I'],
    [...charges, 'None'],
  ])}${CAPTION}${tableOf(rows)}`
  assert.deepEqual(
    feesOf(markdownOfHtml(otherWidth).text).map(({ class_name }) => class_name),
    [null, null, null, null],
    'a table with more classes names no class of a table with fewer',
  )
})

test('a label that continues in the row below, or began in the row above, is read as one label', () => {
  const split = read(
    ['Management fees', '0.60%'],
    ['Total Annual Fund', '1.00%'],
    ['Operating Expenses', ''],
    ['Total Annual Fund', '0.90%'],
    ['Operating Expenses', ''],
    ['After Fee Waiver', ''],
  )
  assert.deepEqual(summary(split), ['– management 0.6', '– total 1', '– net 0.9'])
  const begun = read(MANAGEMENT, ['Total Fund Operating Expenses', ''], ['(after reimbursement)', '0.85%'])
  assert.deepEqual(summary(begun), ['– management 0.6', '– net 0.85'])
})

test('a waiver is negative and a recoupment is positive, as gross and net totals show, whatever sign the filer wrote', () => {
  const of = (label: string, stated: string, net?: string) => {
    const fees = read(MANAGEMENT, TOTAL, [label, stated], ...(net ? [['Net expenses', net]] : []))
    const { value, reason } = fees.find(({ item }) => item === 'waiver')!
    return value ?? reason
  }
  for (const stated of ['0.10%', '(0.10)%', '(0.10%)', '-0.10%', '−0.10%']) {
    assert.equal(of('Fee waiver', stated), '-0.1', stated)
  }
  assert.equal(of('Fee waiver/recoupment', '0.10%', '0.90%'), '-0.1')
  assert.equal(of('Fee waiver/recoupment', '0.10%', '1.10%'), '0.1')
  assert.equal(of('Fee waiver/recoupment', '0.10%'), 'a waiver or a recoupment: the filing does not say which')
  assert.equal(of('Recoupment of waived fees', '0.10%', '1.10%'), '0.1')
  assert.equal(of('Fee recoupment', '0.10%'), '0.1')
  assert.equal(of('Fee waiver', 'None'), '0')
})

test('numbers of notes are not read as digits of a percentage, and full-width digits are digits', () => {
  const of = (stated: string) => read(['Management fees', stated], TOTAL)[0]!.value
  for (const stated of [
    '0.60%<sup>1</sup>',
    '0.60%1',
    '0.60%(1)',
    '0.60%<sup>(a)</sup>',
    '0.60%†',
    '０．６０％',
    '.60',
    '0.60 %',
  ]) {
    assert.equal(of(stated), '0.6', stated)
  }
  assert.equal(of('None<sup>2</sup>'), '0')
})

test('a value that a draft leaves open is null with its reason, and an empty cell yields no fact', () => {
  const of = (stated: string) => read(['Management fees', stated], TOTAL)[0]!
  for (const stated of ['[ ]%', '[●]%', '__%', '●%', 'X.XX%', '0.__%']) {
    assert.deepEqual([of(stated).value, of(stated).reason], [null, 'left blank'], stated)
  }
  assert.equal(of('[0.60]%').reason, 'is in brackets, which mark a figure that may change')
  const fees = read(
    ['', 'Class A', 'Class I'],
    ['Management fees', '0.6', '0.6'],
    ['Fee waiver', '', '(0.1)'],
    ['Net expenses', '0.6', '0.5'],
  )
  assert.deepEqual(
    fees.filter(({ item }) => item === 'waiver').map(({ class_name }) => class_name),
    ['Class I'],
  )
})

test('the line with the sum of other expenses is used; if no line is the sum and two lines disagree, neither is used', () => {
  const of = (...rows: string[][]) => read(MANAGEMENT, ...rows, TOTAL).find(({ item }) => item === 'other')?.value
  assert.equal(
    of(['Other expenses', '0.30%'], ['Shareholder service fees', '0.10%'], ['All other expenses', '0.20%']),
    '0.3',
  )
  assert.equal(of(['Other expenses', '0.30%'], ['Interest expense', '0.10%'], ['Total other expenses', '0.40%']), '0.4')
  assert.equal(of(['Other expenses of Class A', '0.30%'], ['Other expenses of the trust', '0.10%']), undefined)
})

test('if the items of a fee table are in columns, each row has the fees of the fund, or of the class or portfolio that it names', () => {
  const head = ['Management fees', 'Other expenses', 'Total annual fund operating expenses']
  assert.deepEqual(summary(read(head, ['0.10%', '0.02%', '0.12%'])), [
    '– management 0.1',
    '– other 0.02',
    '– total 0.12',
  ])
  const rows = read(['Portfolio', ...head], ['Sample One', '0.1', '0.1', '0.2'], ['Sample Two', '0.3', '0.1', '0.4'])
  assert.deepEqual(
    rows.map(({ class_name, item, value, are_rows }) => [class_name, item, value, are_rows]),
    [
      ['Sample One', 'management', '0.1', true],
      ['Sample One', 'other', '0.1', true],
      ['Sample One', 'total', '0.2', true],
      ['Sample Two', 'management', '0.3', true],
      ['Sample Two', 'other', '0.1', true],
      ['Sample Two', 'total', '0.4', true],
    ],
  )
})

test('in a table aligned with blanks, only rows with the most common number of values are read', () => {
  const text = `<TABLE>
                                       Class A   Class B
ANNUAL FUND OPERATING EXPENSES
  Management Fees (after waiver)....     .60%      .60%
  12b-1 Fees........................    None      1.00%
  Account fee.......................     $5
  Total Fund Operating Expenses
    (after reimbursement)...........     .85%     1.85%
</TABLE>
`
  const markdown = markdownOfText(text).text
  const fees = feesOf(markdown)
  assert.deepEqual(summary(fees), [
    'Class A management 0.6',
    'Class B management 0.6',
    'Class A distribution 0',
    'Class B distribution 1',
    'Class A net 0.85',
    'Class B net 1.85',
  ])
  assert.match(
    markdown.slice(fees[0]!.start!, fees[0]!.end!),
    /^ *Management Fees \(after waiver\)\.{4} +\.60% +\.60%$/,
  )
})

test('tables of amounts, expense examples, and examples in prose are not read as fee tables', () => {
  const none = (...rows: string[][]) => assert.deepEqual(read(...rows), [])
  none(['Management fees', '$1,234,567'], ['Total annual fund operating expenses', '$2,345,678'])
  none(['', '1 Year', '3 Years'], ['Class A', '$100', '$300'])
  none(['Management fees', '0.60%'], ['Distribution fees', '0.25%'])
})

test('a table of 250 classes is read whole, and a table that is too wide is not read at all', () => {
  const wide = (n: number) => ['', ...Array.from({ length: n }, (_, i) => `Class ${i + 1}`)]
  const row = (label: string, n: number) => [label, ...Array.from({ length: n }, (_, i) => `${(i % 90) + 10}.25%`)]
  const fees = read(wide(250), row('Management fees', 250), row('Total annual fund operating expenses', 250))
  assert.equal(fees.length, 500)
  assert.deepEqual([fees[249]!.class_name, fees[249]!.value], ['Class 250', '79.25'])
  const line = `| Management fees |${' 0.10% |'.repeat(6_000)}`
  assert.deepEqual(feesOf(`| a | b |\n| --- | --- |\n${line}\n| Total annual fund operating expenses | 0.10% |\n`), [])
})

test('tables within tables, and hostile rows, are read in bounded time', async () => {
  let nested = tableOf([MANAGEMENT, TOTAL])
  for (let depth = 0; depth < 10; depth++) nested = tableOf([[nested]])
  assert.deepEqual(summary(feesOf(markdownOfHtml(CAPTION + nested).text)), ['– management 0.6', '– total 1'])
  const hostile = [
    `| Management fees |${' (1)'.repeat(9_000)} |\n| Total expenses | 1% |`,
    `| ${'total '.repeat(6_000)}| 1% |\n`.repeat(5),
    `| ${'('.repeat(30_000)} | 1% |`,
    `${'| Total Annual Fund | 1.00% |\n| Operating |  |\n'.repeat(100_000)}`,
    '```\n' + `Management fees ${'. '.repeat(180)} 1%\n`.repeat(100_000) + '```',
  ]
  for (const text of hostile) {
    await assertQuick(text, () => feesOf(text))
  }
})

test('reads an oversized document up to the bounds of tables, rows, and characters in a line', () => {
  const one = '| Management fees | 0.10% |\n| Total expenses | 0.20% |\n\ntext\n'
  assert.equal(Math.max(...feesOf(one.repeat(510)).map(({ table }) => table)), 500)
  const late = `| Management fees | 0.10% |\n${'| Other | text |\n'.repeat(600)}| Total expenses | 0.20% |\n`
  assert.deepEqual(feesOf(late), [])
  const set = '```\nManagement fees      .60%\n' + `x${' '.repeat(500)}1%\n` + 'Total expenses      .85%\n```\n'
  assert.deepEqual(summary(feesOf(set)), ['– management 0.6', '– total 0.85'])
})

test('numbers and names are read despite notes after a blank or between slashes, en dashes, and words split into two cells', () => {
  const rows = [['', 'Class A', 'Class R-1/1/', ''], ['Management fees', '0.60 1', '0.50% 2', ''], ['Distribution (12b-1) fees/1/', '0.25', 'Non', 'e'], ['Total annual fund operating expenses', '1.00', '0.60', ''], ['Fee waiver', '–0.05%', '—0.04%(1)', ''], ['Total annual fund operating expenses after fee waiver', '0.95', '0.56', '']] // biome-ignore format: one table
  assert.deepEqual(summary(read(...rows)), ['Class A management 0.6', 'Class R-1 management 0.5', 'Class A distribution 0.25', 'Class R-1 distribution 0', 'Class A total 1', 'Class R-1 total 0.6', 'Class A waiver -0.05', 'Class R-1 waiver -0.04', 'Class A net 0.95', 'Class R-1 net 0.56']) // biome-ignore format: one list
  // The meaning of two whole numbers is ambiguous.
  const ambiguous = summary(read(['', 'Class A'], ['Management fees', '1 2'], TOTAL))
  assert.deepEqual(ambiguous, ['Class A management null', 'Class A total 1'])
})

test('a block of further classes below, with the same items, is part of the table', () => {
  const block = (one: string, two: string, from: number) => [['', one, two], ['Management fees', `0.${from}0%`, `0.${from}5%`], ['Total annual fund operating expenses', `1.${from}0%`, `1.${from}5%`]] // biome-ignore format: one table
  const fees = read(...block('Class A', 'Class B', 1), ...block('Class C', 'Class D', 2))
  assert.deepEqual(summary(fees), ['Class A management 0.1', 'Class B management 0.15', 'Class A total 1.1', 'Class B total 1.15', 'Class C management 0.2', 'Class D management 0.25', 'Class C total 1.2', 'Class D total 1.25']) // biome-ignore format: one list
  assert.deepEqual([...new Set(fees.map(({ column }) => column))], [1, 2, 3, 4])
})

test('a value split by cells or a stray blank is one value, a minus within parentheses is one sign, and a dash in parentheses gives no value', () => {
  const names = ['', 'Class A', '', 'Class I', '']
  const split = [
    names,
    ['Management fees', '0.', '60%', '0.60', '%'],
    ['Distribution (12b-1) fees', '0.25', '%', 'N', 'one'],
    ['Total annual fund operating expenses', '0.8', '5%', '0.60', '%'],
  ]
  assert.deepEqual(summary(read(...split)), [
    'Class A management 0.6',
    'Class I management 0.6',
    'Class A distribution 0.25',
    'Class I distribution 0',
    'Class A total 0.85',
    'Class I total 0.6',
  ])
  const signs = [
    ['', 'Class A', 'Class I'],
    ['Management fees', '0 .60%', '0.60 %'],
    ['Total annual fund operating expenses', '1. 00%', '0.95%'],
    ['Fee waiver', '(–0.05)%', '(—)'],
    ['Net expenses', '0.95%', '0.95%'],
  ]
  assert.deepEqual(summary(read(...signs)), [
    'Class A management 0.6',
    'Class I management 0.6',
    'Class A total 1',
    'Class I total 0.95',
    'Class A waiver -0.05',
    'Class I waiver null',
    'Class A net 0.95',
    'Class I net 0.95',
  ])
})

test('marks of notes are removed, with or without brackets, and numbers that belong to class names stay', () => {
  const rows = (one: string, two: string) => [
    ['', one, two],
    ['Management fees', '0.67 1, 2', '0.67 a'],
    ['Distribution (12b-1) fees', '0.50%[b]', '0.25 [2]'],
    ['Total annual fund operating expenses', '1.17', '0.92 3'],
  ]
  const read67 = (one: string, two: string) =>
    summary(read(...rows(one, two))).filter((line) => / management /.test(line))
  assert.deepEqual(summary(read(...rows('Class A', 'Class S'))), [
    'Class A management 0.67',
    'Class S management 0.67',
    'Class A distribution 0.5',
    'Class S distribution 0.25',
    'Class A total 1.17',
    'Class S total 0.92',
  ])
  assert.deepEqual(read67('A 1', 'S 2'), ['A management 0.67', 'S management 0.67'])
  assert.deepEqual(read67('Class A (%)', 'Class S (%)'), ['Class A management 0.67', 'Class S management 0.67'])
  for (const [one, two] of [
    ['Class A[1]', 'Class S[2]'],
    ['Class A [a]', 'Class S (b)'],
    ['Class A (ABCDX)', 'Class S (ABSDX)'],
    ['Class A ABCDX', 'Class S ABSDX'],
  ] as const)
    assert.deepEqual(read67(one, two), ['Class A management 0.67', 'Class S management 0.67'], one)
  assert.deepEqual(read67('Class R 5', 'Class R 6'), ['Class R 5 management 0.67', 'Class R 6 management 0.67'])
})

test('a label with only one blank before its value is still a row of a table aligned with blanks', () => {
  const text = `\`\`\`
                                     CLASS A   CLASS B
Management fees                      0.30%     0.30%
Total annual fund operating expenses 0.70%     1.40%

                                     CLASS C   CLASS F
Management fees                      0.30%     0.30%
Total annual fund operating expenses 1.50%     0.72%
\`\`\``
  assert.deepEqual(summary(feesOf(text)), [
    'CLASS A management 0.3',
    'CLASS B management 0.3',
    'CLASS A total 0.7',
    'CLASS B total 1.4',
    'CLASS C management 0.3',
    'CLASS F management 0.3',
    'CLASS C total 1.5',
    'CLASS F total 0.72',
  ])
})

test('values of two classes are never joined, and halves of a value are joined if their column has nothing else', () => {
  const names = ['', 'Class A', 'Class C', 'Class R']
  const total = (...values: string[]) => ['Total annual fund operating expenses', ...values]
  const two = [
    names.slice(0, 3),
    ['Management fees', '0.60%', '0.60%'],
    ['Distribution (12b-1) fees', '0.25', '1%'],
    total('0.85%', '1.60%'),
  ]
  assert.deepEqual(
    summary(read(...two)).filter((line) => / distribution /.test(line)),
    ['Class A distribution 0.25', 'Class C distribution 1'],
  )
  const three = [
    names,
    ['Management fees', '0.60', '0.60', '0.60'],
    ['Distribution (12b-1) fees', '0.3', '1%', '0.5'],
    total('0.90', '1.60', '1.10'),
  ]
  assert.deepEqual(
    summary(read(...three)).filter((line) => / distribution /.test(line)),
    ['Class A distribution 0.3', 'Class C distribution 1', 'Class R distribution 0.5'],
  )
  const one = [['', 'Class A', ''], ['Management fees', '0.6', '5%'], total('0.8', '5%')]
  assert.deepEqual(summary(read(...one)), ['Class A management 0.65', 'Class A total 0.85'])
})

test('a percentage that a label names as a limit or a rate is not the value of the row', () => {
  const set = (...rows: string[]) => summary(feesOf(`\`\`\`\n${rows.join('\n')}\n\`\`\``))
  const [management, total] = ['Management fees         0.30%', 'Total annual fund operating expenses         0.70%']
  for (const label of [
    'Distribution (12b-1) fees (up to 0.25%)',
    'Distribution (12b-1) fees, maximum 0.25%',
    'Expense reimbursement to keep net expenses at 0.50%',
  ])
    assert.deepEqual(set(management!, label, total!), ['– management 0.3', '– total 0.7'], label)
  assert.deepEqual(set(management!, 'Fee waiver in excess of 0.50%    (0.20)%', total!), [
    '– management 0.3',
    '– waiver -0.2',
    '– total 0.7',
  ])
  for (const label of ['Distribution (12b-1) fees of up to 0.25%', 'Distribution (12b-1) fees 0.25%'])
    assert.deepEqual(
      set(
        '                        CLASS A   CLASS B',
        'Management fees         0.30%     0.30%',
        `${label}     0.25%     1.00%`,
        'Total annual fund operating expenses    0.70%     1.40%',
      ).slice(2, 4),
      ['CLASS A distribution 0.25', 'CLASS B distribution 1'],
      label,
    )
  // All rows have only one blank between the label and the value.
  assert.deepEqual(set('Management fees 0.30%', 'Total annual fund operating expenses 0.70%'), [
    '– management 0.3',
    '– total 0.7',
  ])
})

test('a number at the end of a class name stays, unless the numbers of several classes count up from 1', () => {
  const names = (...heads: string[]) =>
    read(
      ['', ...heads],
      ['Management fees', ...heads.map(() => '0.60%')],
      ['Total annual fund operating expenses', ...heads.map(() => '0.85%')],
    )
      .slice(0, heads.length)
      .map(({ class_name }) => class_name)
  for (const heads of [
    ['Class R 6'],
    ['Class A 1'],
    ['Class F 2', 'Class R 6'],
    ['Class F 1', 'Class R 2'],
    ['Class I 2', 'Class Y 3'],
  ])
    assert.deepEqual(names(...heads), heads)
  assert.deepEqual(names('Class A 1', 'Class C 2'), ['Class A', 'Class C'])
})

test('funds below each other in one table have their own values, and keep the heads of the columns above the first', () => {
  const fund = (name: string, management: string, ...more: string[][]) => [
    [name, ''],
    ['Management fees', management],
    ['Total annual fund operating expenses', '1.00%'],
    ...more,
  ]
  const waived = [
    ['Fee waiver', '(0.10%)'],
    ['Net expenses', '0.90%'],
  ]
  const fees = read(...fund('Sample Growth Fund', '0.60%'), ...fund('Sample Value Fund', '0.70%', ...waived))
  assert.deepEqual(
    fees.map(({ class_name, column, item, value, are_rows }) => [class_name, column, item, value, are_rows]),
    [
      ['Sample Growth Fund', 1, 'management', '0.6', true],
      ['Sample Growth Fund', 1, 'total', '1', true],
      ['Sample Value Fund', 2, 'management', '0.7', true],
      ['Sample Value Fund', 2, 'total', '1', true],
      ['Sample Value Fund', 2, 'waiver', '-0.1', true],
      ['Sample Value Fund', 2, 'net', '0.9', true],
    ],
  )
  const [one, two] = [fund('Growth', '0.60%'), fund('Value', '0.70%')].map((rows) =>
    rows.map((row) => [...row, row[1]!]),
  )
  assert.deepEqual(
    read(['', 'Class A', 'Class C'], ...one!, ...two!).flatMap(({ class_name, item, value }) =>
      item === 'management' ? `${class_name} ${value}` : [],
    ),
    ['Growth Class A 0.6', 'Growth Class C 0.6', 'Value Class A 0.7', 'Value Class C 0.7'],
  )
  // A line about fees is not the name of a second fund, and a fund without a total is left out.
  const again = [
    ['Fees paid by others', ''],
    ['Management fees', '0.50%'],
  ]
  assert.deepEqual(summary(read(MANAGEMENT, TOTAL, ...again)), ['– management null', '– total 1'])
  assert.deepEqual(summary(read(...fund('Growth', '0.60%'), ['Value', ''], ['Management fees', '0.70%'])), [
    'Growth management 0.6',
    'Growth total 1',
  ])
})

test('a charge in words, or the number of a note in a column of its own, is neither the name of a class nor a value', () => {
  for (const charge of ['$20/year', 'Up to $15', '2.00% within 30 days']) {
    const fees = read(
      ['', 'Class A', 'Class C'],
      ['Maximum sales charge (load)', '5.75%', 'None'],
      ['Annual account fee', charge, charge],
      ['Management fees', '0.60%', '0.60%'],
      ['Total annual fund operating expenses', '0.85%', '1.60%'],
    )
    assert.deepEqual([fees[0]!.class_name, fees[1]!.class_name], ['Class A', 'Class C'], charge)
  }
  const noted = read(['', 'Class A', ''], ['Management fees', '0.60%', '1'], ['Total expenses', '0.80%', '2'])
  assert.deepEqual(summary(noted), ['Class A management 0.6', 'Class A total 0.8'])
  const whole = read(['', 'A', 'B'], ['Management fees', '1', '2'], ['Total expenses', '2', '3'])
  assert.deepEqual(summary(whole), ['A management 1', 'B management 2', 'A total 2', 'B total 3'])
  const items = ['Management fees', 'Service fees', 'Other expenses', 'Total annual fund operating expenses']
  for (const service of ['0.05%', 'None'])
    assert.equal(read(items, ['0.10%', service, '0.02%', '0.17%'])[0]!.class_name, null, service)
})

test('an item that several lines state in parts has no value, unless a line states their total or only one has an amount', () => {
  const of = (...rows: string[][]) =>
    read(MANAGEMENT, TOTAL, ...rows, ['Net expenses', '0.85%']).flatMap(({ item, value, reason }) =>
      item === 'waiver' ? (value ?? reason) : [],
    )
  const [part, rest] = [
    ['Management fee waiver', '(0.05%)'],
    ['Expense reimbursement', '(0.10%)'],
  ]
  assert.deepEqual(of(part!, rest!), ['several lines state a part of it'])
  assert.deepEqual(of(part!, rest!, ['Total waivers and reimbursements', '(0.15%)']), ['-0.15'])
  assert.deepEqual(of(part!, ['Expense reimbursement', 'None']), ['-0.05'])
  assert.deepEqual(of(part!, ['Expense reimbursement', '—']), ['-0.05'])
  assert.deepEqual(of(part!, ['Expense reimbursement', '[0.10]%']), ['several lines state a part of it'])
  const twice = read(MANAGEMENT, ['Distribution (12b-1) fees', '0.75%'], ['Service (12b-1) fees', '0.25%'], TOTAL)
  assert.equal(twice.find(({ item }) => item === 'distribution')!.value, null)
  const parts = read(['Base management fee', '0.50%'], ['Total management fee', '0.60%'], TOTAL)
  assert.equal(parts[0]!.value, '0.6')
})

test('a sum counts as the net amount only if its label says that it is after waivers; the label may take two rows', () => {
  for (const label of [
    'Total annual fund operating expenses without giving effect to the fee waiver',
    'Total annual fund operating expenses (not including expense reimbursement)',
    'Total expenses prior to fee waiver',
  ])
    assert.equal(itemOf(label), 'total', label)
  assert.equal(itemOf('Total annual fund operating expenses (including fee waiver)'), 'net')
  const net = ['Total annual fund operating expenses', '0.90%']
  for (const words of ['(after fee waiver)', 'After Fee Waiver', 'Net of waivers'])
    assert.deepEqual(summary(read(MANAGEMENT, net, [words, ''])), ['– management 0.6', '– net 0.9'], words)
  for (const [begun, rest] of [
    ['Total annual fund operating expenses after', 'Fee waiver'],
    ['Net expenses after fee waiver and/or', 'Expense reimbursement'],
    ['Total annual fund operating expenses', 'after fee waiver'],
  ] as const)
    assert.deepEqual(
      summary(read(MANAGEMENT, TOTAL, ['Fee waiver', '(0.10%)'], [begun, ''], [rest, '0.90%'])).slice(2),
      ['– waiver -0.1', '– net 0.9'],
      begun,
    )
  const apart = [
    ['Total expenses', ''],
    ['Fee waiver', '(0.10%)'],
    ['Net expenses', '0.90%'],
  ]
  assert.deepEqual(summary(read(MANAGEMENT, ...apart)), ['– management 0.6', '– waiver -0.1', '– net 0.9'])
  const less = [
    ['Less: fee waivers and/or', ''],
    ['expense reimbursements', '(0.10%)'],
  ]
  assert.deepEqual(summary(read(MANAGEMENT, TOTAL, ...less)), ['– management 0.6', '– total 1', '– waiver -0.1'])
  const part = ['Total annual fund operating expenses excluding dividends on short sales', '0.70%']
  assert.deepEqual(summary(read(MANAGEMENT, part, TOTAL)), ['– management 0.6', '– total 1'])
})

test('an empty cell of a table with items in columns yields no fact, and the row keeps its other values', () => {
  const head = ['Fund', 'Management fees', 'Total annual fund operating expenses', 'Fee waiver', 'Net expenses']
  const rows = [
    ['One', '0.50%', '0.60%', '(0.05)%', '0.55%'],
    ['Two', '0.40%', '0.50%', '', '0.50%'],
    ['Three', '', '0.50%', '', '0.50%'],
  ]
  assert.deepEqual(summary(read(head, ...rows)), [
    'One management 0.5',
    'One total 0.6',
    'One waiver -0.05',
    'One net 0.55',
    'Two management 0.4',
    'Two total 0.5',
    'Two net 0.5',
  ])
})

test('a last row "Total" is the total only if it is the sum of the items and no other row is the total', () => {
  const rows = (total: string, ...more: string[][]) =>
    summary(read(['', 'Class A'], MANAGEMENT, ['Other expenses', '0.10%'], ['Total', total], ...more))
  assert.deepEqual(rows('0.70%'), ['Class A management 0.6', 'Class A other 0.1', 'Class A total 0.7'])
  assert.deepEqual(rows('0.80%'), [])
  assert.deepEqual(rows('0.70%', ['Total', '0.70%']), [])
  // Another row has the label of the total, so the row "Total" is only a subtotal.
  assert.deepEqual(rows('0.70%', TOTAL).at(-1), 'Class A total 1')
})

test('a bound or a range in place of a percentage is null with its reason', () => {
  for (const bound of [
    'less than 0.01%',
    '&lt;0.01%',
    '0.01% - 0.05%',
    '0.01%–0.05%',
    'up to .05%',
    '0.01% to 0.05%',
  ]) {
    const [fee] = read(MANAGEMENT, ['Other expenses', bound], TOTAL).filter(({ item }) => item === 'other')
    assert.deepEqual([fee?.value, fee?.reason], [null, 'is a bound or a range, not a figure'], bound)
  }
})

test('basis points, and percentages in words, are read as percentages, without rounding', () => {
  const cells: [string, string][] = [
    ['75 bp', '0.75'],
    ['75bps', '0.75'],
    ['0.75 bps', '0.0075'],
    ['7.5 b.p.', '0.075'],
    ['125 basis points', '1.25'],
    ['0.75 percent', '0.75'],
    ['0.75% p.a.', '0.75'],
    ['.75 per cent per annum', '0.75'],
  ]
  for (const [cell, value] of cells)
    assert.deepEqual(summary(read(['Management fees', cell], TOTAL)), [`– management ${value}`, '– total 1'], cell)
  const waiver = read(MANAGEMENT, TOTAL, ['Fee waiver', '(5 bps)'], ['Net expenses', '95 basis points'])
  assert.deepEqual(summary(waiver), ['– management 0.6', '– total 1', '– waiver -0.05', '– net 0.95'])
  const set = markdownOfText(`ANNUAL FUND OPERATING EXPENSES

<TABLE>
<CAPTION>
                                  Class A    Class B
<S>                               <C>        <C>
Management Fees                   75 bps     75 bps
Other Expenses                    0.25%      0.25%
Total Annual Fund Expenses        1.00%      1.00%
</TABLE>
`)
  assert.deepEqual(summary(feesOf(set.text)).slice(0, 2), ['Class A management 0.75', 'Class B management 0.75'])
})

test('words in place of a percentage are null with a reason, and the other lines of the table are read', () => {
  const of = (fees: readonly WrittenFee[]) =>
    fees.map(({ item, value, stated, reason }) =>
      value === null ? `${item} ${stated}: ${reason}` : `${item} ${value}`,
    )
  for (const words of ['see note 3', 'approximately 0.60%', '1/2 of 1%', '$6.00 per $1,000'])
    assert.deepEqual(
      of(read(['Management fees', words], TOTAL)),
      [`management ${words}: is not a valid percentage`, 'total 1'],
      words,
    )
  assert.deepEqual(of(read(MANAGEMENT, ['Total annual fund operating expenses', 'to be determined'])), [
    'management 0.6',
    'total to be determined: is not a valid percentage',
  ])
  const head = ['Fund', 'Management fees', 'Total annual fund operating expenses']
  assert.deepEqual(of(read(head, ['One', 'see note', '0.60%'], ['Notes', 'a', 'b'])), [
    'management see note: is not a valid percentage',
    'total 0.6',
  ])
})

test('a table with the items of a fee table from which no fee was read is reported, and a statement of operations is not', () => {
  const table = (...rows: string[][]) => feesIn(markdownOfHtml(CAPTION + tableOf(rows)).text)
  const unread = table(
    ['Management fees', 'about 0.60% or more'],
    ['Total annual fund operating expenses', 'about 0.70%'],
  )
  assert.deepEqual([unread.fees, unread.unread.length], [[], 1])
  const amounts = table(['Management fees', '13,264,297'], ['Total operating expenses', '14,201,375'])
  assert.deepEqual(amounts, { fees: [], unread: [] })
  assert.deepEqual(table(MANAGEMENT, TOTAL).unread, [])
})

test('a decimal comma or a raised point in a percentage is read as a decimal point, and three digits after a comma stay unreadable', () => {
  const values = (stated: string) => read(['Management fees', stated], TOTAL).find(({ item }) => item === 'management')
  for (const [stated, value] of [
    ['0,60%', '0.6'],
    ['0,60 %', '0.6'],
    ['0,60', '0.6'],
    [',60%', '0.6'],
    ['1,5%', '1.5'],
    ['0,625%', '0.625'],
    ['0·60%', '0.6'],
    ['0,60 percent', '0.6'],
    ['0,60%(1)', '0.6'],
  ] as const)
    assert.equal(values(stated)?.value, value, stated)
  for (const stated of ['1,000%', '0,60 – 0,80%', '1,2,3%']) {
    const fee = values(stated)
    assert.deepEqual([fee?.value, typeof fee?.reason], [null, 'string'], stated)
  }
  const waived = read(MANAGEMENT, ['Total annual fund operating expenses', '1,00%'], ['Fee waiver', '(0,10)%'])
  assert.deepEqual(summary(waived), ['– management 0.6', '– total 1', '– waiver -0.1'])
  // Next to percentages, "1,2" in a column of its own has the numbers of notes.
  assert.deepEqual(summary(read(['Management fees', '0.60%', '1,2'], [...TOTAL, '3'])), [
    '– management 0.6',
    '– total 1',
  ])
})

test('in a table aligned with blanks that has one column of values, a line of text at the margin is a label', () => {
  const lines = [
    'ANNUAL FUND OPERATING EXPENSES',
    '(as a percentage of average net assets)',
    '',
    '  Management Fees.......................   .60%',
    '  12b-1 Fees............................   None',
    '  Other Expenses........................   .40%(2)',
    '  Total Fund Operating Expenses',
    '    (after reimbursement)...............  1.00%',
  ]
  const of = (text: string) => summary(feesOf(markdownOfText(text).text))
  const others = ['– management 0.6', '– distribution 0', '– other 0.4']
  assert.deepEqual(of(lines.join('\n')), [...others, '– net 1'])
  const headed = [...lines.slice(0, 3), '                                          Class A', ...lines.slice(3)]
  assert.deepEqual(
    of(headed.join('\n')),
    [...others, '– net 1'].map((fee) => fee.replace('–', 'Class A')),
  )
})
