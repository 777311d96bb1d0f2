#!/usr/bin/env node
// node bin/run.mjs ARGS: the project's own Node with these arguments, after installing what is missing.
import path from 'node:path'
import { ensureInstalled, root } from './install.mjs'
import { runNode } from './launch.mjs'

process.chdir(root)
await ensureInstalled({ all: true })
// Without this cache, each test process spends half of its first second compiling the sources.
process.env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules', '.cache', 'compiled')
await runNode(process.argv.slice(2))
