/** Checks the body of an error from any part of the server. */
import assert from 'node:assert/strict'
import { API_ERRORS, type Code } from '../../src/declare/api-errors.ts'

/** Returns the code of an error, after checking that shape, status and message match the declaration of the code. */
export function codeOf(status: number, body: unknown): Code {
  const { error, code, title, ...rest } = body as { error: string; code: Code; title?: string }
  assert.deepEqual(Object.keys(body as object).slice(-2), ['error', 'code'])
  assert.ok(Object.hasOwn(API_ERRORS, code), `${code} is not declared`)
  const { status: declared, message } = API_ERRORS[code]
  assert.equal(status, declared, code)
  const parts = message.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  assert.match(error, new RegExp(`^${parts.join('[^]*')}$`), code)
  const ofProblem = { type: 'about:blank', status, detail: error }
  assert.deepEqual(rest, title === undefined ? {} : ofProblem)
  return code
}
