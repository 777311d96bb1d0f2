/**
 * Caches results that are expensive to compute from archived bytes. They lie in the archive under the digest of the
 * bytes, a name and the version of the code. All of them may be deleted at any time.
 */
import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { callApart } from '../read/apart/process.ts'
import { jsonOf, packLater, sizeOf } from '../read/packed.ts'
import { InFlight } from './in-flight.ts'
import { isOwn, ownFolder, READ_OWN } from './own.ts'

export interface DerivedKey {
  /** Digest of the bytes that it is made from. */
  sha256: string
  /** Which part of them, and what was made of it: `[a-z0-9-]+`. */
  name: string
  /** Digest of the code that makes it, in hex. What another version made is made again. */
  version: string
}

/** A value as it is kept, and its JSON unless that is large. */
export interface Packed {
  packed: Uint8Array
  json: Buffer | null
}

/**
 * JSON above this size is large. This thread would take 5 ms for each megabyte of it, and V8 collects garbage more
 * often the more memory lies outside of its heap: with texts of 12 MB on a busy machine, pauses of 200 ms were seen.
 */
const LARGE = 512 * 1024

const PACKED = new URL('../read/packed.ts', import.meta.url)

export interface Derived {
  /** The value as it was made before, else as `make` makes it now: once for all who ask meanwhile. */
  get<T>(key: DerivedKey, make: () => Promise<T>): Promise<T>
  /** The same of what `make` gives packed, as by `read/packed.ts`: a large value costs this thread nothing. */
  packed(key: DerivedKey, make: () => Promise<Uint8Array>): Promise<Packed>
  /** JSON of what `packed` has made before; null where that is large, or has to be made. */
  json(key: DerivedKey): Promise<Buffer | null>
}

/**
 * Values as JSON in a folder: `<folder>/<version>/<2 hex>/<sha256>.<name>.json.zst`. A value that cannot be read again, or
 * could not be written, is made again when it is next asked for. So a version that is out of date goes with its folder.
 *
 * @param root of the archive, in which the others are
 * @param temporary folder for files that are being written; what killed processes left there is somebody else's to remove
 */
export function derivedIn(root: string, folder: string, temporary: string): Derived {
  const inFlight = new InFlight()

  const fileOf = ({ sha256, name, version }: DerivedKey) => {
    if (!/^[0-9a-f]{64}$/.test(sha256) || !/^[a-z0-9-]+$/.test(name) || !/^[0-9a-f]{12,64}$/.test(version)) {
      throw new RangeError(`not a key of what is derived: ${JSON.stringify({ sha256, name, version })}`)
    }
    return path.join(folder, version.slice(0, 12), sha256.slice(0, 2), `${sha256}.${name}.json.zst`)
  }

  function once<T>(key: DerivedKey, getOrMake: (file: string) => Promise<T>): Promise<T> {
    const file = fileOf(key)
    return inFlight.share(file, () => getOrMake(file))
  }

  const readIn = async <T>(file: string, valueIn: (packed: Uint8Array) => Promise<T>) =>
    (await isOwn(root, file)) ? read(file, valueIn) : null

  /** A full disk, or a folder that is read-only, costs time and no answer. */
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
        const kept = await readIn(file, async (packed) => JSON.parse((await jsonOf(packed)).toString()) as T)
        if (kept) return kept.value
        const value = await make()
        await keep(file, await packLater(value))
        return value
      }),
    packed: (key, make) =>
      once(key, async (file) => {
        const kept = await readIn(file, wholeOf)
        if (kept) return kept.value
        const packed = await make()
        await keep(file, packed)
        return { packed, json: isLarge(packed) ? null : await jsonOf(packed) }
      }),
    async json(key) {
      const kept = await readIn(fileOf(key), async (packed) => (isLarge(packed) ? null : jsonOf(packed)))
      return kept?.value ?? null
    },
  }
}

const isLarge = (packed: Uint8Array) => (sizeOf(packed) ?? 0) > LARGE

/** @throws Error where it is damaged */
async function wholeOf(packed: Uint8Array): Promise<Packed> {
  if (!isLarge(packed)) return { packed, json: await jsonOf(packed) }
  if (await callApart({ module: PACKED, name: 'isWhole', input: packed })) return { packed, json: null }
  throw new Error('it cannot be unpacked')
}

async function read<T>(file: string, valueIn: (packed: Uint8Array) => Promise<T>): Promise<{ value: T } | null> {
  try {
    return { value: await valueIn(await readFile(file, { flag: READ_OWN })) }
  } catch {
    // Missing, cut off, damaged, a link: it is made again.
    return null
  }
}
