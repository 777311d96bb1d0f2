/** The other side of bench/apart.ts. It runs exported functions one after the other, each until it is stopped. */
import { on } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Ask, ChildMessage, Job } from './apart.ts'
import { used } from './measure.ts'
import { type OpenScope, openScope } from './scope.ts'

/** Work that hangs must not outlive its caller. */
const LEFT_ALONE_MS = 10_000

const send = (message: ChildMessage) => new Promise<void>((done) => process.send!(message, () => done()))

let scope: OpenScope | undefined
process.once('disconnect', () => setTimeout(() => process.exit(1), LEFT_ALONE_MS).unref())
try {
  for await (const [message] of on(process, 'message', { close: ['disconnect'] }) as AsyncIterable<[Job | Ask]>) {
    if (message === 'used') await send({ used: used() })
    else if (message === 'stop') {
      await scope?.close()
      await send({ rssMaxMb: rssMaxMb() })
    } else await begin(message)
  }
  await scope?.close()
} catch (error) {
  await scope?.close().catch(() => {})
  if (process.connected) await send({ failed: (error as Error).stack ?? String(error) })
} finally {
  // Everything opened is closed. Timers for streams of departed clients would keep the process alive longer.
  process.exit()
}

async function begin({ module, name, args }: Job): Promise<void> {
  scope = openScope()
  const exported: Record<string, (...given: unknown[]) => unknown> = await import(new URL(module, import.meta.url).href)
  const work = exported[name]
  if (!work) throw new Error(`${module} does not export ${name}`)
  await send({ value: await work(scope, ...args) })
}

/** Linux includes the forking process's memory in its child's maxRSS; VmHWM starts again at zero with the program. */
function rssMaxMb(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024
  return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024
}
