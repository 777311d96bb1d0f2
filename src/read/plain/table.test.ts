import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { markdownOfText } from '../plain.ts'

/** Converts lines between the tags of a table. */
const tableOf = (...lines: string[]) => markdownOfText(['<TABLE>', ...lines, '</TABLE>'].join('\n')).text.trimEnd()
/** Asserts that a text table stays as it is, without EDGAR's tags. */
function staysText(...lines: string[]): void {
  const shown = lines
    .map((line) => line.replace(/<\/?(?:CAPTION|S|C|FN)>/g, (tag) => ' '.repeat(tag.length)).trimEnd())
    .filter((line, at) => line !== '' || !/<[SC]/.test(lines[at]!))
  const block = shown
    .join('\n')
    .replace(/^(?:\s*\n)+/, '')
    .trimEnd()
  assert.equal(tableOf(...lines), `\`\`\`\n${block}\n\`\`\``)
}

const HEAD = ['<CAPTION>', '                        1999      1998', '                      ------    ------']
const TAGS = '<S>                   <C>       <C>'

describe('a text table becomes a table of Markdown if its columns are certain', () => {
  it('numbers may begin before or after their tag, signs join their numbers, and rules are left out', () => {
    assert.equal(
      tableOf(
        ...HEAD,
        '<S>                      <C>       <C>',
        'Net sales...........  $1,558   $ 1,402',
        'Cost of sales . . . .  1,131     1,042',
        '                      ------    ------',
        'Gross margin          $  427    $  360',
        '  in percent            27.4 %    25.7%',
        '                      ======    ======',
      ),
      [
        '|  | 1999 | 1998 |',
        '| --- | ---: | ---: |',
        '| Net sales | $1,558 | $1,402 |',
        '| Cost of sales | 1,131 | 1,042 |',
        '| Gross margin | $427 | $360 |',
        '| in percent | 27.4 % | 25.7% |',
      ].join('\n'),
    )
  })

  it('cells that are missing stay empty, and one blank divides two amounts', () => {
    assert.equal(
      tableOf(
        ...HEAD,
        '<S>                   <C>    <C>',
        'Cash                  12,345 67,890',
        'Inventories           22,345',
        'Other                        77,890',
      )
        .split('\n')
        .slice(-3)
        .join('\n'),
      '| Cash | 12,345 | 67,890 |\n| Inventories | 22,345 |  |\n| Other |  | 77,890 |',
    )
  })

  it('a label that continues with a small letter in the next line joins its row, above or below the values', () => {
    assert.match(
      tableOf(
        ...HEAD,
        TAGS,
        'Current assets:',
        '  Accounts, less',
        '    allowances of $9     896       955',
        'Income before taxes and   80        42',
        '    other items',
        'Net                      976       997',
      ),
      /\| Current assets: \| {2}\| {2}\|\n\| Accounts, less allowances of \$9 \| 896 \| 955 \|\n\| Income before taxes and other items \| 80 \| 42 \|\n\| Net \|/,
    )
  })

  it('labels in small letters are not joined if any of them cannot be the rest of a label', () => {
    assert.match(
      tableOf(
        ...HEAD,
        TAGS,
        'Income taxes',
        '  current                1         2',
        '  deferred               3         4',
      ),
      /\| Income taxes \| {2}\| {2}\|\n\| current \| 1 \| 2 \|\n\| deferred \| 3 \| 4 \|/,
    )
  })

  it('a label so long that it reaches over the columns of values stays one label, with the date at its end', () => {
    const label = 'Adjustments to the earnings of the year as of December 31, 1998'
    assert.match(
      tableOf(...HEAD, TAGS, label, 'Cash                     5         6'),
      new RegExp(`\\| ${label} \\|  \\|  \\|`),
    )
  })

  it('titles of several lines are joined by column; a title over a rule spans the columns of the rule', () => {
    assert.equal(
      tableOf(
        '<CAPTION>',
        '                           Three months ended',
        '                                June 30,',
        '                        ---------------------',
        '                                                     Half',
        '(In millions)               1999         1998        1999',
        '-------------           --------     --------     -------',
        '<S>                     <C>          <C>          <C>',
        'Net sales               $  1,558     $  1,402     $ 3,088',
      ),
      [
        '|  | Three months ended June 30, |  |  |',
        '| --- | ---: | ---: | --- |',
        '| (In millions) | 1999 | 1998 | Half 1999 |',
        '| Net sales | $1,558 | $1,402 | $3,088 |',
      ].join('\n'),
    )
  })
})

