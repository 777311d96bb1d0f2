/** The errors of the API: all errors are declared in one table, and each error occurs in a test. */

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

test('each error code occurs in a test of another file', () => {
  const own = path.relative(checkout, import.meta.filename).replaceAll('\\', '/')
  const tests = files('{src,test}/**/*.test.ts').filter((file) => file !== own)
  const text = tests.map(read).join('\n')
  assert.deepEqual(
    codes.filter((code) => !text.includes(`'${code}'`) && !text.includes(`"${code}"`)),
    [],
  )
})

test('each declared error is used in the code', () => {
  const text = sources.map(read).join('\n')
  assert.deepEqual(
    codes.filter((code) => !text.includes(`'${code}'`)),
    [],
  )
})

test('the code uses no error that the table does not declare', () => {
  // These two files answer a browser with a page.
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

test('each code is in lower case, and has texts that say when it occurs and how to react', () => {
  for (const code of codes) {
    const { status, message, when, wayOut } = API_ERRORS[code]
    assert.match(code, /^[a-z]+(_[a-z]+)*$/)
    assert.ok(status >= 400 && status < 600, code)
    assert.match(message, /^(\{\w+\}|[a-zA-Z])/, code)
    for (const text of [when, wayOut]) assert.match(text, /^[A-Z`].*[^.]$/, code)
  }
})

test('a value that contains a name in braces is inserted into a message unchanged', () => {
  const { message } = apiError('invalid_parameter', { parameter: '{reason}', reason: '$& {parameter}' })
  assert.equal(message, '{reason}: $& {parameter}')
})

test('an API error from another process is rebuilt from its code, and other errors are not', () => {
  const again = errorAgain('invalid_parameter', 'offset: too large')
  assert.deepEqual([again?.code, again?.status, again?.message], ['invalid_parameter', 400, 'offset: too large'])
  assert.equal(errorAgain('ENOENT', 'x'), null)
  assert.equal(errorAgain('toString', 'x'), null)
  assert.equal(errorAgain(undefined, 'x'), null)
})
