/** Programs of the system that are measured against, where they are installed. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { seconds } from './measure.ts'

const run = promisify(execFile)

/** @param version the option by which it says its version */
export async function hasProgram(name: string, version = '--version'): Promise<boolean> {
  try {
    await run(name, [version])
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** What the program printed. @throws Error when it failed */
export async function outputOf(
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { stdout } = await run(name, args, { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

/** Its start included. */
export const secondsOf = (name: string, args: readonly string[]): Promise<number> => seconds(() => run(name, args))
