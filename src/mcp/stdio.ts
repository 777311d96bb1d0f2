/** Serves MCP on standard input and output, for a client that starts this program itself. */
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Api } from './api.ts'
import { type Agent, serverFor } from './server.ts'

/** Serves until the client closes the input, or the signal aborts. */
export async function stdio(agent: Agent, api: Api, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const handle = serveStdio(() => serverFor(agent, api), { onerror: agent.onFault })
  process.stdin.once('end', resolve).once('close', resolve)
  signal.addEventListener('abort', () => resolve(), { once: true })
  if (signal.aborted) resolve()
  await promise
  await handle.close()
}
