/**
 * Data folders that the program itself makes once and that are copied for each test that does not test their creation.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { sourcesHash, testFolder, withMutex } from './database.ts'
import { checkout, sample } from './world.ts'

const run = promisify(execFile)

/** Makes a data folder where none exists. */
type Making = (DATA_DIR: string) => Promise<unknown>

/**
 * Copies a data folder in 0.1 s. Making one takes PostgreSQL 2 s for the database, and another 6 s for the sample. The
 * folder is kept for the next run until the code or the sample changes; test/support/database.ts keeps its template in
 * the same way.
 *
 * @param name of its content
 */
export async function copyMade(name: string, make: Making, to: string): Promise<void> {
  await keepMade(name, make)
  await copyKept(name, to)
}

/** Copies a cached folder to a new path. */
export async function copyKept(name: string, to: string): Promise<void> {
  const folder = await folderOf(name)
  // `cp` keeps the owners: if root runs the tests, the database belongs to another account.
  if (process.platform === 'win32') await cp(folder, to, { recursive: true })
  else await run('cp', ['-a', folder, to])
}

/**
 * Copies a kept folder that contains no database, so all files of the copy may be owned by this account. Takes half the
 * time of `copyKept`, which starts a program.
 */
export async function copyOwn(name: string, to: string): Promise<void> {
  cpSync(await folderOf(name), to, { recursive: true })
}

/**
 * Makes the folder if it is not kept. If several processes want the folder at the same time, the first makes it and the
 * others wait.
 */
export async function keepMade(name: string, make: Making): Promise<void> {
  const folder = await folderOf(name)
  if (await isThere(folder)) return
  await withMutex(`made ${name}`, async () => {
    if (!(await isThere(folder))) await makeAt(folder, name, make)
  })
}

async function makeAt(folder: string, name: string, make: Making): Promise<void> {
  const kept = path.dirname(folder)
  await mkdir(kept, { recursive: true, mode: 0o755 })
  for (const old of await readdir(kept))
    if (old.startsWith(`${name}-`) && !old.startsWith(path.basename(folder)))
      await rm(path.join(kept, old), { recursive: true, force: true })
  const making = await mkdtemp(`${folder}-`)
  try {
    await chmod(making, 0o755)
    const data = path.join(making, 'data')
    await make(data)
    await rename(data, folder)
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}

/** Returns the path of a kept folder, for tests that change nothing there. */
export const madeAt = (name: string): Promise<string> => folderOf(name)

/** Tests whether the folder is kept. */
export const isMade = async (name: string) => isThere(await folderOf(name))

const folderOf = async (name: string) => path.join(await testFolder(), 'made', `${name}-${await madeDigest()}`)

/**
 * Returns the digest of all sources of a folder: the code, PostgreSQL's programs, the sample. Read once in each
 * process.
 */
export function madeDigest(): Promise<string> {
  digest ??= digestOfMade()
  return digest
}
let digest: Promise<string> | undefined

async function digestOfMade(): Promise<string> {
  const hash = createHash('sha256').update(await sourcesHash())
  for (const name of ['package.json', 'package-lock.json']) hash.update(await readFile(path.join(checkout, name)))
  // Code and SQL of `src` are in the first digest.
  for (const [folder, without] of [
    [path.join(checkout, 'bin'), null],
    [path.join(checkout, 'vendor'), null],
    [path.join(checkout, 'src'), /\.(ts|sql)$|[\\/]fixtures[\\/]/],
    [sample, null],
  ] as const) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
    for (const file of files.filter((each) => !without?.test(each)).sort())
      hash.update(`${path.relative(checkout, file)}\0`).update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 16)
}

const isThere = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )
