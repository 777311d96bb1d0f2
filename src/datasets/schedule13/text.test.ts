/** Layouts of cover pages, each reduced to its distinctive part. Names and figures are made up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scheduleOf } from './text.ts'

const context = {
  schedule: '13G',
  filedDate: '2010-02-01',
  issuerNames: ['SPECIMEN BREWING CORP'],
  filerNames: ['SPECIMEN VALUE PARTNERS LP'],
} as const

/** Returns the facts of the first page by name (the first value of a list), and the names of uncertain facts. */
function page(markdown: string): Record<string, string | string[]> {
  const { facts, leftOut } = scheduleOf(markdown, context)
  const own = facts.filter(({ person }) => person === 0)
  return {
    ...Object.fromEntries(own.toReversed().map(({ name, value }) => [name, value])),
    left: leftOut.flatMap(({ name, person }) => (person === 0 ? [name] : [])),
  }
}

const POWERS = {
  sole_voting: '100',
  shared_voting: '0',
  sole_dispositive: '100',
  shared_dispositive: '0',
  shares: '100',
}

test('numbers of rows, before their labels or after them, are not read as values', () => {
  const before =
    page(`1 NAME OF REPORTING PERSON A Bank 5 SOLE VOTING POWER 100 6 SHARED VOTING POWER 0 7 SOLE DISPOSITIVE POWER 100
8 SHARED DISPOSITIVE POWER 0 9 AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON 100
11 PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW 9 5.5% 12 TYPE OF REPORTING PERSON BK`)
  assert.deepEqual(before, { name: 'A Bank', ...POWERS, percent: '5.5', type: 'BK', left: [] })
  const after =
    page(`NAME OF REPORTING PERSON 1 A Bank SOLE VOTING POWER 5 100 SHARED VOTING POWER BENEFICIALLY 6 OWNED BY -0-
SOLE DISPOSITIVE POWER 7 REPORTING 100 SHARED DISPOSITIVE POWER 8 -0- AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON 9 100
PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW (9) 11 5.5% TYPE OF REPORTING PERSON 12 BK`)
  assert.deepEqual(after, { name: 'A Bank', ...POWERS, percent: '5.5', type: 'BK', left: [] })
})

test('on a page without row numbers, a value that could be a row number is read as the value', () => {
  const { sole_voting, shared_voting } = page(`NAME OF REPORTING PERSON A Bank
SOLE VOTING POWER 6
SHARED VOTING POWER 0
PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW 9 5%
TYPE OF REPORTING PERSON BK`)
  assert.deepEqual([sole_voting, shared_voting], ['6', '0'])
})

test('no digit of a percentage is taken for the number of a row that the label leaves out', () => {
  const percentOf = (label: string) =>
    page(`NAME OF REPORTING PERSON A Bank
SOLE VOTING POWER 100
SHARED VOTING POWER 0
PERCENT OF CLASS REPRESENTED BY AMOUNT IN ${label}
TYPE OF REPORTING PERSON BK`).percent
  for (const value of ['9.2', '11.4', '5', '13', '0.3', '100']) {
    assert.equal(percentOf(`ROW ${value}%`), value)
    assert.equal(percentOf(`ROW | ${value}% |`), value)
    for (const number of ['9 ', '(11) ', '11: ']) assert.equal(percentOf(`ROW ${number}${value}%`), value)
  }
  assert.equal(percentOf('ROW 9.2'), '9.2')
  assert.equal(percentOf('ROW 11 (9.2)%'), undefined)
})

test('labels are recognized in the wordings of many filers', () => {
  const read =
    page(`NAMES OF REPORTING PERSON(S) (ENTITIES ONLY): A Bank, N.A. I.R.S. IDENTIFICATION NO. OF ABOVE PERSON 13-1234567
CHECK IF A MEMBER OF A GROUP (SEE INSTRUCTIONS) (a) [ ] (b) [x]
CITIZENSHIP OR PLACE OF INCORPORATION: New York
SOLE POWER TO VOTE: 100
SHARED POWER TO VOTE: 0
SOLE POWER TO DISPOSE: 100
SHARED DISPOSITION POWER: 0
AGGREGATE AMOUNT OWNED BY EACH REPORTING PERSON: 100 shares
CHECK BOX IF AGGREGATE AMOUNT IN ROW(9) EXCLUDES CERTAIN SHARES [ ]
PERCENTAGE OF CLASS REPRESENTED BY ROW (9): 5.5
TYPE OF PERSON REPORTING (See Instr.): BK, HC`)
  const values = { member_of_group: 'b', citizenship: 'NY', excludes_shares: 'false', percent: '5.5', type: 'BK' }
  assert.deepEqual(read, { name: 'A Bank, N.A.', ...POWERS, ...values, left: [] })
})

test('the label of excluded shares ends the amount above it, also if the label does not name row 9', () => {
  const read = page(`1. NAME OF REPORTING PERSON: A Bank
5. SOLE VOTING POWER: 100
6. SHARED VOTING POWER: -0-
7. SOLE DISPOSITIVE POWER: 100
8. SHARED DISPOSITIVE POWER: -0-
9. AGGREGATE AMOUNT BENEFICIALLY OWNED: 100
10. CHECK BOX IF THE AGGREGATE AMOUNT EXCLUDES CERTAIN SHARES [ ]
11. PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW 9: approximately 5.5 percent
12. TYPE OF REPORTING PERSON: BK`)
  const values = { excludes_shares: 'false', percent: '5.5', type: 'BK' }
  assert.deepEqual(read, { name: 'A Bank', ...POWERS, ...values, left: [] })
})

test('rows that have only item numbers are read with the numbers of Schedule 13G', () => {
  const { percent, type, sole_dispositive, name } = page(
    'Item 1: Reporting Person - A Fund Item 4: Massachusetts Item 5: 0 Item 6: 0 Item 7: 1,000 Item 8: 0 Item 9: 1,000 Item 11: 5.1% Item 12: HC',
  )
  assert.deepEqual([name, sole_dispositive, percent, type], ['A Fund', '1000', '5.1', 'HC'])
})

const whole = (rows: string) => `NAME OF REPORTING PERSON
A Bank
${rows}
PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW 9
5%
TYPE OF REPORTING PERSON
BK`

test('leaves out values that a page states twice, in one line, or in contradiction to each other', () => {
  const twice = page(
    whole(
      'SOLE VOTING POWER 1\nSHARED VOTING POWER 2\nSOLE VOTING POWER 3\nSHARED VOTING POWER 4\nAGGREGATE AMOUNT BENEFICIALLY OWNED 9',
    ),
  )
  assert.deepEqual([twice.sole_voting, twice.left], [undefined, ['sole_voting', 'shared_voting']])
  const sameLine = page(whole('| SOLE VOTING POWER | SHARED VOTING POWER |\n| --- | --- |\n| 10 | 20 |'))
  assert.deepEqual(
    [sameLine.sole_voting, sameLine.shared_voting, sameLine.left],
    [undefined, undefined, ['shared_voting', 'shares']],
  )
  const more = page(whole('SOLE VOTING POWER 500\nSHARED VOTING POWER 0\nAGGREGATE AMOUNT BENEFICIALLY OWNED 100'))
  assert.deepEqual([more.sole_voting, more.shared_voting, more.shares], [undefined, '0', undefined])
  assert.deepEqual(more.left, ['sole_voting', 'shares'])
})

test('values that stand before their labels are not read as values of the labels above', () => {
  const { left, ...facts } = page(`A Bank
(1) Names of Reporting Persons
100
(5) Sole Voting Power
0
(6) Shared Voting Power
100
(9) Aggregate Amount Beneficially Owned by Each Reporting Person
5.5%
(11) Percent of Class Represented by Amount in Row (9)
BK
(12) Type of Reporting Person`)
  assert.deepEqual(facts, {})
  assert.deepEqual([...left!].sort(), ['name', 'percent', 'shared_voting', 'shares', 'sole_voting', 'type'])
})

test('a sentence that mentions sole voting power is not read as a row', () => {
  const { sole_voting, shared_voting, left } = page(
    whole(
      'SOLE VOTING POWER 100 shares, which others may be deemed to have sole voting power over\nSHARED VOTING POWER 0\nAGGREGATE AMOUNT BENEFICIALLY OWNED 100',
    ),
  )
  assert.deepEqual([sole_voting, shared_voting, left], ['100', '0', []])
})

test('a name continues in a second line if a filer has that name, or if the line can only belong to it', () => {
  const name = (lines: string) =>
    page(whole(lines + '\nSOLE VOTING POWER 1\nSHARED VOTING POWER 1').replace('A Bank\n', '')).name
  assert.equal(name('Specimen Value\nPartners, L.P.'), 'Specimen Value Partners, L.P.')
  assert.equal(name('First Bank\nand Trust Company'), 'First Bank and Trust Company')
  assert.equal(name('First Bank\n13-1234567'), 'First Bank')
  assert.equal(name('Ada Specimen\nBeda Specimen'), undefined)
})

test('a paragraph names the issuer, in the words of the cover, only if the header confirms the name', () => {
  const cover = (above: string) => {
    const { facts, leftOut } = scheduleOf(
      `SCHEDULE 13G\n\n${above}\n(Name of Issuer)\n\nCommon Stock\n(Title of Class of Securities)`,
      context,
    )
    return [facts.find(({ name }) => name === 'issuer_name')?.value, leftOut.map(({ name }) => name)]
  }
  assert.deepEqual(cover('Specimen Brewing Corporation'), ['Specimen Brewing Corporation', []])
  assert.deepEqual(cover('SPECIMEN BREWING\n\nCORPORATION'), [undefined, ['issuer_name']])
  assert.deepEqual(cover('Another Company Inc.'), [undefined, ['issuer_name']])
})

test('reads the rules of Schedule 13G from checked boxes before or after the rules', () => {
  const rules = (boxes: string) => {
    const { facts, leftOut } = scheduleOf(
      `Check the appropriate box to designate the rule pursuant to which this Schedule is filed:\n${boxes}\n\n`,
      context,
    )
    return [...facts.map(({ value }) => value), ...leftOut.map(() => 'left out')]
  }
  assert.deepEqual(rules('[X] Rule 13d-1(b)\n[ ] Rule 13d-1(c)\n[ ] Rule 13d-1(d)'), ['Rule 13d-1(b)'])
  assert.deepEqual(rules('Rule 13d-1(b) / /  Rule 13d-l(c) /X/  Rule 13d-1(d) / /'), ['Rule 13d-1(c)'])
  assert.deepEqual(rules('[X] Rule 13d-1(b)'), ['Rule 13d-1(b)'])
  assert.deepEqual(rules('[ ] Rule 13d-1(b)\n[ ] Rule 13d-1(c)\n[ ] Rule 13d-1(d)'), [])
  assert.deepEqual(rules('Rule 13d-1(b) yes Rule 13d-1(c) no Rule 13d-1(d) no'), ['left out'])
  assert.deepEqual(rules('one of them'), ['left out'])
})

const coverOf = (markdown: string) => scheduleOf(markdown, context).facts.filter(({ person }) => person === null)

test('takes the title of the class from Item 2(d) only if the cover has none', () => {
  const items =
    'ITEM 1(A). NAME OF ISSUER\n\nSPECIMEN BREWING CORP\n\nITEM 2(D). TITLE OF CLASS OF SECURITIES\n\nCommon Stock\n\nITEM 2(E). CUSIP NUMBER'
  const title = (markdown: string) => coverOf(markdown).find(({ name }) => name === 'title_of_class')?.value ?? null
  assert.equal(title(`SCHEDULE 13G\n\n${items}`), 'Common Stock')
  assert.equal(title(`Item 2(d) Title of Class of Securities: Preferred Stock`), 'Preferred Stock')
  assert.equal(title(`Class A Shares\n\n(Title of Class of Securities)\n\n${items}`), 'Class A Shares')
  assert.equal(title('Item 2(d). Title of Class of Securities: N/A'), null)
  assert.equal(title('Item 2(d). Title of Class of Securities:\nItem 2(e). CUSIP Number:'), null)
})

test('rows that have numbers and no labels are numbered as in Schedule 13D only if rows 13 and 14 are present', () => {
  const long =
    'Item 1: Reporting Person - A Fund  Item 4: WC  Item 6: Delaware\nItem 7: 100  Item 8: None  Item 9: 100  Item 10: None\nItem 11: 903  Item 13: 12.12%  Item 14: IA'
  const rows = { ...POWERS, shares: '903', percent: '12.12', citizenship: 'DE', source_of_funds: 'WC', type: 'IA' }
  assert.deepEqual(page(long), { name: 'A Fund', ...rows, left: [] })
  // Rows may also be written as "Row 11 - 903". If words follow the number of a row, the words decide.
  const words = long
    .replaceAll(/Item (\d+):/g, (_, n) => (n === '1' ? 'Item 1:' : `Row ${n} -`))
    .replace('Row 7 -', 'Item 7: Sole Voting Power')
  assert.deepEqual(page(words), { name: 'A Fund', ...rows, left: [] })
  const short = long.replace(/Item 13.*/, '')
  const { persons } = scheduleOf(short, { ...context, schedule: '13D' })
  assert.equal(persons, 0)
})

