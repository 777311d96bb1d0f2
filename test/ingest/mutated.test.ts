/**
 * Files of many records with one changed place: no load hangs, and each lost record except the changed one is reported.
 */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { BulkDataset } from '../../src/declare/dataset.ts'
import type { Series } from '../../src/declare/series.ts'
import { type Fragment, read } from '../../src/ingest/bulk/read.ts'
import { type Notes, notes } from '../../src/ingest/notes.ts'
import registry from '../../src/registry.ts'
import { membersOf } from '../support/adv/read.ts'
import { fleet } from '../support/fleet.ts'
import { randomFor } from '../support/random.ts'
import { often } from '../support/soak.ts'
import { checkout } from '../support/world.ts'
import { zipOf } from '../support/zip-made.ts'

const random = randomFor('changed files')
const below = (most: number) => Math.floor(random() * most)
const sample = path.join(checkout, 'sample')
const seriesOf = (slug: string, name: string): Series =>
  (registry.slices.find((slice) => slice.slug === slug) as BulkDataset).source.series[name]!

interface Outcome {
  /** Rows of each record by its key, as JSON. */
  records: Map<string, string[]>
  /**
   * Number of records, including records with a repeated key, which the load reports separately.
   */
  read: number
  found: Notes
  error: Error | null
}

async function outcomeOf(series: Series, name: string, bytes: Buffer): Promise<Outcome> {
  const outcome: Outcome = { records: new Map(), read: 0, found: notes(), error: null }
  // Only a series of PDFs uses the archive, and none of these series has PDFs.
  const all = { isWanted: () => true, archive: null as never }
  const file = { name, bytes: () => Readable.from([bytes]) }
  const of = series.kind === 'update' ? all : { least: 0 }
  try {
    for await (const { key, rows } of read(series, [file], outcome.found, undefined, of) as AsyncIterable<Fragment>) {
      outcome.read++
      outcome.records.set(key, [...(outcome.records.get(key) ?? []), JSON.stringify(rows)])
    }
  } catch (error) {
    outcome.error = error as Error
  }
  return outcome
}

/**
 * Asserts that all records except the touched records are unchanged, or that the file is refused with an error that
 * names it.
 */
function assertKept(what: string, name: string, clean: Outcome, changed: Outcome, touched: ReadonlySet<string>): void {
  if (changed.error) {
    assert.ok(changed.error.message.startsWith(name), `${what}: ${changed.error.stack}`)
    return
  }
  for (const [key, rows] of clean.records) {
    if (touched.has(key)) continue
    const now = changed.records.get(key) ?? []
    assert.ok(
      rows.every((row) => now.includes(row)),
      `${what}: ${key} is ${now} instead of ${rows}`,
    )
  }
}

