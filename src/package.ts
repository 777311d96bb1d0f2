/** The package itself: its folder, and facts from its package.json. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Folder of the checkout or the installed package. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** Address of the bundled sample, a small EDGAR in a folder. */
export const SAMPLE_URL = pathToFileURL(path.join(root, 'sample')).href

const manifest = async () => JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))

export async function packageVersion(): Promise<string> {
  return (await manifest()).version
}

/** The address of the repository: `https://github.com/openfilings/openfilings`. */
export async function projectAddress(): Promise<string> {
  const { repository } = await manifest()
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '')
}
