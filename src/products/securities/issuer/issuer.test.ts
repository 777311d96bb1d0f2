/** Names and titles of private holdings: their meaning, their clusters, and a reviewer's corrections. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { companyOf, companyOfId } from '../../../read/company-name.ts'
import { isLei, securityId } from '../../../read/securityid.ts'
import { CORRECTIONS, readAliases } from '../aliases.ts'
import { classOf, splitClass } from './class.ts'
import { clusters, type Misspelling } from './clusters.ts'
import type { Named } from './name.ts'
import { spoken } from './name.ts'

/** Holdings as lines of a report, each written as `name` or as `name / title`. */
interface Line {
  name: string
  title?: string
  lei?: string
}

const idOf = ({ name, title }: Line) => securityId({ cusip: null, isin: null, name, title: title ?? null })!

function named(lines: readonly Line[]): Named[] {
  return lines.flatMap((line, at): Named[] => {
    const accession = `9000000001-26-00000${at}`
    const mentions = spoken({ issuer_name: line.name, title: line.title ?? null }).mentions
    const names = mentions.map(
      ({ role, key, form, name }): Named => ({ sec_id: idOf(line), role, key, form, name, accession }),
    )
    return line.lei
      ? [...names, { sec_id: idOf(line), role: 'lei', key: line.lei, form: '', name: line.lei, accession }]
      : names
  })
}

/** Returns the clusters of the lines: the names in each cluster, sorted. */
function grouped(
  lines: readonly Line[],
  corrections: readonly string[] = [],
  misspellings: readonly Misspelling[] = [],
) {
  const header = 'action\tname\tto\treason\tdate\n'
  const read = readAliases(header + corrections.join('\n'), 'aliases.tsv')
  const found = clusters(named(lines), read, misspellings).aliases
  const names = new Map(lines.map((line) => [idOf(line), line.name]))
  const groups = [...Map.groupBy(found, ({ issuer }) => issuer).values()]
  return groups
    .map((rows) => rows.map(({ sec_id }) => names.get(sec_id)!).sort())
    .sort((a, b) => (a[0]! < b[0]! ? -1 : 1))
}

const apart = (...names: string[]) =>
  assert.deepEqual(
    grouped(names.map((name) => ({ name }))),
    [...names].sort().map((name) => [name]),
  )
const together = (...names: string[]) => assert.deepEqual(grouped(names.map((name) => ({ name }))), [[...names].sort()])

test('companies whose names look similar stay separate', () => {
  apart('Stripe, Inc.', 'Stripes Group, LLC')
  apart('Relativity Space, Inc.', 'Relativity Media, LLC')
  apart('Epic Games, Inc.', 'Epic Systems Corporation')
  apart('Figure AI Inc.', 'Figure Technologies, Inc.')
  apart('Scale AI, Inc.', 'Scale Computing, Inc.')
  apart('Databricks, Inc.', 'Databrick, Inc.')
  apart('Axiom Space, Inc.', 'Axiom, Inc.')
  apart('Snowpoint Growth 2.5, LLC', 'Snowpoint Growth 25, LLC', 'Snowpoint Growth 2.6, LLC')
  apart('Fund II LP', 'Fund III LP', 'Fund LP')
  apart('The Boring Company', 'Boring, Inc.')
})

test('names that differ only in class, legal form, blanks or signs are one company', () => {
  together('Jeeves, Inc. - Series C Preferred Stock', 'JEEVES INC', 'Jeeves')
  together(
    'Axiom Space, Inc. Series C Preferred Stock',
    'Axiom Space Inc Series C-1 Preferred Stock',
    'AxiomSpace, Inc.',
  )
  together('Anthropic, PBC', 'Anthropic PBC. Series B Preferred Shares', 'ANTHROPIC PUBLIC BENEFIT CORP SER F PFD PP')
  together('Ferox Games B.V.', 'Ferox Games BV Series F')
  together('Company (The)', 'The Company')
})

test('two kinds of legal form are two companies, and the name without a form belongs to neither of them', () => {
  apart('Waymo LLC', 'Waymo, Inc.', 'Waymo')
  together('Waymo LLC', 'Waymo')
})