test('recognizes a page in an unread layout by its rows, and does not take words of a footnote for a page', () => {
  const left = (text: string) => scheduleOf(text, context).leftOut.map(({ name }) => name)
  const sameLine = `1)  Name of Reporting        A Bank
    Person
5)  Sole Voting              100
    Power
9)  Aggregate Amount         100
    Beneficially Owned
11) Percent of Class         5.4%
    Represented by Row 9
12) Type of Reporting        BK
    Person`
  assert.deepEqual(left(sameLine), ['name', 'sole_voting', 'shares', 'percent', 'type'])
  assert.deepEqual(left('A reporting person: has five percent of the class and an aggregate amount of loans.'), [])
})

test('amounts of two classes in a row are two amounts, however small the second one is', () => {
  const shares = (text: string) => {
    const { shares: value, left } = page(`NAME OF REPORTING PERSON A Bank
SOLE VOTING POWER 100
SHARED VOTING POWER 0
AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON ${text}
PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW 9 5%
TYPE OF REPORTING PERSON BK`)
    return [value, (left as string[]).includes('shares')]
  }
  assert.deepEqual(shares('410,000 Class A 900 Class B'), [undefined, true])
  assert.deepEqual(shares('410,000 Class A; Class B: 12'), [undefined, true])
  assert.deepEqual(shares('410,000 shares of Class A Common Stock'), ['410000', false])
})

test('the figures of a person with two classes are left out by name, and the cover has both CUSIPs', () => {
  const rows = (figures: string, percent: string) => `SPECIMEN BREWING CORP
(Name of Issuer)
Class A and Class B Common Stock
(Title of Class of Securities)
037833100 (Class A)
594918104 (Class B)
(CUSIP Number)
1. NAME OF REPORTING PERSON A Bank
5. SOLE VOTING POWER
${figures}
6. SHARED VOTING POWER 0
9. AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON
${figures}
11. PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW 9
${percent}
12. TYPE OF REPORTING PERSON BK`
  for (const [figures, percent] of [
    ['700,000 Class A\n   40,000 Class B', '5.1% Class A\n7.7% Class B'],
    ['Class A: 700,000; Class B: 40,000', 'Class A: 5.1%; Class B: 7.7%'],
    ['700,000 (Common)\n40,000 (Preferred)', '5.1% (Common)\n7.7% (Preferred)'],
    ['Common - 0\nPreferred - 40,000', 'Common - 0%\nPreferred - 7.7%'],
    ['700,000\n40,000', '5.1%\n7.7%'],
  ] as const) {
    const { facts, leftOut } = scheduleOf(rows(figures, percent), context)
    const cusips = facts.flatMap(({ name, value }) => (name === 'cusip' ? [value] : []))
    assert.deepEqual(cusips, ['037833100', '594918104'])
    const { sole_voting, shares, percent: read, shared_voting } = page(rows(figures, percent))
    assert.deepEqual([sole_voting, shares, read, shared_voting], [undefined, undefined, undefined, '0'], figures)
    assert.deepEqual(
      leftOut.map(({ name }) => name),
      ['sole_voting', 'shares', 'percent'],
      figures,
    )
  }
})

test('the label of a person’s number is not part of the name, but "No." within a name is', () => {
  const name = (text: string) =>
    page(`NAME OF REPORTING PERSON ${text}
SOLE VOTING POWER 100
SHARED VOTING POWER 0
PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW 9 5%
TYPE OF REPORTING PERSON OO`).name
  const labels = ['Social Security Number ###-##-####', 'I.D. No. 13-1234567', 'No. 980000001', 'ID # 13-1234567']
  const more = [
    'Tax Identification Number: 13-1234567',
    'Employer I.D. No. 13-1234567',
    'EIN: 13-1234567',
    '- 13-1234567',
  ]
  for (const label of [...labels, ...more]) assert.equal(name(`Hill Trust  ${label}`), 'Hill Trust', label)
  assert.equal(name('Hill Trust No. 2'), 'Hill Trust No. 2')
})

