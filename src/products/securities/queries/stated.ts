/** SQL of the texts that lines of funds state about a security. */
import type { Fragment, Transaction } from '../../../store/db.ts'

/**
 * Selects (`id`, kind, a, b): for each security the name that most lines have, with its title. If several names have
 * equally many lines, it is the first in alphabetical order. Asset category, ISIN, LEI and ticker are chosen in the
 * same way.
 *
 * @param id the column of the security
 * @param stated relation (`id`, lines, issuer_name, title_of_class, asset_cat, isin, lei, ticker): descriptions, each with
 *   the number of lines that state it
 */
export const statedMost = (tx: Transaction, id: Fragment, stated: Fragment): Fragment => tx`
  select distinct on (${id}, kind) ${id}, kind, a, b
  from (
    select ${id}, kind, a, b, sum(lines) as lines
    from (${stated}) s cross join lateral (values ('name', issuer_name, title_of_class),
      ('asset_cat', asset_cat, null), ('isin', isin, null), ('lei', lei, null), ('ticker', ticker, null)) k (kind, a, b)
    where kind = 'name' or a is not null
    group by ${id}, kind, a, b
  ) s
  order by ${id}, kind, lines desc, a, b`
