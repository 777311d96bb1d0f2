/** Type-ahead search for advisers, and the profile of one adviser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { search } from '../../../src/datasets/adv/routes.ts'
import { ask, type Firm, filingRow, put, putFirms, refresh } from '../../support/adv/rows.ts'
import { freshDatabase } from '../../support/database.ts'

interface AdviserHit {
  id: string
  firm_name: string
}

const { sql } = await freshDatabase({ after })

describe('search', () => {
  const find = async (q: string, limit = '10') => ask<AdviserHit[]>(sql, search, { q, limit })
  /** Returns the CRD numbers in the order of the answer. */
  const crds = async (q: string, limit?: string) => (await find(q, limit)).map(({ id }) => id).join(' ')

  /**
   * Converts billions of dollars of regulatory assets to dollars, as a decimal string. From a million dollars on, each
   * factor of ten raises the rank by the same step.
   */
  const bn = (assets: number) => String(assets * 1e9)
  const FIRMS: Firm[] = [
    { crd: '361', name: 'GOLDMAN SACHS & CO. LLC', sec_number: '801-16048', raum_total: bn(90), city: 'NEW YORK', state: 'NY', postal_code: '10282' },
    { crd: '107738', name: 'GOLDMAN SACHS ASSET MANAGEMENT, L.P.', sec_number: '801-37591', raum_total: bn(2000) },
    { crd: '11', name: 'MARCUS ADVISORY', legal_name: 'MARCUS BY GOLDMAN, INC.', raum_total: bn(0.05) },
    { crd: '12', name: 'HARBOR GOLDMAN PARTNERS', raum_total: bn(5), city: 'Fort Worth', state: 'TX' },
    { crd: '13', name: 'OLDGOLDMANS TRUST', raum_total: bn(9) },
    { crd: '14', name: 'ÉTOILE CAPITAL MANAGEMENT', raum_total: bn(10), country: 'France' },
    { crd: '15', name: 'Capital Vantage Group', raum_total: bn(20) },
    { crd: '16', name: 'VANTAGE CAPITAL', raum_total: null, registration_type: 'ERA', sec_number: '802-16048' },
    { crd: '17', name: '100% % INVEST_MENT', raum_total: bn(1) },
    { crd: '802', name: '361 DEGREES CAPITAL', raum_total: bn(7) },
    { crd: '20', name: 'TWIN ADVISERS', sec_number: '801-555', raum_total: bn(5) },
    { crd: '21', name: 'TWIN ADVISERS', sec_number: '802-555', raum_total: bn(5) },
    { crd: '105247', name: 'BLACKROCK FUND ADVISORS', raum_total: bn(3000), city: 'NEW YORK', state: 'NY' },
    { crd: '107105', name: 'BLACKROCK FINANCIAL MANAGEMENT, INC', raum_total: bn(4000), city: 'NEW YORK', state: 'NY' },
  ] // biome-ignore format: one line each

  before(async () => {
    await put(sql, 'filing', [
      filingRow({ filing_id: '1000', crd: '15', submitted_date: '2019-03-29', business_name: 'Fleetwood Counsel', legal_name: 'Fleetwood Counsel' }),
      filingRow({ filing_id: '2000', crd: '15', submitted_date: '2026-03-31', business_name: 'Capital Vantage Group' }),
    ]) // biome-ignore format: one line each
    await put(sql, 'related', [{ filing_id: '2000', kind: 'other_name', name: 'Kestrel Wealth', details: {} }])
    await putFirms(sql, FIRMS)
  })

  test('an answer has all fields that a client shows, with the location of the postal code', async () => {
    const [firm] = await find('801-16048')
    const { lat, lng, ...rest } = firm as AdviserHit & { lat: number; lng: number }
    assert.deepEqual(rest, { id: '361', firm_name: 'GOLDMAN SACHS & CO. LLC', city: 'NEW YORK', state: 'NY' })
    assert.ok(Math.abs(lat - 40.72) < 0.1 && Math.abs(lng + 74.01) < 0.1, `${lat}, ${lng}`)
  })

  test('a CRD number comes before names that start with it, however large those firms are', async () => {
    assert.equal(await crds('361'), '361 802')
    assert.equal(await crds('0000361'), '361')
  })

  test('file numbers find their firm in each spelling; digits alone find every firm with these digits', async () => {
    for (const q of ['801-37591', '80137591', '801 37591', 'sec 801-37591', 'SEC File No. 801-0037591', '37591'])
      assert.equal(await crds(q), '107738', q)
    assert.equal(await crds('802-16048'), '16')
    assert.equal(await crds('16048'), '361 16', 'both 801-16048 and 802-16048')
    assert.equal(await crds('crd #361'), '361')
    assert.equal(await crds('801-999'), '')
  })

  test('a CIK, with or without leading zeros, finds the firm that states it', async () => {
    await sql`insert into adv.adviser_name values ('12', 'cik', '769993', '0000769993')`
    for (const q of ['769993', '0000769993', 'cik 769993', 'CIK0000769993']) assert.equal(await crds(q), '12', q)
  })

  test('results are ranked by match quality and firm size together', async () => {
    assert.equal(await crds('goldman'), '107738 361 12 11')
    assert.equal(await crds('Goldman Sachs'), '107738 361')
    assert.equal(
      await crds('goldman sachs & co'),
      '361 107738',
      'a name as typed comes before a name that begins with the text',
    )
    assert.equal(await crds('goldman', '3'), '107738 361 12')
    assert.equal(await crds('ld'), '', 'words are found from their beginning')
    assert.equal(await crds('sa'), '107738 361')
  })

  test('firms of equal assets are sorted by CRD, and firms without assets come last', async () => {
    assert.equal(await crds('twin'), '20 21')
    assert.equal(await crds('capital'), '15 14 802 16')
  })

  test('case and accents do not matter', async () => {
    assert.equal(await crds('etoile capital'), '14')
    assert.equal(await crds('ÉTOILE'), '14')
    assert.equal(await crds('VANTAGE capital'), '15 16')
  })

  test('legal, former and other business names find the firm, and the answer shows its current name', async () => {
    assert.deepEqual(
      (await find('fleetwood')).map(({ firm_name }) => firm_name),
      ['Capital Vantage Group'],
    )
    assert.equal(await crds('kestrel w'), '15')
    assert.equal(await crds('marcus by'), '11')
  })

  test('words find a firm in any order, with other words between them, and also by its city and state', async () => {
    assert.equal(await crds('management goldman'), '107738')
    assert.equal(await crds('goldman asset'), '107738')
    assert.equal(await crds('sachs co llc'), '361 107738', 'a legal form never decides')
    for (const q of ['goldman fort worth', 'goldman tx', 'harbor texas', 'goldman fort w'])
      assert.equal(await crds(q), '12', q)
    for (const q of ['blackrock fund advisors ny', 'ny blackrock fund', 'blackrock fund advisers new york'])
      assert.equal(await crds(q), '105247', q)
    assert.equal(await crds('fort worth'), '', 'a place alone finds no name')
    assert.equal(await crds('gs asset mgmt'), '107738')
    assert.equal(await crds('gsam'), '107738')
  })

  test('a mistyped word still finds its firm, and does not hide names that match exactly', async () => {
    assert.equal(await crds('goldmen sachs'), '107738 361')
    assert.equal(await crds('goldman scahs'), '107738 361', 'two letters are swapped')
    assert.equal(await crds('kestral'), '15')
    assert.equal(await crds('managment etoile'), '14')
    assert.equal(await crds('goldfinch'), '')
    assert.equal(await crds('oldgoldman'), '13', 'the text is the beginning of a name')
  })

  test('fewer than two characters, punctuation alone and nonsense find nothing, and punctuation in a name separates words', async () => {
    for (const q of [
      '',
      ' ',
      'g',
      ' g ',
      '%%',
      '__',
      '%_%',
      '\\\\',
      '%',
      '&&&',
      '💥'.repeat(100),
      'xqzzv',
      'asdfghjkl',
      '99999999999',
    ])
      assert.equal(await crds(q), '', q)
    assert.equal(await crds('100%'), '17')
    assert.equal(await crds('invest_'), '17')
    for (const q of ["' OR 1=1 --", "';select pg_sleep(9);--", 'a\\', "o'", "'~goldman':*", 'goldman & !sachs:*|x'])
      await crds(q)
    assert.equal(await crds("goldman'; drop"), '')
    assert.equal(await crds('goldman '.repeat(25)), '')
  })

  test('q is required, and a page has at most 25 firms, by default 10', async () => {
    assert.throws(() => search.input.parse({}))
    assert.throws(() => search.input.parse({ q: 'go', limit: '26' }))
    assert.throws(() => search.input.parse({ q: 'go', limit: '0' }))
    assert.throws(() => search.input.parse({ q: 'a'.repeat(201) }))
    assert.equal(search.input.parse({ q: 'go' }).limit, 10)
  })

  test('after a change, names and search words equal those of a full rebuild', async () => {
    const all = async () => ({
      names: [...(await sql`select * from adv.search_name order by crd, key`)],
      words: [...(await sql`select * from adv.search_word order by word`)],
    })
    await sql`update adv.firm set business_name = 'Osprey Trust', raum_total = 123 where crd = '12'`
    await sql`delete from adv.firm where crd = '13'`
    await refresh(sql, 'IA_FIRM_SEC', ['12', '13'])
    const changed = await all()
    assert.equal(await crds('osprey'), '12')
    assert.equal(await crds('oldgoldmans'), '')
    await refresh(sql)
    assert.deepEqual(await all(), changed)
    assert.ok(changed.words.every(({ names }) => names > 0))
  })
})
