/** A dataset whose sets have lines that belong to records, and such sets in any line order, for tests. */
import path from 'node:path'
import { catalog } from '../../../src/declare/catalog.ts'
import { dataset, filings, type ParsedRow } from '../../../src/declare/dataset.ts'
import { xml } from '../../../src/declare/documents.ts'
import type { SetParts, SetRecord } from '../../../src/declare/sets.ts'
import { boolean, integer, table, text } from '../../../src/declare/table.ts'
import { writeZip } from '../bulk-world.ts'
import { bytesOf } from '../random.ts'
import { temporaryFolder } from '../world.ts'

export const NAME = '2024q1_cargo.zip'

function parseSet({ lines, records, tell }: SetParts): Iterable<ParsedRow> | AsyncIterable<ParsedRow> {
  const all = (member: string) => lines.get(member) ?? []
  const isPaged = records !== null && Symbol.asyncIterator in records
  const voyage: ParsedRow = [
    'voyage',
    {
      note: all('NOTE')[0]?.text('NOTE') ?? null,
      owners: all('OWNER')
        .map((row) => row.text('OWNER'))
        .join(' '),
      is_paged: isPaged,
    },
  ]
  let n = 0
  function* rowsOf({ row, lines: own }: SetRecord): Generator<ParsedRow> {
    n++
    const marks = own.get('MARK') ?? []
    const loans = own.get('LOAN') ?? []
    yield ['crate', { n, id: row.integer('CRATE_ID')!, label: row.text('LABEL'), lent: loans[0]?.flag('LENT') ?? null }]
    for (const [at, mark] of marks.entries()) yield ['mark', { n, seq: at + 1, mark: mark.text('MARK') }]
    for (const one of [row, ...marks, ...loans]) tell({ problems: one.problems() })
  }
  if (isPaged) return paged(records as AsyncIterable<SetRecord>)
  return held((records ?? []) as Iterable<SetRecord>)
  function* held(some: Iterable<SetRecord>) {
    yield voyage
    for (const record of some) yield* rowsOf(record)
  }
  async function* paged(some: AsyncIterable<SetRecord>) {
    yield voyage
    for await (const record of some) yield* rowsOf(record)
  }
}

export const cargo = dataset({
  slug: 'cargo',
  label: 'Cargo lists',
  group: 'Test',
  source: filings({
    forms: ['CARGO'],
    documents: { cover: xml({ name: 'primary_doc.xml' }) },
    async *parse({ documents: { cover } }) {
      yield ['voyage', { note: cover.text('note'), owners: '', is_paged: false }]
    },
  }),
  sets: {
    list: '/cargo',
    file: /^(\d{4})q([1-4])_cargo\.zip$/,
    example: NAME,
    bytesMax: 64 * 1024 ** 2,
    days: ([, year, quarter]) => ({ from: `${year}-0${Number(quarter)}-01`, to: `${year}-0${Number(quarter)}-28` }),
    members: {
      SUBMISSION: ['ACCESSION_NUMBER', 'FILING_DATE', 'FORM'],
      NOTE: ['ACCESSION_NUMBER', 'NOTE'],
      OWNER: ['FUND_ID', 'OWNER'],
      CRATE: ['ACCESSION_NUMBER', 'CRATE_ID', 'LABEL'],
      MARK: ['CRATE_ID', 'MARK'],
      LOAN: ['CRATE_ID', 'LENT'],
    },
    optional: ['NOTE', 'LOAN'],
    key: 'ACCESSION_NUMBER',
    keys: { OWNER: 'FUND_ID' },
    head: 'SUBMISSION',
    records: 'CRATE',
    order: 'CRATE_ID',
    ofRecords: ['MARK', 'LOAN'],
    isOther: (head) => head.text('FORM') === 'NT CARGO',
    filedDate: (head) => head.date('FILING_DATE'),
    parse: parseSet,
    parser: new URL(import.meta.url),
  },
  tables: {
    voyage: table('cargo.voyage', 'One row per filing', [], {
      note: text('Note').nullable(),
      owners: text('Owners'),
      is_paged: boolean('Whether its records came in pages'),
    }),
    crate: table('cargo.crate', 'One row per crate', ['n'], {
      n: integer('Number'),
      id: integer('Number in the set'),
      label: text('Label').nullable(),
      lent: boolean('Whether it is lent').nullable(),
    }),
    mark: table('cargo.mark', 'One row per mark', ['n', 'seq'], {
      n: integer('Number of the crate'),
      seq: integer('Number of the mark'),
      mark: text('Mark').nullable(),
    }),
  },
  parser: new URL(import.meta.url),
  family: { table: 'voyage', columns: ['note'], facets: ['note'] },
  routes: [],
})

