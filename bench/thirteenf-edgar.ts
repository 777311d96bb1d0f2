/** An EDGAR of generated Form 13F filings, and their ingest as a job for a separate process. */
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { diskStore } from '../src/archive/store.ts'
import { submissions } from '../src/archive/submissions.ts'
import { edgarClient } from '../src/fetch/client.ts'
import { crawl } from '../src/ingest/crawl.ts'
import { drain } from '../src/ingest/ingest.ts'
import { collectEarly } from '../src/ingest/memory.ts'
import registry from '../src/registry.ts'
import { type Connection, connect, type Sql } from '../src/store/db.ts'
import { writeIndex } from '../test/support/world.ts'
import { type Used, used, usedBetween } from './measure.ts'
import { folder, type Scope } from './scope.ts'
import { type Made, submissionOf } from './thirteenf-sets.ts'

/** All are filed in the first quarter of 2024. */
export const PERIOD = '2023-12-31'
const FILED = { from: '2024-01-01', to: '2024-03-31' }

/** Writes the submissions and their index below a folder in EDGAR's layout. */
export async function writeEdgar(root: string, all: Iterable<Made>): Promise<{ bytes: number }> {
  const lines: string[] = []
  let bytes = 0
  for (const made of all) {
    const { accession, cik, form, filedDate, name } = made
    // Returns the path of a submission; a folder has at most a thousand of them, as the folders of filers have.
    const file = `edgar/data/${cik.slice(0, 7)}/${accession}.txt`
    await mkdir(path.dirname(path.join(root, 'Archives', file)), { recursive: true })
    const text = submissionText(made)
    bytes += text.reduce((sum, part) => sum + part.length, 0)
    await pipeline(Readable.from(text), createWriteStream(path.join(root, 'Archives', file)))
    lines.push(`${cik}|${name}|${form}|${filedDate}|${file}`)
  }
  await writeIndex(root, '2024/QTR1', lines)
  return { bytes }
}

function submissionText(made: Made): string[] {
  const { accession, form, filedDate, period, name, cik } = made
  const { cover, table } = submissionOf(made)
  const [filed, reported] = [filedDate, period].map((day) => day.replaceAll('-', ''))
  const head = `<SEC-DOCUMENT>${accession}.txt : ${filed}
<SEC-HEADER>${accession}.hdr.sgml : ${filed}
ACCESSION NUMBER:\t\t${accession}
CONFORMED SUBMISSION TYPE:\t${form}
CONFORMED PERIOD OF REPORT:\t${reported}
FILED AS OF DATE:\t\t${filed}

FILER:

\tCOMPANY DATA:
\t\tCOMPANY CONFORMED NAME:\t\t\t${name}
\t\tCENTRAL INDEX KEY:\t\t\t${cik}
</SEC-HEADER>
`
  const document = (type: string, file: string, content: string) => [
    `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>1\n<FILENAME>${file}\n<TEXT>\n<XML>\n`,
    content,
    '</XML>\n</TEXT>\n</DOCUMENT>\n',
  ]
  const documents = [document(form, 'primary_doc.xml', cover)]
  if (table !== null) documents.push(document('INFORMATION TABLE', 'table.xml', table))
  return [head, ...documents.flat(), '</SEC-DOCUMENT>\n']
}

/** Puts the index into the spine; its filings then wait to be read. */
export async function list(sql: Sql, url: string): Promise<void> {
  const client = clientOf(url)
  await crawl({ sql, catalog: registry, client, ...FILED, now: new Date('2024-06-01T00:00:00Z'), again: false })
  client.close()
}

/** Without the pace of requests that EDGAR requires, so that only the work is measured. */
const clientOf = (url: string) =>
  edgarClient({ baseUrl: url, userAgent: null, pauseMs: 10, sleep: () => new Promise((done) => setImmediate(done)) })

export interface Ingested {
  /** Milliseconds since 1970, the same clock for all processes. */
  begun: number
  ended: number
  done: number
  used: Used
}

/** A job for a separate process: one worker that reads the waiting filings, into its own archive. */
export async function ingested(scope: Scope, target: Connection['target'], url: string): Promise<Ingested> {
  // The command does this too.
  collectEarly()
  const sql = connect({ target })
  scope.after(() => sql.end({ timeout: 5 }))
  const client = clientOf(url)
  scope.after(() => client.close())
  const own = submissions({ sql, store: diskStore(await folder(scope)), client })
  const begun = Date.now()
  const before = used()
  const { done, failed } = await drain({
    sql,
    catalog: registry,
    submissions: own,
    selection: { datasets: ['thirteenf'] },
    workers: 1,
  })
  if (failed > 0) throw new Error(`${failed} filings failed`)
  return { begun, ended: Date.now(), done, used: usedBetween(before, used()) }
}
