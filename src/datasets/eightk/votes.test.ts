/** Votes of holders in the layout of reports; companies, persons and figures are made up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../test/support/effort.ts'
import { markdownOfHtml } from '../../read/html.ts'
import { markdownOfText } from '../../read/plain.ts'
import { votesOf } from './votes.ts'

const read = (text: string) => votesOf(text, { start: 0, end: text.length })
/** Returns one line for each vote: number, title, nominee, and counts. */
const summary = (text: string) =>
  read(text).votes.map(({ number, title, nominee, counts }) =>
    [
      number ?? '-',
      title ?? '-',
      nominee ?? '-',
      ...Object.entries(counts).map(([name, count]) => `${name} ${count}`),
    ].join(' | '),
  )
const tr = (cells: readonly string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
const table = (...rows: (readonly string[])[]) => `<table>${rows.map(tr).join('')}</table>`
const html = (...parts: string[]) => markdownOfHtml(`<html><body>${parts.join('')}</body></html>`).text

const NOMINEES = table(
  ['Nominee', 'For', 'Against', 'Abstain', 'Broker Non-Votes'],
  ['Ada Lindqvist', '9,100,200', '40,000', '1,500', '700,000'],
  ['J. Robert “Bob” St. Onge, Jr.', '8,900,100', '240,000', '1,600', '700,000'],
)
const ADA = 'votes_for 9100200 | votes_against 40000 | abstained 1500 | broker_non_votes 700000'
const BOB = 'votes_for 8900100 | votes_against 240000 | abstained 1600 | broker_non_votes 700000'
const AUDITOR = table(['For', 'Against', 'Abstain'], ['9,800,000', '30,000', '2,000'])
const AUDITED = 'votes_for 9800000 | votes_against 30000 | abstained 2000'

test('votes are read for each nominee and each proposal, with the number and title in the text', () => {
  for (const [first, second, numbers] of [
    ['Proposal 1: Election of two directors', 'Proposal 2: Ratification of Specimen LLP', ['1', '2']],
    ['Proposal No. 1 – Election of two directors.', 'Proposal No. 2 – Ratification of Specimen LLP.', ['1', '2']],
    ['1. Election of two directors', '2. Ratification of Specimen LLP', ['1', '2']],
    ['(i) Election of two directors', '(ii) Ratification of Specimen LLP', ['i', 'ii']],
    ['Item One. Election of two directors.', 'Item Two. Ratification of Specimen LLP.', ['one', 'two']],
  ] as const) {
    assert.deepEqual(
      summary(html(`<p>${first}</p>`, NOMINEES, `<p>${second}</p>`, AUDITOR)),
      [
        `${numbers[0]} | Election of two directors | Ada Lindqvist | ${ADA}`,
        `${numbers[0]} | Election of two directors | J. Robert “Bob” St. Onge, Jr. | ${BOB}`,
        `${numbers[1]} | Ratification of Specimen LLP | - | ${AUDITED}`,
      ],
      first,
    )
  }
})

test('a proposal may be named in the row of its votes, or in the row of heads', () => {
  const rows = table(
    ['', '', 'For', 'Against', 'Abstentions', 'Broker<br>Non-Votes'],
    ['1.', 'Election of directors:', '', '', '', ''],
    ['', 'Ada Lindqvist', '9,100,200', '40,000', '1,500', '700,000'],
    ['2.', 'Ratification of Specimen LLP as auditor', '9,800,000', '30,000', '2,000', '—'],
    ['3.', 'Advisory vote on pay', '6,000,000', '3,000,000', '141,700', '700,000'],
  )
  assert.deepEqual(summary(html(rows)), [
    `1 | Election of directors | Ada Lindqvist | ${ADA}`,
    `2 | Ratification of Specimen LLP as auditor | - | ${AUDITED}`,
    '3 | Advisory vote on pay | - | votes_for 6000000 | votes_against 3000000 | abstained 141700 | broker_non_votes 700000',
  ])
})

test('votes withheld, votes on the frequency of pay votes, and tables with a row per kind of vote are read', () => {
  const withheld = table(
    ['Director', 'Votes For', 'Votes Withheld', 'Broker Non-Votes'],
    ['Ada Lindqvist', '9,100,200', '41,500', '700,000'],
  )
  assert.deepEqual(summary(html('<p>The holders elected this director:</p>', withheld)), [
    '- | The holders elected this director | Ada Lindqvist | votes_for 9100200 | votes_withheld 41500 | broker_non_votes 700000',
  ])
  const often = table(['1 Year', '2 Years', '3 Years', 'Abstain'], ['7,000,000', '20,000', '2,100,000', '21,700'])
  assert.deepEqual(summary(html('<p>Proposal 4: How often to vote on pay</p>', often)), [
    '4 | How often to vote on pay | - | one_year 7000000 | two_years 20000 | three_years 2100000 | abstained 21700',
  ])
  const list = table(['For', '9,800,000'], ['Against', '30,000'], ['Abstain', '2,000'], ['Broker non-votes', '0'])
  assert.deepEqual(summary(html('<p>Proposal 2: Ratification of Specimen LLP</p>', list)), [
    `2 | Ratification of Specimen LLP | - | ${AUDITED} | broker_non_votes 0`,
  ])
})

test('heads say what holders voted for or against, and a percentage may have a cell without a head', () => {
  const heads = ['Votes for Approval', 'Votes against Approval', 'Votes Abstained']
  const shares = table(
    ['For', '', 'Against', '', 'Abstain', ''],
    ['9,800,000', '(99.67%)', '30,000', '(0.31%)', '2,000', '(0.02%)'],
  )
  for (const votes of [table(heads, ['9,800,000', '30,000', '2,000']), shares]) {
    assert.deepEqual(summary(html('<p>Proposal 2: Ratification of Specimen LLP</p>', votes)), [
      `2 | Ratification of Specimen LLP | - | ${AUDITED}`,
    ])
  }
  const elected = table(
    ['Nominee', 'Votes for Election', '', 'Votes Withheld', ''],
    ['Ada Lindqvist', '9,100,200', '99.5%', '41,500', '0.5%'],
  )
  assert.deepEqual(summary(html('<p>Proposal 1: Election of one director</p>', elected)), [
    '1 | Election of one director | Ada Lindqvist | votes_for 9100200 | votes_withheld 41500',
  ])
})

test('a sentence with all votes on a proposal is read, and the position of the vote is the position of the sentence', () => {
  const sentence =
    'The holders ratified it, with 9,800,000 shares in favor, 30,000 shares against and 2,000 shares abstaining.'
  const text = html('<p><b>Proposal No. 3: Ratification of Specimen LLP</b></p>', `<p>${sentence}</p>`)
  assert.deepEqual(summary(text), [`3 | Ratification of Specimen LLP | - | ${AUDITED}`])
  const [vote] = read(text).votes
  assert.equal(text.slice(vote!.start, vote!.end), sentence)
  const labelled = html(
    '<p>2. Ratification of Specimen LLP</p>',
    '<p>For: 9,800,000; Against: 30,000; Abstain: 2,000.</p>',
  )
  assert.deepEqual(summary(labelled), [`2 | Ratification of Specimen LLP | - | ${AUDITED}`])
})

test('columns aligned with blanks in plain text are read', () => {
  const { text } = markdownOfText(`Proposal 1.  Election of Directors

<TABLE>
Nominee                  For          Withheld     Broker Non-Votes
Ada Lindqvist         9,100,200        41,500          700,000
Boris van der Meer    8,900,100       241,600          700,000
</TABLE>
`)
  assert.deepEqual(summary(text), [
    '1 | Election of Directors | Ada Lindqvist | votes_for 9100200 | votes_withheld 41500 | broker_non_votes 700000',
    '1 | Election of Directors | Boris van der Meer | votes_for 8900100 | votes_withheld 241600 | broker_non_votes 700000',
  ])
})

test('votes whose proposal or columns are uncertain are left out and counted, never assigned to another proposal', () => {
  // A table below several proposals may have the votes on any of them.
  const list = ['<p>1. Election of two directors</p>', '<p>2. Ratification of Specimen LLP</p>']
  assert.deepEqual(read(html(...list, AUDITOR)).votes, [])
  assert.equal(read(html(...list, AUDITOR)).leftOut, 1)
  // A second table below one proposal may be about another proposal.
  const second = html(
    '<p>2. Ratification of Specimen LLP</p>',
    AUDITOR,
    '<p>Of these votes, more follows.</p>',
    AUDITOR,
  )
  assert.deepEqual(summary(second), [`2 | Ratification of Specimen LLP | - | ${AUDITED}`])
  // The row has more numbers than heads.
  const wide = table(['Nominee', 'For', 'Withheld'], ['Ada Lindqvist', '1,000', '20', '30'])
  assert.deepEqual(read(html('<p>Election of directors</p>', wide)).votes, [])
  // The columns of two classes of shares are next to each other.
  const classes = table(
    ['', 'Class A', '', 'Class B', ''],
    ['Nominee', 'For', 'Withheld', 'For', 'Withheld'],
    ['Ada Lindqvist', '1,000', '20', '500', '0'],
  )
  assert.deepEqual(read(html('<p>Election of directors</p>', classes)), { votes: [], leftOut: 1 })
  // The sentence has the votes on two proposals.
  const two = '<p>There were 1,000 votes for and 20 against; there were 3,000 votes for and 40 against.</p>'
  assert.deepEqual(read(html('<p>Proposal 1: Approval of the plan</p>', two)).votes, [])
})

test('shares that were represented, percentages and sums are not votes', () => {
  const rows = table(
    ['Nominee', 'For', '% For', 'Withheld', 'Total'],
    ['Ada Lindqvist', '9,100,200', '99.5%', '41,500', '9,141,700'],
    ['Total', '9,100,200', '', '41,500', ''],
  )
  assert.deepEqual(summary(html('<p>Proposal 1: Election of directors</p>', rows)), [
    '1 | Election of directors | Ada Lindqvist | votes_for 9100200 | votes_withheld 41500',
  ])
  const quorum = '<p>Of the 12,000,000 shares outstanding, 9,841,700 shares were represented at the meeting.</p>'
  assert.deepEqual(read(html(quorum)), { votes: [], leftOut: 0 })
})

const RATIFIED = '<p>2. Ratification of Specimen LLP</p>'
const AUDITED_2 = `2 | Ratification of Specimen LLP | - | ${AUDITED}`

test('each count of a sentence belongs to the kind of vote next to it, or the sentence is left out', () => {
  for (const said of [
    'For: 9,800,000, Against: 30,000, Abstain: 2,000.',
    'For – 9,800,000, Against – 30,000 and Abstain – 2,000.',
    'It was ratified with 9,800,000 votes for, 30,000 votes against and 2,000 abstentions.',
  ])
    assert.deepEqual(summary(html(RATIFIED, `<p>${said}</p>`)), [AUDITED_2], said)
  assert.deepEqual(
    summary('Proposal 2: Ratification of auditors for fiscal 2026, For: 9,800,000, Against: 30,000, Abstain: 2,000.\n'),
    [`2 | Ratification of auditors for fiscal 2026 | - | ${AUDITED}`],
  )
  for (const said of [
    'It was ratified for the year ending December 31, 2026, For 9,800,000, Against 30,000, Abstain 2,000.',
    'It was ratified for fiscal 2026 for 9,800,000 against 30,000 abstained 2,000.',
    'The votes were cast on Proposal 2 for 9,800,000, against 30,000, abstained 2,000.',
    'The votes were cast on Proposal 2 for 9,800,000 against 30,000 abstained a total of 2,000.',
    'It was ratified by a vote of 9,841,700, for 9,800,000, against 30,000, abstained 2,000.',
    'It required 6,000,000 votes for, against which 30,000 votes against and 2,000 abstentions were cast.',
    'With 6,000,000 votes for needed, and 30,000 votes against and 2,000 abstentions, it was ratified.',
    'With 10 votes for each share of Class B, 30,000 votes against and 2,000 abstentions were cast.',
    'The votes for, against and abstaining were 9,800,000, 30,000 and 2,000, respectively.',
    'At the meeting of last year, 9,700,000 votes for and 20,000 votes against were cast.',
    'For: 9,800,000%, Against: 30,000%, Abstain: 2,000%.',
    'Proxies had been received with 9,800,000 votes for, 30,000 votes against and 2,000 abstentions.',
    'It was not put to a vote, though 9,800,000 votes for, 30,000 votes against and 2,000 abstentions were given.',
    'Holders of Class A shares gave 9,800,000 votes for, 30,000 votes against and 2,000 abstentions.',
  ])
    assert.deepEqual(read(html(RATIFIED, `<p>${said}</p>`)), { votes: [], leftOut: 1 }, said)
  for (const said of [
    'Abstentions and broker non-votes counted for the quorum of 9,841,700 of the 12,000,000 shares.',
    'For: 99.5%, Against: 0.5%.',
  ])
    assert.deepEqual(read(html(RATIFIED, `<p>${said}</p>`)), { votes: [], leftOut: 0 }, said)
})

test('a value below a head that is not about votes is not read as votes, and does not shift the values next to it', () => {
  const directors = '<p>Proposal 1: Election of directors</p>'
  const heads = ['For', 'Withheld', 'Broker Non-Votes']
  const ada = '1 | Election of directors | Ada Lindqvist | votes_for 9100200 | votes_withheld 41500'
  for (const [head, cell] of [
    ['Age', '55'],
    ['Term Expires', '2029'],
    ['Director Since', '2019'],
    ['Class', 'III'],
  ] as const) {
    const rows = table(['Nominee', head, ...heads], ['Ada Lindqvist', cell, '9,100,200', '41,500', ''])
    assert.deepEqual(summary(html(directors, rows)), [ada], head)
  }
  for (const [head, cell] of [
    ['Shares Held', '5,000'],
    ['Shares Held', '55'],
    ['', '55'],
    ['Class', '9,141,700'],
  ] as const) {
    const rows = table(['Nominee', head, ...heads], ['Ada Lindqvist', cell, '9,100,200', '41,500', ''])
    assert.deepEqual(read(html(directors, rows)), { votes: [], leftOut: 1 }, head)
  }
  const quorum = table(
    ['Proposal', 'Quorum', 'For', 'Against', 'Abstain'],
    ['Approval of the plan', '9,832,000', '9,800,000', '30,000', ''],
  )
  assert.deepEqual(read(html(quorum)), { votes: [], leftOut: 1 })
  // A column of percentages lacks the percent sign.
  const share = table(['Nominee', ...heads], ['Ada Lindqvist', '9,100,200', '99.5', '41,500'])
  assert.deepEqual(read(html(directors, share)), { votes: [], leftOut: 1 })
})

test('votes below another title, sentence or table are not assigned to the proposal before', () => {
  const merger = '<p>Proposal 1: Approval of the merger agreement</p>'
  const MERGED = `1 | Approval of the merger agreement | - | ${AUDITED}`
  const other = ['<p><b>Adjournment of the meeting</b></p>', table(['For', 'Against'], ['7,800,000', '1,030,000'])]
  const ADJOURNED = '- | Adjournment of the meeting | - | votes_for 7800000 | votes_against 1030000'
  assert.deepEqual(read(html(merger, ...other)), { votes: [], leftOut: 1 })
  assert.deepEqual(read(html(merger, '<p>The votes on the adjournment were:</p>', other[1]!)), {
    votes: [],
    leftOut: 1,
  })
  const unread = table(['', '2026', '2025'], ['For', '9,800,000', '8,000,000'], ['Against', '30,000', '20,000'])
  assert.deepEqual(summary(html(merger, unread, ...other)), [ADJOURNED])
  assert.equal(read(html(merger, unread, ...other)).leftOut, 2)
  const percent = table(['', 'Votes', 'Percent'], ['For', '9,800,000', '99.7%'], ['Against', '30,000', '0.3%'])
  assert.deepEqual(summary(html(merger, percent, ...other)), [MERGED.replace(' | abstained 2000', ''), ADJOURNED])
  assert.deepEqual(summary(html(merger, AUDITOR, '<p>(1) Includes 200,000 shares voted by proxy.</p>', ...other)), [
    MERGED,
    ADJOURNED,
  ])
  assert.deepEqual(summary(html(merger, AUDITOR, AUDITOR)), [MERGED])
  assert.equal(read(html(merger, AUDITOR, AUDITOR)).leftOut, 1)
  const two = 'It was approved with 9,800,000 votes for and 30,000 votes against. The adjournment was approved with'
  const sentences = html(merger, `<p>${two} 7,000,000 votes for and 2,000,000 votes against.</p>`)
  assert.deepEqual(summary(sentences), [MERGED.replace(' | abstained 2000', '')])
  assert.equal(read(sentences).leftOut, 1)
  const pay = '<p>The holders approved the compensation of the named officers by these votes:</p>'
  assert.deepEqual(summary(html('<p>Proposal 3: Say on pay</p>', pay, AUDITOR)), [`3 | Say on pay | - | ${AUDITED}`])
  // Words on the subject of the proposal, or a title without a subject, do not end its votes.
  for (const words of [
    '<p><b>Vote on the merger agreement</b></p>',
    '<p>The holders approved the proposal as follows:</p>',
  ])
    assert.deepEqual(summary(html(merger, words, AUDITOR)), [MERGED], words)
})

test('within a table, rows of words and rows without a label end the votes on a proposal', () => {
  const plan = '<p>Proposal 2: Approval of the 2026 plan</p>'
  const first = `2 | Approval of the 2026 plan | - | votes_for 9800000 | votes_against 30000`
  for (const rows of [
    [
      ['For', 'Against'],
      ['9,800,000', '30,000'],
      ['Adjournment of the meeting', ''],
      ['7,800,000', '1,030,000'],
    ],
    [
      ['For', 'Against'],
      ['9,800,000', '30,000'],
      ['7,800,000', '1,030,000'],
    ],
    [
      ['For', '9,800,000'],
      ['Against', '30,000'],
      ['Adjournment of the meeting', ''],
      ['For', '7,800,000'],
      ['Against', '1,030,000'],
    ],
  ]) {
    assert.deepEqual(summary(html(plan, table(...rows))), [first])
    assert.equal(read(html(plan, table(...rows))).leftOut, 1)
  }
  const below = table(['Adjournment of the meeting', ''], ['For', 'Against'], ['7,800,000', '1,030,000'])
  assert.deepEqual(read(html(plan, below)), { votes: [], leftOut: 1 })
  const alone = table(['For', '9,800,000'], ['Against', '30,000'])
  assert.deepEqual(read(html('<p>The votes were:</p>', alone)), { votes: [], leftOut: 1 })
  const nominee = table(['Ada Lindqvist', ''], ['For', '9,100,200'], ['Withheld', '41,500'])
  assert.deepEqual(read(html('<p>Proposal 1: Election of directors</p>', nominee)), { votes: [], leftOut: 1 })
})

test('a firm, a class of shares and the name of a proposal are not nominees, and a class is not a title', () => {
  const counts = ['9,800,000', '30,000', '2,000']
  const withheld = table(
    ['', 'For', 'Against', 'Withheld'],
    ...['Name Change', 'Reverse Split', 'Specimen Thornton LLP', 'Other Business', 'Ada Lindqvist'].map((label) => [
      label,
      ...counts,
    ]),
  )
  assert.deepEqual(
    summary(html(withheld)),
    ['Name Change', 'Reverse Split'].map(
      (title) => `- | ${title} | - | votes_for 9800000 | votes_against 30000 | votes_withheld 2000`,
    ),
  )
  const auditors = '<p>Proposal 2: Ratification of auditors</p>'
  for (const [head, label] of [
    ['Name', 'Specimen Thornton LLP'],
    ['Name', 'Specimen Thornton'],
    ['Nominee', 'Specimen Thornton'],
    ['Approval of Directors Plan', 'Preferred Holders'],
    ['', 'Common Stock'],
    ['', 'Series B Preferred Stock'],
  ] as const) {
    const rows = table([head, 'For', 'Against', 'Abstain'], [label, ...counts])
    assert.deepEqual(read(html(auditors, rows)), { votes: [], leftOut: 1 }, `${head}: ${label}`)
  }
  const named = table(['Name', 'For', 'Against', 'Abstain'], ['Ada Lindqvist', ...counts])
  assert.deepEqual(summary(html('<p>Proposal 1: Election of Class II members of the board</p>', named)), [
    `1 | Election of Class II members of the board | Ada Lindqvist | ${AUDITED}`,
  ])
  for (const title of ['Permit Holders to Act by Written Consent', 'To set targets for emissions'])
    assert.deepEqual(summary(html(table(['', 'For', 'Against', 'Abstain'], [title, ...counts]))), [
      `- | ${title} | - | ${AUDITED}`,
    ])
})

test('a percentage in the title of a proposal does not hide its votes, and rows of percentages are not votes', () => {
  const rows = table(
    ['Proposal', 'For', 'Against', 'Abstain'],
    ['1. Issuance of more than 19.99% of our common stock', '9,800,000', '30,000', '2,000'],
    ['Sale of 20 percent of the shares', '9,800,000', '30,000', '2,000'],
    ['Percentage of votes cast', '99.5', '0.3', '0.2'],
    ['% of votes', '99.5', '0.3', '0.2'],
  )
  assert.deepEqual(read(html(rows)).leftOut, 0)
  assert.deepEqual(summary(html(rows)), [
    `1 | Issuance of more than 19.99% of our common stock | - | ${AUDITED}`,
    `- | Sale of 20 percent of the shares | - | ${AUDITED}`,
  ])
})

test('votes beyond the maximum of 400 are not read, and are counted as left out', () => {
  const rows = Array.from({ length: 402 }, (_, i) => [`Approval of plan ${i}`, '9,800,000', '30,000', '2,000'])
  const { votes, leftOut } = read(html(table(['', 'For', 'Against', 'Abstain'], ...rows)))
  assert.deepEqual([votes.length, leftOut], [400, 2])
})

test('reading a table or a sentence takes time proportional to its length', async () => {
  await assertQuick('rows', () =>
    read(`| Nominee | For | Against |\n| --- | --- | --- |\n${'| A B | 1,000 | 2,000 |\n'.repeat(20_000)}`),
  )
  await assertQuick('words', () => read('Proposal 1: A. '.repeat(20_000)))
  await assertQuick('counts', () => read('1,000 votes for '.repeat(20_000)))
  await assertQuick('kinds', () => read(`Proposal 1: A plan.\n\n${'for 1,000, against a total of '.repeat(20_000)}`))
  await assertQuick('heads', () =>
    read(`| For | Against |${' % |'.repeat(15_000)}\n| 1,000 | 2,000 |${'1|'.repeat(9_000)}\n`.repeat(4)),
  )
  await assertQuick('columns', () =>
    read(`| For | Against |${' % |'.repeat(80)}\n${`| 1,000 |${'1|'.repeat(80)}\n`.repeat(400)}`),
  )
  await assertQuick('words', () =>
    read(`${'|a|\n'.repeat(9_000)}| For | Against |${'a|'.repeat(9_000)}\n| 1,000 | 2,000 |\n`),
  )
})

test('lines with one kind of vote each are a vote on the proposal above, or for the nominee above', () => {
  const lines = (...counts: string[]) => counts.join('\n')
  const ada = lines('For: 9,100,200', 'Withheld: 40,000', 'Broker Non-Votes: 700,000')
  const bob = lines('For 8,900,100 votes', '', 'Withheld 240,000 votes', '', 'Broker Non-Votes 700,000 votes')
  const audited = lines('For ...... 9,800,000', 'Against ...... 30,000', 'Abstain ...... 2,000')
  const text = [
    '1. Election of Directors',
    'Ada Lindqvist',
    ada,
    'Bob St. Onge, Jr.',
    bob,
    '2. Ratification of Specimen LLP',
    audited,
  ].join('\n\n')
  assert.deepEqual(summary(text), [
    '1 | Election of Directors | Ada Lindqvist | votes_for 9100200 | votes_withheld 40000 | broker_non_votes 700000',
    '1 | Election of Directors | Bob St. Onge, Jr. | votes_for 8900100 | votes_withheld 240000 | broker_non_votes 700000',
    `2 | Ratification of Specimen LLP | - | ${AUDITED}`,
  ])
  // No words show for which proposal or person the counts are.
  for (const above of ['The results are below.', '1. Election of Directors'])
    assert.deepEqual(read(`${above}\n\n${ada}`), { votes: [], leftOut: 1 }, above)
})

test('a sentence may list votes by choice of frequency, or by kind, in several notations', () => {
  const choices = 'one_year 9000000 | two_years 50000 | three_years 1200000 | abstained 92334'
  for (const words of [
    '1 year 9,000,000; 2 years 50,000; 3 years 1,200,000; abstain 92,334.',
    'Holders cast 9,000,000 votes for one year, 50,000 votes for two years, 1,200,000 votes for three years and 92,334 abstentions.',
    'Every year – 9,000,000, every two years – 50,000, every three years – 1,200,000, abstain – 92,334.',
  ])
    assert.deepEqual(
      summary(`3. Frequency of votes on pay\n\n${words}`),
      [`3 | Frequency of votes on pay | - | ${choices}`],
      words,
    )
  assert.deepEqual(summary('2. Ratification of Specimen LLP\n\nFor 9,800,000; Against 30,000; Abstain 2,000.'), [
    `2 | Ratification of Specimen LLP | - | ${AUDITED}`,
  ])
  assert.deepEqual(summary('2. Ratification of Specimen LLP\n\nIt serves for 2,026 years and against 12.'), [])
})

test('the row number before a nominee is neither the number of the proposal nor part of the name', () => {
  for (const [first, second] of [
    ['1a.', '1b.'],
    ['1.01', '1.02'],
    ['1.1.', '1.2.'],
    ['(a)', '(b)'],
    ['1(a)', '1(b)'],
    ['a.', 'b.'],
    ['A)', 'B)'],
    ['1A -', '1B -'],
    ['(i)', '(ii)'],
  ] as const) {
    const wanted = [
      `1 | Election of directors | Ada Lindqvist | ${ADA}`,
      `1 | Election of directors | J. Robert “Bob” St. Onge, Jr. | ${BOB}`,
    ]
    const [heads, ada, bob] = [
      ['Nominee', 'For', 'Against', 'Abstain', 'Broker Non-Votes'],
      ['9,100,200', '40,000', '1,500', '700,000'],
      ['8,900,100', '240,000', '1,600', '700,000'],
    ] as const
    const name = 'J. Robert “Bob” St. Onge, Jr.'
    const inCell = table(heads, [`${first} Ada Lindqvist`, ...ada], [`${second} ${name}`, ...bob])
    const apart = table(['', ...heads], [first, 'Ada Lindqvist', ...ada], [second, name, ...bob])
    for (const rows of [inCell, apart])
      assert.deepEqual(summary(html('<p>Proposal 1: Election of directors</p>', rows)), wanted, first)
  }
})

test('a lettered paragraph with the votes on a nominee belongs to the election above it', () => {
  assert.deepEqual(
    summary(
      html(
        '<p>Proposal 1: Election of directors</p>',
        '<p>(a) Ada Lindqvist: 9,100,200 votes for, 40,000 against and 1,500 abstained.</p>',
        '<p>(b) Ben Torvald: 8,900,100 votes for, 240,000 against and 1,600 abstained.</p>',
        '<p>2. Ratification of Specimen LLP: 9,800,000 votes for, 30,000 against and 2,000 abstained.</p>',
      ),
    ),
    [
      '1 | Election of directors | Ada Lindqvist | votes_for 9100200 | votes_against 40000 | abstained 1500',
      '1 | Election of directors | Ben Torvald | votes_for 8900100 | votes_against 240000 | abstained 1600',
      `2 | Ratification of Specimen LLP | - | ${AUDITED}`,
    ],
  )
})

test('counts with apostrophes between thousands are read', () => {
  const rows = html(
    '<p>Proposal 2. Ratification of Specimen LLP</p>',
    table(['For', 'Against', 'Abstain'], ["9'800'000", '30’000', '2,000']),
  )
  assert.deepEqual(summary(rows), [`2 | Ratification of Specimen LLP | - | ${AUDITED}`])
})
