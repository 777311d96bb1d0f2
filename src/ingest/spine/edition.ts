/** One edition of an index: what it covers, when it was made, and whether a newer edition was read already. */
import type { IndexReader } from '../../read/master-index.ts'
import { midnight } from '../../read/new-york.ts'
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
   * The entries are from profiles of chosen filers. These entries add filings, and add filers to known filings; they
   * correct nothing and have no watermark. Each filer's name and filings come from its own profile, so a filing may
   * lack its other filers until an index lists them.
   */
  isOfProfiles?: boolean
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
 * True if the index was made before the edition of the same index that was read last. An answer from a cache may be
 * such an older index.
 */
export function isOlder(index: IndexLoad, last: LastEdition | null): boolean {
  const { modifiedAt, reader } = index
  if (!last) return false
  if (modifiedAt && last.made_at) return Date.parse(modifiedAt) < Date.parse(last.made_at)
  return reader.lastReceived !== null && reader.lastReceived < last.through
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
