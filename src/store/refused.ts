/**
 * Distinguishes why the database refused something: because of the data, because a lock was not available in time, or
 * because of the database's own state.
 */

/**
 * SQLSTATE classes of errors that the data itself causes. They are values (22), constraints (23), one statement that
 * would touch a row twice (21), and limits on the size of an index entry or a row (54). Every other class is treated as
 * a fault of the database or the program. So no filing is blamed for a full disk (53100), a server that stops (57P01)
 * or a table that does not exist (42P01).
 */
const OF_DATA = /^(21|22|23|54)\w{3}$/

/** @param code a SQLSTATE */
export const isOfDataCode = (code: string): boolean => OF_DATA.test(code)

/** Whether the database refused something because of the data. */
export const isOfData = (error: unknown): boolean =>
  error instanceof Error && isOfDataCode(String((error as { code?: unknown }).code))

/** Whether a cancellation ended a statement. */
export const isCanceled = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: unknown }).code === '57014' || isCanceled(error.cause))

/** Whether a lock was not available within `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === '55P03'
