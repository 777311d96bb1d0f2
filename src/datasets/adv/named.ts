/** Settings of the search for firms. */
import type { Named } from '../../names.ts'

/**
 * Searches advisers by name, the largest regulatory assets first. The scale of importance ends at $10 trillion, since
 * no adviser has more assets.
 */
export const ADVISERS: Named = {
  table: 'adv.search_name',
  dictionary: 'adv.search_word',
  key: 'crd',
  importance: 'latest_raum',
  decades: [6, 13],
  bands: [1e8, 1e9, 1e10, 1e11],
  hasPlaces: true,
}