describe('lines that belong together', () => {
  /** Returns the rows between the title and the end. */
  const bodyOf = (...lines: string[]) =>
    tableOf(...HEAD, TAGS, ...lines)
      .split('\n')
      .slice(2)

  it('a label joins the next line if it ends with a word that needs another, or within parentheses', () => {
    assert.deepEqual(
      bodyOf(
        'Accounts, less allowances of',
        '  $69 and $81            896       955',
        'Stock options (granted',
        '  May 3, 1998)            12        14',
        'Rates of',
        '                           7         8',
      ),
      [
        '| Accounts, less allowances of $69 and $81 | 896 | 955 |',
        '| Stock options (granted May 3, 1998) | 12 | 14 |',
        '| Rates of |  |  |',
        '|  | 7 | 8 |',
      ],
    )
  })

  it('a line that begins with parentheses joins the label above if they contain a small letter or a reference to a note', () => {
    assert.deepEqual(
      bodyOf(
        'Interest and other income',
        '  (expense), net           7         8',
        'Write-off of mills',
        '  (Note 5)                 3         4',
        'Owed to',
        '  (a) banks                1         2',
        'Changes in funds',
        '  (Increase) of debt       5         6',
      ),
      [
        '| Interest and other income (expense), net | 7 | 8 |',
        '| Write-off of mills (Note 5) | 3 | 4 |',
        '| Owed to (a) banks | 1 | 2 |',
        '| Changes in funds |  |  |',
        '| (Increase) of debt | 5 | 6 |',
      ],
    )
  })

  it('an amount alone directly below the rows or their rule is a row; a number further below is not', () => {
    const rows = ['Cash                   1,234     5,678', '                      ------    ------']
    for (const total of ['$  1,234', '     907'])
      assert.equal(
        tableOf(
          ...HEAD,
          TAGS,
          ...rows,
          `                      ${total}`,
          '                      ======',
          '',
          '          12',
        )
          .split('\n')
          .slice(2)
          .join('\n'),
        `| Cash | 1,234 | 5,678 |\n|  | ${total.replaceAll(' ', '')} |  |\n\n\`\`\`\n          12\n\`\`\``,
      )
  })

  it('titles one blank apart belong to separate columns if the rules below them are one blank apart too', () => {
    const rows = ['Sold                     100%      60%', 'Kept                       5         6']
    assert.match(
      tableOf(
        '<CAPTION>',
        '                        PUBLIC   AGENT',
        '                      PRICE(1) DISCOUNT(2)',
        '                      -------- -----------',
        TAGS,
        ...rows,
      ),
      /^\| {2}\| PUBLIC PRICE\(1\) \| AGENT DISCOUNT\(2\) \|\n/,
    )
    assert.match(
      tableOf(
        '<CAPTION>',
        '                         1999 Change',
        '                      ------- ------',
        TAGS,
        ...rows,
      ),
      /^\| {2}\| 1999 \| Change \|\n/,
    )
  })

  it('a rule among titles is the rule of the title above it, and not a title', () => {
    const rows = ['<S>                   <C>       <C>       <C>', 'Cash                     5         6         7']
    assert.match(
      tableOf(
        '<CAPTION>',
        '                         Mills in Ohio',
        '                      ----------------     All',
        '                        1999      1998    mills',
        ...rows,
      ),
      /^\| {2}\| Mills in Ohio \| {2}\| {2}\|\n\|[^\n]*\n\| {2}\| 1999 \| 1998 \| All mills \|\n/,
    )
    assert.match(
      tableOf(
        '<CAPTION>',
        '                                    Deducted',
        '                      Opening   ----------------',
        '                      balance     Paid     Lost',
        ...rows,
      ),
      /^\| {2}\| {2}\| Deducted \| {2}\|\n\|[^\n]*\n\| {2}\| Opening balance \| Paid \| Lost \|\n/,
    )
  })

  it('a rule that sending software moved by a dash and a blank stays over its columns', () => {
    assert.match(
      tableOf(
        '<CAPTION>',
        'Mill                   PRICE(1) DISCOUNT(2)',
        '- ----                 -------- -----------'.replace('- ----   ', '- ----     '),
        '<S>                    <C>       <C>',
        'Ohio                     100%      60%',
        'Iowa                       5         6',
      ),
      /^\| Mill \| PRICE\(1\) \| DISCOUNT\(2\) \|\n/,
    )
  })

  it('a remark in parentheses belongs to all values, wherever its middle is', () => {
    const tags = '<S>                   <C>       <C>       <C>'
    assert.match(
      tableOf(
        '<CAPTION>',
        '                        1999      1998      1997',
        '                      ------    ------    ------',
        '                                (in thousands)',
        tags,
        'Cash                     5         6         7',
      ),
      /\n\| {2}\| \(in thousands\) \| {2}\| {2}\|\n/,
    )
    assert.match(
      tableOf(
        '<CAPTION>',
        '                        1999      1998      1997',
        '                      ------    ------    ------',
        '                      (in thousands, without',
        '                      the data of a share)',
        tags,
        'Cash                     5         6         7',
      ),
      /\n\| {2}\| \(in thousands, without the data of a share\) \| {2}\| {2}\|\n/,
    )
  })
})

