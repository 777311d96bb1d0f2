/** Rollups of advisers' names: the names that the search reads, the words of these names, and former names. */

import { crd, date, rollup, text, texts, usd } from '../../declare/table.ts'
import { dictionaryColumns, dictionaryIndexes, nameColumns, nameIndexes, placeColumn } from '../../names.ts'
import { ADVISERS } from './named.ts'

export const search_name = rollup(
  'adv.search_name',
  'One row per firm and name of any kind; names that are equal after normalization have one row',
  ['crd', 'key'],
  {
    crd: crd('CRD number of the firm'),
    ...nameColumns,
    ...placeColumn,
    latest_raum: usd(
      'Regulatory assets of the firm, US dollars; among equally good matches, the firm with the most comes first',
    ).nullable(),
  },
  // The search reads this table one band of importance at a time. Lists of other slices read all bands at once, with
  // the last index.
  { indexes: [...nameIndexes(ADVISERS), 'using gin (words)'], inner: true },
)

export const search_word = rollup(
  'adv.search_word',
  'One row per word of names, so that a mistyped word is compared with some hundreds of words instead of all names',
  ['word'],
  dictionaryColumns,
  { indexes: dictionaryIndexes(), inner: true },
)

export const former_name = rollup(
  'adv.former_name',
  'One row per firm and former name; of names that are equal after normalization, only the newest',
  ['crd', 'name_key'],
  {
    crd: crd('CRD number of the firm'),
    name_key: text('The name, normalized for comparison'),
    name: text('The name, in the spelling of the last filing or feed that has it'),
    kinds: texts('Kinds of name that it was, sorted. business: primary business name. legal: full legal name', {
      values: ['business', 'legal'],
    }),
    from_day: date(
      'First known day of the name: the day of the first filing that states it, or of the first feed that shows it',
    ).nullable(),
    to_day: date('Day of the first filing or feed with another name of the same kind; null if unknown').nullable(),
    source: text(
      'Last source of the name: a filing (filing 2107670), or a feed and the first day on which it shows the name (IA_FIRM_SEC 2026-07-23)',
    ),
  },
)
