import { bulk, bulkDataset } from '../../declare/dataset.ts'
import { READER } from '../../read/pdf.ts'
import { BROCHURES } from './parse.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

/** Brochures of investment advisers (Form ADV Part 2): PDFs of the monthly zips, as text. */
export default bulkDataset({
  slug: 'brochures',
  label: 'Brochures of investment advisers',
  group: 'Investment advisers',
  source: bulk({ collection: 'brochures', series: { BROCHURES } }),
  tables,
  main: 'version',
  rollups,
  refresh,
  refreshed: new URL('queries-refresh.ts', import.meta.url),
  // A separate process reads PDFs, so no module of the slice imports the code of the reader. It is named here, since it
  // determines the rows too.
  parser: [new URL('parse.ts', import.meta.url), READER],
  views,
  routes,
})
