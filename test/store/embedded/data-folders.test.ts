import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it } from 'node:test'
import { UserError } from '../../../src/declare/errors.ts'
import { assertAccount } from '../../../src/store/embedded/data-folder.ts'
import { defaultDataDir, openEmbedded } from '../../../src/store/embedded.ts'
import {
  accountOf,
  giveAway,
  isRoot,
  isRunning,
  linux,
  noOrdinary,
  ordinary,
  serverPid,
  startUser,
  temporary,
  windows,
} from '../../support/embedded/scene.ts'

it('an ordinary user runs the server under its own account', {
  skip: noOrdinary,
}, async (t) => {
  const dataDir = path.join(await temporary(t), 'data')
  await mkdir(dataDir)
  await chown(dataDir, ordinary!.uid, ordinary!.gid)
  const user = await startUser(dataDir, ordinary)
  assert.equal(user.report.refused, undefined)
  assert.equal((await stat(path.join(dataDir, 'database'))).uid, ordinary!.uid)
  await t.test('root can join a running server of an ordinary user', async () => {
    const db = await openEmbedded({ dataDir })
    assert.equal(db.adopted, true)
    await user.leave()
    await db.close()
    assert.equal(isRunning(dataDir), false)
  })
  await t.test('root starts the server under the account that owns the database', async () => {
    const db = await openEmbedded({ dataDir })
    if (linux) assert.equal((await stat(`/proc/${serverPid(dataDir)}`)).uid, ordinary!.uid)
    await db.close()
  })
})

it('a user id without an account cannot create a database, and can serve an existing one', {
  skip: noOrdinary,
}, async (t) => {
  const ghost = { uid: 54_321, gid: 54_321 }
  const dataDir = path.join(await temporary(t), 'data')
  await mkdir(dataDir)
  await chown(dataDir, ghost.uid, ghost.gid)
  const refused = await startUser(dataDir, ghost)
  assert.match(refused.report.refused ?? '', /^UserError: the user id 54321 has no account .* DATABASE_URL$/)
  assert.deepEqual(await readdir(dataDir), [])
  const made = path.join(await temporary(t), 'made')
  await (await openEmbedded({ dataDir: made })).close()
  await giveAway(made, ghost)
  const user = await startUser(made, ghost)
  assert.equal(user.report.refused, undefined)
  await user.leave()
  assert.doesNotThrow(() => assertAccount(() => ({})))
  assert.throws(
    () =>
      assertAccount(() => {
        throw new Error('uv_os_get_passwd returned ENOENT')
      }),
    UserError,
  )
})

const refusedWith =
  (...parts: string[]) =>
  (error: Error) => {
    assert.ok(error instanceof UserError, `${error.stack}`)
    for (const part of parts) assert.ok(error.message.includes(part), `${part} is not in: ${error.message}`)
    assert.ok(!error.message.includes('\n'))
    return true
  }

