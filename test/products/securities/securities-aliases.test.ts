/**
 * Private securities of one company, tested in the database: a real report, misleading names, an operator's
 * corrections.
 */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { bringCorrections, readCorrections } from '../../../src/ingest/corrections.ts'
import { marked } from '../../../src/ingest/marks.ts'
import { refreshing } from '../../../src/ingest/refresh.ts'
import type { Aliases, Figures, History } from '../../../src/products/securities/answers-price.ts'
import securities from '../../../src/products/securities/index.ts'
import { aliases, priceHistory } from '../../../src/products/securities/routes-price.ts'
import { securityId } from '../../../src/read/securityid.ts'
import { assertRefused, run } from '../../support/command.ts'
import { corpus } from '../../support/corpus.ts'
import { freshDatabase } from '../../support/database.ts'
import { type FundLine, loadDocument, loadFunds } from '../../support/marks-made.ts'
import { DESTINY, HELD } from '../../support/private-holdings.ts'
import { makeAll, stored } from '../../support/securities-made.ts'
import { ask } from '../../support/thirteenf/submissions.ts'
import { temporaryFolder } from '../../support/world.ts'

const idOf = (name: string) => securityId({ cusip: null, isin: null, name, title: null })!

const { sql } = await freshDatabase({ after })
const aliasesOf = (name: string) => ask<Aliases>(sql, aliases, { cusip: idOf(name) })
const historyOf = (name: string, query: Record<string, string> = {}) =>
  ask<History>(sql, priceHistory, { cusip: idOf(name), ...query })
const classesIn = (found: History, period: string): readonly Figures[] =>
  found.periods.find((each) => each.period === period)!.classes

test('the private holdings of Destiny Tech100 are grouped by company as a person groups them, each vehicle with its price', {
  skip: corpus.skip,
}, async () => {
  const text = await readFile(path.join(corpus.folder, `sec/Archives/edgar/data/1843974/${DESTINY}.txt`), 'utf8')
  const document = text.slice(text.indexOf('<XML>') + 5, text.indexOf('</XML>')).trim()
  await loadDocument(sql, { accession: DESTINY, filed: '2026-05-29' }, document)
  const rows = await sql<{ company_name: string; issuer: string; name: string }[]>`
    select company_name, issuer, issuer_name as name from securities.alias join securities.security using (sec_id)`
  assert.equal(rows.length, 45)
  assert.equal(new Set(rows.map(({ issuer }) => issuer)).size, Object.keys(HELD).length)
  for (const [company, beginnings] of Object.entries(HELD)) {
    const names = rows.filter(({ company_name }) => company_name === company).map(({ name }) => name)
    const isOne = new Set(rows.filter(({ company_name }) => company_name === company).map(({ issuer }) => issuer))
    assert.deepEqual([names.length, isOne.size], [beginnings.length, 1], `${company}: ${names.join(' | ')}`)
    for (const begins of beginnings)
      assert.ok(
        names.some((name) => name.startsWith(begins)),
        `${company} lacks ${begins}`,
      )
  }
  const goanna = 'Goanna Capital 26E LLC (invested in OpenAI Group PBC Series C Preferred Stock)'
  const openai = await aliasesOf(goanna)
  assert.deepEqual([openai.issuer_key, openai.company_name], ['openai', 'OpenAI'])
  assert.deepEqual(openai.aliases.map(({ issuer_name }) => issuer_name!.slice(0, 15)).sort(), [
    'DXYZ OAI I LLC ',
    'Goanna Capital ',
  ])
  const snowpoint = 'Snowpoint Growth 2.6, LLC (invested in Space Exploration Technologies Corp. Class B Common Stock)'
  const spacex = await historyOf(snowpoint, { period: '2026-03-31' })
  // Computed by hand: 71,499,928.50 / 135,135, 20,738,073.73 / 42,857 and 15,071,942.60 / 28,486.
  assert.deepEqual(
    classesIn(spacex, '2026-03-31').map(({ class: of, median }) => [of, Number(median)]),
    [
      ['vehicle DXYZ SpaceX I LLC', 529.1],
      ['vehicle MWAM VC SpaceX-II, LLC', 483.89],
      ['vehicle Snowpoint Growth 2.6, LLC', 529.1],
    ],
  )
  assert.equal(spacex.periods[0]!.held_value, '107309944.83')
  assert.ok(spacex.filings.every(({ accession, excluded }) => accession === DESTINY && excluded === null))
  // Khosla Ventures IFSPV II states no balance, so it has a value and no price.
  const foods = await historyOf('Impossible Foods, Inc. - Series A Preferred Stock')
  assert.deepEqual(
    classesIn(foods, '2026-03-31').map(({ mark_count, unpriced, held_value }) => [
      mark_count,
      unpriced,
      Number(held_value),
    ]),
    [
      [0, 1, 141556.29],
      [1, 0, 88920],
    ],
  )
})

