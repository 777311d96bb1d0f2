/** What the search reads: names in the order of regulatory assets, and the words that names are made of. */
import { integer, money, rollup, text } from '../../core/table.ts'

/** One row a firm and name, whatever kind of name it is. */
export const search_name = rollup(
  'adv.search_name',
  ['crd', 'name_key'],
  {
    crd: text('CRD number of the firm'),
    name_key: text('A business, legal, other or former name as it is compared'),
    latest_raum: money('Regulatory assets of the firm: among equal matches the largest comes first').nullable(),
  },
  {
    indexes: [
      // Each has all columns: a name is read from the index alone.
      '(name_key, latest_raum, crd)',
      '(latest_raum desc nulls last, crd, name_key)',
      'using gin (name_key public.gin_trgm_ops)',
    ],
  },
)

/** One row a word: a mistyped word is compared with 30,000 words instead of 200,000 names. */
export const search_word = rollup(
  'adv.search_word',
  ['word'],
  {
    word: text('Letters and digits between spaces and marks, of at least three'),
    names: integer('How often it stands in names'),
  },
  { indexes: ['using gin (word public.gin_trgm_ops)'] },
)
