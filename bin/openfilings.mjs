#!/usr/bin/env node
// The command line, for any Node from 20. The version is told at once; everything else needs what is installed.
import { readFileSync } from 'node:fs'

const args = process.argv.slice(2)

// The words of src/main.ts, which tells the version after a command: to start a second Node for it takes twice as long.
if (['--version', '-V', 'version'].includes(args[0])) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${version}\n`)
} else {
  const { start } = await import('./start.mjs')
  await start(args)
}
