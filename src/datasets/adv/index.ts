import { bulk, bulkDataset } from '../../core/dataset.ts'
import { series } from './parse.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as tables from './tables.ts'

export default bulkDataset({
  slug: 'adv',
  label: 'Form ADV',
  group: 'Investment advisers',
  source: bulk({ collection: 'adv', series }),
  tables,
  rollups,
  refresh,
  parser: [
    '',
    '-member',
    '-disclosures',
    '-figures',
    '-filing',
    '-firm',
    '-fund',
    '-schedules',
    '-values',
    '-withdrawal',
  ].map((part) => new URL(`parse${part}.ts`, import.meta.url)),
  views: new URL('views.sql', import.meta.url),
  routes: [],
})
