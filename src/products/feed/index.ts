import { search } from './routes.ts'

/** The fundraising feed: Form D, Regulation A and crowdfunding in one list. */
export default [search]
