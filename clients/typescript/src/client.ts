import { Follow, type FollowOptions } from './follow.ts'
import { Events, Groups } from './generated/groups.ts'
import type { ClientOptions } from './options.ts'
import { Requests } from './requests.ts'

/** The log of events. */
export class EventLog extends Events {
  /** Follows the log: `for await (const event of of.events.follow({ after, family: ['eightk'] }))`. */
  follow(options: FollowOptions = {}): Follow {
    return new Follow(this.requests, options)
  }
}

/**
 * A client of one service, with one group of methods for each kind of thing.
 *
 *     const of = new OpenFilings({ baseUrl: 'http://127.0.0.1:8080', apiKey })
 *     for await (const filing of of.filings.list({ family: 'formd' })) console.log(filing.company_name)
 */
export class OpenFilings extends Groups {
  override readonly events: EventLog

  /** @throws OpenFilingsError `invalid_option` */
  constructor(options: ClientOptions) {
    const requests = new Requests(options)
    super(requests)
    this.events = new EventLog(requests)
  }
}
