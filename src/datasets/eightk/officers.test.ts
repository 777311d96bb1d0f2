/** Sentences on officers as reports write them, and those that only look like one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentionsOf } from './names.ts'
import { officersOf } from './officers.ts'

type Row = [name: string, title: string | null, event: string, event_date: string | null, effective_date: string | null]

function read(text: string): Row[] {
  const { officers } = officersOf(text, { start: 0, end: text.length })
  return officers.map(({ name, title, event, event_date, effective_date }) => [name, title, event, event_date, effective_date]) // biome-ignore format: one line
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
  test(`“${sentence.slice(0, 90)}…” is read as it says`, () => assert.deepEqual(read(sentence), rows))
}

test('what an officer was before, or elsewhere, is no event', () => {
  assert.deepEqual(read('Mr. John Doe was appointed Chief Financial Officer of Sample Corp in 2015.'), [])
  assert.deepEqual(read('Prior to joining us, Mr. John Doe was elected President of another company.'), [])
  assert.deepEqual(read('Ms. Jane Roe worked at Charles River, where she was appointed Controller.'), [])
})

test('a pronoun that may mean either of two, and a seat in a committee, are no event', () => {
  assert.deepEqual(read('Mr. John Doe stays until Ms. Jane Roe comes, at which time he will step down.'), [])
  assert.deepEqual(read('On May 1, 2020, Ms. Jane Roe was appointed as Chair of the Audit Committee.'), [])
})

test('what may happen is no event', () => {
  assert.deepEqual(read('If Mr. John Doe resigns or is terminated, nothing is due.'), [])
  assert.deepEqual(read('In the event of a termination of Mr. John Doe by the Company he receives no severance.'), [])
})

test('firms, places and bodies are no persons', () => {
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

test('of a name without anything that makes it certain nothing is read, and it is counted', () => {
  const text = 'The Board appointed Zyx Qwert as President.'
  const { officers, leftOut } = officersOf(text, { start: 0, end: text.length })
  assert.deepEqual([officers, leftOut], [[], 1])
})

test('a surname that two persons have stands for neither', () => {
  const { found } = mentionsOf('Erik Nord and Peter Nord came. Mr. Nord spoke.')
  assert.deepEqual(found.map(({ name }) => name), ['Erik Nord', 'Peter Nord']) // biome-ignore format: one line
})
