import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { createRcsFollowupHandlers } from '../../../src/features/actions/rcs/followup-handler.ts'
import { runDueFollowups } from '../../../src/sending/record/followups.ts'

/** `mortal-followups.ts DATABASE_URL NOW`: does what follows rich messages and is due at that instant, until it is killed. */
const [url = '', now = ''] = process.argv.slice(2)
const { db } = openDatabasePool(url, { applicationName: 'followups', max: 2 })
const clock = { now: () => Number(now) }
const handlers = createRcsFollowupHandlers({
  clock,
  masterKeys: [],
  log: { warn: () => undefined },
  open: () => ({ revoke: async () => 'dealt with', close: () => undefined }),
})
process.send?.('ready')
for (;;) await runDueFollowups(db, handlers, clock.now())
