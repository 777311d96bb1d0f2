/** The tables of names that the search reads. */
import { FILERS } from '../../ingest/filer-names.ts'
import type { Named } from '../../names.ts'
import type { Kind } from './kinds.ts'

/**
 * Names of funds, securities, people and other things. The weight of a thing with an amount is the amount in millions
 * of dollars.
 */
export const ENTITIES: Named = {
  table: 'search.name',
  dictionary: 'search.word',
  key: 'id',
  importance: 'weight',
  decades: [0, 7],
  bands: [3, 10, 40, 200, 1000, 10_000],
  hasPlaces: false,
}

/**
 * Names of companies with a file. The slice `companies` publishes these names, and divides them into bands by its own
 * weights.
 */
const COMPANIES: Named = { ...ENTITIES, table: 'pub.companies_name', dictionary: 'pub.companies_word', key: 'cik' }

/** Names of advisers. The slice `adv` publishes these names, and divides them into bands by its own weights. */
const ADVISERS: Named = {
  ...{ table: 'pub.adv_search_name', dictionary: 'pub.adv_search_word', key: 'crd', importance: 'latest_raum' },
  ...{ decades: [6, 13], bands: [1e8, 1e9, 1e10, 1e11], hasPlaces: true },
}

/** The entry of `words` by which names of one kind are searched. No word of a name begins with an equals sign. */
export const mark = (kind: Kind) => `=${kind}`

interface Table {
  named: Named
  /** Kind of the things that the keys of the table identify; null if the keys are ids of entities. */
  kind: Kind | null
}

const FILER_TABLES: readonly Table[] = [
  { named: COMPANIES, kind: 'company' },
  { named: FILERS, kind: 'company' },
]
const ADVISER_TABLES: readonly Table[] = [{ named: ADVISERS, kind: 'adviser' }]

/** Returns the tables with names of the kind; if no kind is given, all tables. */
export function tablesOf(kind: Kind | undefined): readonly Table[] {
  if (kind === undefined) return [...FILER_TABLES, ...ADVISER_TABLES, { named: ENTITIES, kind: null }]
  if (kind === 'filing' || kind === 'form') return []
  if (kind === 'company') return FILER_TABLES
  if (kind === 'adviser') return ADVISER_TABLES
  return [{ named: { ...ENTITIES, among: mark(kind) }, kind: null }]
}