/** An LEI with the check digits that ISO 17442 requires. */
function lei(n: number): string {
  const body = `5493${String(n).padStart(14, '0')}`
  const digits = [...`${body}00`].map((sign) => Number.parseInt(sign, 36)).join('')
  return `${body}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}`
}

const privately = { restricted: true, category: 'EP' }
let reports = 0
/** Makes a report of a new fund. */
const report = (period: string, ...lines: readonly (Partial<FundLine> & { name: string })[]) => {
  reports++
  return {
    accession: `9000000031-26-${String(reports).padStart(6, '0')}`,
    ...{ cik: String(reports).padStart(10, '0'), filed: '2026-02-15', period },
    lines: lines.map((line): FundLine => ({ value: '1000', ...privately, ...line })),
  }
}

/** Returns the clusters: the names of each company with reason and confidence, sorted. */
async function grouped(names: readonly string[]) {
  const rows = await sql<{ issuer: string; sec_id: string; reason: string; confidence: string }[]>`
    select issuer, sec_id, reason, confidence from securities.alias where sec_id = any(${names.map(idOf)})`
  const nameOf = new Map(names.map((name) => [idOf(name), name]))
  assert.equal(rows.length, nameOf.size)
  const summary = (row: (typeof rows)[number]) => [nameOf.get(row.sec_id)!, row.reason, Number(row.confidence)] as const
  return [...Map.groupBy(rows, ({ issuer }) => issuer).values()].map((own) => own.map(summary).sort()).sort()
}

/** Expects each name to be a separate company. */
const apart = (...names: string[]) => [...names].sort().map((name) => [[name, 'name', 0.9]])

test('similar names are not evidence: each of ten misleading pairs stays separate, or states its evidence', async () => {
  const one = report(
    '2025-12-31',
    ...[
      { name: 'Stripe, Inc.' },
      { name: 'Striped Bass LLC' },
      { name: 'OpenAir Holdings, Inc.' },
      { name: 'OpenAI Startup Fund I, L.P.' },
      { name: 'X Corp.' },
      { name: 'xAI' },
      { name: 'X.AI Corp. Series C Preferred Stock' },
      { name: 'Canva', balance: '77' },
      { name: 'Anduril Industries, Inc. Series F Preferred Stock' },
      { name: 'Anduril Growth SPV III, LLC' },
      { name: 'Anduril Growth SPV IV, LLC (invested in Anduril Industries, Inc. Series G Preferred Stock)' },
      { name: 'Space Exploration Technologies Corp., Class A' },
      { name: 'SpaceX (via Destiny SPV)' },
      { name: 'Twitterling Holdings, Inc.' },
      { name: 'Birdsong Corp.' },
      { name: 'Apex Energy, LLC', lei: lei(1) },
      { name: 'Apex Energy of Texas, LLC', lei: lei(1) },
      { name: 'Neuralink Corp. / Neura Robotics GmbH' },
      { name: 'Neuralink Corp.' },
      { name: 'Neura Robotics GmbH' },
    ],
  )
  // The reports of the next quarter have three names. One differs in one letter and has the earlier balance. One is
  // another company of the same name. One states the former name.
  const two = report('2025-09-30', { name: 'Canvas', balance: '77' })
  const three = report(
    '2025-12-31',
    { name: 'Apex Energy, LLC', lei: lei(2) },
    { name: 'Apex Energy (Delaware), LLC', lei: lei(2) },
    { name: 'Larkspur Corp. (formerly Twitteroo, Inc.)' },
    { name: 'Twitteroo, Inc. Series A Preferred Stock' },
  )
  await loadFunds(sql, one, { ...two, cik: one.cik }, three)
  const names = [one, two, three].flatMap(({ lines }) => lines.map(({ name }) => name))
  const expected = [
    ...apart('Anduril Growth SPV III, LLC'),
    [
      ['Anduril Growth SPV IV, LLC (invested in Anduril Industries, Inc. Series G Preferred Stock)', 'exposure', 0.9],
      ['Anduril Industries, Inc. Series F Preferred Stock', 'name', 0.9],
    ],
    ...apart('Apex Energy (Delaware), LLC', 'Apex Energy of Texas, LLC', 'Apex Energy, LLC', 'Birdsong Corp.'),
    ...apart('Canva', 'Canvas'),
    [
      ['Larkspur Corp. (formerly Twitteroo, Inc.)', 'name', 0.9],
      ['Twitteroo, Inc. Series A Preferred Stock', 'aka', 0.9],
    ],
    ...apart('Neura Robotics GmbH', 'Neuralink Corp.', 'Neuralink Corp. / Neura Robotics GmbH'),
    ...apart('OpenAI Startup Fund I, L.P.', 'OpenAir Holdings, Inc.'),
    [
      ['Space Exploration Technologies Corp., Class A', 'name', 0.9],
      ['SpaceX (via Destiny SPV)', 'exposure', 0.9],
    ],
    ...apart('Stripe, Inc.', 'Striped Bass LLC', 'Twitterling Holdings, Inc.', 'X Corp.'),
    [
      ['X.AI Corp. Series C Preferred Stock', 'name', 0.9],
      ['xAI', 'name', 0.9],
    ],
  ]
  assert.deepEqual(await grouped(names), expected.sort())
})

