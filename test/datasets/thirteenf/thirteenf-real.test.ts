/**
 * Real filings of the corpus, ingested and served, compared with a person's reading of the documents, position by
 * position.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Detail, Held } from '../../../src/datasets/thirteenf/answers.ts'
import { detail, managerHoldings } from '../../../src/datasets/thirteenf/routes.ts'
import { corpus } from '../../support/corpus.ts'
import { listed } from '../../support/thirteenf/files.ts'
import { ask, corpusWorld } from '../../support/thirteenf/submissions.ts'

/**
 * Number of the line, issuer, CUSIP, dollars, amount and its kind, option, managers, and votes (sole, shared, none).
 */
type Typed = readonly [
  ...[n: number, issuer: string, cusip: string, value: string, amount: string, kind: string | null],
  ...[option: string | null, managers: string | null, sole: string | null, shared: string | null, none: string | null],
]

/** Typed from the documents; values in thousands with three zeros appended. */
const READ: Record<string, readonly Typed[]> = {
  // In thousands; a call, a note and shares.
  '0001000097-20-000004': [
    [1, 'AERIE PHARMACEUTICALS INC', '00771V108', '29604000', '1224825', 'SH', null, '1,2,3,4', '1224825', '0', '0'],
    [5, 'ARQULE INC', '04269E107', '1996000', '100000', 'SH', 'Call', '1,2,3,4', '100000', '0', '0'],
    [31, 'KEMPHARM INC', '488445AB3', '1230000', '3000000', 'PRN', null, '1,2,3,4', '3000000', '0', '0'],
  ],
  // For 2021, in dollars.
  '0001140361-23-013281': [
    [1, 'ISHARES MSCI CHILE ETF', '464286640', '2049983', '98000', 'SH', null, null, '0', '98000', '0'],
    [4, 'ISHARES EUROPE ETF TRUST', '464287861', '743478', '14555', 'SH', null, null, '0', '14555', '0'],
    [6, 'SPDR S&P ETF TRUST', '78462F103', '4245201', '9866', 'SH', null, null, '0', '9866', '0'],
  ],
  // For 2022, filed in 2023, in thousands.
  '0001790837-23-000002': [
    [1, '3M Company', '88579Y101', '287000', '2397', 'SH', null, null, '0', '0', '2397'],
    [46, 'Intel Corporation', '458140100', '865000', '32716', 'SH', null, null, '0', '0', '32716'],
    [90, 'iShr MSCI EAFE ETF', '464287465', '253000', '3853', 'SH', null, null, '0', '0', '3853'],
  ],
  '0001178913-18-001251': [
    [1, 'ORMAT TECHNOLOGIES INC', '686688102', '15790000', '280065', 'SH', null, '1,2', '280065', '0', '0'],
    [14, 'VANGUARD INDEX FDS', '922908553', '32490000', '430500', 'SH', null, null, '430500', '0', '0'],
    [27, 'MAZOR ROBOTICS LTD SPONSORED ADS', '57886P103', '8321000', '135614', 'SH', null, null, '135614', '0', '0'],
  ],
  '0001193125-26-054580': [
    [1, 'ALLY FINL INC', '02005N100', '576074081', '12719675', 'SH', null, '4', '12719675', '0', '0'],
    [56, 'COCA COLA CO', '191216100', '248320320', '3552000', 'SH', null, '4,12', '3552000', '0', '0'],
    [110, 'CHUBB LIMITED', 'H1467J104', '10689854998', '34249183', 'SH', null, '4,11', '34249183', '0', '0'],
  ],
  '0000950123-23-002585': [
    [1, 'ACTIVISION BLIZZARD INC', '00507V109', '59096600', '772000', 'SH', null, '4,5', '772000', '0', '0'],
    [87, 'GENERAL MTRS CO', '37045V100', '167157160', '4969000', 'SH', null, '2,4,11', '4969000', '0', '0'],
    [172, 'LIBERTY LATIN AMERICA LTD', 'G9001E128', '9758552', '1284020', 'SH', null, '4,8,11', '1284020', '0', '0'],
  ],
  '0000950123-21-002781': [
    [1, 'CHEVRON CORP NEW', '166764100', '3187639000', '44272770', 'SH', null, '1,2', '44272770', '0', '0'],
    [2, 'MARSH & MCLENNAN COS INC', '571748102', '386138000', '3366507', 'SH', null, '1,2', '3366507', '0', '0'],
    [3, 'VERIZON COMMUNICATIONS INC', '92343V104', '3471109000', '58347767', 'SH', null, '1,2', '58347767', '0', '0'],
  ],
  // Text, with managers and votes that continue below.
  '0000950123-10-105654': [
    [
      10,
      'Becton Dickinson & Co.',
      '075887109',
      '140041000',
      '1889889',
      null,
      null,
      '4,9,10,11,14,17',
      '1889889',
      null,
      null,
    ],
    [11, 'Coca Cola', '191216100', '23408000', '400000', null, null, '4,17', '400000', null, null],
    [13, 'Coca Cola', '191216100', '421672000', '7205600', null, null, '4,3,17,19,20,21', '7205600', null, null],
  ],
  '0000060086-01-500013': [
    [1, 'AES Corp.', '00130H105', '225000', '4500', null, null, null, '4500', null, null],
    [2, 'Agnico Eagle Mines Ltd.', '008474108', '6046000', '980000', null, null, null, '980000', null, null],
    [10, 'Barrick Gold Corp.', '067901108', '23078000', '1615000', null, null, null, '1615000', null, null],
  ],
  // Text cut in two.
  '0000950150-03-000957': [
    [1, 'American Express Co.', '025816109', '720194000', '17225400', null, null, '5,2,6,13', '17225400', null, null],
    [7, 'Block H & R', '093671105', '691965000', '15999200', null, null, '5,11,13', '15999200', null, null],
    [30, 'M & T Bank Corporation', '55261F104', '505072000', '5997060', null, null, '5,11,13', '5997060', null, null],
  ],
}

