import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedDatabase, openEmbedded } from '../../../src/store/embedded.ts'
import {
  accountOf,
  ask,
  askAgain,
  isRoot,
  isRunning,
  kill,
  makeFolder,
  murder,
  pidFile,
  removeFolder,
  serverPid,
  startUser,
  temporary,
  windows,
} from '../../support/embedded/scene.ts'

it('two processes that start together on an empty folder share one server', async (t) => {
  const dataDir = path.join(await temporary(t), 'data')
  const users = await Promise.all([startUser(dataDir), startUser(dataDir)])
  assert.deepEqual(users.map((user) => user.report.adopted).sort(), [false, true])
  assert.equal(users[0]!.report.socket, users[1]!.report.socket)
  // The process that did not start the server has left no file.
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name.startsWith('.')),
    [],
  )
  await users[0]!.leave()
  assert.equal(isRunning(dataDir), true)
  await users[1]!.leave()
  assert.equal(isRunning(dataDir), false)
})

describe('processes that share a data folder with a database', () => {
  let folder: string
  let dataDir: string

  before(async () => {
    folder = await makeFolder()
    dataDir = path.join(folder, 'data')
    await (await openEmbedded({ dataDir })).close()
  })

  after(() => removeFolder(folder))

  it('a process uses a server that is already running, and the last process that uses the server stops it', async () => {
    const first = await openEmbedded({ dataDir })
    const other = await startUser(dataDir)
    assert.equal(other.report.adopted, true)
    assert.equal(other.report.socket, first.socket)
    const pid = serverPid(dataDir)
    await first.close()
    assert.equal(serverPid(dataDir), pid)
    await other.leave()
    assert.equal(isRunning(dataDir), false)
  })

  it('closing twice has the same effect as closing once', async () => {
    const db = await openEmbedded({ dataDir })
    await Promise.all([db.close(), db.close()])
    await db.close()
    assert.equal(isRunning(dataDir), false)
  })

  it('a process that starts while the last user stops the server gets a new server', async () => {
    for (let round = 0; round < 5; round++) {
      const last = await openEmbedded({ dataDir })
      const closing = last.close()
      await sleep(round * 10)
      const next = await openEmbedded({ dataDir })
      await closing
      assert.deepEqual(await ask(next, 'select 1 as one'), [{ one: 1 }])
      await next.close()
      assert.equal(isRunning(dataDir), false)
    }
  })

  it('if the only user of a server is killed, the next user takes over the server and stops it at the end', async () => {
    const user = await startUser(dataDir)
    assert.equal(user.report.adopted, false)
    const pid = serverPid(dataDir)
    await murder(user)
    const next = await openEmbedded({ dataDir })
    assert.equal(next.adopted, true)
    assert.equal(serverPid(dataDir), pid)
    await next.close()
    assert.equal(isRunning(dataDir), false)
  })

  it('a server that was killed together with its user recovers with all committed data', {
    skip: windows && 'named by its socket',
  }, async () => {
    const user = await startUser(dataDir)
    const target = { socket: user.report.socket!, port: 5432, user: 'openfilings', database: 'openfilings' }
    await ask({ target }, 'create table committed as select generate_series(1, 1000) as n')
    const killed = serverPid(dataDir)
    kill(killed)
    await murder(user)
    const lines: string[] = []
    const next = await openEmbedded({ dataDir, log: (line) => lines.push(line) })
    assert.match(lines[0]!, new RegExp(`process ${killed}\\) ended without having been stopped`))
    assert.equal(next.adopted, false)
    assert.notEqual(serverPid(dataDir), killed)
    assert.deepEqual(await ask(next, 'select count(*)::int as rows from committed'), [{ rows: 1000 }])
    await next.close()
  })

  it('a server that dies during use is started again at the same address', async () => {
    const lines: string[] = []
    const db = await openEmbedded({ dataDir, log: (line) => lines.push(line) })
    const other = await startUser(dataDir)
    const killed = serverPid(dataDir)
    kill(killed)
    assert.deepEqual(await askAgain(db, 'select 1 as one'), [{ one: 1 }])
    assert.notEqual(serverPid(dataDir), killed)
    assert.match(lines.join('\n'), /broke: opening it again/)
    await untilUsers(db, 2)
    await other.leave()
    assert.deepEqual(await ask(db, 'select 2 as two'), [{ two: 2 }])
    await db.close()
    assert.equal(isRunning(dataDir), false)
  })

  it('a process that lost its connection is soon counted as a user again, so no other process stops the server', async () => {
    const db = await openEmbedded({ dataDir })
    const other = await startUser(dataDir)
    await ask(
      db,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'postgres' and application_name = 'openfilings'`,
    )
    await untilUsers(db, 2)
    const pid = serverPid(dataDir)
    await other.leave()
    assert.equal(serverPid(dataDir), pid)
    await db.close()
    assert.equal(isRunning(dataDir), false)
  })

  it('a pid file whose process id now belongs to another program does not count as a running server', {
    skip: windows && 'needs sleep(1)',
  }, async () => {
    const db = await openEmbedded({ dataDir })
    const text = readFileSync(pidFile(dataDir), 'utf8')
    const lock = path.join(db.socket, '.s.PGSQL.5432.lock')
    const lockText = readFileSync(lock, 'utf8')
    await db.close()
    // The process runs under the server's account: PostgreSQL itself detects that a process of another account is not a
    // server.
    const account = isRoot ? accountOf('nobody')! : {}
    const sleeper = spawn('sleep', ['60'], { stdio: 'ignore', ...account })
    await once(sleeper, 'spawn')
    try {
      const stale = (was: string) => was.replace(/^\d+/, String(sleeper.pid))
      await writeFile(pidFile(dataDir), stale(text))
      await writeFile(lock, stale(lockText))
      const lines: string[] = []
      const next = await openEmbedded({ dataDir, log: (line) => lines.push(line) })
      assert.equal(next.adopted, false)
      assert.equal(lines.length, 1)
      assert.match(lines[0]!, new RegExp(`process ${sleeper.pid}\\) ended without having been stopped`))
      assert.notEqual(serverPid(dataDir), sleeper.pid)
      await next.close()
      assert.equal(sleeper.exitCode, null)
    } finally {
      sleeper.kill()
    }
  })
})

/** Waits until this many users of the server hold their locks. */
async function untilUsers(db: EmbeddedDatabase, users: number): Promise<void> {
  for (let left = 200; ; left--) {
    const [row] = await askAgain(
      db,
      `select count(*)::int as held from pg_locks where locktype = 'advisory' and granted`,
    )
    if (row!.held === users) return
    assert.ok(left > 0, `${row!.held} users instead of ${users}`)
    await sleep(50)
  }
}
