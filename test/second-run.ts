/**
 * The reason to skip a test whose result does not depend on the database server. The reason applies in the second run,
 * on the server of TEST_DATABASE_URL; in the first run the value is false.
 */
export const secondRun = process.env.TEST_DATABASE_URL
  ? 'the same on any database server: it ran in the first run'
  : false

/**
 * Files whose results do not depend on the database server, although they import `database.ts` through a helper. The
 * data folders and services of these files have separate servers, or the files use the helper for other things. It is
 * an error if such a file uses a database of the server under test.
 */
export const SAME_ANYWHERE: readonly string[] = [
  'test/store/data-folder.test.ts',
  'test/project/deploy.test.ts',
  'test/project/docs.test.ts',
  'test/project/runner.test.ts',
  'test/datasets/facts/facts-corpus.test.ts',
  'test/ingest/follow-feed.test.ts',
  'test/project/install.test.ts',
  'test/project/on-server.test.ts',
  'test/read/pdf-apart.test.ts',
  'test/project/readme.test.ts',
  'test/project/database-folder.test.ts',
  'test/project/sample-corpus.test.ts',
  'test/datasets/schedule13/schedule13-text-corpus.test.ts',
  'test/read/zip.test.ts',
]

/** Files that store rows, but test only a process, a page, a reader, the output of a command or another host. */
export const OF_OTHER_THINGS: readonly string[] = [
  'test/datasets/brochures/brochures-corpus.test.ts',
  'test/datasets/brochures/brochures-hostile.test.ts',
  'test/commands/cli.test.ts',
  'test/store/code.test.ts',
  'test/project/corpus.test.ts',
  'test/datasets/documents/doc-text.test.ts',
  'test/serve/files-memory.test.ts',
  'test/ingest/follow.test.ts',
  'test/commands/generate.test.ts',
  'test/commands/help.test.ts',
  'test/pages/home.test.ts',
  'test/serve/http-raw.test.ts',
  'test/serve/http-server.test.ts',
  'test/ingest/ingest-memory.test.ts',
  'test/serve/log-fuzz.test.ts',
  'test/serve/openapi-clients.test.ts',
  'test/serve/openapi-tools.test.ts',
  'test/project/packed.test.ts',
  'test/store/prepared.test.ts',
  'test/commands/progress.test.ts',
  'test/pages/reference-browser.test.ts',
  'test/pages/reference.test.ts',
  'test/commands/startup.test.ts',
  'test/datasets/thirteenf/thirteenf-memory.test.ts',
  'test/pages/web-home.test.ts',
  'test/pages/web.test.ts',
  'test/webhooks/webhooks-command.test.ts',
  'test/webhooks/webhooks-receivers.test.ts',
]
