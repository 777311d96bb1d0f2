import assert from 'node:assert/strict'
import { test } from 'node:test'
import { once, SetMap } from './set-map.ts'

const HEAD = 'member\tcolumn\tkind\tbecomes\tword\tnote\twithin'
const text = (...lines: string[]) => `${[HEAD, ...lines].join('\n')}\n`
const map = (...lines: string[]) => new SetMap([['own.tsv', text(...lines)]])

test('a map gives branches, each below the member or element that the branch names, and the required columns', () => {
  const found = map(
    'DIRECTOR\t\tline\tdirectors/director\t\t\tbody',
    'DIRECTOR\tACCESSION\tkey\t\t\t\tbody',
    'DIRECTOR\tNUMBER\tnumber\t\t\t\tbody',
    'DIRECTOR\tNAME\ttext\tname\t\ta remark\tbody',
    'DIRECTOR\tSINCE\tday\t@since\t\t\tbody',
    'DIRECTOR\tROLES\tlist\troles/role/@name\t\t\tbody',
    'DIRECTOR\tROW\taside\t\t\t\tbody',
    'DIRECTOR\tPHONE\tlater text\tphone\t\t\tbody',
    'FILE C\t\tinto\tfiles\t\t\tDIRECTOR',
    'FILE C\tFUND\tkey\t\t\t\tDIRECTOR',
    'FILE C\tNUMBERS\tcode\t\t\t\tDIRECTOR',
    'SERIES\tSOURCE\tchoice\ta/b\tFIRST\t\tbody',
    'SERIES\tSOURCE\tchoice\ta/c\tSECOND\t\tbody',
    'ANSWERS\tIS_A\tbox\tkinds/kind\tA, of its kind\t\tpart',
    'ANSWERS\tIS_B\tlater box\tkinds/kind\tB\t\tpart',
    'ANSWERS\tNOT\tunasked\t\t\t\tpart',
  )
  const more = () => {}
  assert.deepEqual(found.branches('body', { 'FILE C': more }), [
    {
      member: 'DIRECTOR',
      at: 'directors/director',
      texts: { name: 'NAME', phone: 'PHONE' },
      days: { '@since': 'SINCE' },
      lists: { 'roles/role/@name': 'ROLES' },
      ignored: ['ACCESSION', 'ROW'],
      by: 'NUMBER',
      branches: [{ member: 'FILE C', at: 'files', once: true, texts: {}, days: {}, ignored: ['FUND'], more }],
    },
    {
      member: 'SERIES',
      at: { column: 'SOURCE', paths: { FIRST: 'a/b', SECOND: 'a/c' } },
      texts: {},
      days: {},
      ignored: [],
    },
  ])
  assert.deepEqual(found.member('part', 'ANSWERS'), {
    ...{ texts: {}, days: {}, unasked: ['NOT'] },
    boxes: { IS_A: ['kinds/kind', 'A, of its kind'] },
    later: { IS_B: ['kinds/kind', 'B'] },
  })
  assert.deepEqual(found.branches('part'), [])
  assert.deepEqual(found.members(), {
    DIRECTOR: ['ACCESSION', 'NUMBER', 'NAME', 'SINCE', 'ROLES'],
    FILE: ['FUND', 'NUMBERS'],
    SERIES: ['SOURCE'],
    ANSWERS: ['IS_A', 'NOT'],
  })
  assert.deepEqual(found.keyedBy('FUND'), ['FILE'])
})

test('a wrong line of a map is an error with file, line and fault', () => {
  const place = 'A\t\tline\ta\t\t\tbody'
  for (const [lines, fault] of [
    [['A\tB\ttexts\ta\t\t\tbody'], '2: "texts" is not one of line, into, choice, text, '],
    [[place, 'A\tB\ttext\tb\t\tbody'], '3: has 6 cells instead of 7'],
    [[place, ''], '3: has 1 cells instead of 7'],
    [['A\tB \ttext\tb\t\t\tbody'], '2: has a blank at the end of a cell'],
    [['A\tB\ttext\tb\t\t\t'], '2: needs a member, and the element that has it'],
    [['\tB\ttext\tb\t\t\tbody'], '2: needs a member, and the element that has it'],
    [['A\tB\tline\ta\t\t\tbody'], '2: a place has no column'],
    [['A\t\ttext\tb\t\t\tbody'], '2: needs a column'],
    [['A\tB\tkey\tb\t\t\tbody'], '2: key has no element'],
    [['A\tB\tday\t\t\t\tbody'], '2: day needs an element'],
    [['A\tB\tbox\tb\t\t\tbody'], '2: box needs a word'],
    [['A\tB\ttext\tb\tc\t\tbody'], '2: text has no word'],
    [[place, 'A\t\tinto\tb\t\t\tbody'], '3: states the same as own.tsv, line 2'],
    [['A\tB\ttext\tb\t\t\tbody', 'A\tB\tday\tc\t\t\tbody'], '3: states the same as own.tsv, line 2'],
    [['A\tB\ttext\tb\t\t\tbody', 'A\tC\ttext\tb\t\t\tbody'], '3: states the same as own.tsv, line 2'],
    [['A\tB\tchoice\tb\tX\t\tbody', 'A\tB\tchoice\tc\tX\t\tbody'], '3: states the same as own.tsv, line 2'],
  ] as const) {
    assert.throws(
      () => map(...lines),
      (error: Error) => {
        assert.ok(error.message.startsWith(`own.tsv, line ${fault}`), `${error.message} instead of ${fault}`)
        return true
      },
    )
  }
  assert.throws(
    () => new SetMap([['own.tsv', 'member\tcolumn\n']]),
    /^Error: own\.tsv, line 1: the columns must be member,/,
  )
  const both = ['one.tsv', 'two.tsv'].map((name) => [name, text(place)] as const)
  assert.throws(() => new SetMap(both), /^Error: two\.tsv, line 2: states the same as one\.tsv, line 2$/)
})

test('a value of `once` is made once, when it is first needed', () => {
  let made = 0
  const value = once(() => ++made)
  assert.equal(made, 0)
  assert.deepEqual([value(), value(), made], [1, 1, 1])
})
