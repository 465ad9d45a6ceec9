import type { Db } from '../../database/connection/connect.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { MESSAGE_LEASE_MS } from '../../sending/claim/renew-message-leases.ts'
import { type KnownSenderMachine, listSenderMachines, retireMachine } from '../../sending/senders/machines.ts'
import { inAuditedTransaction } from '../audited-command.ts'
import { type CliCommand, type CommandInvocation, printTable, UsageError } from '../usage.ts'
import { withDatabase } from '../with-database.ts'

const USAGE_TEXT = 'machines list | settle ID --decision send|drop'

function readDecision({ options }: CommandInvocation): 'send' | 'drop' {
  const { decision } = options
  if (decision === 'send' || decision === 'drop') return decision
  throw new UsageError(
    '--decision must be drop (messages are not sent again; some may have arrived) or send (messages are sent; some recipients may get two).',
  )
}

function toTableRow({
  id,
  host,
  directory,
  seenAt,
  claimed,
  held: heldMessages,
}: KnownSenderMachine): Record<string, unknown> {
  return { id, host, directory, seen: seenAt, claimed, held: heldMessages }
}

/** Settles a machine; gives how many messages that decided about. Throws UsageError when it cannot be. */
async function retireSenderMachine(db: Db, id: string, decision: 'send' | 'drop'): Promise<number> {
  const result = await retireMachine(db, id, decision, new Date(systemClock.now()))
  switch (result.is) {
    case 'unknown':
      throw new UsageError(`There is no machine ${id}. "stentor machines list" lists them.`)
    case 'alive':
      throw new UsageError(
        `The machine ${id} was last seen at ${result.seenAt.toISOString()}. It can be settled ${MESSAGE_LEASE_MS / 60_000} minutes after it was last seen.`,
      )
    case 'settled':
      return result.messages
  }
}

async function retireMachineById(invocation: CommandInvocation): Promise<number> {
  const id = invocation.words[1]
  if (id === undefined) throw new UsageError(`Use stentor ${USAGE_TEXT}.`)
  const decision = readDecision(invocation)
  return withDatabase(invocation.config, async ({ db }) => {
    const messageCount = await inAuditedTransaction(
      db,
      (tx) => retireSenderMachine(tx, id, decision),
      (retiredMessages) => ({
        operation: 'machines settle',
        account: null,
        object: { type: 'machine', id, name: id },
        said: { decision, messages: retiredMessages },
      }),
    )
    const outcomeText = decision === 'send' ? 'queued again' : 'dropped'
    process.stdout.write(`Messages ${outcomeText}: ${messageCount}. The machine ${id} was removed.\n`)
    return 0
  })
}

/** `stentor machines`: the data directories that processes were started on, and what became of those that never come back. */
export const machinesCommand: CliCommand = async (invocation) => {
  switch (invocation.words[0]) {
    case 'list':
      return withDatabase(invocation.config, async ({ db }) => {
        printTable((await listSenderMachines(db)).map(toTableRow))
        return 0
      })
    case 'settle':
      return retireMachineById(invocation)
    default:
      throw new UsageError(`Use stentor ${USAGE_TEXT}.`)
  }
}
