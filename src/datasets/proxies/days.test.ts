/** Days and kinds of meetings in the words of real notices; companies are made up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effortOf } from '../../../test/support/effort.ts'
import { statementOf } from './statement.ts'

const daysOf = (...paragraphs: string[]) => {
  const { facts, leftOut } = statementOf(paragraphs.join('\n\n'), { filedDate: '2024-04-01' })
  const of = (name: string) => facts.find((fact) => fact.name === name)?.value ?? null
  return { date: of('meeting_date'), kind: of('meeting_kind'), record: of('record_date'), leftOut }
}

test('reads the day of a meeting also from sentences without "will be held"', () => {
  for (const words of [
    'proxies to be voted at our 2024 Annual Meeting of Shareowners on May 2, 2024, and at any adjournment',
    'You are invited to the Annual Stockholders’ Meeting of Specimen Paper, Inc., a Delaware corporation (“Specimen”) on Thursday, May 2, 2024.',
    'NOTICE OF AVAILABILITY FOR THE ANNUAL SHAREHOLDERS MEETING ON MAY 2, 2024',
    'The Annual Meeting of Shareholders will take place on Thurs., May 2, 2024.',
    'The annual meeting of stockholders will be convened on Thu May 2, 2024, at 9 a.m.',
    'The annual meeting of holders will be held at the offices of Specimen Corp. in St. Paul, at 9 a.m. local time on Thursday, May 2nd, 2024',
  ]) {
    const { date, kind } = daysOf(words)
    assert.deepEqual([date, kind], ['2024-05-02', 'annual'], words)
  }
  assert.equal(daysOf('Our annual meeting of stockholders on March 20, 2024 was attended.').date, null)
})

test('a day in the sentence after the one about the meeting is not read as the day of the meeting', () => {
  const words = 'The annual meeting will be held by webcast. On April 3, 2024, we will begin to send the notice.'
  assert.deepEqual(daysOf(words), { date: null, kind: null, record: null, leftOut: [] })
})

test('the kind of a meeting comes from the mention that has the day, else from the notice; a meeting that is both annual and special has no kind', () => {
  assert.equal(daysOf('NOTICE OF 2024 ANNUAL SHAREHOLDERS’ MEETING', 'To be held on May 2, 2024').kind, 'annual')
  assert.equal(daysOf('Notice of Special Meeting', 'A meeting is scheduled for May 2, 2024.').kind, 'special')
  assert.equal(daysOf('The annual and special meeting of shareholders will be held on May 2, 2024.').kind, null)
  assert.equal(daysOf('NOTICE OF EXTRAORDINARY GENERAL MEETING').kind, 'special')
})

test('reads days in the row below the labels of their columns', () => {
  const head = '| Date and Time | Place | Record Date |\n| --- | --- | --- |\n'
  const row = '| Thursday, May 2, 2024 at 9 a.m. | Online | March 5, 2024 |'
  const { date, record } = daysOf('Notice of Annual Meeting', head + row)
  assert.deepEqual([date, record], ['2024-05-02', '2024-03-05'])
})

test('a record date is read with an abbreviated month, with an hour, and without "close of business"', () => {
  const meeting = 'The annual meeting will be held on May 2, 2024.'
  for (const words of [
    'Stockholders of record at the close of business on Mar. 5, 2024 may vote.',
    'Stockholders of record at the close of business Eastern time on March 5, 2024, may vote.',
    'Only shareholders of record on March 5, 2024 may vote at the meeting.',
    'You may vote shares that you held at the close of business on Tuesday, March 5, 2024 (the record date).',
  ]) {
    assert.equal(daysOf(meeting, words).record, '2024-03-05', words)
  }
})

test('searches later pages for days that the first pages lack, and sentences about votes for a record date', () => {
  const front = Array.from(
    { length: 700 },
    () => 'Paper is made of wood and water, and is sold by the ream in all the states of the union and abroad.',
  )
  const questions = [
    'When is the meeting? The annual meeting will be held on May 2, 2024.',
    'Holders of record on March 5, 2024 may vote.',
    'Holders of record on March 20, 2024 were sent the report.',
  ]
  const { date, kind, record } = daysOf(...front, ...questions)
  assert.deepEqual([date, kind, record], ['2024-05-02', 'annual', '2024-03-05'])
})

test('the time to read a statement grows in proportion to its size', async () => {
  const words = 'the annual meeting will be held and the record date Proposal 1: of record at the close of business '
  const time = (times: number) => {
    const text = `${words.repeat(20)}\n\n`.repeat(times)
    return effortOf(() => daysOf(text))
  }
  await time(50)
  const [one, four] = [await time(300), await time(1200)]
  assert.ok(four < 12 * one + 200, `${one} ms, ${four} ms`)
})

test('reads the day of a notice below the heading, in the heading, or next to a label, with or without an hour', () => {
  const heading = '## Notice of Annual Meeting of Stockholders'
  for (const words of [
    'Thursday, May 2, 2024',
    '**May 2, 2024** at 9:00 a.m. Eastern Time',
    '9:00 a.m., Eastern Time, on Thursday, May 2, 2024',
    'Date and Time: Thursday, May 2, 2024 at 9:00 a.m.',
    'Will be held on May 2, 2024',
    'Date: Thursday, 2 May 2024',
    'To be held on the 2nd May 2024 at 9:00 a.m.',
    '| May 2, 2024 |\n| --- |\n| 9:00 a.m. |',
    '| Time and Date | 9:00 a.m. on Thursday, May 2, 2024 |\n| --- | --- |\n| Place | Online |',
  ])
    assert.equal(daysOf(heading, words).date, '2024-05-02', words)
  assert.equal(daysOf(heading, 'Specimen Paper, Inc.', 'May 2, 2024').date, '2024-05-02')
  assert.equal(daysOf('## Notice of 2024 Annual Meeting – May 2, 2024').date, '2024-05-02')
})

test('days in figures are read with the month first, or as YYYY-MM-DD; figures in another order or with dots are not read', () => {
  const notice = '## Notice of Annual Meeting'
  for (const words of [
    'Date: 05/14/2024',
    'Date and Time: Tuesday, 5/14/24 at 10:00 a.m.',
    '| Date: | 05/14/2024 |',
    'Date: 2024-05-14',
  ])
    assert.equal(daysOf(notice, words).date, '2024-05-14', words)
  assert.equal(daysOf('## Notice of Annual Meeting to be held 05/14/2024').date, '2024-05-14')
  assert.equal(daysOf('The annual meeting will be held on 5/14/2024 at 9 a.m.').date, '2024-05-14')
  assert.equal(daysOf(notice, 'Date: 05/14/2024', 'Record Date: 03/20/2024').record, '2024-03-20')
  for (const words of ['Date: 14/05/2024', 'Date: 05.14.2024', 'Date: 05/14/24/2', 'Date: 05/14/97'])
    assert.equal(daysOf(notice, words).date, null, words)
})

test('if the day of a notice is not read, `meeting_date` is in `left_out`, and the day of a letter is not taken for it', () => {
  for (const words of ['April 1, 2024', 'On the second of May 2024', 'March 28, 2024'])
    assert.deepEqual(
      daysOf('## Notice of Annual Meeting', words, 'Dear holder:'),
      { date: null, kind: 'annual', record: null, leftOut: ['meeting_date'] },
      words,
    )
})

test('after words about a meeting, the last day of a year, of a deadline or of a vote is not read as the day of the meeting', () => {
  for (const words of [
    'The annual meeting will be held at the hall to ratify Specimen LLP as auditors for the year ending December 31, 2024.',
    'Proposals for the annual meeting to be held in 2025 must reach us no later than December 1, 2024.',
    'The annual meeting will be held online, and you may vote by telephone until 11:59 p.m. on May 13, 2024.',
    'The annual meeting will be held online, and cards must arrive by Monday, May 13, 2024.',
    'The annual meeting, to be held after approvals that we expect on June 30, 2024, will be announced.',
  ])
    assert.equal(daysOf(words).date, null, words)
  const notice = 'Notice is hereby given that the annual meeting will be held at the hall to ratify the auditors.'
  assert.deepEqual(daysOf(notice).leftOut, ['meeting_date'])
  for (const words of [
    'The annual meeting will be held, if the hall is open by then, at 9 a.m. on May 2, 2024.',
    'The annual meeting of stockholders will be held on Thursday, the 2nd day of May, 2024.',
  ])
    assert.equal(daysOf(words).date, '2024-05-02', words)
})

test('the day of the next annual meeting does not contradict the day of this one', () => {
  const meeting = 'The annual meeting will be held on May 14, 2024.'
  const next = 'Write to us about the 2025 annual meeting, to be held on or about May 1, 2025.'
  assert.deepEqual([daysOf(meeting, next).date, daysOf(meeting, next).leftOut], ['2024-05-14', []])
  const other = 'The annual meeting will be held on May 28, 2024.'
  assert.deepEqual([daysOf(meeting, other).date, daysOf(meeting, other).leftOut], [null, ['meeting_date']])
})

test('the former day of a moved meeting is not read as the day of the meeting, nor the day of a meeting as its record date', () => {
  for (const words of [
    'The company adjourned the special meeting of stockholders, scheduled for May 1, 2024, to May 15, 2024.',
    'The board has decided to postpone the annual meeting scheduled for May 1, 2024.',
  ])
    assert.equal(daysOf(words).date, null, words)
  assert.equal(
    daysOf('If it is adjourned, the annual meeting scheduled for May 1, 2024 goes on later.').date,
    '2024-05-01',
  )
  const meeting = 'The annual meeting will be held on May 14, 2024.'
  const holders = 'Holders on the record date have a vote at the meeting of all holders (May 14, 2024).'
  assert.equal(daysOf(meeting, holders).record, null)
  assert.equal(daysOf(meeting, holders, 'The record date is March 20, 2024.').record, '2024-03-20')
})

test('a day below the heading of a notice is not the day of the meeting if a salutation or a signature is next to it', () => {
  const heading = 'NOTICE OF ANNUAL MEETING OF SHAREHOLDERS'
  assert.equal(daysOf(heading, 'May 2, 2024').date, '2024-05-02')
  assert.equal(daysOf(heading, 'Specimen Paper, Inc.', 'May 2, 2024', '9:00 a.m.').date, '2024-05-02')
  for (const paragraphs of [
    ['Dear shareholder: you are invited.', 'April 29, 2024'],
    ['April 29, 2024', 'Dear fellow shareholders,'],
    ['By order of the board of directors,', 'April 29, 2024'],
  ]) {
    const { date, leftOut } = daysOf(heading, ...paragraphs)
    assert.deepEqual([date, leftOut.includes('meeting_date')], [null, true], paragraphs[0]!)
  }
})
