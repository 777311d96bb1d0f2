/** Data folders that are made once, by the program itself, and copied for each test that is not about their making. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { sourcesHash, testFolder } from './database.ts'
import { checkout, sample } from './world.ts'

const run = promisify(execFile)

/** Makes one where there is nothing. */
type Making = (DATA_DIR: string) => Promise<unknown>

/**
 * Copies a data folder, 0.1 s instead of the two that PostgreSQL takes to make a database and the six of the sample. It
 * is kept for the next run, as the template of test/database.ts is, until the code or the sample changes.
 *
 * @param name what is in it
 */
export async function copyMade(name: string, make: Making, to: string): Promise<void> {
  await keepMade(name, make)
  await copyKept(name, to)
}

/** Copies what is kept to a folder that is not there yet. */
export async function copyKept(name: string, to: string): Promise<void> {
  const folder = await folderOf(name)
  // `cp` keeps the owners: where root runs the tests the database belongs to another account.
  if (process.platform === 'win32') await cp(folder, to, { recursive: true })
  else await run('cp', ['-a', folder, to])
}

/** Makes it where it is not kept. */
export async function keepMade(name: string, make: Making): Promise<void> {
  const folder = await folderOf(name)
  if (await isThere(folder)) return
  const kept = path.dirname(folder)
  await mkdir(kept, { recursive: true, mode: 0o755 })
  for (const old of await readdir(kept))
    if (old.startsWith(`${name}-`) && !old.startsWith(path.basename(folder)))
      await rm(path.join(kept, old), { recursive: true, force: true })
  await makeOnce(folder, make)
}

/** Whether it is kept. */
export const isMade = async (name: string) => isThere(await folderOf(name))

const folderOf = async (name: string) => path.join(await testFolder(), 'made', `${name}-${await madeDigest()}`)

/** Of processes that make the same one at once the first wins, and the others take it. */
async function makeOnce(folder: string, make: Making): Promise<void> {
  const making = await mkdtemp(`${folder}-`)
  try {
    await chmod(making, 0o755)
    const data = path.join(making, 'data')
    await make(data)
    await rename(data, folder)
  } catch (error) {
    if (!(await isThere(folder))) throw error
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}

/** Digest of whatever a data folder comes from: the code, PostgreSQL's programs, the sample. Read once in each process. */
export function madeDigest(): Promise<string> {
  digest ??= digestOfMade()
  return digest
}
let digest: Promise<string> | undefined

async function digestOfMade(): Promise<string> {
  const hash = createHash('sha256').update(await sourcesHash())
  hash.update(await readFile(path.join(checkout, 'package-lock.json')))
  for (const name of (await readdir(sample, { recursive: true })).sort()) {
    const file = path.join(sample, name)
    if ((await stat(file)).isFile()) hash.update(`${name}\0`).update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 16)
}

const isThere = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )
