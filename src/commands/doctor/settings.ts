/** Checks of settings, versions, the data folder and its disk, for `doctor`. */
import { constants, existsSync, lstatSync, statSync } from 'node:fs'
import { access, mkdtemp, rm, rmdir, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Config, SETTINGS, type Settings } from '../../config.ts'
import { dataDirOf } from '../../database.ts'
import { messageOf } from '../../declare/errors.ts'
import { packageVersion } from '../../package.ts'
import { withoutPassword } from '../../store/db.ts'
import { size } from '../progress.ts'
import type { Check } from './check.ts'

/**
 * Free space below which doctor warns. A day of filings takes at most 1 GB in archive and tables, and PostgreSQL stops
 * if it finds no room.
 */
const DISK_WARN_BYTES = 5e9
const DISK_FAIL_BYTES = 5e8

/** Number of bytes that are written into the folder for temporary files to find out whether it has room. */
const PROBE_BYTES = 1024 * 1024

/**
 * Reports each setting with its value and the source of that value, and variables whose name looks like a mistyped
 * setting.
 */
export function checkSettings(
  { problems, doubts }: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): Check[] {
  const values = Object.entries(SETTINGS).map(([name, { default: standard, ...rest }]): Check => {
    const given = environment[name]
    const problem = problems.find((each) => each.startsWith(`${name} `))
    if (problem) return { name, state: 'FAIL', found: problem.slice(name.length + 1), wayOut: 'correct or unset it' }
    if (given && 'isSecret' in rest) return { name, state: 'ok', found: 'set, and not shown (environment)' }
    if (given) return { name, state: 'ok', found: `${withoutPassword(given)} (environment)` }
    return { name, state: 'ok', found: standard ? `${standard} (default)` : 'not set' }
  })
  const unknown = problems.filter((each) => !Object.keys(SETTINGS).some((name) => each.startsWith(`${name} `)))
  return [
    ...values,
    ...unknown.map((found): Check => ({ name: 'settings', state: 'FAIL', found, wayOut: 'correct or unset it' })),
    ...doubts.map((found): Check => ({ name: 'settings', state: 'warn', found })),
  ]
}

/** Checks versions, an operator's own files, the data folder, and the free space on its disk. */
export async function checkDataFolder(config: Config): Promise<Check[]> {
  const { path: dataDir, reason } = dataDirOf(config)
  const versions = `OpenFilings ${await packageVersion()}, Node ${process.versions.node} on ${process.platform}-${process.arch}`
  return [
    { name: 'version', state: 'ok', found: versions },
    ...(await checkCorrections(config)),
    await checkFolder(dataDir, reason),
    ...(await checkDisk(dataDir)),
    // The archive may be on another disk.
    ...(isElsewhere(path.join(dataDir, 'archive')) ? await checkDisk(path.join(dataDir, 'archive')) : []),
    ...(await checkTemporary(tmpdir())),
  ]
}

/** Checks that the folder of temporary files, in which zips are unpacked, can be written. Reports nothing if it can. */
async function checkTemporary(folder: string): Promise<Check[]> {
  const name = 'temporary files'
  const wayOut = 'let TMPDIR name a folder on disk that this user may write to'
  try {
    const made = await mkdtemp(path.join(folder, 'openfilings-'))
    try {
      await writeFile(path.join(made, 'probe'), Buffer.alloc(PROBE_BYTES))
    } finally {
      await rm(made, { recursive: true })
    }
    return []
  } catch (error) {
    return [{ name, state: 'FAIL', found: `${folder} cannot be used: ${messageOf(error)}`, wayOut }]
  }
}

/** Reports the first wrong line of an operator's file, since the service does not start with such a line. */
async function checkCorrections({ COMPANY_ALIASES }: Config): Promise<Check[]> {
  if (COMPANY_ALIASES === null) return []
  const wayOut = 'correct the file; docs/operating/corrections.md describes its lines'
  // Imported only here: a slice defines what a line must have, and no other check needs a slice.
  const [{ readCorrections }, { default: registry }] = await Promise.all([
    import('../../ingest/corrections.ts'),
    import('../../registry.ts'),
  ])
  return readCorrections(registry.slices, () => COMPANY_ALIASES).then(
    () => [],
    (error) => [{ name: 'corrections', state: 'FAIL', found: messageOf(error), wayOut }],
  )
}

async function checkFolder(dataDir: string, reason: string | undefined): Promise<Check> {
  const name = 'data folder'
  const why = reason ? ` (${reason})` : ''
  const wayOut = 'name another folder with DATA_DIR'
  const nearest = nearestFolder(dataDir)
  if (!statSync(nearest).isDirectory()) return { name, state: 'FAIL', found: `${nearest} is not a folder`, wayOut }
  const missing =
    nearest === dataDir ? undefined : path.join(nearest, path.relative(nearest, dataDir).split(path.sep)[0]!)
  if (missing && isLink(missing))
    return { name, state: 'FAIL', found: `${missing} is a dangling symbolic link`, wayOut }
  const writable = await access(nearest, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!writable) return { name, state: 'FAIL', found: `${nearest} cannot be written by this user`, wayOut }
  const refused = await whyNothingCanBeMade(nearest)
  if (refused) return { name, state: 'FAIL', found: `no folder can be made in ${nearest} (${refused})`, wayOut }
  if (missing) return { name, state: 'ok', found: `${dataDir}${why}, not made yet` }
  return { name, state: 'ok', found: `${dataDir}${why}` }
}

async function checkDisk(folder: string): Promise<Check[]> {
  const { blocks, bavail, bsize } = await statfs(nearestFolder(folder))
  // A file system without blocks, such as /sys or memory without a limit, is not a disk.
  if (blocks === 0) return []
  const free = bavail * bsize
  const found = `${size(free)} free for ${folder}`
  const wayOut = 'make room, or move the folder to a larger disk'
  if (free < DISK_FAIL_BYTES) return [{ name: 'disk', state: 'FAIL', found, wayOut }]
  return [
    free < DISK_WARN_BYTES ? { name: 'disk', state: 'warn', found, wayOut } : { name: 'disk', state: 'ok', found },
  ]
}

/**
 * Tests whether files can be made in a folder of a virtual file system such as /sys, by making and removing a folder.
 * There, modes do not restrict root, so they show nothing. On other file systems, the test is not needed.
 */
async function whyNothingCanBeMade(folder: string): Promise<string | null> {
  if ((await statfs(folder)).blocks > 0) return null
  try {
    await rmdir(await mkdtemp(path.join(folder, '.partial-')))
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? messageOf(error)
  }
}

/** The folder itself, or the nearest folder above it that exists. */
function nearestFolder(folder: string): string {
  let at = folder
  while (!existsSync(at)) at = path.dirname(at)
  return at
}

/** Whether a folder is reached through a link, or is the place at which another disk is mounted. */
const isElsewhere = (folder: string) =>
  isLink(folder) || (existsSync(folder) && statSync(folder).dev !== statSync(path.dirname(folder)).dev)

function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink()
  } catch {
    // Nothing exists there, or a folder above it is a file.
    return false
  }
}
