/**
 * The search has the identifying numbers that filings state. After loads, amendments and removals, these numbers equal
 * those of a model in memory, and those of a full rebuild.
 *
 * @server it counts the rows that the plans of that server read
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import crowdfunding from '../../../src/datasets/crowdfunding/index.ts'
import form144 from '../../../src/datasets/form144/index.ts'
import ncen from '../../../src/datasets/ncen/index.ts'
import nport from '../../../src/datasets/nport/index.ts'
import offerings from '../../../src/datasets/offerings/index.ts'
import type { FilingsDataset, ParsedRow } from '../../../src/declare/dataset.ts'
import type { DatasetRefresh } from '../../../src/declare/refresh.ts'
import { load, type Parsed } from '../../../src/ingest/load.ts'
import product from '../../../src/products/search/index.ts'
import type { Sql, Transaction } from '../../../src/store/db.ts'
import { within } from '../../../src/store/path.ts'
import { freshDatabase } from '../../support/database.ts'
import { randomFor } from '../../support/random.ts'
import { changing, remake } from '../../support/refreshed.ts'
import { filled } from '../../support/securities-made.ts'

const { sql } = await freshDatabase({ after })

/**
 * A filing that states two numbers: one of its owner (the filer), and one of another party or thing, such as a portal
 * or a series of a fund.
 */
interface Stated {
  accession: string
  filedDate: string
  /** The ids of the owner and of the other party, and their numbers, are made from these digits. */
  owner: number
  other: number
  number: number
  otherNumber: number
}

type Code = readonly [code: string, id: string, what: 'file_number' | 'lei', part: number]

interface Coded {
  dataset: FilingsDataset & { refresh?: DatasetRefresh }
  rows: (filing: Stated) => ParsedRow[]
  /** Codes that the search should have, each with the thing that it identifies; null for a source without a model. */
  codes: ((filing: Stated) => Code[]) | null
}

const cikOf = (owner: number) => String(owner).padStart(10, '0')
const seriesOf = (owner: number) => `S${String(owner).padStart(9, '0')}`
/** A file number with zeros that the search leaves out. */
const fileOf = (number: number) => `0${10 + (number % 3)}-0${number}`
const storedFile = (number: number) => `${10 + (number % 3)}-${number}`
const leiOf = (number: number) => `LEI${String(number).padStart(15, '0')}00`
const fundsOf = (key: string, code: string, part: number): Code[] => [
  [code, `fund ${key}`, 'lei', part],
  [code, `money_market_fund ${key}`, 'lei', part],
]

const SOURCES: readonly Coded[] = [
  {
    dataset: form144,
    rows: ({ owner, number }) => [
      [
        'notice',
        filled(form144.tables.notice!, { issuer_cik: cikOf(owner), issuer_file_number: fileOf(number) }),
      ] as ParsedRow,
    ],
    codes: ({ owner, number }) => [[storedFile(number), `company ${cikOf(owner)}`, 'file_number', 0]],
  },
  {
    dataset: crowdfunding,
    rows: ({ owner, other, number, otherNumber }) => [
      [
        'submission',
        filled(crowdfunding.tables.submission!, {
          ...{ submission_type: 'C', cik: cikOf(owner), file_number: fileOf(number) },
          ...{ intermediary_cik: cikOf(other), intermediary_file_number: fileOf(otherNumber) },
        }),
      ] as ParsedRow,
    ],
    codes: ({ owner, other, number, otherNumber }) => [
      [storedFile(number), `company ${cikOf(owner)}`, 'file_number', 0],
      ...(['portal', 'broker', 'company'] as const).map(
        (kind): Code => [storedFile(otherNumber), `${kind} ${cikOf(other)}`, 'file_number', 1],
      ),
    ],
  },
  {
    // A fund of every second owner has no series.
    dataset: nport,
    rows: ({ owner, number, otherNumber, filedDate }) => {
      const series_id = owner % 2 ? seriesOf(owner) : null
      const fund = [cikOf(owner), ...(series_id ? [series_id] : [])].join('-')
      const of = { cik: cikOf(owner), series_id, fund, period: filedDate, fund_name: 'A', registrant_name: 'B' }
      const numbers = { file_number: fileOf(number), registrant_lei: leiOf(number), series_lei: leiOf(otherNumber) }
      return [['report', filled(nport.tables.report!, { submission_type: 'NPORT-P', ...of, ...numbers })] as ParsedRow]
    },
    codes: ({ owner, number, otherNumber }) => [
      [storedFile(number), `company ${cikOf(owner)}`, 'file_number', 0],
      [leiOf(number), `company ${cikOf(owner)}`, 'lei', 1],
      ...fundsOf(owner % 2 ? seriesOf(owner) : cikOf(owner), leiOf(otherNumber), 3 - (owner % 2)),
    ],
  },
  {
    // An LEI of a provider leads only to the filing.
    dataset: ncen,
    rows: ({ owner, number, otherNumber, filedDate }) => {
      const of = { cik: cikOf(owner), period: filedDate, submission_type: 'N-CEN' }
      return [
        ['report', filled(ncen.tables.report!, { ...of, file_number: fileOf(number), lei: leiOf(number) })],
        ['provider', filled(ncen.tables.provider!, { n: 1, role: 'custodian', lei: leiOf(otherNumber) })],
      ] as ParsedRow[]
    },
    codes: ({ owner, number, otherNumber }) => [
      [storedFile(number), `company ${cikOf(owner)}`, 'file_number', 0],
      [leiOf(number), `company ${cikOf(owner)}`, 'lei', 1],
      [leiOf(otherNumber), '', 'lei', 4],
    ],
  },
  {
    // Half of the numbers of this dataset come from a rollup.
    dataset: offerings,
    rows: ({ owner, number, accession }) => [
      [
        'filing',
        filled(offerings.tables.filing!, {
          ...{ form: 'S-1', kind: 'registration', cik: cikOf(owner), company_name: accession },
          registration_file_number: number % 4 ? fileOf(number) : null,
        }),
      ] as ParsedRow,
    ],
    codes: null,
  },
]

