/** Data folders that cannot be used are refused in one line within seconds; unusual but usable ones are used. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { describe, it, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { connect } from '../../src/store/db.ts'
import { openEmbedded } from '../../src/store/embedded.ts'
import { assertRefused, begin, beginHere, madeFolder, run } from '../support/command.ts'
import { noMount, onDisk } from '../support/disk.ts'
import { kill, serverPid } from '../support/embedded/scene.ts'
import { until } from '../support/until.ts'
import { temporaryFolder } from '../support/world.ts'

const windows = process.platform === 'win32'
const linux = process.platform === 'linux'

/** Runs a command that creates a database in the folder, with these additional settings. */
const ingestInto = (DATA_DIR: string, env: Record<string, string> = {}) =>
  run(['ingest', 'index', '--base-url', 'file:///nowhere'], { DATA_DIR, ...env })

/** Removes a folder in which a running server may still create a file, for example the next WAL segment. */
const removeUnderServer = (folder: string) => rm(folder, { recursive: true, maxRetries: 10 })

test('a port in use is reported before a data folder is made', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const DATA_DIR = path.join(await temporaryFolder(t), 'data')
  assertRefused(
    await run(['serve'], { DATA_DIR, PORT: String(port) }),
    new RegExp(`^openfilings: port ${port} on 127\\.0\\.0\\.1 is already in use; choose another with --port`),
  )
  await assert.rejects(readdir(DATA_DIR), { code: 'ENOENT' })
})

