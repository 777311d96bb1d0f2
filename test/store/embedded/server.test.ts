import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openEmbedded } from '../../../src/store/embedded.ts'
import {
  accountOf,
  ask,
  isRoot,
  isRunning,
  linux,
  makeFolder,
  removeFolder,
  serverPid,
  temporary,
  windows,
} from '../../support/embedded/scene.ts'

describe('the embedded server on a data folder with a database', () => {
  let folder: string
  let dataDir: string
  let firstSeconds: number

  before(async () => {
    folder = await makeFolder()
    dataDir = path.join(folder, 'data')
    const began = performance.now()
    const db = await openEmbedded({ dataDir })
    firstSeconds = (performance.now() - began) / 1000
    assert.equal(db.adopted, false)
    await db.close()
  })

  after(() => removeFolder(folder))

  it('a second start creates no new database, and the data is still there', async (t) => {
    const first = await openEmbedded({ dataDir })
    await ask(first, 'create table kept as select 42 as answer')
    await first.close()
    assert.equal(isRunning(dataDir), false)
    const lines: string[] = []
    const began = performance.now()
    const second = await openEmbedded({ dataDir, log: (line) => lines.push(line) })
    const secondSeconds = (performance.now() - began) / 1000
    t.diagnostic(`first start ${firstSeconds.toFixed(2)} s, second ${secondSeconds.toFixed(2)} s`)
    assert.deepEqual(await ask(second, 'select answer from kept'), [{ answer: 42 }])
    assert.deepEqual(lines, [])
    await second.close()
  })

  it('the database is PostgreSQL 18 in UTF-8 with its own collation, durable, in UTC, with the extensions', async () => {
    const db = await openEmbedded({ dataDir })
    assert.match(db.version, /^18\.\d+$/)
    assert.equal(db.target.database, 'openfilings')
    for (const name of ['pg_trgm', 'unaccent', 'btree_gin']) await ask(db, `create extension ${name}`)
    assert.deepEqual(await ask(db, `select similarity('Société Générale', 'societe generale') > 0.3 as similar`), [
      { similar: true },
    ])
    const settings = ['fsync', 'full_page_writes', 'synchronous_commit', 'TimeZone', 'server_encoding', 'jit']
    const values = settings.map((name) => `current_setting('${name}')`).join(', ')
    assert.deepEqual(
      await ask(
        db,
        `select array[${values}] as values, datlocprovider, datlocale from pg_database where datname = 'openfilings'`,
      ),
      [{ values: ['on', 'on', 'on', 'UTC', 'UTF8', 'off'], datlocprovider: 'b', datlocale: 'C.UTF-8' }],
    )
    await db.close()
  })

  it('only the server’s own account can connect to the server', { skip: windows && 'no Unix sockets' }, async () => {
    const db = await openEmbedded({ dataDir })
    assert.equal((await stat(db.socket)).mode & 0o777, 0o700)
    assert.deepEqual(await ask(db, `select current_setting('listen_addresses') as addresses`), [{ addresses: '' }])
    assert.equal(db.address, `postgresql:///openfilings?host=${db.socket}&user=openfilings`)
    if (linux)
      assert.equal(
        (await stat(`/proc/${serverPid(dataDir)}`)).uid,
        isRoot ? accountOf('nobody')!.uid : process.getuid!(),
      )
    await db.close()
  })

  it('the server runs in a separate process session, so Ctrl-C does not reach it', {
    skip: !linux && 'reads /proc',
  }, async () => {
    const db = await openEmbedded({ dataDir })
    const pid = serverPid(dataDir)
    // After the name in brackets: state, parent, process group, session.
    const [, , group, session] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
    assert.deepEqual([group, session], [String(pid), String(pid)])
    await db.close()
  })

  it('a copy of a data folder whose server was running gets a separate server', async (t) => {
    const original = await openEmbedded({ dataDir })
    const copy = path.join(await temporary(t), 'data')
    if (windows) await cp(dataDir, copy, { recursive: true, preserveTimestamps: true })
    else execFileSync('cp', ['-a', dataDir, copy])
    const lock = path.join(original.socket, '.s.PGSQL.5432.lock')
    const locked = windows ? '' : await readFile(lock, 'utf8')
    assert.equal(serverPid(copy), serverPid(dataDir))
    const lines: string[] = []
    const db = await openEmbedded({ dataDir: copy, log: (line) => lines.push(line) })
    assert.match(lines.join('\n'), /was copied or moved from \S+ without stopping its server/)
    if (!windows) assert.equal(await readFile(lock, 'utf8'), locked)
    assert.equal(db.adopted, false)
    assert.notEqual(db.socket, original.socket)
    assert.notEqual(serverPid(copy), serverPid(dataDir))
    await db.close()
    await original.close()
  })

  it('a start removes copies of earlier PostgreSQL programs, and leftovers that are older than an hour', async () => {
    const old = path.join(dataDir, 'postgresql-18.0.0')
    const left = path.join(dataDir, '.partial-left')
    const young = path.join(dataDir, '.partial-young')
    for (const folder of [old, left, young]) await mkdir(folder)
    await utimes(left, 0, 0)
    const db = await openEmbedded({ dataDir })
    await db.close()
    assert.deepEqual([old, left, young].map(existsSync), [false, false, true])
    await rm(young, { recursive: true })
  })
})

it('if the path of a data folder is too long for a socket, the socket is in a folder with a short path', {
  skip: windows && 'no Unix sockets',
}, async (t) => {
  const dataDir = path.join(await temporary(t), `it's deep, ${'d'.repeat(80)}`, 'data')
  const db = await openEmbedded({ dataDir })
  t.after(() => rm(db.socket, { recursive: true, force: true }))
  assert.ok(db.socket.startsWith(tmpdir()))
  assert.ok(Buffer.byteLength(db.socket) < 100)
  assert.equal((await stat(db.socket)).mode & 0o777, 0o700)
  const again = await openEmbedded({ dataDir: `${dataDir}/../data/` })
  assert.equal(again.socket, db.socket)
  await again.close()
  await db.close()
})
