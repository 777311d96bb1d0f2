/** `mcp`: serves agents on standard input and output. */
import { command } from './command.ts'

export const OPTIONS = {
  url: {
    type: 'string',
    value: 'ADDRESS',
    help: 'answers from a service elsewhere, instead of the data folder of this machine',
  },
  'key-file': {
    type: 'string',
    value: 'FILE',
    help: 'with --url: the file with the API key (default: the key in the variable OPENFILINGS_KEY)',
  },
} as const

export default command({
  name: 'mcp',
  summary: 'serves agents by the Model Context Protocol, on standard input and output',
  usage: ['openfilings mcp', 'openfilings mcp --url ADDRESS [--key-file FILE]'],
  about: `A client of MCP starts this command itself (docs/guides/agents.md). It answers from the data folder, also while
"openfilings serve" uses it, or from a service elsewhere. A service also answers agents itself, at /mcp.`,
  options: OPTIONS,
  examples: [
    ['openfilings mcp', 'answers from the data of this machine'],
    ['openfilings mcp --url https://filings.example.org --key-file key', 'answers from that service'],
  ],
  failure: 'there is no data, or the options are wrong',
  work: () => import('./mcp-work.ts'),
})
