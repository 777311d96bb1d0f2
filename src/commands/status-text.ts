/** `status` for a person. */
import type { RunSummary } from '../ingest/runs.ts'
import { duration, number, size } from './progress.ts'
import type { Report } from './status-work.ts'

/** @param now in milliseconds since 1970, for how long something runs or ran */
export function statusText(report: Report, now: number): string {
  const { database, archive, spine, runs, tasks, unread, marks, failures, families, series, editions, sets, stale } =
    report
  const held = { sample: 'the bundled sample', edgar: 'real filings' }
  const what = spine.origin === null || spine.filings === 0 ? '' : `, ${held[spine.origin]}`
  return [
    `database  ${database.address} (${size(database.bytes)})`,
    `archive   ${archive.folder} (${archive.isWhole ? '' : 'about '}${size(archive.bytes)})`,
    `filings   ${number(spine.filings)} of ${spine.forms} forms, newest ${spine.newest ?? '-'}${what}`,
    ...(stale.length > 0
      ? [
          `outdated  ${stale.map(({ dataset, reason }) => `${dataset} (${reason})`).join(', ')}: run "openfilings rebuild"`,
        ]
      : []),
    ...section(
      'Last runs',
      ['started', 'command', 'outcome', 'took', 'what was done'],
      runs.map((run) => {
        const end = run.ended_at ? Date.parse(run.ended_at) : now
        const took = run.outcome === 'killed' ? '-' : duration((end - Date.parse(run.started_at)) / 1000)
        return [minute(run.started_at), `${run.command} ${run.what}`.trim(), run.outcome, took, brief(run.summary)]
      }),
    ),
    ...section(
      'Work on filings',
      ['dataset', 'read', 'pending', 'failed'],
      tasks.map(({ dataset, ...counts }) => {
        return [dataset, number(counts.read), number(counts.pending), number(counts.failed)]
      }),
    ),
    ...section(
      'Rollups not made yet',
      ['slice', 'waiting', 'refused', 'since', 'such as'],
      marks.map(({ slug, waiting, refused, since, example }) => {
        const told = example ? `${example.key ?? 'all keys'}: ${example.reason}` : '-'
        return [slug, number(waiting), number(refused), minute(since), told]
      }),
    ),
    ...section(
      'Failures',
      ['filings', 'dataset', 'reason', 'such as'],
      failures.map((failure) => {
        const [example] = failure.examples
        return [
          number(failure.filings),
          failure.dataset,
          failure.reason,
          example ? `${example.accession}: ${example.error}` : '-',
        ]
      }),
    ),
    ...section(
      'Newest data',
      ['family', 'filed', 'read'],
      families.map(({ family, filed, read_at }) => {
        return [family, filed, read_at ? minute(read_at) : '-']
      }),
    ),
    ...section(
      'First seen after acceptance, new filings under',
      ['day', ...Object.keys(report.delays[0]?.filings ?? {})],
      report.delays.map(({ day, filings }) => [day, ...Object.values(filings).map(number)]),
    ),
    ...section(
      'Bulk files',
      ['series', 'newest', 'through', 'loaded'],
      series.map((each) => {
        return [each.series, each.name, each.through, minute(each.loaded_at)]
      }),
    ),
    ...section(
      'Sets of filings',
      ['dataset', 'set', 'through', 'state', 'filings', 'refused'],
      sets.map((set) => {
        return [set.dataset, set.name, set.through, set.state, number(set.filings), number(set.refused)]
      }),
    ),
    ...section(
      'Files that failed',
      ['file', 'reason'],
      [...editions, ...sets].filter(({ error }) => error).map(({ name, error }) => [name, error!]),
    ),
    ...section(
      'Leaves that no parser read',
      ['dataset', 'filings', 'leaves'],
      unread.map(({ dataset, filings, leaves }) => {
        return [dataset, number(filings), number(leaves)]
      }),
    ),
    ...section(
      'Indexes read',
      ['index', 'through'],
      report.watermarks.map(({ host, source, through }) => [`${host}${source}`, through]),
    ),
    ...(report.indexesRead > report.watermarks.length
      ? [`  and ${number(report.indexesRead - report.watermarks.length)} more`]
      : []),
    ...section(
      'Filings that the last index lacks, removed if the next one lacks them too',
      ['accession', 'form', 'filer', 'index made'],
      report.unlisted.newest.map(({ accession, form_type, company_name, made_at }) => {
        return [accession, form_type, company_name, minute(made_at)]
      }),
    ),
    ...(report.unlisted.filings > report.unlisted.newest.length
      ? [`  and ${number(report.unlisted.filings - report.unlisted.newest.length)} more`]
      : []),
    ...section(
      'Lines of indexes that cannot be read',
      ['index', 'line', 'reason'],
      report.indexProblems.map((problem) => {
        return [problem.index_url, String(problem.line), problem.reason]
      }),
    ),
  ].join('\n')
}

/** A table under a title; nothing without rows. Numbers stand at the right of their column. */
function section(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  rows = rows.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')))
  const isNumber = head.map((_, n) => rows.every((row) => /^[\d,]+$/.test(row[n]!)))
  const widths = head.map((name, n) => Math.max(name.length, ...rows.map((row) => row[n]!.length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, n) =>
        isNumber[n] ? cell.padStart(widths[n]!) : n === row.length - 1 ? cell : cell.padEnd(widths[n]!),
      )
      .join('  ')
  return ['', title, ...[head, ...rows].map((row) => `  ${line(row)}`)]
}

/** `2026-11-20 06:00` */
const minute = (moment: string) => moment.slice(0, 16).replace('T', ' ')

function brief(summary: RunSummary): string {
  const { indexes, filings, editions, sets, rebuilt, skipped = [], refused = [], followed_at, failing, error } = summary
  const parts = [
    ...(indexes && indexes.read > 0 ? [`${indexes.read} indexes`] : []),
    ...(filings ? [`${number(filings.read)} filings read`] : []),
    ...(filings?.failed ? [`${number(filings.failed)} failed`] : []),
    ...(editions ? [`${editions.loaded} files loaded`] : []),
    ...(sets ? [`${sets.loaded} sets loaded`] : []),
    ...(sets?.failed.length ? [`${sets.failed.length} sets failed`] : []),
    ...(editions?.failed.length ? [`${editions.failed.length} files failed`] : []),
    ...Object.entries(rebuilt ?? {}).map(([dataset, { read }]) => `${dataset}: ${number(read)} read again`),
    ...(refused.length > 0 ? [`${number(refused.length)} keys of rollups refused`] : []),
    ...skipped.map(({ part }) => `${part} skipped`),
    ...(followed_at ? [`followed until ${minute(followed_at)}`] : []),
    ...(failing ? [`failing since ${minute(failing.since)}: ${failing.reason}`] : []),
    ...(error ? [error] : []),
  ]
  return parts.join(', ') || '-'
}