/** Changes one line, without adding lines and without ending the quote of another line. */
const LINES: Record<string, (line: string) => string> = {
  'a quote that is not closed': (line) => line.replace(/,(?!")/, ',"'),
  'a quote that is not closed, at its beginning': (line) => `"${line}`,
  'a quote without its beginning': (line) => line.replace('"', ''),
  'a quote without its end': (line) => line.replace(/"(\r?)$/, '$1'),
  'a quote in the middle': (line) => `${line.slice(0, line.length >> 1)}"${line.slice(line.length >> 1)}`,
  'only its first half': (line) => line.slice(0, line.length >> 1),
  nothing: () => '',
  'a column too many': (line) => line.replace(',', ',,'),
  'a column too few': (line) => line.replace(/,[^,]*/, ''),
  'columns swapped': (line) => line.split(',').reverse().join(','),
  'a NUL': (line) => line.replace(',', ',\0'),
  'a giant value': (line) => line.replace(',', `,${'y'.repeat(300_000)}`),
  'itself twice': (line) => `${line}\n${line}`,
  'the header': () => 'VoyageID,Port,Note',
  'a byte that no encoding has': (line) => line.replace(',', ',\x81'),
}

const ROWS = 120
const row = (n: number, end: string) =>
  `${1_000_000 + n},${n % 3 === 0 ? `"Port, of ${n}"` : `Port ${n}`},${n % 5 === 0 ? `"on\r\ntwo lines ${n}, and ""more"""` : n % 7 === 0 ? '"plain"' : 'note'}${end}`

for (const end of ['\n', '\r\n']) {
  test(`a corrupted line of a CSV with line end ${JSON.stringify(end)} loses only its own record, and is counted and reported`, async () => {
    const series = fleet.source.series.VOYAGES!
    const lines = Array.from({ length: ROWS }, (_, n) => row(n, end))
    const write = (some: readonly string[]) =>
      zipOf([{ name: 'Voyage_1.csv', content: Buffer.from(`VoyageID,Port,Note${end}${some.join('')}`, 'latin1') }])
    const name = 'voyages_2026-06-30.zip'
    const clean = await outcomeOf(series, name, write(lines))
    assert.equal(clean.records.size, ROWS)
    assert.equal(clean.found.refused, 0)
    const count = often('changed lines of a CSV, of each kind', { usual: 5, soak: 400 })
    for (const [what, change] of Object.entries(LINES)) {
      for (let n = 0; n < count; n++) {
        const at = 1 + below(ROWS - 2)
        const line = lines[at]!.slice(0, -end.length)
        const changed = lines.with(at, change(line) + end)
        const outcome = await outcomeOf(series, name, write(changed))
        const label = `${what} in ${JSON.stringify(line)}`
        assert.equal(outcome.error, null, label)
        assertKept(label, name, clean, outcome, new Set([String(1_000_000 + at)]))
        // A missing record was refused, or was not a line. A record whose key changed counts as another record.
        const isThere = outcome.records.size >= ROWS
        assert.ok(isThere || outcome.found.refused > 0 || change(line) === '' || outcome.found.problemCount > 0, label)
      }
    }
  })
}

test('a CSV with a flipped bit loses no other record, or is refused', async () => {
  const series = fleet.source.series.VOYAGES!
  const lines = Array.from({ length: ROWS }, (_, n) => row(n, '\n'))
  const header = 'VoyageID,Port,Note\n'
  const text = Buffer.from(header + lines.join(''), 'latin1')
  const name = 'voyages_2026-06-30.zip'
  const write = (content: Buffer) => zipOf([{ name: 'Voyage_1.csv', content }])
  const starts = lines.map((_, n) => header.length + lines.slice(0, n).join('').length)
  const clean = await outcomeOf(series, name, write(text))
  const count = often('CSVs with a flipped bit', { usual: 100, soak: 20_000 })
  for (let n = 0; n < count; n++) {
    const at = header.length + below(text.length - header.length)
    const changed = Buffer.from(text)
    changed[at]! ^= 1 << below(8)
    const own = starts.findLastIndex((start) => start <= at)
    // A removed line end joins two lines.
    const touched = new Set([own, own + 1].map((number) => String(1_000_000 + number)))
    assertKept(`bit at ${at} in ${lines[own]}`, name, clean, await outcomeOf(series, name, write(changed)), touched)
  }
})

/** Returns the people of all parts in one document. */
async function peopleOf(file: string): Promise<Buffer> {
  const parts = [...(await membersOf(file)).values()].map((part) => part.toString('latin1'))
  const [head, tail] = parts[0]!.split(/<Indvl>.*<\/Indvl>/s) as [string, string]
  const people = parts.flatMap((part) => /<Indvl>.*<\/Indvl>/s.exec(part)?.[0] ?? [])
  return Buffer.from(head + people.join('\n') + tail, 'latin1')
}

const feeds = path.join(sample, 'reports/CompilationReports')
const firms = async (file: string) => gunzipSync(await readFile(path.join(feeds, file)))

for (const { slug, name, file, textOf, write = (text: Buffer) => text } of [
  {
    slug: 'adv',
    name: 'IA_FIRM_SEC',
    file: 'IA_FIRM_SEC_Feed_07_23_2026.xml',
    textOf: () => firms('IA_FIRM_SEC_Feed_07_23_2026.xml.gz'),
  },
  {
    slug: 'adv',
    name: 'IA_FIRM_STATE',
    file: 'IA_FIRM_STATE_Feed_07_23_2026.xml',
    textOf: () => firms('IA_FIRM_STATE_Feed_07_23_2026.xml.gz'),
  },
  {
    slug: 'reps',
    name: 'IA_INDVL',
    file: 'IA_INDVL_Feed_07_23_2026.xml.zip',
    textOf: () => peopleOf(path.join(feeds, 'IA_INDVL_Feed_07_23_2026.xml.zip')),
    write: (text: Buffer) => zipOf([{ name: 'IA_Indvl_Feeds1.xml', content: text }]),
  },
]) {
  test(`${name} with one corrupted place loses no other record, or is refused with the place`, async () => {
    const series = seriesOf(slug, name)
    const text = await textOf()
    const clean = await outcomeOf(series, file, write(text))
    assert.equal(clean.error, null)
    assert.ok(clean.records.size > 1, `${clean.records.size}`)
    const changes: Record<string, (bytes: Buffer, at: number) => Buffer> = {
      'a flipped bit': (bytes, at) => {
        bytes[at]! ^= 1 << below(8)
        return bytes
      },
      'a cut': (bytes, at) => bytes.subarray(0, at),
      'a hole': (bytes, at) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(200))]),
      'a part twice': (bytes, at) => Buffer.concat([bytes.subarray(0, at + 100), bytes.subarray(at)]),
      'a NUL': (bytes, at) => Buffer.concat([bytes.subarray(0, at), Buffer.alloc(1), bytes.subarray(at)]),
      'a giant value': (bytes, at) =>
        Buffer.concat([bytes.subarray(0, at), Buffer.alloc(300_000, 'y'), bytes.subarray(at)]),
    }
    const count = often('changed adviser feeds, of each kind', { usual: 15, soak: 2_000 })
    for (const [what, change] of Object.entries(changes)) {
      for (let n = 0; n < count; n++) {
        const at = below(text.length)
        const outcome = await outcomeOf(series, file, write(change(Buffer.from(text), at)))
        const label = `${what} at ${at}`
        if (outcome.error) {
          assert.ok(outcome.error.message.startsWith(file), label)
          continue
        }
        // One change affects at most two records.
        const different = [...clean.records].filter(
          ([key, rows]) => JSON.stringify(outcome.records.get(key)) !== JSON.stringify(rows),
        )
        assert.ok(different.length <= 2, `${label}: ${different.map(([key]) => key)}`)
        const lost = different.filter(([key]) => !outcome.records.has(key))
        const isReported = outcome.found.refused > 0 || outcome.read >= clean.read
        assert.ok(lost.length === 0 || isReported, `${label}: ${lost.map(([key]) => key)} is lost silently`)
      }
    }
  })
}

