/** Reads generated filings from the bytes in the archive into their rows, with the real pipeline and one worker. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { diskStore } from '../src/archive/store.ts'
import { submissions } from '../src/archive/submissions.ts'
import { edgarClient } from '../src/fetch/client.ts'
import { crawl } from '../src/ingest/crawl.ts'
import { drain } from '../src/ingest/ingest.ts'
import registry from '../src/registry.ts'
import { freshDatabase } from '../test/support/database.ts'
import { startHost } from '../test/support/edgar-host.ts'
import { writeIndex } from '../test/support/world.ts'
import { seconds } from './measure.ts'
import { folder, openScope, type Scope } from './scope.ts'

/** All submissions are filed in the first quarter of 2024. */
export interface Submission {
  accession: string
  form: string
  cik: string
  name: string
  /** `YYYY-MM-DD` */
  filedDate: string
  /** The main document, the only one. */
  filename: string
  content: string
}

/**
 * First puts the filings into an archive, and then reads them from the archive.
 *
 * @returns filings a second from the archive, refreshes and commits included
 * @throws Error if a filing failed
 */
export async function fromArchive(dataset: string, filings: readonly Submission[]): Promise<number> {
  const own = openScope()
  try {
    const read = await archived(own, dataset, filings)
    return filings.length / (await seconds(read))
  } finally {
    await own.close()
  }
}

/**
 * Reads the filings into an archive.
 *
 * @returns a function that reads them from the archive into their rows each time it is called
 * @throws Error if a filing failed
 */
export async function archived(
  scope: Scope,
  dataset: string,
  filings: readonly Submission[],
): Promise<() => Promise<void>> {
  const { sql, host, read } = await listed(scope, dataset, filings)
  await read()
  const sentBefore = host.requests.length
  return async () => {
    await sql`update edgar.task set state = 'pending' where dataset = ${dataset}`
    await read()
    if (host.requests.length > sentBefore) throw new Error('a filing was fetched that the archive has')
  }
}

/**
 * Loads an index that lists the filings. None of them is fetched yet.
 *
 * @returns `read` fetches the filings into an archive and reads them into their rows
 * @throws Error if a filing failed
 */
export async function listed(scope: Scope, dataset: string, filings: readonly Submission[]) {
  const root = await folder(scope)
  for (const filing of filings) {
    const file = path.join(root, 'Archives', pathOf(filing))
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, submissionText(filing))
  }
  const lines = filings.map((filing) =>
    [filing.cik, filing.name, filing.form, filing.filedDate, pathOf(filing)].join('|'),
  )
  await writeIndex(root, '2024/QTR1', lines)
  const host = await startHost({ root })
  scope.after(() => host.close())
  // Without the pace of requests that EDGAR requires, so that only the work is measured.
  const client = edgarClient({
    baseUrl: host.url,
    userAgent: null,
    pauseMs: 10,
    sleep: () => new Promise((done) => setImmediate(done)),
  })
  scope.after(() => client.close())
  const { sql } = await freshDatabase(scope)
  await crawl({
    sql,
    catalog: registry,
    client,
    from: '2024-01-01',
    to: '2024-03-31',
    now: new Date('2024-06-01T00:00:00Z'),
    again: false,
  })
  const own = submissions({ sql, store: diskStore(await folder(scope)), client })
  const read = async () => {
    const { done, failed } = await drain({
      sql,
      catalog: registry,
      submissions: own,
      selection: { datasets: [dataset] },
      workers: 1,
    })
    if (failed > 0 || done < filings.length)
      throw new Error(`${done} of ${filings.length} filings were read, ${failed} failed`)
  }
  return { sql, host, read }
}

/** Returns the path of a submission; a folder has at most a thousand of them, as the folders of filers have. */
const pathOf = ({ cik, accession }: Submission) => `edgar/data/${Number(cik.slice(0, 7))}/${accession}.txt`

function submissionText({ accession, form, cik, name, filedDate, filename, content }: Submission): string {
  const day = filedDate.replaceAll('-', '')
  const isXml = content.startsWith('<?xml')
  return `<SEC-DOCUMENT>${accession}.txt : ${day}
<SEC-HEADER>${accession}.hdr.sgml : ${day}
ACCESSION NUMBER:\t\t${accession}
CONFORMED SUBMISSION TYPE:\t${form}
PUBLIC DOCUMENT COUNT:\t\t1
CONFORMED PERIOD OF REPORT:\t${day}
FILED AS OF DATE:\t\t${day}

FILER:

\tCOMPANY DATA:
\t\tCOMPANY CONFORMED NAME:\t\t\t${name}
\t\tCENTRAL INDEX KEY:\t\t\t${cik}
</SEC-HEADER>
<DOCUMENT>
<TYPE>${form}
<SEQUENCE>1
<FILENAME>${filename}
<TEXT>
${isXml ? '<XML>\n' : ''}${content}
${isXml ? '</XML>\n' : ''}</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`
}
