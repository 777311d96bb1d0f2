/** System programs for comparison, if they are installed. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { seconds } from './measure.ts'

const run = promisify(execFile)

/** @param version the option that prints its version */
export async function hasProgram(name: string, version = '--version'): Promise<boolean> {
  try {
    await run(name, [version])
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/**
 * Returns the program's output, and its processor time: a shell waits for the program and prints the time in hundredths
 * of a second. Null if no such shell exists.
 *
 * @throws Error if it failed
 */
export async function measuredOf(
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ stdout: string; processorMs: number | null }> {
  const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
  if (process.platform === 'win32') return { stdout: (await run(name, args, options)).stdout, processorMs: null }
  const { stdout } = await run('sh', ['-c', '"$0" "$@" && times', name, ...args], options)
  const lines = stdout.trimEnd().split('\n')
  // The last line is about the shell's awaited children: "0m1.25s 0m0.31s", user and system.
  const taken = lines.pop()!.match(/\d+m[\d.]+s/g)
  if (taken?.length !== 2) throw new Error(`the shell reported no times of ${name}: ${stdout}`)
  const processorMs = taken.reduce(
    (sum, one) => sum + 60_000 * Number.parseInt(one, 10) + 1000 * Number.parseFloat(one.split('m')[1]!),
    0,
  )
  return { stdout: lines.slice(0, -1).join('\n'), processorMs }
}

/** Returns the seconds of a program, including its start. */
export const secondsOf = (name: string, args: readonly string[]): Promise<number> => seconds(() => run(name, args))
