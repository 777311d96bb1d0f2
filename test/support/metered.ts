/** Runs a command in a separate process and measures its maximum memory. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { runApart } from './command.ts'
import { temporaryFolder } from './world.ts'

export const MB = 2 ** 20

/** Writes the maximum memory of the process at its end. On Linux maxRSS includes the parent's memory at the fork. */
const METER = `
import { readFileSync, writeFileSync } from 'node:fs'
process.on('exit', () => {
  const own = process.platform === 'linux' && /^VmHWM:\\s*(\\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))
  writeFileSync(process.env.METER, String((own ? Number(own[1]) : process.resourceUsage().maxRSS) * 1024))
})`

/** Runs the command in a separate process, and returns its maximum memory. */
export async function metered(t: TestContext, args: string[], target: string, more: Record<string, string> = {}) {
  const folder = await temporaryFolder(t)
  const METER_FILE = path.join(folder, 'meter')
  await writeFile(path.join(folder, 'meter.mjs'), METER)
  const ended = await runApart(args, {
    DATA_DIR: path.join(folder, 'data'),
    DATABASE_URL: target,
    METER: METER_FILE,
    NODE_OPTIONS: `--import ${path.join(folder, 'meter.mjs')}`,
    ...more,
  })
  const peak = Number(await readFile(METER_FILE, 'utf8'))
  t.diagnostic(`${Math.round(peak / MB)} MB at most`)
  t.diagnostic(ended.stdout + ended.stderr)
  return { ...ended, peak }
}
