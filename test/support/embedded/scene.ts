/**
 * Helpers shared by the tests of the embedded server: folders, other processes, and checks of the server from outside.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { connect } from '../../../src/store/db.ts'
import { defaultDataDir, type EmbeddedDatabase } from '../../../src/store/embedded.ts'

export const isRoot = process.getuid?.() === 0
export const linux = process.platform === 'linux'
export const windows = process.platform === 'win32'

const checkout = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * The id of an account that is neither root nor nobody and that can run this project; PostgreSQL requires an account
 * with a name.
 */
export const ordinary = isRoot && !defaultDataDir(checkout).reason ? accountOf('daemon') : undefined
export const noOrdinary = !ordinary && 'needs root, in a checkout that others may read'

export function accountOf(name: string): { uid: number; gid: number } | undefined {
  const entry = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(readFileSync('/etc/passwd', 'utf8'))
  return entry ? { uid: Number(entry[1]), gid: Number(entry[2]) } : undefined
}

/** Makes a new folder that the server's account can reach, removed after the test. */
export async function temporary(t: TestContext): Promise<string> {
  const folder = await makeFolder()
  t.after(() => removeFolder(folder))
  return folder
}

export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'openfilings-embedded-')))
  await chmod(folder, 0o755)
  return folder
}

/** Removes the folder, and kills any server that a failed test left there. */
export async function removeFolder(folder: string): Promise<void> {
  for (const file of await readdir(folder, { recursive: true })) {
    if (path.basename(file) === 'postmaster.pid') kill(serverPid(path.dirname(path.dirname(path.join(folder, file)))))
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The server has ended already.
  }
}

export const pidFile = (dataDir: string) => path.join(dataDir, 'database', 'postmaster.pid')
export const serverPid = (dataDir: string) => Number.parseInt(readFileSync(pidFile(dataDir), 'utf8'), 10)
export const isRunning = (dataDir: string) => existsSync(pidFile(dataDir))

export async function ask(db: Pick<EmbeddedDatabase, 'target'>, statement: string): Promise<Record<string, unknown>[]> {
  const sql = connect({ target: db.target, max: 1 })
  try {
    return [...(await sql.unsafe(statement))]
  } finally {
    await sql.end()
  }
}

/** Repeats a statement until it is answered: a server that was killed is being started again. */
export async function askAgain(db: EmbeddedDatabase, statement: string): Promise<Record<string, unknown>[]> {
  for (let left = 200; ; left--) {
    try {
      return await ask(db, statement)
    } catch (error) {
      if (left === 0) throw error
      await sleep(50)
    }
  }
}

export interface User {
  child: ChildProcess
  report: { adopted?: boolean; socket?: string; refused?: string; seconds: number }
  /** Closes the database and waits for the end of the process. */
  leave(): Promise<void>
}

/** Another process that opens the data folder and keeps it open until asked to leave. */
export async function startUser(dataDir: string, account?: { uid: number; gid: number }): Promise<User> {
  const program = `
    import { openEmbedded } from ${JSON.stringify(new URL('../../../src/store/embedded.ts', import.meta.url).href)}
    try {
      const began = performance.now()
      const db = await openEmbedded({ dataDir: ${JSON.stringify(dataDir)} })
      const seconds = (performance.now() - began) / 1000
      console.log(JSON.stringify({ adopted: db.adopted, socket: db.socket, seconds }))
      process.stdin.on('end', () => db.close()).resume()
    } catch (error) {
      console.log(JSON.stringify({ refused: error.name + ': ' + error.message }))
    }`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: path.parse(process.execPath).root,
    ...account,
  })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return {
    child,
    report: JSON.parse(line.toString()),
    leave: async () => {
      const exited = once(child, 'exit')
      child.stdin!.end()
      assert.deepEqual(await exited, [0, null])
    },
  }
}

export async function murder(user: User): Promise<void> {
  const exited = once(user.child, 'exit')
  user.child.kill('SIGKILL')
  await exited
}

export async function giveAway(folder: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  await chown(folder, uid, gid)
  for (const name of await readdir(folder, { recursive: true })) await chown(path.join(folder, name), uid, gid)
}
