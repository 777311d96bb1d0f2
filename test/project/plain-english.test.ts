/** The rules of English that a machine can check. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { tokensOf } from '../../src/store/code-tokens.ts'
import { checkout } from '../support/world.ts'

const files = globSync(['{src,test,bench,bin}/**/*.{ts,mjs}'], { cwd: checkout }).filter(
  (file) => !/\/(fixtures|vendor|node_modules)\//.test(file),
)
const textOf = (file: string) => readFileSync(path.join(checkout, file), 'utf8')

/** Text of the comment on a line, without its signs: of a line comment, or of a line within a block. Else undefined. */
function commentOn(line: string): string | undefined {
  if (/^\s*\*\//.test(line)) return undefined
  const alone = /^\s*(?:\/\/|\/\*\*?|\*)(?: (.*?))?(?:\s*\*\/)?$/.exec(line)
  return alone ? (alone[1] ?? '') : /[\s;,({[]\/\/ (?!biome-ignore)(.*)$/.exec(line)?.[1]
}

/** Comments of a file, each with its first line. Line comments that follow each other are one. */
function commentsOf(text: string): { line: number; comment: string }[] {
  const comments: { line: number; comment: string }[] = []
  let isOpen = false
  for (const [at, line] of text.split('\n').entries()) {
    const said = commentOn(line)
    const continues = isOpen && /^\s*(?:\/\/|\*)/.test(line)
    if (said !== undefined && continues) comments.at(-1)!.comment += said === '' ? '\n' : `\n${said}`
    else if (said !== undefined) comments.push({ line: at + 1, comment: said })
    isOpen = said !== undefined && !line.includes('*/')
  }
  return comments
}

/** At the beginning of a comment, of a sentence, of a point of a list, or of what a tag says. */
const MISLEADING = /(?:^|[.!?:]\s+|^\s*(?:- |\d\. )|@(?:returns|param \S+|throws \S+)\s+)(Of|Whose|By which)\b.{0,60}/m

test('no sentence of a comment begins with Of, Whose or By which', () => {
  const faults = files.flatMap((file) =>
    commentsOf(textOf(file)).flatMap(({ line, comment }) => {
      const found = MISLEADING.exec(comment)?.[0].trim()
      return found === undefined ? [] : [`${file}:${line}: ${found}`]
    }),
  )
  assert.deepEqual(faults, [])
})

/**
 * Reasons that parsers record stand in stored rows, and descriptions of columns in the tables' comments. Both are in the
 * digest of a dataset, so a word that is changed there asks every operator for a rebuild: they wait for a change that needs one.
 */
const IN_DIGESTS =
  /^src\/(?:read\/|datasets\/[^/]+\/(?!(?:routes|queries|answers)(?:[^/]*$|\/))|products\/securities\/aliases\.ts$)/
const IS_NO = /(?<!there )\bis no (?!longer\b|more\b)(?:["A-Za-z]|\$\{|$)/

test('no message or help says "is no X", but "is not a valid X" or "unknown X"', () => {
  const texts = files
    .filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts') && !IN_DIGESTS.test(file))
    .flatMap((file) => tokensOf(textOf(file)).map((token) => ({ ...token, file })))
    .filter(({ kind, text }) => (kind === 'string' || kind === 'template') && IS_NO.test(text))
  assert.deepEqual(
    texts.map(({ file, text }) => `${file}: ${text.slice(0, 120)}`),
    [],
  )
})

test('the subject of a commit has at most 72 characters', (t) => {
  // The last commit with a longer one: what is pushed stays.
  const range = 'bc7f0884..HEAD'
  const { status, stdout } = spawnSync('git', ['log', '--format=%s', range], { cwd: checkout, encoding: 'utf8' })
  if (status !== 0) return t.skip('there is no git history here that reaches back to the rule')
  assert.deepEqual(
    stdout.split('\n').filter((subject) => subject.length > 72),
    [],
  )
})