describe('lines around the rows of a certain table stay text', () => {
  const rows = ['Cash                     5         6', 'Other                    7         8']

  it('a name of the statement above the caption, and notes below the rows, with or without EDGAR’s tag, stay text', () => {
    const table = '|  | 1999 | 1998 |\n| --- | ---: | ---: |\n| Cash | 5 | 6 |\n| Other | 7 | 8 |'
    const above = 'SPECIMEN MILLS          BALANCE SHEETS'
    const note = '(1)  It includes what the company owes to banks,  and to owners.'
    for (const tag of ['<FN>', ''])
      assert.equal(
        tableOf(above, ...HEAD, TAGS, ...rows, tag, note, 'See the notes.'),
        `\`\`\`\n${above}\n\`\`\`\n\n${table}\n\n\`\`\`\n${note}\nSee the notes.\n\`\`\``,
      )
  })

  it('titles below the tags are the head if a rule divides them from numbers', () => {
    assert.equal(
      tableOf(TAGS, '                      Sales     Costs', '                      -----     -----', ...rows),
      '|  | Sales | Costs |\n| --- | ---: | ---: |\n| Cash | 5 | 6 |\n| Other | 7 | 8 |',
    )
  })

  it('without titles the row of titles is empty, and signs of Markdown are escaped', () => {
    assert.equal(
      tableOf(TAGS, 'Cash *a* | b             5         6', 'Other                    7         8'),
      '|  |  |  |\n| --- | ---: | ---: |\n| Cash \\*a\\* \\| b | 5 | 6 |\n| Other | 7 | 8 |',
    )
  })
})

