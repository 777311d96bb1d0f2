/** Limits of bulk files and sets, compared with the sizes of real files and sets (src/ingest/bulk/README.md). */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { MEMBER_SIZE_MAX, MEMBERS_MAX } from '../../src/ingest/bulk/read-json.ts'
import registry from '../../src/registry.ts'
import { corpus } from '../support/corpus.ts'

const TIMES_MIN = 3
const UNITS: Readonly<Record<string, number>> = { MB: 1024 ** 2, GB: 1024 ** 3 }

interface Line {
  real: { bytes: number; records: number | null }
  limit: { bytes: number; records: number | null }
}

const bytesOf = (text: string) => {
  const [number, unit] = text.split(' ')
  return Number(number) * UNITS[unit!]!
}
const countOf = (text: string) => (text === '' ? null : Number(text.replaceAll(',', '')))

/** Limits by dataset and series, from the table of the README. */
const stated = new Map<string, Line>()
const readme = readFileSync(new URL('../../src/ingest/bulk/README.md', import.meta.url), 'utf8')
for (const line of readme.match(/^\| `\w+` \| .* \|$/gm) ?? []) {
  const [dataset = '', of = '', bytes = '', records = '', , bytesMax = '', recordsMax = ''] = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.replaceAll('`', '').trim())
  stated.set(`${dataset} ${of}`, {
    real: { bytes: bytesOf(bytes), records: countOf(records) },
    limit: { bytes: bytesOf(bytesMax), records: countOf(recordsMax) },
  })
}

/** Limits by dataset and series, as the source declares them. */
const declared = new Map<string, Line['limit']>()
for (const slice of registry.datasets) {
  if ('sets' in slice && slice.sets) declared.set(`${slice.slug} set`, { bytes: slice.sets.bytesMax, records: null })
  if (!('source' in slice) || typeof slice.source !== 'object' || !('series' in slice.source)) continue
  for (const [name, series] of Object.entries(slice.source.series)) {
    if ('most' in series) declared.set(`${slice.slug} ${name}`, series.most)
  }
}

test('each limit of a bulk file or set is in the README’s table as declared, and is at least three times the size of a real file', () => {
  assert.ok(declared.size >= 9)
  assert.deepEqual([...stated.keys()].sort(), [...declared.keys()].sort())
  for (const [name, { real, limit }] of stated) {
    assert.deepEqual(limit, { ...declared.get(name)! }, name)
    assert.ok(real.bytes * TIMES_MIN <= limit.bytes, `${name}: ${limit.bytes} bytes for real files of ${real.bytes}`)
    if (limit.records === null) continue
    assert.ok(real.records! * TIMES_MIN <= limit.records, `${name}: ${limit.records} records for real ${real.records}`)
  }
})

test('a zip of JSON files may have three times as many members as the real zip, and each member three times the size', () => {
  const [, most, real, size, realSize] =
    /may have ([\d,]+) members \(`submissions.zip` has ([\d,]+)\) of at most (\d+ MB) each \(the largest real one has about (\d+ MB)\)/.exec(
      readme,
    )!
  assert.deepEqual([countOf(most!), bytesOf(size!)], [MEMBERS_MAX, MEMBER_SIZE_MAX])
  assert.ok(countOf(real!)! * TIMES_MIN <= MEMBERS_MAX && bytesOf(realSize!) * TIMES_MIN <= MEMBER_SIZE_MAX)
})

test('the sizes in the README’s table are not below the known sizes at the real hosts', {
  skip: corpus.skip,
}, async () => {
  const facts = readFileSync(path.join(corpus.folder, '../facts.md'), 'utf8')
  const [, firms, megabytes] = /about ([\d,]+) firms, (\d+) MB of XML/.exec(facts)!
  const [, people] = /about ([\d,]+) people/.exec(facts)!
  const { real } = stated.get('adv IA_FIRM_SEC')!
  assert.ok(real.records! >= countOf(firms!)! && real.bytes >= bytesOf(`${megabytes} MB`), `${firms}, ${megabytes} MB`)
  assert.ok(stated.get('reps IA_INDVL')!.real.records! >= countOf(people!)!, String(people))
})
