/**
 * The SEC's data sets of Form N-CEN: a filing gives the same rows from its submission as from lines that were written
 * from this submission.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import ncen from '../../../src/datasets/ncen/index.ts'
import { quarterlySets } from '../../../src/datasets/ncen/sets.ts'
import { parse as parseXml } from '../../../src/read/xml.ts'
import { corpus } from '../../support/corpus.ts'
import { readNcen } from '../../support/ncen/made.ts'
import { everyLeaf } from '../../support/ncen/schema.ts'
import { linesOf } from '../../support/sets/ncen.ts'
import { byTable, rowsOfSet, Written, without } from '../../support/sets/written.ts'

const here = (file: string) => path.join(import.meta.dirname, '../../..', file)
const SPEC = path.join(
  corpus.folder ?? '',
  'schemas/sec_specs/form-n-cen-xml-tech-specs-31/EDGAR_Form_N-CEN_XML_Technical_Specification',
)

/** Values of the form's checkboxes that have a column in a set; other values have none. */
const BOXES: Readonly<Record<string, string>> = {
  paymentToAgentManagerType: 'Other',
  relyOnRuleType: 'Rule 10f-3 (17 CFR 270.10f-3)',
  rightsOfferingType: 'Bonds',
  secondaryOfferingType: 'Warrants',
  repurchaseSecurityType: 'Preferred stock',
}

