/** Runs one stage for `bench/before.ts` in a process of its own, once for each request. */
import { on } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { collectEarly, keepYoungSmall } from '../src/ingest/memory.ts'
import { openScope } from './scope.ts'
import { type Count, STAGES } from './stages.ts'

const [name = '', postmaster = ''] = process.argv.slice(2)

/** Clock ticks of Linux, which are hundredths of a second for every program. */
const TICK_MS = 10

interface Entry {
  pid: number
  parent: number
  /** Processor time of the process and of its children that have ended. */
  ms: number
}

/** Every process that runs now. */
function* entries(): Generator<Entry> {
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    let stat: string
    try {
      stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    } catch {
      continue // it has just ended
    }
    // After the name, which may contain blanks: the state, the parent, and the four times as the 12th to the 15th
    // field.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0)
    yield { pid: Number(pid), parent: fields[1]!, ms: ticks * TICK_MS }
  }
}

/** Processor time of a process and of all its descendants, also of those that have ended. */
function msOf(pid: number): number {
  const all = [...entries()]
  const below = (of: number): number =>
    all.filter(({ parent }) => parent === of).reduce((sum, one) => sum + one.ms + below(one.pid), 0)
  return all.find((one) => one.pid === pid)!.ms + below(pid)
}

const count: Count = async (work, used = async () => msOf(process.pid)) => {
  const taken = async () => (await used()) + msOf(Number(postmaster))
  const before = await taken()
  await work()
  return (await taken()) - before
}

// As the commands that load filings. Without these settings, V8 collects the garbage more often.
collectEarly()
keepYoungSmall()

const scope = openScope()
try {
  const once = await STAGES[name]!(scope)
  process.send!({ ready: true })
  for await (const [message] of on(process, 'message', { close: ['disconnect'] })) {
    if (message === 'stop') break
    process.send!({ ms: await once(count) })
  }
} catch (error) {
  process.send!({ failed: (error as Error).stack })
} finally {
  await scope.close()
  process.exit()
}
