/**
 * Takes a publisher's files into the archive: files that its lists name, files at known addresses, and files on disk.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Store } from '../archive/store.ts'
import { UserError } from '../declare/errors.ts'
import { type EdgarClient, EdgarError } from '../fetch/client.ts'
import type { Validators } from '../fetch/validators.ts'
import { textOf } from '../read/encoding.ts'

/** A file in the archive. */
export interface ArchivedFile {
  name: string
  sha256: string
  bytes: number
  source_url: string
  /** The day of the file, and where that day is from. `bulk/dated.ts` names an edition by this day. */
  day?: string
  day_from?: 'name' | 'host' | 'fetched' | 'disk'
  /** Number of parts of a zip. */
  parts?: number
  /** Validators with which the host can be asked whether the file has changed. */
  validators?: Validators
}

/** A file that can be fetched, or is on disk. */
export interface SourceFile {
  name: string
  url: string
  /**
   * The list's description of the file, which changes when the file changes. Null for local files, which are compared
   * by content.
   */
  as: string | null
  /** The host whose list names the file, or the folder of a local file. */
  from: string
  /**
   * Archives the file.
   *
   * @param known the file that was archived from the same address before. The host may answer that this file is
   *   unchanged
   */
  put: (known?: ArchivedFile) => Promise<ArchivedFile>
}

interface Place {
  store: Store
  signal?: AbortSignal | undefined
}

/** Largest list. The SEC's list of 13F sets has 109 KB, the lists of adviser files have about 100 KB. */
const LIST_SIZE_MAX = 8 * 1024 ** 2
/** Largest file. The two halves of all Form ADV filings from 2011 to 2024 have 600 MB each. */
const FILE_SIZE_MAX = 4 * 1024 ** 3

/**
 * Returns the files that a host's lists name.
 *
 * @param lists the paths of the lists; a missing list is skipped unless all lists are missing
 * @param read returns the files that a list's text names, each with its name and its path on the host
 * @throws EdgarError if none of the lists exists, or if a list cannot be read
 */
export async function listedFiles(
  { client, store, signal }: Place & { client: EdgarClient },
  lists: readonly string[],
  read: (list: string, text: string) => readonly { name: string; path: string; as: string }[],
): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  let found = 0
  for (const list of lists) {
    const text = await client.get(list, async ({ body }) => textOf(Buffer.concat(await Array.fromAsync(body))), {
      sizeMax: LIST_SIZE_MAX,
      signal,
    })
    if (text === null) continue
    found++
    for (const { name, path: at, as } of readable(list, text)) {
      files.push({ name, as, url: client.baseUrl + at, from: client.baseUrl, put: () => fetched(name, at) })
    }
  }
  if (found === 0) throw new EdgarError('configuration', `${client.baseUrl} has no list at ${lists.join(' or ')}`)
  return files

  function readable(list: string, text: string) {
    try {
      return read(list, text)
    } catch (cause) {
      throw new EdgarError('refused', `${client.baseUrl}${list} cannot be read as a list`, { cause })
    }
  }

  async function fetched(name: string, at: string): Promise<ArchivedFile> {
    const file = await client.get(
      at,
      async ({ body, url }) => ({ name, ...(await store.put(body)), source_url: url }),
      {
        sizeMax: FILE_SIZE_MAX,
        isDownload: true,
        signal,
      },
    )
    if (!file) throw new Error(`${client.baseUrl}${at} is listed but does not exist`)
    return file
  }
}

/**
 * Fetches a file that the list does not name any more; null if the host no longer has it. An error of the host is
 * thrown only by `put` of this file, so other files are not affected.
 */
export async function unlisted(
  { client, store, signal }: Place & { client: EdgarClient },
  name: string,
  at: string,
): Promise<SourceFile | null> {
  const source = { name, as: null, url: client.baseUrl + at, from: client.baseUrl }
  try {
    const file = await client.get(
      at,
      async ({ body, url: source_url }) => ({ name, ...(await store.put(body)), source_url }),
      { sizeMax: FILE_SIZE_MAX, isDownload: true, signal },
    )
    return file && { ...source, put: async () => file }
  } catch (error) {
    if (!(error instanceof EdgarError)) throw error
    return { ...source, put: () => Promise.reject(error) }
  }
}

/**
 * A file at a known address that no list names. Its day is the day of its last change, as the host states it.
 *
 * @param today the day if the host states none
 * @param name the name under which the file is archived
 */
export function fetchedFile(
  { store, signal, client }: Place & { client: EdgarClient },
  at: string,
  today: () => string,
  name = path.posix.basename(at),
): SourceFile {
  const url = client.baseUrl + at
  async function put(before?: ArchivedFile): Promise<ArchivedFile> {
    const { validators } = before ?? {}
    // If a file is no longer in the archive, it is requested without a condition. So its host sends it even if it has
    // not changed.
    const known = before && validators && (await store.has(before.sha256)) ? { validators, result: before } : undefined
    const file = await client.get(
      at,
      async ({ body, url: source_url, modified, validators }): Promise<ArchivedFile> => ({
        ...{ name, ...(await store.put(body)), source_url, validators },
        ...(modified ? { day: modified, day_from: 'host' as const } : { day: today(), day_from: 'fetched' as const }),
      }),
      { sizeMax: FILE_SIZE_MAX, isDownload: true, known, signal },
    )
    if (!file) throw new Error(`there is no ${url}`)
    return file
  }
  return { name, url, as: null, from: client.baseUrl, put }
}

/** A local file that the operator named and that is not loaded, with the reason. */
export interface RefusedFile {
  name: string
  reason: string
}

/**
 * Checks the given local files, and prepares them for the archive. A file that cannot be used does not stop the others,
 * since a pattern of a shell may also match files with unexpected names.
 *
 * @param refusalOf returns the reason why a file with this name is not expected; null if it is expected
 * @throws UserError if none of the files can be used. A file cannot be used if its name is not expected, if it is
 *   missing, or if it is a folder
 */
export async function localFiles(
  place: Place,
  files: readonly string[],
  refusalOf: (name: string) => string | null,
): Promise<{ usable: SourceFile[]; refused: RefusedFile[] }> {
  const usable: SourceFile[] = []
  const refused: (RefusedFile & { file: string })[] = []
  for (const file of files) {
    const name = path.basename(file)
    const found = refusalOf(name) ?? (await onDisk(place, file))
    if (typeof found === 'string') refused.push({ file, name, reason: found })
    else usable.push(found)
  }
  const [first] = refused
  if (!first || usable.length > 0) return { usable, refused }
  const others = refused.length > 1 ? `; the other ${refused.length - 1} cannot be loaded either` : ''
  throw new UserError(`${first.file} ${first.reason}${others}`)
}

/** A local file, or the reason why it cannot be used. */
async function onDisk({ store }: Place, file: string): Promise<SourceFile | string> {
  const found = await stat(file).catch(() => null)
  if (!found) return 'cannot be read'
  if (found.isDirectory()) return 'is a folder: name the files in it'
  const name = path.basename(file)
  const url = pathToFileURL(file).href
  const dated = { day: found.mtime.toISOString().slice(0, 10), day_from: 'disk' as const }
  const put = async () => ({ name, ...(await store.put(createReadStream(file))), source_url: url, ...dated })
  return { name, as: null, url, from: path.dirname(url), put }
}
