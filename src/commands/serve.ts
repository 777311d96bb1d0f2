/** `serve`: serves the API. Loads the sample first if the database is empty. */
import { command } from './command.ts'

export const OPTIONS = {
  port: { type: 'string', value: 'N', help: 'port to serve on, instead of the setting PORT; 0 for any free one' },
  host: { type: 'string', value: 'ADDRESS', help: 'address to listen on, instead of the setting HOST' },
} as const

export default command({
  name: 'serve',
  summary: 'serves the API',
  usage: ['openfilings serve [options]'],
  about: `Serves the API until SIGINT or SIGTERM, and prints its address, a key and requests to try. An empty database gets the
bundled sample first, unless SAMPLE=off.`,
  options: OPTIONS,
  examples: [
    ['openfilings serve', 'on 127.0.0.1:8080'],
    ['openfilings serve --port 0', 'on any free port, which is printed'],
  ],
  failure: 'the server could not start',
  work: () => import('./serve-work.ts'),
})
