// Runs src/cli.ts in this process; its Node version has been checked already. This is the last step of bin/start.mjs,
// or the first step of the Node that bin/start.mjs starts.
import module from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { endWithNpm } from './end.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const cli = path.join(root, 'src/cli.ts')

endWithNpm()
rememberCompiled()
await import('./types.mjs')
process.argv[1] = cli
await import(pathToFileURL(cli).href)

/**
 * Keeps what Node compiled for the next start (a help takes 0.04 instead of 0.10 s of the processor). The cache is in
 * the checkout and not in the system's temporary folder, where somebody else could have put code. If the folder is not
 * writable, Node works without this cache.
 */
function rememberCompiled() {
  const modules = path.join(root, 'node_modules')
  // An `import` of node:fs would load its streams too, which takes 4 ms.
  const { existsSync } = process.getBuiltinModule('node:fs')
  if (existsSync(modules)) module.enableCompileCache?.(path.join(modules, '.cache', 'compiled'))
}
