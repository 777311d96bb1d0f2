#!/usr/bin/env node
// The command line. Installs what is missing, then runs src/cli.ts under a Node that can.
import { existsSync } from 'node:fs'
import module from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureInstalled, root } from './install.mjs'
import { findNode, runNode } from './launch.mjs'

endWithNpm()
await ensureInstalled()
const cli = path.join(root, 'src/cli.ts')
const args = process.argv.slice(2)
const watch = args[0] === '--watch'

const self = fileURLToPath(import.meta.url)
if (watch) runNode(['--watch', self, ...args.slice(1)])
else if (findNode() !== process.execPath) runNode([self, ...args])
else {
  rememberCompiled()
  await import('./types.mjs')
  process.argv[1] = cli
  await import(pathToFileURL(cli).href)
}

/**
 * At SIGTERM npm ends, and the shell that it runs its scripts in, and neither passes it on: without a parent we send it to
 * ourselves. A Windows process keeps its parent's number for life.
 */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    process.kill(process.pid, 'SIGTERM')
  }, 200)
  look.unref()
}

/**
 * Keeps what Node compiled for the next start (0.45 instead of 0.7 s), in the checkout and not in the system's temporary
 * folder, where somebody else could have put code. Where nothing can be written Node does without.
 */
function rememberCompiled() {
  const modules = path.join(root, 'node_modules')
  if (existsSync(modules)) module.enableCompileCache?.(path.join(modules, '.cache', 'compiled'))
}
