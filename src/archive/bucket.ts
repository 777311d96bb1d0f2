/**
 * An archive in a bucket, with a folder of limited size as its cache. An entry of the bucket has the same bytes and the
 * same name as a file of `diskStore`. So an archive can be copied from one to the other.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline as connect } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { messageOf } from '../declare/errors.ts'
import { boundedStore } from './cache.ts'
import type { Derived } from './derived.ts'
import { InFlight } from './in-flight.ts'
import { Final, type Objects } from './objects.ts'
import { CorruptEntry, type DiskStore, type Store, type StoredEntry } from './store.ts'

/** Maximum number of requests for an object if wrong bytes arrive: they may have been damaged on their way. */
const READS = 2

/** Folder of the bucket for damaged objects. */
const ASIDE = 'corrupt/'

/** Returns the name of the object that has the bytes of an entry. */
export const nameOf = (sha256: string) => {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new RangeError(`not a SHA-256 in hex: ${JSON.stringify(sha256)}`)
  return `${sha256.slice(0, 2)}/${sha256}.zst`
}

interface Parts {
  objects: Objects
  /** Folder of the cache. */
  root: string
  /** Maximum size of the cache, in bytes. */
  sizeMax: number
  /** Results derived from entries, by default in the folder of the cache. */
  derived?: Derived
  /**
   * The folder in which the archive was before it moved to the bucket. An entry of this folder is read if the bucket's
   * entry is missing or damaged.
   */
  former?: Store | null
  now?: () => number
}

/**
 * Keeps entries in a bucket. `put` resolves after the bucket has confirmed the object, so a row of the database that is
 * written afterwards names an object that exists. If `read` first has to fetch an object into the cache, it compares
 * the whole object with its digest before it returns the first byte.
 *
 * `remove` asks for the age of an object and then removes it. If another process writes the entry again in between, the
 * entry is lost. The next reader finds that the entry is missing, and fetches it again. Long: all methods share the
 * cache and the former folder.
 */
export function bucketStore({ objects, root, sizeMax, derived, former = null, now = Date.now }: Parts): Store {
  const local = boundedStore(root, sizeMax, now)
  const inFlight = new InFlight()

  /** Brings an object into the cache, and compares it with its digest. */
  async function bring(sha256: string): Promise<void> {
    const wrong = await fetchInto(local, objects, sha256)
    if (wrong === null) return
    // `former.read` compares the content with the digest.
    if (await former?.has(sha256)) await local.put(former!.read(sha256))
    else throw new CorruptEntry(sha256, `${objects.address}${nameOf(sha256)}`, wrong)
  }

  async function* read(sha256: string, range?: { start: number; end: number }): AsyncGenerator<Buffer> {
    for (let attempt = 1; ; attempt++) {
      if (!(await local.has(sha256))) await inFlight.share(sha256, () => bring(sha256))
      let isBegun = false
      try {
        for await (const chunk of local.read(sha256, range)) {
          isBegun = true
          yield chunk
        }
        return
      } catch (error) {
        // Another process may have removed the file from the cache since it was found there, or the file is damaged.
        if (!(error instanceof CorruptEntry) || isBegun || attempt >= READS) throw error
        await local.quarantine(sha256)
      }
    }
  }

  async function remove(sha256: string, before = Number.POSITIVE_INFINITY): Promise<number | null> {
    const found = await objects.head(nameOf(sha256))
    if (!found || found.writtenAt >= before) return null
    await objects.remove(nameOf(sha256))
    await local.remove(sha256)
    return found.size
  }

  return {
    // A file in the cache means that the bucket has the object, so the object is put into the bucket before the file
    // gets into the cache.
    put: (body) => local.put(body, (sha256, file) => putFile(objects, sha256, file)),
    read,
    remove,
    entries: () => entriesOf(objects),
    derived: derived ?? local.derived,
    async has(sha256) {
      if ((await local.has(sha256)) || (await former?.has(sha256))) return true
      return (await objects.head(nameOf(sha256))) !== null
    },
    async sizeOf(sha256) {
      return (await objects.head(nameOf(sha256)))?.size ?? null
    },
    async quarantine(sha256) {
      await local.quarantine(sha256)
      // Moves a copy aside only if it is found damaged when it is read again. The bytes may have been damaged on their
      // way, or only one of the two copies may be damaged, and a sound copy must stay.
      if (former && (await isDamaged(former, sha256))) await former.quarantine(sha256)
      if ((await faultOf(objects, sha256)) !== null) {
        await objects.move(nameOf(sha256), `${ASIDE}${sha256}.${now()}.zst`)
      }
    },
    async *aside() {
      for await (const { name, ...facts } of objects.list(ASIDE)) yield { ...facts, remove: () => objects.remove(name) }
    },
  }
}

