/**
 * Global set-up of `npm test`: one database server for all test processes, each of which takes databases of its own, and
 * one folder for all that they write.
 */
import { openTestServer } from './database.ts'
import { roomiest } from './roomiest.ts'

let server: Awaited<ReturnType<typeof openTestServer>> | undefined

export async function globalSetup(): Promise<void> {
  process.env.TMPDIR = roomiest()
  server = await openTestServer()
  process.env.OPENFILINGS_TEST_SERVER = JSON.stringify(server.target)
}

export async function globalTeardown(): Promise<void> {
  await server?.close()
}