test('reads the day of the event below or above the CUSIP; a CUSIP of another length is kept and named in `left_out`', () => {
  const cover = (number: string, isAbove: boolean) => {
    const [day, cusip] = [
      'January 25, 2002\n(Date of Event Which Requires Filing of this Statement)',
      `${number}\n(CUSIP Number)`,
    ]
    const head = 'SPECIMEN BREWING CORP\n(Name of Issuer)\nCommon Stock\n(Title of Class of Securities)'
    const { facts, leftOut } = scheduleOf([head, ...(isAbove ? [day, cusip] : [cusip, day])].join('\n'), context)
    const values = Object.fromEntries(facts.map(({ name, value }) => [name, value]))
    return [values.title_of_class, values.cusip, values.event_date, leftOut.map(({ name }) => name)]
  }
  for (const isAbove of [true, false]) {
    assert.deepEqual(cover('037833100', isAbove), ['Common Stock', '037833100', '2002-01-25', []])
    assert.deepEqual(cover('03783310', isAbove), ['Common Stock', '03783310', '2002-01-25', ['cusip']])
    assert.deepEqual(cover('0378331000', isAbove), ['Common Stock', '0378331000', '2002-01-25', ['cusip']])
  }
})

test('rows that have numbers instead of labels are read, also in one paragraph, and row 1 of a page is the name', () => {
  const values = ['A Bank', '(a) [ ] (b) [X]', '', 'Delaware', '101', '22', '103', '44', '165', '', '6.7%', 'BK']
  const read = { name: 'A Bank', sole_voting: '101', shared_voting: '22', sole_dispositive: '103', shared_dispositive: '44', shares: '165', percent: '6.7', type: 'BK' } // biome-ignore format: a table
  for (const [word, sign, between] of [
    ['Item', ':', '  '],
    ['Row', ':', '; '],
    ['Line', '.', '\n'],
    ['Item', ' -', ' '],
    ['Box #', ' =', '  '],
  ] as const) {
    const rows = values
      .map((value, at) => `${word}${word.endsWith('#') ? '' : ' '}${at + 1}${sign} ${value}`)
      .join(between)
    assert.deepEqual(page(rows), { ...read, member_of_group: 'b', citizenship: 'DE', left: [] }, word)
  }
  // Items of the schedule itself are not rows.
  const items = ['Item 1: Issuer', 'Item 2: Filer', 'Item 4: Ownership', 'Item 5: Five percent', 'Item 6: None', 'Item 7: None'] // biome-ignore format: a table
  assert.deepEqual(page(items.join('\n\n')), { left: [] })
})

test('rows with bare numbers in parentheses are not read, and `left_out` names them', () => {
  const rows = ['A Bank', '(b)', '', 'Delaware', '101', '22', '103', '44', '165', '', '6.7%', 'BK'].map(
    (value, at) => `(${at + 1}) ${value}`,
  )
  const { facts, leftOut } = scheduleOf(rows.join('  '), context)
  assert.deepEqual(
    [facts, leftOut.map(({ name }) => name).sort()],
    [[], ['name', 'percent', 'shares', 'sole_voting', 'type']],
  )
})

test('labels of a person’s number are not part of the name, even if the number is masked, missing or given by another authority', () => {
  for (const number of [
    '/ 13-1234567',
    'SSN: ###-##-####',
    'CIK No. 0001234567',
    '[13-1234567]',
    'ID No. N/A',
    'Employer I.D. 13-1234567',
    'T.I.N. 13-1234567',
    'IRS ID 131234567',
    'LEI 5493001KJTIIGC8Y1R12',
    '(CRD No. 123456)',
    'SEC File No. 801-12345',
    'Soc. Sec. No. 123-45-6789',
    'SS No: XXX-XX-6789',
    '###-##-6789',
    'Passport No. 1234567',
    '(Social Security Number: not provided)',
    'I.D. Number: none',
    'Registration No. 98-1234567',
  ]) {
    const { name } = page(`1 NAME OF REPORTING PERSON A Bank ${number}
5 SOLE VOTING POWER 100 6 SHARED VOTING POWER 0 7 SOLE DISPOSITIVE POWER 100
9 AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON 100 12 TYPE OF REPORTING PERSON BK`)
    assert.equal(name, 'A Bank', number)
  }
})

