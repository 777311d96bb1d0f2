import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const folder = path.join(import.meta.dirname, 'browser')
const sheets = globSync('*.css', { cwd: folder }).map((file) => ({
  file,
  text: readFileSync(path.join(folder, file), 'utf8').replaceAll(/\/\*.*?\*\//gs, ''),
}))
const rootOf = (text: string) => /:root \{\n(.*?)\n\}/s.exec(text)?.[1] ?? ''
const tokens = Array.from(
  rootOf(sheets.find(({ file }) => file === 'style.css')!.text).matchAll(/--[a-z0-9-]+(?=:)/g),
  String,
)

/** Colours, shadows and sizes of letters. A drawing has a scale of its own, in px. */
const LITERAL = /#[\da-f]{3,8}\b|\b(?:rgb|hsl|light-dark)a?\([^)]*\)|font-size: [\d.]+rem/gi

test('a style sheet names tokens for colours, shadows and sizes of letters, and no values', () => {
  const found = sheets.flatMap(({ file, text }) =>
    Array.from(
      text.replace(file === 'style.css' ? rootOf(text) : '', '').matchAll(LITERAL),
      ([value]) => `${file}: ${value}`,
    ),
  )
  assert.deepEqual(found, [])
})

test('each named token exists, and each token is used and explained in the README', () => {
  const all = sheets.map(({ text }) => text).join('\n')
  const named = new Set(Array.from(all.matchAll(/var\((--[a-z0-9-]+)/g), ([, name]) => name!))
  const set = new Set(Array.from(all.matchAll(/(--[a-z0-9-]+):/g), ([, name]) => name!))
  assert.deepEqual(
    [...named].filter((name) => !set.has(name)),
    [],
  )
  assert.deepEqual(
    tokens.filter((name) => !named.has(name)),
    [],
  )
  const readme = readFileSync(path.join(import.meta.dirname, 'README.md'), 'utf8')
  const plain = (name: string) => name.replace(/-soft$/, '').replace(/-\d+$/, '')
  assert.deepEqual(
    tokens.filter((name) => !readme.includes(`\`${plain(name)}`)),
    [],
  )
})
