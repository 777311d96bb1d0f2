/** Chooses the folder for test databases and data folders. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const MEMORY = '/dev/shm'
/**
 * Minimum free space in bytes: three times the maximum of a complete test run (1.26 GB, measured). Containers often
 * have only 64 MB.
 */
const MEMORY_MIN = 4 * 2 ** 30

/**
 * Returns the folder that TMPDIR names. Without TMPDIR, chooses memory if it is large enough and programs may be
 * executed there: ext4 takes half a second for the 900 files of a database.
 */
export function databaseFolder(memory = MEMORY, enough = MEMORY_MIN): string {
  if (process.env.TMPDIR || !hasRoom(memory, enough) || !runsPrograms(memory)) return tmpdir()
  return memory
}

function hasRoom(folder: string, enough: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > enough
  } catch {
    // Only Linux has this folder.
    return false
  }
}

/** PostgreSQL's programs are copied into each data folder; a mount may be read-only, or `noexec`. */
function runsPrograms(folder: string): boolean {
  let probe: string | undefined
  try {
    probe = mkdtempSync(path.join(folder, 'openfilings-probe-'))
    const program = path.join(probe, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    return spawnSync(program).status === 0
  } catch {
    return false
  } finally {
    if (probe) rmSync(probe, { recursive: true, force: true })
  }
}