test('a vehicle belongs to the company that it holds according to its text, and a vehicle that holds two companies does not join them', () => {
  const stripe = 'Fund A, a series of Forge Investments LLC (economic exposure to Stripe, Inc., Common Stock)'
  const plaid = 'Fund B, a series of Forge Investments LLC (invested in Plaid, Inc., Common Stock)'
  const lines = ['Stripe, Inc.', 'Plaid, Inc. Common Stock', stripe, plaid].map((name) => ({ name }))
  assert.deepEqual(grouped(lines), [
    [stripe, 'Stripe, Inc.'],
    [plaid, 'Plaid, Inc. Common Stock'],
  ])
  const both = [
    { name: 'Stripe, Inc.' },
    { name: 'Plaid, Inc.' },
    { name: 'Forge Investments LLC', title: 'Holding interests in Stripe, Inc.' },
    { name: 'Forge Investments LLC', title: 'Vehicle (invested in Plaid, Inc.)' },
    { name: 'Forge Investments LLC (invested in Stripe, Inc.)' },
    { name: 'Forge Investments LLC (invested in Plaid, Inc.)' },
  ]
  assert.deepEqual(grouped(both), [
    ['Forge Investments LLC'],
    ['Forge Investments LLC (invested in Plaid, Inc.)', 'Plaid, Inc.'],
    ['Forge Investments LLC (invested in Stripe, Inc.)', 'Stripe, Inc.'],
  ])
  assert.deepEqual(grouped(both.filter((_, at) => [0, 2, 4].includes(at))), [
    ['Forge Investments LLC', 'Forge Investments LLC (invested in Stripe, Inc.)', 'Stripe, Inc.'],
  ])
})

test('another name that the filer states is evidence: aka, d/b/a, formerly, and a title that names a known company', () => {
  together('X.AI Holdings Corp. (aka Grok Works), Series C Preferred', 'Grok Works')
  together('CElegans Labs, Inc. d/b/a AtoB', 'AtoB')
  together('Superhuman Platform, Inc. (formerly Grammarly, Inc.) Common Stock', 'Grammarly Inc')
  const titled = { name: 'Space Exploration Technologies Corp', title: 'SPACEX SER N PFD PP' }
  assert.deepEqual(grouped([titled, { name: 'SpaceX' }]), [[titled.name, 'SpaceX']])
})

test('a title joins nothing if many names have it, or if it names two known companies or only a kind of holding', () => {
  const lines = [
    { name: 'Alpha, Inc.', title: 'Gamma Units' },
    { name: 'Beta, Inc.', title: 'Gamma Units' },
    { name: 'Gamma LLC' },
    { name: 'Delta LLC', title: 'Alpha, Inc. Common Stock' },
    { name: 'Delta LLC', title: 'Beta, Inc. Common Stock' },
    { name: 'Private Company' },
    { name: 'Omega, Inc.', title: 'Private Company' },
  ]
  const names = [...new Set(lines.map(({ name }) => name))].sort()
  assert.deepEqual(
    grouped(lines),
    names.map((name) => [name]),
  )
})

test('securities with the same LEI are one company, unless its check digits are wrong', () => {
  assert.ok(isLei('636700HER4JIK7GZUN17'))
  const lines = (lei: string) => [
    { name: 'Klarna Holding AB', lei },
    { name: 'Klarna Group PLC', lei },
  ]
  assert.equal(grouped(lines('636700HER4JIK7GZUN17')).length, 1)
  assert.equal(grouped(lines('636700HER4JIK7GZUN18')).length, 2)
  assert.equal(grouped(lines('00000000000000000000')).length, 2)
})

test('a misspelling joins two names only if there is further evidence', () => {
  const lines = [{ name: 'Databricks, Inc.' }, { name: 'Databriks, Inc.' }]
  assert.equal(grouped(lines).length, 2)
  const evidence = {
    key: 'databricks',
    other: 'databriks',
    basis: 'one fund, 307914 of both',
    accession: '9000000001-26-000000',
  }
  assert.equal(grouped(lines, [], [evidence]).length, 1)
})

test('a reviewer can join, split and rename companies', () => {
  const lines = [
    { name: 'SpaceX' },
    { name: 'Space Exploration Technologies Corp.' },
    { name: 'SpaceX Series N Preferred' },
  ]
  const join = 'join\tSpaceX\tSpace Exploration Technologies Corp.\ttrade name\t2026-11-22'
  assert.equal(grouped(lines).length, 2)
  assert.equal(grouped(lines, [join]).length, 1)
  const lei = '636700HER4JIK7GZUN17'
  const wrong = [
    { name: 'Klarna Holding AB', lei },
    { name: 'Monzo Bank', lei },
    { name: 'Klarna Group PLC', lei },
    { name: 'Monzo Bank Series A' },
  ]
  assert.equal(grouped(wrong).length, 1)
  assert.deepEqual(grouped(wrong, ['split\tMonzo Bank\t\tthe LEI is not its own\t2026-11-22']), [
    ['Klarna Group PLC', 'Klarna Holding AB'],
    ['Monzo Bank', 'Monzo Bank Series A'],
  ])
  const corrections = readAliases(
    `action\tname\tto\treason\tdate\n${join}\nrename\tSpace Exploration Technologies Corp.\tSpaceX!\tso called\t2026-11-22`,
    'x',
  )
  assert.deepEqual(
    new Set(clusters(named(lines), corrections).aliases.map((row) => row.company_name)),
    new Set(['SpaceX!']),
  )
})

