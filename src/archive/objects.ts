/**
 * Objects of a bucket in an S3-compatible store: each call is tried up to `attempts` times if the store is slow,
 * refuses the call for now, or breaks off. `bucket.ts` makes an archive of such objects.
 */
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { BucketError, messageOf } from '../declare/errors.ts'
import { addressOf, type Place } from './place.ts'
import { loadClient, type S3, type S3Client } from './s3.ts'

export interface Retries {
  /** Maximum number of attempts of a call. */
  attempts: number
  /** Time limit of the first byte of an answer, and of each pause between bytes. */
  timeoutMs: number
  sleep: (ms: number) => Promise<void>
}

const USUAL: Retries = { attempts: 5, timeoutMs: 30_000, sleep: async (ms) => void (await delay(ms)) }
const quiet = () => {}
/**
 * The time of an object for which the store states no time. It is infinite, so the object is never old enough to be
 * removed.
 */
const UNKNOWN = Number.POSITIVE_INFINITY
/** Wait before the second attempt; each later wait is twice as long. */
const WAIT_MS = 500

export interface ObjectFacts {
  size: number
  /**
   * The time of the last write by the clock of the store, in milliseconds since 1970. Infinite if the store gives no
   * time, so that the object counts as new.
   */
  writtenAt: number
}

/**
 * The objects of a bucket, by their names below the prefix. Every method throws a `BucketError` if its last attempt
 * fails.
 */
