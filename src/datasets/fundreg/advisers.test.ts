/** Advisers of a fund, and firms that only advise another fund. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advisersOf } from './advisers.ts'

const read = (text: string) => advisersOf(text).map(({ role, name }) => [role, name])

test('a firm that serves the fund is read as its adviser, with its place in the text', () => {
  const text =
    'Sample Advisers, LLC serves as the Fund’s investment adviser. Other Sample Inc. acts as sub-adviser of the Fund.'
  assert.deepEqual(read(text), [
    ['adviser', 'Sample Advisers, LLC'],
    ['subadviser', 'Other Sample Inc.'],
  ])
  const [first] = advisersOf(text)
  assert.match(text.slice(first!.start, first!.end), /^Sample Advisers, LLC serves as/)
})

test('a manager of other funds, or of the funds in which this one invests, is not read as its adviser', () => {
  for (const text of [
    'Sample Advisers, LLC serves as investment adviser to the underlying funds.',
    'Sample Advisers, LLC is a manager of hedge funds.',
    'Sample Advisers, LLC is the adviser to more than 20 other registered funds.',
  ]) {
    assert.deepEqual(read(text), [], text)
  }
})

test('reads advisers in the wordings and layouts of prospectuses', () => {
  for (const [text, name] of [
    ['The Fund’s investment adviser is Sample Advisers, LLC (formerly Sample, Inc.).', 'Sample Advisers, LLC'],
    [
      'Sample Advisers, Inc. (the “Adviser”), 1 Sample Street, New York 10001, is the Fund’s investment adviser.',
      'Sample Advisers, Inc.',
    ],
    [
      'Sample Advisers, Inc., a subsidiary of Parent Holdings LLC, serves as the investment adviser.',
      'Sample Advisers, Inc.',
    ],
    ['**Investment Adviser.** Sample Fund Advisors.', 'Sample Fund Advisors'],
    ['### Investment Adviser\n\nSample Fund Advisors (“SFA”)', 'Sample Fund Advisors'],
    ['Investment Adviser: One, Two, Three & Co. LLC  ', 'One, Two, Three & Co. LLC'],
    ['Sample Management LLC serves as the Manager.', 'Sample Management LLC'],
    [
      'He is an officer of the Registrant. Sample Advisers LLC serves as the Fund’s investment adviser.',
      'Sample Advisers LLC',
    ],
  ] as const) {
    // biome-ignore format: one each line
    assert.deepEqual(read(text), [['adviser', name]], text)
    for (const { start, end } of advisersOf(text)) assert.ok(text.slice(start, end).includes(name), text)
  }
})

test('a label before words that are not a name gives no adviser, nor does the name of a distributor or custodian', () => {
  for (const text of [
    'Investment Adviser. The Adviser manages the Fund.',
    'Adviser Management Fees are paid monthly.',
    'Sample Distributors, LLC, 1 Sample Street, is the distributor, and nobody is the adviser.',
    'Sample Bank, N.A. serves as custodian.',
  ]) {
    assert.deepEqual(read(text), [], text)
  }
})

test('a name does not begin with the opening words of its sentence, and the owner of a firm is not the firm', () => {
  const named = (text: string) => advisersOf(text).map(({ name, start }) => [name, text.slice(start).startsWith(name)])
  for (const opening of [
    'Subject to the supervision of the Board of Trustees,',
    'Effective May 1, 2024,',
    'Since 2010,',
    'Pursuant to an Investment Advisory Agreement with the Trust,',
  ])
    assert.deepEqual(
      named(`${opening} Sample Capital Management, LLC serves as the Fund’s investment adviser.`),
      [['Sample Capital Management, LLC', true]],
      opening,
    )
  for (const name of ['Specimen, Sample & Paper, LLC', 'Sample Series Management Co., Inc.', 'Specimen Trust, N.A.'])
    assert.deepEqual(named(`${name} serves as sub-adviser to the Fund.`), [[name, true]], name)
  const owned = 'Sample Advisers LLC, a subsidiary of Specimen Holdings, Inc., serves as the Fund’s investment adviser.'
  assert.deepEqual(named(owned), [['Sample Advisers LLC', true]])
  for (const text of [
    'The firm, a subsidiary of Specimen Holdings, Inc., serves as the Fund’s investment adviser.',
    'Sample (a unit of Specimen Holdings, Inc.) and Specimen Paper LLC is the Fund’s investment adviser.',
  ])
    assert.deepEqual(named(text), [], text)
})