test('a fund that states its own LEI for all of its holdings causes no merges', async () => {
  const names = Array.from({ length: 6 }, (_, n) => `Borne ${'ABCDEF'[n]} Works, Inc.`)
  const own = report('2025-12-31', ...names.map((name) => ({ name, lei: lei(7) })))
  await loadFunds(sql, own)
  assert.deepEqual(await grouped(names), apart(...names))
  // An LEI that only five names have may belong to one company.
  const few = names.slice(1)
  await loadFunds(sql, { ...own, lines: own.lines.slice(1) })
  assert.equal((await grouped(few)).length, 1)
})

const HEADER = 'action\tname\tto\treason\tdate'
const line = (action: string, name: string, to: string) =>
  [action, name, to, 'by our own review', '2026-11-22'].join('\t')

/** Reads the file like a start, and makes the marked companies. @returns the number of keys */
async function take(file: string | null): Promise<number> {
  await bringCorrections(sql, await readCorrections([securities], () => file))
  const [waiting] = await marked(sql)
  await refreshing({ sql, slices: [securities] }, async () => {})
  return waiting?.waiting ?? 0
}

test('an operator’s file precedes the built-in file; its lines join, remove and rename from the next refresh on, until the file is removed', async (t) => {
  const file = path.join(await temporaryFolder(t), 'aliases.tsv')
  const write = (...lines: string[]) => writeFile(file, `\ufeff${[HEADER, '# ours', ...lines, ''].join('\r\n')}`)
  const held = [
    'Fund Nine SPV, LLC',
    'Zipline International, Inc.',
    'SpaceX Series N Preferred Stock',
    'Space Exploration Technologies Corp. Series N',
    'Grammarly, Inc.',
    'Superhuman Platform, Inc. Common Stock',
  ]
  await loadFunds(sql, report('2025-12-31', ...held.map((name) => ({ name }))))
  const before = await stored(sql)
  const companies = async () => (await grouped(held)).map((own) => own.map(([name]) => name.slice(0, 12)))
  const ours = [['Fund Nine SP'], ['Grammarly, I', 'Superhuman P'], ['Space Explor', 'SpaceX Serie'], ['Zipline Inte']]
  assert.deepEqual(await companies(), ours)
  assert.equal(await take(null), 0)

  await write(line('join', 'Fund Nine SPV, LLC', 'Zipline International, Inc.'), line('split', 'Grammarly', ''))
  assert.ok((await take(file)) > 0)
  assert.deepEqual(await companies(), [
    ['Fund Nine SP', 'Zipline Inte'],
    ['Grammarly, I'],
    ['Space Explor', 'SpaceX Serie'],
    ['Superhuman P'],
  ])
  const joined = (await aliasesOf(held[0]!)).aliases.find(({ issuer_name }) => issuer_name === held[0])!
  assert.deepEqual([joined.reason, joined.basis], ['override', 'by our own review (2026-11-22)'])
  const prices = await historyOf(held[0]!)
  assert.equal(Number(prices.periods[0]!.held_value), 2000)
  const made = await stored(sql)
  await makeAll(sql)
  assert.deepEqual(await stored(sql), made, 'a full refresh gives the same rows')
  assert.equal(await take(file), 0, 'a file with the same corrections marks nothing')

  // The built-in corrections join SpaceX with Space Exploration Technologies and rename it SpaceX.
  await write(
    line('split', 'SpaceX', ''),
    line('rename', 'Space Exploration Technologies Corp.', 'SETC'),
    line('join', 'Grammarly, Inc.', 'Zipline International, Inc.'),
    line('join', 'Fund Nine SPV, LLC', 'OpenAI Global, LLC'),
  )
  await take(file)
  assert.deepEqual(await companies(), [
    ['Fund Nine SP'],
    ['Grammarly, I', 'Zipline Inte'],
    ['Space Explor'],
    ['SpaceX Serie'],
    ['Superhuman P'],
  ])
  assert.equal((await aliasesOf(held[3]!)).company_name, 'SETC')
  // The built-in corrections join that name to OpenAI.
  assert.equal((await aliasesOf(held[0]!)).company_name, 'OpenAI')

  await take(null)
  assert.deepEqual(await stored(sql), before)
})

