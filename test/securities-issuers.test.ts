/** The private holdings of Destiny Tech100 as it reports them, and those of other funds, under their companies. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { CORRECTIONS } from '../src/products/securities/aliases.ts'
import { clusters, type Named } from '../src/products/securities/issuer-clusters.ts'
import { spoken } from '../src/products/securities/issuer-name.ts'
import { securityId } from '../src/read/securityid.ts'
import { parse } from '../src/read/xml.ts'
import { corpus } from './corpus.ts'

const DESTINY = 'sec/Archives/edgar/data/1843974/0000894189-26-016628.txt'

/**
 * Typed by hand from NPORT-P 0000894189-26-016628: what each private holding is in the end, the company's name as a reader
 * of the report would say it, with the beginnings of the names of the holdings.
 */
const HELD: Record<string, readonly string[]> = {
  SpaceX: ['MWAM VC SpaceX-II', 'Snowpoint Growth 2.6', 'DXYZ SpaceX I LLC'],
  OpenAI: ['DXYZ OAI I LLC', 'Goanna Capital 26E'],
  'Stripe, Inc.': ['Fund FG-RTA'],
  'Plaid, Inc.': ['Fund FG-TQY'],
  'Anthropic PBC.': ['Magnitude ANC III'],
  'Databricks, Inc.': ['MCTC Investments', 'DA-1125 Gaingels'],
  'Impossible Foods, Inc.': ['Khosla Ventures IFSPV II', 'Impossible Foods, Inc. - Series A'],
  'Astranis Space Technologies Corp.': ['Astranis Space Technologies', 'Snowpoint Growth 2.7'],
  'Axiom Space, Inc.': ['Axiom Space, Inc. Series C Preferred', 'Axiom Space, Inc. Series C-1'],
  'Discord, Inc.': ['Discord, Inc.', 'Discord, Inc. - Series G'],
  'Monzo Bank Holding Group Limited': ['Lemonade 18'],
  'Tenstorrent Holdings Inc.': ['Prive Tens'],
  'Shield AI Inc.': ['Snowpoint Growth 2.5'],
  'OpenEvidence Inc.': ['SP21Z Opportunities'],
  'Brex, Inc.': ['G Squared Special Situations'],
  'Ferox Games B.V.': ['Hexagon Master'],
  'Chaos Industries, Inc.': ['WH Strategic Opportunities'],
  'Relativity Space': ['MW LSV Relativity Space'],
  'Bolt Financial': ['Rhenium Bolt 2021'],
  Superhuman: ['SuperHuman Platform'],
  'Klarna Group PLC': ['Klarna Group PLC Class B', 'Klarna Group PLC'],
  'Jeeves, Inc.': ['Jeeves'],
  'Automation Anywhere, Inc.': ['Automation Anywhere'],
  'Payward, Inc.': ['Payward'],
  'Public Holdings, Inc.': ['Public Holdings'],
  'Redwood Materials, Inc.': ['Redwood'],
  'Revolut Group Holdings Ltd.': ['Revolut'],
  'Skild AI, Inc.': ['Skild'],
  'Supabase, Inc.': ['Supabase'],
  'Beast Industries Co.': ['Beast'],
  'Boom Technology, Inc.': ['Boom'],
  'CElegans Labs, Inc.': ['CElegans'],
  'ClassDojo, Inc.': ['ClassDojo'],
  'Flexport, Inc.': ['Flexport'],
  'Hermeus Corporation': ['Hermeus'],
  'Vast, Inc.': ['Vast'],
  'Vercel Inc.': ['Vercel'],
  // Listed, with CUSIPs.
  'Chime Financial Inc.': ['Chime'],
  'First American Treasury Obligations': ['First American'],
}

interface Line {
  name: string
  title: string
  said: Named[]
}

/** Holdings of a report: what they are called. */
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
      said: mentions.map((mention) => ({ sec_id, accession: path.basename(file, '.txt'), ...mention })),
    }
  })
}

test('the private holdings of Destiny Tech100 are grouped by company as a reader groups them', {
  skip: corpus.skip,
}, () => {
  const lines = linesOf(DESTINY)
  assert.equal(lines.length, 48)
  const rows = new Map(
    clusters(
      lines.flatMap(({ said }) => said),
      CORRECTIONS,
    ).map((row) => [row.sec_id, row]),
  )
  const found = new Map<string, string[]>()
  for (const { name, said } of lines) {
    const { company_name, issuer } = rows.get(said[0]!.sec_id)!
    found.set(`${company_name} / ${issuer}`, [...(found.get(`${company_name} / ${issuer}`) ?? []), name])
  }
  assert.equal(found.size, Object.keys(HELD).length)
  for (const [company, beginnings] of Object.entries(HELD)) {
    const names = [...found].filter(([key]) => key.startsWith(`${company} / `)).flatMap(([, names]) => names)
    assert.equal(names.length, beginnings.length, `${company}: ${names.join(' | ')}`)
    for (const begins of beginnings)
      assert.ok(
        names.some((name) => name.startsWith(begins)),
        `${company} lacks ${begins}`,
      )
  }
})

test('reports of several funds meet at one company, and each row names a filing of the corpus', {
  skip: corpus.skip,
}, () => {
  const files = [
    DESTINY,
    'sec/Archives/edgar/data/313212/0000313212-24-001211.txt',
    'documents/nport_trimmed/858744_kandou_multi_instrument/primary_doc.xml',
  ]
  const named = files.flatMap((file) => linesOf(file)).flatMap(({ said }) => said)
  const rows = clusters(named, CORRECTIONS)
  const databricks = rows.filter(({ issuer }) => issuer === 'databricks')
  // T. Rowe Price states no issuer: the titles are DATABRICKS INC PP and DATABRICKS SER I CVT PFD STOCK PP.
  assert.equal(databricks.length, 4)
  assert.deepEqual(new Set(databricks.map(({ reason }) => reason)), new Set(['name', 'exposure']))
  assert.equal(rows.filter(({ issuer }) => issuer === 'kandouholding').length, 1)
  for (const { accession, reason } of rows) assert.ok(reason === 'override' || accession !== null)
})

test('no holding of any report of the corpus falls together with a company that it does not name', {
  skip: corpus.skip,
}, () => {
  const files = globSync(
    '{sec/Archives/edgar/data/{1843974,313212,1905379}/*.txt,documents/{NPORT-P,nport,nport_trimmed}/**/*.xml}',
    { cwd: corpus.folder },
  )
  const rows = clusters(
    files.flatMap((file) => linesOf(file)).flatMap(({ said }) => said),
    CORRECTIONS,
  )
  assert.ok(rows.length > 60)
  // Names that bring a company together are its own, those of its vehicles, or corrected by hand.
  const several = [...Map.groupBy(rows, ({ issuer }) => issuer).values()].filter((members) => members.length > 1)
  assert.deepEqual(several.map((members) => members[0]!.company_name).sort(), SEVERAL)
})

/** Companies of which the reports of the corpus have more than one line name, read one by one. */
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
