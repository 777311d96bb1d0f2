/** Rollups of advisers' names: the names that the search reads, the words of these names, and former names. */

import { crd, date, rollup, text, texts, usd } from '../../declare/table.ts'
import { dictionaryColumns, dictionaryIndexes, nameColumns, nameIndexes, placeColumn } from '../../names.ts'
import { ADVISERS } from './named.ts'

export const search_name = rollup(
  'adv.search_name',
  'One row per firm and name of any kind; of names that compare as equal, only one',
  ['crd', 'key'],
  {
    crd: crd('CRD number of the firm'),
    ...nameColumns,
    ...placeColumn,
    latest_raum: usd('Regulatory assets of the firm: of equal matches the largest comes first').nullable(),
  },
  // The search reads this table one band of importance at a time; lists of other slices read all bands at once.
  { indexes: [...nameIndexes(ADVISERS), 'using gin (words)'], inner: true },
)

export const search_word = rollup(
  'adv.search_word',
  'One row per word of names: a mistyped one is compared with some hundreds of them instead of with all names',
  ['word'],
  dictionaryColumns,
  { indexes: dictionaryIndexes, inner: true },
)

export const former_name = rollup(
  'adv.former_name',
  'One row per firm and former name; of names that compare as equal, only the newest',
  ['crd', 'name_key'],
  {
    crd: crd('CRD number of the firm'),
    name_key: text('The name in its form for comparison'),
    name: text('The name in its last spelling in a filing or feed'),
    kinds: texts('business: primary business name. legal: full legal name. Sorted', { values: ['business', 'legal'] }),
    from_day: date('First known day: of a filing that states the name, or of the first feed that shows it').nullable(),
    to_day: date('First day on which a filing states, or a feed shows, another name of the kind').nullable(),
    source: text(
      'Last source of the name: filing 2107670, or a feed with the first day on which it shows the name: IA_FIRM_SEC 2026-07-23',
    ),
  },
)
