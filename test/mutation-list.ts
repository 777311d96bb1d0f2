/** Lines of src that are broken one at a time, each with the test that must then fail. */
export interface Mutation {
  file: string
  /** Text that occurs once in the file. */
  from: string
  to: string
  /** The test file that must fail with this change. */
  test: string
}

export const MUTATIONS: readonly Mutation[] = [
  {
    file: 'src/archive/store.ts',
    from: 'path.join(root, sha256.slice(0, 2)',
    to: 'path.join(root, sha256.slice(0, 1)',
    test: 'src/archive/store.test.ts',
  },
  {
    file: 'src/commands/keys-work.ts',
    from: "return verb === 'list' ? list : revocation(subject)",
    to: "return verb !== 'list' ? list : revocation(subject)",
    test: 'test/commands/cli.test.ts',
  },
  { file: 'src/config.ts', from: "return value === 'on'", to: "return value === 'off'", test: 'src/config.test.ts' },
  {
    file: 'src/datasets/formd/parse.ts',
    from: 'data.flag(box)',
    to: '!data.flag(box)',
    test: 'src/datasets/formd/parse.test.ts',
  },
  {
    file: 'src/datasets/thirteenf/report/scale.ts',
    from: 'if (voices[factor] < compared * 0.8)',
    to: 'if (voices[factor] < compared * 0.6)',
    test: 'src/datasets/thirteenf/compose.test.ts',
  },
  { file: 'src/declare/moment.ts', from: '.slice(0, 3)', to: '.slice(0, 2)', test: 'src/declare/moment.test.ts' },
  {
    file: 'src/declare/quarter.ts',
    from: '3 * Math.ceil(',
    to: '3 * Math.floor(',
    test: 'src/declare/quarter.test.ts',
  },
  {
    file: 'src/export/copy-text.ts',
    from: 'ESCAPED[char] ?? char',
    to: 'char',
    test: 'test/export/export.test.ts',
  },
  {
    file: 'src/fetch/host.ts',
    from: 'intervalOf(perSecond)',
    to: 'intervalOf(perSecond) / 10',
    test: 'src/fetch/client.test.ts',
  },
  { file: 'src/fetch/pace.ts', from: 'free = slot + intervalMs', to: 'free = slot', test: 'src/fetch/client.test.ts' },
  {
    file: 'src/ingest/batch.ts',
    from: 'if (own.some(({ cutOff }) => cutOff)) throw',
    to: 'if (own.every(({ cutOff }) => cutOff)) throw',
    test: 'test/ingest/several-documents.test.ts',
  },
  {
    file: 'src/ingest/bulk/update.ts',
    from: "state = 'done') as some",
    to: "state <> 'done') as some",
    test: 'test/datasets/companies/companies-spine.test.ts',
  },
  {
    file: 'src/ingest/queue.ts',
    from: 'attempts = attempts + 1',
    to: 'attempts = attempts',
    test: 'test/ingest/ingest-failures.test.ts',
  },
  {
    file: 'src/names/near.ts',
    from: 'length < TWO_WRONG_MIN ? 1 : 2',
    to: 'length < TWO_WRONG_MIN ? 1 : 1',
    test: 'src/names/near.test.ts',
  },
  {
    file: 'src/pages/html.ts',
    from: "escaped(String(part).replace(DIRECTIONS, ''))",
    to: 'String(part)',
    test: 'test/pages/reference.test.ts',
  },
  {
    file: 'src/products/feed/queries.ts',
    from: 'and state = any(',
    to: 'and state <> all(',
    test: 'test/products/feed/feed.test.ts',
  },
  {
    file: 'src/products/securities/quarters.ts',
    from: 'where r.quarter > q.quarter',
    to: 'where r.quarter >= q.quarter',
    test: 'test/products/securities/securities.test.ts',
  },
  {
    file: 'src/read/html/grid.ts',
    from: 'end - start > 1 &&',
    to: 'end - start > 9 &&',
    test: 'test/read/html.test.ts',
  },
  {
    file: 'src/read/master-index.ts',
    from: 'if (fields.length < 5)',
    to: 'if (fields.length < 3)',
    test: 'src/read/master-index.test.ts',
  },
  {
    file: 'src/read/pdf/columns.ts',
    from: 'const DEPTH = 3',
    to: 'const DEPTH = 0',
    test: 'src/read/pdf/markdown.test.ts',
  },
  {
    file: 'src/read/prose/dates.ts',
    from: 'return namedDay(year, month, date)',
    to: "return namedDay(year, month, '1')",
    test: 'src/read/prose/dates.test.ts',
  },
  {
    file: 'src/read/sgml/title.ts',
    from: 'if (values[last] === undefined)',
    to: 'if (values[last] !== read.value)',
    test: 'src/read/sgml/submission.test.ts',
  },
  {
    file: 'src/serve/files/csv.ts',
    from: 'SPECIAL.test(value) ? guarded(value) : value',
    to: 'value',
    test: 'test/serve/files.test.ts',
  },
  {
    file: 'src/serve/http/costs.ts',
    from: 'timeMs: timeoutMs / 3',
    to: 'timeMs: timeoutMs',
    test: 'test/serve/slots.test.ts',
  },
  {
    file: 'src/serve/keyset.ts',
    from: 'if (filters !== sameFilters)',
    to: 'if (filters === null)',
    test: 'test/serve/paging.test.ts',
  },
  {
    file: 'src/serve/limits.ts',
    from: 'now() < window.endsAt',
    to: 'now() < window.endsAt - 1000',
    test: 'test/serve/limits.test.ts',
  },
  {
    file: 'src/store/events.ts',
    from: 'select pg_advisory_xact_lock(',
    to: 'select pg_try_advisory_xact_lock(',
    test: 'test/store/events.test.ts',
  },
  {
    file: 'src/webhooks/signature.ts',
    from: "createHmac('sha256', key)",
    to: "createHmac('sha1', key)",
    test: 'test/webhooks/webhooks.test.ts',
  },
]