test('each row states the evidence that links its name to the company, with the filing, and the lowest confidence on the path to the company', () => {
  const lines = [
    { name: 'Space Exploration Technologies Corp.' },
    { name: 'DXYZ SpaceX I LLC (economic exposure to SpaceX)' },
    { name: 'DXYZ SpaceX I LLC' },
    { name: 'Space Exploration Technologies Corp', title: 'SPACEX SER N PFD PP' },
    { name: 'SpaceX' },
  ]
  const rows = new Map(clusters(named(lines)).aliases.map((row) => [row.sec_id, row]))
  const why = lines.map((line) => rows.get(idOf(line))!).map(({ reason, confidence }) => [reason, confidence])
  assert.deepEqual(why, [
    ['name', 0.9],
    ['exposure', 0.7],
    ['exposure', 0.7],
    ['name', 0.9],
    ['title', 0.7],
  ])
  assert.equal(rows.get(idOf(lines[4]!))!.accession, '9000000001-26-000003')
  assert.ok([...rows.values()].every(({ issuer }) => issuer === 'spaceexplorationtechnologies'))
})

test('the clusters do not depend on the order of the holdings', () => {
  const lines = [
    'Stripe, Inc.', 'Stripe', 'Fund A LLC (invested in Stripe, Inc.)', 'Fund A LLC', 'Waymo LLC', 'Waymo, Inc.', 'Waymo',
    'SpaceX', 'Space Exploration Technologies Corp. (aka SpaceX)', 'OpenAI Global LLC', 'OpenAI Group PBC',
  ].map((name) => ({ name })) // biome-ignore format: a list
  const all = named(lines)
  const expected = clusters(all, CORRECTIONS)
  for (let turn = 0; turn < all.length; turn++) {
    assert.deepEqual(clusters([...all.slice(turn), ...all.slice(0, turn)], CORRECTIONS), expected)
    assert.deepEqual(clusters([...all.slice(turn), ...all.slice(0, turn)].reverse(), CORRECTIONS), expected)
  }
})

test('each name of a company gives an id that contains the name, the same id in every spelling; the shown id comes from the shown name', () => {
  const names = [
    'Space Exploration Technologies Corp.',
    'DXYZ I LLC (economic exposure to SpaceX)',
    'Discord, Inc.',
    'DISCORD INC',
    'Discord',
    'Bolt 25 5 Holdings Ltd',
    'Fund 2.5 LLC',
    'AG Inc.',
    '3 AG',
    'The Boring Company',
    'Col·lecció 2.5·1 SA',
    '株式会社メルカリ',
    'Superhuman Platform, Inc.',
    'Preferred Stock',
  ].map((name) => ({ name }))
  const { aliases, ids } = clusters(named(names), CORRECTIONS)
  for (const { id, key, form } of ids) {
    const { name: _, ...read } = companyOfId(id)!
    assert.deepEqual(read, { key, form }, id)
  }
  assert.equal(new Set(ids.map(({ id }) => id)).size, ids.length)
  const shown = new Map(
    names.map((line) => [line.name, aliases.find(({ sec_id }) => sec_id === idOf(line))?.company_id]),
  )
  assert.equal(shown.get('Space Exploration Technologies Corp.'), 'company~spacex')
  assert.equal(shown.get('DXYZ I LLC (economic exposure to SpaceX)'), 'company~spacex')
  assert.equal(shown.get('DISCORD INC'), 'company~discord')
  assert.equal(shown.get('Bolt 25 5 Holdings Ltd'), 'company~bolt25-5holdings-ltd')
  assert.equal(shown.get('Fund 2.5 LLC'), 'company~fund2.5-llc')
  assert.equal(shown.get('The Boring Company'), 'company~boringcompany')
  assert.equal(shown.get('Col·lecció 2.5·1 SA'), 'company~col·leccio2.5.1-sa')
  // The shown name of this company comes only from a reviewer, who may remove it.
  assert.equal(shown.get('Superhuman Platform, Inc.'), 'company~superhumanplatform-inc')
  assert.ok(ids.some(({ id, is_renamed }) => id === 'company~superhuman' && is_renamed))
  assert.deepEqual(
    ids.filter(({ issuer }) => issuer === 'discord').map(({ id }) => id),
    ['company~discord', 'company~discord-inc'],
  )
  for (const typed of ['company~Discord, Inc.', 'company~discord-corp', 'COMPANY~discord inc'])
    assert.deepEqual(companyOfId(typed)!.key + companyOfId(typed)!.form, 'discordinc', typed)
  assert.equal(companyOfId('company~...'), null)
})

