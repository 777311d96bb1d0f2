/** Reads Form 13F of the corpus like the loader: cover, table and header become rows. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Reported } from '../../../src/datasets/thirteenf/compose.ts'
import { parseCover } from '../../../src/datasets/thirteenf/parse/cover.ts'
import { parseTable } from '../../../src/datasets/thirteenf/parse/table.ts'
import { parseTextCover } from '../../../src/datasets/thirteenf/parse/text/cover.ts'
import { parseText } from '../../../src/datasets/thirteenf/parse/text.ts'
import type { Findings, Holding } from '../../../src/datasets/thirteenf/parse/types.ts'
import { nothingFound } from '../../../src/datasets/thirteenf/parse/values.ts'
import { type Filing, type Row, rowsOf } from '../../../src/datasets/thirteenf/report.ts'
import {
  type MEMBERS,
  parseSetCover,
  parseSetHeader,
  parseSetLine,
} from '../../../src/datasets/thirteenf/sets/parse.ts'
import { quarterlySets } from '../../../src/datasets/thirteenf/sets.ts'
import * as tables from '../../../src/datasets/thirteenf/tables.ts'
import { CsvHeader, CsvRow } from '../../../src/read/csv.ts'
import { tsvValues } from '../../../src/read/tsv-lines.ts'
import type { Problem } from '../../../src/read/xml.ts'
import { parse as parseXml } from '../../../src/read/xml.ts'
import { membersOf } from '../../../src/read/zip.ts'
import { corpus } from '../corpus.ts'

type Of<K extends Row[0]> = Extract<Row, readonly [K, unknown]>[1]

export interface ReadReport {
  accession: string
  filedDate: string
  report: Of<'report'>
  quality: Of<'quality'>
  positions: Of<'position'>[]
  managers: Of<'manager'>[]
  securities: Map<string, Of<'security'>>
  unread: string[]
  problems: Problem[]
}

/** Path, form and accession of every Form 13F in the corpus. */
export function listed(): { file: string; form: string; cik: string; accession: string }[] {
  const [, ...lines] = readFileSync(path.join(corpus.folder, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n')
  return lines
    .map((line) => line.split('\t'))
    .filter(([, form]) => /^13F-/.test(form!))
    .map(([file, form, cik, accession]) => ({ file: file!, form: form!, cik: cik!, accession: accession! }))
}

/** Reads one submission of the corpus. */
export async function readSubmission({ file, form, accession }: { file: string; form: string; accession: string }) {
  const text = readFileSync(path.join(corpus.folder, file), 'latin1')
  const day = (name: RegExp) => new RegExp(`${name.source}\\D*(\\d{4})(\\d\\d)(\\d\\d)`).exec(text)?.slice(1).join('-')
  const header = {
    submissionType: form,
    filedDate: day(/(?:FILED AS OF DATE:|<FILING-DATE>)/)!,
    cik: /(?:CENTRAL INDEX KEY:\s*|<CIK>)(\d{10})/.exec(text)![1]!,
    period: day(/(?:CONFORMED PERIOD OF REPORT:|<PERIOD>)/) ?? null,
    name: /(?:COMPANY CONFORMED NAME:\s*|<CONFORMED-NAME>)([^\r\n<]+)/.exec(text)![1]!.trim(),
  }
  const found = nothingFound()
  const documents = [...text.matchAll(/<XML>\s*([\s\S]*?)<\/XML>/g)].map(([, xml]) => xml!)
  if (documents.length === 0) {
    const body = /<TEXT>([\s\S]*)<\/TEXT>/.exec(text)![1]!
    const cover = parseTextCover(body, form, found)
    return read(accession, { header, cover, holdings: parseText(body, found), found, source: 'text' }, [], [])
  }
  const primary = parseXml(documents[0]!)
  const cover = parseCover(primary)
  const holdings = documents[1] === undefined ? null : parseTable(bytesOf(documents[1]), found)
  return read(accession, { header, cover, holdings, found, source: 'xml' }, primary.unread(), primary.problems())
}

/** Yields pieces that end anywhere, as from a network. */
export async function* bytesOf(text: string, size = 8_191): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text, 'latin1')
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(accession: string, filing: Filing, unread: string[], problems: Problem[]): Promise<ReadReport> {
  const of = await rowsBy(filing)
  return {
    accession,
    filedDate: filing.header.filedDate,
    ...of,
    unread: [...unread, ...filing.found.unread],
    problems: [...problems, ...filing.found.problems],
  }
}

const declared = new Map(Object.entries(tables).map(([name, { parsed }]) => [name, parsed.strict()]))

/** Returns rows of a filing by table; each row has exactly the columns that its table declares. */
export async function rowsBy(filing: Filing) {
  const by: { [K in Row[0]]: Of<K>[] } = { report: [], quality: [], position: [], manager: [], security: [] }
  for await (const [name, row] of rowsOf(filing)) {
    declared.get(name)!.parse(row)
    // `rowsOf` declares that the name and the row match; TypeScript loses this relation here.
    by[name].push(row as never)
  }
  const securities = new Map(by.security.map((row) => [row.security, row]))
  return {
    report: by.report[0]!,
    quality: by.quality[0]!,
    positions: by.position,
    managers: by.manager,
    securities,
  }
}

export const reportedOf = ({ accession, filedDate, report, quality }: ReadReport): Reported => ({
  accession,
  filedDate,
  submissionType: report.submission_type,
  amendmentNumber: report.amendment_number,
  amendmentType: report.amendment_type,
  positions: report.position_count,
  declaredEntries: quality.declared_entries,
  value: report.value,
})

export interface SetRead {
  /** Rows of each filing, in the order of SUBMISSION. */
  filings: Map<string, ReadReport>
  /** For each member, the number of lines that became part of a filing. */
  used: Record<string, number>
  lines: Record<string, number>
  unread: string[]
}

/** Reads a whole set into memory, which is possible only for a small set. */
export async function readSet(members: Record<keyof typeof MEMBERS, string>): Promise<SetRead> {
  const headers: CsvHeader[] = []
  const lines: Record<string, number> = {}
  const used: Record<string, number> = {}
  const byAccession = {} as Record<keyof typeof MEMBERS, Map<string, CsvRow[]>>
  const problems = new Map<string, Problem[]>()
  for (const [name, text] of Object.entries(members) as [keyof typeof MEMBERS, string][]) {
    const [first, ...rest] = text.replace(/\r?\n$/, '').split(/\r?\n/)
    const header = new CsvHeader(`${name}.tsv`, first!.split('\t'))
    headers.push(header)
    lines[name] = rest.length
    used[name] = 0
    const rows = rest.map((line, at) => {
      const noted: Problem[] = []
      const row = new CsvRow(header, tsvValues(line, quarterlySets.quotes!), at + 1, noted)
      const accession = row.text('ACCESSION_NUMBER')!
      problems.set(accession, problems.get(accession) ?? [])
      return { row, accession, noted }
    })
    byAccession[name] = new Map(
      [...Map.groupBy(rows, ({ accession }) => accession)].map(([key, all]) => [key, all.map(({ row }) => row)]),
    )
  }
  const take = (name: keyof typeof MEMBERS, accession: string) => {
    const rows = byAccession[name].get(accession) ?? []
    used[name] = used[name]! + rows.length
    return rows
  }
  const filings = new Map<string, ReadReport>()
  for (const [accession, [submission]] of byAccession.SUBMISSION) {
    take('SUBMISSION', accession)
    const record = {
      submission: submission!,
      cover: take('COVERPAGE', accession)[0]!,
      summary: take('SUMMARYPAGE', accession)[0] ?? null,
      signature: take('SIGNATURE', accession)[0] ?? null,
      managers: take('OTHERMANAGER', accession),
      managers2: take('OTHERMANAGER2', accession),
    }
    const found: Findings = nothingFound()
    const table = take('INFOTABLE', accession).map((row) => parseSetLine(row, found))
    const holdings: Holding[] = table.sort((one, other) => one.order - other.order).map(({ holding }) => holding)
    const filing: Filing = {
      header: parseSetHeader(record, quarterlySets.filedDate(record.submission)!),
      cover: parseSetCover(record),
      holdings: holdings.length > 0 ? holdings : null,
      found,
      source: 'set',
    }
    const fields = [
      record.submission,
      record.cover,
      record.summary,
      record.signature,
      ...record.managers,
      ...record.managers2,
    ]
    filings.set(
      accession,
      await read(
        accession,
        filing,
        [],
        fields.flatMap((row) => row?.problems() ?? []),
      ),
    )
  }
  return {
    filings,
    used,
    lines,
    // If a member has no lines, it proves nothing about its columns.
    unread: headers
      .filter(({ file }) => lines[file.replace('.tsv', '')]! > 0)
      .flatMap((header) => header.unread().map((name) => `${header.file}/${name}`)),
  }
}

/** Returns texts of the members of a zip, by name without `.tsv`. */
export async function membersIn(zip: string): Promise<Record<keyof typeof MEMBERS, string>> {
  const texts: Record<string, string> = {}
  async function* bytes() {
    yield readFileSync(path.join(corpus.folder, zip))
  }
  for await (const member of membersOf(bytes())) {
    const chunks: Uint8Array[] = []
    for await (const chunk of member.bytes) chunks.push(chunk)
    if (member.name.endsWith('.tsv')) texts[member.name.replace(/\.tsv$/, '')] = Buffer.concat(chunks).toString('utf8')
  }
  return texts as Record<keyof typeof MEMBERS, string>
}
