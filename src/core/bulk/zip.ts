/** Members of a zip in the archive, read one after the other. */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import yauzl, { type Entry, type ZipFile } from 'yauzl'

export interface Member {
  /** As the zip has it, folder and all. */
  name: string
  bytes: AsyncIterable<Uint8Array>
}

/** Inflated bytes of one member: the largest real one, all of 2011 to 2024 in one table, is below 4 GB. */
const MEMBER_SIZE_MAX = 8 * 1024 ** 3
const MEMBERS_MAX = 10_000

/**
 * Names of all members first, then each with its bytes, which must be read before the next is asked for.
 *
 * Written to a temporary file first: the directory of a zip stands at its end.
 *
 * @throws Error for what is no zip, is encrypted, or has members too many or too large
 */
export async function* membersOf(
  bytes: AsyncIterable<Uint8Array>,
  check: (names: readonly string[]) => void = () => {},
): AsyncGenerator<Member> {
  const folder = await mkdtemp(path.join(tmpdir(), 'openfilings-zip-'))
  try {
    const file = path.join(folder, 'edition.zip')
    await pipeline(bytes, createWriteStream(file))
    const zip = await yauzl.openPromise(file, { autoClose: false, lazyEntries: true })
    try {
      const entries = await entriesOf(zip)
      check(entries.map(({ fileName }) => fileName))
      for (const entry of entries) {
        yield { name: entry.fileName, bytes: await zip.openReadStreamPromise(entry) }
      }
    } finally {
      zip.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function entriesOf(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue
    if (entry.uncompressedSize > MEMBER_SIZE_MAX)
      throw new Error(`${entry.fileName} is larger than ${MEMBER_SIZE_MAX} bytes`)
    if (entries.push(entry) > MEMBERS_MAX) throw new Error(`more than ${MEMBERS_MAX} members`)
  }
  return entries
}
