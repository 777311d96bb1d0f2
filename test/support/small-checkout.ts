/**
 * A separate checkout with a small sample. A command handles this sample like the complete one, and a load takes half a
 * second of processor time instead of six.
 */
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { keepMade, madeAt } from './made.ts'
import { checkout, sample, writeIndex } from './world.ts'

/** Parts of the repository that are needed in addition to npm's packages. */
const FILES = ['bin', 'docs/guides', 'generated', 'src', 'vendor', 'package.json', 'package-lock.json', '.npmrc']

/** Forms of the filings in its sample. */
const FORMS = ['D', 'D/A']

/**
 * @param more further files and folders of the project to copy
 * @returns its command
 */
export async function smallCheckout(to: string, more: readonly string[] = []): Promise<string> {
  const isOfTests = /\.test\.ts$|[\\/]fixtures([\\/]|$)/
  const filter = (from: string) => !isOfTests.test(from)
  for (const file of [...FILES, ...more])
    await cp(path.join(checkout, file), path.join(to, file), { recursive: true, filter })
  await smallSample(path.join(to, 'sample'))
  await linkPackages(path.join(to, 'node_modules'))
  return path.join(to, 'bin/openfilings.mjs')
}

/**
 * Returns the command of a small checkout that is made once, for tests that do not change it. Copying it and compiling
 * its sources takes two seconds of processor time.
 */
export async function keptCheckout(): Promise<string> {
  await keepMade('checkout', async (to) => {
    await mkdir(to)
    await smallCheckout(to)
  })
  return path.join(await madeAt('checkout'), 'bin/openfilings.mjs')
}

/** Makes a separate node_modules folder, so that a command's caches there belong to this checkout. */
export async function linkPackages(to: string): Promise<void> {
  const from = path.join(checkout, 'node_modules')
  await mkdir(to)
  for (const name of await readdir(from))
    if (name !== '.cache') await symlink(path.join(from, name), path.join(to, name))
}

/** Copies the sample's filings of some forms, its files of names, and nothing else. */
export async function smallSample(to: string): Promise<void> {
  const edgar = path.join(sample, 'Archives/edgar')
  for (const file of await readdir(path.join(edgar, 'full-index'), { recursive: true })) {
    if (path.basename(file) !== 'master.idx') continue
    const text = await readFile(path.join(edgar, 'full-index', file), 'utf8')
    const lines = text.split('\n').filter((line) => FORMS.includes(line.split('|')[2]!))
    if (lines.length === 0) continue
    await writeIndex(to, path.dirname(file).replaceAll('\\', '/'), lines)
    for (const line of lines) {
      const submission = path.join('Archives', line.split('|')[4]!)
      await cp(path.join(sample, submission), path.join(to, submission))
    }
  }
  await cp(path.join(sample, 'files'), path.join(to, 'files'), { recursive: true })
  const reports = path.join(to, 'reports')
  await mkdir(path.join(reports, 'CompilationReports'), { recursive: true })
  await writeFile(path.join(reports, 'CompilationReports/CompilationReports.manifest.json'), '{ "files": [] }')
  await mkdir(path.join(reports, 'foia'))
  await writeFile(path.join(reports, 'foia/reports_metadata.json'), '{}')
}
