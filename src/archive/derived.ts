/**
 * Caches results that are expensive to compute from archived bytes. The archive keeps them under the digest of the
 * bytes, a name and the version of the code. All results may be deleted at any time.
 */
import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { callApart } from '../read/apart/process.ts'
import { jsonOf, packLater, sizeOf } from '../read/packed.ts'
import { InFlight } from './in-flight.ts'
import { isOwn, ownFolder, READ_OWN } from './own.ts'

export interface DerivedKey {
  /** Digest of the bytes from which the value is made. */
  sha256: string
  /** A name that stands for the part of the bytes that was used and for the kind of the result: `[a-z0-9-]+`. */
  name: string
  /** Digest of the code that makes the value, in hex. A value that other code made is not used: it is made again. */
  version: string
}

/** A value in its stored form, and its JSON unless the JSON is large. */
export interface Packed {
  packed: Uint8Array
  json: Buffer | null
}

/**
 * JSON above this size is large, and is not unpacked in this thread. Unpacking would take 5 ms for each megabyte. V8
 * also collects garbage more often if more memory is outside of its heap: with texts of 12 MB on a busy machine, pauses
 * of 200 ms were seen.
 */
const LARGE = 512 * 1024

const PACKED = new URL('../read/packed.ts', import.meta.url)

export interface Derived {
  /** Returns the stored value. If there is none, calls `make` once for all callers that request the value meanwhile. */
  get<T>(key: DerivedKey, make: () => Promise<T>): Promise<T>
  /**
   * Does the same as `get` for a `make` that returns its value packed, as `read/packed.ts` packs it. This thread never
   * unpacks a large value.
   */
  packed(key: DerivedKey, make: () => Promise<Uint8Array>): Promise<Packed>
  /** JSON of a value that `packed` has made before. Null if the value is large or is not stored. */
  json(key: DerivedKey): Promise<Buffer | null>
}

/**
 * Stores values as JSON in a folder: `<folder>/<version>/<2 hex>/<sha256>.<name>.json.zst`. A value that cannot be
 * read, or could not be written, is made again when it is next requested. Each version has a folder of its own, named
 * by the first 12 characters of the version. So all values of an outdated version are removed with its folder.
 *
 * @param root folder of the archive, which contains `folder` and `temporary`
 * @param temporary folder for files that are being written; the store removes the files that killed processes left
 *   there
 */
export function derivedIn(root: string, folder: string, temporary: string): Derived {
  const inFlight = new InFlight()

  const fileOf = ({ sha256, name, version }: DerivedKey) => {
    if (!/^[0-9a-f]{64}$/.test(sha256) || !/^[a-z0-9-]+$/.test(name) || !/^[0-9a-f]{12,64}$/.test(version)) {
      throw new RangeError(`not a valid key of a derived value: ${JSON.stringify({ sha256, name, version })}`)
    }
    return path.join(folder, version.slice(0, 12), sha256.slice(0, 2), `${sha256}.${name}.json.zst`)
  }

  function once<T>(key: DerivedKey, getOrMake: (file: string) => Promise<T>): Promise<T> {
    const file = fileOf(key)
    return inFlight.share(file, () => getOrMake(file))
  }

  const readIn = async <T>(file: string, valueIn: (packed: Uint8Array) => Promise<T>) =>
    (await isOwn(root, file)) ? read(file, valueIn) : null

  /** Writes a value. A full disk or a read-only folder does not make the answer fail: the value is made again later. */
  async function keep(file: string, packed: Uint8Array): Promise<void> {
    const part = path.join(temporary, `${randomUUID()}.part`)
    try {
      await Promise.all([path.dirname(file), temporary].map((each) => ownFolder(root, each)))
      await writeFile(part, packed, { flag: 'wx' })
      await rename(part, file)
    } catch {
      await rm(part, { force: true }).catch(() => {})
    }
  }

  return {
    get: <T>(key: DerivedKey, make: () => Promise<T>) =>
      once<T>(key, async (file) => {
        const stored = await readIn(file, async (packed) => JSON.parse((await jsonOf(packed)).toString()) as T)
        if (stored) return stored.value
        const value = await make()
        await keep(file, await packLater(value))
        return value
      }),
    packed: (key, make) =>
      once(key, async (file) => {
        const stored = await readIn(file, wholeOf)
        if (stored) return stored.value
        const packed = await make()
        await keep(file, packed)
        return { packed, json: isLarge(packed) ? null : await jsonOf(packed) }
      }),
    async json(key) {
      const stored = await readIn(fileOf(key), async (packed) => (isLarge(packed) ? null : jsonOf(packed)))
      return stored?.value ?? null
    },
  }
}

const isLarge = (packed: Uint8Array) => (sizeOf(packed) ?? 0) > LARGE

/** @throws Error if the value is damaged */
async function wholeOf(packed: Uint8Array): Promise<Packed> {
  if (!isLarge(packed)) return { packed, json: await jsonOf(packed) }
  if (await callApart({ module: PACKED, name: 'isWhole', input: packed })) return { packed, json: null }
  throw new Error('the derived value cannot be unpacked')
}

async function read<T>(file: string, valueIn: (packed: Uint8Array) => Promise<T>): Promise<{ value: T } | null> {
  try {
    return { value: await valueIn(await readFile(file, { flag: READ_OWN })) }
  } catch {
    // The file is missing, cut off, damaged or a link: the value is made again.
    return null
  }
}
