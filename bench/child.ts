/** The other side of bench/apart.ts: runs one exported function and waits to be stopped. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Ask, Job, Told } from './apart.ts'
import { used } from './measure.ts'
import { openScope } from './scope.ts'

const tell = (message: Told) => new Promise<void>((done) => process.send!(message, () => done()))

const scope = openScope()
try {
  const [{ module, name, args }] = (await once(process, 'message')) as [Job]
  const exported: Record<string, (...given: unknown[]) => unknown> = await import(new URL(module, import.meta.url).href)
  const value = (await exported[name]!(scope, ...args)) ?? null
  const asked = new Promise<void>((resolve) => {
    process.on('message', (ask: Ask) => {
      if (ask === 'stop') return resolve()
      void tell({ used: used() })
    })
    process.on('disconnect', resolve)
  })
  await tell({ value })
  await asked
  await scope.close()
  if (process.connected) await tell({ rssMaxMb: rssMaxMb() })
} catch (error) {
  await scope.close().catch(() => {})
  if (process.connected) await tell({ failed: (error as Error).stack ?? String(error) })
} finally {
  process.disconnect?.()
}

/**
 * Linux counts what the forking process had into the maxRSS of its child; VmHWM begins anew with the program.
 */
function rssMaxMb(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024
  return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024
}