/** Yields the entries of a bucket. */
export async function* entriesOf(objects: Objects): AsyncGenerator<StoredEntry> {
  for await (const { name, size, writtenAt } of objects.list('')) {
    const [, sha256] = /^[0-9a-f]{2}\/([0-9a-f]{64})\.zst$/.exec(name) ?? []
    if (sha256) yield { sha256, size, writtenAt }
  }
}

/**
 * Fetches an object into a store, and compares it with its digest.
 *
 * @returns what is wrong with the object; null if it is in the store now
 */
export async function fetchInto(store: DiskStore, objects: Objects, sha256: string): Promise<string | null> {
  let wrong: string | null = null
  for (let attempt = 1; attempt <= READS; attempt++) {
    wrong = await fetched(store, objects, sha256)
    if (wrong === null) return null
  }
  return wrong
}

async function fetched(store: DiskStore, objects: Objects, sha256: string): Promise<string | null> {
  let wrong: string | null = null
  const found = await objects.get(nameOf(sha256), async (body) => {
    const tail = { error: null as unknown }
    try {
      await store.put(unpacked(body, tail), async (found) => {
        if (found !== sha256) throw new Otherwise(`its content has another digest, ${found}`)
      })
    } catch (error) {
      // The transfer broke off. `objects.get` repeats it because of this error.
      if (tail.error) throw tail.error
      if (error instanceof Otherwise) wrong = error.message
      else if (!isOfZstd(error)) throw new Final('not a fault of the bucket', { cause: error })
      else wrong = `it cannot be decompressed: ${messageOf(error)}`
    }
    return true
  })
  return found === null ? 'it is missing' : wrong
}

/** The content of an object does not have the digest that the object's name states. */
class Otherwise extends Error {}

async function isDamaged(store: Store, sha256: string): Promise<boolean> {
  try {
    for await (const _ of store.read(sha256)) {
      // `read` compares the digest after the last chunk.
    }
    return false
  } catch (error) {
    if (!(error instanceof CorruptEntry)) throw error
    return true
  }
}

/** Puts a file with the bytes of an entry. The host of the bucket compares the bytes that arrive with their MD5. */
export const putFile = async (objects: Objects, sha256: string, file: string): Promise<void> =>
  objects.put(nameOf(sha256), { path: file, size: (await stat(file)).size, md5: await md5Of(file) })

/**
 * Reads an object to its end, from the bucket itself and not from the cache.
 *
 * @returns what is wrong with it; null if its content has the digest
 */
export async function faultOf(objects: Objects, sha256: string): Promise<string | null> {
  const read = await objects.get(nameOf(sha256), async (body) => {
    const tail = { error: null as unknown }
    const hash = createHash('sha256')
    try {
      for await (const chunk of unpacked(body, tail)) hash.update(chunk)
    } catch (error) {
      if (tail.error) throw tail.error
      return { fault: `it cannot be decompressed: ${messageOf(error)}` }
    }
    const digest = hash.digest('hex')
    return { fault: digest === sha256 ? null : `its content has another digest, ${digest}` }
  })
  return read === null ? 'it is missing' : read.fault
}

/** Decompresses the bytes of an object. If the transfer of the bytes fails, its error is recorded in `tail`. */
async function* unpacked(body: AsyncIterable<Uint8Array>, tail: { error: unknown }): AsyncGenerator<Uint8Array> {
  const noted = async function* () {
    try {
      yield* body
    } catch (error) {
      tail.error = error
      throw error
    }
  }
  yield* connect(noted, createZstdDecompress(), () => {}) as AsyncIterable<Buffer>
}

const isOfZstd = (error: unknown) => /^Z(?:STD)?_/.test((error as NodeJS.ErrnoException).code ?? '')

async function md5Of(file: string): Promise<string> {
  const hash = createHash('md5')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('base64')
}
