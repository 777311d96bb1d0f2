/** Every command, in the order in which a newcomer meets them. */
import analyst from './analyst.ts'
import type { Command } from './command.ts'
import doctor from './doctor.ts'
import exportCommand from './export.ts'
import generate from './generate.ts'
import ingest from './ingest.ts'
import keys from './keys.ts'
import prune from './prune.ts'
import rebuild from './rebuild.ts'
import sample from './sample.ts'
import serve from './serve.ts'
import status from './status.ts'
import webhooks from './webhooks.ts'

export { doctor }

export const COMMANDS: readonly Command[] = [
  serve,
  ingest,
  sample,
  status,
  exportCommand,
  doctor,
  rebuild,
  prune,
  keys,
  webhooks,
  analyst,
  generate,
]
