/**
 * The packed TypeScript client: it is installed into an empty folder, where every example of its README compiles and
 * runs against a service.
 *
 * @ci it compiles, packs and installs the client, and generates its types
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { generated, inputs } from '../../clients/typescript/generate.ts'
import { newSecret, signed } from '../../src/webhooks/signature.ts'
import { windows } from '../support/embedded/scene.ts'
import { serveSample } from '../support/served.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

const exec = promisify(execFile)
const client = path.join(checkout, 'clients/typescript')
const served = await serveSample({ after })

/**
 * The TypeScript blocks of the README: the first creates the client, and each other block is a program that continues
 * it.
 */
function examplesOf(readme: string): { setup: string; examples: string[] } {
  const blocks = [...readme.matchAll(/^```ts( setup)?\n(.*?)^```$/gms)]
  const setup = blocks.filter(([, mark]) => mark !== undefined).map(([, , text]) => text!)
  assert.equal(setup.length, 1)
  return { setup: setup[0]!, examples: blocks.filter(([, mark]) => mark === undefined).map(([, , text]) => text!) }
}

const OPTIONS = {
  ...{ target: 'es2023', module: 'nodenext', lib: ['es2023'], types: ['node'], outDir: 'out', skipLibCheck: false },
  ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
}

/** Continues the receiver of the README: the program listens, gets deliveries, and prints the status of each answer. */
const RECEIVED = `
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve))
for (const { body, headers } of JSON.parse(process.env.DELIVERIES)) {
  const { status } = await fetch('http://127.0.0.1:' + receiver.address().port, { method: 'POST', body, headers })
  console.log(status)
}
receiver.close()
receiver.closeAllConnections()
`

test('the package installs without other packages, and every example of its README compiles and runs', {
  skip: windows,
}, async (t) => {
  const folder = await temporaryFolder(t)
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  const env = { ...Object.fromEntries(own), npm_config_update_notifier: 'false' }
  const npm = (args: string[], cwd = folder) => exec('npm', args, { cwd, env })
  await npm(['run', 'build'], client)
  const { stdout } = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], client)
  const [{ filename, files, unpackedSize }] = Object.values(JSON.parse(stdout)) as [
    { filename: string; files: { path: string }[]; unpackedSize: number },
  ]
  const names = files.map((file) => file.path)
  for (const name of ['README.md', 'LICENSE', 'package.json', 'dist/index.js', 'dist/index.d.ts'])
    assert.ok(names.includes(name), name)
  for (const name of names) assert.match(name, /^(dist\/.*\.(js|d\.ts)|README\.md|LICENSE|package\.json)$/)
  assert.ok(unpackedSize < 1_500_000, `${unpackedSize} bytes`)

  await writeFile(path.join(folder, 'package.json'), '{ "type": "module", "private": true }')
  await npm(['install', '--offline', '--ignore-scripts', `./${filename}`])
  const { setup, examples } = examplesOf(await readFile(path.join(client, 'README.md'), 'utf8'))
  assert.ok(examples.length >= 19, `${examples.length} examples`)
  const programs = examples.map((_, i) => `example-${i}.ts`)
  await Promise.all(examples.map((text, i) => writeFile(path.join(folder, programs[i]!), `${setup}\n${text}`)))
  const compilerOptions = { ...OPTIONS, typeRoots: [path.join(checkout, 'node_modules/@types')] }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: programs }))
  const compiler = path.join(checkout, 'node_modules/typescript/bin/tsc')
  const compiled = await exec(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], { cwd: folder }).catch(
    (error) => error,
  )
  assert.equal(compiled.stdout, '')
  for (const [i, example] of examples.entries()) {
    await t.test(`example ${i + 1}: ${example.trim().split('\n').at(-1)!.slice(0, 60)}`, async () => {
      const ran = await exec(process.execPath, [`out/example-${i}.js`], {
        cwd: folder,
        env: { ...env, OPENFILINGS_URL: served.origin, OPENFILINGS_KEY: served.keys.full },
      }).catch((error) => error)
      assert.equal(ran.code, undefined, ran.stderr)
      assert.equal(ran.stderr, '')
      assert.match(ran.stdout, /\S/, 'the sample answers each example')
      assert.doesNotMatch(ran.stdout, /undefined/)
    })
  }
  await t.test('the receiver of the README takes events and matches, and refuses a changed delivery', async () => {
    const at = examples.findIndex((text) => text.includes('webhooks.verify'))
    const program = await readFile(path.join(folder, `out/example-${at}.js`), 'utf8')
    await writeFile(path.join(folder, 'out/received.js'), `${program}\n${RECEIVED}`)
    const WEBHOOK_SECRET = newSecret()
    const headersOf = (text: string) => signed(WEBHOOK_SECRET, 'id', text, new Date())
    const bodies = [
      { webhook_id: 'wh', events: [{}, {}], next_after: 2 },
      { webhook_id: 'wh', search: {}, matches: [{}], next_after: 1 },
    ].map((each) => JSON.stringify(each))
    const deliveries = [
      ...bodies.map((body) => ({ body, headers: headersOf(body) })),
      { body: `${bodies[0]} `, headers: headersOf(bodies[0]!) },
    ]
    const { stdout: printed } = await exec(process.execPath, ['out/received.js'], {
      cwd: folder,
      env: { ...env, OPENFILINGS_KEY: served.keys.full, WEBHOOK_SECRET, DELIVERIES: JSON.stringify(deliveries) },
    })
    assert.deepEqual(printed.trim().split('\n'), ['false', '2', '204', '1', '204', '401'])
  })
})

test('the committed files equal the output of the generator', async () => {
  for (const [file, text] of Object.entries(await generated(await inputs()))) {
    // The formatter skips generated files, so the committed files equal the generator's output.
    assert.ok((await readFile(file, 'utf8')) === text, `${file} is outdated: run "npm run generate"`)
  }
})
