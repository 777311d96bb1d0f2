/**
 * Backup and restore with exactly the lines of docs/operating/backup.md.
 *
 * @server it dumps and restores with the programs of the server under test
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { beginHere, cli, newEnv, queried, run, sampledEnv, smallFolder, untilReady } from '../support/command.ts'
import { freshDatabase } from '../support/database.ts'
import { checkout, everyRow, temporaryFolder } from '../support/world.ts'

const exec = promisify(execFile)
const page = readFileSync(path.join(checkout, 'docs/operating/backup.md'), 'utf8')
/** Accession of a filing in the sample. */
const FILING = '0000925421-24-000007'

type Env = Record<string, string>
type After = Parameters<typeof temporaryFolder>[0]

function linesOf(name: string): string {
  const found = new RegExp(`<!-- ${name} -->\n\`\`\`sh\n([^\`]+)\`\`\`\n<!-- /${name} -->`).exec(page)
  assert.ok(found, name)
  return found[1]!
}

/**
 * Returns a function that runs lines of the page in one folder, where `openfilings` is the command of this checkout.
 */
async function operator(t: After) {
  const folder = await temporaryFolder(t)
  writeFileSync(path.join(folder, 'openfilings'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`)
  chmodSync(path.join(folder, 'openfilings'), 0o755)
  return (lines: string, env: Env) =>
    exec('sh', ['-euc', lines], { cwd: folder, env: { ...env, PATH: `${folder}:${process.env.PATH}`, HOME: folder } })
}

/**
 * Asserts that the restored installation has the rows, the key and the documents of the original, and can read its
 * archive again.
 */
async function assertSame(t: After, before: Env, after: Env, key: string): Promise<void> {
  const [was, is] = [await queried(before, everyRow), await queried(after, everyRow)]
  assert.ok(was['formd.offering']!.length > 10)
  assert.deepEqual(is, was)
  const rebuilt = await run(['rebuild', 'formd'], after)
  assert.equal(rebuilt.status, 0, rebuilt.stderr)
  const server = beginHere(t, ['serve', '--port', '0'], { ...after, SAMPLE: 'off' })
  const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(await untilReady(server))!
  for (const address of ['/v1/me', `/v1/formd/filings/by-accession/${FILING}`, `/v1/edgar/doc/${FILING}/1`]) {
    const answer = await fetch(origin + address, { headers: { 'x-api-key': key } })
    assert.equal(answer.status, 200, address)
    assert.ok((await answer.text()).length > 50)
  }
  assert.equal(await server.end(), 0)
}

async function keyOf(env: Env): Promise<string> {
  return (await run(['keys', 'create', '--account', 'alice'], env)).stdout.trim()
}

const isServer = process.env.TEST_DATABASE_URL !== undefined

// The test loads, copies, serves and rebuilds two databases, which takes some 10 s on a busy machine.
test('the lines of operating/backup.md back up and restore an embedded database, with its keys and its archive', {
  skip: isServer ? 'the embedded database, whatever server is under test' : false,
  timeout: 300_000,
}, async (t) => {
  const { DATA_DIR } = await smallFolder(t)
  const [before, after] = [{ DATA_DIR } as Env, await newEnv(t)]
  for (const env of [before, after]) {
    const folder = path.join(await temporaryFolder(t), "data of 'filings'")
    if (existsSync(env.DATA_DIR!)) renameSync(env.DATA_DIR!, folder)
    env.DATA_DIR = folder
  }
  const key = await keyOf(before)
  const operate = await operator(t)
  await operate(linesOf('backup embedded'), before)
  const { stdout } = await operate(linesOf('restore embedded'), after)
  assert.match(stdout, /formd/)
  await assertSame(t, before, after, key)
})

const noDump = isServer
  ? await exec('pg_dump', ['--version']).then(
      () => false as const,
      () => 'there is no pg_dump',
    )
  : 'the embedded server comes without pg_dump'

test('the lines of operating/backup.md dump and restore an external database, without the rights of analysts', {
  skip: noDump,
  timeout: 300_000,
}, async (t) => {
  // Registered before the hook that drops the database.
  t.after(async () => {
    await run(['analyst', 'remove', `analyst_${process.pid}`], before)
  })
  const before = await sampledEnv(t)
  const key = await keyOf(before)
  assert.equal((await run(['analyst', 'create', `analyst_${process.pid}`], before)).status, 0)
  const { url } = await freshDatabase(t, { empty: true })
  const after = { DATA_DIR: path.join(await temporaryFolder(t), 'data'), DATABASE_URL: url! }
  const operate = await operator(t)
  await operate(linesOf('backup server'), before)
  const { stdout } = await operate(linesOf('restore server'), after)
  assert.match(stdout, /formd/)
  await assertSame(t, before, after, key)
})
