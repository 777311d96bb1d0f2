/** Finds the server process by its pid file, starts it in a separate session, and stops it. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readlinkSync } from 'node:fs'
import { link, open, readFile, rename, stat, statfs, unlink } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UserError } from '../../declare/errors.ts'
import { type DataFolder, NO_ROOM, windows } from './data-folder.ts'
import { cannotRun, childOptions, lastComplaint, run } from './program.ts'

/** The address on which a server listens: a folder with its socket, or (Windows) a port on loopback. */
export interface Listening {
  socket: string
  port: number
  host?: string
}

/** The content of `postmaster.pid`. The pid file may be left over from a server that was killed. */
export interface PidFile {
  file: string
  text: string
  /** NaN while the file is being written. */
  pid: number
  /** The database folder for which the server was started. */
  folder: string
  listening: Listening
  /** `starting`, `ready`, `stopping`. */
  status: string
}

export const POLL_MS = 20
const LOG_MAX_BYTES = 10_000_000
/** Size of a file of the write-ahead log. A recovery ends by making a new file of the write-ahead log. */
const SEGMENT_BYTES = 16 * 1024 * 1024

/**
 * Messages of a server that found another server running, starting or stopping. Such a message is not a failure: the
 * caller checks again.
 */
const ANOTHER_SERVER =
  /lock file ".*" (already exists|is empty)|pre-existing shared memory block|could not (create|remove old) lock file/

export async function readPidFile({ database }: DataFolder): Promise<PidFile | undefined> {
  const file = path.join(database, 'postmaster.pid')
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const [pid, folder = '', , port, socket = '', host = '', , status = ''] = text.split('\n')
  return {
    file,
    text,
    pid: Math.abs(Number.parseInt(pid ?? '', 10)),
    folder,
    listening: { socket, port: Number(port), ...(windows ? { host } : {}) },
    status: status.trim(),
  }
}

/**
 * Whether the process of a pid file is alive and serves this database folder. After a crash, another process may have
 * the same process id.
 */
export async function isServing({ pid }: Pick<PidFile, 'pid'>, { database }: DataFolder): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM means that the process is alive and belongs to another account.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  if (windows) return true
  if (existsSync('/proc/self')) {
    try {
      // A server's working folder is its database folder, even if the folder was moved since.
      return readlinkSync(`/proc/${pid}/cwd`) === database
    } catch (error) {
      // Root in a container without CAP_SYS_PTRACE cannot read this link; all accounts can read the command line.
      if ((error as NodeJS.ErrnoException).code !== 'EACCES') return false
      const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return commandLine.split('\0').includes(database)
    }
  }
  return (await commandOf(pid)).includes(database)
}

/**
 * Removes the pid file of a server that is gone. PostgreSQL itself would keep the file if another process has that
 * process id now.
 */
export const removeStale = (stale: PidFile): Promise<void> => removeIf(stale.file, async (text) => text === stale.text)

/**
 * Removes the lock file of a socket if no server of this folder holds it. The file is then left over from a server that
 * is gone, or was copied with the folder. The server of the original folder has a lock file of its own.
 */
async function removeLock(dataFolder: DataFolder, { socket, port }: Listening): Promise<void> {
  if (socket === '') return
  await removeIf(path.join(socket, `.s.PGSQL.${port}.lock`), async (text) => {
    const [pid, folder] = text.split('\n')
    return folder !== dataFolder.database || !(await isServing({ pid: Number(pid) }, dataFolder))
  })
}

/**
 * Renames the file before reading it: otherwise another process could write a valid file under this name between the
 * reading and the removal.
 */
