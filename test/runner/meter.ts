/**
 * Measures the cost of a test file: processor time of its process and of the commands it runs, and time in each phase.
 */
import { appendFileSync, readFileSync } from 'node:fs'

/** All in seconds. */
export interface FileTimes {
  file: string
  /** Whether the file had a separate process. */
  alone: boolean
  wall: number
  /** Processor time of the file's process, and of the commands that the file ran. */
  own: number
  commands: number
  /** Processor time until the file's tests began, for reading and linking its imports. */
  imports: number
  /** Processor time after the file's last test, for its hooks and for closing resources. */
  teardown: number
  /** Seconds of waiting for databases to be created and dropped. */
  database: number
  databases: number
  /** Processor time of the process before its first file. Zero for later files. */
  startup: number
  /** Megabytes of the heap after the file, garbage included. */
  heap: number
}

const spent = { database: 0, databases: 0 }

/** Runs the work, and counts its time as waiting for a database. */
export async function timedDatabase<T>(work: () => Promise<T>, isNew = false): Promise<T> {
  const begun = performance.now()
  try {
    return await work()
  } finally {
    spent.database += (performance.now() - begun) / 1000
    if (isNew) spent.databases++
  }
}

/** Processor time of this process so far, in seconds. */
const ownTime = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/**
 * Processor time, in seconds, of the child processes that have ended and of their own children. Zero if the system does
 * not report it.
 */
function commandsTime(): number {
  try {
    return processorTime('self').children
  } catch {
    return 0
  }
}

/** Processor time, in seconds, of a process and of its children that have ended. Throws if the system has no /proc. */
export function processorTime(pid: number | 'self'): { own: number; children: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program is in parentheses and may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) / 100)
  return { own: user! + system!, children: childUser! + childSystem! }
}

/** Begins to measure a file. */
export function meter(file: string, { alone }: { alone: boolean }) {
  const startup = isFirst ? ownTime() : 0
  isFirst = false
  const begun = { wall: performance.now(), own: ownTime(), commands: commandsTime(), ...spent }
  let imports = 0
  let tested = begun.own
  return {
    /** Must be called when the file's tests are declared. */
    imported() {
      imports = ownTime() - begun.own
    },
    /** Must be called after the last test of the file, before the first hook that runs after it. */
    tested() {
      tested = ownTime()
    },
    /**
     * Must be called after the last hook of the file. Appends a line to the file that TEST_FILE_TIMES names, if any.
     */
    ended() {
      const to = process.env.TEST_FILE_TIMES
      if (!to) return
      const times: FileTimes = {
        ...{ file, alone, startup, imports },
        wall: (performance.now() - begun.wall) / 1000,
        own: ownTime() - begun.own,
        teardown: ownTime() - tested,
        commands: commandsTime() - begun.commands,
        database: spent.database - begun.database,
        databases: spent.databases - begun.databases,
        heap: process.memoryUsage().heapUsed / 2 ** 20,
      }
      appendFileSync(to, `${JSON.stringify(times)}\n`)
    },
  }
}

let isFirst = true
