// Starts a command: installs what is missing, then runs the command here, or under a Node that can run it.
import path from 'node:path'
import { endWithNpm } from './end.mjs'
import { ensureInstalled, root } from './install.mjs'
import { findNode, runNode } from './launch.mjs'

/** @param args as typed after the name of the program */
export async function start(args) {
  endWithNpm()
  await ensureInstalled()
  const bin = (name) => path.join(root, 'bin', name)
  // The changed sources may need other packages, so each start of a watched command checks the packages again.
  if (args[0] === '--watch') return runNode(['--watch', bin('openfilings.mjs'), ...args.slice(1)])
  if (findNode() !== process.execPath) return runNode([bin('begin.mjs'), ...args])
  await import('./begin.mjs')
}
