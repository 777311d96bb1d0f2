/** An archive for servers whose tests request no document. */
import os from 'node:os'
import path from 'node:path'
import { diskStore } from '../../src/archive/store.ts'
import { type Submissions, submissions } from '../../src/archive/submissions.ts'
import { edgarClient } from '../../src/fetch/client.ts'
import type { Sql } from '../../src/store/db.ts'

/**
 * An archive without documents, and without an EDGAR from which to fetch any. Its folder is never created, since
 * nothing is written to it.
 */
export function emptyArchive(sql: Sql): Submissions {
  const nowhere = path.join(os.tmpdir(), 'openfilings-no-archive')
  const client = edgarClient({ baseUrl: `file://${nowhere}`, userAgent: null })
  return submissions({ sql, store: diskStore(nowhere), client })
}
