/** Values that columns of the tables may have. */

/** Lines of a fee table (Form N-1A, Item 3; Form N-2, Item 3). */
export const ITEMS = [
  ...([
    'management',
    'distribution',
    'incentive',
    'interest',
    'acquired_funds',
    'other',
    'total',
    'waiver',
    'net',
  ] as const),
]

/** What a filing may state although no table has a row for it, because it could not be read. */
export const LEFT_OUT = ['fee', 'expense_example'] as const

export const STATUSES = ['new', 'existing', 'new classes', 'acquiring', 'target'] as const

export const BLOCKS = ['objective', 'expenses', 'turnover', 'strategies', 'risks', 'performance'] as const

export const ROLES = ['adviser', 'subadviser'] as const

export const STAGES = ['filed', 'amended', 'delayed', 'effective', 'withdrawn'] as const
export const BUCKETS = ['ETF/OEF', 'CEF'] as const