test('if no reports of funds are recorded as loaded, the refusal of a security without aliases says so', async (t) => {
  const { sql } = await freshDatabase(t)
  await loadFunds(sql, report('2025-12-31', { name: 'Kestrel Corp', cusip: '037833100', level: 1 }))
  const [held] = await sql<
    { sec_id: string; is_private: boolean }[]
  >`select sec_id, is_private from securities.security`
  assert.equal(held!.is_private, false)
  const message = /no reports of funds \(N-PORT\) have been loaded/
  await assert.rejects(ask<Aliases>(sql, aliases, { cusip: held!.sec_id }), { status: 404, message })
})

test('an id once published links to its company after new spellings, a second legal form, a merger and a split', async (t) => {
  const leads = async (id: string) =>
    (await ask<Aliases>(sql, aliases, { cusip: id })).aliases.map(({ issuer_name }) => issuer_name).sort()
  const leadsNowhere = (id: string) => assert.rejects(leads(id), { status: 404 }, id)
  const shown = async (name: string) => (await aliasesOf(name)).company_id
  await loadFunds(sql, report('2025-12-31', { name: 'Quanta Lab, Inc.' }, { name: 'Quanta Lab Holdings, LLC' }))
  const given = [(await shown('Quanta Lab, Inc.'))!, (await shown('Quanta Lab Holdings, LLC'))!]
  assert.deepEqual(given, ['company~quantalab-inc', 'company~quantalabholdings-llc'])
  assert.deepEqual(await leads('company~quantalab'), ['Quanta Lab, Inc.'])
  assert.deepEqual(await leads('company~Quanta Lab Corp.'), ['Quanta Lab, Inc.'])
  // An LLC is another company.
  await leadsNowhere('company~quantalab-llc')
  await leadsNowhere('company~nobodyatall')
  await leadsNowhere('company~...')

  // Funds write the name in other ways, and a second company has the same name.
  await loadFunds(sql, report('2025-12-31', { name: 'QuantaLab Incorporated' }, { name: 'QUANTALAB INC Series B' }))
  await loadFunds(sql, report('2025-12-31', { name: 'Quanta Lab LLC', value: '5000000' }))
  const inc = ['QUANTALAB INC Series B', 'Quanta Lab, Inc.', 'QuantaLab Incorporated']
  assert.deepEqual(await leads(given[0]!), inc)
  assert.deepEqual(await leads('company~quantalab-llc'), ['Quanta Lab LLC'])
  assert.deepEqual(
    await leads('company~quantalab'),
    ['Quanta Lab LLC'],
    'without a legal form the id means the largest company',
  )

  const file = path.join(await temporaryFolder(t), 'aliases.tsv')
  await writeFile(file, [HEADER, line('join', 'Quanta Lab Holdings, LLC', 'Quanta Lab, Inc.'), ''].join('\n'))
  await take(file)
  for (const id of given) assert.deepEqual(await leads(id), [...inc, 'Quanta Lab Holdings, LLC'].sort(), id)
  assert.equal(await shown('Quanta Lab Holdings, LLC'), 'company~quantalab-inc')
  assert.deepEqual((await aliasesOf('QuantaLab Incorporated')).ids, [
    'company~quantalab-inc',
    'company~quantalabholdings-llc',
  ])

  await writeFile(
    file,
    [HEADER, line('split', 'Quanta Lab Holdings, LLC', ''), line('rename', 'Quanta Lab, Inc.', 'Qubits'), ''].join(
      '\n',
    ),
  )
  await take(file)
  assert.deepEqual(await leads(given[0]!), inc)
  assert.deepEqual(await leads(given[1]!), ['Quanta Lab Holdings, LLC'])
  assert.deepEqual(await leads('company~qubits'), inc)
  assert.equal(await shown('Quanta Lab, Inc.'), 'company~quantalab-inc')
  const made = await stored(sql)
  await makeAll(sql)
  assert.deepEqual(await stored(sql), made, 'a full refresh gives the same rows')
  await take(null)
  await leadsNowhere('company~qubits')
})

