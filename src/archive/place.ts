/** Where the archive is: in its folder, or in a bucket of an S3-compatible store with a cache in the folder. */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import path from 'node:path'

/** Where a bucket is. The client reads keys from the usual variables and files of AWS. */
export interface Place {
  bucket: string
  /** The beginning of each object's name; empty, or with a slash at its end. */
  prefix: string
  /** Address of the store; null for AWS. */
  endpoint: string | null
  /** The region; null means the region that the variables and files of AWS name. */
  region: string | null
}

/** The settings that say where the archive is. */
export interface ArchiveSettings {
  ARCHIVE_URL: { bucket: string; prefix: string } | null
  ARCHIVE_ENDPOINT: string | null
  AWS_REGION: string | null
}

/** The bucket that the settings name; null if the archive is in its folder. */
export const placeOf = ({ ARCHIVE_URL, ARCHIVE_ENDPOINT, AWS_REGION }: ArchiveSettings): Place | null =>
  ARCHIVE_URL && { ...ARCHIVE_URL, endpoint: ARCHIVE_ENDPOINT, region: AWS_REGION }

/** The address of a bucket, without keys. */
export const addressOf = ({ bucket, prefix }: Pick<Place, 'bucket' | 'prefix'>): string => `s3://${bucket}/${prefix}`

/** Folder for the caches of buckets. It is in the folder of the archive. */
export const BUCKETS = 'bucket'

/**
 * Folder of a bucket's cache. Each bucket has its own, because a file in the cache means that this bucket has the
 * object.
 *
 * @param archive the folder of the archive
 */
export function cacheOf(archive: string, place: Place): string {
  const name = createHash('sha256')
    .update(`${place.endpoint ?? ''} ${addressOf(place)}`)
    .digest('hex')
  return path.join(archive, BUCKETS, name.slice(0, 12))
}

/** Whether the folder of the archive has entries of its own, which a bucket may lack. */
export function hasEntries(archive: string): boolean {
  try {
    return readdirSync(archive).some((name) => /^[0-9a-f]{2}$/.test(name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return false
  }
}
