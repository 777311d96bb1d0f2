/**
 * The reference as Markdown: the start page, one page for each operation, and the list of all pages for language models
 * (`/llms.txt`).
 */
import { capital } from '../../declare/capital.ts'
import type { Field } from './fields.ts'
import { guide } from './guide.ts'
import type { Content, Operation, Parameter, Reference } from './model.ts'
import { snippets } from './request.ts'

export const summaryOf = ({ description }: Reference): string => description.split('\n', 1)[0]!

export function startMarkdown(reference: Reference): string {
  const groups = reference.groups.map(
    ({ title, description, operations }) =>
      `### ${title}\n\n${description ? `${description}\n\n` : ''}${operations.map(itemOf).join('\n')}`,
  )
  return `# ${reference.title} API reference

${summaryOf(reference)}

${guide(reference)}

## Operations

${groups.join('\n\n')}
`
}

const itemOf = ({ id, method, path, summary }: Operation) => `- [\`${method} ${path}\`](/docs/${id}.md): ${summary}`

/** Makes the text of `/llms.txt` (https://llmstxt.org): title, summary, and links to pages that are Markdown. */
export function llmsText(reference: Reference): string {
  const guides = reference.guides.map(({ title, href, lead }) => `- [${title}](${href}.md): ${lead}`)
  const data = reference.data.map(({ title, href, lead }) => `- [${title}](${href}.md): ${lead}`)
  const groups = reference.groups.map(
    ({ title, operations }) =>
      `## ${title}\n\n${operations.map(({ id, method, path, summary }) => `- [${method} ${path}](/docs/${id}.md): ${summary}`).join('\n')}`,
  )
  return `# ${reference.title}

> ${summaryOf(reference)}

- [How to begin](/docs.md): key, first request, errors, limits, paging, all operations
- [OpenAPI document](/v1/openapi.json)

${data.length === 0 ? '' : `## Data\n\n${data.join('\n')}\n\n`}${guides.length === 0 ? '' : `## Guides\n\n${guides.join('\n')}\n\n`}${groups.join('\n\n')}
`
}

export function operationMarkdown(operation: Operation): string {
  const { method, path, summary, description, parameters, contents, failures } = operation
  return [
    `# ${summary}`,
    `\`${method} ${path}\``,
    description,
    factsOf(operation),
    parameters.length === 0 ? '' : `## Parameters\n\n${parameters.map(parameterItem).join('\n')}`,
    ...snippets(operation).map(({ language, fence, code }) => `## ${language}\n\n\`\`\`${fence}\n${code}\n\`\`\``),
    ...contents.map(contentPart),
    `## Other answers\n\n${failures.map(({ status, meaning }) => `- ${status}: ${meaning}`).join('\n')}`,
    '[All operations](/docs.md)',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

export function factsOf({ bucket, scopes }: Operation): string {
  const spent = bucket === null ? [] : [`Spends one request of the ${bucket} bucket.`]
  const needed =
    scopes.length === 0
      ? []
      : [
          `The key needs the scope${scopes.length > 1 ? 's' : ''} ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.`,
        ]
  return [...spent, ...needed].join(' ')
}

/** The constraints of a parameter, in words that follow the name of its type. */
function facts(parameter: Parameter): string[] {
  const { choices, limits, example } = parameter
  return [
    ...(choices.length === 0 ? [] : [`one of ${choices.map((choice) => `\`${choice}\``).join(', ')}`]),
    ...limits,
    ...(parameter.default === null ? [] : [`default \`${parameter.default}\``]),
    ...(example === null ? [] : [`example \`${example}\``]),
  ]
}

function parameterItem(parameter: Parameter): string {
  const { name, in: place, type, required, description } = parameter
  const head = [type, `in the ${place}`, ...(required ? ['required'] : []), ...facts(parameter)].join(', ')
  return `- \`${name}\` (${head})${description ? `: ${oneLine(description)}` : ''}`
}

const oneLine = (text: string) => text.replaceAll(/(?<!\s)\s*\n\s*/g, ' ')

function contentPart({ type, shape, description, fields, example }: Content): string {
  const parts = [`## Answer: ${type}`]
  if (shape !== null) parts.push(`${capital(shape)}.`)
  if (description !== '') parts.push(description)
  if (fields.length > 0) parts.push(fieldLines(fields, '').join('\n'))
  if (example !== null) parts.push(`Example:\n\n\`\`\`\n${exampleText(example)}\n\`\`\``)
  return parts.join('\n\n')
}

/** An example in the form in which it is sent: text unchanged, anything else as JSON. */
export const exampleText = (example: unknown): string =>
  typeof example === 'string' ? example.trimEnd() : JSON.stringify(example, null, 2)

function fieldLines(fields: readonly Field[], indent: string): string[] {
  return fields.flatMap((field) => {
    const { name, description, choices, recursive } = field
    const one = choices.length === 0 ? '' : ` One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.`
    const again = recursive ? ' Its members are the same as those of the object that contains it.' : ''
    return [
      `${indent}- \`${name}\` (${fieldFacts(field).join(', ')})${description ? `: ${oneLine(description)}` : ''}${one}${again}`,
      ...fieldLines(field.fields, `${indent}  `),
    ]
  })
}

/** Type, unit and the like of a field, in words. */
function fieldFacts({ type, nullable, optional, unit, entity }: Field): string[] {
  return [
    nullable ? `${type} or null` : type,
    ...(unit === null ? [] : [unit]),
    ...(entity === null ? [] : [`names ${entity}`]),
    ...(optional ? ['not always present'] : []),
  ]
}
