/**
 * `generate` in a separate checkout: it writes exactly the committed files, and never a wrong file.
 *
 * @early it takes 12 s of the processor
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { open } from '../../src/app.ts'
import { collected } from '../../src/commands/examples.ts'
import { replaced } from '../../src/commands/generate-work.ts'
import { readSettings } from '../../src/config.ts'
import { secondRun } from '../second-run.ts'
import { sampledEnv } from '../support/command.ts'
import { smallCheckout } from '../support/small-checkout.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

const EXAMPLES = 'generated/examples.json'
const OPENAPI = 'generated/openapi.json'

const folder = await temporaryFolder({ after })
const copy = path.join(folder, 'copy')
const temporary = path.join(folder, 'temporary')
await mkdir(temporary)
// A small sample suffices, because each tested fault already shows at the first example. The committed files need the
// whole sample, which other tests have loaded.
await smallCheckout(copy, ['docs', 'README.md', 'THIRD_PARTY_NOTICES.md'])

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

test('--check names outdated and missing files, and generate writes exactly the committed files', {
  skip: secondRun,
}, async (t) => {
  await writeFile(inCopy(EXAMPLES), '{ "invented": [], "routes": {}, "errors": {} }')
  await rm(inCopy(OPENAPI))
  const { status, stderr } = await generate('--check')
  assert.equal(status, 1)
  for (const file of [EXAMPLES, OPENAPI]) assert.match(stderr, new RegExp(`${file} is outdated`))
  const app = await open(readSettings(await sampledEnv(t)).config)
  t.after(() => app.close())
  assert.deepEqual(await replaced(await collected(app), copy), [EXAMPLES, OPENAPI])
  for (const file of [EXAMPLES, OPENAPI]) {
    assert.ok((await readFile(inCopy(file), 'utf8')) === (await committed(file)), `${file} differs`)
  }
})

/** Slices that have an example in the small sample for each of their routes. */
const SLICES = ['datasets/formd', 'products/me', 'products/filings']
const DETAIL = 'src/datasets/formd/routes.ts'

/**
 * Leaves only a few slices in the checkout. A load that first makes the tables of every slice takes seconds longer, and
 * no fault of the tests below depends on the number of slices.
 */
async function keepFewSlices(): Promise<void> {
  const isKept = (line: string) => !line.startsWith('  import(') || SLICES.some((slice) => line.includes(`/${slice}/`))
  await edit('src/registry.ts', (text) => text.split('\n').filter(isKept).join('\n'))
  // Makes a filing of another form the example of the look-up.
  await edit('src/products/filings/index.ts', (text) => text.replace(', detail]', ']'))
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(inCopy(file), 'utf8')
  const changed = change(text)
  assert.notEqual(changed, text, file)
  await writeFile(inCopy(file), changed)
}

test('an example without an answer in the sample is named, nothing is written, and no temporary folder remains', {
  skip: secondRun,
}, async () => {
  await keepFewSlices()
  await edit(DETAIL, (text) => text.replace(/(?<=examples: \[\{ accession: ')[^']+/, '0000000000-00-000001'))
  const { status, stdout, stderr } = await generate()
  assert.equal(status, 1)
  assert.match(stderr, /the example \S*0000000000-00-000001 is answered with 404/)
  assert.equal(stdout, '')
  assert.equal(await readFile(inCopy(EXAMPLES), 'utf8'), await committed(EXAMPLES))
  assert.deepEqual(await readdir(temporary), [])
})

test('generate writes no example if the sample cannot be read completely', { skip: secondRun }, async () => {
  const submission = 'sample/Archives/edgar/data/1485913/0001485913-10-000001.txt'
  await rm(inCopy(submission))
  const { status, stdout, stderr } = await generate()
  assert.equal(status, 1)
  assert.match(stderr, /0001485913-10-000001/)
  assert.doesNotMatch(stderr, /the example/, 'an example of this checkout still has no answer')
  assert.equal(stdout, '')
  assert.deepEqual(await readdir(temporary), [])
  await cp(path.join(checkout, submission), inCopy(submission))
  await cp(path.join(checkout, DETAIL), inCopy(DETAIL))
})

test('generate loads the sample of its checkout, writes what its service answers, and reports each file that it wrote', {
  skip: secondRun,
}, async () => {
  const { status, stdout, stderr } = await generate()
  assert.deepEqual([status, stderr], [0, ''])
  const written = [...stdout.matchAll(/^wrote (\S+)$/gm)].map(([, file]) => file!)
  assert.equal(stdout, written.map((file) => `wrote ${file}\n`).join(''))
  for (const file of [EXAMPLES, OPENAPI]) assert.ok(written.includes(file), file)
  const { routes } = JSON.parse(await readFile(inCopy(EXAMPLES), 'utf8'))
  assert.ok(routes.formd_detail.answer.filing.accession, JSON.stringify(Object.keys(routes)))
  assert.deepEqual(await generate('--check'), { status: 0, stdout: '', stderr: '' })
  assert.deepEqual(await readdir(temporary), [])
})
