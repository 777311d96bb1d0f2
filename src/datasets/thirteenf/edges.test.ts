/** Form 13F in text: lines, marks and spellings on the edge of what filers wrote before 2013. All are made up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTextCover } from './parse/text/cover.ts'
import { parseText } from './parse/text.ts'
import { nothingFound } from './parse/values.ts'

const HEADS = `                                                   VALUE     SHARES/  SH/ PUT/ INVSTMT   OTHER      VOTING AUTHORITY
NAME OF ISSUER        TITLE OF CLASS    CUSIP     (X$1000)   PRN AMT  PRN CALL DISCRETN MANAGERS   SOLE   SHARED  NONE
`
const COLUMNS =
  '<S>                   <C>              <C>        <C>       <C>       <C> <C>  <C>      <C>      <C>      <C>     <C>\n'
const RED =
  'RED RIVER INC         COM              037833100     2,550    30,000  SH       SOLE              30,000       0       0\n'
const OAK =
  'OAK & ELM CO          CL A             594918104     1,944   100,000  SH       SOLE             100,000       0       0\n'
const ELM =
  'ELM CO                COM              191216100    19,184   400,000  SH       SOLE             400,000       0       0\n'

const read = (text: string) => {
  const found = nothingFound()
  return { found, lines: parseText(text, found) }
}
const table = (...rows: string[]) => read(`<TABLE>\n<CAPTION>\n${HEADS}${COLUMNS}${rows.join('')}</TABLE>`)
const figures = ({ lines }: ReturnType<typeof read>) =>
  lines.map(({ issuer, cusip, value, amount }) => [issuer, cusip, value, amount])
const ALL = [
  ['RED RIVER INC', '037833100', '2550', '30000'],
  ['OAK & ELM CO', '594918104', '1944', '100000'],
  ['ELM CO', '191216100', '19184', '400000'],
]

test('a line that a page repeats, and a heading of a kind of securities, are not parts of names', () => {
  const repeated = [
    ...['FORM 13F INFORMATION TABLE', '13F', 'SCHEDULE 13F (CONTINUED)', 'CONTINUED', "Common Stock (Cont'd)"],
    ...['Name of Issuer', 'ITEM 1               ITEM 2', 'COLUMN 1', 'Page 2 of 3', 'PAGE 2', '- 2 -', 'End of page'],
    ...['AS OF DECEMBER 31, 1999', 'Report as of 12/31/99', 'Carried forward', 'Balance brought forward', 'Sub-total'],
  ]
  const kinds = [
    'U.S. COMMON STOCKS',
    'LARGE CAP EQUITIES',
    'REITS',
    'Units',
    'WARRANTS',
    'Cash',
    'ADR’S'.replace('’', "'"),
  ]
  for (const line of [...repeated, ...kinds]) {
    assert.deepEqual(figures(table(RED, `\n${line}\n`, OAK, ELM)), ALL, line)
    assert.deepEqual(figures(read(`${HEADS}${RED}\n${line}\n${OAK}${ELM}`)), ALL, `${line}, without columns`)
  }
})

test('a kind of securities on the line right below a row, such as Warrants, is part of the name in that row', () => {
  const below = table(RED, '   Warrants\n', OAK)
  assert.deepEqual(
    below.lines.map(({ issuer }) => issuer),
    ['RED RIVER INC Warrants', 'OAK & ELM CO'],
  )
})

test('the mark of a note after a number is not part of the number, and (p) still marks a put', () => {
  for (const [value, amount] of [
    ['2,550*', '30,000**'],
    ['2,550(1)', '30,000(12)'],
    ['2,550(a)', '30,000†'],
    ['2,550(*)', '30,000'],
  ] as const) {
    const row = RED.replace('     2,550    30,000  SH', `  ${value.padStart(8)} ${amount.padStart(10)} SH`)
    assert.deepEqual(figures(table(row, OAK, ELM)), ALL, `${value} ${amount}`)
  }
  const put = table(RED.replace(' 30,000  SH', '30,000(p) SH'))
  assert.deepEqual([put.lines[0]!.amount, put.lines[0]!.putCall], ['30000', 'Put'])
})

test('page breaks, blank lines, repeated heads and columns that move by three characters change no value', () => {
  const moved = (row: string) => row.replace(/^(.{38})/, '$1   ')
  for (const rows of [
    [RED, `<PAGE>\n     FORM 13F INFORMATION TABLE          PAGE 2 OF 3\n${HEADS}`, OAK, ELM],
    [RED, '\n', OAK, '\n\n', ELM],
    [RED, '<PAGE>\n', moved(OAK), moved(ELM)],
    [RED, OAK, '                      SUBTOTAL                        4,494   130,000\n', ELM],
    [RED, OAK, ELM, 'GRAND TOTAL                                          23,678   530,000\n'],
    [RED, OAK, ELM, '\n(1) Held jointly with 3,000 others since 1999; 5,000 shares were sold.\n'],
  ])
    assert.deepEqual(figures(table(...rows)), ALL, rows.join(''))
})

test('a line without a value or with a negative value is left out and counted, and a value of 0 stays', () => {
  for (const [value, read, looked] of [
    ['    -', 1, 2],
    ['(2,550)', 1, 2],
    ['    0', 2, 2],
  ] as const) {
    const { found, lines } = table(RED.replace(value.length > 5 ? '  2,550' : '2,550', value), OAK)
    assert.deepEqual([lines.length, found.looked], [read, looked], value)
  }
})

test('names that begin with a digit, and the words shs after an amount, are read', () => {
  const rows = [
    RED.replace('RED RIVER INC', '3M CO        '),
    OAK.replace('OAK & ELM CO        ', '99 CENTS ONLY STORES'),
  ]
  assert.deepEqual(
    table(...rows).lines.map(({ issuer }) => issuer),
    ['3M CO', '99 CENTS ONLY STORES'],
  )
  const { lines } = read('RED RIVER INC   COM    037833100   2,550   30,000 shs   SOLE   30,000 0 0\n')
  assert.deepEqual([lines[0]!.amount, lines[0]!.kind, lines[0]!.sole], ['30000', 'SH', '30000'])
})

const cover = (text: string) => {
  const found = nothingFound()
  return { ...parseTextCover(text, '13F-HR', found), problems: found.problems }
}

test('the period of a cover is read with its words in any order and in figures; any other text is null and reported', () => {
  const period = (stated: string) => cover(`Report for the Calendar Year or Quarter Ended: ${stated}\n`)
  for (const [stated, day] of [
    ['12/31/2001', '2001-12-31'],
    ['06-30-2004', '2004-06-30'],
    ['3/31/99', '1999-03-31'],
    ['2005-09-30', '2005-09-30'],
    ['Sept. 30, 2003', '2003-09-30'],
    ['31 December 2001', '2001-12-31'],
    ['March 31,2001', '2001-03-31'],
    ['__December 31, 2001__', '2001-12-31'],
    ['\n    December 31, 2001', '2001-12-31'],
  ] as const)
    assert.deepEqual([period(stated).period, period(stated).problems], [day, []], stated)
  for (const stated of ['June 31, 2001', '13/31/2001', '2001']) {
    const { period: read, problems } = period(stated)
    assert.deepEqual([read, problems.map(({ path, value }) => [path, value])], [null, [['period', stated]]], stated)
  }
  assert.deepEqual(period('').problems, [])
})

test('the day of a signature may be in figures, have an ordinal or lack a blank; a telephone number is not read as a day', () => {
  const signed = (line: string) => cover(`Signature, Place, and Date of Signing:\n\n${line}\n`).signed
  for (const day of [
    '02/14/2002',
    '2/14/02',
    'February 14th, 2002',
    'FEBRUARY 14, 2002',
    'February 14,2002',
    '14 February 2002',
  ])
    assert.equal(signed(`/s/ Jane Specimen     New York, NY     ${day}`), '2002-02-14', day)
  assert.equal(signed('/s/ Jane Specimen  212-555-0100  12-555-01'), null)
  assert.equal(signed('/s/ Jane Specimen\n\nReport Type (Check only one.):\n 02/14/2002'), null)
})

test('a box may be marked by XX, between underscores or by an X alone at the margin; if two kinds of report are marked, none is read and this is reported', () => {
  for (const text of [
    '[XX] 13F HOLDINGS REPORT.\n[  ] 13F NOTICE.',
    '_X_ 13F HOLDINGS REPORT.\n___ 13F NOTICE.\n___ 13F COMBINATION REPORT.',
    ' X  13F HOLDINGS REPORT.\n    13F NOTICE.\n    13F COMBINATION REPORT.',
  ])
    assert.equal(cover(text).reportType, 'holdings', text)
  assert.equal(cover('XX 13F HOLDINGS REPORT.').reportType, null)
  const two = cover('[X] 13F HOLDINGS REPORT.\n[X] 13F COMBINATION REPORT.')
  assert.deepEqual([two.reportType, two.problems.map(({ path }) => path)], [null, ['report type']])
})

test('the number of the manager is read with any words and blanks', () => {
  for (const text of [
    'Form 13F File Number: 28-1234',
    'Form 13F File Number:  28 - 1234',
    '13F File Number: 028-01234',
    'Form 13F File No.: 28-1234',
    'Form 13F File # : 28-1234',
  ])
    assert.equal(cover(text).fileNumber, '028-01234', text)
})

test('names of managers, numbers of amendments and lists of managers are read in capitals and small letters and with any marks', () => {
  const manager = (line: string) =>
    cover(
      `Institutional Investment Manager Filing this Report:\n\n${line}\n\nPerson Signing this Report:\n\nName: Jane Specimen\n`,
    )
  for (const line of [
    'Name: Red Capital LLC',
    'NAME:   Red Capital LLC',
    'name: Red Capital LLC',
    'Name: __Red Capital LLC__',
  ])
    assert.deepEqual([manager(line).managerName, manager(line).signer], ['Red Capital LLC', 'Jane Specimen'], line)
  for (const label of ['Amendment Number: 2', 'Amendment Number: #2', 'Amendment No.: 2', 'Amendment Number: __2__'])
    assert.equal(cover(`Check here if Amendment [X]; ${label}\n`).amendmentNo, 2, label)
  assert.equal(
    cover('Check here if Amendment [ ]; Amendment Number:\nThis Amendment (Check only one.)').amendmentNo,
    null,
  )
  const { managers } = cover(
    'Form 13F Summary Page\nList of Other Included Managers:\n\n1.    28-1111     A Inc\n2)    28-2222     B Inc\n3     28-3333     C Inc\n',
  )
  assert.deepEqual(
    managers.map(({ sequence, name }) => [sequence, name]),
    [
      [1, 'A Inc'],
      [2, 'B Inc'],
      [3, 'C Inc'],
    ],
  )
})
