/**
 * How securities are identified: numbers are checked and never repaired, one security has one id, and private holdings
 * are recognised.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  cusipFlag,
  cusipOfIsin,
  isPrivate,
  nameKey,
  nameOfId,
  type Placed,
  securityId,
  validCusip,
  validIsin,
} from './securityid.ts'

const nothing = { cusip: null, isin: null, name: null, title: null }
const id = (given: Partial<Parameters<typeof securityId>[0]>) => securityId({ ...nothing, ...given })
const named = (name: string) => `name~${Buffer.from(name).toString('base64url')}`

test('states the reason to doubt a CUSIP, and never repairs a CUSIP', () => {
  const flags = {
    '037833100': null,
    '82028K200': null,
    '82028k200': 'case',
    '037833101': 'check_digit',
    '03783310': 'length',
    '949773V107': 'length',
    '000000000': 'placeholder',
    '999999999': 'placeholder',
    '0378331-0': 'check_digit',
    '5949181@4': 'check_digit',
  }
  for (const [text, flag] of Object.entries(flags)) assert.equal(cusipFlag(text), flag, text)
  assert.equal(cusipFlag(null), 'missing')
})

test('accepts a CUSIP or CINS with the right check digit, and refuses placeholders and private placement numbers', () => {
  for (const [text, cusip] of [
    ['037833100', '037833100'],
    ['82028k200', '82028K200'],
    ['G0176J109', 'G0176J109'],
    ['000000000', null],
    ['999999999', null],
    ['N/A', null],
    ['037833101', null],
    ['5949181@3', null],
    [null, null],
  ] as const) {
    assert.equal(validCusip(text), cusip, String(text))
  }
})

test('accepts an ISIN only with the right check digit, and returns it in capitals', () => {
  for (const isin of ['US0378331005', 'GB0002634946', 'JE00B4T3BW64', 'XS1028952403', 'BMG540501027', 'EZ1K3X5C8LD0']) {
    assert.equal(validIsin(isin), isin)
  }
  assert.equal(validIsin('us0378331005'), 'US0378331005')
  for (const text of ['US0378331004', 'US037833100', 'N/A', '0378331005US', 'ÜS0378331005', null]) {
    assert.equal(validIsin(text), null, String(text))
  }
})

test('takes a CUSIP from an ISIN only for countries whose national numbers are CUSIPs', () => {
  assert.equal(cusipOfIsin('US0378331005'), '037833100')
  assert.equal(cusipOfIsin('BMG540501027'), 'G54050102')
  assert.equal(cusipOfIsin('PR7331747001'), '733174700')
  // The number within this ISIN passes the check of a CUSIP by chance.
  assert.equal(validIsin('DE0378331002'), 'DE0378331002')
  assert.equal(cusipOfIsin('DE0378331002'), null)
})

test('a security has one id: its CUSIP, else the CUSIP of its ISIN, else the ISIN, else the name of its issuer', () => {
  assert.equal(id({ cusip: '037833100', isin: 'GB0002634946', name: 'Apple' }), '037833100')
  assert.equal(id({ cusip: 'N/A', isin: 'US0378331005', name: 'Apple' }), '037833100')
  assert.equal(id({ cusip: '000000000', isin: 'GB0002634946', name: 'BAE' }), 'isin~GB0002634946')
  assert.equal(id({ cusip: 'N/A', name: 'OpenAI, Inc.' }), named('openai inc'))
  assert.equal(id({}), null)
})

test('a name is folded, with one blank for punctuation and white space, so that a comma does not make two issuers out of one', () => {
  for (const name of ['OpenAI, Inc.', 'OPENAI INC', ' OpenAI  Inc ', 'Öpenai-Inc']) {
    assert.equal(id({ name }), named('openai inc'), name)
  }
  assert.equal(nameKey('字节跳动 (ByteDance)'), '字节跳动 bytedance')
})

test('the title names the issuer if the issuer is N/A', () => {
  for (const name of ['N/A', 'n/a', 'None', '--', '', null]) {
    assert.equal(
      id({ name, title: 'Space Exploration Technologies Corp.' }),
      named('space exploration technologies corp'),
    )
  }
})

test('a CUSIP with a wrong check digit is an id only if there is neither an ISIN nor a name', () => {
  assert.equal(id({ cusip: '037833101', name: 'Apple Inc' }), named('apple inc'))
  assert.equal(id({ cusip: '037833101', isin: 'US0378331005', name: 'Apple Inc' }), '037833100')
  assert.equal(id({ cusip: '03783310z', name: 'N/A' }), '03783310Z')
  for (const cusip of ['000000000', '999999999', '0378331', 'N/A'])
    assert.equal(id({ cusip, name: 'N/A' }), null, cusip)
})

test('reads the name back from an id that was made from a name, and returns no name for any other text', () => {
  for (const name of ['openai inc', '字节跳动', 'a']) assert.equal(nameOfId(named(name)), name)
  for (const other of ['037833100', 'isin~GB0002634946', 'name~', 'name~x', 'name~b3Bl_', 'name~=']) {
    assert.equal(nameOfId(other), null, other)
  }
})

const share: Placed = {
  ...{ cusip: 'N/A', isin: null, ticker: null },
  ...{ assetCat: 'EC', issuerCat: 'CORP', isRestricted: true, level: 3 },
}

test('a share, preferred share or debt of a company is private if it has no number and no market gives its price', () => {
  const ways: Partial<Placed>[] = [
    {},
    { assetCat: 'EP' },
    { assetCat: 'DBT' },
    { assetCat: 'OTHER' },
    { issuerCat: 'PF' },
    { issuerCat: 'OTHER' },
    { isRestricted: false },
    // Holdings of Destiny Tech100 in 0000894189-26-016628: Level 2, Level 1, and N/A for a vehicle that is valued at
    // its net asset value.
    { level: 2 },
    // The holding of Anthropic's shares in 0001193125-26-239358.
    { assetCat: 'EP', isRestricted: false, level: 2 },
    { isRestricted: null, level: null },
    { level: 1 },
    { level: null },
    { assetCat: 'LON', level: 2 },
    { ticker: 'N/A' },
    { cusip: '000000000' },
  ]
  for (const way of ways) assert.equal(isPrivate({ ...share, ...way }), true, JSON.stringify(way))
})

test('securities with a number or a market price, freely sold loans, and other kinds of assets or issuers are not private', () => {
  const ways: Partial<Placed>[] = [
    { cusip: '037833100' },
    { isin: 'GB0002634946' },
    { ticker: 'ABC' },
    { issuerCat: 'RF' },
    { issuerCat: 'UST' },
    { issuerCat: null },
    { assetCat: 'DE' },
    { assetCat: 'RA' },
    { assetCat: 'ABS-O' },
    { assetCat: null },
    { assetCat: 'LON', isRestricted: false },
    // A foreign share that only its SEDOL identifies.
    { isRestricted: false, level: 1 },
    { assetCat: 'OTHER', isRestricted: false, level: 2 },
    { assetCat: 'LON', isRestricted: false, level: 3 },
  ]
  for (const way of ways) assert.equal(isPrivate({ ...share, ...way }), false, JSON.stringify(way))
})
