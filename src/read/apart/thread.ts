/** The thread of child.ts that runs what is called: it may take long, while the main thread watches. */
import v8 from 'node:v8'
import { type MessagePort, parentPort } from 'node:worker_threads'
import type { Apart, Caller, Said, Told } from './call.ts'

if (parentPort) serve(parentPort)

function serve(port: MessagePort): void {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let asked = 0
  const say = (said: Said) => port.postMessage(said)
  const caller: Caller = {
    ask<T>(question: unknown) {
      const answer = Promise.withResolvers<unknown>()
      waiting.set(++asked, answer)
      say({ ask: asked, question: v8.serialize(question) })
      return answer.promise as Promise<T>
    },
    load,
  }
  async function run(call: Extract<Told, { call: unknown }>['call']): Promise<Said> {
    try {
      const work = (await load(call.module, call.name)) as Apart<unknown, unknown>
      return { result: v8.serialize(await work(call.input, caller)) }
    } catch (error) {
      return { thrown: lineOf(error), kind: error instanceof Error ? error.constructor.name : '' }
    }
  }
  port.on('message', (told: Told) => {
    if ('call' in told) {
      run(told.call).then((said) => {
        waiting.clear()
        say(said)
      })
      return
    }
    const answer = waiting.get(told.reply)
    waiting.delete(told.reply)
    if ('failed' in told) answer?.reject(new Error('the caller has no answer'))
    else answer?.resolve(told.answer)
  })
}

async function load(module: string, name: string): Promise<unknown> {
  const { [name]: found } = (await import(module)) as Record<string, unknown>
  if (typeof found !== 'function') throw new Error(`${module} exports no function ${name}`)
  return found
}

/** The error and its causes in one line. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own = error.message || error.name
  return error.cause === undefined ? own : `${own}: ${lineOf(error.cause)}`
}
