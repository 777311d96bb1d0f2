/** Keeps what the search reads in line with the advisers and their names. */
import type { Transaction } from '../../core/db.ts'

/** ASCII marks that end a word; a word of others, such as O’HARE, is one word. */
const MARKS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'

const WORD_MIN = 3

/** After a load of more firms the statistics of before are of another table. */
const ANALYZE_MIN = 1000

/** Numbers stand beside names in adv.adviser_name; the search looks for them there. */
const NAMES = ['business', 'legal', 'other', 'former']

/**
 * Rewrites names and words of these firms, of all for null. A load calls it after adv.adviser and adv.adviser_name are
 * written.
 */
export async function refreshSearch(tx: Transaction, crds: readonly string[] | null): Promise<void> {
  const only = crds ? tx`n.crd = any(${crds as string[]})` : tx`true`
  const words = () => tx`
    select word, count(*)::int as names
    from adv.search_name n, string_to_table(translate(n.name_key, ${MARKS}, ${' '.repeat(MARKS.length)}), ' ') as word
    where ${only} and length(word) >= ${WORD_MIN}
    group by word`
  if (crds) {
    await tx`update adv.search_word w set names = w.names - gone.names from (${words()}) gone where gone.word = w.word`
  } else await tx`delete from adv.search_word`
  await tx`delete from adv.search_name n where ${only}`
  await tx`
    insert into adv.search_name (crd, name_key, latest_raum)
    select distinct n.crd, n.name_key, a.latest_raum
    from adv.adviser_name n join adv.adviser a using (crd)
    where n.kind = any(${NAMES}) and ${only}`
  await tx`
    insert into adv.search_word as w (word, names) ${words()}
    on conflict (word) do update set names = w.names + excluded.names`
  await tx`delete from adv.search_word where names = 0`
  if (crds === null || crds.length > ANALYZE_MIN) await tx`analyze adv.search_name, adv.search_word`
}
