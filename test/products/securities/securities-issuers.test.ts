/**
 * Private holdings of real reports grouped by company; securities-aliases.test.ts tests one report in the database.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { CORRECTIONS } from '../../../src/products/securities/aliases.ts'
import { clusters } from '../../../src/products/securities/issuer/clusters.ts'
import type { Named } from '../../../src/products/securities/issuer/name.ts'
import { spoken } from '../../../src/products/securities/issuer/name.ts'
import { securityId } from '../../../src/read/securityid.ts'
import { parse } from '../../../src/read/xml.ts'
import { corpus } from '../../support/corpus.ts'

const DESTINY = 'sec/Archives/edgar/data/1843974/0000894189-26-016628.txt'

interface Line {
  name: string
  title: string
  mentions: Named[]
}

/** Returns the names of a report's holdings. */
function linesOf(file: string): Line[] {
  const text = readFileSync(path.join(corpus.folder, file), 'utf8')
  const begin = text.includes('<XML>') ? text.indexOf('<XML>') + 5 : 0
  const end = text.includes('</XML>') ? text.indexOf('</XML>') : text.length
  const document = parse(Buffer.from(text.slice(begin, end).trim()))
  const found = document.one('formData').maybe('invstOrSecs')?.all('invstOrSec') ?? []
  return found.map((each) => {
    const [name, title] = [each.text('name') ?? 'N/A', each.text('title') ?? 'N/A']
    const sec_id = securityId({ cusip: null, isin: null, name, title })!
    const { mentions } = spoken({ issuer_name: name, title })
    return {
      name,
      title,
      mentions: mentions.map((mention) => ({ sec_id, accession: path.basename(file, '.txt'), ...mention })),
    }
  })
}

test('reports of several funds are grouped under one company, and each row names a filing of the corpus', {
  skip: corpus.skip,
}, () => {
  const files = [
    DESTINY,
    'sec/Archives/edgar/data/313212/0000313212-24-001211.txt',
    'documents/nport_trimmed/858744_kandou_multi_instrument/primary_doc.xml',
  ]
  const named = files.flatMap((file) => linesOf(file)).flatMap(({ mentions }) => mentions)
  const rows = clusters(named, CORRECTIONS).aliases
  const databricks = rows.filter(({ issuer }) => issuer === 'databricks')
  // T. Rowe Price states no issuer: the titles are DATABRICKS INC PP and DATABRICKS SER I CVT PFD STOCK PP.
  assert.equal(databricks.length, 4)
  assert.deepEqual(new Set(databricks.map(({ reason }) => reason)), new Set(['name', 'exposure']))
  assert.equal(rows.filter(({ issuer }) => issuer === 'kandouholding').length, 1)
  for (const { accession, reason } of rows) assert.ok(reason === 'override' || accession !== null)
})

test('no holding of any corpus report is grouped with a company that it does not name', {
  skip: corpus.skip,
}, () => {
  const files = globSync(
    '{sec/Archives/edgar/data/{1843974,313212,1905379}/*.txt,documents/{NPORT-P,nport,nport_trimmed}/**/*.xml}',
    { cwd: corpus.folder },
  )
  const rows = clusters(
    files.flatMap((file) => linesOf(file)).flatMap(({ mentions }) => mentions),
    CORRECTIONS,
  ).aliases
  assert.ok(rows.length > 60)
  // A company's names are its own names, the names of its vehicles, or names that were corrected by hand.
  const several = [...Map.groupBy(rows, ({ issuer }) => issuer).values()].filter((members) => members.length > 1)
  assert.deepEqual(several.map((members) => members[0]!.company_name).sort(), SEVERAL)
})

/** Companies that several lines of the corpus name, read one by one. */
const SEVERAL = [
  'Anthropic PBC.',
  'Astranis Space Technologies Corp.',
  'Axiom Space, Inc.',
  'Databricks, Inc.',
  'Discord, Inc.',
  'Impossible Foods, Inc.',
  'Klarna Group PLC',
  'OpenAI',
  'OpenEvidence',
  'SpaceX',
]
