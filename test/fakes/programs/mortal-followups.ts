import { connect } from '../../../src/database/connection/connect.ts'
import { rcsFollowupHandlers } from '../../../src/features/actions/rcs/followup-handler.ts'
import { runFollowups } from '../../../src/sending/record/followups.ts'

/** `mortal-followups.ts DATABASE_URL NOW`: does what follows rich messages and is due at that instant, until it is killed. */
const [url = '', now = ''] = process.argv.slice(2)
const { db } = connect(url, { applicationName: 'followups', max: 2 })
const clock = { now: () => Number(now) }
const handlers = rcsFollowupHandlers({
  clock,
  masterKeys: [],
  log: { warn: () => undefined },
  open: () => ({ revoke: async () => 'dealt with', close: () => undefined }),
})
process.send?.('ready')
for (;;) await runFollowups(db, handlers, clock.now())
