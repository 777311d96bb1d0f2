/** Form N-PX: values at the limits of its schemas. Each is read exactly, or is null with a reason. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { headerWith } from '../../../test/support/filing-made.ts'
import type { Tell } from '../../declare/documents.ts'
import { type Problem, parse as parseXml } from '../../read/xml.ts'
import { parse } from './filing.ts'

const fixture = (file: string) =>
  readFileSync(new URL(`fixtures/9000000152-24-000002/${file}`, import.meta.url), 'utf8')
const [COVER, TABLE] = [fixture('primary_doc.xml'), fixture('votes.xml')]

function changed(text: string, changes: readonly (readonly [string, string])[]) {
  return changes.reduce((all, [part, by]) => {
    assert.ok(all.includes(part), part)
    return all.replace(part, by)
  }, text)
}

async function read({ cover = [] as (readonly [string, string])[], table = [] as (readonly [string, string])[] }) {
  const problems: Problem[] = []
  const unread: string[] = []
  const tell: Tell = (notes) => {
    problems.push(...(notes.problems ?? []))
    unread.push(...(notes.unread ?? []))
  }
  const doc = parseXml(changed(COVER, cover))
  const votes = (async function* () {
    yield Buffer.from(changed(TABLE, table))
  })()
  const documents = { cover: doc, table: votes as AsyncIterable<Uint8Array> }
  const header = headerWith({ form: 'N-PX/A', filedDate: '2024-09-04', cik: '9000000152' })
  const rows = await Array.fromAsync(parse({ documents, header, tell }))
  tell({ problems: doc.problems(), unread: doc.unread() })
  const of = (name: string) => rows.filter(([key]) => key === name).map(([, row]) => row as Record<string, unknown>)
  return {
    of,
    report: of('report')[0]!,
    vote: of('vote')[0]!,
    unread,
    problems: problems.map(({ path, value }) => [path.split('/').at(-1), value]),
  }
}

test('a CRD number without a number is null, and reported unless a word says that there is none', async () => {
  for (const [filed, crd, reported] of [
    ['000999002', '999002', []],
    ['000000000', null, []],
    ['N/A', null, []],
    ['801-99002', null, [['reportingCrdNumber', '801-99002']]],
    ['12345678901', null, [['reportingCrdNumber', '12345678901']]],
  ] as const) {
    const { report, problems } = await read({
      cover: [['<reportingCrdNumber>000999002', `<reportingCrdNumber>${filed}`]],
    })
    assert.deepEqual([report.crd, problems], [crd, reported], filed)
  }
  const { of } = await read({ cover: [['<crdNumber>000999004', '<crdNumber>NONE']] })
  assert.equal(of('manager')[0]!.crd, null)
})

test('the other file number of a manager without a 13F number is stored in the column for other numbers', async () => {
  const { of } = await read({ cover: [['<icaOr13FFileNumber>028-99004</icaOr13FFileNumber>', '']] })
  assert.deepEqual([of('manager')[0]!.file_number, of('manager')[0]!.other_file_number], [null, '801-99004'])
  const blank = await read({ cover: [['<icaOr13FFileNumber>028-99004<', '<icaOr13FFileNumber> <']] })
  assert.deepEqual(
    [blank.of('manager')[0]!.file_number, blank.of('manager')[0]!.other_file_number],
    [null, '801-99004'],
  )
})

test('the word for an annual report is read in capitals and small letters, and an unknown word is null and reported', async () => {
  assert.equal((await read({ cover: [['<yearOrQuarter>YEAR', '<yearOrQuarter>Year']] })).report.is_year, true)
  const { report, problems } = await read({ cover: [['<yearOrQuarter>YEAR', '<yearOrQuarter>MONTH']] })
  assert.deepEqual([report.is_year, problems.map(([, value]) => value)], [null, ['MONTH']])
})

test('numbers of shares keep signs, fractions and exponents; the day 01/01/0001 is null and reported', async () => {
  const { vote, problems } = await read({
    table: [
      ['<inf:sharesVoted>50000', '<inf:sharesVoted>-1.5e-3'],
      ['<inf:sharesOnLoan>1200', '<inf:sharesOnLoan>1,200.000'],
      ['<inf:meetingDate>02/28/2024', '<inf:meetingDate>01/01/0001'],
    ],
  })
  assert.deepEqual([vote.shares_voted, vote.shares_on_loan], ['-0.0015', '1200'])
  assert.deepEqual([vote.meeting_date, vote.listed_day], [null, '2024-09-04'])
  assert.deepEqual(problems, [['meetingDate', '01/01/0001']])
})

test('a series in small letters is the same series, zeros are none, and another text is null and reported', async () => {
  for (const [filed, series, reported] of [
    ['s000099001', 'S000099001', []],
    ['S000000000', null, []],
    ['Growth Fund', null, [['voteSeries', 'Growth Fund']]],
  ] as const) {
    const { vote, problems } = await read({
      table: [['</inf:proxyTable>', `<inf:voteSeries>${filed}</inf:voteSeries></inf:proxyTable>`]],
    })
    assert.deepEqual([vote.series_id, problems], [series, reported], filed)
  }
})

test('identifiers with small letters or blanks are read as capitals without blanks, and words that mean "none" are null', async () => {
  const { vote } = await read({
    table: [
      ['<inf:cusip>990115107', '<inf:cusip> 99011510a\n'],
      ['<inf:isin>US9901151079', '<inf:isin>n/a'],
    ],
  })
  assert.deepEqual([vote.cusip, vote.isin], ['99011510A', null])
})

test('an empty vote, an empty manager and an empty cosigner are not rows', async () => {
  const { of, vote } = await read({
    cover: [
      ['</otherManagersInfo>', '<otherManager/></otherManagersInfo>'],
      ['</secondaryRecords>', '<secondaryRecord/></secondaryRecords>'],
    ],
    table: [['</inf:vote>', '<inf:voteRecord/></inf:vote>']],
  })
  assert.deepEqual([of('manager').length, of('cosigner').length, (vote.votes as unknown[]).length], [2, 1, 2])
})

test('an unknown element of a vote is unread and changes no other value', async () => {
  const { vote, unread } = await read({
    table: [['<inf:sharesVoted>50000', '<inf:sharesHeld>9</inf:sharesHeld><inf:sharesVoted>50000']],
  })
  assert.deepEqual([vote.shares_voted, unread], ['50000', ['/proxyVoteTable/proxyTable/sharesHeld']])
})
