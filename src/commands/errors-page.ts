/** `generated/errors.md`: every error of the API, as declared. */
import { API_ERRORS, type Code } from '../declare/api-errors.ts'

const row = (...cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

export function errorsPage(): string {
  const codes = Object.keys(API_ERRORS) as Code[]
  const sent = codes.filter((code) => !('isOnlyLogged' in API_ERRORS[code]))
  const logged = codes.filter((code) => 'isOnlyLogged' in API_ERRORS[code])
  return `# Errors

Generated from \`src/declare/api-errors.ts\` by \`npm run generate\`.

Every answer with an error status has the members \`error\`, a sentence for people, and \`code\`, a word for programs.
The sentence may be improved at any time. A code keeps its meaning, and the code of a removed error is not used again.
New codes may be added, so a program should treat a code that it does not know by its status.
Original documents (\`/v1/edgar/doc\`) have their errors as text unless JSON is requested. A browser gets a page for an address that does not exist.
The log has the code in the line of the request, and the metric \`openfilings_http_errors_total\` counts errors by code.

${table(sent)}

These codes are only in the log, since the client cannot get another answer any more:

${table(logged)}
`
}

const table = (codes: readonly Code[]) =>
  [
    row('Code', 'Status', 'Message', 'When', 'What to do'),
    row('---', '---', '---', '---', '---'),
    ...codes.map((code) => {
      const { status, message, when, wayOut } = API_ERRORS[code]
      return row(`\`${code}\``, String(status), `\`${message}\``, when, wayOut)
    }),
  ].join('\n')
