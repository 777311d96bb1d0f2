/** What the search reads: the names of firms, and the words that names are made of. */
import { dictionaryColumns, dictionaryIndexes, nameColumns, nameIndexes, placeColumn } from '../../core/names.ts'
import { money, rollup, text } from '../../core/table.ts'
import { ADVISERS } from './named.ts'

/** One row a firm and name, whatever kind of name it is; of names that compare as equal one. */
export const search_name = rollup(
  'adv.search_name',
  ['crd', 'key'],
  {
    crd: text('CRD number of the firm'),
    ...nameColumns,
    ...placeColumn,
    latest_raum: money('Regulatory assets of the firm: of equal matches the largest comes first').nullable(),
  },
  // Searched band by band; lists of other slices ask for all at once.
  { indexes: [...nameIndexes(ADVISERS), 'using gin (words)'] },
)

/** One row a word: a mistyped one is compared with some hundreds of them instead of with all names. */
export const search_word = rollup('adv.search_word', ['word'], dictionaryColumns, { indexes: dictionaryIndexes })
