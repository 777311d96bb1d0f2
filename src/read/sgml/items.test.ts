import assert from 'node:assert/strict'
import { test } from 'node:test'
import { itemCode } from './items.ts'

const now = '2025-03-01'
const before = '2003-06-30'

test('8-K descriptions give item numbers, whatever their case and punctuation', () => {
  const expected: Record<string, string> = {
    'Entry into a Material Definitive Agreement': '1.01',
    'Termination of a Material Definitive Agreement': '1.02',
    'Bankruptcy or Receivership': '1.03',
    'Mine Safety - Reporting of Shutdowns and Patterns of Violations': '1.04',
    'Material Cybersecurity Incidents': '1.05',
    'Completion of Acquisition or Disposition of Assets': '2.01',
    'RESULTS OF OPERATIONS AND FINANCIAL CONDITION': '2.02',
    'Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement of a Registrant':
      '2.03',
    'Triggering Events That Accelerate or Increase a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement':
      '2.04',
    'Cost Associated with Exit or Disposal Activities': '2.05',
    'Costs Associated with Exit or Disposal Activities': '2.05',
    'Material Impairments': '2.06',
    'Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard; Transfer of Listing': '3.01',
    'Unregistered Sales of Equity Securities': '3.02',
    'Material Modifications to Rights of Security Holders': '3.03',
    "Changes in Registrant's Certifying Accountant": '4.01',
    'Changes in Registrant’s Certifying Accountant': '4.01',
    'Non-Reliance on Previously Issued Financial Statements or a Related Audit Report or Completed Interim Review':
      '4.02',
    'Changes in Control of Registrant': '5.01',
    'Departure of Directors or Principal Officers; Election of Directors; Appointment of Principal Officers': '5.02',
    'Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers: Compensatory Arrangements of Certain Officers':
      '5.02',
    'Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year': '5.03',
    "Temporary Suspension of Trading Under Registrant's Employee Benefit Plans": '5.04',
    "Amendments to the Registrant's Code of Ethics, or Waiver of a Provision of the Code of Ethics": '5.05',
    'Change in Shell Company Status': '5.06',
    'Submission of Matters to a Vote of Security Holders': '5.07',
    'Shareholder Director Nominations': '5.08',
    'ABS Informational and Computational Material': '6.01',
    'Change of Servicer or Trustee': '6.02',
    'Change in Credit Enhancement or Other External Support': '6.03',
    'Failure to Make a Required Distribution': '6.04',
    'Securities Act Updating Disclosure': '6.05',
    'Regulation FD Disclosure': '7.01',
    'Other Events': '8.01',
    'financial statements  and exhibits': '9.01',
  }
  for (const [description, code] of Object.entries(expected)) {
    assert.equal(itemCode(description, '8-K', now), code, description)
    assert.equal(itemCode(description.toUpperCase(), '8-K/A', now), code, description)
  }
})

test('before 2004-08-23 the same descriptions give the old numbers', () => {
  const expected: Record<string, string> = {
    'Changes in control of registrant': '1',
    'Acquisition or disposition of assets': '2',
    'Bankruptcy or receivership': '3',
    "Changes in registrant's certifying accountant": '4',
    'Other events': '5',
    "Resignations of registrant's directors": '6',
    'Financial statements and exhibits': '7',
    'Change in fiscal year': '8',
    'Regulation FD Disclosure': '9',
    "Amendments to the Registrant's Code of Ethics": '10',
    "Temporary suspension of trading under registrant's employee benefit plans": '11',
    'Results of operations and financial condition': '12',
  }
  for (const [description, code] of Object.entries(expected)) assert.equal(itemCode(description, '8-K', before), code)
  assert.equal(itemCode('Other Events', '8-K', '2004-08-22'), '5')
  assert.equal(itemCode('Other Events', '8-K', '2004-08-23'), '8.01')
})

test('a code stays as it is if the numbering of the filing date has it', () => {
  assert.equal(itemCode('5.02', '8-K', now), '5.02')
  assert.equal(itemCode('Item 2.02 Results of Operations', '8-K', now), '2.02')
  assert.equal(itemCode('7', '8-K', before), '7')
  assert.equal(itemCode('7', '8-K', now), null)
  assert.equal(itemCode('2.02', '8-K', before), null)
})

test('Form D exemptions give the codes that the XML of Form D has', () => {
  const expected: Record<string, string> = {
    'Rule 504': '04',
    'Rule 504(b)(1)(i)': '04.1',
    'Rule 504(b)(1)(ii)': '04.2',
    'Rule 504(b)(1)(iii)': '04.3',
    'Rule 505': '05',
    'Rule 506': '06',
    'Rule 506(b)': '06b',
    'rule 506(c)': '06c',
    'Securities Act Section 4(6)': '46',
    'Securities Act Section 4(a)(5)': '4a5',
    'Investment Company Act Section 3(c)': '3C',
    'Section 3(c)(1)': '3C.1',
    'Section 3(c)(10)': '3C.10',
    'Investment Company Act Section 3(c)(7)': '3C.7',
    '06b': '06b',
    '06C': '06c',
    '3c.1': '3C.1',
    '04': '04',
  }
  for (const [description, code] of Object.entries(expected))
    assert.equal(itemCode(description, 'D', now), code, description)
  assert.equal(itemCode('Rule 506', 'D/A', now), '06')
  assert.equal(itemCode('06', 'REGDEX', before), '06')
  assert.equal(itemCode('Section 3(c)(8)', 'D', now), '3C', 'there is no exclusion 3(c)(8) on the form')
})

test('asset-backed and Regulation A reports have items of their own', () => {
  assert.equal(
    itemCode('Periodic Filing of Rule 15Ga-1 Representations and Warranties Disclosure', 'ABS-15G', now),
    '1.02',
  )
  assert.equal(itemCode('2.01', 'ABS-15G/A', now), '2.01')
  assert.equal(itemCode('Other Events', '1-U', now), '9.1')
  assert.deepEqual(
    ['1.01', '2.01', 'Item 1.02. Exhibit', '9.99'].map((item) => itemCode(item, 'SD', now)),
    ['1.01', '2.01', '1.02', null],
  )
})

test('an unknown description and a form without items give null', () => {
  assert.equal(itemCode('Something quite new', '8-K', now), null)
  assert.equal(itemCode('', '8-K', now), null)
  assert.equal(itemCode('Otherworldly events', '8-K', now), null)
  assert.equal(itemCode('S-1', 'EFFECT', now), null)
  assert.equal(itemCode('20231005', 'CT ORDER', now), null)
})
