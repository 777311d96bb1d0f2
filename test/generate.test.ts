/** `generate` in a checkout of its own: what it writes is what is committed, and it writes nothing that is wrong. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { again } from './again.ts'
import { checkout, temporaryFolder } from './world.ts'

const EXAMPLES = 'src/serve/examples.json'
const FILES = [
  ...['bin', 'src', 'sample', 'docs', 'package.json', 'package-lock.json'],
  ...['README.md', 'openapi.json', 'THIRD_PARTY_NOTICES.md'],
]

const folder = await temporaryFolder({ after })
const copy = path.join(folder, 'copy')
const temporary = path.join(folder, 'temporary')
await mkdir(temporary)
for (const file of FILES) await cp(path.join(checkout, file), path.join(copy, file), { recursive: true })
await symlink(path.join(checkout, 'node_modules'), path.join(copy, 'node_modules'))

const inCopy = (file: string) => path.join(copy, file)
const committed = (file: string) => readFile(path.join(checkout, file), 'utf8')

function generate(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const env = { ...process.env, TMPDIR: temporary }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['bin/openfilings.mjs', 'generate', ...args],
      { cwd: copy, env },
      (error, stdout, stderr) => resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

/** Changes a file of the copy, and puts it back after the test. */
async function changed(t: { after(fn: () => Promise<void>): void }, file: string, change: (text: string) => string) {
  const text = await readFile(inCopy(file), 'utf8')
  t.after(() => writeFile(inCopy(file), text))
  assert.notEqual(change(text), text)
  await writeFile(inCopy(file), change(text))
}

test('an example that the sample does not answer is named, nothing is written, and no folder is left', {
  skip: again,
}, async (t) => {
  await changed(t, 'src/datasets/x17a5/routes.ts', (text) => text.replace("cik: '200403'", "cik: '200404'"))
  const { status, stderr } = await generate()
  assert.equal(status, 1)
  assert.match(stderr, /the example \/brokers\/200404 is answered with 404/)
  assert.equal(await readFile(inCopy(EXAMPLES), 'utf8'), await committed(EXAMPLES))
  assert.deepEqual(await readdir(temporary), [])
})

test('of a sample that cannot be read whole no example is taken', { skip: again }, async (t) => {
  const submission = 'sample/Archives/edgar/data/1904054/0001013762-23-004437.txt'
  const text = await readFile(inCopy(submission))
  t.after(() => writeFile(inCopy(submission), text))
  await rm(inCopy(submission))
  const { status, stdout, stderr } = await generate()
  assert.equal(status, 1)
  assert.match(stderr, /0001013762-23-004437/)
  assert.equal(stdout, '')
  assert.deepEqual(await readdir(temporary), [])
})

test('files that are outdated or gone are told by --check, and are written as they are committed', {
  skip: again,
}, async () => {
  await writeFile(inCopy(EXAMPLES), '{ "routes": {}, "errors": {} }')
  await rm(inCopy('openapi.json'))
  const { status, stderr } = await generate('--check')
  assert.equal(status, 1)
  for (const file of [EXAMPLES, 'openapi.json']) assert.match(stderr, new RegExp(`${file} is outdated`))
  const written = await generate()
  assert.deepEqual(written, { status: 0, stdout: `wrote ${EXAMPLES}\nwrote openapi.json\n`, stderr: '' })
  for (const file of [EXAMPLES, 'openapi.json']) {
    assert.ok((await readFile(inCopy(file), 'utf8')) === (await committed(file)), `${file} differs`)
  }
})
