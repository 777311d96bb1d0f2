/** What the search for companies stands on. */
import type { Named } from '../../names.ts'

/** Companies are found by name, those with the most filings first, and one that is traded as if it had a hundred times as many. */
export const COMPANIES: Named = {
  table: 'companies.search_name',
  dictionary: 'companies.search_word',
  key: 'cik',
  importance: 'weight',
  decades: [0, 7],
  bands: [3, 10, 40, 200, 1000, 10_000],
  hasPlaces: false,
}