test('a word of a name, such as Company, is removed as a label only if it labels a number', () => {
  const nameOf = (words: string) =>
    page(`1 NAME OF REPORTING PERSON ${words}
5 SOLE VOTING POWER 100 6 SHARED VOTING POWER 0 7 SOLE DISPOSITIVE POWER 100
9 AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON 100 12 TYPE OF REPORTING PERSON BK`).name
  for (const [words, name] of Object.entries({
    'A Trust Company 04-1867445': 'A Trust Company',
    'A Trust Company No. 04-1867445': 'A Trust Company',
    'Specimen Management Company 04-2683227': 'Specimen Management Company',
    'Specimen Management Company IRS No. 95-1411037': 'Specimen Management Company',
    'SPECIMEN CHARTER COMPANY - 95-1411037': 'SPECIMEN CHARTER COMPANY',
    'Oak Leasing Company 2020-A': 'Oak Leasing Company 2020-A',
    'Specimen Company 401k-Plan': 'Specimen Company 401k-Plan',
    'Specimen Federal 12-3456789': 'Specimen Federal',
    'First Federal Savings Bank': 'First Federal Savings Bank',
    'A Bank Federal Tax ID No. 12-3456789': 'A Bank',
    'A Bank (Company No. 04186744)': 'A Bank',
  }))
    assert.equal(nameOf(words), name, words)
  // Either the bank has the number, or its name ends with Company.
  assert.equal(nameOf('A Bank Company No. 04186744'), undefined)
})

test('a label that its value interrupts, or that is shortened before a colon, is recognized by its first words', () => {
  const read = page(`1   NAME OF REPORTING PERSON                     A Bank
5   SOLE VOTING POWER                            100
6   SHARED VOTING POWER                          0
7   SOLE DISPOSITIVE POWER                       100
8   SHARED DISPOSITIVE POWER                     0
9   AGGREGATE AMOUNT BENEFICIALLY OWNED          100
    BY EACH REPORTING PERSON
11  PERCENT OF CLASS REPRESENTED                 5.4%
    BY AMOUNT IN ROW 9
12  TYPE OF REPORTING PERSON                     BK`)
  assert.deepEqual(read, { name: 'A Bank', ...POWERS, percent: '5.4', type: 'BK', left: [] })
  const short = page(
    'Name of Reporting Person: A Bank; Sole Voting Power: 100; Shared Voting Power: 0; Sole Dispositive Power: 100; Shared Dispositive Power: 0; Aggregate Amount Beneficially Owned: 100; Percent of Class: 5.4%; Type of Reporting Person: BK',
  )
  assert.deepEqual(short, { name: 'A Bank', ...POWERS, percent: '5.4', type: 'BK', left: [] })
})

test('words that follow a name and do not belong to it are removed, or the name is left out', () => {
  const nameOf = (words: string) => {
    const { name, left } = page(`NAME OF REPORTING PERSON
${words}
SOLE VOTING POWER 100
SHARED VOTING POWER 0
AGGREGATE AMOUNT BENEFICIALLY OWNED 100
PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW 9 5%
TYPE OF REPORTING PERSON BK`)
    return name ?? left
  }
  for (const words of [
    'Oak Partners LP, a Delaware limited partnership',
    'Oak Partners LP (a Cayman Islands limited partnership)',
    'Oak Partners LP (1)(2)',
    'Oak Partners LP [1]',
    'Oak Partners LP (No EIN)',
    'Oak Partners LP (no I.R.S. number)',
    'Oak Partners LP [has no S.S. or I.R.S. identification no.]',
    'Oak Partners LP (not applicable)',
  ])
    assert.equal(nameOf(words), 'Oak Partners LP', words)
  for (const words of [
    'Oak Partners LP EIN 13 1234567',
    'Oak Partners LP CUSIP 784635104',
    'Oak Partners LP, 12 Hill Road, Lake City, NY 10001',
    'Oak Partners LP Lake City, NY 10001',
    'Filed by Oak Partners LP',
    'Jane Oak  Date of birth 1/1/1950',
    'Oak Partners LP SS# ###-##-####',
  ])
    assert.deepEqual(nameOf(words), ['name'], words)
  for (const words of ['100 Hill Street Partners LP', 'A Delaware Trust', 'Oak Trust No. 12', 'Fed Bank NA'])
    assert.equal(nameOf(words), words)
})

/** Returns the facts of a cover, and the names of those that were left out. */
function cover(markdown: string): Record<string, string | string[]> {
  const { facts, leftOut } = scheduleOf(`SCHEDULE 13G\n${markdown}`, context)
  return { ...Object.fromEntries(facts.map(({ name, value }) => [name, value])), left: leftOut.map(({ name }) => name) }
}

