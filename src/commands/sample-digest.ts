/** Identifies the bundled sample by a digest, since each version may have another sample. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from '../package.ts'
import { prepared } from '../store/prepared.ts'

/** Digest of everything in the sample, which is cached as long as the files are the same. */
export const sampleDigest = (): Promise<string> => prepared('sample', { of: ['sample'] }, digest)

async function digest(): Promise<string> {
  const folder = path.join(root, 'sample')
  const hash = createHash('sha256')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  for (const file of files.sort()) {
    hash
      .update(`${path.relative(folder, file)}\0`)
      .update(await readFile(file))
      .update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}
