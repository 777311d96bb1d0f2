#!/usr/bin/env node
// The command line, for any Node from 20. It prints the version at once; everything else needs what is installed.
import { readFileSync } from 'node:fs'

const args = process.argv.slice(2)

// src/main.ts prints the version too, also after a command. But src/main.ts needs a recent Node: in an older Node, a
// second Node would be started for it, which takes as long again as the first.
if (['--version', '-V', 'version'].includes(args[0])) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${version}\n`)
} else {
  const { start } = await import('./start.mjs')
  await start(args)
}
