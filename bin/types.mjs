// Lets a Node process run the TypeScript of an installed package. bin/begin.mjs imports this file. Processes that the
// command starts load it with `--import`.
import module from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

// Node refuses to strip types below node_modules, where an installed package is. So the package's own files are
// stripped here.
if (root.split(path.sep).includes('node_modules')) {
  const { registerHooks, stripTypeScriptTypes } = module
  const { readFileSync } = await import('node:fs')
  const own = pathToFileURL(root + path.sep).href
  // The first call warns that the function is experimental; a user of the command can do nothing about it.
  const { emitWarning } = process
  process.emitWarning = () => {}
  stripTypeScriptTypes('')
  process.emitWarning = emitWarning
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith(own) || !url.endsWith('.ts')) return next(url, context)
      return { format: 'module', shortCircuit: true, source: stripTypeScriptTypes(readFileSync(new URL(url), 'utf8')) }
    },
  })
}
