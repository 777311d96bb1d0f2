/**
 * What is made out of archived bytes and is dear to make: it lies beside them, under their digest, a name and the version of
 * the code that made it. All of it may be deleted at any time.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'

export interface DerivedKey {
  /** Of the bytes that it is made out of. */
  sha256: string
  /** Which part of them, and what was made of it: `[a-z0-9-]+`. */
  name: string
  /** Of the code that makes it, in hex. What another version made is made again. */
  version: string
}

export interface Derived {
  /** The value as it was made before, else as `make` makes it now: once for all who ask meanwhile. */
  get<T>(key: DerivedKey, make: () => Promise<T>): Promise<T>
}

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/**
 * Values as JSON in a folder: `<root>/<2 hex>/<sha256>.<name>.<version>.json.zst`. A value that cannot be read again, or
 * written, is made again when it is next asked for.
 */
export function derivedIn(root: string): Derived {
  const underWay = new Map<string, Promise<unknown>>()

  const fileOf = ({ sha256, name, version }: DerivedKey) => {
    if (!/^[0-9a-f]{64}$/.test(sha256) || !/^[a-z0-9-]+$/.test(name) || !/^[0-9a-f]{12,64}$/.test(version)) {
      throw new RangeError(`not a key of what is derived: ${JSON.stringify({ sha256, name, version })}`)
    }
    return path.join(root, sha256.slice(0, 2), `${sha256}.${name}.${version.slice(0, 12)}.json.zst`)
  }

  async function getOrMake<T>(file: string, make: () => Promise<T>): Promise<T> {
    const kept = await read<T>(file)
    if (kept) return kept.value
    const value = await make()
    await keep(file, value)
    return value
  }

  return {
    get<T>(key: DerivedKey, make: () => Promise<T>): Promise<T> {
      const file = fileOf(key)
      const running = underWay.get(file) as Promise<T> | undefined
      if (running) return running
      const made = getOrMake(file, make).finally(() => underWay.delete(file))
      underWay.set(file, made)
      return made
    },
  }
}

async function read<T>(file: string): Promise<{ value: T } | null> {
  try {
    return { value: JSON.parse((await decompress(await readFile(file))).toString()) as T }
  } catch {
    // Missing, cut off by a full disk, or damaged: it is made again.
    return null
  }
}

/** A full disk costs time and no answer. */
async function keep(file: string, value: unknown): Promise<void> {
  const part = `${file}.${randomUUID()}.part`
  try {
    const bytes = await compress(JSON.stringify(value))
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(part, bytes, { flag: 'wx' })
    await rename(part, file)
  } catch {
    await rm(part, { force: true }).catch(() => {})
  }
}
