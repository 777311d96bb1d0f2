/** Reads bodies of requests. */
import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

/**
 * Reads a body as text.
 *
 * @param bytesMax longest body that is read; the connection of a longer body is closed after the answer
 * @returns the text, or null if the body is too long
 * @throws the error of the connection
 */
export async function bodyText(payload: Readable, bytesMax: number): Promise<string | null> {
  // A short body has often arrived with its headers, and is then read at once. Waiting for the events of the stream
  // would take a tenth of the time of a tool call.
  if (payload instanceof IncomingMessage && payload.complete && payload.readableLength <= bytesMax)
    return (payload.read() as Buffer | null)?.toString() ?? ''
  const { promise, resolve, reject } = Promise.withResolvers<string | null>()
  const parts: Buffer[] = []
  let length = 0
  payload.on('data', (part: Buffer) => {
    parts.push(part)
    length += part.length
    if (length <= bytesMax) return
    payload.pause()
    resolve(null)
  })
  payload.once('end', () => resolve(Buffer.concat(parts).toString()))
  payload.once('error', reject)
  return promise
}