export const own = catalog([cargo], [], [])

interface Crate {
  id: number
  label: string
  marks: string[]
  lent: boolean | null
}

export interface Voyage {
  accession: string
  note: string | null
  owners: string[]
  crates: Crate[]
}

export const accessionOf = (n: number) => `0000000111-24-${String(n).padStart(6, '0')}`

/** Makes voyages: the numbers of crates rise within each voyage, and those of different voyages are interleaved. */
export function voyages(
  count: number,
  { random, large = 0, crates = 40 }: { random: () => number; large?: number; crates?: number },
): Voyage[] {
  const below = (n: number) => Math.floor(random() * n)
  const all: Voyage[] = Array.from({ length: count }, (_, at) => ({
    accession: accessionOf(at + 1),
    note: below(2) ? `Note ${at} with a \\ and "quotes"` : null,
    owners: Array.from({ length: below(3) }, (_, n) => `owner${n}`),
    crates: [],
  }))
  const wanted = all.map((_, at) => (at < large ? 2_500 : below(crates)))
  const open = all.flatMap((_, at) => (wanted[at]! > 0 ? [at] : []))
  for (let id = 1_000 + below(1_000); open.length > 0; id += 1 + below(3)) {
    const at = below(open.length)
    const to = all[open[at]!]!
    const isLarge = open[at]! < large
    // Incompressible text, because a zip that compresses too well is refused.
    const label = isLarge ? bytesOf(random, 1_200).toString('base64') : `crate ${id}`
    to.crates.push({
      id,
      label,
      marks: Array.from(
        { length: below(4) },
        (_, n) => `mark ${id}.${n}${isLarge ? bytesOf(random, 900).toString('base64') : ''}`,
      ),
      lent: below(3) ? Boolean(below(2)) : null,
    })
    if (to.crates.length === wanted[open[at]!]) open.splice(at, 1)
  }
  return all
}

export type Order = (lines: string[]) => string[]

/** Returns the members of the set with these voyages, each with its lines in the given order. */
export function cargoMembers(all: readonly Voyage[], order: Order = (lines) => lines): Record<string, string> {
  const byId = all
    .flatMap(({ accession, crates }) => crates.map((crate) => ({ accession, ...crate })))
    .sort((a, b) => a.id - b.id)
  const written = (header: string, lines: string[]) => `${[header, ...order(lines)].join('\n')}\n`
  return {
    'SUBMISSION.tsv': written(
      'ACCESSION_NUMBER\tFILING_DATE\tFORM',
      all.map(({ accession }) => `${accession}\t2024-02-01\tCARGO`),
    ),
    'NOTE.tsv': written(
      'ACCESSION_NUMBER\tNOTE',
      all.flatMap(({ accession, note }) => (note === null ? [] : [`${accession}\t${note}`])),
    ),
    // Owners of one filing keep the order of the lines.
    'OWNER.tsv': `${['FUND_ID\tOWNER', ...all.flatMap(({ accession, owners }) => owners.map((owner) => `${accession}_0000000111_S1\t${owner}`))].join('\n')}\n`,
    'CRATE.tsv': written(
      'ACCESSION_NUMBER\tCRATE_ID\tLABEL',
      byId.map(({ accession, id, label }) => `${accession}\t${id}\t${label}`),
    ),
    // Marks of one crate also keep their order, although the crates themselves come in any order.
    'MARK.tsv': written(
      'CRATE_ID\tMARK',
      byId.flatMap(({ id, marks }) => (marks.length > 0 ? [marks.map((mark) => `${id}\t${mark}`).join('\n')] : [])),
    ),
    'LOAN.tsv': written(
      'CRATE_ID\tLENT',
      byId.flatMap(({ id, lent }) => (lent === null ? [] : [`${id}\t${lent}`])),
    ),
  }
}

/** Writes such a set into a separate folder. @returns the file of the set */
export async function cargoSet(
  t: Parameters<typeof temporaryFolder>[0],
  members: Record<string, string>,
  name = NAME,
): Promise<string> {
  const file = path.join(await temporaryFolder(t), name)
  await writeZip(file, members)
  return file
}

/** Returns the rows of these voyages, made without the tested code. */
export const rowsOf = (all: readonly Voyage[]) => ({
  voyage: all.map(({ accession, note, owners }) => ({ accession, note, owners: owners.join(' ') })),
  crate: all.flatMap(({ accession, crates }) =>
    crates.map(({ id, label, lent }, at) => ({ accession, n: at + 1, id, label, lent })),
  ),
  mark: all.flatMap(({ accession, crates }) =>
    crates.flatMap(({ marks }, at) => marks.map((mark, seq) => ({ accession, n: at + 1, seq: seq + 1, mark }))),
  ),
})
