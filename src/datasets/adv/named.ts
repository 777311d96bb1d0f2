/** What the search for firms stands on. */
import type { Named } from '../../names.ts'

/** Advisers are found by name, those with the largest regulatory assets first; with more than $10 trillion there is none. */
export const ADVISERS: Named = {
  table: 'adv.search_name',
  dictionary: 'adv.search_word',
  key: 'crd',
  importance: 'latest_raum',
  decades: [6, 13],
  bands: [1e8, 1e9, 1e10, 1e11],
  hasPlaces: true,
}