const EVENT = '(Date of Event Which Requires Filing of this Statement)'

test('a row of a page whose label is worded in an unknown way is named in `left_out`, and not passed over', () => {
  const rows = (...changed: [string, string][]) => {
    let text = whole(
      'SOLE VOTING POWER 100\nSHARED VOTING POWER 0\nSOLE DISPOSITIVE POWER 100\nSHARED DISPOSITIVE POWER 0\nAGGREGATE AMOUNT BENEFICIALLY OWNED 100',
    )
    for (const [words, others] of changed) {
      assert.ok(text.includes(words), words)
      text = text.replace(words, others)
    }
    const { shares, percent, shared_dispositive, left } = page(text)
    return [shares, percent, shared_dispositive, left]
  }
  const amount = (words: string) => rows(['AGGREGATE AMOUNT BENEFICIALLY OWNED', words])
  for (const words of [
    'AGGREGATE AMOUNT',
    'Aggregate Amount:',
    'Aggregate Amount of Beneficially Owned',
    'Aggregate Amount Beneficially',
  ])
    assert.deepEqual(amount(words), ['100', '5', '0', []], words)
  assert.deepEqual(amount('Total held'), [undefined, '5', '0', ['shares']])
  assert.deepEqual(rows(['SHARED DISPOSITIVE POWER', 'Joint power of sale']), [
    '100',
    '5',
    undefined,
    ['shared_dispositive'],
  ])
  assert.deepEqual(rows(['PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW 9', 'PERCENT OF CLASS']), ['100', '5', '0', []])
  const short = page(
    '1. Name: A Bank 5. Sole voting: 100 6. Shared voting: 0 9. Aggregate: 100 11. Percent: 5% 12. Type: BK',
  )
  assert.deepEqual(short, { left: [] })
})

test('the values of labels that are next to each other are read from the line above, in the same order', () => {
  const read = cover(`
Specimen Brewing Corp
(Name of Issuer)

Common Stock, par value $.01             784635 10 4
(Title of Class of Securities)          (CUSIP Number)

December 31, 2009
${EVENT}`)
  const known = { issuer_name: 'Specimen Brewing Corp', event_date: '2009-12-31', left: [] }
  assert.deepEqual(read, { ...known, title_of_class: 'Common Stock, par value $.01', cusip: '784635104' })
  const other = cover(`
Specimen Brewing Corp
(Name of Issuer)

Common Stock
(Title of Class of Securities)

784635104                      December 31, 2009
(CUSIP Number)    ${EVENT}`)
  assert.deepEqual(other, { ...known, title_of_class: 'Common Stock', cusip: '784635104' })
})

test('if the number of values in the line above differs from the number of labels, no value is assigned to a label', () => {
  for (const above of ['Common Stock 784635 10 4', 'Common Stock     $.01 par value      784635 10 4']) {
    const { title_of_class, left } = cover(`
Specimen Brewing Corp
(Name of Issuer)

${above}
(Title of Class of Securities)          (CUSIP Number)`)
    assert.deepEqual([title_of_class, left], [undefined, ['title_of_class']], above)
  }
})

test('a value after a colon ends before the next label, on its line and on the next line', () => {
  const known = { title_of_class: 'Common Stock', cusip: '784635104', event_date: '2009-12-31', left: [] }
  assert.deepEqual(
    cover(`Title of Class of Securities: Common Stock
CUSIP Number 784635 10 4
Date of Event Which Requires Filing of this Statement: December 31, 2009
CUSIP No. 784635 10 4`),
    known,
  )
  assert.deepEqual(
    cover(`Title of Class of Securities: Common Stock     CUSIP Number 784635 10 4
Date of Event Which Requires Filing of this Statement: December 31, 2009 CUSIP No. 784635 10 4`),
    known,
  )
  // Without a label, the second line continues the value.
  assert.equal(
    cover('Title of Class of Securities: Common Stock,\npar value $.01').title_of_class,
    'Common Stock, par value $.01',
  )
})

