/** What `--help` prints. */
import { settingsHelp } from '../config.ts'

const USAGE: Record<string, string> = {
  serve: `openfilings serve
  Serves the API. An empty database gets the bundled sample first.`,
  ingest: `openfilings ingest [all | index | <dataset>] [--from DATE] [--to DATE] [--base-url URL] [--retry] [--again] [--workers N]
openfilings ingest adv [ADDRESS | FILE …] [--from DATE] [--to DATE] [--base-url URL] [--again] [--accept-gone]
  Reads EDGAR's indexes and every filing that a dataset can read. Killed at any point, it goes on where it was.
  all        indexes, then every dataset, then the files about advisers (default)
  index      indexes alone
  <dataset>  indexes, then that dataset (formd, …)
  --from     first day, YYYY-MM-DD (default: the quarter of the newest index read)
  --to       last day (default: today)
  --base-url where filings come from, instead of EDGAR_BASE_URL; loopback hosts need no User-Agent and are not throttled
  --retry    also take up filings that failed before
  --again    read indexes again that were read before
  --workers  filings read side by side (default: INGEST_WORKERS)
  adv        files about advisers and their people, as the site of ADVISERINFO_BASE_URL lists them; instead of its lists
             the address of another list, or local files of the same names
  --accept-gone  believes a feed that lacks a quarter of the firms or people that are known`,
  status: `openfilings status [--json]
  What is loaded, what waits, what failed and why.`,
  rebuild: `openfilings rebuild <dataset> …
  Reads the archive again with the current parsers, and swaps the new tables in.`,
  keys: `openfilings keys create --account NAME [--scopes api,brochures,mcp] [--search-limit N] [--general-limit N] [--expires DATE] [--self-serve]
  Makes a key and prints it alone; it cannot be shown again. Limits are requests a minute.
openfilings keys list
openfilings keys revoke KEY-OR-ID`,
  generate: `openfilings generate [--check]
  Writes openapi.json, docs/datasets.md and the tables of README.md; --check only compares.`,
}

/** Prints the usage of one command, or of all with the settings. */
export async function help(command?: string): Promise<number> {
  const one = command && USAGE[command]
  const text = one || `${Object.values(USAGE).join('\n\n')}\n\nSettings (environment variables):\n${settingsHelp()}`
  process.stdout.write(`${text}\n`)
  return 0
}