describe('data folders that are refused in one line with the folder and the remedy', () => {
  it('a folder that is not writable, with the embedded and with an external database', { skip: !linux }, async () => {
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

  it('a dangling symbolic link, and a link to itself', { skip: windows }, async (t) => {
    const folder = await temporaryFolder(t)
    await symlink(path.join(folder, 'gone'), path.join(folder, 'data'))
    await symlink(path.join(folder, 'loop'), path.join(folder, 'loop'))
    assertRefused(await ingestInto(path.join(folder, 'data')), /is a dangling symbolic link: remove it/)
    assertRefused(await ingestInto(path.join(folder, 'loop')), /is a dangling symbolic link: remove it/)
  })

  it('a name that is too long', async (t) => {
    assertRefused(await ingestInto(path.join(await temporaryFolder(t), 'x'.repeat(300))), /is too long: shorten it/)
  })

  it('a disk that is full at any step, and a read-only disk: no files of the attempt remain', {
    skip: noMount,
  }, async (t) => {
    // 20 MB are too few for PostgreSQL's programs, and 70 MB are too few for the programs and a database.
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

describe('a full disk with an existing database', { skip: noMount }, () => {
  /** Makes a database, kills its server so that the next start recovers, and fills the disk to the last byte. */
  async function fill(disk: string, { logElsewhere }: { logElsewhere: boolean }): Promise<string> {
    const DATA_DIR = path.join(disk, 'data')
    const server = await openEmbedded({ dataDir: DATA_DIR })
    const sql = connect({ target: server.target, max: 1 })
    await sql`create table big as select repeat('x', 500) from generate_series(1, 60000)`
    await sql.end()
    const log = path.join(DATA_DIR, 'postgresql.log')
    if (logElsewhere) {
      // The disk of the test is in memory, so the server's log must be unwritable too: otherwise the server could write
      // it into a page that recovery released.
      await mkdir(path.join(disk, 'log'))
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k,mode=777', 'tmpfs', path.join(disk, 'log')])
      await writeFile(path.join(disk, 'log', 'postgresql.log'), 'x'.repeat(4096))
    }
    kill(serverPid(DATA_DIR))
    if (logElsewhere) {
      await rm(log)
      await symlink(path.join(disk, 'log', 'postgresql.log'), log)
    }
    for (const bytes of ['64k', '4k']) spawnSync('dd', ['if=/dev/zero', `of=${disk}/full${bytes}`, `bs=${bytes}`])
    await server.close()
    return DATA_DIR
  }

  it('is reported at a start with recovery, with the message from the server’s log', async (t) => {
    await onDisk(t, '260m', async (disk) => {
      const { status, stderr } = await run(['status'], { DATA_DIR: await fill(disk, { logElsewhere: false }) })
      assert.equal(status, 1)
      assert.match(
        stderr,
        /^openfilings: the disk of the data folder \S+ is full: .* No space left on device; its log is /m,
      )
    })
  })

  it('is reported even if the server’s log has no room for the reason', async (t) => {
    await onDisk(t, '260m', async (disk) => {
      const DATA_DIR = await fill(disk, { logElsewhere: true })
      t.after(() => spawnSync('umount', ['-l', path.join(disk, 'log')]))
      const { status, stderr } = await run(['status'], { DATA_DIR })
      spawnSync('umount', ['-l', path.join(disk, 'log')])
      assert.equal(status, 1)
      assert.match(stderr, /^openfilings: the disk of the data folder \S+ is full: .*No space left on device/m)
    })
  })

  it('is named with the data folder if the server runs but has no room for a connection or for a row', async (t) => {
    await onDisk(t, '290m', async (disk) => {
      const DATA_DIR = await madeFolder(t, disk)
      const server = await openEmbedded({ dataDir: DATA_DIR })
      const sql = connect({ target: server.target, max: 1 })
      const create = () => run(['keys', 'create', '--account', 'alice'], { DATA_DIR })
      try {
        // The first connection to a database writes a file, which the next connections read.
        const [base] = await sql<{ folder: string }[]>`
          select current_setting('data_directory') || '/base/' || oid as folder from pg_database
          where datname = current_database()`
        for (const bytes of ['64k', '4k']) spawnSync('dd', ['if=/dev/zero', `of=${disk}/full${bytes}`, `bs=${bytes}`])
        assertRefused(
          await create(),
          /^openfilings: the disk of the database in the data folder \S+ is full: make room, then run the same command again \(could not extend file/,
        )
        await rm(path.join(base!.folder, 'pg_internal.init'))
        spawnSync('dd', ['if=/dev/zero', `of=${disk}/more`, 'bs=4k'])
        assertRefused(
          await create(),
          /^openfilings: the disk of the data folder \S+ is full: make room, .*could not write init file: No space left/,
        )
        await Promise.all(['full64k', 'full4k', 'more'].map((name) => rm(path.join(disk, name))))
        assert.equal((await create()).status, 0)
      } finally {
        await sql.end({ timeout: 0 })
        await server.close()
      }
    })
  })

  it('is reported when the server ends because the disk has no room for its log of changes', async (t) => {
    await onDisk(t, '260m', async (disk) => {
      const DATA_DIR = path.join(disk, 'data')
      const lines: string[] = []
      const server = await openEmbedded({ dataDir: DATA_DIR, log: (line) => lines.push(line) })
      const sql = connect({ target: server.target, max: 1 })
      try {
        // A connection writes files too, so it is opened before the disk is full.
        await sql`select`
        for (const bytes of ['64k', '4k']) spawnSync('dd', ['if=/dev/zero', `of=${disk}/full${bytes}`, `bs=${bytes}`])
        const grow = () => sql`select pg_logical_emit_message(true, 'test', repeat('x', 1000000))`
        await assert.rejects(async () => {
          for (let n = 0; n < 100; n++) await grow()
        })
        await until('the end of the server is reported', () => lines.some((line) => line.includes('broke')))
        assert.match(
          lines.find((line) => line.includes('broke'))!,
          /^the disk of the data folder \S+ is full: make room, .* broke, and is opened again: could not write to file "pg_wal\/.*No space left on device\)$/,
        )
      } finally {
        await sql.end({ timeout: 0 })
        await server.close()
      }
    })
  })

  it('is reported once while an open database tries to start again, and the database is back once there is room', async (t) => {
    await onDisk(t, '260m', async (disk) => {
      const DATA_DIR = path.join(disk, 'data')
      const lines: string[] = []
      const server = await openEmbedded({ dataDir: DATA_DIR, log: (line) => lines.push(line) })
      const sql = connect({ target: server.target, max: 1 })
      try {
        await sql`create table big as select repeat('x', 500) from generate_series(1, 60000)`
        kill(serverPid(DATA_DIR))
        for (const bytes of ['64k', '4k']) spawnSync('dd', ['if=/dev/zero', `of=${disk}/full${bytes}`, `bs=${bytes}`])
        const full = () =>
          lines.filter((line) => line.includes(`the disk of the data folder ${DATA_DIR} is full: make room`))
        await until('the full disk is reported', () => full().length > 0)
        // Several starts fail meanwhile; each message of PostgreSQL has another number.
        await setTimeout(5_000)
        assert.equal(full().length, 1, lines.join('\n'))
        await Promise.all(['64k', '4k'].map((bytes) => rm(path.join(disk, `full${bytes}`))))
        await until('the database is back', () =>
          sql`select from big limit 1`.then(
            () => true,
            () => false,
          ),
        )
      } finally {
        await sql.end({ timeout: 0 })
        await server.close()
      }
    })
  })

  it('is not mistaken for another running server if the lock file cannot be written', async (t) => {
    await onDisk(t, '260m,nr_inodes=6000', async (disk) => {
      const DATA_DIR = await madeFolder(t, disk)
      let n = 0
      const more = () => writeFile(path.join(disk, String(n++)), '')
      for (;;) {
        const error = await more().catch((error) => error)
        if (error) break
      }
      // There is room for the first lock file, and for the check whether there is any room; there is no room for the
      // second lock file.
      await rm(path.join(disk, '0'))
      const { status, stderr } = await run(['status'], { DATA_DIR })
      assert.equal(status, 1)
      assert.match(stderr, /is full: .*could not create lock file .*No space left on device/)
    })
  })
})

test('a path of 300 characters with blanks is used, and SAMPLE=off loads nothing there', async (t) => {
  // test/project/readme.test.ts tests only blanks, in a path that is short enough for a socket.
  const DATA_DIR = path.join(await temporaryFolder(t), 'two words of a folder', 'deep/'.repeat(60), 'data')
  const server = beginHere(t, ['serve', '--port', '0'], { DATA_DIR, SAMPLE: 'off' })
  const text = await server.until(/OpenFilings listens at .*\n/)
  assert.match(text, /, but nothing is loaded; "openfilings ingest" loads real filings/)
  const { status, stdout } = await run(['status'], { DATA_DIR })
  assert.equal(status, 0)
  assert.match(stdout, /^filings +0 on 0 forms/m)
  assert.equal(await server.end(), 0)
})

test('if the data folder of a running service is removed, the service ends with one line and status 1', {
  skip: windows,
}, async (t) => {
  const DATA_DIR = await madeFolder(t)
  const server = begin(t, ['serve', '--port', '0'], { DATA_DIR, SAMPLE: 'off', LOG_LEVEL: 'silent' })
  await server.until(/OpenFilings listens at .*\n/)
  const pid = serverPid(DATA_DIR)
  t.after(() => kill(pid))
  const before = server.stderr().length
  await removeUnderServer(DATA_DIR)
  assert.equal(await server.ended, 1)
  const [line, ...more] = server.stderr().slice(before).trimEnd().split('\n')
  assert.match(
    line!,
    /^openfilings: the database folder \S+\/database was removed while it was in use: put the folder back/,
  )
  assert.deepEqual(more, [])
  await assert.rejects(readdir(DATA_DIR), { code: 'ENOENT' }, 'no empty database is made in place of the removed one')
})

test('if the data folder is removed and its database server is killed, the service also ends with one line and status 1', {
  skip: windows,
}, async (t) => {
  const DATA_DIR = await madeFolder(t)
  const server = beginHere(t, ['serve', '--port', '0'], { DATA_DIR, SAMPLE: 'off', LOG_LEVEL: 'silent' })
  await server.until(/OpenFilings listens at .*\n/)
  const pid = serverPid(DATA_DIR)
  await removeUnderServer(DATA_DIR)
  kill(pid)
  assert.equal(await server.ended, 1)
  assert.match(server.stderr(), /^openfilings: the database folder \S+ was removed while it was in use/m)
  await assert.rejects(readdir(DATA_DIR), { code: 'ENOENT' })
})
