/** Sources that `ingest` accepts: the words, derived from the registry. */
import type { Catalog } from '../declare/catalog.ts'
import { SOURCES } from '../declare/corpora.ts'
import type { BulkDataset, FilingsDataset } from '../declare/dataset.ts'
import { UserError } from '../declare/errors.ts'
import { didYouMeanFamily } from '../declare/family-meant.ts'
import type { Series } from '../declare/series.ts'
import { didYouMean } from '../misspelt.ts'
import registry from '../registry.ts'

export interface Wanted {
  /** Datasets of EDGAR's filings; null if only bulk files are wanted, and empty if only the indexes are wanted. */
  datasets: string[] | null
  bulk: readonly BulkDataset[]
  /**
   * The dataset whose quarterly data sets are wanted, if no other data is wanted. The data sets come from the sources,
   * or from the SEC's list.
   */
  sets?: FilingsDataset
  /** Addresses of lists, or local files. */
  sources: readonly string[]
  /** For a dataset without a family of its own: the families whose filings it reads. If absent, all families. */
  families?: readonly string[]
}

/** The tasks that `ingest` does by default: tasks of datasets with families, and headers. */
export const allTasks = () => [...registry.filings.filter(({ family }) => family).map(({ slug }) => slug), 'header']

/** Datasets without a family, which read filings only if the dataset is named. */
const requestedTasks = () => registry.filings.filter(({ family }) => !family).map(({ slug }) => slug)

/** All kinds of tasks in the queue. */
export const everyTask = () => [...allTasks(), ...requestedTasks()]

/** Whether the files of the dataset are JSON of companies. */
export const isOfCompanies = (dataset: BulkDataset): boolean => hasFormat(dataset, 'json')

/** Whether the files of the dataset are PDFs. */
export const isOfPdfs = (dataset: BulkDataset): boolean => hasFormat(dataset, 'pdf')

/**
 * Whether the dataset's files are loaded only if the dataset is named: they have gigabytes each, or are thousands of
 * PDFs.
 */
export const isApart = (dataset: BulkDataset): boolean => isOfCompanies(dataset) || isOfPdfs(dataset)

const hasFormat = ({ source }: BulkDataset, format: Series['format']): boolean =>
  Object.values(source.series).some((series) => series.format === format)

/** Every word that `ingest` accepts, with its meaning. */
export function ingestWords(catalog: Catalog = registry): (readonly [word: string, meaning: string])[] {
  const headers = catalog.families.filter(({ header, dataset }) => header && !dataset)
  const collections = Map.groupBy(catalog.bulk, ({ source }) => source.collection)
  return [
    ['all', 'indexes, then every dataset, then the files about advisers (default)'],
    ['index', 'only the indexes'],
    ...catalog.filings.map(
      ({ slug, label, source, family }) =>
        [
          slug,
          `indexes, then ${label}${family ? `: ${source.forms.join(', ')}` : `, of all corpora or of the named ones (${SOURCES.map((corpus) => corpus.slug).join(', ')}); not part of "all"`}`,
        ] as const,
    ),
    ['header', `indexes, then the headers of ${headers.map(({ label }) => label).join(', ')}`],
    ...[...collections].map(([name, datasets]) => {
      const own = datasets.some(isApart) ? 'PDFs of advisers' : 'files of advisers'
      const kind = datasets.some(isOfCompanies) ? 'JSON files of companies' : own
      return [name, `${kind}: ${datasets.map(({ label, slug }) => `${label} (${slug})`).join(', ')}`] as const
    }),
    ...catalog.bulk
      .filter(({ slug, source }) => slug !== source.collection)
      .map(({ slug, label, source }) => [slug, `${label} alone: ${Object.keys(source.series).join(', ')}`] as const),
  ]
}

/** Families of these corpora. @throws UserError that names the unknown corpus, and those that are available */
function familiesOf(corpora: readonly string[]): string[] {
  return corpora.flatMap((slug) => {
    const found = SOURCES.find((corpus) => corpus.slug === slug)
    if (found) return found.families
    const known = SOURCES.map((corpus) => corpus.slug)
    throw new UserError(
      `unknown corpus of filings ${JSON.stringify(slug)}${didYouMean(slug, known)}; available: ${known.join(', ')}`,
    )
  })
}

/**
 * @param isOfSets whether sets are wanted instead of submissions
 * @throws UserError that names the unknown word, and the words that are available
 */
export function wanted([what = 'all', ...sources]: readonly string[], isOfSets = false): Wanted {
  const bulk = registry.bulk.filter((dataset) =>
    what === 'all' ? !isApart(dataset) : dataset.slug === what || dataset.source.collection === what,
  )
  const another = sources.find((source) => ingestWords().some(([word]) => word === source))
  if (another !== undefined && !requestedTasks().includes(what)) {
    throw new UserError(
      `ingest ${what} takes one thing at a time: leave out ${another}, which "openfilings ingest ${another}" loads`,
    )
  }
  const sets = registry.filings.find((dataset) => dataset.slug === what && dataset.sets)
  if (sets && (isOfSets || sources.length > 0)) return { datasets: null, bulk, sets, sources }
  if (isOfSets) {
    const having = registry.filings.filter((dataset) => dataset.sets).map(({ slug }) => slug)
    throw new UserError(`ingest ${what} has no quarterly data sets: use --sets with ${having.join(', ')}`)
  }
  if (sources.length > 0 && requestedTasks().includes(what))
    return { datasets: [what], bulk, sources, families: familiesOf(sources) }
  if (sources.length > 0 && (bulk.length === 0 || what === 'all')) {
    throw new UserError(`ingest ${what} takes one thing at a time: leave out ${sources.join(', ')}`)
  }
  if (what === 'all') return { datasets: allTasks(), bulk, sources }
  if (what === 'index') return { datasets: [], bulk, sources }
  if (everyTask().includes(what)) return { datasets: [what], bulk, sources }
  if (bulk.length > 0) return { datasets: null, bulk, sources }
  const words = ingestWords().map(([word]) => word)
  const meant = didYouMeanFamily(what, words, registry.families)
  throw new UserError(
    `there is nothing called ${JSON.stringify(what)} to ingest${meant ? `${meant} Available:` : '; available:'} ${words.join(', ')}`,
  )
}
