/** Data folders that cannot be used are refused in one line within seconds; odd ones that can be used are. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { readdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it, type TestContext, test } from 'node:test'
import { assertRefused, begin, run } from './command.ts'
import { temporaryFolder } from './world.ts'

const windows = process.platform === 'win32'
const linux = process.platform === 'linux'
const noMount = !canMount() && 'needs root and the right to mount'

/** Runs a command that makes a database, with these settings besides. */
const ingestInto = (DATA_DIR: string, env: Record<string, string> = {}) =>
  run(['ingest', 'index', '--base-url', 'file:///nowhere'], { DATA_DIR, ...env })

describe('refused in one line that names the folder and the way out', () => {
  it('a place where nothing can be made, with and without a database of its own', { skip: !linux }, async () => {
    assertRefused(
      await ingestInto('/proc/nope'),
      /^openfilings: the data folder \/proc\/nope cannot be written.*DATA_DIR/,
    )
    assertRefused(
      await ingestInto('/proc/self/nope/data'),
      /the data folder \/proc\/self\/nope\/data cannot be written/,
    )
    assertRefused(await ingestInto('/proc/self'), /the data folder \/proc\/(self|\d+) cannot be written/)
    const elsewhere = { DATABASE_URL: 'postgres://me@127.0.0.1:9/x' }
    assertRefused(
      await ingestInto('/proc/nope', elsewhere),
      /^openfilings: the data folder \/proc\/nope cannot be written/,
    )
  })

  it('a file, and a folder below a file', async (t) => {
    const file = path.join(await temporaryFolder(t), 'data')
    await writeFile(file, '')
    assertRefused(await ingestInto(file), new RegExp(`the data folder ${file} is not a folder: move it away`))
    assertRefused(await ingestInto(`${file}/below`), new RegExp(`the data folder ${file}/below is not a folder`))
  })

  it('a link that leads nowhere, and one to itself', { skip: windows }, async (t) => {
    const folder = await temporaryFolder(t)
    await symlink(path.join(folder, 'gone'), path.join(folder, 'data'))
    await symlink(path.join(folder, 'loop'), path.join(folder, 'loop'))
    assertRefused(await ingestInto(path.join(folder, 'data')), /is a link that leads nowhere: remove it/)
    assertRefused(await ingestInto(path.join(folder, 'loop')), /is a link that leads nowhere: remove it/)
  })

  it('a name that is too long', async (t) => {
    assertRefused(await ingestInto(path.join(await temporaryFolder(t), 'x'.repeat(300))), /is too long: shorten it/)
  })

  it('a disk that is full, whatever was copied before, and one that is read-only: nothing of the attempt is left', {
    skip: noMount,
  }, async (t) => {
    // 20 MB are too few for PostgreSQL's programs, 70 for a database beside them.
    for (const size of ['20m', '70m']) {
      await onDisk(t, size, async (disk) => {
        const DATA_DIR = path.join(disk, 'data')
        assertRefused(
          await ingestInto(DATA_DIR),
          new RegExp(`the disk of the data folder ${DATA_DIR} is full: make room`),
        )
        const left = (await readdir(DATA_DIR)).filter((name) => name.startsWith('.partial-'))
        assert.deepEqual(left, [])
      })
    }
    await onDisk(t, '1m', async (disk) => {
      execFileSync('mount', ['-o', 'remount,ro', disk])
      assertRefused(await ingestInto(path.join(disk, 'data')), /the data folder \S+ cannot be written \(EROFS\)/)
    })
  })
})

test('a path with blanks and one of 300 characters are used, and SAMPLE=off loads nothing there', async (t) => {
  const folder = await temporaryFolder(t)
  for (const name of ['two words of a folder', `${'deep/'.repeat(60)}data`]) {
    const DATA_DIR = path.join(folder, name)
    const server = begin(t, ['serve', '--port', '0'], { DATA_DIR, SAMPLE: 'off' })
    const text = await server.until(/OpenFilings listens at .*\n/)
    assert.match(text, /, but nothing is loaded; "openfilings ingest" loads real filings/)
    const { status, stdout } = await run(['status'], { DATA_DIR })
    assert.equal(status, 0)
    assert.match(stdout, /^filings +0 of 0 forms/m)
    assert.equal(await server.end(), 0)
  }
})

/** Root in a container may lack the right. */
function canMount(): boolean {
  if (!linux || process.getuid!() !== 0) return false
  const disk = mkdtempSync(path.join(tmpdir(), 'openfilings-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', disk], { stdio: 'ignore' })
    execFileSync('umount', [disk])
    return true
  } catch {
    return false
  } finally {
    rmdirSync(disk)
  }
}

/** Does something on a small file system of its own. */
async function onDisk(t: TestContext, size: string, act: (disk: string) => Promise<void>): Promise<void> {
  const disk = await temporaryFolder(t)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', disk])
  try {
    await act(disk)
  } finally {
    execFileSync('umount', ['-l', disk])
  }
}