const SLICES = [...SOURCES.map(({ dataset }) => dataset), product]

type Filed = ReadonlyMap<string, Stated>

/** Stores the headers of offerings, which state the file numbers of the rollup. */
async function writeHeaders(tx: Transaction, filings: Filed, keys: readonly string[]) {
  await tx`delete from edgar.filing where accession = any(${keys as string[]})`
  for (const accession of keys) {
    const filing = filings.get(accession)
    if (!filing) continue
    const header = { filers: [{ cik: cikOf(filing.owner), fileNumber: `333-${filing.otherNumber}` }] }
    const row = { accession, form_type: 'S-1', filed_date: filing.filedDate, cik: cikOf(filing.owner) }
    await tx`insert into edgar.filing ${tx({ ...row, company_name: '', name_key: '', path: '' })}`
    await tx`
      insert into edgar.submission ${tx({ accession, sha256: '', bytes: 0, source_url: '', header: tx.json(header), documents: '[]' })}`
  }
}

/** Stores these filings; a filing that is not in the map is removed. */
async function store(tx: Transaction, { dataset, rows }: Coded, keys: readonly string[], filings: Filed) {
  for (const table of Object.values(dataset.tables)) {
    await tx`delete from ${tx(table.id)} where accession = any(${keys as string[]})`
  }
  if (dataset === offerings) await writeHeaders(tx, filings, keys)
  const parsed = keys.flatMap((key): Parsed[] => {
    const filing = filings.get(key)
    return filing ? [{ accession: key, filedDate: filing.filedDate, rows: rows(filing) }] : []
  })
  await load(tx, dataset, parsed)
}

/** Changes the rows of these filings as a load does, and refreshes the rollups. */
const change = (source: Coded, keys: readonly string[], filings: Filed, of = sql) =>
  changing(of, source.dataset, { keys }, (tx) => store(tx, source, keys, filings), SLICES)

interface Row {
  code: string
  id: string
  what: string
  source: string
  part: number
  accession: string | null
  filed_date: string | null
}

const stored = () => sql<Row[]>`select * from search.code order by source, code, id, what, part`

/** The rows that the search should have for these filings of a source. */
function expected({ dataset, codes }: Coded, filings: Filed): Row[] {
  const newest = new Map<string, Row>()
  const byDate = [...filings.values()].toSorted((a, b) =>
    `${a.filedDate} ${a.accession}` < `${b.filedDate} ${b.accession}` ? -1 : 1,
  )
  for (const filing of byDate) {
    for (const [code, id, what, part] of codes!(filing)) {
      const row = {
        code,
        id,
        what,
        part,
        source: dataset.slug,
        accession: filing.accession,
        filed_date: filing.filedDate,
      }
      newest.set([code, id, what, part].join('\n'), row)
    }
  }
  return [...newest.values()]
}

const inOrder = (rows: readonly Row[]) =>
  rows
    .map((row) => JSON.stringify([row.source, row.part, row.code, row.id, row.what, row.accession, row.filed_date]))
    .sort()

test('after random loads, amendments and removals, the stored numbers equal the numbers of a model and of a full rebuild', async () => {
  const random = randomFor('codes')
  const below = (end: number) => Math.floor(random() * end)
  const all = SOURCES.map((source) => ({ source, filings: new Map<string, Stated>() }))
  for (let turn = 0; turn < 12; turn++) {
    for (const { source, filings } of all) {
      // There are few filings, owners and numbers, so filings often share a number, and the newest is often removed.
      const keys = new Set(
        Array.from({ length: 1 + below(4) }, () => `0000000001-25-${String(below(30)).padStart(6, '0')}`),
      )
      for (const accession of keys) {
        const day = String(1 + below(9))
        const filing = { owner: 1 + below(4), other: 1 + below(4), number: 10 + below(4), otherNumber: 10 + below(4) }
        if (below(3) === 0) filings.delete(accession)
        else filings.set(accession, { accession, filedDate: `2025-01-0${day}`, ...filing })
      }
      await change(source, [...keys], filings)
      assert.deepEqual([...(await sql`select slug, key, reason from core.mark`)], [])
      if (!source.codes) continue
      const rows = (await stored()).filter((row) => row.source === source.dataset.slug)
      assert.deepEqual(inOrder(rows), inOrder(expected(source, filings)), source.dataset.slug)
    }
    if (turn % 6 !== 5) continue
    const followed = await stored()
    assert.ok(followed.some(({ source, code }) => source === 'offerings' && code.startsWith('333-')))
    await remake(sql, product)
    assert.deepEqual(inOrder(await stored()), inOrder(followed))
  }
})

