/** Reads JSON files of a series. Each file has one record, or a list of records. */
import { hash } from 'node:crypto'
import { messageOf } from '../../declare/errors.ts'
import type { JsonList, JsonRecords } from '../../declare/series.ts'
import { JsonError, parseJson } from '../../read/json.ts'
import { eachMember } from '../../read/zip.ts'
import { type Notes, noteProblems, refuse, unread } from '../notes.ts'
import type { BulkFile, Fragment } from './read.ts'

/** A file with one record, alone or in a zip. */
export interface Member {
  name: string
  key: string
  bytes: Uint8Array
  /** Digest of the file's bytes: 90 bits, as for any record. */
  digest: string
}

/** Maximum number of members of a zip. The real submissions.zip has 900,000. */
export const MEMBERS_MAX = 4_000_000
/** Largest member; the largest real member has about 30 MB. */
export const MEMBER_SIZE_MAX = 96 * 1024 ** 2

/**
 * Yields the records of a file. A member whose name does not match is reported and not read. A member is refused if it
 * is too large, or if its bytes do not match what the zip states. The other members are read.
 */
export async function* membersOf(
  { record }: JsonRecords,
  { name, bytes }: BulkFile,
  found: Notes,
): AsyncGenerator<Member> {
  const members = /\.zip$/i.test(name) ? eachMember(bytes(), MEMBERS_MAX) : [{ name, bytes: bytes() }]
  for await (const member of members) {
    const own = member.name.replace(/^.*[\\/]/, '')
    const key = record.exec(own)?.groups?.key
    if (key === undefined) {
      unread(found, `${name}/${member.name}`)
      continue
    }
    let whole: Buffer
    try {
      whole = await gathered(member.bytes)
    } catch (error) {
      // A file that is not in a zip is its whole edition, so the edition fails.
      if (own === name) throw error
      refuse(found, { place: own, key, reason: messageOf(error) })
      continue
    }
    yield { name: own, key, bytes: whole, digest: hash('sha1', whole, 'base64url').slice(0, 15) }
  }
}

/**
 * Collects the bytes of a member.
 *
 * @throws Error if there are too many bytes
 */
export async function gathered(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > MEMBER_SIZE_MAX) throw new Error(`is larger than ${MEMBER_SIZE_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Returns the rows of a member. If the member cannot be read, records the reason in `found` and returns null. */
export function parsed(series: JsonRecords, { name, key, bytes, digest }: Member, found: Notes): Fragment | null {
  try {
    const document = parseJson(bytes, { sizeMax: MEMBER_SIZE_MAX })
    const rows = [...series.rows(document, key)]
    for (const path of document.unread()) unread(found, path)
    noteProblems(
      found,
      document.problems().map((problem) => ({ ...problem, path: `${name} ${problem.path}` })),
    )
    return { key, place: name, version: '', rows, bytes: { digest, length: bytes.length } }
  } catch (error) {
    refuse(found, { place: name, key, reason: messageOf(error) })
    return null
  }
}

/** Reads the selected records of an update. */
export async function* readRecords(
  series: JsonRecords,
  file: BulkFile,
  found: Notes,
  isWanted: (key: string) => boolean,
): AsyncGenerator<Fragment> {
  for await (const member of membersOf(series, file, found)) {
    if (!isWanted(member.key)) continue
    const fragment = parsed(series, member, found)
    if (fragment) yield fragment
  }
}

/**
 * Reads the records of a list. If two records have the same key, the first counts, and the second is refused.
 */
export async function* readList(series: JsonList, { name, bytes }: BulkFile, found: Notes): AsyncGenerator<Fragment> {
  const document = parseJson(await gathered(bytes()), { sizeMax: MEMBER_SIZE_MAX })
  const keys = new Set<string>()
  let number = 0
  for (const [key, record] of series.records(document)) {
    const place = `${name}:${++number}`
    try {
      if (key === null) throw new JsonError('the record has no key that can be read')
      if (keys.has(key)) throw new JsonError(`the record ${key} appears twice`)
      keys.add(key)
      const rows = [...series.rows(record, key)]
      yield { key, place, version: '', rows }
    } catch (error) {
      refuse(found, { place, key, reason: messageOf(error) })
    }
  }
  for (const path of document.unread()) unread(found, path)
  noteProblems(
    found,
    document.problems().map((problem) => ({ ...problem, path: `${name} ${problem.path}` })),
  )
}
