#!/usr/bin/env node
// node bin/run.mjs ARGS: the project's own Node with these arguments, after installing what is missing.
import { ensureInstalled, root, runNode } from './launch.mjs'

process.chdir(root)
ensureInstalled()
runNode(process.argv.slice(2))
