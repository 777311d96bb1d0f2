/** Facts of items other than 5.02, read from sentences that are worded like those of real reports. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factsOf } from './facts.ts'
import { periodIn } from './results/earnings.ts'
import { headlinesOf } from './results/headlines.ts'

const read = (item: string, text: string) =>
  factsOf(item, text, { start: 0, end: text.length }).map(({ name, value }) => [name, value])

test('a bankruptcy has its court, case, chapter and the day of the petition', () => {
  const text =
    'On March 3, 2021, Sample Corp filed a voluntary petition under Chapter 11 of Title 11 of the United States Code in the United States Bankruptcy Court for the Southern District of New York. The case is captioned In re Sample Corp, Case No. 21-10001 (ABC).'
  assert.deepEqual(read('1.03', text), [
    ['court', 'Southern District of New York'],
    ['chapter', '11'],
    ['petition_date', '2021-03-03'],
    ['case_number', '21-10001 (ABC)'],
  ])
})

test('an incident has the day of its detection, and the day of the finding that it is material if there is such a finding', () => {
  const text =
    'On May 2, 2024, the Company detected unauthorized access to its systems. On May 9, 2024, the Company determined that the incident is material.'
  assert.deepEqual(read('1.05', text), [
    ['incident_discovered', '2024-05-02'],
    ['incident_determined', '2024-05-09'],
  ])
  const not = 'On May 9, 2024, the Company had not determined that the incident is material.'
  assert.deepEqual(read('1.05', not), [])
})

test('rule, reason and deadline of an exchange’s notice are read, but no rule of another law', () => {
  const price =
    'On June 1, 2023, the Company was notified by the New York Stock Exchange that it is not in compliance with Section 802.01C of the Listed Company Manual, as the average closing price of its stock was less than $1.00 over 30 trading days. The Company has six months to regain compliance.'
  assert.deepEqual(read('3.01', price), [
    ['exchange', 'NYSE'],
    ['rule', '802.01C'],
    ['reason', 'price'],
    ['notice_date', '2023-06-01'],
  ])
  const merger =
    'In connection with the Merger, the Company notified Nasdaq of its completion and asked it to file a Form 25 to delist the shares under Section 12(b) of the Exchange Act.'
  assert.deepEqual(read('3.01', merger), [
    ['exchange', 'Nasdaq'],
    ['reason', 'merger'],
  ])
  const moved =
    'On July 1, 2024, the Company gave notice of its intention to voluntarily transfer its listing from the NYSE American to Nasdaq.'
  assert.deepEqual(read('3.01', moved), [
    ['reason', 'voluntary'],
    ['notice_date', '2024-07-01'],
  ])
})

test('a notice of continued deficiency is read as a deficiency, a notice of regained compliance is not', () => {
  const regained =
    'On June 3, 2024, Nasdaq notified the Company that it has regained compliance with the minimum bid price requirement of Listing Rule 5550(a)(2).'
  assert.deepEqual(read('3.01', regained).slice(2), [
    ['reason', 'compliance_regained'],
    ['notice_date', '2024-06-03'],
  ])
  const not = regained.replace('has regained', 'has not regained')
  assert.deepEqual(read('3.01', not).slice(2), [
    ['reason', 'price'],
    ['notice_date', '2024-06-03'],
  ])
})

test('a decision of the court, a motion and an unfiled petition do not give the day of a petition', () => {
  const petition = (text: string) => read('1.03', text).filter(([name]) => name === 'petition_date')
  assert.deepEqual(
    petition('On May 1, 2024, the court confirmed the plan under Chapter 11; petitions were filed on January 2, 2023.'),
    [],
  )
  assert.deepEqual(petition('On May 1, 2024, Sample Corp filed a motion to dismiss its Chapter 11 case.'), [])
  assert.deepEqual(petition('On May 1, 2024, Sample Corp has not filed a petition under Chapter 11.'), [])
  const two =
    'On May 1, 2024, the court confirmed the plan, after Sample Corp on January 2, 2023 (the “Petition Date”) filed petitions under Chapter 11.'
  assert.deepEqual(petition(two), [['petition_date', '2023-01-02']])
})

test('no fact is read from an incident without material effect, or from statements that were not withdrawn', () => {
  assert.deepEqual(
    read('1.05', 'On May 9, 2024, the Company determined that the incident is unlikely to have a material impact.'),
    [],
  )
  assert.deepEqual(
    read('1.05', 'On May 9, 2024, the Company determined that the incident has had no material effect.'),
    [],
  )
  assert.deepEqual(
    read(
      '4.02',
      'The Audit Committee did not conclude that the statements for the year ended December 31, 2022 should no longer be relied upon.',
    ),
    [],
  )
})

test('former and new auditor are read if the text is certain of them; a firm that was only consulted is not read', () => {
  const text =
    'On April 4, 2022, the Audit Committee dismissed Marcum LLP and appointed Grant Thornton LLP as auditor. The Company did not consult Grant Thornton LLP before.'
  assert.deepEqual(read('4.01', text), [
    ['former_auditor', 'Marcum LLP'],
    ['dismissal_date', '2022-04-04'],
    ['new_auditor', 'Grant Thornton LLP'],
    ['engagement_date', '2022-04-04'],
  ])
  assert.deepEqual(read('4.01', 'The Company had not engaged Alpha Beta LLP on any matter.'), [])
  assert.deepEqual(read('4.01', 'KPMG LLP informed the Committee of its independence.'), [])
})

test('the periods that can no longer be relied on are read from the sentence that names them', () => {
  const text =
    'The Board concluded that the financial statements for the year ended December 31, 2020 and the quarters ended March 31, 2021 and June 30, 2021 should no longer be relied upon. Those for the year ended December 31, 2019 are right.'
  assert.deepEqual(read('4.02', text), [
    ['non_reliance_period', '2020-12-31'],
    ['non_reliance_period', '2021-03-31'],
    ['non_reliance_period', '2021-06-30'],
  ])
})

const figures = (text: string) => headlinesOf(text).map(({ name, value }) => [name, value])

test('a headline figure covers the whole company and the period, in whole dollars', () => {
  assert.deepEqual(figures('Total revenue was $1.25 billion, up from $1.1 billion. Net loss was $12.5 million.'), [
    ['revenue', '1250000000'],
    ['net_income', '-12500000'],
  ])
  for (const text of [
    'Adjusted net income was $5 million.',
    'Services revenue was $3 million.',
    'Compared with the prior year, net income of $4 million was less.',
    'We expect revenue of $9 million.',
    'Total revenue was C$9 million.',
    'Diluted earnings per share was $1.10 on a non-GAAP basis.',
  ]) {
    assert.deepEqual(figures(text), [], text)
  }
})

test('the period comes from the sentence on results, never from a mentioned annual report', () => {
  const period = (text: string) => periodIn(text, { start: 0, end: text.length }).map(({ value }) => value)
  assert.deepEqual(period('It announced results for its fiscal 2024 first quarter ended December 30, 2023.'), [
    'quarter',
    '2023-12-30',
  ])
  assert.deepEqual(period('It announced results for the nine months ended September 30, 2023.'), [
    'nine_months',
    '2023-09-30',
  ])
  assert.deepEqual(period('The results are discussed in Form 10-K for the year ended December 31, 2022.'), [])
  assert.deepEqual(period('It announced results for the quarter ended February 30, 2023.'), [])
})

test('words that begin a sentence are not part of the name of the firm after them', () => {
  const dismissed = 'On May 1, 2024, the Company dismissed Oak & Reed LLP as its auditor.'
  for (const next of [
    'Concurrently Elm Grove LLP was engaged as the new auditor.',
    'Simultaneously, Elm Grove LLP was engaged as the new auditor.',
    'Thereafter, Elm Grove LLP was appointed as the new auditor.',
    'Subsequently, the Board and Elm Grove LLP agreed on the terms, and Elm Grove LLP was engaged.',
  ])
    assert.deepEqual(
      read('4.01', `${dismissed} ${next}`).filter(([name]) => name === 'new_auditor'),
      [['new_auditor', 'Elm Grove LLP']],
      next,
    )
  assert.deepEqual(read('4.01', 'On May 1, 2024, Connolly, Reed & Hale, P.C. was engaged as the new auditor.')[0], [
    'new_auditor',
    'Connolly, Reed & Hale, P.C.',
  ])
})

test('an auditor whose appointment is ratified by holders is not read as engaged', () => {
  assert.deepEqual(
    read('4.01', 'On May 1, 2024, the stockholders ratified the appointment of KPMG LLP as auditor.'),
    [],
  )
})

test('a loss per share is negative too, and minority interests are not income of the company', () => {
  const headlines = (text: string) => headlinesOf(text).map(({ name, value }) => [name, value])
  assert.deepEqual(headlines('Net loss was $3.5 million, or $0.10 per diluted share.'), [
    ['net_income', '-3500000'],
    ['eps_diluted', '-0.10'],
  ])
  assert.deepEqual(headlines('Without that loss net income was $3.5 million, or $0.10 per diluted share.'), [
    ['net_income', '3500000'],
    ['eps_diluted', '0.10'],
  ])
  assert.deepEqual(headlines('Net income attributable to noncontrolling interests was $5.0 million.'), [])
  assert.deepEqual(headlines('Net income attributable to common shareholders was $5.0 million.'), [
    ['net_income', '5000000'],
  ])
})

test('a day is read in any order, with a weekday or an ordinal, and in figures', () => {
  for (const day of [
    'June 12, 2026',
    '12 June 2026',
    '12th June, 2026',
    'the 12th day of June, 2026',
    'Friday, June 12, 2026',
    '06/12/2026',
  ]) {
    assert.deepEqual(
      read('4.01', `On ${day}, the Board dismissed Quill & Fenn LLP as the independent auditor of the Company.`),
      [
        ['former_auditor', 'Quill & Fenn LLP'],
        ['dismissal_date', '2026-06-12'],
      ],
      day,
    )
    const petition = `On ${day}, Sample Corp filed a voluntary petition under Chapter 11 in the United States Bankruptcy Court for the District of Delaware.`
    assert.deepEqual(read('1.03', petition).at(-1), ['petition_date', '2026-06-12'], day)
  }
  const paid =
    'The Board declared a cash dividend of $0.15 per share, payable on 15 July 2026 to holders of record on 1 July 2026.'
  assert.deepEqual(read('8.01', paid), [
    ['dividend', '0.15'],
    ['dividend_record_date', '2026-07-01'],
    ['dividend_payment_date', '2026-07-15'],
  ])
})

test('a case number is read after any label, and not if it is the first of several', () => {
  const number = (words: string) =>
    read('1.03', `On June 12, 2026, Sample Corp filed a voluntary petition under Chapter 11 (${words}).`).find(
      ([name]) => name === 'case_number',
    )?.[1] ?? null
  for (const label of ['Case No. ', 'Case Number ', 'Case Number: ', 'Case #', 'Case # '])
    assert.equal(number(`${label}26-10341`), '26-10341', label)
  for (const between of ['/', ' / ', '-', '–', ' through ', ', ', ' and '])
    assert.equal(number(`Case Nos. 26-10341 (ABC)${between}26-10399`), null, between)
})

test('the name of an auditor is read whole or not at all', () => {
  const former = (firm: string) =>
    read('4.01', `On June 12, 2026, the Board dismissed ${firm} as its auditor.`)[0]?.[1] ?? null
  for (const firm of [
    'St. John, Ames & Co., Inc.',
    'Quill and Associates Limited',
    'Ernst & Young AG',
    'PricewaterhouseCoopers S.A.',
    'KPMG Huazhen LLP',
    'KPMG',
    'Deloitte & Touche LLP',
    'Finch Hale of Missouri, P.C.',
    'Finch Hale of Puerto Rico, PC',
  ])
    assert.equal(former(firm), firm)
  for (const firm of ['KPMG Samjong Accounting Corp.', 'Deloitte & Touche Tohmatsu', 'Grant Thornton Bharat'])
    assert.equal(former(firm), null, firm)
})
