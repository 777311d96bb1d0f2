/** A command in a process of its own, and the most memory that it had. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { runApart } from './command.ts'
import { temporaryFolder } from './world.ts'

export const MB = 2 ** 20

/** Writes the most memory that the process had, at its end. On Linux maxRSS counts what the parent had when it forked. */
const METER = `
import { readFileSync, writeFileSync } from 'node:fs'
process.on('exit', () => {
  const own = process.platform === 'linux' && /^VmHWM:\\s*(\\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))
  writeFileSync(process.env.METER, String((own ? Number(own[1]) : process.resourceUsage().maxRSS) * 1024))
})`

/** The command in a process of its own, with the most memory that it had. */
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
