/** One edition of an index: what it covers, when it was made, and whether a newer edition was read already. */
import type { IndexReader } from '../../read/master-index.ts'
import { midnight, newYorkClock } from '../../read/new-york.ts'
import type { Transaction } from '../../store/db.ts'

export interface IndexLoad {
  url: string
  reader: IndexReader
  /** Address of the host, without a trailing slash. Other hosts may have indexes with the same names. */
  host: string
  /** Path of the index. The host and path identify the watermark, which advances only if every line can be read. */
  source: string
  /** Last day that the index may cover. */
  through: string
  /**
   * First day of the quarter, if the index lists the whole quarter. Known filings that the index lacks may then have
   * been removed.
   */
  wholeFrom?: string
  /** Time at which the index last changed, as the host states it, ISO 8601. */
  modifiedAt?: string | null
  /** The time of the reading. */
  now: Date
  /**
   * Times of acceptance from the feed of current filings. The feed is not an index: the feed corrects nothing and has
   * no watermark.
   */
  current?: ReadonlyMap<string, string>
  /**
   * The entries are from profiles of chosen filers. These entries add filings, and add filers to known filings. They
   * correct nothing and have no watermark. Each filer's name and filings come from its own profile, so a filing may
   * lack its other filers until an index lists them.
   */
  isOfProfiles?: boolean
  /** If more filings than this are added, the tables are vacuumed, and an empty spine gets its indexes after the rows. */
  many?: number
  /** Called before the commit, in the transaction that stores the index. */
  note?: (tx: Transaction) => Promise<void>
  /** If the index has entries, called after they were read and before anything is stored. */
  claim?: (tx: Transaction) => Promise<boolean>
}

/** The index that was last read under this name. */
export interface LastEdition {
  through: string
  /** The Last-Modified of the index, ISO 8601. */
  made_at: string | null
}

/**
 * True if the entries only add filings, like entries of the feed and of profiles. Only an index corrects and removes
 * filings.
 */
export const onlyAdds = ({ current, isOfProfiles = false }: IndexLoad): boolean => current !== undefined || isOfProfiles

export async function lastEdition(tx: Transaction, { host, source }: IndexLoad): Promise<LastEdition | null> {
  const [row] = await tx<LastEdition[]>`
    select through, made_at from edgar.watermark where host = ${host} and source = ${source}`
  return row ?? null
}

/**
 * True if this edition of the index was made before the edition that was read last. An answer from a cache may be such
 * an older edition.
 */
export function isOlder(index: IndexLoad, last: LastEdition | null): boolean {
  const { modifiedAt, reader } = index
  if (!last) return false
  if (modifiedAt && last.made_at) return Date.parse(modifiedAt) < Date.parse(last.made_at)
  return reader.lastReceived !== null && reader.lastReceived < last.through
}

/**
 * The last day of the data that the index has, as its header states it; null if it states none. A header may state a day
 * in the future, but an index has nothing of the days after it was made.
 */
export function lastDay(index: IndexLoad): string | null {
  const { lastReceived } = index.reader
  return lastReceived === null ? null : min(lastReceived, madeOn(index))
}

/** The last day that the index covers. If its header states no last day, the index covers all days until it was made. */
export const coveredThrough = (index: IndexLoad): string =>
  min(index.reader.lastReceived ?? index.through, index.through, madeOn(index))

/**
 * The day in New York on which the index of a quarter was made. If the host does not state when the index was made, or
 * states a day before the quarter (a package may date its files to 1985), the day of the reading is taken instead. For
 * the index of a day, the result is that day, because such an index is complete when it is made.
 */
function madeOn({ modifiedAt, wholeFrom, through, now }: IndexLoad): string {
  if (wholeFrom === undefined) return through
  const read = newYorkClock(now).day
  const made = modifiedAt ? newYorkClock(modifiedAt).day : read
  return made < wholeFrom ? read : min(made, read)
}

const min = (...days: string[]) => days.reduce((a, b) => (a < b ? a : b))

/**
 * Why the index of a day does not have the filings of its day; null if it may have them. Each real index of a day
 * states this day as its last. So an index that states an earlier day is that of another day, for example from a cache.
 */
export function otherDay(index: IndexLoad): string | null {
  const { reader, through, wholeFrom } = index
  const { lastReceived } = reader
  if (onlyAdds(index) || wholeFrom !== undefined || lastReceived === null || lastReceived >= through) return null
  return `its data ends on ${lastReceived}, so it is not the index of ${through}`
}

/**
 * The earliest time at which the index may have been made: filings accepted after that time may be missing in the
 * index. Null if neither its Last-Modified nor its header gives such a time.
 */
export function madeAt({ modifiedAt, reader: { lastReceived }, now }: IndexLoad): Date | null {
  // A time in the future is an error of the host's clock, or of ours.
  if (modifiedAt) return new Date(Math.min(Date.parse(modifiedAt), now.getTime()))
  return lastReceived === null ? null : midnight(lastReceived)
}
