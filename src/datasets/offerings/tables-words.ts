/** Values that columns of the tables may have. */

/** The effect of a filing on its offering. */
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

/** Direction of a price range, compared with the range before it. */
export const MOVES = ['up', 'down'] as const
/** Position of a price compared with its expected range. */
export const PLACES = ['above', 'within', 'below'] as const
