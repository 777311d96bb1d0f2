/** Numbers of specimens (persons, firms, filings) begin here: no publisher assigns such numbers (docs/quirks.md). */
export const SPECIMENS_FROM = 990_000_000

/** Numbers of the brochures of specimens begin here. */
export const BROCHURE_SPECIMENS_FROM = 990_000