async function removeIf(file: string, unwanted: (text: string) => Promise<boolean>): Promise<void> {
  const taken = `${file}.stale-${process.pid}`
  try {
    await rename(file, taken)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (!(await unwanted(await readFile(taken, 'utf8')))) await link(taken, file)
  await unlink(taken)
}

/**
 * Starts a server and waits until it accepts connections. If there was a crash, the server recovers from the crash
 * during this wait.
 *
 * @returns false if a server of another process is running or has not quite ended: the caller must check again
 * @throws UserError with the reason from the server's log
 */
export async function start(dataFolder: DataFolder, bin: string, at: Listening): Promise<boolean> {
  await removeLock(dataFolder, at)
  const log = await openLog(dataFolder)
  const from = (await log.stat()).size
  // The server refuses to run with the rights of a Windows administrator; pg_ctl drops these rights for it.
  const program = path.join(bin, windows ? 'pg_ctl' : 'postgres')
  const settings = ['-c', `port=${at.port}`, '-c', `listen_addresses=${at.host ?? ''}`]
  const child = spawn(
    program,
    windows
      ? ['start', '-w', '-D', dataFolder.database, '-l', logFile(dataFolder), '-o', settings.join(' ')]
      : ['-D', dataFolder.database, ...settings, '-c', `unix_socket_directories="${at.socket.replaceAll('"', '""')}"`],
    {
      ...childOptions(dataFolder),
      // Started in a separate session, so that Ctrl-C in one terminal does not end a server that another terminal uses.
      detached: true,
      stdio: windows ? 'ignore' : ['ignore', log.fd, log.fd],
    },
  )
  let ended = false
  child.once('exit', (status) => {
    ended = !(windows && status === 0)
  })
  try {
    await once(child, 'spawn')
  } catch (cause) {
    throw cannotRun(program, cause as Error)
  } finally {
    await log.close()
  }
  child.unref()
  for (;;) {
    const now = await readPidFile(dataFolder)
    if (now?.status === 'ready') return windows || now.pid === child.pid
    if (ended) break
    await sleep(POLL_MS)
  }
  const logText = (await readFile(logFile(dataFolder))).subarray(from).toString()
  // If a lock file cannot be made because the disk is full, no other server holds it.
  if (ANOTHER_SERVER.test(logText) && !NO_ROOM.test(logText)) return false
  const isMute = !/(FATAL|PANIC|ERROR):/.test(logText) && (await isFull(dataFolder.dataDir))
  const why = isMute ? 'No space left on device' : (lastComplaint(logText) ?? 'it ended without a message')
  throw new UserError(`PostgreSQL cannot start in ${dataFolder.dataDir}: ${why}; its log is ${logFile(dataFolder)}`)
}

/**
 * Stops the server, even if it has other sessions, and waits until it is gone. A server of another container cannot be
 * stopped from here and keeps running.
 */
export async function stop(dataFolder: DataFolder, bin: string): Promise<void> {
  const running = await readPidFile(dataFolder)
  if (!running || !(await isServing(running, dataFolder))) return
  if (windows) await run(path.join(bin, 'pg_ctl'), ['stop', '-W', '-m', 'fast', '-D', dataFolder.database], dataFolder)
  else process.kill(running.pid, 'SIGINT')
  // Another process may start the next server as soon as the pid file of this server is gone.
  while ((await readPidFile(dataFolder))?.pid === running.pid && (await isServing(running, dataFolder)))
    await sleep(POLL_MS)
}

/** When the server's log was last written to, by the file system's clock. */
export const logWrittenMs = async (dataFolder: DataFolder): Promise<number> => (await stat(logFile(dataFolder))).mtimeMs

/** Size of the server's log, as a position for `panicAfter`. */
export const logSize = async (dataFolder: DataFolder): Promise<number> =>
  (await stat(logFile(dataFolder)).catch(() => null))?.size ?? 0

/** Returns the last message after this position of the log about a fault that ended all sessions. */
export async function panicAfter(dataFolder: DataFolder, position: number): Promise<string | undefined> {
  const bytes = await readFile(logFile(dataFolder)).catch(() => null)
  // If the log was begun again, its size may be smaller.
  const lines =
    bytes
      ?.subarray(bytes.length < position ? 0 : position)
      .toString()
      .split('\n') ?? []
  return lines.findLast((line) => / PANIC: /.test(line))?.replace(/^.*? PANIC:\s*/, '')
}

/**
 * Whether the disk has no room for the files of a start. The log is on the same disk, so the server may have been
 * unable to write the reason into the log.
 */
async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < SEGMENT_BYTES
}

/** The command line of a process; empty if it does not exist. */
const commandOf = (pid: number): Promise<string> =>
  new Promise((resolve) => {
    execFile('ps', ['-o', 'command=', '-p', String(pid)], (_, output) => resolve(output))
  })

const logFile = ({ dataDir }: DataFolder) => path.join(dataDir, 'postgresql.log')

async function openLog(dataFolder: DataFolder) {
  const file = logFile(dataFolder)
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  if (size > LOG_MAX_BYTES) await rename(file, `${file}.1`)
  return open(file, 'a')
}
