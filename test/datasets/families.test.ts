/** The family registry: which family or dataset claims each form. */
import assert from 'node:assert/strict'
import { createReadStream, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { createGunzip } from 'node:zlib'
import { SOURCES } from '../../src/declare/corpora.ts'
import families from '../../src/families.ts'
import registry from '../../src/registry.ts'
import { corpus } from '../support/corpus.ts'

/** Every form type in the index of 2025 Q4, one per line. */
const quarter = readFileSync(new URL('forms-2025q4.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

const unclaimed = (forms: readonly string[]) => forms.filter((form) => !registry.familyOfForm(form))

test('every form type of 2025 Q4 is claimed', () => {
  assert.equal(quarter.length, 322)
  assert.deepEqual(unclaimed(quarter), [])
})

test('the list of form types equals the form types in the real index of 2025 Q4', { skip: corpus.skip }, async () => {
  const file = path.join(corpus.folder!, 'index/full-index/2025_QTR4_master.idx.gz')
  const found = new Set<string>()
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
    const [cik, , form] = line.split('|')
    if (/^\d+$/.test(cik!)) found.add(form!)
  }
  assert.deepEqual([...found].sort(), quarter)
})

test('well-known forms of earlier years are claimed in each spelling of the indexes', () => {
  const forms = `10-K405, 10-K405/A, 10-KSB, 10KSB, 10KSB40, 10-QSB, 10QSB/A, 10KT405, SC 13D, SC 13D/A, SC 13G, SC 13G/A,
    NSAR-A, NSAR-B/A, NSAR-U, N-Q, N-30D, N-30D/A, 13F-E, N-MFP, N-MFP1, N-MFP2/A, U-1, U-13-60, U5S, 35-CERT, POS AMC, SB-2,
    S-2, S-18, REGDEX, SC 14D1, SC 13E4, DEFS14A, PRES14A, 10-C, 8-B12B, 10SB12G, N14AE24, 497K3A, ADV-E, NO ACT`
  assert.deepEqual(unclaimed(forms.split(',').map((form) => form.trim())), [])
})

test('no form and no slug is claimed twice, across families and datasets', () => {
  const forms = registry.families.flatMap((family) => family.forms)
  assert.equal(new Set(forms).size, forms.length)
  assert.equal(new Set(registry.families.map(({ slug }) => slug)).size, registry.families.length)
})

test('every family can be displayed: a plain slug, a label, a known group, forms without surrounding blanks', () => {
  const groups = new Set(families.map(({ group }) => group))
  assert.ok(groups.size <= 10, `${groups.size} groups are no longer a handful`)
  for (const { slug, label, group, forms } of registry.families) {
    assert.match(slug, /^[a-z][a-z0-9]*$/)
    assert.ok(label.length > 3 && groups.has(group), slug)
    assert.ok(forms.length > 0, slug)
    for (const form of forms) assert.match(form, /^[A-Z0-9]([A-Z0-9/ -]*[A-Z0-9])?$/, `${slug}: ${form}`)
  }
})

test('families whose text is readable but that have no parsed rows have the tier `reader`', () => {
  const tiers = Map.groupBy(registry.families, ({ tier }) => tier)
  assert.deepEqual([...tiers.keys()].sort(), ['listed', 'reader', 'structured'])
  const reader = tiers.get('reader')!.map(({ slug }) => slug)
  assert.deepEqual(reader.sort(), [
    ...['foreign', 'fundprospectuses', 'goingprivate', 'mergers', 'ncsr', 'prospectuses', 'registrations', 'shelves'],
    ...['tenderoffers', 'tenx', 'variable'],
  ])
})

test('each corpus has the forms that its families claim, and no form is in two corpora', () => {
  const forms = SOURCES.map(({ slug, families }) => ({
    slug,
    forms: families.flatMap((family) => registry.family(family)!.forms),
  }))
  const all = forms.flatMap((corpus) => corpus.forms)
  assert.equal(new Set(all).size, all.length)
  const documents = registry.filings.find(({ slug }) => slug === 'documents')!
  assert.deepEqual([...documents.source.forms].sort(), all.sort())
  for (const [form, corpus] of [
    ['10-K', 'tenx'],
    ['10-Q/A', 'tenx'],
    ['10-KSB', 'tenx'],
    ['N-CSRS', 'ncsr'],
    ['485BPOS', 'fundreg'],
    ['N-1A', 'fundreg'],
    ['497K', 'fundreg'],
    ['X-17A-5', 'x17'],
    ['S-1/A', 's1'],
    ['F-1', 's1'],
    ['S-11', 's1'],
    ['SB-2', 's1'],
    ['424B4', 's1'],
    ['SC 13D', 'sc13'],
    ['SC 13G/A', 'sc13'],
    ['SCHEDULE 13G', 'sc13'],
    ['8-K', 'eightk'],
    ['DEF 14A', 'proxies'],
    ...['20-F', '40-F/A', '6-K'].map((form) => [form, 'foreign'] as const),
    ...['S-3ASR', 'F-3', 'S-4/A', 'F-4', '10-12B', '10-12G/A', '40FR12B'].map((form) => [form, 's1'] as const),
    ...['SC TO-T', 'SC TO-I/A', 'SC 14D9', 'SC 13E3/A'].map((form) => [form, 'tender'] as const),
  ] as const) {
    // biome-ignore format: a table
    assert.equal(forms.find((each) => each.forms.includes(form))?.slug, corpus, form)
  }
})

test('headers of current reports are read at ingest, since filters need the items', () => {
  assert.equal(registry.familyOfForm('1-U')?.header, true)
  assert.equal(registry.familyOfForm('8-K/A')?.header, true)
})

test('the module of every dataset of filings exports its parser under the function’s own name, by which worker processes load it', async () => {
  for (const { slug, parser, source } of registry.filings) {
    const [module] = [parser].flat()
    const { [source.parse.name]: found } = await import(module!.href)
    assert.ok(found === source.parse, slug)
  }
})
