/** Rollups of names: the names that the search reads, their words, and former names. */

import { crd, date, rollup, text, texts, usd } from '../../declare/table.ts'
import { dictionaryColumns, dictionaryIndexes, nameColumns, nameIndexes, placeColumn } from '../../names.ts'
import { ADVISERS } from './named.ts'

export const search_name = rollup(
  'adv.search_name',
  'One row a firm and name, whatever kind of name it is; of names that compare as equal one',
  ['crd', 'key'],
  {
    crd: crd('CRD number of the firm'),
    ...nameColumns,
    ...placeColumn,
    latest_raum: usd('Regulatory assets of the firm: of equal matches the largest comes first').nullable(),
  },
  // The search reads it band by band; lists of other slices read all at once.
  { indexes: [...nameIndexes(ADVISERS), 'using gin (words)'], inner: true },
)

export const search_word = rollup(
  'adv.search_word',
  'One row a word of names: a mistyped one is compared with some hundreds of them instead of with all names',
  ['word'],
  dictionaryColumns,
  { indexes: dictionaryIndexes, inner: true },
)

export const former_name = rollup(
  'adv.former_name',
  'One row a firm and name that it had and has no longer, of those that are compared as equal the newest',
  ['crd', 'name_key'],
  {
    crd: crd('CRD number of the firm'),
    name_key: text('The name as it is compared'),
    name: text('The name as a filing or feed showed it last'),
    kinds: texts('business: primary business name. legal: full legal name. Sorted', { values: ['business', 'legal'] }),
    from_day: date('First day known: of a filing that states it, or of the first feed that shows it').nullable(),
    to_day: date('First day on which a filing states, or a feed shows, another name of the kind').nullable(),
    source: text(
      'What shows it last: filing 2107670, or the feed of the day from which on it does: IA_FIRM_SEC 2026-07-23',
    ),
  },
)
