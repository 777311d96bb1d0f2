/**
 * The name of a status, `Not Found`. The names come from `getBuiltinModule`, because an import of node:http also loads
 * Node's own HTTP client, which takes 17 ms of processor time at each start.
 */
export const statusName = (status: number): string | undefined =>
  process.getBuiltinModule('node:http').STATUS_CODES[status]
