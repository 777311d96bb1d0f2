/** What the documents promise is there. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { generated } from '../src/commands/generate.ts'
import registry from '../src/registry.ts'
import { checkout } from './world.ts'

const read = (file: string) => readFileSync(path.join(checkout, file), 'utf8')
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: checkout }), 'bench/README.md']
const manifest = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies' | 'scripts',
  Record<string, string>
>

test('generated files are what the declarations say', async () => {
  for (const [file, text] of Object.entries(await generated(registry))) {
    assert.ok(read(file) === text, `${file} is outdated: run "npm run generate"`)
  }
})

test('every dependency is argued in one line, and every argued one is there', () => {
  const page = read('docs/dependencies.md')
  const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies })
  const argued = [...page.matchAll(/`(@?[\w./*-]+)`/g)].map(([, name]) => name!)
  for (const name of names) {
    const scope = `${name.split('/')[0]}/*`
    assert.ok(argued.includes(name) || argued.includes(scope), `${name} is not argued in docs/dependencies.md`)
  }
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  for (const row of rows) {
    for (const [, name] of row.split('|')[1]!.matchAll(/`([^`]+)`/g)) {
      assert.ok(name!.endsWith('/*') || names.includes(name!), `${name} is argued but not a dependency`)
    }
  }
})

test('dependencies are pinned to one version, and the lock file names no host', () => {
  for (const version of Object.values({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  })) {
    assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/)
  }
  assert.doesNotMatch(read('package-lock.json'), /"resolved"/)
})

test('every link between pages leads somewhere', () => {
  for (const page of pages) {
    for (const [, target] of read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      assert.ok(existsSync(path.join(checkout, path.dirname(page), target!)), `${page} links to ${target}`)
    }
  }
})

test('every npm script that a page names exists', () => {
  for (const page of pages) {
    for (const [, script] of read(page).matchAll(/npm run (?:--silent )?([\w-]+)/g))
      assert.ok(manifest.scripts[script!], `${page}: ${script}`)
  }
})

test('every test file that a page names exists', () => {
  for (const page of pages) {
    for (const [, file] of read(page).matchAll(/`(test\/[\w./-]+\.ts)`/g))
      assert.ok(existsSync(path.join(checkout, file!)), `${page}: ${file}`)
  }
})