test('a value is read after its label on a line of its own, on one line with other labels, after a gap, or below the label', () => {
  const values: readonly string[][] = [
    ['Name of Issuer', 'SPECIMEN BREWING CORP'],
    ['Title of Class of Securities', 'Common Stock'],
    ['CUSIP Number', '784635104'],
    ['Date of Event', 'December 31, 2009'],
  ]
  const layouts: Record<string, (label: string, value: string) => string> = {
    lines: (label, value) => `${label}: ${value}\n`,
    line: (label, value) => `${label}: ${value} `,
    gaps: (label, value) => `${label}     ${value}\n`,
    below: (label, value) => `${label}:\n\n${value} `,
  }
  for (const [layout, write] of Object.entries(layouts)) {
    const facts = coverOf(values.map(([label, value]) => write(label!, value!)).join(''))
    assert.deepEqual(
      ['issuer_name', 'title_of_class', 'cusip', 'event_date'].map(
        (one) => facts.find(({ name }) => name === one)?.value,
      ),
      ['SPECIMEN BREWING CORP', 'Common Stock', '784635104', '2009-12-31'],
      layout,
    )
  }
  const blank = coverOf(
    'Title of Class of Securities:\n\nCheck the appropriate box to designate the rule by which this schedule is filed here.',
  )
  assert.deepEqual(blank, [])
})

test('the day of the event is read below any wording of its label, and next to the CUSIP', () => {
  const day = (cover: string) => coverOf(cover).find(({ name }) => name === 'event_date')?.value
  const above = 'SPECIMEN BREWING CORP (Name of Issuer) Common Stock (Title of Class of Securities)'
  for (const label of [
    'Date of Event',
    'Date of Event Requiring Filing of this Statement',
    'Date of the Event that Requires Filing',
  ]) {
    const cover = `${above} 784635104 (CUSIP Number) December 31, 2009 (${label})`
    assert.equal(day(cover), '2009-12-31', label)
  }
  const [label, number] = ['(Date of Event Which Requires Filing of this Statement)', 'CUSIP # 784635104']
  assert.equal(day(`${above} ${number} December 31, 2009 ${label}`), '2009-12-31')
  assert.equal(day(`${above} ${number} December 31, 2009 (CUSIP Number) ${label}`), '2009-12-31')
  assert.equal(day(`${above} ${number} (CUSIP Number) ${label}`), undefined)
})

test('boxes next to the two lines of the label of row 2 are read, and a fraction is not a percentage', () => {
  const rows = (group: string, percent: string) =>
    page(`NAME OF REPORTING PERSON A Bank
CHECK THE APPROPRIATE BOX IF A MEMBER ${group}
SOLE VOTING POWER 100
SHARED VOTING POWER 0
AGGREGATE AMOUNT BENEFICIALLY OWNED 100
AGGREGATE AMOUNT EXCLUDES CERTAIN SHARES [ ]
PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW 9 ${percent}
TYPE OF REPORTING PERSON BK`)
  const { member_of_group, shares, percent, left } = rows('(a) [X] OF A GROUP (b) [ ]', '5.1')
  assert.deepEqual([member_of_group, shares, percent, left], ['a', '100', '5.1', []])
  const fraction = rows('(a) [ ] OF A GROUP (b) [X]', '.051')
  assert.deepEqual([fraction.member_of_group, fraction.percent, fraction.left], ['b', undefined, ['percent']])
  assert.equal(rows('(a) [ ] OF A GROUP (b) [X]', '0.51%').percent, '0.51')
})

test('the number of an amendment is read in figures, words and ordinals, and two numbers are left out', () => {
  const amendment = (stated: string) => {
    const { facts, leftOut } = scheduleOf(
      `SCHEDULE 13G\n\n(${stated})\n\nSPECIMEN BREWING CORP\n\n(Name of Issuer)`,
      context,
    )
    return (
      facts.find(({ name }) => name === 'amendment_number')?.value ??
      leftOut.find(({ name }) => name === 'amendment_number')?.name
    )
  }
  for (const stated of [
    'Amendment No. 3',
    'Amendment No. __3__',
    'Amendment #3',
    'Amendment 3',
    'Amendment No. Three',
    'Third Amendment',
    'Amendment No. 3\nOne Specimen Road',
  ])
    assert.equal(amendment(stated), '3', stated)
  for (const stated of ['Final Amendment', 'Amendment No. ___', 'Amendment No. 0'])
    assert.equal(amendment(stated), undefined, stated)
  // Numbers of several words are not read, and neither is a single one of these words.
  for (const stated of [
    'Amendment No. Twenty-One',
    'Amendment No. Twenty One',
    'Twenty-First Amendment',
    'Twenty First Amendment',
  ])
    assert.equal(amendment(stated), undefined, stated)
  assert.equal(amendment('Amendment No. 3, Fourth Amendment'), 'amendment_number')
})
