import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Papa from 'papaparse'
import { membersOf } from './adv/read.ts'
import { SAMPLE, writeSample } from './adv/sample.ts'
import { REAL } from './adv/sample-real.ts'

const sample = path.join(import.meta.dirname, '../sample')

/** Contents of every file below `reports`, archives unpacked: packing may differ between machines, what is packed may not. */
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

test('the committed sample is what its tables give; node test/adv/sample.ts writes it', async (t) => {
  const root = await mkdtemp(path.join(tmpdir(), 'adv-sample-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  await writeSample(root)
  assert.deepEqual(await contents(sample), await contents(root))
})

test('nothing is said of a real adviser but what the feed has of it: people, funds and disclosures are of specimens', async () => {
  const real = new Set(REAL.map(({ crd }) => crd))
  assert.ok(real.size >= 40)
  for (const firm of SAMPLE.firms) assert.ok(real.has(firm.crd) !== /SPECIMEN/.test(firm.legal), firm.legal)
  for (let at = 0; at < SAMPLE.people.count; at++) {
    const { first, last, current, previous } = SAMPLE.people.at(at)!
    assert.match(`${first} ${last}`, /^SAMPLE PERSON \d{4}$/)
    for (const { crd, name } of [...current, ...previous]) assert.ok(crd > 999_000_000 && /SPECIMEN/.test(name), name)
  }
  const ids = new Set(SAMPLE.filings.filter(({ firm }) => real.has(firm.crd)).map(({ id }) => String(id)))
  const lines = [...(await contents(sample))].filter(([name]) => name.endsWith('.csv'))
  for (const [name, text] of lines) {
    if (/IA_ADV_Base_[AB]_/.test(name)) continue
    const { data } = Papa.parse<string[]>(text, { skipEmptyLines: true })
    for (const [id] of data) assert.ok(!ids.has(id!), `${name} has a line of filing ${id}`)
  }
})

test('the monthly line of a real adviser has the figures of the feed', async () => {
  const files = await contents(sample)
  const feed = [...files].find(([name]) => name.includes('IA_FIRM_SEC_Feed'))![1]
  const bases = [...files].filter(([name]) => name.includes('/IA_ADV_Base_A_'))
  const lines = bases.flatMap(([, text]) => Papa.parse<Record<string, string>>(text, { header: true }).data)
  let compared = 0
  for (const line of lines.filter((of) => REAL.some(({ crd }) => String(crd) === of['1E1']))) {
    const firm = feed.split('<Firm>').find((of) => of.includes(`FirmCrdNb="${line['1E1']}"`))!
    assert.ok(firm.includes(`Q5F2C="${line['5F2c']}"`), line['1A']!)
    const [month, day, year] = line.DateSubmitted!.split('/')
    assert.ok(firm.includes(`Filing Dt="${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}"`), line['1A']!)
    compared++
  }
  assert.equal(compared, 11)
})
