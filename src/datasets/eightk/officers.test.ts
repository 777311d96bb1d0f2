/** Sentences on officers in the wording of reports, and sentences that only resemble them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentionsOf } from '../../read/prose/people.ts'
import { officersOf } from './officers.ts'

type Row = [name: string, title: string | null, event: string, event_date: string | null, effective_date: string | null]

function read(text: string): Row[] {
  const { officers } = officersOf(text, { start: 0, end: text.length })
  return officers.map(({ name, title, event, event_date, effective_date }) => [
    name,
    title,
    event,
    event_date,
    effective_date,
  ])
}

const SAID: [sentence: string, ...rows: Row[]][] = [
  [
    'On March 1, 2020, the Company received notice of the resignation of John Doe as a director.',
    ['John Doe', 'director', 'resigned', '2020-03-01', null],
  ],
  [
    'On May 5, 2021, Mr. Alan Roe tendered his resignation from the Board, effective immediately.',
    ['Alan Roe', 'director', 'resigned', '2021-05-05', '2021-05-05'],
  ],
  [
    'On May 5, 2021, the employment of Jane Roe ended. Jane Roe’s employment as Chief Operating Officer was terminated without cause, effective May 7, 2021.',
    ['Jane Roe', 'Chief Operating Officer', 'removed', null, '2021-05-07'],
  ],
  [
    'On June 2, 2022, John Doe, the Company’s Chief Financial Officer, notified the Company of his decision to retire, effective December 31, 2022.',
    ['John Doe', 'Chief Financial Officer', 'retired', '2022-06-02', '2022-12-31'],
  ],
  [
    'On June 2, 2022, the Board elected Maria de la Cruz to fill the vacancy and appointed Henry P. Long, Jr., 51, as Interim Chief Executive Officer.',
    ['Maria de la Cruz', 'director', 'appointed', '2022-06-02', null],
    ['Henry P. Long Jr.', 'Interim Chief Executive Officer', 'appointed', '2022-06-02', null],
  ],
  [
    'Effective June 1, 2021, Jane Roe will assume the role of Chief Operating Officer.',
    ['Jane Roe', 'Chief Operating Officer', 'appointed', null, '2021-06-01'],
  ],
  [
    'On July 1, 2019, the Board appointed Messrs. Vane and Wood as directors. Peter Vane and Thomas Wood are independent.',
    ['Peter Vane', 'director', 'appointed', '2019-07-01', null],
    ['Thomas Wood', 'director', 'appointed', '2019-07-01', null],
  ],
]

for (const [sentence, ...rows] of SAID) {
  test(`reads the events of “${sentence.slice(0, 90)}…”`, () => assert.deepEqual(read(sentence), rows))
}

test('reads no event from offices that a person held earlier or elsewhere', () => {
  assert.deepEqual(read('Mr. John Doe was appointed Chief Financial Officer of Sample Corp in 2015.'), [])
  assert.deepEqual(read('Prior to joining us, Mr. John Doe was elected President of another company.'), [])
  assert.deepEqual(read('Ms. Jane Roe worked at Charles River, where she was appointed Controller.'), [])
})

test('reads no event from an ambiguous pronoun or a seat in a committee', () => {
  assert.deepEqual(read('Mr. John Doe stays until Ms. Jane Roe comes, at which time he will step down.'), [])
  assert.deepEqual(read('On May 1, 2020, Ms. Jane Roe was appointed as Chair of the Audit Committee.'), [])
})

test('reads no event from a mere possibility', () => {
  assert.deepEqual(read('If Mr. John Doe resigns or is terminated, nothing is due.'), [])
  assert.deepEqual(read('In the event of a termination of Mr. John Doe by the Company he receives no severance.'), [])
})

const DENIED = [
  'On May 1, 2024, the Board rejected the resignation of John A. Smith as a director.',
  'John A. Smith will not resign as Chief Executive Officer.',
  'John A. Smith has no plans to retire as Chief Executive Officer.',
  'On May 1, 2024, John A. Smith agreed to stay as Chief Executive Officer and would not retire as planned.',
  'John A. Smith declined to be appointed as Chief Executive Officer.',
  'John A. Smith may be appointed as Chief Executive Officer.',
  'On May 1, 2024, the Board has not appointed John A. Smith as Chief Financial Officer.',
  'The Board considered the appointment of John A. Smith as Chief Financial Officer but took no action.',
  'The Board revoked the appointment of John A. Smith as Chief Financial Officer.',
  'The appointment of John A. Smith as Chief Financial Officer was not approved.',
  'There is no family relationship between John A. Smith and any director who was elected or appointed as Chief Executive Officer.',
]

test('reads no event that is denied, rejected, withdrawn or not about a named person', () => {
  for (const sentence of DENIED) assert.deepEqual(read(sentence), [], sentence)
})

test('not standing for re-election is a departure, and an approved or accepted change is an event', () => {
  assert.deepEqual(
    read('On May 1, 2024, John A. Smith said that he will not stand for re-election to the Board.').map(
      ([, , event]) => event,
    ),
    ['departed'],
  )
  assert.deepEqual(
    read('The appointment of John A. Smith as Treasurer was approved on May 1, 2024.').map(([, , event]) => event),
    ['appointed'],
  )
  assert.deepEqual(
    read('The Board accepted the resignation of John A. Smith as a director.').map(([, , event]) => event),
    ['resigned'],
  )
})

test('the title of an office in a part of the company names the part; other titles do not name the company', () => {
  const titlesOf = (text: string, company: string | null) =>
    officersOf(text, { start: 0, end: text.length }, company).officers.map(({ title }) => title)
  const appointed = (office: string, company: string | null = 'SAMPLE BANCSHARES INC') =>
    titlesOf(`On May 1, 2024, the Board appointed John A. Smith as ${office}.`, company)
  for (const office of [
    'President of North America',
    'Chief Executive Officer of Asset & Wealth Management',
    'Chief Executive Officer of the Consumer Banking division',
    'Chief Executive Officer of its wholly owned subsidiary',
  ]) {
    assert.deepEqual(appointed(office), [office])
  }
  for (const company of ['the Company', 'the Bank', 'Sample Bancshares', 'Sample']) {
    assert.deepEqual(appointed(`President of ${company}`), ['President'], company)
  }
  // If the filer is unknown, any company after the office counts as the filer.
  assert.deepEqual(appointed('President of Other Sample, Inc', null), ['President'])
  const said =
    'On May 1, 2024, the Board appointed John A. Smith as Chief Executive Officer of Cards and as Treasurer. John A. Smith was appointed as Chief Executive Officer.'
  assert.deepEqual(titlesOf(said, null), ['Chief Executive Officer of Cards', 'Treasurer'])
})

test('firms, places and bodies are not read as persons', () => {
  for (const sentence of [
    'The Board appointed Charles Schwab as custodian.',
    'The Board appointed Ernst & Young LLP as auditor.',
    'Northern Lights resigned as adviser. San Jose was elected as the place.',
    'The Compensation Committee retained Frederic Cook & Co. as its consultant and approved a base salary.',
    'Goldman Sachs was appointed as underwriter. Arthur Andersen resigned.',
    'The Walt Disney Company appointed a director.',
    'Lee Valley Road was named as the place. Dain Rauscher Plaza was elected. Russell Indexes resigned.',
  ]) {
    assert.deepEqual(read(sentence), [], sentence)
  }
})

test('reads no event for a name without evidence of a person, and counts the name as left out', () => {
  const text = 'The Board met with Zyx Qwert, and Zyx Qwert resigned.'
  const { officers, leftOut } = officersOf(text, { start: 0, end: text.length })
  assert.deepEqual([officers, leftOut], [[], 1])
})

test('a surname that two persons share is assigned to neither', () => {
  const { found } = mentionsOf('Erik Nord and Peter Nord came. Mr. Nord spoke.')
  assert.deepEqual(
    found.map(({ name }) => name),
    ['Erik Nord', 'Peter Nord'],
  )
})

test('reads persons who get options, and persons and offices in a table of pay, but no person who gets no additional pay', () => {
  assert.deepEqual(
    read(
      '(a) The Company awarded options under the plan for 5,000 shares to each of Mr. Karl Roe and Ms. Jane Roe, our independent directors.',
    ),
    [
      ['Karl Roe', 'director', 'compensation', null, null],
      ['Jane Roe', 'director', 'compensation', null, null],
    ],
  )
  assert.deepEqual(
    read(
      'On May 1, 2020, the Board approved the following base salaries:\n\n| Name, Title | Salary |\n| --- | --- |\n| Jane Roe, Chief Financial Officer | $300,000 |\n| Karl Doe (Controller) | $200,000 |',
    ).map(([name, title]) => [name, title]),
    [
      ['Jane Roe', 'Chief Financial Officer'],
      ['Karl Doe', 'Controller'],
    ],
  )
  assert.deepEqual(
    read('Mr. Karl Roe will continue as Chairman and will not receive any additional compensation for his service.'),
    [],
  )
})

test('the day of a plan is not a day of pay, and a day more than a year before the report is ignored', () => {
  const of = (text: string) =>
    officersOf(text, { start: 0, end: text.length }, null, '2021-06-01').officers.map(
      ({ event, event_date, effective_date }) => [event, event_date, effective_date],
    )
  assert.deepEqual(
    of(
      'On May 5, 2021, the Board elected John Doe as a director.\n\nMr. Doe will receive an annual retainer and awards under the Director Plan, as amended and restated as of March 4, 2021.',
    ),
    [
      ['appointed', '2021-05-05', null],
      ['compensation', null, null],
    ],
  )
  assert.deepEqual(
    of(
      'On May 5, 2021, the Board elected John Doe as Treasurer, with the powers that are in force as of March 4, 2015.',
    ),
    [['appointed', '2021-05-05', null]],
  )
})

test('rows of a table of pay have the days of the sentence above the table, and an office may contain "&"', () => {
  const text =
    'On May 5, 2021, the Committee approved these salaries, effective June 1, 2021:\n\n| Name | Salary |\n| --- | --- |\n| Dr. Wren Halloway Chief Executive Officer & Chairman of the Board | $400,000 |\n| Sanna Tideman President & Treasurer | $300,000 |'
  assert.deepEqual(read(text), [
    ['Wren Halloway', 'Chief Executive Officer & Chairman of the Board', 'compensation', '2021-05-05', '2021-06-01'],
    ['Sanna Tideman', 'President & Treasurer', 'compensation', '2021-05-05', '2021-06-01'],
  ])
  // The sentence above the table has no day, and the day of an earlier paragraph does not apply to the table.
  const other = text.replace(
    'On May 5, 2021, the Committee approved these salaries, effective June 1, 2021:',
    'On May 5, 2021, John Doe resigned as Secretary.\n\nThe table has the salaries of last year.',
  )
  assert.deepEqual(
    read(other)
      .filter(([, , event]) => event === 'compensation')
      .map((row) => row.slice(3)),
    [
      [null, null],
      [null, null],
    ],
  )
})

test('a name that is cut off is left out', () => {
  assert.deepEqual(mentionsOf('On May 5, 2021, John Doe St. resigned as Treasurer.').found, [])
})

test('a section that names a person, but from which no event is read, counts as left out', () => {
  const leftOut = (text: string) => officersOf(text, { start: 0, end: text.length }).leftOut
  assert.equal(leftOut('The Company placed Ada Sample, Controller, on leave.'), 1)
  assert.equal(leftOut('The Board amended the plan of bonuses for officers.'), 0)
  assert.equal(leftOut('Ada Sample resigned as Controller. John Sample praised her.'), 0)
})

test('an act of another firm, and an uncertain row of a table of positions, are counted as left out', () => {
  const leftOutOf = (text: string) => officersOf(text, { start: 0, end: text.length }, 'ACME HOLDINGS INC').leftOut
  assert.equal(leftOutOf('On May 4, 2021, Acme Holdings announced that Harbor Bank had named Mr. Al Roe President.'), 1)
  assert.equal(leftOutOf('On May 4, 2021, Mr. Al Roe was appointed President by Delta Industries, Inc.'), 1)
  assert.equal(leftOutOf('On May 4, 2021, Acme Bank named Mr. Al Roe President.'), 0)
  assert.equal(leftOutOf('On May 4, 2021, AHI Bank named Mr. Al Roe President.'), 0)
  assert.equal(leftOutOf('On May 4, 2021, Harbor Bank, our subsidiary, named Mr. Al Roe President.'), 0)
  const rows =
    '| Name | Former Title | New Title |\n| --- | --- | --- |\n| Al Roe | Treasurer | Secretary |\n| A vacancy | Clerk | None |'
  const above = 'On May 4, 2021, the Board changed the titles of two officers.'
  assert.equal(leftOutOf(`${above}\n\n${rows}`), 1)
  assert.equal(leftOutOf(`The Board intends to change two titles.\n\n${rows}`), 2)
  assert.equal(leftOutOf(rows), 2)
})
