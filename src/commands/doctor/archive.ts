/**
 * Checks the archive, for `doctor`: writes, reads, lists and removes an object of the bucket, and looks for entries that
 * the folder lacks.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Objects } from '../../archive/objects.ts'
import { addressOf, hasEntries, type Place, placeOf } from '../../archive/place.ts'
import { diskStore } from '../../archive/store.ts'
import type { Config } from '../../config.ts'
import { dataDirOf } from '../../database.ts'
import { messageOf } from '../../declare/errors.ts'
import type { Sql } from '../../store/db.ts'
import type { Check } from './check.ts'

const WAY_OUT =
  'check ARCHIVE_URL, ARCHIVE_ENDPOINT, AWS_REGION and the keys (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role); docs/operating/archive.md lists the rights that the keys need'

/** Few attempts with short timeouts, because a person waits for the result. */
const RETRIES = { attempts: 2, timeoutMs: 10_000 }

/**
 * Returns a finding about the bucket, and another one if the folder still has entries. Returns none if the archive is
 * not in a bucket.
 */
export async function checkArchive(config: Config): Promise<Check[]> {
  const place = placeOf(config)
  if (place === null) return []
  // Loaded only here: most installations have no bucket.
  const { openObjects } = await import('../../archive/objects.ts')
  return [
    await probed(() => openObjects(place, RETRIES), place),
    ...former(path.join(dataDirOf(config).path, 'archive')),
  ]
}

async function probed(open: () => Objects, place: Place): Promise<Check> {
  const name = 'archive'
  let objects: Objects | undefined
  try {
    objects = open()
    const reason = await probe(objects)
    if (reason === null) {
      const found = `${addressOf(place)} can be written, read and listed, and its objects can be removed`
      return { name, state: 'ok', found }
    }
    return { name, state: 'FAIL', found: `${addressOf(place)} ${reason}`, wayOut: WAY_OUT }
  } catch (error) {
    return { name, state: 'FAIL', found: messageOf(error), wayOut: WAY_OUT }
  } finally {
    objects?.close()
  }
}

/** @returns what is wrong with the bucket; null if it did all that is needed */
async function probe(objects: Objects): Promise<string | null> {
  const name = `probe/${randomUUID()}`
  const text = `written by "openfilings doctor" ${name}\n`
  const folder = await mkdtemp(path.join(tmpdir(), 'openfilings-'))
  try {
    const file = path.join(folder, 'probe')
    await writeFile(file, text)
    await objects.put(name, {
      path: file,
      size: Buffer.byteLength(text),
      md5: createHash('md5').update(text).digest('base64'),
    })
    const read = await objects.get(name, async (body) => Buffer.concat(await Array.fromAsync(body)).toString())
    if (read !== text) return 'returns other bytes than those that were written'
    const listed = await Array.fromAsync(objects.list(name))
    if (listed.length !== 1) return 'does not list an object that was written'
    await objects.remove(name)
    // If the keys lack the right to list the bucket, AWS refuses to say that an object is missing.
    return (await objects.head(name)) === null ? null : 'still has an object that was removed'
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * Number of submissions from the beginning of the table that are looked up in the archive. As many submissions with the
 * highest accessions are looked up too.
 */
const LOOKED_UP = 100

/**
 * Compares some submissions that the database names with the folder of the archive. If the disk of the archive is not
 * mounted, the folder is empty, and nothing else shows it: each missing submission is fetched again.
 */
export async function checkEntries(sql: Sql, config: Config): Promise<Check[]> {
  if (placeOf(config) !== null) return []
  const archive = path.join(dataDirOf(config).path, 'archive')
  const named = await sql<{ entry: string }[]>`
    select coalesce(kept_sha256, sha256) as entry from (
      (select sha256, kept_sha256 from edgar.submission limit ${LOOKED_UP})
      union all
      (select sha256, kept_sha256 from edgar.submission order by accession desc limit ${LOOKED_UP})
    ) looked group by 1`
  const failed = (found: string, wayOut: string): Check[] => [{ name: 'archive', state: 'FAIL', found, wayOut }]
  const store = diskStore(archive)
  let lost: number
  try {
    lost = (await Promise.all(named.map(({ entry }) => store.has(entry)))).filter((has) => !has).length
  } catch (error) {
    return failed(`${archive} cannot be read: ${messageOf(error)}`, 'correct the folder, or its disk')
  }
  if (lost === 0) return []
  return failed(
    `${archive} lacks ${lost} of ${named.length} submissions that were looked up and that the database names`,
    'mount the disk of the archive, or restore the archive from a backup; what is missing is otherwise fetched again',
  )
}

const former = (archive: string): Check[] =>
  hasEntries(archive)
    ? [
        {
          name: 'archive folder',
          state: 'warn',
          found: `${archive} has entries that the bucket of ARCHIVE_URL may lack`,
          wayOut:
            'copy them with "openfilings archive copy", and then remove those of its folders whose names are two letters or digits',
        },
      ]
    : []
