/**
 * Stored tables of Form ADV and Form ADV-W: firms of the daily feeds, filings of the monthly data files with their
 * schedules, withdrawals. `filing` has one row for each filing and form (IA or ERA); rows from other files of the month
 * join on `filing_id`.
 */

export { filing, filing_more, filing_type } from './tables/filing.ts'
export { firm } from './tables/firm.ts'
export { fund, fund_provider, fund_reported } from './tables/fund.ts'
export { branch, disclosure, owner, related, schedule_line, sma } from './tables/schedule.ts'
export { withdrawal, withdrawal_line } from './tables/withdrawal.ts'
