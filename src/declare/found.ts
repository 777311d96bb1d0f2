/** A route's declarations about links to it and from it, as far as leads.ts cannot derive them. */

/** The place of the rows with which a route answers for a number. In `where` the alias of the relation is `t`. */
export interface Found {
  readonly in: `${string}.${string}`
  readonly by: string
  readonly where?: string
  /** Only this many newest rows are looked at: `where` needs another relation, and a bank has 250,000 filings. */
  readonly newest?: number
  /** False if the found rows are not the rows of the list itself: the link then states no count. */
  readonly isCounted?: false
}

/** Another number of the same thing, such as the CIK of an adviser that is a filer too. */
export interface Also extends Found {
  readonly name: string
  /** The member of the answer with the number, if it is not that of the path. */
  readonly of?: readonly string[]
  /** SQL of the other number, from the relation `t`. */
  readonly gives: string
  /** The order by which the first of several rows is taken. */
  readonly order: string
  /** Path of the route that it leads to, with one parameter. */
  readonly to: string
}

/** A route's declarations about links. All are optional: most links are derived from parameters and columns. */
export interface Leads {
  /** The answer is the front (leads.ts) of the thing that its path names, although the path does not end there. */
  readonly front?: true
  /**
   * The place of the rows for each parameter that names a thing. Default: the first relation of the slice with a column
   * of that name. Null: there is an answer for every number that rows name.
   */
  readonly found?: Readonly<Record<string, Found | readonly Found[] | null>>
  readonly also?: readonly Also[]
  /** Further addresses on this server that only the answer knows, by name. */
  readonly more?: (answer: never) => Readonly<Record<string, string | null>>
}
