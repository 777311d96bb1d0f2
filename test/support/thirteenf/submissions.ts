/**
 * Submissions of Form 13F for tests: fixtures, changed fixtures, and those of the corpus, as EDGAR would serve them.
 */
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { TestContext } from 'node:test'
import type { Route } from '../../../src/declare/route.ts'
import type { Sql } from '../../../src/store/db.ts'
import { testContext } from '../context.ts'
import { corpus } from '../corpus.ts'
import type { FreshDatabase } from '../database.ts'
import { checkout, openWorld, temporaryFolder, type World, writeIndex } from '../world.ts'
import type { listed } from './files.ts'

export const FIXTURES = path.join(checkout, 'src/datasets/thirteenf/fixtures')
export const SPECIMEN = '9000000041-24-000001'

export interface Made {
  accession: string
  form: string
  filed: string
  /** Values of EDGAR's header. */
  cik: string
  name: string
  period: string
  documents: { type: string; file: string; content: string }[]
}

export const document = (type: string, file: string, content: string) => ({ type, file, content })
const wrapped = (content: string) => `<XML>\n${content.trim()}\n</XML>`

/** Returns a fixture as EDGAR would serve it. */
export function fixture(accession: string): Made {
  const folder = path.join(FIXTURES, accession)
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')
  const { form, filedDate, cik, name, period } = JSON.parse(read('header.json')) as Record<string, string>
  const documents = existsSync(path.join(folder, 'form.txt'))
    ? [document(form!, 'form.txt', read('form.txt'))]
    : [document(form!, 'primary_doc.xml', wrapped(read('primary_doc.xml')))]
  if (existsSync(path.join(folder, 'infotable.xml'))) {
    documents.push(document('INFORMATION TABLE', 'infotable.xml', wrapped(read('infotable.xml'))))
  }
  return { accession, form: form!, filed: filedDate!, cik: cik!, name: name!, period: period!, documents }
}

/** The filer of every submission. */
export const CIK = '9000000041'

/** Opens a world whose EDGAR has these filings, with its index read. */
export async function worldOf(t: TestContext, filings: readonly Made[], database?: FreshDatabase): Promise<World> {
  const root = await temporaryFolder(t)
  await mkdir(path.join(root, `Archives/edgar/data/${CIK}`), { recursive: true })
  const quarters = Map.groupBy(
    filings,
    ({ filed }) => `${filed.slice(0, 4)}/QTR${Math.ceil(Number(filed.slice(5, 7)) / 3)}`,
  )
  for (const [quarter, own] of quarters) {
    const lines = own.map(
      ({ accession, form, filed }) => `${CIK}|SPECIMEN CAPITAL|${form}|${filed}|edgar/data/${CIK}/${accession}.txt`,
    )
    await writeIndex(root, quarter, lines)
  }
  for (const { accession, form, filed, cik, name, period, documents } of filings) {
    const day = filed.replaceAll('-', '')
    const head = `<SEC-DOCUMENT>${accession}.txt : ${day}\n<SEC-HEADER>${accession}.hdr.sgml : ${day}\nACCESSION NUMBER:\t\t${accession}\nCONFORMED SUBMISSION TYPE:\t${form}\nCONFORMED PERIOD OF REPORT:\t${period.replaceAll('-', '')}\nFILED AS OF DATE:\t\t${day}\n\nFILER:\n\n\tCOMPANY DATA:\n\t\tCOMPANY CONFORMED NAME:\t\t\t${name}\n\t\tCENTRAL INDEX KEY:\t\t\t${cik}\n</SEC-HEADER>\n`
    const parts = documents.map(
      ({ type, file, content }, n) =>
        `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>${n + 1}\n<FILENAME>${file}\n<TEXT>\n${content}\n</TEXT>\n</DOCUMENT>\n`,
    )
    const file = path.join(root, `Archives/edgar/data/${CIK}/${accession}.txt`)
    await writeFile(file, `${head}${parts.join('')}</SEC-DOCUMENT>\n`)
  }
  const world = await openWorld(t, { root, ...(database && { database }) })
  await world.crawl()
  return world
}

/** Returns a different filing, with these parts replaced. */
export const changed = (
  made: Made,
  accession: string,
  parts: readonly (readonly [RegExp, string])[],
  more: Partial<Made> = {},
) => ({
  ...made,
  accession,
  documents: made.documents.map((one) => ({
    ...one,
    content: parts.reduce((text, [part, by]) => text.replace(part, by), one.content),
  })),
  ...more,
})

/** Returns a route's answer, checked against its declared schema. */
// Imports the registry here, so that tests which never call `ask` do not load it.
export async function ask<T>(sql: Sql, route: Route, input: Record<string, string>): Promise<T> {
  const { default: catalog } = await import('../../../src/registry.ts')
  const answer = await route.run(route.input.parse(input), testContext(sql, { catalog }))
  if (answer !== null) route.output!.parse(answer)
  return answer as T
}

/** Opens a world whose EDGAR has these filings of the corpus, with its index read. */
export async function corpusWorld(
  t: TestContext,
  filings: ReturnType<typeof listed>,
  database?: FreshDatabase,
): Promise<World> {
  const root = await temporaryFolder(t)
  const lines = new Set<string>()
  for (const { file, form, cik, accession } of filings) {
    const folder = `edgar/data/${Number(cik)}`
    await mkdir(path.join(root, 'Archives', folder), { recursive: true })
    const text = readFileSync(path.join(corpus.folder, file), 'latin1')
    const [, year, month, day] = /(?:FILED AS OF DATE:|<FILING-DATE>)\D*(\d{4})(\d\d)(\d\d)/.exec(text)!
    await copyFile(path.join(corpus.folder, file), path.join(root, 'Archives', folder, `${accession}.txt`))
    lines.add(`${Number(cik)}|FILER|${form}|${year}-${month}-${day}|${folder}/${accession}.txt`)
  }
  await writeIndex(root, '2026/QTR1', [...lines])
  const world = await openWorld(t, { root, ...(database && { database }) })
  await world.crawl()
  return world
}
