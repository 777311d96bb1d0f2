import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { factsOf } from '../../support/adv/feed-facts.ts'
import { membersOf } from '../../support/adv/read.ts'
import { DAYS, sampleOn, writeSample } from '../../support/adv/sample.ts'
import { KLEIN_FILINGS, kleinPeopleOn } from '../../support/adv/sample-klein.ts'
import { REAL } from '../../support/adv/sample-real.ts'

const sample = path.join(import.meta.dirname, '../../../sample')

/**
 * Contents of every file below `reports`, with archives unpacked: packing may differ between machines, but the content
 * must not.
 */
async function contents(root: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const entry of await readdir(path.join(root, 'reports'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    const name = path.relative(root, file).replaceAll('\\', '/')
    const bytes = await readFile(file)
    if (name.endsWith('.zip')) {
      for (const [member, content] of await membersOf(file)) found.set(`${name}/${member}`, content.toString('latin1'))
    } else if (name.endsWith('.gz')) found.set(name, gunzipSync(bytes).toString('latin1'))
    else found.set(name, bytes.toString().replace(/"size": \d+/g, '"size": 0'))
  }
  return found
}

test('the committed sample equals the output of its tables; node test/support/adv/sample.ts writes it', async (t) => {
  const root = await mkdtemp(path.join(tmpdir(), 'adv-sample-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  await writeSample(root)
  assert.deepEqual(await contents(sample), await contents(root))
})

const [{ firm: klein } = assert.fail('the sample has no filing of this firm')] = KLEIN_FILINGS

test('a real adviser has only values from its source; people, funds and disclosures belong to invented specimens', async () => {
  assert.ok(REAL.size >= 60)
  for (const { firms, people } of DAYS.map(sampleOn)) {
    for (const firm of firms) {
      assert.ok((firm === klein || REAL.has(firm.crd)) !== /SPECIMEN/.test(firm.legal), firm.legal)
      if (REAL.has(firm.crd)) assert.deepEqual(firm.schedules(), { lines: {}, funds: [] }, firm.legal)
    }
    for (let at = 0; at < people.count; at++) {
      const { first, last, current, previous } = people.at(at)!
      if (current[0]?.crd === klein.crd) continue
      assert.match(`${first} ${last}`, /^SAMPLE PERSON \d{4}$/)
      for (const { crd, name } of [...current, ...previous]) assert.ok(crd > 999_000_000 && /SPECIMEN/.test(name), name)
    }
  }
  for (const { firm } of sampleOn(DAYS[1]).filings) assert.ok(!REAL.has(firm.crd), firm.legal)
  const files = [...(await contents(sample))].filter(([name]) => /INDVL|\.csv$/.test(name))
  assert.ok(files.length > 100)
  const real = sampleOn(DAYS[1]).firms.filter(({ crd }) => REAL.has(crd))
  for (const [name, text] of files) {
    for (const { legal, business } of real) assert.ok(!text.includes(legal) && !text.includes(business), name)
  }
})

test('the adviser with a complete file has two people, two owners, no fund and no disclosure, as its documents state', () => {
  const { lines, funds } = klein.schedules()
  assert.deepEqual(Object.keys(lines), ['Schedule_A_B', 'IA_Schedule_D_5K1'])
  assert.deepEqual(funds, [])
  assert.deepEqual([klein.answers()['7B'], klein.answers()['11']], ['N', 'N'])
  assert.deepEqual(
    DAYS.map((day) => kleinPeopleOn(day).map(({ pk }) => pk)),
    [[], [4_484_689, 4_970_128]],
  )
})

test('the sample omits street and telephone of the adviser with a complete file, since they may belong to a home', () => {
  assert.deepEqual([klein.office.street1, klein.phone], [null, null])
})

test('each feed shows a real adviser as it had filed by that day, and unchanged advisers are equal in both feeds', async () => {
  const [before, after] = await Promise.all(DAYS.map(firmsOn))
  assert.deepEqual([...before!.keys()].sort(), [...after!.keys()].sort())
  for (const [crd, firm] of before!) {
    assert.ok(firm.get('Filing@Dt')! <= DAYS[0], crd)
    if (crd !== '361') assert.deepEqual(after!.get(crd), firm, crd)
  }
  const of = (column: string) => [before, after].map((firms) => firms!.get('361')!.get(column))
  assert.deepEqual(of('Filing@Dt'), ['2023-11-08', '2026-03-31'])
  assert.deepEqual(of('Item5F@Q5F2C'), ['211418550210', '133644228926'])
})

/** Facts of the real firms in a day's feed, by CRD number. */
async function firmsOn(day: string): Promise<Map<string, Map<string, string>>> {
  const [year, month, date] = day.split('-')
  const file = path.join(sample, `reports/CompilationReports/IA_FIRM_SEC_Feed_${month}_${date}_${year}.xml.gz`)
  const firms = gunzipSync(await readFile(file))
    .toString('latin1')
    .split('<Firm>')
    .slice(1)
    .map(factsOf)
  return new Map(
    firms.flatMap((firm) =>
      REAL.has(Number(firm.get('Info@FirmCrdNb'))) ? [[firm.get('Info@FirmCrdNb')!, firm]] : [],
    ),
  )
}
