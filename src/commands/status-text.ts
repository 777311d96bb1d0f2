/** Makes the text in which `status` shows its report to a person. */
import type { FeedReading } from '../ingest/feed/gaps.ts'
import type { RunSummary } from '../ingest/runs.ts'
import { isOutdated } from '../store/shape.ts'
import { versionText } from '../store/version.ts'
import { duration, number, size } from './progress.ts'
import type { Report } from './status-report.ts'

/** @param now in milliseconds since 1970, to compute how long something has run */
export const statusText = (report: Report, now: number): string =>
  [
    ...summaryOf(report),
    ...runsOf(report, now),
    ...workOf(report),
    ...newestOf(report),
    ...feedOf(report),
    ...filesOf(report),
    ...indexesOf(report),
  ].join('\n')

/** The lines about the installation as a whole. */
function summaryOf({ database, archive, version, spine, chosen, stale, unknown }: Report): string[] {
  const held = { sample: 'the bundled sample', edgar: 'real filings' }
  const what = !spine?.origin || spine.filings === 0 ? '' : `, ${held[spine.origin]}`
  // The next start rebuilds the slices for which `isOutdated` is true. A person has to rebuild the other slices.
  const left = stale.filter((each) => !isOutdated(each))
  const slugs = left.map(({ dataset }) => dataset).join(' ')
  return [
    `database  ${database.address} (${size(database.bytes)})`,
    ...archiveLines(archive),
    ...(spine
      ? [`filings   ${number(spine.filings)} on ${spine.forms} forms, newest ${spine.newest ?? '-'}${what}`]
      : []),
    ...(chosen ? [chosenLine(chosen)] : []),
    `version   ${version.code}; the database is of ${versionText(version.database)}`,
    ...(version.next.length > 0
      ? [`to do     the next "openfilings serve" or "openfilings ingest" ${version.next.join(', ')}`]
      : []),
    ...(unknown.length > 0
      ? [`unknown   ${unknown.join(', ')}: known after the next "openfilings serve" or "openfilings ingest"`]
      : []),
    ...(left.length > 0
      ? [
          `outdated  ${left.map(({ dataset, reason }) => `${dataset} (${reason})`).join(', ')}: run "openfilings rebuild ${slugs}"`,
        ]
      : []),
  ]
}

function archiveLines({ url, folder, bytes, isWhole, max, former }: Report['archive']): string[] {
  const used = `${isWhole ? '' : 'about '}${size(bytes)}`
  if (url === null) return [`archive   ${folder} (${used})`]
  return [
    `archive   ${url} (its cache ${folder} has ${used} of at most ${size(max!)})`,
    ...(former === null
      ? []
      : [`folder    ${former} has entries that the bucket may lack: "openfilings archive copy" copies them`]),
  ]
}

function chosenLine({ filers, from, through, hasIndexes }: NonNullable<Report['chosen']>): string {
  const which = `${number(filers)} ${filers === 1 ? 'filer' : 'filers'}`
  const days = `${from === null ? '' : ` since ${from}`}${through === null ? '' : ` through ${through}`}`
  return `chosen    ${which}${days}${hasIndexes ? '; on the days of the indexes, filings of all filers' : '; filings of other filers are not loaded'}`
}

/** Runs that ended, and runs in progress. */
function runsOf(report: Report, now: number): string[] {
  return [
    ...section(
      'Last runs',
      ['started', 'command', 'outcome', 'took', 'what was done'],
      rows(report.runs).map((run) => {
        const end = run.ended_at ? Date.parse(run.ended_at) : now
        const took = run.outcome === 'killed' ? '-' : duration((end - Date.parse(run.started_at)) / 1000)
        return [minute(run.started_at), `${run.command} ${run.what}`.trim(), run.outcome, took, brief(run.summary)]
      }),
    ),
    ...section(
      'Rebuilds that are running or will be continued',
      ['slice', 'step', 'through'],
      rows(report.rebuilds).map(({ slug, step, through }) => [slug, STEPS[step], through || '-']),
    ),
  ]
}

