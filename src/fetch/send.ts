/** Sends one request. */
import type { IncomingMessage } from 'node:http'
import { EdgarError } from './answer.ts'
import { proxyAgent } from './proxy.ts'

// An `import` would make each start 17 ms slower, for the reason in declare/status-name.ts.
const http = process.getBuiltinModule('node:http')
const https = process.getBuiltinModule('node:https')

/** Sends a request. The promise resolves when the headers have arrived; the body is not read yet. */
export function send(
  url: URL,
  headers: Record<string, string>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise<IncomingMessage>((resolve, reject) => {
    // Without a proxy this is the global agent, which keeps connections alive.
    const agent = proxyAgent(url, { isKept: true })
    const request = (url.protocol === 'https:' ? https : http).request(url, { headers, signal, agent })
    // A request that still waits for its proxy connection ends without an error, so the promise is rejected here too.
    const end = (error: unknown) => {
      request.destroy(error as Error)
      reject(error)
    }
    const late = () => end(new EdgarError('timeout', `${url.href} did not answer within ${timeoutMs} ms`))
    const timer = setTimeout(late, timeoutMs)
    const aborted = () => end(signal.reason)
    signal.addEventListener('abort', aborted, { once: true })
    request.on('response', resolve)
    request.on('error', (cause) => {
      if (signal.aborted) reject(signal.reason)
      else reject(cause instanceof EdgarError ? cause : new EdgarError('network', `${url.href} failed`, { cause }))
    })
    for (const event of ['response', 'close']) request.on(event, () => clearTimeout(timer))
    request.on('close', () => signal.removeEventListener('abort', aborted))
    // A status 101 that was not requested causes neither a `response` nor an `error` event, so the promise is rejected
    // here. After one of these events, this call of `reject` has no effect.
    request.on('close', () => reject(new EdgarError('network', `${url.href} gave no answer`)))
    request.end()
  })
}
