/** Why a test that sends no SQL is left out of the second run, on the server of TEST_DATABASE_URL; false in the first. */
export const again = process.env.TEST_DATABASE_URL ? 'sends no SQL to this server: the first run had it' : false
