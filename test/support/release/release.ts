/**
 * Databases made by released versions, for tests of upgrades: `test/releases/<name>.tar.zst`, each with
 *
 *     dump.sql   the database, as `pg_dump --inserts` writes it
 *     archive/   the archive of its data folder, uncompressed, so that the pack shares its content with the site
 *     site/      its sources: that version's bundled sample, or a part of it and more
 *     loaded.json  the commands that loaded it; "ingest all" if absent
 *
 * `test/support/release/make.ts` makes one.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { connect } from '../../../src/store/db.ts'
import { type FreshDatabase, freshDatabase, type Template } from '../database.ts'
import { checkout, temporaryFolder } from '../world.ts'

const run = promisify(execFile)

export const RELEASES = path.join(checkout, 'test/releases')
const ENDING = '.tar.zst'
/**
 * Each file occurs twice, in the archive and in the site. The window of the compressor must reach from the second copy
 * back to the first.
 */
const WINDOW = 27

/** All releases, by file name. */
export const releases = async (): Promise<string[]> =>
  (await readdir(RELEASES))
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort()

const fileOf = (name: string) => path.join(RELEASES, `${name}${ENDING}`)
const entriesIn = (folder: string) => globSync(path.join(folder, 'archive/**/*.zst'))

/** Packs a folder with the three parts; it may change their archive. */
export async function packRelease(name: string, folder: string): Promise<number> {
  for (const file of entriesIn(folder)) await writeFile(file, zstdDecompressSync(await readFile(file)))
  const tar = ['--sort=name', '--mtime=2000-01-01', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rw,go+r']
  const args = [...tar, '-C', folder, '-c', 'dump.sql', 'loaded.json', 'archive', 'site']
  const { stdout } = await run('tar', args, { encoding: 'buffer', maxBuffer: 2 ** 30 })
  const { ZSTD_c_compressionLevel, ZSTD_c_windowLog, ZSTD_c_enableLongDistanceMatching } = constants
  const params = {
    [ZSTD_c_compressionLevel]: 22,
    [ZSTD_c_windowLog]: WINDOW,
    [ZSTD_c_enableLongDistanceMatching]: 1,
  }
  const packed = zstdCompressSync(stdout, { params })
  await mkdir(RELEASES, { recursive: true })
  await writeFile(fileOf(name), packed)
  return packed.length
}

async function unpack(name: string, folder: string): Promise<void> {
  const params = { [constants.ZSTD_d_windowLogMax]: WINDOW }
  const tar = path.join(folder, 'release.tar')
  await writeFile(tar, zstdDecompressSync(await readFile(fileOf(name)), { params }))
  await run('tar', ['-C', folder, '-xf', tar])
  for (const file of entriesIn(folder)) await writeFile(file, zstdCompressSync(await readFile(file)))
}

export interface Release {
  /** The database as that version of the program left it. */
  database: FreshDatabase
  dataDir: string
  /** Folder of the release's sources, which serves as the root of a host. */
  site: string
  /** The commands that loaded it. */
  loaded: readonly (readonly string[])[]
}

/**
 * Opens the database of a released version with its data folder, in the state in which an operator has them before the
 * upgrade.
 */
export async function openRelease(
  t: { after(fn: () => Promise<void>): void },
  name: string,
): Promise<Release & { again(): Promise<Release> }> {
  const folder = await temporaryFolder(t)
  await unpack(name, folder)
  const template: Template = {
    name: `release_${name.replaceAll(/\W/g, '_')}`,
    digest: async () =>
      createHash('sha256')
        .update(await readFile(fileOf(name)))
        .digest('hex')
        .slice(0, 16),
    async fill(target) {
      // The dump sets its session's search_path to nothing.
      const sql = connect({ target, max: 1 })
      try {
        await sql.unsafe(await readFile(path.join(folder, 'dump.sql'), 'utf8'))
      } finally {
        await sql.end()
      }
    },
  }
  const commands = await readFile(path.join(folder, 'loaded.json'), 'utf8').catch(() => null)
  const loaded = commands === null ? [['ingest', 'all', '--from', '1993-01-01']] : JSON.parse(commands)
  const again = async (): Promise<Release> => {
    const dataDir = path.join(await temporaryFolder(t), 'data')
    await cp(path.join(folder, 'archive'), path.join(dataDir, 'archive'), { recursive: true })
    return {
      database: await freshDatabase(t, { empty: false, template }),
      dataDir,
      site: path.join(folder, 'site'),
      loaded,
    }
  }
  return { ...(await again()), again }
}
