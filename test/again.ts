/** Why a test of what no database server changes is left out of the second run, on the server of TEST_DATABASE_URL; false in the first. */
export const again = process.env.TEST_DATABASE_URL ? 'the same on any database server: the first run had it' : false

/**
 * Whole files of that kind, though they reach `database.ts` through a helper: their data folders and services have servers of
 * their own, or they use the helper for other things. It is an error where one of them takes a database of the server under test.
 */
export const SAME_ANYWHERE: readonly string[] = [
  'test/data-folder.test.ts',
  'test/deploy.test.ts',
  'test/docs.test.ts',
  'test/runner.test.ts',
  'test/facts-corpus.test.ts',
  'test/follow-feed.test.ts',
  'test/generate.test.ts',
  'test/install.test.ts',
  'test/on-server.test.ts',
  'test/pdf-apart.test.ts',
  'test/readme.test.ts',
  'test/roomiest.test.ts',
  'test/sample-corpus.test.ts',
  'test/schedule13-text-corpus.test.ts',
  'test/zip.test.ts',
]

/** Whole files that do store rows, while what they ask about is a process, a page, a reader, a command's words or another host. */
export const OF_OTHER_THINGS: readonly string[] = [
  'test/brochures-corpus.test.ts',
  'test/brochures-hostile.test.ts',
  'test/cli.test.ts',
  'test/code.test.ts',
  'test/corpus.test.ts',
  'test/doc-text.test.ts',
  'test/documents-corpus.test.ts',
  'test/files-memory.test.ts',
  'test/follow.test.ts',
  'test/help.test.ts',
  'test/home.test.ts',
  'test/http-raw.test.ts',
  'test/http-server.test.ts',
  'test/ingest-memory.test.ts',
  'test/log-fuzz.test.ts',
  'test/openapi-tools.test.ts',
  'test/packed.test.ts',
  'test/prepared.test.ts',
  'test/progress.test.ts',
  'test/reference-browser.test.ts',
  'test/reference.test.ts',
  'test/startup.test.ts',
  'test/thirteenf-memory.test.ts',
  'test/web-home.test.ts',
  'test/web.test.ts',
  'test/webhooks-command.test.ts',
  'test/webhooks-receivers.test.ts',
]
