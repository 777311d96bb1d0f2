/** The tool that describes paths and families. The tool requests no route, so a key is not charged for a request. */
import { describe, overview } from '../describe.ts'
import { sizeOf } from '../frame.ts'
import { fitted, folded } from '../render/budget.ts'
import type { Routes } from '../routes.ts'
import { maxBytes, type Tool } from '../tool.ts'

export const describeTool = (routes: Routes): Tool => ({
  name: 'describe',
  title: 'Describe a path or a family',
  description:
    'Shows parameters, columns, units and an example of a path, an operation, a family (formd) or a form (10-K). Without target, lists all paths.',
  parameters: {
    target: { type: 'string' },
    line: { type: 'integer', minimum: 0, description: 'Number of the line with which the answer begins' },
    max_bytes: maxBytes,
  },
  required: [],
  async run(args) {
    const { target, line = 0 } = args as { target?: string; line?: number }
    const lines = target === undefined ? overview(routes) : describe(target, routes)
    const { maxBytes: bytes } = sizeOf(args)
    const { text, next } = fitted(folded(lines.map((each) => ({ text: each }))), line, bytes, 0)
    const own = target === undefined ? '' : `target=${JSON.stringify(target)}, `
    return next === null ? text : `${text}\n… more: describe(${own}line=${next})`
  },
})
