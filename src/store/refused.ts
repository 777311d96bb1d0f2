/** Why the database refused: the data itself, a lock that could not be had in time, or what is about the database. */

/**
 * SQLSTATE classes that the data itself causes: values (22), constraints (23), one statement that would touch a row twice
 * (21), sizes that an index or a row takes (54). Every other class is about the database or the program, so that no
 * filing is blamed for a full disk (53100), a server that stops (57P01) or a table that is not there (42P01).
 */
const OF_DATA = /^(21|22|23|54)\w{3}$/

/** @param code a SQLSTATE */
export const isOfDataCode = (code: string): boolean => OF_DATA.test(code)

/** Whether the database refused the data itself. */
export const isOfData = (error: unknown): boolean =>
  error instanceof Error && isOfDataCode(String((error as { code?: unknown }).code))

/** Whether a lock could not be had in the time that `lock_timeout` gave for it. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === '55P03'
