/** Lists EDGAR's archives of whole days. One file has every submission that was disseminated on a day. */
import type { EdgarClient } from '../../fetch/client.ts'

/** An archive that the host lists. */
export interface DayArchive {
  /** `YYYY-MM-DD` */
  day: string
  path: string
  /** Size in bytes as listed; null if the list does not state it. */
  bytes: number | null
}

/** Largest list that is read. A quarter lists some 63 days. */
const LIST_MAX = 4 * 1024 * 1024

/**
 * Returns the archives in the list of a quarter, by day. Weekends, holidays and days that are not over have no archive.
 *
 * @param quarter `2025/QTR4`
 * @returns an empty map if the host has no list of the quarter, or if the list cannot be read: filings are then fetched
 *   one by one
 * @throws EdgarError
 */
export async function listedArchives(
  client: EdgarClient,
  quarter: string,
  signal?: AbortSignal,
): Promise<Map<string, DayArchive>> {
  const folder = `/Archives/edgar/Feed/${quarter}/`
  const read = async ({ body }: { body: AsyncIterable<Uint8Array> }) =>
    Buffer.concat(await Array.fromAsync(body)).toString('latin1')
  const text = await client.get(`${folder}index.json`, read, { sizeMax: LIST_MAX, signal })
  const archives = itemsOf(text ?? '').flatMap(({ name, size }): DayArchive[] => {
    const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)\.nc\.tar\.gz$/.exec(String(name)) ?? []
    return year ? [{ day: `${year}-${month}-${day}`, path: folder + name, bytes: bytesOf(size) }] : []
  })
  return new Map(archives.map((archive) => [archive.day, archive]))
}

function itemsOf(text: string): { name?: unknown; size?: unknown }[] {
  try {
    const list = JSON.parse(text) as { directory?: { item?: unknown } } | null
    const items = list?.directory?.item
    return Array.isArray(items) ? items.filter((item) => typeof item === 'object' && item !== null) : []
  } catch {
    return []
  }
}

/** Reads a size: `1253853 KB` in lists of folders, `101351` in lists of filings. */
function bytesOf(size: unknown): number | null {
  const [, digits, unit] = /^(\d{1,12})(?: (KB|MB|GB))?$/.exec(String(size ?? '').trim()) ?? []
  return digits ? Number(digits) * ({ KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }[unit ?? ''] ?? 1) : null
}