/** Work that waits, failed or was not read. */
function workOf(report: Report): string[] {
  return [
    ...section(
      'Work on filings',
      ['dataset', 'read', 'of sets', 'pending', 'failed'],
      rows(report.tasks).map(({ dataset, ...counts }) => {
        return [dataset, ...[counts.read, counts.of_sets, counts.pending, counts.failed].map(number)]
      }),
    ),
    ...section(
      'Rollups not made yet',
      ['slice', 'waiting', 'refused', 'since', 'example'],
      rows(report.marks).map(({ slug, waiting, refused, since, example }) => {
        const exampleText = example ? `${example.key ?? 'all keys'}: ${example.reason}` : '-'
        return [slug, number(waiting), number(refused), minute(since), exampleText]
      }),
    ),
    ...section(
      'Chosen filers whose profiles could not be read (the same command tries them again)',
      ['entry', 'filer', 'reason'],
      rows(report.chosen?.failures ?? null).map(({ entry, cik, problem }) => [entry, cik, problem]),
    ),
    ...section(
      'Failures',
      ['filings', 'dataset', 'reason', 'example'],
      rows(report.failures).map((failure) => {
        const [example] = failure.examples
        return [
          number(failure.filings),
          failure.dataset,
          failure.reason,
          example ? `${example.accession}: ${example.error}` : '-',
        ]
      }),
    ),
  ]
}

/** How new the filings are, and how soon they were seen. */
function newestOf(report: Report): string[] {
  const delays = rows(report.delays)
  return [
    ...section(
      'Newest data',
      ['family', 'filed', 'read'],
      rows(report.families).map(({ family, filed, read_at }) => {
        return [family, filed, read_at ? minute(read_at) : '-']
      }),
    ),
    ...section(
      'New filings by their delay (the time from acceptance until they were first seen here), up to',
      ['day', ...Object.keys(delays[0]?.filings ?? {})],
      delays.map(({ day, filings }) => [day, ...Object.values(filings).map(number)]),
    ),
  ]
}

function feedOf({ feed }: Report): string[] {
  return [
    ...section(
      'Feed of current filings: the last reading that found something new',
      ['host', 'read', 'newest entry', 'read back to', 'unread entries'],
      feed?.reading ? [feedRow(feed.reading, feed.unread)] : [],
    ),
    ...section(
      'Gaps of the feed (the daily indexes of their days close them)',
      ['accepted after', 'and before', 'found', 'state', 'host'],
      rows(feed?.gaps ?? null).map(({ after_at, before_at, noted_at, closed_at, host }) => {
        const state = closed_at ? `closed ${minute(closed_at)}` : 'open: filings may be missing'
        return [minute(after_at), minute(before_at), minute(noted_at), state, host]
      }),
    ),
  ]
}

/** Bulk files and sets of filings, with the parts of their content that were not read. */
function filesOf(report: Report): string[] {
  return [
    ...section(
      'Bulk files',
      ['series', 'newest', 'through', 'loaded'],
      rows(report.series).map((each) => {
        return [each.series, each.name, each.through, minute(each.loaded_at)]
      }),
    ),
    ...section(
      'Quarterly data sets of filings',
      ['dataset', 'set', 'through', 'state', 'filings', 'refused'],
      rows(report.sets).map((set) => {
        return [set.dataset, set.name, set.through, set.state, number(set.filings), number(set.refused)]
      }),
    ),
    ...section(
      'Files that failed',
      ['file', 'reason'],
      [...rows(report.editions), ...rows(report.sets)]
        .filter(({ error }) => error)
        .map(({ name, error }) => [name, error!]),
    ),
    ...section(
      'Values in documents that no parser read',
      ['dataset', 'filings', 'values'],
      rows(report.unread).map(({ dataset, filings, leaves }) => {
        return [dataset, number(filings), number(leaves)]
      }),
    ),
  ]
}