test('ten real filings are ingested and served with the positions that a person read in them', {
  skip: corpus.skip,
}, async (t) => {
  const own = listed().filter(({ accession }) => accession in READ)
  const world = await corpusWorld(t, own)
  assert.deepEqual(await world.drain(), { done: Object.keys(READ).length, failed: 0, unread: 0 })
  for (const [accession, typed] of Object.entries(READ)) {
    const { positions } = await ask<Detail>(world.sql, detail, { accession, limit: '1000' })
    const served = positions.map(
      (line): Typed => [
        ...([line.n, line.issuer_name!, line.cusip!, line.value!, line.amount!, line.kind] as const),
        ...([line.put_call, line.manager_numbers, line.votes_sole, line.votes_shared, line.votes_none] as const),
      ],
    )
    for (const line of typed) assert.deepEqual(served[line[0] - 1], line, accession)
  }
})

test('calls and notes of a real table are not read as shares: each is a separate position', {
  skip: corpus.skip,
}, async (t) => {
  const world = await corpusWorld(
    t,
    listed().filter(({ accession }) => accession === '0001000097-20-000004'),
  )
  await world.drain()
  const { quality } = await ask<Detail>(world.sql, detail, { accession: '0001000097-20-000004' })
  assert.deepEqual([quality.options, quality.principal_count], [9, 1])
  const { positions } = await ask<Held>(world.sql, managerHoldings, { cik: '1000097' })
  const held = (cusip: string) => {
    const { value, shares, option_value: options, principal } = positions.find((one) => one.cusip === cusip)!
    return [value, shares, options, principal]
  }
  // In this order: a put on 200,000 shares of which none is held, a note, and shares.
  assert.deepEqual(held('78462F103'), ['0', '0', '64372000', '0'])
  assert.deepEqual(held('488445AB3'), ['1230000', '0', '0', '3000000'])
  assert.deepEqual(held('00771V108'), ['29604000', '1224825', '0', '0'])
})