test('if the file of corrections is unreadable or has an invalid line, a start ends before anything is opened, and the error names file and line', async (t) => {
  const folder = await temporaryFolder(t)
  const file = path.join(folder, 'own aliases.tsv')
  const refused = (of: string, what: RegExp) =>
    assert.rejects(
      readCorrections([securities], () => of),
      (error: Error) => {
        assert.deepEqual([error.name, error.message.startsWith(`COMPANY_ALIASES ${of}`)], ['UserError', true])
        assert.match(error.message.slice(`COMPANY_ALIASES ${of}`.length), what)
        return true
      },
    )
  await refused(file, /^ cannot be read: ENOENT$/)
  await mkdir(file)
  await refused(file, /^ cannot be read: it is not a file$/)
  const bad = path.join(folder, 'bad.tsv')
  const lines = (...of: (string | Buffer)[]) =>
    Buffer.concat(of.flatMap((each) => [Buffer.from(each as string), Buffer.from('\n')]))
  const cases: [Buffer, RegExp][] = [
    [
      lines(HEADER, line('join', 'A', 'B'), line('merge', 'A', 'B')),
      /^, line 3: the action merge is not one of join, split and rename$/,
    ],
    [lines(HEADER, '', Buffer.from([0x6a, 0xff, 0x00])), /^, line 3: is not valid UTF-8$/],
    [Buffer.from(`${HEADER}\njoin`, 'utf16le'), /^, line 1: /],
    [lines(HEADER, line('rename', 'A', 'B\u0000C')), /^, line 2: has a control character$/],
    [lines(HEADER, line('rename', 'A', '\u202eB')), /^, line 2: has a control character$/],
    [lines(HEADER, line('rename', 'A', 'B'.repeat(301))), /^, line 2: has a column of more than 300 characters$/],
    [Buffer.alloc(1_000_001, 'x'), /^ cannot be read: it has more than 1 MB$/],
    [lines('a list of something else'), /^, line 1: the columns must be action, name, to, reason, date$/],
  ]
  for (const [text, what] of cases) {
    await writeFile(bad, text)
    await refused(bad, what)
  }
  await writeFile(bad, cases[0]![0])
  const DATA_DIR = path.join(folder, 'data')
  const started = await run(['serve', '--port', '0'], { DATA_DIR, COMPANY_ALIASES: bad })
  assertRefused(started, /COMPANY_ALIASES \/.*bad\.tsv, line 3: the action merge is not one of join, split and rename$/)
})
