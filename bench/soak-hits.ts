import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfiguredMasterKeys } from '../src/cli/commands/master-keys.ts'
import { readConfig } from '../src/config.ts'
import type { DatabasePool } from '../src/database/connection/connect.ts'
import { createAccountTokenKeys, type MessageLinkToken, signLinkToken } from '../src/lib/crypto/tokens.ts'
import { visit } from '../test/fakes/web/visit.ts'

/** How long the visitor rests between two clicks, and after one that was not answered. */
const REST_MS = 50
const REFUSED_REST_MS = 500

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** A visitor that clicks the link of each message once, whatever becomes of the service meanwhile. */
export interface Visitor {
  /** Ends the visits; gives how many were answered, and which messages these are of. */
  stop(): Promise<string[]>
}

const NEXT = `
  select account, source_kind as "sourceKind", source, version, contact, stamp from sent_messages
  where outcome = 'accepted' and stamp > $1 order by stamp limit 100`

/** Starts a visitor of what was sent; `url` is where the service is at the moment. */
export function startVisitor(pool: DatabasePool, dataDir: string, url: () => string): Visitor {
  const keys = createAccountTokenKeys(loadConfiguredMasterKeys(readConfig({ STENTOR_DATA_DIR: dataDir })))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const answered: string[] = []
  let isOver = false
  async function visitAll(): Promise<void> {
    let last = '00000000-0000-0000-0000-000000000000'
    while (!isOver) {
      const { rows } = await pool.query<Omit<MessageLinkToken, 'kind' | 'link' | 'test' | 'silent'>>(NEXT, [last])
      if (rows.length === 0) await delay(REFUSED_REST_MS)
      for (const message of rows) {
        if (isOver) return
        last = message.stamp
        const token = { ...message, test: false, silent: false, kind: 'redirection', link: 1 } as const
        const isAnswered = (await visit(`${url()}/t/r/${signLinkToken(keys, token)}`, agent, BROWSER)) === 302
        if (isAnswered) answered.push(message.stamp)
        await delay(isAnswered ? REST_MS : REFUSED_REST_MS)
      }
    }
  }
  const visiting = visitAll()
  return {
    async stop() {
      isOver = true
      await visiting
      agent.destroy()
      return answered
    },
  }
}