describe('data folders that are refused in one line, which names the folder', () => {
  it('a database folder of another major version', async (t) => {
    const dataDir = await temporary(t)
    await mkdir(path.join(dataDir, 'database'))
    await writeFile(path.join(dataDir, 'database', 'PG_VERSION'), '17\n')
    if (isRoot) await giveAway(path.join(dataDir, 'database'), accountOf('nobody')!)
    const expected = refusedWith(
      path.join(dataDir, 'database'),
      'is of PostgreSQL 17, and this OpenFilings uses 18',
      'DATABASE_URL',
    )
    await assert.rejects(openEmbedded({ dataDir }), expected)
    assert.deepEqual(await readdir(path.join(dataDir, 'database')), ['PG_VERSION'])
  })

  it('an invalid database folder', async (t) => {
    const dataDir = await temporary(t)
    await mkdir(path.join(dataDir, 'database'))
    await writeFile(path.join(dataDir, 'database', 'notes.txt'), 'mine')
    await assert.rejects(
      openEmbedded({ dataDir }),
      refusedWith(dataDir, 'has the path of the database folder, but is not a folder of PostgreSQL'),
    )
    assert.equal(await readFile(path.join(dataDir, 'database', 'notes.txt'), 'utf8'), 'mine')
  })

  it('a file instead of a folder', async (t) => {
    const dataDir = path.join(await temporary(t), 'data')
    await writeFile(dataDir, '')
    await assert.rejects(openEmbedded({ dataDir }), refusedWith(dataDir, 'is not a folder'))
  })

  it('a path with characters that PostgreSQL’s programs would pass to a shell', { skip: windows }, async () => {
    for (const name of ['quo"te', 'dol$lar', 'back`tick', 'back\\slash', 'two\nlines']) {
      const dataDir = path.join(tmpdir(), name)
      await assert.rejects(openEmbedded({ dataDir }), refusedWith(JSON.stringify(dataDir), 'DATA_DIR'))
      assert.equal(existsSync(dataDir), false)
    }
  })

  it('a folder that is not writable', {
    skip: windows || (isRoot && noOrdinary),
  }, async (t) => {
    const dataDir = await temporary(t)
    await chmod(dataDir, 0o555)
    const { report } = await startUser(dataDir, ordinary)
    assert.match(
      report.refused!,
      new RegExp(`^UserError: the data folder ${dataDir} cannot be written \\(EACCES\\): .*DATA_DIR`),
    )
  })

  it('a database folder of another account', { skip: noOrdinary }, async (t) => {
    const dataDir = await temporary(t)
    await chown(dataDir, ordinary!.uid, ordinary!.gid)
    await mkdir(path.join(dataDir, 'database'))
    const { report } = await startUser(dataDir, ordinary)
    assert.match(
      report.refused!,
      new RegExp(`^UserError: the database folder ${dataDir}/database belongs to the user of id 0, this is`),
    )
  })

  it('a folder below a folder that the server’s account cannot enter', {
    skip: !isRoot && 'only as root',
  }, async (t) => {
    const closed = path.join(await temporary(t), 'closed')
    await mkdir(closed, { mode: 0o700 })
    const expected = refusedWith(path.join(closed, 'data'), `cannot enter ${closed}`, `chmod o+x ${closed}`, 'DATA_DIR')
    await assert.rejects(openEmbedded({ dataDir: path.join(closed, 'data') }), expected)
  })

  it('a socket folder that another user created first', { skip: noOrdinary }, async (t) => {
    const dataDir = await temporary(t)
    await mkdir(path.join(dataDir, 'socket'))
    await chown(path.join(dataDir, 'socket'), ordinary!.uid, ordinary!.gid)
    await assert.rejects(
      openEmbedded({ dataDir }),
      refusedWith(path.join(dataDir, 'socket'), 'belongs to another user'),
    )
  })
})

describe('the default data folder', () => {
  it('is the folder `data` in the checkout', async (t) => {
    const checkout = await temporary(t)
    assert.deepEqual(defaultDataDir(checkout), { path: path.join(checkout, 'data') })
  })

  it('is below /var/lib if root uses a checkout that the server’s account cannot enter', {
    skip: !isRoot && 'only as root',
  }, async (t) => {
    const closed = path.join(await temporary(t), 'closed')
    await mkdir(path.join(closed, 'checkout'), { recursive: true })
    await mkdir(path.join(closed, 'other'))
    await chmod(closed, 0o700)
    const chosen = defaultDataDir(path.join(closed, 'checkout'))
    assert.match(chosen.path, /^\/var\/lib\/openfilings\/[0-9a-f]{12}$/)
    assert.equal(
      chosen.reason,
      `the user nobody, as whom the database server runs if root starts it, cannot enter ${closed}`,
    )
    assert.notEqual(defaultDataDir(path.join(closed, 'other')).path, chosen.path)
    assert.equal(defaultDataDir(path.join(closed, 'checkout', '..', 'checkout')).path, chosen.path)
  })

  it('stays the folder with the database if the rights of parent folders change; if both folders contain a database, the start is refused', {
    skip: !isRoot && 'only as root',
  }, async (t) => {
    const parent = path.join(await temporary(t), 'parent')
    const checkout = path.join(parent, 'checkout')
    await mkdir(checkout, { recursive: true })
    const near = path.join(checkout, 'data')
    const makeDatabase = async (dataDir: string) => {
      await mkdir(path.join(dataDir, 'database'), { recursive: true })
      await writeFile(path.join(dataDir, 'database', 'PG_VERSION'), '18\n')
    }
    await chmod(parent, 0o700)
    const far = defaultDataDir(checkout).path
    t.after(() => rm(far, { recursive: true, force: true }))
    await makeDatabase(far)
    assert.equal(defaultDataDir(checkout).path, far)
    await chmod(parent, 0o755)
    assert.deepEqual(defaultDataDir(checkout), {
      path: far,
      reason: `it holds the database; the folder for a new one would be ${near}`,
    })
    await makeDatabase(near)
    const both = refusedWith(near, far, 'both', 'set DATA_DIR to the folder to use')
    assert.throws(() => defaultDataDir(checkout), both)
    await chmod(parent, 0o700)
    assert.throws(() => defaultDataDir(checkout), both)
    await rm(far, { recursive: true })
    assert.equal(defaultDataDir(checkout).path, near)
    await assert.rejects(openEmbedded({ dataDir: near }), refusedWith(near, `chmod o+x ${parent}`))
  })
})