export interface Objects {
  /** The address of the bucket, without keys. */
  readonly address: string
  /** Resolves after the store has confirmed the object, and a second request has found it with the expected size. */
  put(name: string, file: { path: string; size: number; md5: string }): Promise<void>
  /**
   * Passes the bytes to `use`. If an attempt fails, `use` is called again with the bytes of the next attempt. Returns
   * null if the bucket lacks the object.
   */
  get<T>(name: string, use: (body: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T | null>
  head(name: string): Promise<ObjectFacts | null>
  remove(name: string): Promise<void>
  /** Renames an object. Does nothing if the bucket lacks it. */
  move(name: string, to: string): Promise<void>
  list(below: string): AsyncGenerator<ObjectFacts & { name: string }>
  close(): void
}

/**
 * Opens a bucket. The client is loaded here, so that a program without a bucket does not load it.
 *
 * @throws UserError if the client is not installed
 */
export function openObjects(place: Place, retries: Partial<Retries> = {}): Objects {
  const s3 = loadClient()
  const { endpoint } = place
  // Stores other than AWS have no regions, but each signature must name a region.
  const region = place.region ?? (endpoint === null ? undefined : 'us-east-1')
  const how = { ...USUAL, ...retries }
  const client = new s3.S3Client({
    ...(region === undefined ? {} : { region }),
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    // The attempts are counted in this file, so that a caller can pass in the function that waits between them.
    maxAttempts: 1,
    requestHandler: { connectionTimeout: how.timeoutMs, requestTimeout: how.timeoutMs, throwOnRequestTimeout: true },
    // By default the client writes warnings to the console, also about failures that are tried again here.
    logger: { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
    // Not all stores know the newer checksums. They are not needed: each put states its MD5, and each content is
    // compared with its digest.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return new BucketObjects(s3, client, place, how)
}

class BucketObjects implements Objects {
  readonly address: string
  readonly #s3: S3
  readonly #client: S3Client
  readonly #place: Place
  readonly #retries: Retries

  constructor(s3: S3, client: S3Client, place: Place, retries: Retries) {
    this.#s3 = s3
    this.#client = client
    this.#place = place
    this.#retries = retries
    this.address = addressOf(place)
  }

  async put(name: string, { path, size, md5 }: { path: string; size: number; md5: string }): Promise<void> {
    await this.#tried(`keep ${name}`, async () => {
      const Body = createReadStream(path)
      // The client does not notice that a file cannot be read, and without a listener the process would end.
      const failed = new Promise<never>((_, reject) => {
        Body.once('error', (cause) => reject(new Final('the file cannot be read', { cause })))
      })
      try {
        const input = { ...this.#at(name), Body, ContentLength: size, ContentMD5: md5 }
        await Promise.race([failed, this.#client.send(new this.#s3.PutObjectCommand(input), this.#limit(size))])
      } finally {
        Body.destroy()
      }
      // A store may confirm an object and then lose it, or keep only a part of it.
      const found = await this.#head(name)
      if (found?.size !== size)
        throw new Error(`it was written, but the bucket then had ${found?.size ?? 'none'} of its ${size} bytes`)
    })
  }

  get<T>(name: string, use: (body: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T | null> {
    return this.#tried(`read ${name}`, () =>
      this.#unlessMissing(async () => {
        const { Body: body } = await this.#client.send(new this.#s3.GetObjectCommand(this.#at(name)))
        try {
          return await use(this.#flowing(body))
        } finally {
          body.destroy()
        }
      }),
    )
  }

  head(name: string): Promise<ObjectFacts | null> {
    return this.#tried(`look up ${name}`, () => this.#head(name))
  }

  async remove(name: string): Promise<void> {
    const command = new this.#s3.DeleteObjectCommand(this.#at(name))
    await this.#tried(`remove ${name}`, () => this.#client.send(command, this.#limit()))
  }

  async move(name: string, to: string): Promise<void> {
    const { bucket, prefix } = this.#place
    const CopySource = encodeURI(`${bucket}/${prefix}${name}`)
    const command = new this.#s3.CopyObjectCommand({ ...this.#at(to), CopySource })
    const copied = await this.#tried(`move ${name}`, () =>
      this.#unlessMissing(() => this.#client.send(command, this.#limit())),
    )
    if (copied !== null) await this.remove(name)
  }

  async *list(below: string): AsyncGenerator<ObjectFacts & { name: string }> {
    const { bucket, prefix } = this.#place
    let after: string | undefined
    for (let isWhole = false; !isWhole; ) {
      const input = { Bucket: bucket, Prefix: prefix + below, ContinuationToken: after }
      const page = await this.#tried(`list ${below || 'its objects'}`, () =>
        this.#client.send(new this.#s3.ListObjectsV2Command(input), this.#limit()),
      )
      for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
        yield { name: Key.slice(prefix.length), size: Size, writtenAt: LastModified?.getTime() ?? UNKNOWN }
      }
      isWhole = !page.IsTruncated
      // If the list simply ended here, a copy would lack the entries of the next pages. If it continued, it would read
      // the same page again and again. So this is an error.
      if (!isWhole && (page.NextContinuationToken ?? after) === after) {
        throw new BucketError(`${this.address} says that its list continues, but does not give the next page`, {
          isPassing: false,
        })
      }
      after = page.NextContinuationToken
    }
  }

  close(): void {
    this.#client.destroy()
  }

  #at(name: string) {
    return { Bucket: this.#place.bucket, Key: this.#place.prefix + name }
  }

  /**
   * The time limit of a whole call that transfers this many bytes. The client limits only the wait for the first byte.
   * Without this limit, the call would never end if the store stops in the middle.
   */
  #limit(size = 0) {
    const slowest = 100_000
    return { abortSignal: AbortSignal.timeout(2 * this.#retries.timeoutMs + Math.ceil((size / slowest) * 1000)) }
  }

  #head(name: string): Promise<ObjectFacts | null> {
    return this.#unlessMissing(async () => {
      const found = await this.#client.send(new this.#s3.HeadObjectCommand(this.#at(name)), this.#limit())
      return { size: found.ContentLength ?? 0, writtenAt: found.LastModified?.getTime() ?? UNKNOWN }
    })
  }

  async #unlessMissing<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name)) return null
      throw error
    }
  }

  /** Yields the bytes. Throws an error if no byte arrives for `timeoutMs`. */
  async *#flowing(body: Readable): AsyncGenerator<Uint8Array> {
    const { timeoutMs } = this.#retries
    const stop = () => body.destroy(new Error(`no byte arrived for ${timeoutMs} ms`))
    let timer = setTimeout(stop, timeoutMs)
    try {
      for await (const chunk of body) {
        clearTimeout(timer)
        yield chunk
        timer = setTimeout(stop, timeoutMs)
      }
    } finally {
      clearTimeout(timer)
    }
  }

  async #tried<T>(what: string, call: () => Promise<T>): Promise<T> {
    const { attempts, sleep } = this.#retries
    for (let attempt = 1; ; attempt++) {
      try {
        return await call()
      } catch (error) {
        if (error instanceof Final) throw error.cause
        const isPassing = mayPass(error)
        if (attempt < attempts && isPassing) {
          await sleep(WAIT_MS * 2 ** (attempt - 1))
          continue
        }
        // The new error has only the text of the client's error, since that error contains the request with its
        // signature.
        throw new BucketError(`${this.address} could not ${what}: ${messageOf(error)}${regionOf(error)}`, { isPassing })
      }
    }
  }
}

/**
 * Thrown to end the attempts of a call. The call then throws the cause of this error, which is a fault of this machine.
 */
export class Final extends Error {}

/** Failures that occur before a request is sent: there are no keys, or no region. */
const UNSENT = /^Credentials|^TokenProvider|Region is missing/
/**
 * Names of refusals that may be temporary although their status blames the request: the bytes arrived too slowly,
 * damaged or incomplete.
 */
const OF_TRANSFER = /^(RequestTimeout|BadDigest|IncompleteBody)$/

/**
 * Whether another attempt may succeed. This is true of all failures except two kinds: those that occur before a request
 * is sent, and refusals such as 403 for a wrong key.
 */
function mayPass(error: unknown): boolean {
  if (error instanceof Error && (UNSENT.test(error.name) || UNSENT.test(error.message))) return false
  if (error instanceof Error && OF_TRANSFER.test(error.name)) return true
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } }
  const status = $metadata?.httpStatusCode ?? 0
  return status < 300 || status === 408 || status === 429 || status >= 500
}

/** Returns a text that names the region of the bucket, if that is not the requested region; else an empty text. */
function regionOf(error: unknown): string {
  const { $response } = error as { $response?: { headers?: Record<string, string | undefined> } }
  const region = $response?.headers?.['x-amz-bucket-region']
  return region === undefined ? '' : `; the bucket is in the region ${region}, so set AWS_REGION=${region}`
}
