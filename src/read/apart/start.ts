/** Starts the processes of process.ts. */
import { type ChildProcess, fork } from 'node:child_process'
import { compiledFolder } from './compiled.ts'

/** Maximum time that a start may take on a busy machine, in milliseconds. */
const START = 60_000

/** No process can be started. The cause is not the bytes to be read. */
export class NoProcess extends Error {}

/**
 * Starts a process and returns it when the process is ready for its first call.
 *
 * @param heap in megabytes
 * @throws NoProcess
 */
export async function startProcess(heap: number): Promise<ChildProcess> {
  const compiled = compiledFolder()
  const child = fork(new URL('child.ts', import.meta.url), [String(heap)], {
    execArgv: ['--import', new URL('../../../bin/types.mjs', import.meta.url).href],
    // A program that reads bytes from outside gets none of this process's environment variables except the folder of
    // compiled code.
    env: compiled === null ? {} : { NODE_COMPILE_CACHE: compiled },
    serialization: 'advanced',
    // The last entry is the pipe of beside.ts.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const fail = (why: string | number) => reject(new NoProcess(`the process that reads does not start: ${why}`))
  const onMessage = () => resolve()
  const onExit = (code: number | null, signal: string | null) => fail(signal ?? code!)
  const timer = setTimeout(() => fail(`no message within ${START / 1000} s`), START)
  // An error after the start has no effect here: the exit event of the process reports it.
  child.on('error', ({ message }) => fail(message))
  child.once('message', onMessage).once('exit', onExit)
  try {
    await promise
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    clearTimeout(timer)
    child.off('exit', onExit)
  }
  return child
}
