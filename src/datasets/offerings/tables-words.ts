/** Words that columns of the tables have. */

/** What a filing does to its offering. */
export const KINDS = [
  ...(['registration', 'amendment', 'more', 'prospectus', 'effectiveness'] as const),
  ...(['withdrawal', 'reinstatement', 'listing', 'class'] as const),
]

/** The facts that a filing of an offering can state. */
export const FACTS = [
  ...(['shares', 'security', 'price', 'price_low', 'price_high', 'gross', 'proceeds', 'underwriter'] as const),
  ...([
    'exchange',
    'ticker',
    'initial',
    'no_market',
    'listed',
    'spac',
    'registration_file_number',
    'effective_of',
  ] as const),
]

/** How a range of the price lies to the range before it. */
export const MOVES = ['up', 'down'] as const
/** How a price lies to the range in which it was expected. */
export const PLACES = ['above', 'within', 'below'] as const
