/** Form N-PORT: values at the limits of its schema. Each is read exactly, or is null with a reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerWith } from '../../../test/support/filing-made.ts'
import type { Tell } from '../../declare/documents.ts'
import type { Problem } from '../../read/xml.ts'
import { parse } from './filing.ts'
import type { Row, RowOf } from './parse/types.ts'

const LINE = `<invstOrSec><name>Apple Inc</name><lei>N/A</lei><title>Common Stock</title><cusip>037833100</cusip>
  <identifiers><isin value="US0378331005"/></identifiers><balance>100</balance><units>NS</units><curCd>USD</curCd>
  <valUSD>12000.50</valUSD><pctVal>1.20005</pctVal><payoffProfile>Long</payoffProfile><assetCat>EC</assetCat>
  <issuerCat>CORP</issuerCat><invCountry>US</invCountry><isRestrictedSec>N</isRestrictedSec><fairValLevel>1</fairValLevel></invstOrSec>`

const document = (line: string, notes = '') =>
  `<edgarSubmission><headerData><submissionType>NPORT-P</submissionType></headerData><formData>
  <genInfo><regName>Specimen Trust</regName><regCik>9000001</regCik><seriesId>S999000001</seriesId><repPdDate>2024-03-31</repPdDate></genInfo>
  <fundInfo><totAssets>1000000</totAssets><netAssets>1000000</netAssets></fundInfo><invstOrSecs>${line}</invstOrSecs>${notes}</formData></edgarSubmission>`

async function read(text: string) {
  const problems: Problem[] = []
  const unread: string[] = []
  const tell: Tell = (notes) => {
    problems.push(...(notes.problems ?? []))
    unread.push(...(notes.unread ?? []))
  }
  const portfolio = (async function* () {
    yield Buffer.from(text)
  })()
  const header = headerWith({ form: 'NPORT-P', filedDate: '2024-05-28' })
  const rows = (await Array.fromAsync(
    parse({ documents: { portfolio: portfolio as AsyncIterable<Uint8Array> }, header, tell }),
  )) as Row[]
  const of = <K extends Row[0]>(table: K) => rows.filter(([key]) => key === table).map(([, row]) => row) as RowOf<K>[]
  return {
    of,
    holding: of('holding')[0]!,
    security: of('security')[0]!,
    unread,
    problems: problems.map(({ path, value }) => [path.split('/').at(-1), value]),
  }
}

const changed = (...changes: readonly (readonly [string, string])[]) =>
  read(
    document(
      changes.reduce((line, [part, by]) => {
        assert.ok(line.includes(part), part)
        return line.replace(part, by)
      }, LINE),
    ),
  )

test('codes in small letters are the same codes', async () => {
  const { holding, security, problems } = await changed(
    ['<units>NS', '<units>ns'],
    ['<curCd>USD', '<curCd>usd'],
    ['<assetCat>EC', '<assetCat>ec'],
    ['<issuerCat>CORP', '<issuerCat>corp'],
    ['<invCountry>US', '<invCountry>us'],
  )
  assert.deepEqual([holding.units, holding.currency], ['NS', 'USD'])
  assert.deepEqual([security.asset_cat, security.issuer_cat, security.country, problems], ['EC', 'CORP', 'US', []])
})

test('a level is one of three; N/A, in capitals or small letters, is null; any other text is null and reported', async () => {
  for (const [filed, level, reported] of [
    [' 2 ', 2, []],
    ['n/a', null, []],
    ['4', null, [['fairValLevel', '4']]],
    ['Level 3', null, [['fairValLevel', 'Level 3']]],
  ] as const) {
    const { holding, problems } = await changed(['<fairValLevel>1', `<fairValLevel>${filed}`])
    assert.deepEqual([holding.fair_value_level, problems], [level, reported], filed)
  }
})

test('amounts with exponents, signs and many digits are exact', async () => {
  for (const [filed, amount] of [
    ['-1.5e-3', '-0.0015'],
    ['98765432109876543210.0123456789', '98765432109876543210.0123456789'],
    ['.000000000000', '0'],
    ['XXXX', null],
  ] as const) {
    const { holding, problems } = await changed(['<balance>100', `<balance>${filed}`], ['<units>NS', '<units>PA'])
    assert.deepEqual([holding.balance, problems], [amount, []], filed)
  }
})

test('an empty holding is not a holding, and is reported', async () => {
  const { of, problems } = await read(document(`<invstOrSec/>${LINE}<invstOrSec> </invstOrSec>`))
  assert.equal(of('holding').length, 1)
  assert.deepEqual(
    problems.map(([at]) => at),
    ['invstOrSec[1]', 'invstOrSec[3]'],
  )
})

test('the day 0001-01-01 is null and reported', async () => {
  const { of, problems } = await changed([
    '</invstOrSec>',
    '<debtSec><maturityDt>0001-01-01</maturityDt><couponKind>Fixed</couponKind><annualizedRt>5</annualizedRt></debtSec></invstOrSec>',
  ])
  assert.deepEqual([of('debt')[0]!.matures, problems], [null, [['maturityDt', '0001-01-01']]])
})

test('numbers of a security with blanks or small letters identify the same security', async () => {
  const { holding } = await changed(
    ['<cusip>037833100', '<cusip> N/A '],
    ['value="US0378331005"', 'value=" us0378331005 "'],
  )
  assert.equal(holding.sec_id, '037833100')
})

test('an empty note, an empty borrower and an empty identifier are not rows', async () => {
  const { of } = await read(
    document(
      LINE.replace('</identifiers>', '<other/><other otherDesc="" value=" "/></identifiers>'),
      '<explntrNotes><explntrNote/></explntrNotes>',
    ).replace('</fundInfo>', '<borrowers><borrower/></borrowers></fundInfo>'),
  )
  assert.deepEqual([of('note').length, of('borrower').length, of('identifier').length], [0, 0, 0])
})

test('an unknown element of a holding is unread and changes no other value', async () => {
  const { holding, unread } = await changed(['<valUSD>', '<valEUR>1</valEUR><valUSD>'])
  assert.equal(holding.value, '12000.5')
  assert.deepEqual(
    unread.map((path) => path.split('/').at(-1)),
    ['valEUR'],
  )
})
