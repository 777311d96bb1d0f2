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

  it('a label that goes on with a small letter in the next line joins its row, above or below the values', () => {
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

  it('a label that reaches over the values of other rows stays in its column, with the date at its end', () => {
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

describe('lines around the rows of a certain table stay text', () => {
  const rows = ['Cash                     5         6', 'Other                    7         8']

  it('the name of the statement above the caption, and notes below the rows, by EDGAR’s tag or by their mark', () => {
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
      'it has texts alone',
      ['<S>                   <C>', 'Jane Doe              Omaha', '[Name]                [City]'],
    ],
  ]
  for (const [why, lines] of cases) it(why, () => staysText(...lines))

  it('a tab or a reference moves its characters', () => {
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
