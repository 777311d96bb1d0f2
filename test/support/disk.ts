/** Small separate file systems for tests. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { temporaryFolder } from './world.ts'

/** In a container, root may lack the right to mount. */
export const noMount = !canMount() && 'needs root and the right to mount'

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid!() !== 0) return false
  const disk = mkdtempSync(path.join(tmpdir(), 'openfilings-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', disk], { stdio: 'ignore' })
    execFileSync('umount', [disk])
    return true
  } catch {
    return false
  } finally {
    rmdirSync(disk)
  }
}

export interface SmallDisk {
  folder: string
  /** Fills the disk. */
  fill(): Promise<void>
  /** Frees the space that `fill` took. */
  free(): Promise<void>
}

/**
 * Makes a disk that exists until the test ends. The disk has room for the rows of a test, and can be filled within
 * milliseconds.
 */
export async function smallDisk(t: Parameters<typeof temporaryFolder>[0]): Promise<SmallDisk> {
  const folder = mkdtempSync(path.join(tmpdir(), 'openfilings-disk-'))
  mount(folder, '32m')
  t.after(async () => {
    unmount(folder)
    rmdirSync(folder)
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

function mount(folder: string, options: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${options},mode=755`, 'tmpfs', folder])
}

/** Unmounts lazily: a process that still runs must not block the unmount. */
function unmount(folder: string): void {
  execFileSync('umount', ['-l', folder])
}

/**
 * Runs an action on a small file system.
 *
 * @param options of `mount`, its size first
 */
export async function onDisk(
  t: Parameters<typeof temporaryFolder>[0],
  options: string,
  act: (disk: string) => Promise<void>,
): Promise<void> {
  const disk = await temporaryFolder(t)
  mount(disk, options)
  try {
    await act(disk)
  } finally {
    unmount(disk)
  }
}
