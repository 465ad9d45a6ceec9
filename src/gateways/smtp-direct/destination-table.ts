/** Limits of a destination, for all senders together, and the lengths of its suspensions. */
export interface DestinationLimits {
  connections: number
  /** On one connection. */
  messages: number
  /** Messages a second. */
  rate: number
  /** Minutes of the first suspension, of the one that follows, and so on; the last one is repeated. */
  backoff: readonly number[]
}

/**
 * Effect of a reply on the destination: slow down; suspend it, for `minutes` or according to `backoff`; treat the refusal of this message
 * as permanent; or ignore it.
 */
export interface DestinationReplyRule {
  /** A regular expression on the reply, `421 4.7.0 text` in one line, in any case. */
  pattern: string
  verdict: 'slow' | 'suspend' | 'refuse' | 'ignore'
  minutes?: number
}

/** One destination: the operator of some MX hosts, whatever the domains are. */
export interface DestinationRow extends Partial<DestinationLimits> {
  name: string
  /** Ends of the names of MX hosts, whole labels: `google.com` is also `aspmx.l.google.com`. */
  hosts: readonly string[]
  /** Looked at before those of `common`; the first that matches counts. */
  replies?: readonly DestinationReplyRule[]
}

export interface DestinationTable {
  /** Defaults for destinations, and for hosts without a row. */
  common: DestinationLimits & { replies: readonly DestinationReplyRule[] }
  destinations: readonly DestinationRow[]
  /** Messages to one destination on each day of a sending domain's first days; then unlimited. */
  warmUp: readonly number[]
}

const GREYLISTING_RULE: DestinationReplyRule = { pattern: 'gr[ae]y-?list', verdict: 'ignore' }
/** Replies about one mailbox, not about the whole destination. */
const MAILBOX_RULE: DestinationReplyRule = { pattern: '^4\\d\\d 4\\.2\\.', verdict: 'ignore' }

/**
 * The built-in table; an operator's file replaces the rows that it names. Limits are cautious: the volume that a destination allows
 * depends on the reputation of the sending addresses, and shows in its replies.
 */
export const builtInDestinations: DestinationTable = {
  common: {
    connections: 5,
    messages: 100,
    rate: 10,
    backoff: [5, 15, 30, 60, 120],
    replies: [
      GREYLISTING_RULE,
      MAILBOX_RULE,
      {
        pattern:
          '^4.*(?:too many (?:\\S+ ){0,2}(?:connections|sessions)|(?:maximum|concurrent) (?:number of )?connections|connection limit)',
        verdict: 'slow',
      },
      {
        pattern: '^4.*(?:rate.?limit|throttl|too (?:many (?:messages|e?mails)|fast)|slow down|exceeded.*rate)',
        verdict: 'slow',
      },
      {
        pattern: '^4.*(?:reputation|unusual rate|complaints|(?:temporarily|ip) block|block ?list)',
        verdict: 'suspend',
      },
      { pattern: '^421 ', verdict: 'slow' },
    ],
  },
  destinations: [
    {
      name: 'gmail',
      hosts: ['google.com', 'googlemail.com'],
      connections: 20,
      rate: 50,
      replies: [
        { pattern: '^4\\d\\d 4\\.7\\.(?:0|28) .*(?:unusual rate|rate limited)', verdict: 'suspend', minutes: 15 },
      ],
    },
    {
      name: 'yahoo',
      hosts: ['yahoodns.net'],
      connections: 10,
      messages: 20,
      rate: 20,
      replies: [
        { pattern: '^4.*permanently deferred', verdict: 'refuse' },
        { pattern: '^4.*\\[(?:TSS?\\d\\d)\\]', verdict: 'suspend', minutes: 60 },
      ],
    },
    {
      name: 'microsoft',
      hosts: ['outlook.com', 'mx.microsoft'],
      connections: 20,
      rate: 30,
      replies: [
        { pattern: '^4.*(?:RP-00[1-3]|4\\.7\\.650|4\\.7\\.651)', verdict: 'suspend', minutes: 15 },
        { pattern: '^4.*(?:server busy|4\\.7\\.500|4\\.7\\.652)', verdict: 'slow' },
      ],
    },
    { name: 'apple', hosts: ['icloud.com'], connections: 10, rate: 20 },
    {
      name: 'orange',
      hosts: ['orange.fr'],
      connections: 2,
      rate: 5,
      replies: [
        { pattern: '^4.*(?:connections|connexions)', verdict: 'slow' },
        { pattern: '^4.*OFR\\w*_\\d+', verdict: 'suspend', minutes: 30 },
      ],
    },
    {
      name: 'laposte',
      hosts: ['laposte.net'],
      connections: 2,
      rate: 5,
      replies: [
        { pattern: '^4.*(?:connections|connexions)', verdict: 'slow' },
        { pattern: '^4.*LPN\\w*_\\d+', verdict: 'suspend', minutes: 30 },
      ],
    },
    {
      name: 'free',
      hosts: ['free.fr'],
      connections: 2,
      rate: 5,
      replies: [{ pattern: '^4.*too many spams', verdict: 'suspend', minutes: 60 }],
    },
    { name: 'sfr', hosts: ['sfr.fr'], connections: 2, rate: 5 },
    { name: 'proton', hosts: ['protonmail.ch'] },
    { name: 'gmx', hosts: ['gmx.net', 'mail.com'] },
    { name: 'web.de', hosts: ['web.de'] },
    { name: 't-online', hosts: ['t-online.de'] },
    { name: 'ionos', hosts: ['kundenserver.de', 'ionos.com', 'ionos.de', 'ionos.fr', 'ionos.es', 'ionos.co.uk'] },
    { name: 'mailru', hosts: ['mail.ru'] },
    { name: 'yandex', hosts: ['yandex.ru', 'yandex.net'] },
    { name: 'libero', hosts: ['libero.it'], connections: 2 },
    { name: 'ovh', hosts: ['ovh.net'] },
    { name: 'gandi', hosts: ['gandi.net'] },
    { name: 'zoho', hosts: ['zoho.com', 'zoho.eu'] },
    { name: 'fastmail', hosts: ['messagingengine.com'] },
    { name: 'proofpoint', hosts: ['pphosted.com', 'ppe-hosted.com'] },
    { name: 'mimecast', hosts: ['mimecast.com'] },
    { name: 'barracuda', hosts: ['barracudanetworks.com'] },
    { name: 'cisco', hosts: ['iphmx.com'] },
    { name: 'broadcom', hosts: ['messagelabs.com'] },
    { name: 'tencent', hosts: ['qq.com'] },
  ],
  warmUp: [50, 100, 200, 400, 800, 1500, 3000, 5000, 8000, 12_000, 18_000, 25_000, 40_000, 60_000, 100_000],
}
