/** Reads archives back, member by member, and compares each checksum, for tests of what was written. */
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { openPromise } from 'yauzl'

/** Returns the members of a zip by name, in the archive's order. */
export async function membersOf(file: string): Promise<Map<string, Buffer>> {
  const zip = await openPromise(file)
  const members = new Map<string, Buffer>()
  try {
    for await (const entry of zip.eachEntry()) {
      const content = await buffer(await zip.openReadStreamPromise(entry))
      if (crc32(content) !== entry.crc32)
        throw new Error(`the checksum of ${entry.fileName} differs from that in its entry`)
      members.set(entry.fileName, content)
    }
  } finally {
    zip.close()
  }
  return members
}
