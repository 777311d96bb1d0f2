/** Real files of company facts, parsed as the dataset parses them. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Fact } from '../../src/datasets/facts/fact.ts'
import { rows } from '../../src/datasets/facts/parse.ts'
import { parseJson } from '../../src/read/json.ts'
import type { Problem } from '../../src/read/xml.ts'
import { corpus } from './corpus.ts'

export interface FactsFile {
  name: string
  cik: string
  company: string
  facts: Fact[]
  unread: string[]
  problems: Problem[]
  bytes: number
}

/** Reads a file of company facts; the company is the one in the file's name, else the one that the file states. */
export function readFacts(file: string): FactsFile {
  const name = path.basename(file)
  const source = readFileSync(file)
  const document = parseJson(source)
  const cik = /CIK(\d{10})/.exec(name)?.[1] ?? document.cik('cik')!
  let company = ''
  const facts: Fact[] = []
  for (const [table, row] of rows(document, cik)) {
    if (table === 'company') company = String(row.entity_name)
    else facts.push(factOf(row))
  }
  return { name, cik, company, facts, unread: document.unread(), problems: document.problems(), bytes: source.length }
}

/** Converts a row of the table to a fact as the query returns it. */
const factOf = ({ start_date, end_date, filed_date, ...row }: Record<string, unknown>) =>
  ({ ...row, start: start_date, end: end_date, filed: filed_date }) as Fact

const PATTERNS = [
  'data.sec/api/xbrl/companyfacts/*.json',
  'answers/companyfacts/*.json',
  'answers/companyfacts_excerpt/*.json',
]

/** Paths of all files of company facts in the corpus. */
export const factsFiles = (): string[] =>
  PATTERNS.flatMap((pattern) => globSync(pattern, { cwd: corpus.folder }))
    .sort()
    .map((file) => path.join(corpus.folder, file))
