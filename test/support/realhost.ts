/** The stand-in for the real hosts next to a checkout, if it exists. It replays past days at their real size. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { checkout, temporaryFolder } from './world.ts'

export const realHost = path.join(checkout, '../shared/realhost')
const program = path.join(realHost, 'host.mjs')

/** Moves the clock of a process by REALHOST_LATER_DAYS days. */
export const clockFile = path.join(path.dirname(program), 'later.mjs')

export const noRealHost = !existsSync(program) && `needs ${path.relative(checkout, program)}`

export interface RealHost {
  url: string
  /** Sets its scenario from now on. */
  scenario(next: object): Promise<void>
  /** Returns a report of the stand-in: `state`, `counters`, `filings?in=feed`. */
  hostState<T>(what: string): Promise<T>
  /** Resets counts and faults. */
  reset(): Promise<void>
}

export async function startRealHost(t: Parameters<typeof temporaryFolder>[0], first: object): Promise<RealHost> {
  const file = path.join(await temporaryFolder(t), 'scenario.json')
  const scenario = async (next: object) => {
    await writeFile(`${file}.new`, JSON.stringify(next))
    // A half-written file would delay the next scenario.
    await rename(`${file}.new`, file)
  }
  await scenario(first)
  const host = spawn(process.execPath, [program, '--port', '0', '--scenario', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => host.once('close', resolve))
  t.after(async () => {
    host.kill('SIGKILL')
    await ended
  })
  const line = await new Promise<string>((resolve) => host.stdout.once('data', (chunk) => resolve(String(chunk))))
  const { url } = JSON.parse(line) as { url: string }
  const hostState = async <T>(what: string) => (await (await fetch(`${url}/_host/${what}`)).json()) as T
  const reset = async () => void (await fetch(`${url}/_host/reset`, { method: 'POST' }))
  return { url, scenario, hostState, reset }
}
