/** Queries over real filings and brochures: the document that a person expects stands first. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { EFFORT } from '../src/products/textsearch/effort.ts'
import { type Asked, find } from '../src/products/textsearch/search.ts'
import { markdownOfHtml } from '../src/read/html.ts'
import { readPdf } from '../src/read/pdf.ts'
import { markdownOfText } from '../src/read/plain.ts'
import { readQuery } from '../src/serve/search/typed.ts'
import { corpus } from './corpus.ts'
import { freshDatabase } from './database.ts'
import { documentsIn, isHtml, typed } from './text-truth.ts'
import { type MadeBrochure, type MadeDocument, makeIndexes, makeTables, storeBrochures, storeDocuments } from './textsearch-world.ts' // biome-ignore format: one line

interface TypedQuery {
  q: string
  corpora: string[]
  /** Accession, or file of a brochure. */
  expected: string
  why: string
}

/** Of the forms of which the corpus has submissions. */
const CORPORA: Record<string, string> = {
  ...Object.fromEntries(['10-K', '10-K405', '10KSB', '10-Q', '10-Q/A'].map((form) => [form, 'tenx'])),
  ...Object.fromEntries(['S-1', 'S-1/A', '424B4'].map((form) => [form, 's1'])),
  ...Object.fromEntries(['SC 13D', 'SC 13D/A', 'SC 13G', 'SC 13G/A'].map((form) => [form, 'sc13'])),
  ...Object.fromEntries(['497K', '485APOS'].map((form) => [form, 'fundreg'])),
  ...Object.fromEntries(['DEF 14A', 'DEFA14A'].map((form) => [form, 'proxies'])),
  '8-K': 'eightk',
}

const ANY: Omit<Asked, 'q' | 'corpora'> = { forms: null, cik: null, from: null, to: null, sort: 'relevance', limit: 5, cursor: null } // biome-ignore format: one line

test('the document that is about the words of a query stands first among all real filings', {
  skip: corpus.skip,
}, async () => {
  const { sql } = await freshDatabase({ after })
  await makeTables(sql)
  await storeDocuments(sql, documents())
  const brochures = await brochuresOf()
  await storeBrochures(sql, brochures)
  await makeIndexes(sql)
  const wrong: string[] = []
  for (const { q, corpora, expected, why } of typed<TypedQuery[]>('queries.json')) {
    const asked: Asked = { ...ANY, q, corpora }
    const found = await find(sql, readQuery(q), asked, EFFORT)
    const names = found.documents.map(({ name }) => name)
    const brochure = BROCHURES.indexOf(expected)
    const first = brochure < 0 ? expected : String(900 + brochure)
    if (!names[0]?.startsWith(first)) wrong.push(`${q}: ${expected} (${why}) is not first of ${names.join(', ')}`)
  }
  assert.deepEqual(wrong, [])
})

const BROCHURES = [
  '108102_fairview-capital_adv2a.pdf',
  'build-asset-management_adv2a.pdf',
  'klein-wealth_adv2a.pdf',
  'top-shelf-private-wealth_adv2a.pdf',
  'ufpg_adv2a_2026-03-31.pdf',
]

async function brochuresOf(): Promise<MadeBrochure[]> {
  const made: MadeBrochure[] = []
  for (const [n, file] of BROCHURES.entries()) {
    const read = await readPdf(readFileSync(path.join(corpus.folder, 'adviserinfo/brochures', file)))
    assert.equal(read.kind, 'text')
    if (read.kind !== 'text') continue
    const { text } = read.markdown
    made.push({ id: 900 + n, crd: String(100 + n), firm_name: '', filing_date: '2026-03-31', text })
  }
  return made
}

/** All main documents, and the exhibits of 8-Ks: those of other forms are half of the corpus and none is asked for. */
function* documents(): Generator<MadeDocument> {
  const [, ...lines] = readFileSync(path.join(corpus.folder, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n')
  for (const line of lines) {
    const [file, form, cik, accession] = line.split('\t') as [string, string, string, string]
    const main = CORPORA[form]
    if (main === undefined) continue
    for (const { type, sequence, text } of documentsIn(file)) {
      const of = sequence === 1 ? main : type.startsWith('EX-') && form === '8-K' ? 'exhibits' : undefined
      if (of === undefined || /^\s*(begin \d|<PDF>|<XML>)/.test(text)) continue
      const markdown = isHtml(text) ? markdownOfHtml(text) : markdownOfText(text)
      yield {
        ...{ accession, sequence, corpus: of, form, cik: cik.padStart(10, '0'), text: markdown.text },
        ...{ filed_date: `20${accession.slice(11, 13)}-01-01`, company_name: '' },
        headings: markdown.headings.map((heading) => heading.text),
      }
    }
  }
}
