/** A route's declarations about links to it and from it, as far as leads.ts cannot derive them. */

/**
 * The relation and column in which a route finds its rows for an identifier. In `where` the alias of the relation is
 * `t`.
 */
export interface RowSource {
  readonly in: `${string}.${string}`
  readonly by: string
  readonly where?: string
  /**
   * Maximum number of rows that are searched, the newest first. It is needed if `where` reads another relation: a bank
   * has 250,000 filings, and that relation would be read for each of them.
   */
  readonly newest?: number
  /** False if the rows found here are not exactly the rows of the list: the link then has no count. */
  readonly isCounted?: false
}

/** Another identifier of the same thing, such as the CIK of an adviser that is a filer too. */
export interface Also extends RowSource {
  readonly name: string
  /** The member of the answer that has the known identifier, if it is not the identifier in the path. */
  readonly of?: readonly string[]
  /** SQL of the other identifier, as an expression over the row `t`. */
  readonly gives: string
  /** The order of the rows if there are several; the first row is taken. */
  readonly order: string
  /** Path of the route to which the link leads; the path has one parameter. */
  readonly to: string
}

/** A route's declarations about links. All are optional: most links are derived from parameters and columns. */
export interface Leads {
  /**
   * Set if the answer is the main page (front, see leads.ts) of the thing in its path, although the path does not end
   * with the thing's identifier.
   */
  readonly front?: true
  /**
   * For each parameter that names a thing: where its rows are. Default: the first relation of the slice with a column
   * of that name. Null: the route answers for every identifier that occurs in rows.
   */
  readonly found?: Readonly<Record<string, RowSource | readonly RowSource[] | null>>
  /**
   * For a route with null in `found`: the route's own relations in which the rows about a thing are found. The columns
   * that name such a thing are searched too (mentions.ts).
   */
  readonly known?: readonly RowSource[]
  readonly also?: readonly Also[]
  /** Further links, by name: addresses on this server that are made from the answer itself. */
  readonly more?: (answer: never) => Readonly<Record<string, string | null>>
}
