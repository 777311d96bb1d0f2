/** The names of what belongs to no slice, among the slices whose data has a version. */

/** The spine of filings: what indexes and headers say of any filing. */
export const SPINE = 'filings'
/** Which editions of bulk files were loaded. */
export const BULK = 'bulk'
/** Headers that are read of filings that no dataset reads: also the name of that task. */
export const HEADERS = 'header'