/** Documents by name: invented ones, the SEC's samples, real ones, and one with every leaf of the schema. */
function documents(): Map<string, string> {
  const files = globSync([
    here('src/datasets/ncen/fixtures/*/primary_doc.xml'),
    here('sample/Archives/edgar/data/90000000{71,81,84}/*.txt'),
  ])
  if (corpus.skip === false)
    files.push(
      ...globSync([
        path.join(SPEC, '*Samples/*.xml'),
        path.join(corpus.folder, 'sec/Archives/edgar/data/{81443,1496608}/0001410368-26-0109*.txt'),
      ]),
    )
  const texts = files
    .map((file) => [file, readFileSync(file, 'utf8')] as const)
    .filter(([, text]) => text.includes('edgar/ncen'))
  const found = new Map(
    texts.map(([file, text]) => [file, /<XML>\s*([\s\S]*?)<\/XML>/.exec(text)?.[1] ?? text.trimStart()]),
  )
  if (corpus.skip === false) {
    const { document } = everyLeaf(path.join(SPEC, 'EDGAR_Form_N-CEN_XML_schema_files'))
    const words = document.replace(/<(\w+)>text \d+/g, (all, name: string) =>
      name in BOXES ? `<${name}>${BOXES[name]}` : all,
    )
    // Sets separate the file numbers of a director by spaces, and no real document has such numbers.
    found.set(
      'every leaf',
      words.replace(/fileNumber="text /g, 'fileNumber="811-').replace(/creditType="text \d+"/g, 'creditType="Shared"'),
    )
  }
  return found
}

/** Names of columns that no set has. */
const LACKING = [
  ...['report.source', 'report.covers_all_series', 'report.series_ids', 'report.class_ids', 'person.phone'],
  ...['fund.has_changed_liquidity_service', 'adviser.rssd_id', 'provider.rssd_id', 'foreign_subsidiary.rssd_id'],
  // In a document, the numbers of providers count liquidity services too, which a set lacks.
  'provider.n',
]

const comparable = (rows: ReturnType<typeof byTable>) => {
  const provider = (rows.provider ?? [])
    .filter(({ role }) => role !== 'liquidity_service')
    // A set has one column for an LEI or RSSD ID and for the number that is given without one.
    .map(({ other_id, ...row }) => (row.lei || row.rssd_id || !other_id ? row : { ...row, other_id }))
  // A set has a column for each box, so the order of the ticked boxes is lost.
  const sorted = (list: unknown) => [...new Set(list as string[])].sort()
  const fund = rows.fund?.map((row) => ({
    ...row,
    rules: sorted(row.rules),
    lending_payments: sorted(row.lending_payments),
  }))
  return without({ ...rows, provider, ...(fund && { fund }) }, LACKING)
}

test('a submission and a set give the same rows of a filing, except the columns that sets lack', async (t) => {
  const met = new Map<string, number>()
  for (const [name, document] of documents()) {
    const expected = comparable(byTable((await readNcen(document)).rows))
    const { rows, problems, unread } = await rowsOfSet(
      quarterlySets,
      linesOf(parseXml(document), '0000000700-26-000001', '2026-02-12'),
    )
    const found = comparable(byTable(rows))
    assert.deepEqual(Object.keys(found).sort(), Object.keys(expected).sort(), name)
    for (const [table, own] of Object.entries(expected)) {
      assert.deepEqual(found[table], own, `${name} ${table}`)
      met.set(table, (met.get(table) ?? 0) + own.length)
    }
    assert.deepEqual([unread, problems], [[], []], name)
  }
  t.diagnostic([...met].map(([table, count]) => `${table} ${count}`).join(', '))
  if (corpus.skip === false)
    assert.deepEqual(
      Object.keys(ncen.tables).filter((table) => !met.has(table)),
      [],
    )
})

/** A line of each member in the SEC's description of the sets, typed from a real one of 2026 Q2. */
function summerStreet(): Written {
  const written = new Written()
  const accession = '0000035402-26-002197'
  const fund = { FUND_ID: `${accession}_0000225322_S000080314` }
  const of = { ACCESSION_NUMBER: accession }
  const adviser = { ...fund, SOURCE: 'Part C', IS_ADVISOR_HIRED: 'N' }
  written.add('SUBMISSION', {
    ...{ ...of, SUBMISSION_TYPE: 'N-CEN', CIK: '0000225322', FILING_DATE: '13-APR-2026' },
    ...{ REPORT_ENDING_PERIOD: '31-JAN-2026', IS_REPORT_PERIOD_LT_12MONTH: 'N', FILE_NUM: '811-02737' },
    ...{ REGISTRANT_SIGNED_NAME: 'Fidelity Summer Street Trust', DATE_SIGNED: '08-APR-2026' },
    ...{ TITLE: 'President and Treasurer', IS_IPA_REPORT_INTERNAL_CONTROL: 'true' },
  })
  written.add('REGISTRANT', {
    ...{ ...of, REGISTRANT_NAME: 'Fidelity Summer Street Trust', FILE_NUM: '811-02737', CIK: '0000225322' },
    ...{ LEI: 'P1TJ3M056NR1SYX5LY49', CITY: 'Boston', STATE: 'US-MA', COUNTRY: 'US', ZIP: '02210' },
    ...{ IS_LAST_FILING: 'N', IS_FAMILY_INVESTMENT_COMPANY: 'Y', INVESTMENT_COMPANY_TYPE: 'N-1A', TOTAL_SERIES: '19' },
    ...{ FAMILY_INVESTMENT_COMPANY_NAME: 'Fidelity Group of Funds', HAS_DIRECTOR_INSURANCE_POLICY: 'Y' },
  })
  written.add('FUND_REPORTED_INFO', {
    ...{ ...fund, ...of, FUND_NAME: 'Fidelity Series Sustainable U.S. Market Fund', SERIES_ID: 'S000080314' },
    ...{
      LEI: '5493000B0APCNZK1MS39',
      AUTHORIZED_SHARES_CNT: '1',
      IS_FUND_TYPE_NA: 'Y',
      IS_SEC_LENDING_AUTHORIZED: 'Y',
    },
    ...{ DID_LEND_SECURITIES: 'N', IS_PYMNT_NA: 'Y', AVG_VALUE_SEC_LOAN: '0', IS_RELYON_RULE_12D1_1: 'Y' },
    ...{ IS_RELYON_RULE_17A_7: 'Y', IS_RELYON_RULE_17E_1: 'Y', IS_RELYON_RULE_32A_4: 'Y', IS_RELYON_RULE_18F_4: 'Y' },
    ...{ IS_RELYON_RULE_18F_4C4: 'Y', HAS_EXP_LIMIT: 'Y', AGG_COMMISSION: '5033.67', DID_PAY_BROKER_RESEARCH: 'Y' },
    ...{ MONTHLY_AVG_NET_ASSETS: '40734896', HAS_LINE_OF_CREDIT: 'Y', HAS_INTERFUND_LENDING: 'N' },
  })
  written.add('ADVISER', {
    ...{ ...adviser, ADVISER_TYPE: 'Advisor', ADVISER_NAME: 'Fidelity Management & Research Company LLC' },
    ...{
      FILE_NUM: '801-7884',
      CRD_NUM: '000108281',
      ADVISER_LEI: '5493001Z012YSB2A0K51',
      STATE: 'US-MA',
      COUNTRY: 'US',
    },
  })
  written.add('ADVISER', {
    ...{ ...adviser, ADVISER_TYPE: 'Subadvisor', ADVISER_NAME: 'FMR Investment Management (UK) Limited' },
    ...{ FILE_NUM: '801-28773', CRD_NUM: '000108273', COUNTRY: 'GB', IS_AFFILIATED: 'Y' },
  })
  written.add('PRINCIPAL_UNDERWRITER', {
    ...{ ...of, UNDERWRITER_NAME: 'Fidelity Distributors Company LLC', FILE_NUM: '8-35097', CRD_NUM: '000017507' },
    ...{ UNDERWRITER_LEI: '2549002Y53BVDC91U856', STATE: 'US-RI', COUNTRY: 'US', IS_AFFILIATED: 'Y' },
  })
  return written
}

const LATER = 'Rule 18f-4(c)(4) (17CFR 270.18f-4(c)(4))'

test('lines of a real filing of 2026 Q2 (0000035402-26-002197) give the rows that a person reads', async () => {
  const { rows, problems, unread } = await rowsOfSet(quarterlySets, summerStreet())
  assert.deepEqual([problems, unread], [[], []])
  const { report, fund, adviser, provider } = byTable(rows)
  const has = (row: object | undefined, expected: Record<string, unknown>) =>
    assert.partialDeepStrictEqual(row, expected)
  has(report?.[0], {
    ...{ cik: '0000225322', period: '2026-01-31', is_short_period: false, file_number: '811-02737', source: 'set' },
    ...{ registrant_name: 'Fidelity Summer Street Trust', lei: 'P1TJ3M056NR1SYX5LY49', state: 'MA', series_count: 19 },
    ...{ is_in_family: true, family_name: 'Fidelity Group of Funds', is_insured: true, signed: '2026-04-08' },
    ...{ attachments: ['internal_control_report'], classification: 'N-1A', is_last_filing: false },
  })
  has(fund?.[0], {
    ...{
      fund: '0000225322-S000080314',
      fund_name: 'Fidelity Series Sustainable U.S. Market Fund',
      classes_authorized: 1,
    },
    ...{ is_etf: false, is_money_market: false, may_lend: true, did_lend: false, lent_average: '0', fund_types: [] },
    ...{ has_expense_limit: true, commissions: '5033.67', pays_for_research: true, monthly_avg_net_assets: '40734896' },
    ...{ has_credit_line: true, lends_to_funds: false },
  })
  const rules = fund?.[0]?.rules as string[]
  assert.deepEqual([rules.length, rules.at(-1)], [6, LATER])
  has(adviser?.[0], {
    role: 'adviser',
    crd: '108281',
    number_key: '801-7884',
    state: 'MA',
    is_current: true,
    is_hired: false,
  })
  has(adviser?.[1], { role: 'subadviser', crd: '108273', country: 'GB', is_affiliated: true, is_current: true })
  has(provider?.[0], { role: 'principal_underwriter', crd: '17507', file_number: '8-35097', is_affiliated: true })
})

test('the members and columns equal the SEC’s: 53 members, of which 28 name their filing in FUND_ID', () => {
  const { members, keys = {}, optional = [] } = quarterlySets
  assert.deepEqual([Object.keys(members).length, Object.keys(keys).length, optional.length], [53, 28, 43])
  assert.deepEqual(members.ADVISER!.toSorted(), [
    ...['ADVISER_LEI', 'ADVISER_NAME', 'ADVISER_TYPE', 'ADVISOR_START_DATE', 'ADVISOR_TERMINATED_DATE', 'COUNTRY'],
    ...['CRD_NUM', 'FILE_NUM', 'FUND_ID', 'IS_ADVISOR_HIRED', 'IS_AFFILIATED', 'SOURCE', 'STATE'],
  ])
  // This column exists since 2024 Q1; an older set must load too.
  assert.ok(
    !members.ETF!.includes('REDEEMED_SHARES_PER_CREATION_UNIT') &&
      members.ETF!.includes('NUM_SHARES_PER_CREATION_UNIT'),
  )
})

test('a set is named by its quarter, also if it was published again', () => {
  const days = (name: string) => quarterlySets.days(quarterlySets.file.exec(name)!)
  assert.deepEqual(days('2025q2_ncen_0.zip'), { from: '2025-04-01', to: '2025-06-30' })
  assert.deepEqual(days('2024q4_ncen.zip'), { from: '2024-10-01', to: '2024-12-31' })
  assert.equal(quarterlySets.file.exec('2024q4_nport.zip'), null)
})

/** Returns the rows and the problems of one filing after a change of its lines. */
async function notesAfter(change: (written: Written) => void) {
  const written = summerStreet()
  change(written)
  const { rows, problems } = await rowsOfSet(quarterlySets, written)
  return { rows: byTable(rows), problems: problems.map(({ path: at, value, reason }) => `${at} ${value}: ${reason}`) }
}
const own = (written: Written, member: string, at = 0) => written.members.get(member)![at]!

test('reports words that the form does not have, and leaves their line out of every row', async () => {
  const type = await notesAfter((written) => (own(written, 'ADVISER', 1).ADVISER_TYPE = 'Co-Advisor'))
  assert.match(
    type.problems.join(),
    /ADVISER\.tsv:2\/ADVISER_TYPE Co-Advisor: is not one of ADVISER, ADVISOR, TERMINATED/,
  )
  assert.deepEqual([type.problems.length, type.rows.adviser!.length, type.rows.fund!.length], [1, 1, 1])
  const source = await notesAfter((written) => (own(written, 'ADVISER').SOURCE = 'Part Z'))
  assert.match(source.problems.join(), /SOURCE Part Z: is not one of PART C, PART D/)
  const box = await notesAfter((written) => (own(written, 'FUND_REPORTED_INFO').IS_ETF = 'P'))
  assert.deepEqual(
    [box.problems, box.rows.fund![0]!.is_etf],
    [['FUND_REPORTED_INFO.tsv:1/IS_ETF P: neither true nor false'], false],
  )
  const flag = await notesAfter((written) => (own(written, 'FUND_REPORTED_INFO').HAS_EXP_LIMIT = '31-JAN-2026'))
  assert.deepEqual([flag.problems.length, flag.rows.fund![0]!.has_expense_limit], [1, undefined])
  const credit = { ...fundOf(), LINE_OF_CREDIT_SEQNUM: '1', CREDIT_TYPE: 'Both', IS_CREDIT_LINE_COMMITTED: 'Committed' }
  const line = await notesAfter((written) => void written.add('LINE_OF_CREDIT_DETAIL', credit))
  assert.match(line.problems.join(), /CREDIT_TYPE Both: is neither Sole nor Shared/)
  assert.deepEqual([line.rows.credit_line![0]!.is_committed, line.rows.credit_line![0]!.is_shared], [true, undefined])
})

const fundOf = () => ({ FUND_ID: own(summerStreet(), 'FUND_REPORTED_INFO').FUND_ID! })

test('reports a line that names no fund of its filing, and two funds with one FUND_ID', async () => {
  const other = { FUND_ID: '0000035402-26-002197_0000225322_S000000009', SOURCE: 'Part C', CUSTODIAN_NAME: 'Nobody' }
  const lost = await notesAfter((written) => void written.add('CUSTODIAN', other))
  assert.deepEqual(lost.problems, [
    `CUSTODIAN.tsv:1/FUND_ID ${other.FUND_ID}: matches no part of its filing, so this line of CUSTODIAN is not stored`,
  ])
  const twice = await notesAfter(
    (written) => void written.add('FUND_REPORTED_INFO', { ...own(written, 'FUND_REPORTED_INFO') }),
  )
  assert.match(twice.problems.join(), /FUND_REPORTED_INFO\.tsv:2\/FUND_ID .*: is the id of another fund too/)
  assert.deepEqual([twice.rows.fund!.length, twice.rows.adviser!.length], [2, 2])
})

test('a terminated adviser has its last day, and no answers that the form asks only of current advisers', async () => {
  const { rows, problems } = await notesAfter((written) =>
    Object.assign(own(written, 'ADVISER'), {
      ADVISER_TYPE: 'Terminated Advisor',
      ADVISOR_TERMINATED_DATE: '30-JUN-2025',
    }),
  )
  assert.match(problems.join(), /ADVISER\.tsv:1\/IS_ADVISOR_HIRED N: is not asked of Terminated Advisor/)
  const [adviser] = rows.adviser!.filter(({ crd }) => crd === '108281')
  assert.deepEqual([adviser!.is_current, adviser!.ended], [false, '2025-06-30'])
})

test('part D is read from the line of its fund, also if this line has no answers of part C', async () => {
  const { rows, problems } = await notesAfter((written) => {
    const line = { ACCESSION_NUMBER: '0000035402-26-002197', FUND_ID: '0000035402-26-002197_0000225322' }
    written.members.set('FUND_REPORTED_INFO', [
      { ...line, MANAGEMENT_FEE: '1.5', DID_REPURCHASE_SECURITY: 'Y', IS_REPUR_COMMON: 'Y' },
    ])
    for (const adviser of written.members.get('ADVISER')!)
      Object.assign(adviser, { FUND_ID: line.FUND_ID, SOURCE: 'Part D' })
  })
  assert.deepEqual(problems, [])
  assert.partialDeepStrictEqual(rows.closed_end![0], {
    management_fee: '1.5',
    has_repurchase: true,
    repurchased_securities: ['Common stock'],
  })
  // The registrant is the fund, and none of its boxes is known.
  assert.deepEqual(
    [rows.fund!.length, rows.fund![0]!.fund, rows.fund![0]!.is_money_market],
    [1, '0000225322', undefined],
  )
  assert.deepEqual(
    rows.adviser!.map(({ fund, role }) => `${fund} ${role}`),
    ['0000225322 adviser', '0000225322 subadviser'],
  )
})

test('participants belong to the only exchange-traded fund of a filing, whatever the number in their FUND_ID', async () => {
  const etf = (id: string) => ({ FUND_ID: `0000035402-26-002197_${id}`, FUND_NAME: `ETF ${id}`, SERIES_ID: '' })
  const participant = {
    FUND_ID: '0000035402-26-002197_1',
    PARTICIPANT_NAME: 'Made Securities LLC',
    PURCHASE_VALUE: '5',
  }
  const one = await notesAfter((written) => {
    written.add('ETF', etf('0000225322'))
    written.add('AUTHORIZED_PARTICIPANT', participant)
  })
  assert.deepEqual([one.problems, one.rows.provider!.at(-1)!.amount], [[], '5'])
  const two = await notesAfter((written) => {
    for (const id of ['0000225322', '0000225322_S000000007']) written.add('ETF', etf(id))
    written.add('AUTHORIZED_PARTICIPANT', participant)
  })
  assert.match(two.problems.join(), /AUTHORIZED_PARTICIPANT\.tsv:1\/FUND_ID .*: matches no part of its filing/)
})

test('a filing of a set without a registrant, or with two of them, is refused', async () => {
  const written = summerStreet()
  const [registrant] = written.members.get('REGISTRANT')!
  written.add('REGISTRANT', registrant!)
  await assert.rejects(rowsOfSet(quarterlySets, written), /^Error: has 2 lines in REGISTRANT instead of one$/)
  written.members.delete('REGISTRANT')
  await assert.rejects(rowsOfSet(quarterlySets, written), /^Error: has 0 lines in REGISTRANT instead of one$/)
})
