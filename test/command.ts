/** Commands run as a user runs them: real processes. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile } from 'node:child_process'
import path from 'node:path'
import { freshDatabase } from './database.ts'
import { checkout, temporaryFolder } from './world.ts'

export interface Run {
  status: number
  stdout: string
  stderr: string
}

export const cli = path.join(checkout, 'bin/openfilings.mjs')

export const run = (args: string[], env: Record<string, string>): Promise<Run> => start(args, env).ended

/** A command that is under way. */
export interface Started {
  child: ChildProcess
  ended: Promise<Run>
}

export function start(args: string[], env: Record<string, string>): Started {
  const { promise: ended, resolve } = Promise.withResolvers<Run>()
  const options = { env: { PATH: process.env.PATH ?? '', ...env }, cwd: checkout, maxBuffer: 2 ** 26 }
  const child = execFile(process.execPath, [cli, ...args], options, (error, stdout, stderr) => {
    resolve({ status: error ? Number(error.code) : 0, stdout, stderr })
  })
  return { child, ended }
}

/** One line on standard error that names the thing, and a status other than 0. */
export function assertRefused({ status, stderr }: Run, names: RegExp): void {
  const lines = stderr.trimEnd().split('\n')
  const errors = lines.filter((line) => !line.startsWith('openfilings: making a new PostgreSQL'))
  assert.equal(status, 1)
  assert.match(errors.join('\n'), names)
  assert.equal(errors.length, 1, stderr)
}

/** Settings of a place of its own: a database on the server under test, else an embedded one in a new data folder. */
export async function place(t: Parameters<typeof freshDatabase>[0]): Promise<Record<string, string>> {
  const DATA_DIR = path.join(await temporaryFolder(t), 'data')
  if (!process.env.TEST_DATABASE_URL) return { DATA_DIR }
  const { url } = await freshDatabase(t)
  return { DATA_DIR, DATABASE_URL: url! }
}
