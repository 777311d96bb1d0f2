/** A disk that can be filled: a small tmpfs, which root alone may mount. */
import { execFile } from 'node:child_process'
import { mkdtemp, open, rm, rmdir, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Room for what a test stores, and filled within milliseconds. */
const SIZE = '32m'

export interface SmallDisk {
  folder: string
  /** Takes all its room. */
  fill(): Promise<void>
  /** Gives the room back. */
  free(): Promise<void>
}

/** Mounts one until the test ends; null, and the test is skipped with the reason, where that is not to be had. */
export async function smallDisk(t: TestContext): Promise<SmallDisk | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    t.skip('only root on Linux may mount a disk that can be filled')
    return null
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'openfilings-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'openfilings-test', folder])
  } catch (error) {
    await rmdir(folder)
    t.skip(`no disk can be mounted here: ${(error as Error).message}`)
    return null
  }
  // Lazy: a process that is still there must not keep the disk.
  t.after(async () => {
    await run('umount', ['--lazy', folder])
    await rmdir(folder)
  })
  const filler = path.join(folder, 'filler')
  return {
    folder,
    async fill() {
      const { bavail, bsize } = await statfs(folder)
      const file = await open(filler, 'w')
      await file.write(Buffer.alloc(bavail * bsize))
      await file.close()
    },
    free: () => rm(filler),
  }
}
