/** The share of a year's requests that the quarterly sets replace, counted in real indexes; docs/operating/loading.md names it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import registry from '../../src/registry.ts'
import { corpus } from '../support/corpus.ts'
import { checkout } from '../support/world.ts'

/** Number of filings (each is one request) of each dataset that `ingest all` reads, in the text of a master index. */
function filingsOf(index: string): Map<string, number> {
  const forms = new Map<string, string>()
  for (const line of index.split('\n')) {
    const [, , form, , file] = line.split('|')
    const accession = file && /\d{10}-\d{2}-\d{6}/.exec(file)?.[0]
    if (accession) forms.set(accession, form!)
  }
  const all = [...forms.values()]
  // The dataset `documents` is not part of `ingest all`.
  return new Map(
    registry.filings
      .filter(({ slug }) => slug !== 'documents')
      .map(({ slug, source }) => [slug, all.filter((form) => source.forms.includes(form)).length]),
  )
}

const haveSets = registry.filings.filter(({ sets }) => sets).map(({ slug }) => slug)
const sum = (counts: ReadonlyMap<string, number>, slugs: Iterable<string> = counts.keys()) =>
  [...slugs].reduce((total, slug) => total + counts.get(slug)!, 0)
const whole = new Intl.NumberFormat('en-US')
const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(1)} %`

test('the page names the share of requests that the sets replace, as counted in the index of 2025 Q4', {
  skip: corpus.skip,
}, (t) => {
  const file = path.join(corpus.folder, 'index/full-index/2025_QTR4_master.idx.gz')
  const counts = filingsOf(gunzipSync(readFileSync(file)).toString('latin1'))
  const [every, replaced] = [sum(counts), sum(counts, haveSets)]
  const lines = [...counts]
    .filter(([slug]) => haveSets.includes(slug))
    .sort(([, a], [, b]) => b - a)
    .map(([slug, count]) => `| \`${slug}\` | ${whole.format(count)} | ${percent(count, every)} |`)
  lines.push(`| All seven | ${whole.format(replaced)} | ${percent(replaced, every)} |`)
  lines.push(`| Every dataset of \`ingest all\` | ${whole.format(every)} | 100.0 % |`)
  t.diagnostic(lines.join('\n'))
  assert.equal(haveSets.length, 7)
  assert.ok(
    readFileSync(path.join(checkout, 'docs/operating/loading.md'), 'utf8').includes(lines.join('\n')),
    lines.join('\n'),
  )
  // The page names this number too: no set of Regulation A is read.
  assert.equal(counts.get('rega'), 131)
})

test('the sets replace more than half of the requests of each recorded day', { skip: corpus.skip }, (t) => {
  for (const file of ['2024-01-02.master.idx', '2025-04-18.master.idx', 'master.20200103.idx']) {
    const counts = filingsOf(readFileSync(path.join(corpus.folder, 'index/daily-index', file), 'latin1'))
    const [every, replaced] = [sum(counts), sum(counts, haveSets)]
    t.diagnostic(`${file}: ${replaced} of ${every}, ${percent(replaced, every)}`)
    assert.ok(every > 1_000 && replaced > every / 2, file)
  }
})
