/**
 * Starts a separate primary and a streaming hot standby of it, with the embedded server's programs. These programs lack
 * pg_basebackup, so the copy is made as the manual describes, between pg_backup_start and pg_backup_stop.
 */
import { execFile } from 'node:child_process'
import { appendFile, chown, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Connection, connect, type Sql } from '../../src/store/db.ts'
import { findPackage, installBinaries } from '../../src/store/embedded/binaries.ts'
import { makeSocketFolder, prepareDataFolder, SOCKET_PORT, windows } from '../../src/store/embedded/data-folder.ts'
import { start, stop } from '../../src/store/embedded/postmaster.ts'
import { openEmbedded } from '../../src/store/embedded.ts'
import { until } from './until.ts'
import { temporaryFolder } from './world.ts'

export interface Standby {
  primary: Sql
  primaryTarget: Connection['target']
  /** Address of the standby. */
  target: Connection['target']
  standby: Sql
  /** Pauses the replay of the primary's writes: from then on the standby is out of date. */
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
  /** Waits until the standby has all writes of the primary so far. */
  caughtUp(): Promise<void>
}

/** Returns the reason why no standby is possible here; undefined if one is possible. */
export async function noStandby(): Promise<string | undefined> {
  if (windows) return 'the embedded server of Windows has no socket for a standby'
  return findPackage().then(
    () => undefined,
    (error: Error) => error.message,
  )
}

type After = { after(fn: () => Promise<void>): void }

/** @param prepare fills the primary before it is copied */
export async function openStandby(t: After, prepare: (sql: Sql) => Promise<void>): Promise<Standby> {
  const later: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const undo of later.reverse()) await undo()
  })
  const folder = await temporaryFolder({ after: (fn) => later.push(fn) })
  const embedded = await openEmbedded({ dataDir: path.join(folder, 'primary') })
  later.push(() => embedded.close())
  const primary = connect({ target: embedded.target })
  later.push(() => primary.end({ timeout: 0 }))
  await prepare(primary)

  const from = await prepareDataFolder(path.join(folder, 'primary'))
  // The copy has the original's owner, whose account the server must use.
  const dataFolder = { ...(await prepareDataFolder(path.join(folder, 'standby'))), account: from.account }
  const socket = await makeSocketFolder(dataFolder)
  await copyWhileRunning(primary, from.database, dataFolder.database)
  const { account, database } = dataFolder
  await writeFile(path.join(database, 'standby.signal'), '')
  const settings = [
    `primary_conninfo = 'host=${embedded.socket} port=${SOCKET_PORT} user=${embedded.target.user}'`,
    // After 200 ms, ends a statement that keeps the replay waiting.
    "max_standby_streaming_delay = '200ms'",
    "hot_standby_feedback = 'off'",
  ]
  await appendFile(path.join(database, 'postgresql.auto.conf'), `${settings.join('\n')}\n`)
  if (account)
    for (const name of ['standby.signal', 'backup_label'])
      await chown(path.join(database, name), account.uid, account.gid)
  const bin = path.join(await installBinaries(await findPackage(), from.dataDir), 'bin')
  await start(dataFolder, bin, { socket, port: SOCKET_PORT })
  later.push(() => stop(dataFolder, bin))
  const target = { ...embedded.target, socket }
  const standby = connect({ target, max: 2 })
  later.push(() => standby.end({ timeout: 0 }))
  const isPaused = async () => (await standby`select pg_get_wal_replay_pause_state() as state`)[0]!.state === 'paused'
  return {
    primary,
    primaryTarget: embedded.target,
    target,
    standby,
    async pause() {
      await standby`select pg_wal_replay_pause()`
      await until('the replay stands still', isPaused)
    },
    resume: async () => {
      await standby`select pg_wal_replay_resume()`
    },
    stop: () => stop(dataFolder, bin),
    async caughtUp() {
      const [written] = await primary<{ at: string }[]>`select pg_current_wal_lsn()::text as at`
      for (;;) {
        const [replayed] = await standby`select pg_last_wal_replay_lsn() >= ${written!.at}::pg_lsn as done`
        if (replayed!.done) return
        await sleep(10)
      }
    },
  }
}

async function copyWhileRunning(sql: Sql, from: string, to: string): Promise<void> {
  const own = await sql.reserve()
  try {
    await own`select pg_backup_start('standby', true)`
    // The option -a keeps the owners. The replayed log repairs files that change during the copy.
    await promisify(execFile)('cp', ['-a', from, to]).catch(() => {})
    const [label] = await own<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`
    for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(path.join(to, name), { force: true })
    await writeFile(path.join(to, 'backup_label'), label!.labelfile)
  } finally {
    own.release()
  }
}
