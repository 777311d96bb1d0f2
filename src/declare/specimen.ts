/** From here on numbers of persons, firms and filings are a specimen's: no publisher gives them (docs/quirks.md). */
export const SPECIMENS_FROM = 990_000_000
