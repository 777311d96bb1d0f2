/** The closing summary of a long command. */

import { UserError } from '../../declare/errors.ts'
import type { RunOutcome, RunSummary } from '../../ingest/runs.ts'
import { duration, number, size } from '../progress.ts'

/** Maximum number of failed files that are named one by one; `status` lists all of them. */
const NAMES_SHOWN = 10

const ENDINGS: Record<RunOutcome, string> = {
  done: 'done',
  problems: 'done, with problems',
  failed: 'ended early',
  stopped: 'stopped; what was committed stays, and the next run continues there',
}

/**
 * The results and the next steps, a line each. The last line of the command states why a run ended early. Branches:
 * each line is printed only if its part of the run did something.
 */
export function summaryText(
  title: string,
  outcome: RunOutcome,
  seconds: number,
  summary: RunSummary,
  next: readonly string[],
): string {
  const { indexes, profiles, archives, filings, editions, sets, rebuilt, requests } = summary
  const { skipped = [], refused = [], slow = [] } = summary
  const rows: [string, string][] = []
  if (indexes) {
    const { read, damaged, filings, added, changed, removed } = indexes
    const counts = `${number(filings)} filings listed, ${number(added)} new, ${number(changed)} changed, ${number(removed)} removed`
    rows.push(['indexes', `${read} read${read > 0 ? `: ${counts}` : ''}${damaged > 0 ? `; ${damaged} damaged` : ''}`])
  }
  if (profiles) rows.push(['profiles', profilesText(profiles)])
  if (archives) {
    const { read, filings, failed } = archives
    const left = failed.length > 0 ? `; not read to their end: ${failed.map(({ day }) => day).join(', ')}` : ''
    rows.push(['archives', `${number(read)} archives of whole days read, with ${number(filings)} filings${left}`])
  }
  if (filings) {
    const { read, failed, unread, pending } = filings
    const left = pending > 0 ? `; ${number(pending)} left` : ''
    rows.push(['filings', `${number(read)} read, ${number(failed)} failed, ${number(unread)} unread leaves${left}`])
  }
  const files = editions?.of === 'companies' ? 'files of companies' : 'adviser files'
  for (const [what, some] of [[files, editions] as const, ['sets', sets] as const]) {
    if (!some) continue
    const { loaded, known, failed } = some
    rows.push([what, `${loaded} loaded, ${known} known before, ${failed.length} failed`])
    for (const { name, reason } of failed.slice(0, NAMES_SHOWN)) rows.push(['', `${name} failed: ${reason}`])
    if (failed.length > NAMES_SHOWN) rows.push(['', `and ${failed.length - NAMES_SHOWN} more`])
  }
  for (const [dataset, { read, failed }] of Object.entries(rebuilt ?? {}))
    rows.push([dataset, `${number(read)} read again, ${number(failed)} failed`])
  for (const { slug, key, reason } of refused.slice(0, NAMES_SHOWN))
    rows.push(['rollups', `${slug}, ${key ?? 'all keys'}: ${reason}`])
  if (refused.length > NAMES_SHOWN) rows.push(['', `and ${refused.length - NAMES_SHOWN} more`])
  for (const { part, reason } of skipped) rows.push(['skipped', `${part}: ${reason}`])
  if (requests && requests.sent > 0) {
    const { sent, repeated, pauses } = requests
    const again = repeated > 0 ? `, ${number(repeated)} of them repeated` : ''
    rows.push(['requests', `${number(sent)}${again}${pauses > 0 ? `, ${pauses} pauses` : ''}`])
  }
  for (const { path, bytes, seconds } of slow) rows.push(['slow', `${path}: ${size(bytes)} in ${duration(seconds)}`])
  // The last line of a command that ended early states its error.
  if (outcome === 'stopped' && summary.error !== undefined) rows.push(['error', summary.error])
  for (const step of next) rows.push(['next', step])
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)
  return [`${title}: ${ENDINGS[outcome]}, after ${duration(seconds)}`, ...lines].join('\n')
}

function profilesText({ read, unchanged, failed, filings, added }: NonNullable<RunSummary['profiles']>): string {
  const counts = `${number(filings)} filings listed, ${number(added)} new`
  return `${number(read)} read, ${number(unchanged)} unchanged, ${number(failed)} failed: ${counts}`
}

/**
 * Returns the next steps of the operator; empty if all went well.
 *
 * @param failure what ended the run early. If the request itself was wrong (a `UserError`), the error's own line says
 *   what to do, and doctor would find nothing
 */
export function nextSteps(
  failure: unknown,
  { indexes, filings, editions, sets, rebuilt, skipped = [], refused = [] }: RunSummary,
): string[] {
  const failed = (filings?.failed ?? 0) + Object.values(rebuilt ?? {}).reduce((sum, each) => sum + each.failed, 0)
  return [
    ...(failed > 0
      ? ['"openfilings status" shows why filings failed; "openfilings ingest --retry" tries them again']
      : []),
    ...(indexes && indexes.damaged > 0 ? ['the next run reads damaged indexes again'] : []),
    ...(editions && editions.failed.length > 0
      ? [
          editions.of === 'companies'
            ? 'the same command tries failed files again'
            : 'the next "openfilings ingest adv" tries failed files again',
        ]
      : []),
    ...(sets && sets.failed.length > 0 ? ['the same command tries failed sets again'] : []),
    ...(refused.length > 0 ? ['the next run tries again to make the rollups that could not be made'] : []),
    ...(skipped.length > 0 ? ['remove the cause of each skipped part, and then run the same command again'] : []),
    ...(failure !== undefined && !(failure instanceof UserError)
      ? ['"openfilings doctor" looks for what is wrong']
      : []),
  ]
}
