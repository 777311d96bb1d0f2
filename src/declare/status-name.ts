/**
 * The name of a status, `Not Found`. It is here because an `import` of node:http evaluates all its exports, which loads
 * Node's own HTTP client and takes 17 ms of processor time at each start.
 */
export const statusName = (status: number): string | undefined =>
  process.getBuiltinModule('node:http').STATUS_CODES[status]
