/** Settings of the search for companies. */
import type { Named } from '../../names.ts'

/**
 * Searches companies by name, and ranks companies with more filings higher. A traded company ranks as if it had a
 * hundred times as many filings.
 */
export const COMPANIES: Named = {
  table: 'companies.search_name',
  dictionary: 'companies.search_word',
  key: 'cik',
  importance: 'weight',
  decades: [0, 7],
  bands: [3, 10, 40, 200, 1000, 10_000],
  hasPlaces: false,
}