test('if more filings change than the limit for single look-ups, all numbers of the dataset are made again', async () => {
  const source = SOURCES.find(({ codes }) => codes)!
  const { slug } = source.dataset
  const filing = {
    accession: '0000000004-25-000001',
    filedDate: '2026-01-01',
    owner: 1,
    other: 1,
    number: 10,
    otherNumber: 10,
  }
  await change(source, [filing.accession], new Map([[filing.accession, filing]]))
  const before = inOrder(await stored())
  assert.ok(before.some((row) => row.includes(filing.accession)))
  const made = (keys: number) =>
    sql.begin(async (tx) => {
      await tx`delete from search.code where source = ${slug}`
      await within(tx, product.slug, () =>
        product.refresh.make(
          tx,
          Array.from({ length: keys }, (_, n) => `${slug} 0000000005-25-${String(n).padStart(6, '0')}`),
        ),
      )
    })
  await made(1)
  assert.equal((await stored()).filter((row) => row.source === slug).length, 0)
  await made(50_001)
  assert.deepEqual(inOrder(await stored()), before)
})

/** Returns the rows that the refresh of the search reads from tables for a change of one filing. */
const readFor = (of: Sql, key: string): Promise<number> =>
  of.begin(async (tx) => {
    // Tables of a test are small, so a scan would be right; the count shows whether an index is usable.
    await tx`set local enable_seqscan to off`
    // With this setting, a look-up of the ten accessions that a plan assumes costs less than a scan of a whole small
    // index.
    await tx`set local random_page_cost to 0.1`
    const read = async () => {
      const [row] = await tx<[{ rows: number }]>`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables`
      return row.rows
    }
    const before = await read()
    await within(tx, product.slug, () => product.refresh.make(tx, [key]))
    return (await read()) - before
  })

/** Number of filings of an owner in a made history. */
const EACH = 5

test('a load or a removal of one filing reads no more rows for its numbers when the history is four times as long', async (t) => {
  const { sql: of } = await freshDatabase(t)
  for (const source of SOURCES) {
    const { slug } = source.dataset
    const filings = new Map<string, Stated>()
    const grow = async (end: number) => {
      const added = Array.from({ length: end - filings.size }, (_, at): Stated => {
        const n = filings.size + at
        const owner = 100 + Math.floor(n / EACH)
        const accession = `0000000002-20-${String(n).padStart(6, '0')}`
        const filedDate = `2020-01-0${1 + (n % EACH)}`
        return { accession, filedDate, owner, other: owner, number: owner, otherNumber: owner }
      })
      for (const filing of added) filings.set(filing.accession, filing)
      await change(
        source,
        added.map(({ accession }) => accession),
        filings,
        of,
      )
      await of`vacuum analyze`
    }
    const read = async () => {
      const accession = '0000000003-25-000001'
      const one = { accession, filedDate: '2025-01-01', owner: 101, other: 101, number: 101, otherNumber: 101 }
      const rows: number[] = []
      for (const now of [new Map([[accession, one]]), new Map()]) {
        await of.begin((tx) => store(tx, source, [accession], now))
        rows.push(await readFor(of, `${slug} ${accession}`))
      }
      return rows
    }
    await grow(100)
    const few = await read()
    await grow(400)
    const many = await read()
    assert.ok(few[1]! > 0)
    for (const at of [0, 1])
      assert.ok(many[at]! <= few[at]! + EACH, `${slug}: ${many} rows, ${few} of a quarter of them`)
  }
})

test('a filed number that is too long for an index does not count as a number, and does not stop a refresh of all numbers', async () => {
  const source = SOURCES.find(({ dataset }) => dataset === form144)!
  const filing = { accession: '0000000006-25-000001', filedDate: '2026-02-01', owner: 7, other: 7 }
  const random = randomFor('no number')
  const long = Array.from({ length: 10_000 }, () => String(Math.floor(random() * 10))).join('')
  const [name, row] = source.rows({ ...filing, number: 77, otherNumber: 77 })[0]!
  const parsed = { ...filing, rows: [[name, { ...row, issuer_file_number: `001-${long}` }] as ParsedRow] }
  const keys = [filing.accession]
  await changing(sql, form144, { keys }, (tx) => load(tx, form144, [parsed as Parsed]), [form144, product])
  assert.deepEqual([...(await sql`select slug, key, reason from core.mark`)], [])
  await remake(sql, product)
  assert.equal((await sql`select from search.code where accession = ${filing.accession}`).length, 0)
})
