#!/usr/bin/env node
// The command line, for any Node from 20. This file prints the version without any dependency; all other commands need
// the installed dependencies.
import { readFileSync } from 'node:fs'

const args = process.argv.slice(2)

// src/main.ts prints the version too, also if `--version` follows a command. But src/main.ts needs a recent Node: an
// older Node would have to start a second one, which doubles the time.
if (['--version', '-V', 'version'].includes(args[0])) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${version}\n`)
} else {
  const { start } = await import('./start.mjs')
  await start(args)
}