test('a corrupted company file in a zip is read or refused by name, and the other files of the zip are read unchanged', async () => {
  const series = seriesOf('companies', 'SUBMISSIONS')
  const names = (await readdir(path.join(sample, 'submissions'))).filter((name) => name.endsWith('.json')).slice(0, 3)
  const contents = await Promise.all(names.map((name) => readFile(path.join(sample, 'submissions', name))))
  const write = (all: readonly Uint8Array[]) =>
    zipOf(all.map((content, n) => ({ name: names[n]!, content: Buffer.from(content) })))
  const clean = await outcomeOf(series, 'submissions.zip', write(contents))
  assert.equal(clean.records.size, 3)
  const own = contents[1]!
  const key = [...clean.records.keys()][1]!
  const changes: Record<string, () => Uint8Array> = {
    'a flipped bit': () => {
      const bytes = Buffer.from(own)
      bytes[below(bytes.length)]! ^= 1 << below(8)
      return bytes
    },
    'a cut': () => own.subarray(0, below(own.length)),
    'a NUL': () => Buffer.concat([own.subarray(0, below(own.length)), Buffer.alloc(1)]),
    'another kind of value': () =>
      Buffer.from(
        own
          .toString('latin1')
          .replaceAll(/"[^"]*"(?=[,\]}])/g, (text) =>
            below(20) === 0 ? ['1e999', 'null', '[]', '{}', 'true', '-0'][below(6)]! : text,
          ),
        'latin1',
      ),
    'columns of other lengths': () =>
      Buffer.from(
        own.toString('latin1').replace(/\],/g, (text) => (below(4) === 0 ? ',"more"],' : text)),
        'latin1',
      ),
    'keys of prototypes': () =>
      Buffer.from(
        own
          .toString('latin1')
          .replaceAll(/"(\w+)":/g, (text) =>
            below(20) === 0 ? ['"__proto__":', '"constructor":', '"toString":'][below(3)]! : text,
          ),
        'latin1',
      ),
    'a depth of 100,000': () => Buffer.from(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    nothing: () => Buffer.alloc(0),
  }
  const count = often('changed files of a company, of each kind', { usual: 15, soak: 2_000 })
  for (const [what, change] of Object.entries(changes)) {
    for (let n = 0; n < count; n++) {
      const outcome = await outcomeOf(series, 'submissions.zip', write([contents[0]!, change(), contents[2]!]))
      assert.equal(outcome.error, null, what)
      assertKept(what, 'submissions.zip', clean, outcome, new Set([key]))
      assert.ok(outcome.records.has(key) || outcome.found.refusals.some(({ place }) => place === names[1]), what)
    }
  }
  assert.equal(({} as Record<string, unknown>).more, undefined)
})
