import type { Imported, Sending } from './campaign.ts'
import type { Client } from './client.ts'
import type { Mailbox } from './mailbox.ts'
import type { Reactions } from './reactions.ts'

/** What the interface shows of a campaign. */
export interface CampaignResults {
  sent: number
  bounces: number
  opens: number
  clicks: number
  unsubscribes: number
}

interface Activation {
  source: { detail: { activation: { kind: string } } }
}

/** Counts what the history of a campaign holds. */
export async function readBack(client: Client, action: string): Promise<CampaignResults> {
  const count = async (path: string): Promise<number> =>
    (await client.call<unknown[]>('GET', `/actions/${action}/${path}`)).length
  const activations = await client.call<Activation[]>('GET', `/actions/${action}/events/activations`)
  const bounces = await count('reactivities/bounces')
  return {
    // The remote's final answer makes an activation, whether it accepted or refused. Proofs are no recipients.
    sent: activations.filter(({ source }) => source.detail.activation.kind === 'campaign').length - bounces,
    bounces,
    opens: await count('reactivities/hits/open'),
    clicks: await count('reactivities/hits/redirection'),
    unsubscribes: await count('reactivities/hits/unsubscribe'),
  }
}

interface Findings {
  shown: CampaignResults
  mailbox: Mailbox
  reactions: Reactions
  imported: Imported
  sending: Sending
}

/** Where the interface differs from what the mail server and the HTTP client counted; each in words. */
export function compare({ shown, mailbox, reactions, imported, sending }: Findings): string[] {
  const pairs: [what: string, shown: number, counted: number][] = [
    ['messages accepted', shown.sent, mailbox.received],
    ['messages accepted, according to the monitor', sending.monitor.sent, mailbox.received],
    ['recipients, according to the monitor', sending.monitor.recipients, imported.audience],
    ['addresses refused', shown.bounces, mailbox.refused.size],
    ['opens', shown.opens, reactions.opens],
    ['clicks', shown.clicks, reactions.clicks],
    ['unsubscribes', shown.unsubscribes, reactions.unsubscribes],
  ]
  return pairs
    .filter(([, one, other]) => one !== other)
    .map(([what, one, other]) => `${what}: reported ${one}, counted ${other}`)
}

/** The table at the end. */
export function printTable(output: NodeJS.WritableStream, figures: Record<string, number>, reactions: Reactions): void {
  const hits = reactions.opens + reactions.clicks + reactions.unsubscribes
  const rows: [string, string][] = [
    ['contacts imported', `${figures['imported']} in ${figures['importSeconds']} s`],
    ['messages sent', `${figures['sent']} in ${figures['sendSeconds']} s`],
    ['messages received', String(figures['received'])],
    ['refused', String(figures['bounces'])],
    ['opens', String(figures['opens'])],
    ['clicks', String(figures['clicks'])],
    ['unsubscribes', String(figures['unsubscribes'])],
    ['messages per second', String(figures['messagesPerSecond'])],
    ['hits per second', String(Math.round(hits / Math.max(reactions.seconds, 0.001)))],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  output.write(`\n${rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n')}\n\n`)
}
