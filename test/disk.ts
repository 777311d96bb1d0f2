/** Small file systems of their own, for tests. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { temporaryFolder } from './world.ts'

/** Root in a container may lack the right. */
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

/**
 * Does something on a small file system.
 *
 * @param options of `mount`, its size first
 */
export async function onDisk(
  t: Parameters<typeof temporaryFolder>[0],
  options: string,
  act: (disk: string) => Promise<void>,
): Promise<void> {
  const disk = await temporaryFolder(t)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${options},mode=755`, 'tmpfs', disk])
  try {
    await act(disk)
  } finally {
    execFileSync('umount', ['-l', disk])
  }
}
