/** The errors of the API: all of them are declared in one table, and each is named by a test. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { API_ERRORS, apiError, type Code, errorAgain } from '../../src/declare/api-errors.ts'
import { checkout } from '../support/world.ts'

const read = (file: string) => readFileSync(path.join(checkout, file), 'utf8')
const files = (pattern: string) =>
  globSync(pattern, { cwd: checkout, exclude: ['**/node_modules'] }).map((file) => file.replaceAll('\\', '/'))
const sources = files('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
const codes = Object.keys(API_ERRORS) as Code[]

test('each code is named by a test of another file', () => {
  const own = path.relative(checkout, import.meta.filename).replaceAll('\\', '/')
  const tests = files('{src,test}/**/*.test.ts').filter((file) => file !== own)
  const text = tests.map(read).join('\n')
  assert.deepEqual(
    codes.filter((code) => !text.includes(`'${code}'`) && !text.includes(`"${code}"`)),
    [],
  )
})

test('each declared error is made somewhere in the code', () => {
  const text = sources.map(read).join('\n')
  assert.deepEqual(
    codes.filter((code) => !text.includes(`'${code}'`)),
    [],
  )
})

test('no error is made outside the table', () => {
  // These two answer a browser with a page.
  const pages = ['src/pages/home.ts', 'src/serve/http/pages.ts']
  const wrong = sources
    .filter((file) => file !== 'src/declare/api-errors.ts')
    .flatMap((file) =>
      [
        ...read(file).matchAll(/new HttpError\(|extends HttpError/g),
        ...(pages.includes(file) ? [] : read(file).matchAll(/\.code\([45]\d\d\)|statusCode = [45]\d\d/g)),
      ].map(([found]) => `${file}: ${found}`),
    )
  assert.deepEqual(wrong, [])
})

test('a code is a word in lower case, and says when it occurs and what can be done', () => {
  for (const code of codes) {
    const { status, message, when, wayOut } = API_ERRORS[code]
    assert.match(code, /^[a-z]+(_[a-z]+)*$/)
    assert.ok(status >= 400 && status < 600, code)
    assert.match(message, /^(\{\w+\}|[a-zA-Z])/, code)
    for (const text of [when, wayOut]) assert.match(text, /^[A-Z`].*[^.]$/, code)
  }
})

test('a value that holds a name in braces is left as it is', () => {
  const { message } = apiError('invalid_parameter', { parameter: '{reason}', reason: '$& {parameter}' })
  assert.equal(message, '{reason}: $& {parameter}')
})

test('an error of another process is made again by its code, and no other', () => {
  const again = errorAgain('invalid_parameter', 'offset: too large')
  assert.deepEqual([again?.code, again?.status, again?.message], ['invalid_parameter', 400, 'offset: too large'])
  assert.equal(errorAgain('ENOENT', 'x'), null)
  assert.equal(errorAgain('toString', 'x'), null)
  assert.equal(errorAgain(undefined, 'x'), null)
})
