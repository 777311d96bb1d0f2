/** Names of data that belongs to no slice but has a version, like the data of each slice. */

/** The spine of filings: facts about every filing, from indexes and headers. */
export const SPINE = 'filings'
/** The loaded editions of bulk files. */
export const BULK = 'bulk'
/** Headers of filings that no dataset reads. The task that reads these headers has the same name. */
export const HEADERS = 'header'
