// Installs the dependencies of a checkout. Plain JavaScript for any Node from 20: it runs before the project's own Node is installed.
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { homedir, constants as system } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const PARTIAL = '.installing-'
const HOUR_MS = 3_600_000

/**
 * Installs the packages that a checkout lacks: those for serving, or with `all` also those for development. Where the
 * project itself is an installed package, it has no lock file, and nothing is installed.
 */
export async function ensureInstalled({ all = false } = {}) {
  if (!existsSync(path.join(root, 'package-lock.json'))) return
  const lacks = lacking(all)
  if (lacks === null) return
  if (!isWritable(root)) {
    refuse(`${lacks} is not installed, and this user cannot write ${root}: run "npm ci" there as its owner`)
  }
  if (hasNoHome()) {
    refuse(
      `the user id ${process.getuid()} has no account on this system and HOME is not set, without which npm cannot install ${lacks}: set HOME to a folder that it may write, or run as a user that has an account`,
    )
  }
  process.stderr.write(`openfilings: installing dependencies (once${all ? ', with those for development' : ''})\n`)
  sweep()
  // Installs into a separate folder, and renames it. So two starts at once do not disturb each other, and a start that
  // is killed leaves nothing half done.
  const partial = mkdtempSync(path.join(root, PARTIAL))
  try {
    await install(partial, all)
    moveIntoPlace(partial, all)
  } catch (error) {
    process.exitCode = 1
    if (error instanceof Stopped) process.exitCode = error.status
    else process.stderr.write(`openfilings: ${error.message}\n`)
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
  if (process.exitCode) process.exit()
}

class Stopped extends Error {
  constructor(signal) {
    super(signal)
    this.status = 128 + system.signals[signal]
  }
}

/**
 * Returns a package of the lock file that is not installed, or null. Reads the list that npm writes at the end of an
 * installation, so an installation by hand counts too. Optional packages may be absent (another platform's, or left out
 * by `--omit=optional`), but an installed one must not be old.
 */
function lacking(all) {
  const there = packagesOf(path.join(root, 'node_modules', '.package-lock.json'))
  for (const [folder, { version, integrity, dev, optional }] of Object.entries(
    packagesOf(path.join(root, 'package-lock.json')),
  )) {
    if (folder === '' || (dev && !all)) continue
    const found = there[folder]
    if (!found && optional) continue
    if (found?.version !== version || found.integrity !== integrity)
      return `${folder.replace(/^node_modules\//, '')} ${version}`
  }
  return null
}

function packagesOf(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {}
}

async function install(folder, all) {
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    if (existsSync(path.join(root, file))) copyFileSync(path.join(root, file), path.join(folder, file))
  }
  const windows = process.platform === 'win32'
  const which = all ? '--include=dev' : '--omit=dev'
  const args = ['ci', which, '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  const { spawn } = await import('node:child_process')
  // npm's own chatter goes to standard error: standard output belongs to the command (`keys create` prints the key alone).
  const npm = spawn(windows ? 'npm.cmd' : 'npm', args, { cwd: folder, stdio: ['ignore', 2, 2], shell: windows })
  let stopped = null
  const stop = (signal) => {
    stopped = signal
    // npm may take its time to end, and what it has written so far is thrown away.
    npm.kill('SIGKILL')
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  const status = await new Promise((resolve) => {
    npm.on('error', ({ code }) => resolve(code))
    npm.on('exit', resolve)
  })
  for (const signal of SIGNALS) process.off(signal, stop)
  if (stopped) throw new Stopped(stopped)
  if (status === 'ENOENT') throw new Error('npm is not found, and the dependencies are not installed')
  if (status !== 0) throw new Error('npm ci failed; see the messages above')
  // Headers for compiling addons are 67 MB of the 211 that Node's package takes, and nothing here is compiled.
  for (const name of readdirSync(path.join(folder, 'node_modules'))) {
    if (/^node-(bin-)?(linux|darwin|win)-/.test(name)) {
      rmSync(path.join(folder, 'node_modules', name, 'include'), { recursive: true, force: true })
    }
  }
}

/** The signals that end a command. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Moves `node_modules` to its final place, unless another process has put it there meanwhile. */
function moveIntoPlace(partial, all) {
  if (lacking(all) === null) return
  const target = path.join(root, 'node_modules')
  try {
    if (existsSync(target)) renameSync(target, path.join(partial, 'replaced'))
    renameSync(path.join(partial, 'node_modules'), target)
  } catch (error) {
    if (lacking(all) === null) return
    throw new Error(`${target} cannot be replaced (${error.code}): run "npm ci" in ${root}`)
  }
}

/**
 * Removes what an installation left behind if its process was killed an hour ago or earlier. A younger installation may
 * still be running.
 */
function sweep() {
  for (const name of readdirSync(root)) {
    const folder = path.join(root, name)
    if (name.startsWith(PARTIAL) && Date.now() - statSync(folder).mtimeMs > HOUR_MS)
      rmSync(folder, { recursive: true, force: true })
  }
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Whether the user has no home, as in `docker run --user 12345`. npm would then end with an error message of a library.
 */
function hasNoHome() {
  try {
    return homedir() === ''
  } catch {
    return true
  }
}

function refuse(reason) {
  process.stderr.write(`openfilings: ${reason}\n`)
  process.exit(1)
}
