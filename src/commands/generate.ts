/** `generate`: the committed files that are derived from the declarations. */
import { command } from './command.ts'

export const OPTIONS = {
  check: {
    type: 'boolean',
    help: 'compares the files and writes none, without a database; a test checks the examples',
  },
} as const

export default command({
  name: 'generate',
  summary: 'writes the committed files that are derived from the declarations',
  usage: ['openfilings generate [--check]'],
  about: `Writes the files of generated/, THIRD_PARTY_NOTICES.md and the tables of docs/operating. For the examples
of the API it loads the bundled sample into a database of its own. For the development of OpenFilings itself.`,
  options: OPTIONS,
  examples: [['openfilings generate --check', 'the check that CI runs']],
  failure: 'with --check: a file is outdated',
  work: () => import('./generate-work.ts'),
})
