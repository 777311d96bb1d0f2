/** The first request of an operation, as code in three languages. */
import type { Operation, Parameter } from './model.ts'

/**
 * The address of the service in snippets; the page's script replaces this address by the address from which the page
 * was loaded.
 */
export const ORIGIN = 'http://127.0.0.1:8080'
const KEY = 'OPENFILINGS_KEY'

/**
 * The optional parameter that makes an answer short. A first request has it if the OpenAPI document has no example
 * request.
 */
const SHORT = 'limit'

const isShown = (parameter: Parameter) =>
  parameter.in === 'path' || parameter.required || (parameter.name === SHORT && parameter.example !== null)

/**
 * The parameters of the first request. The values come from the example request, so that sending the request returns
 * the answer that is shown.
 */
export function firstValues({ path, parameters, example }: Operation): Map<string, string> {
  if (example === null) {
    return new Map(
      parameters.filter(isShown).flatMap((each) => (each.example === null ? [] : [[each.name, each.example]])),
    )
  }
  const { pathname, searchParams } = new URL(example, ORIGIN)
  const parts = pathname.split('/')
  const inPath = path.split('/').flatMap((part, index): [string, string][] => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    return name === undefined ? [] : [[name, decodeURIComponent(parts[index] ?? '')]]
  })
  return new Map([...inPath, ...searchParams])
}

/** Path and query of the first request; a parameter without an example value is shown by its name. */
export function firstAddress(operation: Operation): string {
  const { path, parameters, example } = operation
  if (example !== null) return example
  const values = firstValues(operation)
  const value = ({ name }: Parameter) => (values.has(name) ? encodeURIComponent(values.get(name)!) : `{${name}}`)
  const shown = parameters.filter(isShown)
  const inPath = shown.filter((parameter) => parameter.in === 'path')
  const filled = inPath.reduce((text, parameter) => text.replace(`{${parameter.name}}`, value(parameter)), path)
  const query = shown.filter((parameter) => parameter.in === 'query').map((each) => `${each.name}=${value(each)}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

export interface Snippet {
  language: string
  /** The language name for a fenced code block in Markdown. */
  fence: string
  code: string
}

/** The request in three languages. An answer that is not JSON is saved as a file or read as text. */
export const snippets = (operation: Operation): Snippet[] =>
  snippetsOf(
    firstAddress(operation),
    operation.contents.some(({ type }) => type.includes('json')),
  )

/** @param address path and query of a request */
export function snippetsOf(address: string, isJson: boolean): Snippet[] {
  const url = ORIGIN + address
  return [
    {
      language: 'curl',
      fence: 'sh',
      code: `curl ${isJson ? '' : '-o document '}'${url}' \\\n  -H "Authorization: Bearer $${KEY}"`,
    },
    {
      language: 'JavaScript',
      fence: 'js',
      code: `const response = await fetch('${url}', {
  headers: { authorization: \`Bearer \${process.env.${KEY}}\` },
})
if (!response.ok) throw new Error(await response.text())
const answer = await response.${isJson ? 'json' : 'text'}()`,
    },
    {
      language: 'Python',
      fence: 'python',
      code: `import os
from urllib.request import Request, urlopen
${isJson ? 'import json\n' : ''}
request = Request(
    "${url}",
    headers={"Authorization": f"Bearer {os.environ['${KEY}']}"},
)
with urlopen(request) as response:
    answer = ${isJson ? 'json.load(response)' : 'response.read()'}`,
    },
  ]
}
