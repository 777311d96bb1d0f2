/** Names: what the search reads in the order of regulatory assets, the words that they are made of, and former ones. */
import { date, integer, money, rollup, text, texts } from '../../core/table.ts'

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

/** One row a firm and name that it had and has no longer, of those that are compared as equal the newest. */
export const former_name = rollup('adv.former_name', ['crd', 'name_key'], {
  crd: text('CRD number of the firm'),
  name_key: text('The name as it is compared'),
  name: text('The name as a filing or feed showed it last'),
  kinds: texts('business: primary business name. legal: full legal name. Sorted'),
  from_day: date('First day known: of a filing that states it, or of the first feed that shows it').nullable(),
  to_day: date('First day on which a filing states, or a feed shows, another name of the kind').nullable(),
  source: text(
    'What shows it last: filing 2107670, or the feed of the day from which on it does: IA_FIRM_SEC 2026-07-23',
  ),
})