function indexesOf(report: Report): string[] {
  const indexesRead = report.indexesRead ?? 0
  const unlisted = report.unlisted ?? { filings: 0, newest: [] }
  const watermarks = rows(report.watermarks)
  return [
    ...section(
      'Indexes read',
      ['index', 'through'],
      watermarks.map(({ host, source, through }) => [`${host}${source}`, through]),
    ),
    ...(indexesRead > watermarks.length ? [`  and ${number(indexesRead - watermarks.length)} more`] : []),
    ...section(
      'Filings that the last index lacks (they are removed if the next index lacks them too)',
      ['accession', 'form', 'filer', 'index made'],
      unlisted.newest.map(({ accession, form_type, company_name, made_at }) => {
        return [accession, form_type, company_name, minute(made_at)]
      }),
    ),
    ...(unlisted.filings > unlisted.newest.length
      ? [`  and ${number(unlisted.filings - unlisted.newest.length)} more`]
      : []),
    ...section(
      'Lines of indexes that cannot be read',
      ['index', 'line', 'reason'],
      rows(report.indexProblems).map((problem) => {
        return [problem.index_url, String(problem.line), problem.reason]
      }),
    ),
  ]
}

const STEPS = { fill: 'reads the archive', make: 'makes rollups', made: 'takes the place of the old tables' }

/** Returns an empty list for rows that cannot be queried. */
const rows = <T>(some: readonly T[] | null): readonly T[] => some ?? []

/** Makes a table under a title; nothing if there are no rows. Numbers are aligned to the right. */
function section(title: string, head: readonly string[], lines: readonly (readonly string[])[]): string[] {
  if (lines.length === 0) return []
  const cells = lines.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')))
  const isNumber = head.map((_, n) => cells.every((row) => /^[\d,]+$/.test(row[n]!)))
  const widths = head.map((name, n) => Math.max(name.length, ...cells.map((row) => row[n]!.length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, n) =>
        isNumber[n] ? cell.padStart(widths[n]!) : n === row.length - 1 ? cell : cell.padEnd(widths[n]!),
      )
      .join('  ')
  return ['', title, ...[head, ...cells].map((row) => `  ${line(row)}`)]
}

const feedRow = ({ host, read_at, newest_at, reached_at }: FeedReading & { read_at: string }, unread: number) => [
  ...[host, minute(read_at), minute(newest_at), minute(reached_at), number(unread)],
]

/** `2026-11-20 06:00` */
const minute = (moment: string) => moment.slice(0, 16).replace('T', ' ')

function brief(summary: RunSummary): string {
  const {
    indexes,
    profiles,
    filings,
    editions,
    sets,
    rebuilt,
    skipped = [],
    refused = [],
    followed_at,
    failing,
    error,
  } = summary
  const parts = [
    ...(indexes && indexes.read > 0 ? [`${indexes.read} indexes`] : []),
    ...(profiles ? [`${number(profiles.read + profiles.unchanged)} profiles`] : []),
    ...(filings ? [`${number(filings.read)} filings read`] : []),
    ...(filings?.failed ? [`${number(filings.failed)} failed`] : []),
    ...(editions ? [`${editions.loaded} files loaded`] : []),
    ...(sets ? [`${sets.loaded} sets loaded`] : []),
    ...(sets?.failed.length ? [`${sets.failed.length} sets failed`] : []),
    ...(editions?.failed.length ? [`${editions.failed.length} files failed`] : []),
    ...Object.entries(rebuilt ?? {}).map(([dataset, { read }]) => `${dataset}: ${number(read)} read again`),
    ...(refused.length > 0 ? [`rollups of ${number(refused.length)} keys could not be made`] : []),
    ...skipped.map(({ part }) => `${part} skipped`),
    ...(followed_at ? [`followed until ${minute(followed_at)}`] : []),
    ...(failing ? [`failing since ${minute(failing.since)}: ${failing.reason}`] : []),
    ...(error ? [error] : []),
  ]
  return parts.join(', ') || '-'
}
