/** Chooses the folder of databases and data folders of tests. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const MEMORY = '/dev/shm'
/** Bytes: three times the maximum of a whole run (1.26 GB, measured). Containers often have 64 MB in all. */
const MEMORY_MIN = 4 * 2 ** 30

/**
 * Returns the folder that TMPDIR names. Without it, chooses memory if there is enough of it and programs may run: ext4
 * takes half a second for the 900 files of a database.
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
