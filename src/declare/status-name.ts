/**
 * The name of a status, `Not Found`. An `import` of node:http looks at all that it exports, and so loads Node's own client
 * of HTTP, which takes 17 ms of the processor at each start.
 */
export const statusName = (status: number): string | undefined =>
  process.getBuiltinModule('node:http').STATUS_CODES[status]
