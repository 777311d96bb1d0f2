/**
 * The second thread of child.ts. This thread runs the called function, which may take a long time, while the main
 * thread watches.
 */
import module from 'node:module'
import v8 from 'node:v8'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { join } from './beside.ts'
import { type Apart, type Caller, type FromThread, type ToProcess, thrownOf } from './call.ts'

if (parentPort) serve(parentPort)

function serve(port: MessagePort): void {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let last = 0
  let calls = 0
  const send = (message: FromThread) => port.postMessage(message)
  function request<T>(question: unknown): Promise<T> {
    const answer = Promise.withResolvers<unknown>()
    waiting.set(++last, answer)
    send({ request: last, question: v8.serialize(question) })
    return answer.promise as Promise<T>
  }
  async function run({ call, limits }: Extract<ToProcess, { call: unknown }>): Promise<FromThread> {
    let isRetired = false
    const retire = () => {
      isRetired = true
    }
    const caller: Caller = { request, load, limits, retire }
    try {
      const input = join(call.input)
      const work = (await load(call.module, call.name)) as Apart<unknown, unknown>
      const result = v8.serialize(await work(input, caller))
      return { result, isRetired }
    } catch (error) {
      return { ...thrownOf(error), isRetired }
    }
  }
  port.on('message', (message: ToProcess) => {
    if ('call' in message) {
      run(message).then((outcome) => {
        waiting.clear()
        send(outcome)
        // Node writes its compile cache when a process ends by itself, but this process is killed. So the cache is
        // written after each call whose number is a power of two, since later calls may have loaded more code.
        if (isPowerOfTwo(++calls)) module.flushCompileCache()
      })
      return
    }
    const answer = waiting.get(message.reply)
    waiting.delete(message.reply)
    const given = join(message.answer)
    answer?.resolve(given)
  })
}

const isPowerOfTwo = (n: number) => (n & (n - 1)) === 0

async function load(module: string, name: string): Promise<unknown> {
  const { [name]: found } = (await import(module)) as Record<string, unknown>
  if (typeof found !== 'function') throw new Error(`${module} exports no function ${name}`)
  return found
}
