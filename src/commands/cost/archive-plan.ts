/**
 * Chooses the days whose filings are read from EDGAR's archives of whole days. For these days, an archive takes less
 * time than a request for each filing.
 */
import { messageOf } from '../../declare/errors.ts'
import { type EdgarClient, EdgarError } from '../../fetch/client.ts'
import { intervalOf } from '../../fetch/pace.ts'
import { type DayArchive, listedArchives } from '../../ingest/archives/listing.ts'
import { daysToFetch, listedForms } from '../../ingest/archives/pending.ts'
import { endsRun } from '../../ingest/failures.ts'
import type { Selection } from '../../ingest/queue.ts'
import type { Sql } from '../../store/db.ts'
import { sizesOf } from './submission-sizes.ts'

/**
 * Assumed speed of the network, 100 Mbit/s. The network limits the download of large filings; the rate of requests
 * limits the download of small filings.
 */
export const LINE_BYTES_A_SECOND = 12_500_000

export interface PlannedArchive extends DayArchive {
  /** Number of filings of the day that wait to be read. */
  filings: number
  bytes: number
}

export interface ArchivePlan {
  archives: PlannedArchive[]
  /** Messages about the lists of archives that could not be fetched. */
  failures: string[]
}

/** Minimum number of waiting filings of a day for which an archive is considered. */
const FILINGS_MIN = 20
/**
 * Ratio of packed to unpacked size. A day's archive has 2.2 GB, and its submissions have 3.6 GB unpacked (2026).
 * Submissions that are fetched one by one arrive packed too.
 */
const PACKED = 0.6
/**
 * Assumed requests a second at a host that is not paced. Such a host is a mirror of EDGAR, so the method that is faster
 * at EDGAR is used for the mirror too.
 */
const PER_SECOND = 5

/** @throws errors for which `endsRun` is true, and the signal's reason */
export async function planArchives(
  { sql, client, signal }: { sql: Sql; client: EdgarClient; signal?: AbortSignal },
  selection: Selection,
): Promise<ArchivePlan> {
  const days = await daysToFetch(sql, selection, FILINGS_MIN)
  const forms = [...new Set(days.flatMap((day) => Object.keys(day.forms)))]
  const waits = await sizesOf(sql, forms)
  const eachSeconds = intervalOf(client.perSecond ?? PER_SECOND) / 1000
  const failures: string[] = []
  const archives: PlannedArchive[] = []
  for (const [quarter, own] of Map.groupBy(days, ({ day }) => quarterOf(day))) {
    const listed = await listedArchives(client, quarter, signal).catch((error: unknown) => {
      if (!(error instanceof EdgarError) || endsRun(error)) throw error
      failures.push(messageOf(error))
      return new Map<string, DayArchive>()
    })
    for (const { day, filings, forms } of own) {
      const archive = listed.get(day)
      if (!archive) continue
      const singly = Math.max(filings * eachSeconds, (PACKED * bytesOf(forms, waits)) / LINE_BYTES_A_SECOND)
      const bytes = archive.bytes ?? (await guessed(sql, day))
      if (eachSeconds + bytes / LINE_BYTES_A_SECOND < singly) archives.push({ ...archive, filings, bytes })
    }
  }
  return { archives, failures }
}

/** Estimates an archive's size from all filings of the day, if the list states no size. */
async function guessed(sql: Sql, day: string): Promise<number> {
  const forms = await listedForms(sql, day)
  return Math.round(PACKED * bytesOf(forms, await sizesOf(sql, Object.keys(forms))))
}

const bytesOf = (forms: Record<string, number>, sizeOf: (form: string) => number) =>
  Object.entries(forms).reduce((sum, [form, filings]) => sum + filings * sizeOf(form), 0)

const quarterOf = (day: string) => `${day.slice(0, 4)}/QTR${Math.ceil(Number(day.slice(5, 7)) / 3)}`
