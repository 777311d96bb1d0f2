/** The rules of English that a machine can check. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import registry from '../../src/registry.ts'
import { tokensOf } from '../../src/store/code-tokens.ts'
import { checkout } from '../support/world.ts'

const files = globSync(['{src,test,bench,bin}/**/*.{ts,mjs}'], { cwd: checkout }).filter(
  (file) => !/\/(fixtures|vendor|node_modules)\//.test(file),
)
const textOf = (file: string) => readFileSync(path.join(checkout, file), 'utf8')

/**
 * Returns the text of a line comment, or of a line within a block comment, without the comment signs. Else undefined.
 */
function commentOn(line: string): string | undefined {
  if (/^\s*\*\//.test(line)) return undefined
  const alone = /^\s*(?:\/\/|\/\*\*?|\*)(?: (.*?))?(?:\s*\*\/)?$/.exec(line)
  return alone ? (alone[1] ?? '') : /[\s;,({[]\/\/ (?!biome-ignore)(.*)$/.exec(line)?.[1]
}

/**
 * Returns the comments of a file, each with the number of its first line. Consecutive line comments are one comment.
 */
function commentsOf(text: string): { line: number; comment: string }[] {
  const comments: { line: number; comment: string }[] = []
  let isOpen = false
  for (const [at, line] of text.split('\n').entries()) {
    const comment = commentOn(line)
    const continues = isOpen && /^\s*(?:\/\/|\*)/.test(line)
    if (comment !== undefined && continues) comments.at(-1)!.comment += comment === '' ? '\n' : `\n${comment}`
    else if (comment !== undefined) comments.push({ line: at + 1, comment })
    isOpen = comment !== undefined && !line.includes('*/')
  }
  return comments
}

/** Matches the misleading words at the beginning of a comment, a sentence, a list item, or the text of a tag. */
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
 * Files with descriptions of columns. The descriptions are table comments, so they are part of the DDL's digest: a
 * changed word would force every operator to rebuild. The words stay until another change needs a rebuild anyway.
 */
const DESCRIBES_COLUMNS = /^src\/(?:datasets|products)\/.*(?:tables|rollups|views|answers|events)/
const IS_NO =
  /(?<!there )\bis no (?!longer\b|more\b)(?:["A-Za-z]|\$\{|$)|\bis none of \$\{|^['`]no (?:decimal number|integer|day)\b/

test('no message, recorded reason or help says "is no X", but "is not a valid X" or "unknown X"', () => {
  const texts = files
    .filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts') && !DESCRIBES_COLUMNS.test(file))
    .flatMap((file) => tokensOf(textOf(file)).map((token) => ({ ...token, file })))
    .filter(({ kind, text }) => (kind === 'string' || kind === 'template') && IS_NO.test(text))
  assert.deepEqual(
    texts.map(({ file, text }) => `${file}: ${text.slice(0, 120)}`),
    [],
  )
})

/** First words of summaries. */
const VERBS =
  'check compare count download explain find follow list rank read resolve search show test trace watch'.split(' ')

test('the summary of an operation is a verb and a thing in at most 60 characters, and its description does not repeat the summary', () => {
  const wrong = registry.routes.flatMap(({ name, summary, description = '' }) => [
    ...(summary.length > 60 ? [`${name}: ${summary.length} characters`] : []),
    ...(VERBS.includes(/^[A-Z][a-z]+/.exec(summary)?.[0].toLowerCase() ?? '') ? [] : [`${name}: no verb: ${summary}`]),
    ...(/[.:;]/.test(summary) ? [`${name}: more than one thing: ${summary}`] : []),
    ...(description === '' || description.startsWith(summary) ? [`${name}: what it is for is missing`] : []),
  ])
  assert.ok(registry.routes.length > 70)
  assert.deepEqual(wrong, [])
})

const NAME = /(?<![\w.])(?:test|it|describe)\(\s*(['`])((?:\\.|(?!\1).)*)\1/g
const UNCLEAR_NAME =
  /^(?:Of|Whose|By which|What|Who|Whom|Whoever|That)\b|(?<!there )\bis no (?!longer\b|more\b)|(?<!nothing )\bbehind\b|\b(?:beside|told|anew)\b/i

test('the name of a test begins with a verb or a subject, and has none of the words of docs/glossary.md', () => {
  const names = files
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('plain-english.test.ts'))
    .flatMap((file) =>
      [...textOf(file).matchAll(NAME)].flatMap(([, , name]) => (UNCLEAR_NAME.test(name!) ? [`${file}: ${name}`] : [])),
    )
  assert.deepEqual(names, [])
})

test('no comment of SQL and no sentence of a document begins with Of, Whose or By which', () => {
  const others = globSync(['src/**/*.{sql,md}', 'docs/**/*.md', '*.md', 'test/*.md', 'bench/*.md'], { cwd: checkout })
  const faults = others
    .filter((file) => !/\/(?:fixtures|node_modules)\/|^(?:THIRD_PARTY_NOTICES|LICENSE)|^docs\/datasets\.md$/.test(file))
    .flatMap((file) =>
      textOf(file)
        .split('\n')
        .flatMap((line, at) => {
          const text = file.endsWith('.sql') ? /--\s?(.*)$/.exec(line)?.[1] : line
          const found = text === undefined ? undefined : MISLEADING.exec(text)?.[0].trim()
          return found === undefined ? [] : [`${file}:${at + 1}: ${found}`]
        }),
    )
  assert.deepEqual(faults, [])
})

/** Comments have none of these words: docs/glossary.md has what to write instead. */
const OLD_WORDS = /\b(?:nobody knows|whoever|Whoever)\b|(?<!\b(?:stay|lag|left|leave[sd]?) )\banew\b/

test('comments use the words of docs/glossary.md', () => {
  const faults = files.flatMap((file) =>
    commentsOf(textOf(file)).flatMap(({ line, comment }) => {
      const found = OLD_WORDS.exec(comment)?.[0]
      return found === undefined ? [] : [`${file}:${line}: ${found}`]
    }),
  )
  assert.deepEqual(faults, [])
})

test('the subject of a commit has at most 72 characters', (t) => {
  // Starts after the last commit with a longer subject, because pushed commits are not changed.
  const range = 'bc7f0884..HEAD'
  const { status, stdout } = spawnSync('git', ['log', '--format=%s', range], { cwd: checkout, encoding: 'utf8' })
  if (status !== 0) return t.skip('the git history here does not reach back to the commit that introduced the rule')
  assert.deepEqual(
    stdout.split('\n').filter((subject) => subject.length > 72),
    [],
  )
})
