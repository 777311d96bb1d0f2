/** Lists every command, in the order in which a newcomer needs them. */
import analyst from './analyst.ts'
import archive from './archive.ts'
import type { Command } from './command.ts'
import doctor from './doctor.ts'
import exportCommand from './export.ts'
import generate from './generate.ts'
import ingest from './ingest.ts'
import keys from './keys.ts'
import mcp from './mcp.ts'
import prune from './prune.ts'
import rebuild from './rebuild.ts'
import sample from './sample.ts'
import searches from './searches.ts'
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
  archive,
  keys,
  searches,
  webhooks,
  mcp,
  analyst,
  generate,
]
