/** Forms of Schedules 13D and 13G; codes that begin with SC were used before 2024-12-18. */
export const FORMS = [
  'SCHEDULE 13D',
  'SCHEDULE 13D/A',
  'SCHEDULE 13G',
  'SCHEDULE 13G/A',
  'SC 13D',
  'SC 13D/A',
  'SC 13G',
  'SC 13G/A',
] as const
