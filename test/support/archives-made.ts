/** Makes archives of whole days, as EDGAR packs them. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { checkout } from './world.ts'

export type Members = readonly (readonly [name: string, content: Buffer | string])[]

/** Returns a tar file with these members. */
export function tarOf(members: Members): Buffer {
  const blocks = members.flatMap(([name, content]) => {
    const bytes = Buffer.from(content as string, 'latin1')
    return [headerOf(name, bytes.length), bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

export function headerOf(name: string, size: number, type = '0'): Buffer {
  const block = Buffer.alloc(512)
  const put = (at: number, text: string) => block.write(text, at, 'latin1')
  put(0, name)
  put(100, '0000644\0')
  put(124, `${size.toString(8).padStart(11, '0')}\0`)
  put(136, '00000000000\0')
  put(148, ' '.repeat(8))
  put(156, type)
  put(257, 'ustar\x0000')
  const sum = block.reduce((total, byte) => total + byte, 0)
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `)
  return block
}

/**
 * Writes the archive of a day below a root, and its quarter's list, which names only this day.
 *
 * @param bytes content in place of the packed members; null if the archive is listed but missing
 */
export async function writeArchive(
  root: string,
  day: string,
  members: Members,
  bytes: Buffer | null = gzipSync(tarOf(members)),
): Promise<void> {
  const folder = path.join(root, 'Archives/edgar/Feed', day.slice(0, 4), `QTR${Math.ceil(Number(day.slice(5, 7)) / 3)}`)
  const name = `${day.replaceAll('-', '')}.nc.tar.gz`
  await mkdir(folder, { recursive: true })
  const item = [{ 'last-modified': '', name, type: 'file', href: name, size: '2 KB' }]
  await writeFile(path.join(folder, 'index.json'), JSON.stringify({ directory: { item, name: 'Feed/' } }))
  if (bytes) await writeFile(path.join(folder, name), bytes)
}

const program = path.join(checkout, '../shared/realhost/submissions.mjs')

/** Function of the stand-in host that formats a submission as in archives; null if the stand-in is not available. */
export const disseminated: ((submission: Buffer) => Buffer | null) | null = existsSync(program)
  ? (await import(program)).disseminated
  : null
