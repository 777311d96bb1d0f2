/** Client of OpenFilings: https://github.com/openfilings/openfilings */
import { verify } from './webhooks.ts'

export { AnswerCache } from './cache.ts'
export { EventLog, OpenFilings } from './client.ts'
export * from './decimals.ts'
export { Download } from './download.ts'
export { type ClientErrorCode, type ErrorCode, OpenFilingsError, type ServiceErrorCode } from './errors.ts'
export { type FilingEvent, Follow, type FollowOptions } from './follow.ts'
export { List } from './list.ts'
export type { AnswerInfo, ClientOptions, Clock, RequestOptions, RetryInfo } from './options.ts'
export type {
  Body,
  FeedFormat,
  FileFormat,
  FilterCondition,
  FilterTree,
  ListQuery,
  Operation,
  Query,
  Row,
  Schemas,
} from './types.ts'
export type { Delivery, HeadersGiven, VerifyOptions } from './webhooks.ts'

/** Deliveries of webhooks. */
export const webhooks = { verify }
