/** Names of data that belongs to no slice but has a version, as the data of each slice has. */

/** The spine of filings: facts about every filing, from indexes and headers. */
export const SPINE = 'filings'
/** The loaded editions of bulk files. */
export const BULK = 'bulk'
/** Headers of filings that no dataset reads. It is also the name of the task that reads them. */
export const HEADERS = 'header'
