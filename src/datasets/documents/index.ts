import { READABLE } from '../../declare/corpora.ts'
import { dataset, filings } from '../../declare/dataset.ts'
import { lazy } from '../../declare/documents.ts'
import { mayHaveText, READERS } from '../../read/readable.ts'
import { parse } from './filing.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

/**
 * Documents of filings as text, with their sections and searchable passages. The dataset claims no family of forms,
 * since other slices read the same filings. The full text is not in the database; the archive keeps it next to the
 * submission.
 */
export default dataset({
  slug: 'documents',
  label: 'Documents of filings as text',
  group: 'Text',
  source: filings({ families: READABLE, documents: { texts: lazy(mayHaveText) }, parse }),
  tables,
  main: 'filing',
  rollups,
  refresh,
  refreshed: new URL('queries-refresh.ts', import.meta.url),
  views,
  parser: [new URL('filing.ts', import.meta.url), ...READERS],
  routes,
})
