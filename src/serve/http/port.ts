/** Explains why a port is not available, and tests it before anything else is done. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { UserError } from '../../declare/errors.ts'

/**
 * Opens the port and closes it again. A first start loads data for a minute before it listens, so an unavailable port
 * must be found earlier.
 *
 * @throws UserError if the port is not available
 */
export async function assertPort(host: string, port: number): Promise<void> {
  const server = createServer()
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
  } catch (error) {
    throw portProblem(error as NodeJS.ErrnoException, host, port)
  }
  server.close()
  await once(server, 'close')
}

export function portProblem(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  const hint = 'choose another with --port or the setting PORT'
  if (cause.code === 'EADDRINUSE') return new UserError(`port ${port} on ${host} is already in use; ${hint}`)
  if (cause.code === 'EACCES') return new UserError(`this user is not allowed to open port ${port}; ${hint}`)
  return new UserError(`the server cannot listen on ${host} port ${port}`, { cause })
}
