/** The questions of the evaluation: each has a plan of tool calls, and an answer with its type. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type AgentClient, factIn, rowsIn } from './client.ts'

interface Expected {
  fact?: string
  table?: string
  where?: Record<string, string>
  column?: string
  text?: string
  is?: string
}

export interface Question {
  question: string
  on: 'sample' | 'corpus'
  /** Tool calls with name and arguments. The last one gives the answer. */
  plan: [tool: string, args: Record<string, unknown>][]
  expect: Expected
  type: 'text' | 'number' | 'date' | 'accession'
}

const TYPES = {
  text: /./,
  number: /^-?\d+(\.\d+)?$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  accession: /^\d{10}-\d{2}-\d{6}$/,
}

export const QUESTIONS: readonly Question[] = JSON.parse(
  readFileSync(new URL('../../mcp/questions.json', import.meta.url), 'utf8'),
)

/** Follows the plan of a question. @returns the answer that was found; throws if it differs from the expected one */
export async function ask({ plan, expect, type }: Question, { answer }: Pick<AgentClient, 'answer'>): Promise<string> {
  let text = ''
  for (const [tool, args] of plan) text = await answer(tool, args)
  if (expect.text !== undefined) {
    assert.ok(text.includes(expect.text), `${expect.text} is not in:\n${text}`)
    return expect.text
  }
  const found = expect.fact === undefined ? cellOf(text, expect) : factIn(text, expect.fact)
  assert.equal(found, expect.is, text)
  assert.match(found!, TYPES[type])
  return found!
}

function cellOf(text: string, { table, where = {}, column }: Expected): string | undefined {
  const row = rowsIn(text, table).find((each) => Object.entries(where).every(([name, value]) => each[name] === value))
  return row?.[column!]
}
