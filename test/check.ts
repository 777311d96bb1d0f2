/**
 * `npm run check`: types, lint and format, generated files. A test checks the boundaries. If anything fails, prints each
 * failure and ends with a status other than 0.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)
const bin = (file: string) => path.join(root, 'node_modules', file)

const CHECKS = [
  ['types', bin('typescript/bin/tsc'), '-p', '.'],
  ["types of the pages' scripts", bin('typescript/bin/tsc'), '-p', 'src/pages/browser'],
  ['types of the clients', bin('typescript/bin/tsc'), '-p', 'clients/typescript'],
  ['lint and format', bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'],
  ['generated files', path.join(root, 'bin/openfilings.mjs'), 'generate', '--check'],
  ['generated files of the clients', path.join(root, 'clients/generate.ts'), '--check'],
] as const

let failed = 0
for (const [name, script, ...args] of CHECKS) {
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' })
  process.stdout.write(`check ${name}: ${status === 0 ? 'ok' : 'FAILED'}\n`)
  if (status !== 0) failed++
}
process.exitCode = failed > 0 ? 1 : 0