test('a security without a company in its texts has no company id', () => {
  const line = {
    sec_id: 'name~eA',
    role: 'name',
    key: 'name~eA',
    form: '',
    name: 'Preferred Stock',
    accession: '1',
  } as const
  const { aliases, ids } = clusters([line])
  assert.deepEqual([aliases[0]!.company_id, ids], [null, []])
})

test('a class is read from the end of a text and has one spelling; the asset category completes the class', () => {
  const read = (text: string, category: string | null = null) => {
    const { name, tail } = splitClass(text)
    return [name, classOf(tail, category)]
  }
  assert.deepEqual(read('DATABRICKS SER I CVT PFD STOCK PP', 'EP'), ['DATABRICKS', 'series i preferred'])
  assert.deepEqual(read('Databricks, Inc. Series I Preferred'), ['Databricks, Inc.', 'series i preferred'])
  assert.deepEqual(read('DATABRICKS INC PP', 'EC'), ['DATABRICKS INC', 'common'])
  assert.deepEqual(read('Klarna Group PLC Class B Shares', 'EC'), ['Klarna Group PLC', 'class b common'])
  assert.deepEqual(read('Monzo Bank Holding Group Limited F Ordinary Shares'), [
    'Monzo Bank Holding Group Limited',
    'class f common',
  ])
  assert.deepEqual(read('KANDOU HOLDING SA TL PP (PHYSICAL) 7.0% 03-31-26', 'LON'), ['KANDOU HOLDING SA', 'debt'])
  assert.deepEqual(read('KANDOU HOLDING SA WTS 1:1 @ USD 3.50 08-18-28 PP (PHYSICAL) (NOT LISTED OR TRADING)', 'EC'), [
    'KANDOU HOLDING SA',
    'warrant',
  ])
  assert.deepEqual(read('Corp., 55% Class A Common Stock and 45% Class C Common Stock'), [
    'Corp.',
    'class a common + class c common',
  ])
  assert.deepEqual(read('Some Fund II Preferred Units'), ['Some Fund II', 'preferred'])
  assert.deepEqual(read('Preferred Networks, Inc.'), ['Preferred Networks, Inc.', null])
  assert.deepEqual(read('Preferred Stock'), ['', 'preferred'])
  assert.deepEqual(read('Common, Inc.'), ['Common, Inc.', null])
})

test('a name without letter or digit is not a name', () => {
  assert.equal(companyOf('...'), null)
  assert.deepEqual(spoken({ issuer_name: 'N/A', title: null }).mentions, [])
})

test('a wrong line of the corrections is refused with its line number', () => {
  const fails = (line: string, what: RegExp) =>
    assert.throws(
      () => readAliases(`action\tname\tto\treason\tdate\n# remark\n${line}`, 'own.tsv'),
      (error: Error) => {
        assert.match(error.message, /^own\.tsv, line 3: /)
        assert.match(error.message, what)
        return true
      },
    )
  fails('join\tA\tB\treason', /4 columns instead of 5/)
  fails('merge\tA\tB\treason\t2026-01-01', /action merge is not one of/)
  fails('join\tA\t\treason\t2026-01-01', /needs a name/)
  fails('join\t...\tB\treason\t2026-01-01', /column "name" has no name/)
  fails('join\tA, Inc.\tA Corp\treason\t2026-01-01', /joined with itself/)
  fails('split\tA\tB\treason\t2026-01-01', /must leave the column "to" empty/)
  fails('join\tA\tB\t \t2026-01-01', /column "reason" is empty/)
  fails('join\tA\tB\treason\t2026-02-30', /is not a day such as/)
  assert.throws(() => readAliases('name\tto\n', 'own.tsv'), /own\.tsv, line 1: the columns must be/)
  assert.throws(
    () =>
      readAliases('action\tname\tto\treason\tdate\njoin\tA\tB\tr\t2026-01-01\njoin\ta\tb\tr\t2026-01-01', 'own.tsv'),
    /line 3: repeats line 2/,
  )
  assert.throws(
    () =>
      readAliases('action\tname\tto\treason\tdate\njoin\tA\tB\tr\t2026-01-01\nsplit\tA\t\tr\t2026-01-01', 'own.tsv'),
    /line 3: A is both joined and split/,
  )
})
