/**
 * Keeps what follows from files of the package alone and takes long to make, next to what Node compiled. It is made once for
 * each state of these files. What was kept is believed only if paths, sizes, times and inode numbers of all these files are
 * still the same, and if nobody could have written it but those who may write the code too. In any other case it is made
 * again, and so it is at each start where nothing can be kept.
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
  /** Files and folders, from the root; of a folder everything in it. */
  of: readonly string[]
  /** Names that do not count. */
  without?: RegExp
}

/** Everything that decides what code says: the sources, and the versions of packages. */
export const CODE: Files = {
  of: ['src', 'vendor', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json'],
  without: /^fixtures$|\.test\.ts$/,
}

export interface CacheFolder {
  /** The package's folder, from which files are named. */
  root: string
  /** The folder of the cache, two levels below one that the package has to itself: its `node_modules`. */
  folder: string
}

const OWN: CacheFolder = { root, folder: path.join(root, 'node_modules', '.cache', 'openfilings') }

/** The largest, that of the OpenAPI document, has a third of it. */
const BYTES_MAX = 4_000_000
/** The coarsest file systems tell times in steps of two seconds: what changed within one may change again unseen. */
const STEP_MS = 2_000

/**
 * Gives what `make` makes of these files, kept from an earlier start if there is one of the same state.
 *
 * @param name of the file that keeps it
 * @param make what it gives must be the same after a way through JSON
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
  const kept = read(file, owners, stateNow)
  if (kept) return kept.value as T
  const value = await make()
  keep(file, owners, stateNow, value)
  return value
}

/**
 * Accounts that could write the code as well: ours, the owner of the package, and the system's administrator. Null on
 * Windows, where files have no owner of this kind, and the folder has the rights of the checkout.
 */
function ownersOf(root: string): ReadonlySet<number> | null {
  const own = process.geteuid?.()
  return own === undefined ? null : new Set([0, own, statSync(root).uid])
}

/** A link leads to the packages of another checkout, which would keep something else in the same file. */
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

/** The stored value; null if there is none, or none to be trusted. */
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
      const kept = JSON.parse(body) as StoredValue
      const { digest, changedMs } = stateNow()
      // If a file changed after our start, we may have read what it held before.
      return kept.state === digest && changedMs < performance.timeOrigin ? kept : null
    } finally {
      closeSync(opened)
    }
  } catch {
    return null
  }
}

/** Writes it apart and renames it, so that others read all of it or what was there before. */
function keep(file: string, owners: ReadonlySet<number> | null, stateNow: () => State, value: unknown): void {
  const folder = path.dirname(file)
  try {
    if (!isBelowOwn(folder)) return
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    if (!isOf(lstatSync(folder), owners)) return
    const partial = `${file}.${randomUUID()}`
    try {
      writeFileSync(partial, '', { flag: 'wx', mode: 0o644 })
      // By the clock of the file system. This process read all of its code after its start.
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
    // A folder that cannot be written, a full disk: the next start makes it again.
  }
}

function stateOf(root: string, { of, without }: Files): State {
  // Another checkout, or another Node, may make something else of the same files.
  const parts: (string | number)[] = [root, process.version]
  let changedMs = 0
  const add = (at: string, mayBeFolder: boolean): void => {
    parts.push(at)
    const found = statSync(at, { throwIfNoEntry: false })
    if (!found) return
    parts.push(found.size, found.mtimeMs, found.ctimeMs, found.ino)
    // Nobody can set this time back, which is that of the inode. The time of the content can be set.
    changedMs = Math.max(changedMs, found.ctimeMs)
    if (!mayBeFolder || !found.isDirectory()) return
    for (const entry of readdirSync(at, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (!without?.test(entry.name)) add(`${at}/${entry.name}`, !entry.isFile())
    }
  }
  for (const name of of) add(path.join(root, name), true)
  return { digest: hash('sha256', parts.join('\n')), changedMs }
}