describe('a text table stays text if anything about its columns is not certain', () => {
  const rows = ['Cash                     5         6', 'Other                    7         8']
  const cases: [string, string[]][] = [
    ['it has no line of tags', [...HEAD, ...rows]],
    ['it has two lines of tags', [...HEAD, TAGS, ...rows, TAGS, ...rows]],
    ['its first tag is not that of labels', [...HEAD, '<C>                   <S>       <C>', ...rows]],
    ['it has one column', ['<S>', 'Cash', 'Other']],
    [
      'a text of two lines reaches over its values',
      [
        ...HEAD,
        TAGS,
        ...rows,
        'The company owes these amounts to banks, and it',
        'pays them in the course of the next two years.',
        ...rows,
      ],
    ],
    ['a label may have a value at its end', [...HEAD, TAGS, 'Shares that were issued 1,234', ...rows]],
    [
      'a cell reaches from one column into the next',
      [...HEAD, TAGS, ...rows, 'Rate                  about a half       9'],
    ],
    ['a column has two cells in a row', [...HEAD, '<S>                   <C>', ...rows]],
    ['a column has no cell', [...HEAD, `${TAGS}   <C>`, ...rows]],
    ['a cell of text may continue the cell above', [...HEAD, TAGS, ...rows, '                      Bank of   Chicago']],
    ['dots divide a line at two places', [...HEAD, TAGS, ...rows, 'Owed........ 5 ....... 6']],
    ['dashes may be a rule or values', [...HEAD, TAGS, ...rows, '                        --        --']],
    ['a line has more than 400 characters', [...HEAD, TAGS, ...rows, `Total${' '.repeat(400)}9`]],
    ['a title is over a gap', ['<CAPTION>', '                             1999', TAGS, ...rows]],
    [
      'a title over two columns is not over their middle',
      ['<CAPTION>', '                        Year ended December', TAGS, ...rows],
    ],
    ['amounts are above the tags', ['Debt                 1,234     5,678', TAGS, ...rows]],
    [
      'a title over a rule may be that of the next column too',
      [
        '<CAPTION>',
        '                      Year',
        '                      ------',
        '',
        '                        1999      1998',
        TAGS,
        ...rows,
      ],
    ],
    [
      'a title may be that of the columns at its sides too',
      [
        '<CAPTION>',
        '                                 Year',
        '                        1999     1998     1997',
        '<S>                     <C>      <C>      <C>',
        'Cash                    1,234    5,678    9,012',
      ],
    ],
    ['its titles are above one of three columns', ['<CAPTION>', '                        ARTICLE', TAGS, ...rows]],
    [
      'a single title may be the rest of one that spans columns',
      ['<CAPTION>', '                      (in thousands, exc', '                       earnings)', TAGS, ...rows],
    ],
    [
      'numbers may belong to the line above, which its text continues',
      [...HEAD, TAGS, ...rows, 'Jane Doe              Chief', '                      Officer        7'],
    ],
    [
      'a text of two lines has its numbers in the second',
      [
        '<CAPTION>',
        'Mill                  Place          1999',
        '<S>                   <C>            <C>',
        'Ohio Mill             Near the',
        '                      river          1,234',
      ],
    ],
    [
      'a line below its rows may have a value one blank after its label',
      [...HEAD, TAGS, ...rows, 'Everything together:. $59,127'],
    ],
    ['a text below its rows ends with a share', [...HEAD, TAGS, ...rows, 'Share of the mills in the total 12.5%']],
    [
      'a title over some columns may be the title of the table',
      [
        '<CAPTION>',
        '                            In dollars',
        '                        Paid      Owed      Lost',
        '<S>                   <C>       <C>       <C>',
        'Cash                     5         6         7',
      ],
    ],
    [
      'a title over the last columns has no rule',
      [
        '<CAPTION>',
        '                                      Changes',
        '                        1999      1999      1998',
        '<S>                   <C>       <C>       <C>',
        'Cash                     5         6         7',
      ],
    ],
    [
      'a title directly below those of its columns may be two titles',
      [
        '<CAPTION>',
        '                        Price     Agent',
        '                        before discount',
        TAGS,
        ...rows,
      ],
    ],
    [
      'it is a form with numbered boxes',
      [
        '<S>                   <C>       <C>',
        'Number of                5      Sole Voting Power',
        'Shares                   6      None',
      ],
    ],
    [
      'its boxes have numbers before their texts',
      [
        '<S>           <C>     <C>',
        '              7       Power to vote',
        'Owned',
        'by            8       Power to sell',
      ],
    ],
    [
      'it has texts alone',
      ['<S>                   <C>', 'Jane Doe              Omaha', '[Name]                [City]'],
    ],
  ]
  for (const [why, lines] of cases) it(why, () => staysText(...lines))

  it('a tab or a character reference shifts the characters of a line', () => {
    assert.match(tableOf(...HEAD, TAGS, ...rows, 'Total\t\t\t12\t  14'), /^```[^`]*Total +12 +14\n```$/)
    assert.match(tableOf(...HEAD, TAGS, ...rows, 'P&amp;L               12        14'), /^```[^`]*P&L +12 +14\n```$/)
    assert.match(tableOf(...HEAD, '<S>\t<C>\t<C>', ...rows), /^```[^|]*```$/)
  })

  it('it never ends', () => {
    for (const after of ['', '\nAnd the text goes on.', '\n<TABLE>\nx  1\n</TABLE>'])
      assert.doesNotMatch(markdownOfText(['<TABLE>', ...HEAD, TAGS, ...rows].join('\n') + after).text, /\|/)
  })
})

it('20,000 lines, 20,000 lines above the tags and 20,000 tags are read in linear time', () => {
  const many = (line: string, count = 20_000) => new Array<string>(count).fill(line)
  const row = 'Cash                     5         6'
  const timeOf = (lines: string[]) => {
    const started = process.cpuUsage()
    const text = tableOf(...lines)
    const { user, system } = process.cpuUsage(started)
    return { text, seconds: (user + system) / 1e6 }
  }
  const whole = timeOf([...HEAD, TAGS, ...many(row)])
  assert.equal(whole.text.split('\n').length, 20_002)
  const hostile = [
    timeOf([...many('                        1999      1998'), TAGS, row]),
    timeOf([TAGS, row, ...many('(1)  note')]),
    timeOf([`<S>${'<C>'.repeat(20_000)}`, row]),
    timeOf([TAGS, ...many('and so on'), row]),
    timeOf([TAGS, `${'. '.repeat(200_000)}x`, row]),
  ]
  for (const { seconds } of [whole, ...hostile]) assert.ok(seconds < 10, `${seconds} s`)
})

