/** Names of data that belongs to no slice but has a version, as the data of each slice has. */

/** The spine of filings: facts about every filing, from indexes and headers. */
export const SPINE = 'filings'
/** Which editions of bulk files were loaded. */
export const BULK = 'bulk'
/** Headers of filings that no dataset reads. It is also the name of the task that reads them. */
export const HEADERS = 'header'
