/** Runs `ingest --follow` in a separate process, which the test kills, and reads the event log at the end. */
import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { COMPILED } from '../command.ts'
import { checkout } from '../world.ts'

type After = { after(end: () => Promise<void>): void }

export interface Child {
  process: ChildProcess
  reported: Record<string, unknown>[]
  end(signal: NodeJS.Signals): Promise<number | string>
}

/** @param env `NODE_OPTIONS`, to move its clock */
export function child(t: After, args: readonly string[], env: Record<string, string> = {}): Child {
  const own = spawn(process.execPath, [path.join(checkout, 'test/support/follow/child.ts'), ...args], {
    env: { PATH: process.env.PATH ?? '', ...COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const reported: Child['reported'] = []
  let rest = ''
  own.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    reported.push(...lines.map((line) => JSON.parse(line)))
  })
  const ended = new Promise<number | string>((resolve) => own.once('close', (code, signal) => resolve(code ?? signal!)))
  t.after(async () => {
    own.kill('SIGKILL')
    await ended
  })
  return {
    ...{ process: own, reported },
    end(signal) {
      own.kill(signal)
      return ended
    },
  }
}

/** Returns the events of each filing of these slugs, read over HTTP page by page. */
export async function eventsOf(
  get: (
    path: string,
  ) => Promise<{ events: { source: string; key: string | null; what: string }[]; next_after: number }>,
): Promise<string[]> {
  const reported: string[] = []
  for (let after = 0; ; ) {
    const { events, next_after } = await get(`/events?after=${after}&limit=500`)
    if (events.length === 0) return reported.sort()
    reported.push(...events.map(({ source, what, key }) => `${source} ${what} ${key}`))
    after = next_after
  }
}