describe('lines in columns without the tags of a table', () => {
  const shown = (...lines: string[]) =>
    markdownOfText(['Words of a text are above.', '', ...lines, '', 'Words of a text are below.'].join('\n')).text
  const TITLES = ['                          1999       1998', '                        -------    -------']
  const ROWS = [
    'Net sales               $ 1,558    $ 1,402',
    'Cost of sales             1,131      1,042',
    'Gross margin                427        360',
  ]

  it('become a table if each row has a label and a number in each column, and each column has a title', () => {
    const table = [
      '|  | 1999 | 1998 |',
      '| --- | ---: | ---: |',
      '| Net sales | $1,558 | $1,402 |',
      '| Cost of sales | 1,131 | 1,042 |',
      '| Gross margin | 427 | 360 |',
    ].join('\n')
    const text = `Words of a text are above.\n\n${table}\n\nWords of a text are below.`
    assert.equal(shown(...TITLES, ...ROWS).trimEnd(), text)
    assert.equal(shown(...TITLES, ROWS[0]!, ROWS[1]!, TITLES[1]!, ROWS[2]!).trimEnd(), text)
    assert.match(
      shown(
        '                        Year ended June 30,',
        '                        ------------------',
        ...TITLES,
        ...ROWS,
      ),
      /\n\| {2}\| Year ended June 30, \| {2}\|\n\| --- \| ---: \| ---: \|\n\| {2}\| 1999 \| 1998 \|\n\| Net sales \|/,
    )
  })

  it('become a table if only an empty line is between the titles and the rows', () => {
    const table = '|  | 1999 | 1998 |\n| --- | ---: | ---: |\n| Net sales | $1,558 | $1,402 |'
    assert.ok(shown(TITLES[0]!, '', ...ROWS).includes(`Words of a text are above.\n\n${table}`))
    const year = '                        Year ended June 30,'
    const wide = `|  | Year ended June 30, |  |\n${table.split('\n')[1]}\n| ${table.split('\n')[0]!.slice(2)}`
    assert.ok(shown(year, TITLES[0]!, '', ...ROWS).includes(wide))
    // Text in columns that is above the titles stays where it was.
    const above = ['Plants                       12       14', 'Persons                     450      470']
    const both = shown(...above, '', TITLES[0]!, '', ...ROWS)
    assert.ok(both.includes(`\`\`\`\n${above.join('\n')}\n\`\`\`\n\n${table}`), both)
    for (const lines of [
      [TITLES[0]!, '', 'Other words are between them.', '', ...ROWS],
      [TITLES[0]!.slice(0, 30), '', ...ROWS],
      [TITLES[0]!.replace('      1998', '\t1998'), '', ...ROWS],
      [...Array.from({ length: 9 }, () => TITLES[0]!), '', ...ROWS],
    ])
      assert.doesNotMatch(shown(...lines), /^\|/m, lines.join('\n'))
  })

  it('stay text if a title, a number, a label or a third row is missing, or if anything else is not certain', () => {
    for (const lines of [
      ROWS,
      [TITLES[0]!.slice(0, 30), ...ROWS],
      [...TITLES, ROWS[0]!, ROWS[1]!.slice(0, 32), ROWS[2]!],
      [...TITLES, ROWS[0]!, ROWS[1]!.replace('Cost of sales', '             '), ROWS[2]!],
      [...TITLES, ROWS[0]!, ROWS[2]!],
      [...TITLES, 'Net sales of all the plants of $ 1,558    $ 1,402', ...ROWS.slice(1)],
      [...TITLES, ROWS[0]!, 'Cost of sales of the', '  two plants              1,131      1,042', ROWS[2]!],
      [...TITLES, ROWS[0]!.replace('   $', '\t$'), ...ROWS.slice(1)],
      [...TITLES, ...ROWS, '(1) See note 12 of the statements.   4,000 shares'],
      [
        '                                      Page',
        'Business ............................    3',
        'Properties ..........................    9',
        'Legal Proceedings ...................   12',
      ],
      [
        'Name                    Age        Position',
        'Ada Roe                  54        Chair',
        'Max Poe                  49        Clerk',
        'Kim Doe                  39        Clerk',
      ],
    ])
      assert.doesNotMatch(shown(...lines), /^\|/m, lines.join('\n'))
  })
})
