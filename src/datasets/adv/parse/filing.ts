/**
 * Turns lines of the base files into rows: the filing, the answers that have no column of their own, and the filing's
 * types.
 */

import type { Rows } from '../../../declare/table.ts'
import type { CsvRow } from '../../../read/csv.ts'
import type * as tables from '../tables.ts'
import { type Answers, figuresOf } from './figures.ts'
import { FILING_ID, fileOf, type Lines, member } from './member.ts'

type Form = 'IA' | 'ERA'

const NEEDED = ['DateSubmitted', '1A', '1D', '1E1', '1F1-City', '1F1-State']

/**
 * Each base file has required columns of its own: ERA_ADV_Base lacks Item 5, and files before 2011, whose names have no
 * prefix, call the columns of Items 1.B(1) and 1.E(1) only 1B and 1E.
 */
export const filingMembers = [
  member(fileOf('ADV_Base_A', 'IA_'), [...NEEDED, '5F2a', '5F2b', '5F2c', '11'], filingOf('IA'), { required: true }),
  member(fileOf('ADV_Base_A', ''), ['DateSubmitted', '1A', '1D'], filingOf('IA')),
  member(fileOf('ADV_Base', 'ERA_'), NEEDED, filingOf('ERA')),
  member(fileOf('ADV_Base_B'), [], more('ADV_Base_B')),
  member(fileOf('ADV_1J_1K'), [], more('ADV_1J_1K')),
  member(fileOf('ADV_Filing_Types'), [], typesOf),
]

function filingOf(form: Form): Lines {
  return function* (line, filingId): Rows<typeof tables> {
    const formVersion = line.text('FormVersion')
    yield [
      'filing',
      {
        filing_id: filingId,
        form,
        crd: line.crd('1E1', '1E'),
        submitted_date: line.date('DateSubmitted'),
        form_version: formVersion,
        sec_number: line.text('1D'),
        legal_name: line.text('1A'),
        business_name: line.text('1B1', '1B'),
        new_name: line.text('1C-New Name'),
        street1: line.text('1F1-Street 1'),
        street2: line.text('1F1-Street 2'),
        city: line.text('1F1-City'),
        state: line.text('1F1-State'),
        country: line.text('1F1-Country'),
        postal_code: line.text('1F1-Postal'),
        phone: line.text('1F3'),
        fax: line.text('1F4'),
        lei: line.text('1P'),
        ...figuresOf(answersOf(line), formVersion),
        private_fund_assets: line.money('2B-Assets'),
        execution_type: line.text('Execution Type'),
        base_a: line.all(),
      },
    ]
  }
}

/** Forms before 2017 ask for a range and a number, each in its own column. These are the columns of the numbers. */
const FORMERLY: Readonly<Record<string, string>> = { '5A': '5A-Number', '5B1': '5B1-Number' }

function answersOf(line: CsvRow): Answers {
  return {
    money: (question) => line.money(question),
    count: (question) => {
      const former = FORMERLY[question]
      return line.count(former === undefined ? question : [question, former])
    },
    flag: (question) => line.flag(question),
    fewerThan5: (question) => line.flag(question),
  }
}

function more(name: string): Lines {
  return function* (line, filingId) {
    yield ['filing_more', { filing_id: filingId, member: name, as_filed: line.all() }]
  }
}

const FISCAL_YEAR = 'Annual Updating Amendment Fiscal Year'
const NOT_BOXES = new Set<string>([...FILING_ID, FISCAL_YEAR])

function* typesOf(line: CsvRow, filingId: string): Rows<typeof tables> {
  const boxes = Object.keys(line.all()).filter((name) => !NOT_BOXES.has(name))
  yield [
    'filing_type',
    {
      filing_id: filingId,
      types: boxes.filter((box) => line.flag(box)),
      fiscal_year: line.count(FISCAL_YEAR),
    },
  ]
}
