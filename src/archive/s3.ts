/**
 * Loads the official client of S3, which is installed only where the archive is in a bucket: it takes 22 MB. The types
 * below describe the few parts of the client that are used, so that type checks do not need the client either.
 */
import { createRequire as requireFrom } from 'node:module'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UserError } from '../declare/errors.ts'

const NAME = '@aws-sdk/client-s3'

/** The folder with the lock file of the client. */
export const FOLDER = fileURLToPath(new URL('../../deploy/s3-client', import.meta.url))

/** A request to the store, with the answer that it gets. */
interface Command<Answer> {
  readonly answer?: Answer
}

type Made<Input, Answer> = new (input: Input) => Command<Answer>

interface At {
  Bucket: string
  Key: string
}

interface Page {
  Contents?: { Key?: string; Size?: number; LastModified?: Date }[]
  IsTruncated?: boolean
  NextContinuationToken?: string | undefined
}

export interface S3Client {
  send<Answer>(command: Command<Answer>, options?: { abortSignal: AbortSignal }): Promise<Answer>
  destroy(): void
}

export interface S3 {
  S3Client: new (options: object) => S3Client
  PutObjectCommand: Made<At & { Body: Readable; ContentLength: number; ContentMD5: string }, object>
  GetObjectCommand: Made<At, { Body: Readable }>
  HeadObjectCommand: Made<At, { ContentLength?: number; LastModified?: Date }>
  DeleteObjectCommand: Made<At, object>
  CopyObjectCommand: Made<At & { CopySource: string }, object>
  ListObjectsV2Command: Made<{ Bucket: string; Prefix: string; ContinuationToken: string | undefined }, Page>
}

/**
 * Loads the client. `createRequire` is imported under another name, since the digest of a parser’s code
 * (`store/code.ts`) refuses a `createRequire` if it cannot find out which module is loaded. That digest need not
 * contain the client. All bytes that the client fetches are compared with their SHA-256, so the client cannot change a
 * row.
 *
 * @param places modules from which the client may be found: our own, and a module of the folder with its lock file
 * @throws UserError with the command that installs the client
 */
export function loadClient(places = [import.meta.url, pathToFileURL(path.join(FOLDER, 'package.json')).href]): S3 {
  for (const place of places) {
    const required = requireFrom(place)
    try {
      required.resolve(NAME)
    } catch {
      continue
    }
    return required(NAME) as S3
  }
  throw new UserError(
    `ARCHIVE_URL needs the client of S3 (${NAME}), which is not installed: run "npm ci --prefix ${FOLDER}"`,
  )
}
