/**
 * Caches values that depend only on files of the package and take long to make. The cache is next to the code that Node
 * compiled. A value is made once for each state of these files. A cached value is used only if the paths, sizes, times
 * and inode numbers of all these files are still the same, and only if no account could have written the value except
 * those that may write the code. Otherwise the value is made again. If nothing can be cached, the value is made at each
 * start.
 */
import { hash, randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

const root = path.dirname(path.dirname(import.meta.dirname))

export interface Files {
  /** Files and folders, relative to the root; a folder includes everything in it. */
  of: readonly string[]
  /** Names of files that are left out. */
  without?: RegExp
}

/** Everything on which the result of code depends: the sources, and the versions of packages. */
export const CODE: Files = {
  of: ['src', 'vendor', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json'],
  without: /^fixtures$|\.test\.ts$/,
}

export interface CacheFolder {
  /** The package's folder, to which the names of files are relative. */
  root: string
  /** The folder of the cache, two levels below the package's own `node_modules`. */
  folder: string
}

const OWN: CacheFolder = { root, folder: path.join(root, 'node_modules', '.cache', 'openfilings') }

/**
 * Maximum size of a file in the cache. The largest value, which is for the OpenAPI document, has a third of this size.
 */
const BYTES_MAX = 4_000_000
/**
 * The coarsest file systems store times in steps of two seconds: a file that changed within a step may change again
 * without a new time.
 */
const STEP_MS = 2_000

/**
 * Returns the value that `make` computes from these files, or the cached value of an earlier start if the files have
 * not changed.
 *
 * @param name the name of the cache file
 * @param make its result must be the same after it was written as JSON and read again
 */
export async function prepared<T>(
  name: string,
  files: Files,
  make: () => T | Promise<T>,
  { root, folder }: CacheFolder = OWN,
): Promise<T> {
  const file = path.join(folder, `${name}.json`)
  const owners = ownersOf(root)
  const stateNow = () => stateOf(root, files)
  const stored = read(file, owners, stateNow)
  if (stored) return stored.value as T
  const value = await make()
  keep(file, owners, stateNow, value)
  return value
}

/**
 * Accounts that could also write the code: ours, the owner of the package, and the system's administrator. Null on
 * Windows, where files have no such owner and the cache folder has the rights of the checkout.
 */
function ownersOf(root: string): ReadonlySet<number> | null {
  const own = process.geteuid?.()
  return own === undefined ? null : new Set([0, own, statSync(root).uid])
}

/** If `node_modules` is a link, it belongs to another checkout, which would cache another value in the same file. */
const isBelowOwn = (folder: string): boolean =>
  lstatSync(path.dirname(path.dirname(folder)), { throwIfNoEntry: false })?.isDirectory() ?? false

const isOf = ({ uid, mode }: Stats, owners: ReadonlySet<number> | null) =>
  owners === null || (owners.has(uid) && (mode & 0o022) === 0)

interface StoredValue {
  state: string
  value: unknown
}

interface State {
  digest: string
  /** When one of the files last changed. */
  changedMs: number
}

/** The cached value; null if no cached value can be trusted. */
function read(file: string, owners: ReadonlySet<number> | null, stateNow: () => State): StoredValue | null {
  try {
    const folder = path.dirname(file)
    if (!isBelowOwn(folder) || !isOf(lstatSync(folder), owners)) return null
    const opened = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    try {
      const found = fstatSync(opened)
      if (!found.isFile() || !isOf(found, owners) || found.size > BYTES_MAX) return null
      const text = readFileSync(opened, 'utf8')
      const end = text.indexOf('\n')
      const body = text.slice(end + 1)
      if (text.slice(0, end) !== hash('sha256', body)) return null
      const stored = JSON.parse(body) as StoredValue
      const { digest, changedMs } = stateNow()
      // If a file changed after our start, we may have read its former content.
      return stored.state === digest && changedMs < performance.timeOrigin ? stored : null
    } finally {
      closeSync(opened)
    }
  } catch {
    return null
  }
}

/**
 * Writes the value to another file and then renames that file. So other processes read either the whole new value or
 * the whole former value.
 */
function keep(file: string, owners: ReadonlySet<number> | null, stateNow: () => State, value: unknown): void {
  const folder = path.dirname(file)
  try {
    if (!isBelowOwn(folder)) return
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    if (!isOf(lstatSync(folder), owners)) return
    const partial = `${file}.${randomUUID()}`
    try {
      writeFileSync(partial, '', { flag: 'wx', mode: 0o644 })
      // The start of this process by the clock of the file system. The process read all of its code after that moment.
      const startedMs = statSync(partial).mtimeMs - performance.now()
      const { digest, changedMs } = stateNow()
      if (changedMs >= startedMs - STEP_MS) return
      const body = JSON.stringify({ state: digest, value } satisfies StoredValue)
      writeFileSync(partial, `${hash('sha256', body)}\n${body}`)
      renameSync(partial, file)
    } finally {
      rmSync(partial, { force: true })
    }
  } catch {
    // The folder cannot be written, or the disk is full: the next start makes the value again.
  }
}

function stateOf(root: string, { of, without }: Files): State {
  // Another checkout, or another version of Node, may compute another value from the same files.
  const parts: (string | number)[] = [root, process.version]
  let changedMs = 0
  const add = (at: string, mayBeFolder: boolean): void => {
    parts.push(at)
    const found = statSync(at, { throwIfNoEntry: false })
    if (!found) return
    parts.push(found.size, found.mtimeMs, found.ctimeMs, found.ino)
    // The change time of the inode, which no program can set. Programs can set the modification time of the content.
    changedMs = Math.max(changedMs, found.ctimeMs)
    if (!mayBeFolder || !found.isDirectory()) return
    for (const entry of readdirSync(at, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (!without?.test(entry.name)) add(`${at}/${entry.name}`, !entry.isFile())
    }
  }
  for (const name of of) add(path.join(root, name), true)
  return { digest: hash('sha256', parts.join('\n')), changedMs }
}
