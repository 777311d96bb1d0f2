/** Why a test of what no database server changes is left out of the second run, on the server of TEST_DATABASE_URL; false in the first. */
export const again = process.env.TEST_DATABASE_URL ? 'the same on any database server: the first run had it' : false
