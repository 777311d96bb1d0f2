/**
 * Makes the generated files of the clients from the OpenAPI document and `names.tsv`: `npm run generate`, or
 * `node bin/run.mjs clients/generate.ts` alone. With `--check` it only says whether they are outdated, without the tools.
 * Without Python the files of the Python client stay as they are; CI has Python.
 */
import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { digestOf, GENERATED, generated, inputs } from './typescript/generate.ts'

const isCheck = process.argv.includes('--check')
const input = await inputs()
if (isCheck) {
  for (const file of GENERATED) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text.includes(digestOf(input))) continue
    process.stderr.write(`${path.relative(process.cwd(), file)} is outdated: run "npm run generate"\n`)
    process.exitCode = 1
  }
} else {
  for (const [file, text] of Object.entries(await generated(input))) {
    if ((await readFile(file, 'utf8').catch(() => null)) === text) continue
    await writeFile(file, text)
    process.stdout.write(`wrote ${path.relative(process.cwd(), file)}\n`)
  }
}

/** The Python of the system comes first, as in the tests of the client. */
const python = ['/usr/bin/python3', 'python3'].find(
  (program) => spawnSync(program, ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0,
)
if (python) {
  const program = path.join(import.meta.dirname, 'python/generate.py')
  const { status } = spawnSync(python, ['-B', program, ...(isCheck ? ['--check'] : [])], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
} else if (!isCheck) {
  process.stdout.write('the files of the Python client were left as they are: Python 3.11 was not found\n')
}
